-- Only as many bits count as the suffix has room for.
def small = 256u8
