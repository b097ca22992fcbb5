"""How the time of compiling grows with the program, phase by phase.

The programs are made by generate.py. The times are what `norn dev --time` tells, the least of several
runs: what others do on the machine only ever adds to them.
"""

import pathlib
import re
import subprocess
import tempfile

import generate
import machine
import page

LENGTHS = [200, 1_000, 2_000, 5_000, 10_000]
RUNS = 3
TIME_LINE = re.compile(r"^(\S+) +([\d.]+) ms$", re.MULTILINE)

SECTION = """Milliseconds of each phase, the least of {runs} runs of `norn dev --time FILE`; the programs are made by
bench/generate.py. The last column is the time per line of the largest program over that of the second: a time
that grows with the program has about 1 there. `check` has a fixed part, the prelude.

| phase | {heads} | growth |
|---|{rules}---:|
{rows}

{machine}
"""


def phase_times(norn, file):
    """The least time of each phase, in the order of the phases."""
    least = {}
    for _ in range(RUNS):
        said = subprocess.run([norn, "dev", "--time", file], capture_output=True, text=True)
        if said.returncode != 0:
            raise SystemExit(f"norn dev --time failed:\n{said.stderr[:4000]}")
        for name, time in TIME_LINE.findall(said.stdout):
            least[name] = min(float(time), least.get(name, float("inf")))
    return least


def run(norn):
    lengths, columns = [], []
    with tempfile.TemporaryDirectory() as folder:
        for length in LENGTHS:
            text = generate.program(length)
            file = pathlib.Path(folder, f"generated_{length}.fut")
            file.write_text(text)
            lengths.append(len(text.splitlines()))
            columns.append(phase_times(norn, file))
            print(f"{lengths[-1]:,} lines: {columns[-1]['total']:.1f} ms", flush=True)
    rows = []
    for name in columns[-1]:
        times = [column[name] for column in columns]
        growth = times[-1] / lengths[-1] / (times[1] / lengths[1]) if times[1] else 0
        rows.append(f"| {name} | " + " | ".join(f"{time:.1f}" for time in times) + f" | {growth:.2f} |")
    text = SECTION.format(
        runs=RUNS,
        heads=" | ".join(f"{length:,} lines" for length in lengths),
        rules="---:|" * len(lengths),
        rows="\n".join(rows),
        machine=machine.describe(),
    )
    page.write_section("How compiling grows", text)
