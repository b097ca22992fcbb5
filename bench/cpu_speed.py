"""Each program of bench/cpu in Norn beside the one in C.

A program's test block names its data set: `input { input 10000000i64 } output @ data/dot.out`. The C version
gets the same sizes, makes the same input, and writes its result into that file; `norn bench` compares
its own result with it. So the table has times of equal results only.

Both measure inside the process, with the data in memory and after a warm-up, and tell the times of all
runs. Several rounds are made, in which the two take turns; the least of a program's medians counts, since
what else the machine does only ever adds to a time.
"""

import json
import pathlib
import re
import shutil
import statistics
import subprocess
import tempfile

import machine
import page

FOLDER = machine.ROOT / "bench" / "cpu"
C_FLAGS = ["-O3", "-march=native", "-fopenmp", "-Wall", "-Wextra"]
DATA_SET = re.compile(r"notest (?:script )?input \{ (?:input )?([^{}]*?) \} output @ data/(\w+)\.out")
ROUNDS = 3

SECTION = """The programs of bench/cpu, each beside a plain C version (`cc {flags}`, OpenMP on all cores) of the same
work on the same data, with equal results. Milliseconds, the median of the runs of a process with the data in
memory, after a warm-up; the least of {rounds} rounds in which the two take turns. The last column is the time
of Norn over that of C.

| program | sizes | C | Norn | ratio |
|---|---|---:|---:|---:|
{rows}

{summary}

{machine}
"""


class Program:
    """A benchmark: its name, and the sizes of its data set."""

    def __init__(self, source):
        self.name = source.stem
        found = DATA_SET.search(source.read_text())
        if found is None or found.group(2) != self.name:
            raise SystemExit(f"{source} has no data set whose result is data/{self.name}.out")
        self.sizes = [int(re.sub(r"[iu]\d+$", "", size)) for size in found.group(1).split()]

    @property
    def binary(self):
        return FOLDER / "build" / self.name

    def build(self):
        """Compiles the C version. A line `// flags:` in it adds flags."""
        source = FOLDER / f"{self.name}.c"
        flags = re.findall(r"^// flags: (.*)$", source.read_text(), re.MULTILINE)
        self.binary.parent.mkdir(exist_ok=True)
        more = [flag for line in flags for flag in line.split()]
        subprocess.run(["cc", *C_FLAGS, *more, source, "-o", self.binary, "-lm"], check=True)

    def run_c(self, result, sizes, realtime=False):
        """The times of the C version in microseconds; its result goes into a file."""
        result.parent.mkdir(exist_ok=True)
        command = machine.alone([self.binary, result, *map(str, sizes)], realtime)
        said = subprocess.run(command, check=True, capture_output=True, text=True)
        return json.loads(said.stdout)["runtimes"]

    def run_norn(self, norn, backend, realtime):
        """The times of Norn, if its result is the expected one."""
        with tempfile.TemporaryDirectory() as folder:
            report = pathlib.Path(folder, "report.json")
            command = [norn, "bench", "--backend", backend, "--json", report, FOLDER / f"{self.name}.fut"]
            said = subprocess.run(machine.alone(command, realtime), capture_output=True, text=True)
            if said.returncode != 0:
                raise Failed(said.stdout + said.stderr)
            (program,) = json.loads(report.read_text()).values()
            (data_set,) = program["datasets"].values()
            if not data_set["verified"]:
                raise Failed("its result was not compared")
            return data_set["runtimes"]


class Failed(Exception):
    pass


def programs(names):
    sources = [source for source in sorted(FOLDER.glob("*.fut")) if source.with_suffix(".c").exists()]
    unknown = set(names) - {source.stem for source in sources}
    if unknown:
        raise SystemExit(f"there is no program {', '.join(sorted(unknown))}")
    return [Program(source) for source in sources if not names or source.stem in names]


def measure(program, norn, backend, rounds, realtime):
    """The medians of C and Norn in milliseconds; instead of the second, why there is none."""
    program.build()
    c_times, norn_times = [], []
    try:
        for _ in range(rounds):
            result = FOLDER / "data" / f"{program.name}.out"
            c_times.append(statistics.median(program.run_c(result, program.sizes, realtime)))
            norn_times.append(statistics.median(program.run_norn(norn, backend, realtime)))
    except Failed as failed:
        return min(c_times) / 1000, None, str(failed)
    return min(c_times) / 1000, min(norn_times) / 1000, None


def row(program, c_time, norn_time):
    sizes = " x ".join(f"{size:,}" for size in program.sizes)
    if norn_time is None:
        return f"| {program.name} | {sizes} | {c_time:.2f} | - | - |"
    return f"| {program.name} | {sizes} | {c_time:.2f} | {norn_time:.2f} | {norn_time / c_time:.2f} |"


def run(norn, names=(), backend="cpu", rounds=ROUNDS, realtime=False):
    rows, ratios = [], []
    chosen = programs(names)
    for program in chosen:
        c_time, norn_time, why = measure(program, norn, backend, rounds, realtime)
        rows.append(row(program, c_time, norn_time))
        print(rows[-1], flush=True)
        if why is not None:
            print(why, flush=True)
        else:
            ratios.append(norn_time / c_time)
    summary = (
        f"Of {len(chosen)} programs {sum(r <= 1.1 for r in ratios)} take at most 1.1 times as long as C, "
        f"{sum(r <= 1.5 for r in ratios)} at most 1.5 times."
    )
    print(summary)
    # A part of the table would not be the table.
    if not names:
        flags = " ".join(flag for flag in C_FLAGS if not flag.startswith("-W"))
        text = SECTION.format(
            flags=flags, rounds=rounds, rows="\n".join(rows), summary=summary, machine=machine.describe(realtime)
        )
        page.write_section("Norn beside C", text)


def small(size):
    """A size that is fit for the interpreter."""
    return size if size <= 300 else 40 if size <= 2000 else 2000


def check(norn, names=(), backend="interp"):
    """Compares the results of both versions on small inputs."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        shutil.copy(FOLDER / "data.fut", folder)
        for program in programs(names):
            program.build()
            sizes = [small(size) for size in program.sizes]
            program.run_c(folder / "data" / f"{program.name}.out", sizes)
            text = (FOLDER / f"{program.name}.fut").read_text()
            for size, smaller in zip(program.sizes, sizes):
                text = re.sub(rf"^(-- notest.*?)\b{size}i", rf"\g<1>{smaller}i", text, count=1, flags=re.MULTILINE)
            (folder / f"{program.name}.fut").write_text(text.replace("-- notest", "--"))
        said = subprocess.run([norn, "test", "--backend", backend, folder])
        raise SystemExit(said.returncode)
