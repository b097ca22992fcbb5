-- Modules: sealing, parametric modules, opening, what stands for what.
module type ordered = {
  type t
  val less : t -> t -> bool
  val default [n] : [n]t -> t
}

module int_order : ordered with t = i32 = {
  type t = i32
  def less (x: t) (y: t) = x < y
  def default [n] (_: [n]t) = 0i32
  local def unused = 1i32
}

module hidden = int_order : ordered

module extremes (O: ordered) = {
  type box = {value: O.t}
  def smaller (x: O.t) (y: O.t) : box = {value = if O.less x y then x else y}
}

module E = extremes int_order

open {
  def visible = E.smaller 1 2
  module nested = {def less = true}
}

def use = (visible.value, nested.less, int_order.less 1 2)

def stays_hidden (x: hidden.t) = hidden.less x (hidden.default [x])
