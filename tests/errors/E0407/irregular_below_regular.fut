def f [n] (xsss: [n][3][?]f32) = map transpose xsss
