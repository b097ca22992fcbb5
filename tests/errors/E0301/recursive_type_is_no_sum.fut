type rec tree = #leaf f32 | #node tree tree

def f (t: tree) : #leaf f32 | #node tree tree = t
