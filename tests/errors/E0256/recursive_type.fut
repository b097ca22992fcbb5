module type m = {
  type rec t = #end | #more t
}
