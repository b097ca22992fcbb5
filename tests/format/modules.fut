module type monoid={
  type t
  val zero:t
  val plus:t->t->t

  val (+):t->t->t
  type^ lifted 'a = a -> a
  module inner: {val x:i32}
  include other with t = i32
  #[attr] val marked : t
}
module type one_line = {type t val x:t}
module type refined = monoid with t = i32 with lifted 'a = [n]a
module type refined_long = some_module_type with first_type = i32 with second_type = f32
module type functor = (A: monoid) -> monoid -> {
  val x: A.t
}
module empty = { }
module m : monoid with t = i32 = {
  type t=i32


  def zero=0
  def plus x y=x+y
  -- The last thing in it.

}
module one = {def x=1}
module f (A: monoid) (B: monoid) : {val twice : A.t -> A.t} = {
  def twice (x: A.t)=A.plus x x
}
module inline_parameter (P: {type t
  val x:t}) = {
  def y = P.x
}
module applied = f (m) {
  type t = i32
}
module applied_to_names = f m m
module lambda = \(P: monoid) : monoid -> \(Q: monoid) -> {
  open P
}
module ascribed = m : monoid
module imported = import "lib/file"
module many_parameters (First: first_module_type) (Second: second_module_type) (Third: third) = {
  def x = First.x
}
