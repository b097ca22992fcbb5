import "one"
