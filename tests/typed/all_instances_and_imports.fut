-- Printed with the types at which polymorphic variables are used, and with what is imported.
import "imported/shapes"

def same 'a (x: a) = x

def doubled [n] (xs: [n]f32) = map (* 2) (same xs)

def areas (xs: []shape) = map area (reverse xs)

def paired [n] (xs: [n]i32) = zip xs (map (\x -> (x, same true)) xs)
