-- A program that sessions open.
import "parts/helper"

local def secret : i32 = 42

def twice (x: i32) = helped x + helped x
