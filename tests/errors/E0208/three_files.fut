import "parts/one"
