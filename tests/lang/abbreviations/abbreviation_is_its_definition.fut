-- ==
-- input { 3 } output { 4 }

type age = i32
type years = age

def older (a: age) : years = a + 1

def main (x: i32) : i32 = older x
