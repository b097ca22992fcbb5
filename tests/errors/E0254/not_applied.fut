module pm (m: {val x : i32}) = {def y = m.x}

open pm
