#!/usr/bin/env python3
"""Times `norn check` on programs of 1,000 to 50,000 lines.

    python3 bench/check_speed.py

builds norn in release mode, prints a table and writes it into bench/README.md. The time is that of
the whole process, the least of several runs: what others do on the machine only ever adds to it.
"""

import os
import pathlib
import platform
import subprocess
import tempfile
import time

import generate

ROOT = pathlib.Path(__file__).resolve().parent.parent
LENGTHS = [1_000, 5_000, 10_000, 50_000]
RUNS = 7

PAGE = """# How fast the checker is

Made by `python3 bench/check_speed.py`. Time of the whole process `norn check FILE`, release build, the
least of {runs} runs. `empty` is what a program costs before its first line: the prelude. `by hand` is
bench/programs/workshop.fut, `examples` all programs of that folder in one run; the others are made by
bench/generate.py.

| program | lines | milliseconds | lines per second |
|---|---:|---:|---:|
{rows}

Machine: {machine}.
"""


def build():
    subprocess.run(["cargo", "build", "--release", "--quiet", "-p", "norn"], cwd=ROOT, check=True)
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    return target / "release" / "norn"


def least_time(norn, files):
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        run = subprocess.run([norn, "check", *files], capture_output=True, text=True)
        times.append(time.perf_counter() - start)
        if run.returncode != 0:
            raise SystemExit(f"norn check failed:\n{run.stderr[:4000]}")
    return min(times)


def line_count(files):
    return sum(len(pathlib.Path(file).read_text().splitlines()) for file in files)


def machine():
    name = platform.processor() or platform.machine()
    try:
        for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                name = line.split(":", 1)[1].strip()
                break
    except OSError:
        pass
    return f"{name}, {os.cpu_count()} cores, {platform.system()}"


def main():
    norn = build()
    rows = []

    def measure(title, files):
        seconds = least_time(norn, files)
        lines = line_count(files)
        rate = f"{lines / seconds:,.0f}" if lines else ""
        rows.append(f"| {title} | {lines:,} | {seconds * 1000:.1f} | {rate} |")
        print(rows[-1], flush=True)

    with tempfile.TemporaryDirectory() as folder:
        empty = pathlib.Path(folder, "empty.fut")
        empty.write_text("")
        measure("empty", [empty])
        measure("by hand", sorted((ROOT / "bench" / "programs").glob("*.fut")))
        measure("examples", sorted((ROOT / "examples").glob("*.fut")))
        for length in LENGTHS:
            file = pathlib.Path(folder, f"generated_{length}.fut")
            file.write_text(generate.program(length))
            measure("generated", [file])
    page = PAGE.format(runs=RUNS, rows="\n".join(rows), machine=machine())
    (ROOT / "bench" / "README.md").write_text(page)


if __name__ == "__main__":
    main()
