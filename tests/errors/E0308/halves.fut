def too_large = [65520f16, 70000f16, 1e5f16]
def large_enough = [65504f16, 65519f16, 65519.9f16]
