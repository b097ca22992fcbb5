-- Attributes, assertions, holes, long expressions over several lines.
#[inline]
def safe [n] (xs: [n]i32) (i: i64) : i32 =
  assert (0 <= i && i < n) (#[unsafe] xs[i])

def unfinished (_x: i32) : [3]f32 = ???

def long (a_long_name: i64) (another_long_name: i64) (a_third_long_name: i64) : i64 =
  a_long_name * another_long_name + another_long_name * a_third_long_name - a_third_long_name / a_long_name

def many_parameters (first_parameter: []i32) (second_parameter: []i32) (third_parameter: []i32) (f: i32 -> i32) =
  (map f first_parameter, map f second_parameter, map f third_parameter)
