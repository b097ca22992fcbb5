type rec tree = #leaf f32 | #node tree tree

def t = #leaf 3f32
