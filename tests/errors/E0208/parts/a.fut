import "b"
