"""Who can do the work: Norn on each of its backends, and the peers that are present.

Each yields, for a program and some of its data sets, the times of all runs in microseconds. All measure inside a process, with the data in
memory and after a warm-up.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

import machine

PEERS = machine.ROOT / "bench" / "peers"
BUILD = machine.ROOT / "bench" / "build"
C_FLAGS = ["-O3", "-march=native", "-fopenmp", "-Wall", "-Wextra"]
CUDA_FLAGS = ["-O3", "-std=c++17", "-arch=native"]
MISSING = 3


class Failed(Exception):
    pass


class Norn:
    def __init__(self, norn, backend):
        self.name, self.norn, self.backend = f"norn {backend}", norn, backend
        self.device = "cpu" if backend == "cpu" else "gpu"

    def can(self, program):
        return True

    def tag(self):
        return f"no_{self.backend}"

    def measure(self, program, labels, realtime):
        """One process for all data sets: the program is compiled once."""
        with tempfile.TemporaryDirectory() as folder:
            report = pathlib.Path(folder, "report.json")
            command = [self.norn, "bench", "--backend", self.backend, "--json", report, program.source]
            said = subprocess.run(machine.alone(command, realtime), capture_output=True, text=True)
            if not report.exists():
                raise Failed(said.stdout + said.stderr)
            entries = json.loads(report.read_text())
        for key, entry in entries.items():
            # Where there are several entry points, the label says which.
            for label, found in entry["datasets"].items():
                if label not in labels:
                    continue
                # A result that is wrong is an error; one that is not compared is not verified.
                if isinstance(found, dict):
                    found["verified"] = found["verified"] or None
                yield label if len(entries) == 1 else f"{key.rpartition(':')[2]} {label}", found

    def version(self):
        return machine.norn_version(self.norn)


class OwnProcess:
    """A peer that measures in a process of its own: all data sets of a program, or each in another."""

    known = None
    at_once = False

    def measure(self, program, labels, realtime):
        for some in [labels] if self.at_once else [[label] for label in labels]:
            data_sets = [[program.result(label), *label.split(" x ")] for label in some]
            command = self.command(program, data_sets)
            said = subprocess.run(machine.alone(command, realtime), capture_output=True, text=True)
            if said.returncode == MISSING:
                return
            # Who fails has not done everything, whatever it printed.
            lines = said.stdout.splitlines()[: len(some) - (said.returncode != 0)]
            for label, line in zip(some, lines):
                found = json.loads(line)
                self.known = found.get("version", self.known)
                yield label, f"error: {found['error'][-300:]}" if "error" in found else found
            for label in some[len(lines) :]:
                yield label, f"error: {(said.stderr or said.stdout).strip()[-300:]}"

    def version(self):
        return self.known


class C(OwnProcess):
    name, device = "C", "cpu"

    def can(self, program):
        return not program.is_example and (PEERS / f"{program.name}.c").exists()

    def tag(self):
        return "no_cpu"

    def command(self, program, data_sets):
        [[result, *sizes]] = data_sets
        source, binary = PEERS / f"{program.name}.c", BUILD / program.name
        # A line `// flags:` adds flags.
        more = [flag for line in re.findall(r"^// flags: (.*)$", source.read_text(), re.MULTILINE) for flag in line.split()]
        BUILD.mkdir(exist_ok=True)
        result.parent.mkdir(exist_ok=True)
        subprocess.run(["cc", *C_FLAGS, *more, source, "-o", binary, "-lm"], check=True)
        return [binary, result, *sizes]

    def version(self):
        return machine.compiler()


class Cub(OwnProcess):
    name, device = "CUB", "gpu"
    source, binary = PEERS / "cub.cu", BUILD / "cub"

    def can(self, program):
        return not program.is_example and f'"{program.name}"' in self.source.read_text()

    def tag(self):
        return "no_cuda"

    def command(self, program, data_sets):
        [[_, *sizes]] = data_sets
        if not self.binary.exists() or self.binary.stat().st_mtime < self.source.stat().st_mtime:
            BUILD.mkdir(exist_ok=True)
            subprocess.run(["nvcc", *CUDA_FLAGS, "-o", self.binary, self.source], check=True)
        return [self.binary, program.name, *sizes]

    def version(self):
        said = subprocess.run(["nvcc", "--version"], capture_output=True, text=True).stdout
        return (re.search(r"release ([\d.]+)", said) or ["", "?"])[1]


class Library(OwnProcess):
    # Some take longer to start than to do the work.
    at_once = True

    def __init__(self, library, device):
        self.name = {"numpy": "NumPy", "jax": "JAX", "pytorch": "PyTorch", "cupy": "CuPy"}[library]
        self.library, self.device = library, device

    def can(self, program):
        return not program.is_example and (PEERS / f"{program.name}.py").exists()

    def tag(self):
        return "no_cpu" if self.device == "cpu" else "no_cuda"

    def command(self, program, data_sets):
        words = [word for data_set in data_sets for word in ["--", *data_set]][1:]
        return [sys.executable, PEERS / "libraries.py", self.library, self.device, program.name, *words]


def present(norn):
    """Those that this machine has. Results of C come first: the others are compared with them."""
    found = [C()] if machine.has("cc") else []
    modules = {"numpy": "numpy", "jax": "jax", "pytorch": "torch", "cupy": "cupy"}
    libraries = [name for name, module in modules.items() if machine.has_module(module)]
    found += [Library(name, "cpu") for name in libraries if name != "cupy"]
    found.append(Norn(norn, "cpu"))
    if machine.gpu():
        found += [Norn(norn, "cuda")]
        found += [Library(name, "gpu") for name in libraries if name != "numpy"]
        found += [Cub()] if machine.has("nvcc") else []
    elif machine.has_opencl_gpu():
        found.append(Norn(norn, "opencl"))
    return found
