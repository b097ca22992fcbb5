"""bench/README.md: one section per measurement, each rewritten by itself."""

import pathlib

PAGE = pathlib.Path(__file__).resolve().parent / "README.md"

# In the order of the page. The section about GPUs is written by hand.
TITLES = ["On a GPU", "How compiling grows", "How fast the checker is"]

HEAD = """# Benchmarks

`python3 bench/run.py` measures all programs and all peers that are installed, into `results/`, and writes [the page of the
manual](../docs/src/benchmarks.md) with its plots and the tables in all other pages; then it measures the compiler, into this page.
`python3 bench/run.py --help` shows how to run a part of this, and how to compare two runs. It builds Norn in release mode first;
`NORN=PATH` uses an existing command.

- `programs/` has the programs with peers, `peers/` the same computations with C and OpenMP, NumPy, JAX, PyTorch, CuPy and CUB. The examples
  are measured, too, with data sets as large as those of the papers they come from.
- `results/` has the measurements, from which all tables are made; `results/elsewhere/` those of other systems that were measured in other runs.
- `gpu.sh` runs everything that needs a GPU: all program tests, compute-sanitizer, and the measurements.
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
