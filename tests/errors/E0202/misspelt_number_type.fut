def half (x: f46) = x / 2
