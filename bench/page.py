"""bench/README.md: one section per measurement, each rewritten by itself."""

import pathlib

PAGE = pathlib.Path(__file__).resolve().parent / "README.md"

# In the order of the page.
# The section about GPUs is written by hand: the machine that has one runs bench/gpu/run.sh.
TITLES = ["Norn beside C", "On a GPU", "How compiling grows", "How fast the checker is"]

HEAD = """# Benchmarks

`python3 bench/run.py` measures everything and writes this page; `python3 bench/run.py cpu` (or
`compile`, `check`) rewrites one section. The programs are compiled in release mode first; `NORN=PATH` uses a
command that is built already.
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
