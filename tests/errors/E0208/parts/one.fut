import "two"
