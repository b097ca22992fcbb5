"""How the time of compiling grows with the program, phase by phase.

The programs are made by generate.py. The times are what `norn dev --time` tells, the least of several
runs: what others do on the machine only ever adds to them. The C compiler runs once, since what it has made is
kept; then a program that was compiled before is started.
"""

import os
import pathlib
import re
import subprocess
import tempfile
import time

import generate
import machine
import page

LENGTHS = [200, 1_000, 2_000, 5_000]
RUNS = 5
TIME_LINE = re.compile(r"^(\S+) +([\d.]+) ms$", re.MULTILINE)

SECTION = """Milliseconds of each phase, the least of {runs} runs of `norn dev --time FILE` (of `cc`, the only run: what it
has made is kept); the programs are made by bench/generate.py. `ours` is everything but `cc`. The last column is
the time per line of the largest program over that of the second: a time that grows with the program has about
1 there, or less where it has a fixed part, as `check` has with the prelude.

| phase | {heads} | growth |
|---|{rules}---:|
{rows}

A program that was compiled before starts in {start:.0f} ms: the whole process
`norn run --backend cpu -e sort examples/nesl/quicksort.fut` on eight numbers, the least of {runs} runs.

{machine}
"""


def phase_times(norn, file, environment, realtime):
    """The least time of each phase, in the order of the phases."""
    least = {}
    for _ in range(RUNS):
        command = machine.alone([norn, "dev", "--time", file], realtime)
        said = subprocess.run(command, capture_output=True, text=True, env=environment)
        if said.returncode != 0:
            raise SystemExit(f"norn dev --time failed:\n{said.stderr[:4000]}")
        for name, milliseconds in TIME_LINE.findall(said.stdout):
            least[name] = min(float(milliseconds), least.get(name, float("inf")))
    # The total of a run is with or without the C compiler, as it happens.
    del least["total"]
    cc = least.pop("cc", 0)
    ours = sum(least.values())
    return least | {"ours": ours, "cc": cc, "all": ours + cc}


def start_time(norn, environment, realtime):
    """How long a program takes to start that was compiled before."""
    program = machine.ROOT / "examples" / "nesl" / "quicksort.fut"
    command = machine.alone([norn, "run", "--backend", "cpu", "-e", "sort", program], realtime)
    numbers = "[3, 1, 4, 1, 5, 9, 2, 6]"
    least = float("inf")
    for _ in range(RUNS + 1):
        begin = time.perf_counter()
        subprocess.run(command, input=numbers, check=True, capture_output=True, text=True, env=environment)
        least = min(least, time.perf_counter() - begin)
    return least * 1000


def run(norn, realtime=False):
    lengths, columns = [], []
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"NORN_CACHE": str(pathlib.Path(folder, "cache"))}
        for length in LENGTHS:
            text = generate.program(length)
            file = pathlib.Path(folder, f"generated_{length}.fut")
            file.write_text(text)
            lengths.append(len(text.splitlines()))
            columns.append(phase_times(norn, file, environment, realtime))
            print(f"{lengths[-1]:,} lines: {columns[-1]['ours']:.1f} ms, cc {columns[-1]['cc']:.1f} ms", flush=True)
        start = start_time(norn, environment, realtime)
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
        start=start,
        machine=machine.describe(realtime),
    )
    page.write_section("How compiling grows", text)
