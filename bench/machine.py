"""What a measurement depends on: the command, the machine, compilers and libraries, the day."""

import datetime
import importlib.util
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Bytes and operations (f32) in a second, as the makers tell.
GPU_LIMITS = {"H200": (4.8e12, 67e12), "H100": (3.35e12, 67e12), "A100": (2.0e12, 19.5e12)}


def build_norn():
    """The command, in a release build. NORN names one that is built already."""
    if "NORN" in os.environ:
        return pathlib.Path(os.environ["NORN"]).resolve()
    subprocess.run(["cargo", "build", "--release", "--quiet", "-p", "norn"], cwd=ROOT, check=True)
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    return target / "release" / "norn"


def norn_version(norn):
    said = output([norn, "--version"]).split()
    commit = output(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"]).strip()
    return " ".join(said[1:] + ([f"({commit})"] if commit else []))


def alone(command, realtime):
    """The command such that others on a busy machine do not get in its way, if that is asked for: they do not run while it
    can. Needs the right to do that."""
    return ["chrt", "--fifo", "1", *command] if realtime else command


def output(command):
    """What a command prints; nothing if it cannot be run."""
    try:
        return subprocess.run(command, capture_output=True, text=True).stdout
    except OSError:
        return ""


def has(command):
    return shutil.which(command) is not None


def has_module(name):
    return importlib.util.find_spec(name) is not None


def processor():
    name = platform.processor() or platform.machine()
    found = re.search(r"^model name\s*: (.*)$", output(["cat", "/proc/cpuinfo"]), re.MULTILINE)
    return f"{found[1] if found else name}, {os.cpu_count()} cores, {platform.system()}"


def gpu():
    """The name of the first GPU with CUDA, if there is one."""
    names = output(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"]).splitlines()
    return names[0].strip() if names else None


def short_name():
    """For files: that of the GPU, or of the processor."""
    return re.sub(r"\W+|_", "-", re.sub(r"\(\w+\)|processor|, Linux", "", gpu() or processor(), flags=re.IGNORECASE)).strip("-").lower()


def has_opencl_gpu():
    return "CL_DEVICE_TYPE_GPU" in output(["clinfo", "--raw"])


def compiler():
    said = output(["cc", "--version"])
    return said.splitlines()[0] if said else "no cc"


def limits(realtime):
    """Of each kind of device, the bytes and operations in a second: measured with C, or told by the maker."""
    found = {}
    if has("cc"):
        build = ROOT / "bench" / "build"
        build.mkdir(exist_ok=True)
        source, binary = ROOT / "bench" / "peers" / "limits.c", build / "limits"
        subprocess.run(["cc", "-O3", "-march=native", "-fopenmp", "-ffast-math", source, "-o", binary], check=True)
        found["cpu"] = json.loads(output(alone([binary], realtime)))
    for name, (memory, arithmetic) in GPU_LIMITS.items():
        if name in (gpu() or ""):
            found["gpu"] = {"bytes": memory, "operations": arithmetic}
    return found


def describe(realtime):
    """A line for below a table."""
    how = " The machine was busy; what is measured had real-time priority." if realtime else ""
    return f"Machine: {processor()}; {compiler()}; {datetime.date.today().isoformat()}.{how}"
