type t=i32
type~ sized 'a=?[n].[n]a
type^ function 'a '~b '^c=a->b->c
type record={a:i32,b:[]f32,}
type broken_record={a:i32,
  b: (i32, {c: bool})}
type sum=#red|#green i32|#blue [2]f32 (i32, i32)
type broken_sum = #red
  | #green i32 | #blue
type long_sum = #first_constructor i32 i32 | #second_constructor [n]f32 | #third_constructor
type applied [n] = pair (vector [n] f32) ([n]i32) m.t
type arrays [n] [m] = [n][m+1][n*(m+1)]*[]i32
type unique = *[]i32 -> *[]i32
type exists = ?[n][m].[n][m]i32
type named = (n: i64) -> (m: i64) -> [n][m]i32
type long_function = (first_parameter: [n]i32) -> (second_parameter: [m]i32) -> (third: i64) -> [n][m]i32
type by_hand = i32
  -> i32 -> i32
type many_parameters [first] [second] [third] [fourth] [fifth] [sixth] [seventh] [eighth] = i32
