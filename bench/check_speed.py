"""How fast `norn check` is, on programs of 1,000 to 50,000 lines.

The time is that of the whole process, the least of several runs: what others do on the machine only
ever adds to it.
"""

import pathlib
import subprocess
import tempfile
import time

import generate
import machine
import page

LENGTHS = [1_000, 5_000, 10_000, 50_000]
RUNS = 7

SECTION = """Time of the whole process `norn check FILE`, the least of {runs} runs. `empty` is what a program costs
before its first line: the prelude. `by hand` is bench/programs/workshop.fut, `examples` all programs of that
folder in one run; the others are made by bench/generate.py.

| program | lines | milliseconds | lines per second |
|---|---:|---:|---:|
{rows}

{machine}
"""


def least_time(norn, files, realtime):
    command = machine.alone([norn, "check", *files], realtime)
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        run = subprocess.run(command, capture_output=True, text=True)
        times.append(time.perf_counter() - start)
        if run.returncode != 0:
            raise SystemExit(f"norn check failed:\n{run.stderr[:4000]}")
    return min(times)


def line_count(files):
    return sum(len(pathlib.Path(file).read_text().splitlines()) for file in files)


def run(norn, realtime=False):
    rows = []

    def measure(title, files):
        seconds = least_time(norn, files, realtime)
        lines = line_count(files)
        rate = f"{lines / seconds:,.0f}" if lines else ""
        rows.append(f"| {title} | {lines:,} | {seconds * 1000:.1f} | {rate} |")
        print(rows[-1], flush=True)

    with tempfile.TemporaryDirectory() as folder:
        empty = pathlib.Path(folder, "empty.fut")
        empty.write_text("")
        measure("empty", [empty])
        measure("by hand", sorted((machine.ROOT / "bench" / "programs").glob("*.fut")))
        measure("examples", sorted((machine.ROOT / "examples").rglob("*.fut")))
        for length in LENGTHS:
            file = pathlib.Path(folder, f"generated_{length}.fut")
            file.write_text(generate.program(length))
            measure("generated", [file])
    text = SECTION.format(runs=RUNS, rows="\n".join(rows), machine=machine.describe(realtime))
    page.write_section("How fast the checker is", text)
