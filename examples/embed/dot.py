"""python3 examples/embed/dot.py"""

from pathlib import Path

import norn
import numpy as np

program = norn.load(Path(__file__).with_name("dot.fut"))
xs = np.array([1, 2, 3], dtype=np.float32)
ys = np.array([4, 5, 6], dtype=np.float32)
print(program.dot(xs, ys))
