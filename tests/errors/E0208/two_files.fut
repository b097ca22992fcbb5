import "parts/a"
