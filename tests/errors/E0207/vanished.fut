import "nowhere"
