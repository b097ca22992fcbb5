def tuple = (1,2,(3,4),)
def unit = ()
def spaces_in_empty = (( ), [ ], { })
def broken_tuple = (1,
  2, 3)
def record = {a=1,b,c={d=2}}
def broken_record = {
  a = 1,
  b = let x = 1
    in x,
  c,
}
def value_below = {a =
  1, b = 2}
def names = [alpha,
   beta, gamma]
def rows = [[1, 0, 0], [0, 1, 0],
  [0, 0, 1]]
def repeated_commas = [1,,2]
def primes : []i32 = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97,
101,
103, 107, -109]
def pairs = [(1, 2.0f32), (3, 4.0f32), (5, 6.0f32), (7, 8.0f32), (9, 10.0f32), (11, 12.0f32), (13, 14.0f32)]
def small_on_lines = [
  1,
  2
]
def long_tuple = (the_first_component + 1, the_second_component + 2, the_third_component + 3)
def strings = ["one", "two", "three"]
