"""The programs that are measured, and their data sets.

A program of bench/programs names its data sets in its test block, with the sizes as the label:

    -- "1000000" notest script input { input 1000000i64 } output @ data/dot-1000000.out

Peers get the same sizes, make the same input, and write their result into that file, with which `norn bench` compares its own. The
examples have data sets, too, of the sizes of the papers they come from, and no peers.
"""

import re

import machine

PROGRAMS = machine.ROOT / "bench" / "programs"
EXAMPLES = machine.ROOT / "examples"
DATA_SET = re.compile(r'^-- "([^"]+)" notest((?: no_\w+)*) ', re.MULTILINE)


class Program:
    def __init__(self, source):
        self.source = source
        self.is_example = EXAMPLES in source.parents
        # An example is called after its folder, too: several papers have an n-body.
        self.name = str(source.relative_to(EXAMPLES).with_suffix("")) if self.is_example else source.stem
        found = DATA_SET.findall(source.read_text())
        self.data_sets = {label: tags.split() for label, tags in found}

    def labels(self, tag):
        """Those that are not left out by a tag such as `no_cpu`."""
        return [label for label, tags in self.data_sets.items() if tag not in tags]

    def result(self, label):
        return PROGRAMS / "data" / f"{self.name}-{label.replace(' x ', 'x')}.out"


def find(names):
    """The programs of these names, or all."""
    sources = sorted(PROGRAMS.glob("*.fut")) + sorted(EXAMPLES.rglob("*.fut"))
    programs = [program for program in map(Program, sources) if program.data_sets]
    unknown = [name for name in names if not any(name in (program.name, program.source.stem) for program in programs)]
    if unknown:
        raise SystemExit(f"there is no program {', '.join(unknown)} with a data set")
    return [p for p in programs if not names or p.name in names or p.source.stem in names]
