type rows [n] = [n][?]f32
type rows_of_rows [n] = [n][?][?]i32
type rec tree=#leaf f32|#node tree tree
type rec forest 'a = #forest ([](rose a))
with type rose 'a=#rose a (forest a)
