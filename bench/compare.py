"""Two files of results side by side, by `norn bench --compare`."""

import json
import pathlib
import subprocess
import tempfile


def as_report(path):
    """The results in the format of `norn bench --json`."""
    programs = {}
    for row in json.loads(path.read_text())["rows"]:
        found = {"runtimes": row["runtimes"]} if "runtimes" in row else f"error: {row['error']}"
        key = f"{row['program']} ({row['on']})"
        programs.setdefault(key, {"datasets": {}})["datasets"][row["data"]] = found
    return programs


def compare(norn, old, new):
    with tempfile.TemporaryDirectory() as folder:
        reports = []
        for name, path in (("old", old), ("new", new)):
            reports.append(pathlib.Path(folder, f"{name}.json"))
            reports[-1].write_text(json.dumps(as_report(path)))
        raise SystemExit(subprocess.run([norn, "bench", "--compare", *reports]).returncode)
