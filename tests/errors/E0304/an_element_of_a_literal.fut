-- Only names and what is in parentheses can be followed by an index.
def base (i: i64) : u8 = "ACGT"[i]
