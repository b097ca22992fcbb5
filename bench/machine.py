"""What a measurement depends on: the command, the processor, the compiler, the day."""

import datetime
import os
import pathlib
import platform
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent


def build_norn():
    """The command, in a release build. NORN names one that is built already."""
    if "NORN" in os.environ:
        return pathlib.Path(os.environ["NORN"]).resolve()
    subprocess.run(["cargo", "build", "--release", "--quiet", "-p", "norn"], cwd=ROOT, check=True)
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    return target / "release" / "norn"


def alone(command, realtime):
    """The command such that others on a busy machine do not get in its way, if that is asked for: they do not run while it
    can. Needs the right to do that."""
    return ["chrt", "--fifo", "1", *command] if realtime else command


def processor():
    name = platform.processor() or platform.machine()
    try:
        for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                name = line.split(":", 1)[1].strip()
                break
    except OSError:
        pass
    return f"{name}, {os.cpu_count()} cores, {platform.system()}"


def compiler():
    said = subprocess.run(["cc", "--version"], capture_output=True, text=True).stdout
    return said.splitlines()[0] if said else "no cc"


def describe(realtime):
    """A line for below a table."""
    how = " The machine was busy; what is measured had real-time priority." if realtime else ""
    return f"Machine: {processor()}; {compiler()}; {datetime.date.today().isoformat()}.{how}"
