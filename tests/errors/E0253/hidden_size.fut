module type row = {
  type t
}

module row: row = {
  type~ t = []i64
}
