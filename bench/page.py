"""bench/README.md: one section per measurement, each rewritten by itself."""

import pathlib

PAGE = pathlib.Path(__file__).resolve().parent / "README.md"

# In the order of the page. The section about GPUs is written by hand.
TITLES = ["On a GPU", "How compiling grows", "How fast the checker is"]

HEAD = """# Benchmarks

`python3 bench/run.py` measures all programs beside all peers that are present, into `results/`, and makes [the page of the
manual](../docs/src/benchmarks.md) with its plots; then it measures the compiler, and writes that here. `python3 bench/run.py --help` tells
how to do a part of it, and how to compare two runs. Norn is compiled in release mode first; `NORN=PATH` uses a command that is built already.

- `programs/` are the programs that have peers, `peers/` what does the same with C and OpenMP, NumPy, JAX, PyTorch, CuPy and CUB. The examples
  are measured, too, with data sets of the sizes of the papers they come from.
- `gpu.sh` is everything that needs a GPU: all program tests, compute-sanitizer, and the measurements.
- `compiler/` measures the compiler itself.
"""


def write_section(title, text):
    """Puts a section in place of the one with this title."""
    sections = read_sections()
    sections[title] = text.strip() + "\n"
    parts = [HEAD] + [f"## {title}\n\n{sections[title]}" for title in TITLES if title in sections]
    PAGE.write_text("\n".join(parts))


def read_sections():
    sections = {}
    for part in PAGE.read_text().split("\n## ")[1:]:
        title, text = part.split("\n", 1)
        sections[title] = text.strip() + "\n"
    return sections
