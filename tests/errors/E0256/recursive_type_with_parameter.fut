module type stack = {
  type rec list 'a = #nil | #cons a (list a)
  val empty 'a: list a
}
