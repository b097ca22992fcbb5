import "three"
