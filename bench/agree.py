"""Whether C and Norn compute the same, on inputs that are small enough for the interpreter."""

import re
import shutil
import subprocess
import tempfile
import pathlib

import catalogue
import implementations


def small(size):
    return size if size <= 300 else 40 if size <= 2000 else 2000


def agree(norn, names):
    peer = implementations.C()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        shutil.copy(catalogue.PROGRAMS / "data.fut", folder)
        for program in filter(peer.can, catalogue.find(names)):
            label = program.labels("no_cpu")[0]
            sizes = [str(small(int(size))) for size in label.split(" x ")]
            result = folder / f"{program.name}.out"
            subprocess.run(peer.command(program, [[result, *sizes]]), check=True, capture_output=True)
            (folder / program.source.name).write_text(with_sizes(program, label, sizes, result.name))
        raise SystemExit(subprocess.run([norn, "test", "--backend", "interp", folder]).returncode)


def with_sizes(program, label, sizes, result):
    """The program with its first data set of other sizes as a test."""
    lines = []
    for line in program.source.read_text().splitlines():
        if line.startswith(f'-- "{label}" notest'):
            for size, smaller in zip(label.split(" x "), sizes):
                line = re.sub(rf"(\{{.*?)\b{size}i", rf"\g<1>{smaller}i", line, count=1)
            line = re.sub(r'^-- ".*?" notest', "--", line)
            line = re.sub(r"output @ \S+", f"output @ {result}", line)
        lines.append(line)
    return "\n".join(lines) + "\n"
