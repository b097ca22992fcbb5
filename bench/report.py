"""The page of the manual that shows results, and the table in README.md: tables, and plots that `norn plot` draws.

For each file of results a section: the machine, the date and the versions; a table of all programs; the speed-up of each implementation
over C; a roofline for each kind of device; and the time by size of each program.
"""

import json
import pathlib
import subprocess
import tempfile

import machine
import work
from measure import median

PAGE = machine.ROOT / "docs" / "src" / "benchmarks.md"
README = machine.ROOT / "README.md"
MARKS = ("<!-- benchmarks -->", "<!-- end of benchmarks -->")
PLOTS = machine.ROOT / "docs" / "src" / "benchmarks"

HEAD = """# Benchmarks

This page is made by `python3 bench/run.py page`, of what `python3 bench/run.py measure` wrote into `bench/results`. A time is
the median of the runs of a process, in milliseconds, with the data in memory (of the GPU, where there is one), after a warm-up; the wait for the
end of the work counts. Where several do the same work they take turns, for some rounds, and the least counts. All get the same
data, and their results agree. What limits the programs is discussed in `bench/README.md`.
"""

PAPERS = {
    "nesl": "From *Nested Data-Parallelism on the GPU* (NESL/GPU)",
    "harlan": "From *Region-Based Memory Management for GPU Programming Languages* (Harlan)",
    "nessie": "From *Nessie*",
    "accelerate": "From the paper on Accelerate with several devices",
    "futhark": "From *Futhark: Purely Functional GPU-Programming*",
    "features": "Of the language",
}


def write_pages(norn, paths):
    """Everything that shows these files of results."""
    parts = [HEAD]
    PLOTS.mkdir(parents=True, exist_ok=True)
    for path in paths:
        report = json.loads(path.read_text())
        parts.append(section(norn, path.stem, report))
        if report["gpu"] is None:
            write_readme(report)
    PAGE.write_text("\n".join(parts))


def write_readme(report):
    """The table in README.md: of each program the largest data set that most have done."""
    rows = [row for row in report["rows"] if "runtimes" in row and "/" not in row["program"]]
    chosen = {(program, data) for program, (data, by) in largest(rows).items() if len(by) > 1}
    lines = [
        f"On a CPU, milliseconds, {report['machine']}, {report['date']}, all with the same data and equal results"
        f" ({versions(report)}):\n",
        table([row for row in rows if (row["program"], row["data"]) in chosen]),
    ]
    text = README.read_text()
    before, rest = text.split(MARKS[0])
    after = rest.split(MARKS[1])[1]
    README.write_text(before + MARKS[0] + "\n" + "\n".join(lines) + "\n" + MARKS[1] + after)


def section(norn, name, report):
    rows = [row for row in report["rows"] if "runtimes" in row]
    core = [row for row in rows if "/" not in row["program"]]
    title = report["gpu"] or report["machine"]
    parts = [f"## {title}\n", machine_lines(report)]
    if core:
        parts += ["### Beside peers\n", table(core), "\n" + plots(norn, name, core, report["limits"])]
    examples = [row for row in rows if "/" in row["program"]]
    if examples:
        parts.append("### The programs of the papers\n")
        parts.append("The [examples](examples/index.md) with data sets of the sizes that the papers have.\n")
    for folder in dict.fromkeys(row["program"].split("/")[0] for row in examples):
        own = [row | {"program": row["program"].split("/", 1)[1]} for row in examples if row["program"].startswith(folder + "/")]
        parts.append(f"**{PAPERS.get(folder, folder)}**\n\n{table(own)}\n")
    failed = [row for row in report["rows"] if "error" in row]
    if failed:
        parts.append("Not measured: " + "; ".join(f"{row['program']} {row['data']} on {row['on']}" for row in failed) + ".\n")
    return "\n".join(parts)


def machine_lines(report):
    how = " The machine was busy; what is measured had real-time priority." if report["realtime"] else ""
    return f"{report['machine']}. {report['date']}. {versions(report)}. Rounds: {report['rounds']}.{how}\n"


def versions(report):
    return "; ".join(f"{name}: {version}" for name, version in report["versions"].items())


def columns_of(rows):
    """Who has done something, Norn first."""
    found = {(row["on"], row["device"]): None for row in rows}
    both = len({device for _, device in found}) > 1
    order = sorted(found, key=lambda one: (not one[0].startswith("norn"), one[1]))
    return {one: one[0] if one[0].startswith("norn") or not both else f"{one[0]}, {one[1]}" for one in order}


def grouped(rows):
    """The rows of each program and data set, by who has done it."""
    found = {}
    for row in rows:
        found.setdefault((row["program"], row["data"]), {})[row["on"], row["device"]] = row
    return found


def table(rows):
    columns = columns_of(rows)
    head = ["program", "sizes", *columns.values()]
    lines = ["| " + " | ".join(head) + " |", "|---|---|" + "---:|" * len(columns)]
    for (program, data), by in grouped(rows).items():
        cells = [f"{milliseconds(median(by[one]))}{'' if by[one].get('verified') is not False else ' (wrong)'}" if one in by else "" for one in columns]
        lines.append(f"| {program} | {with_commas(data)} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def milliseconds(time):
    return f"{time:.3f}" if time < 1 else f"{time:.2f}" if time < 100 else f"{time:,.0f}"


def with_commas(label):
    return " ".join(f"{int(word):,}" if word.isdigit() else word for word in label.split())


def plots(norn, name, rows, limits):
    texts = [speed_up(norn, name, rows)]
    for device, limit in limits.items():
        own = [row for row in rows if row["device"] == device]
        if own:
            texts.append(roofline(norn, name, device, own, limit))
    texts.append(times_by_size(norn, name, rows))
    return "\n".join(text for text in texts if text)


def draw(norn, chart, file):
    """The chart as a file beside the page; gives the line that shows it."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "chart.json")
        path.write_text(json.dumps(chart))
        subprocess.run([norn, "plot", path, "-o", PLOTS / file], check=True)
    return f"![{chart['title']}](benchmarks/{file})"


def largest(rows):
    """Of each program the data set that most have done, the largest of these."""
    best = {}
    for (program, data), by in grouped(rows).items():
        done = work.of(program, data)
        rank = (len(by), done.elements if done else 0)
        if program not in best or rank >= best[program][0]:
            best[program] = (rank, data, by)
    return {program: (data, by) for program, (_, data, by) in best.items()}


def speed_up(norn, name, rows):
    """How much faster than C everybody is; without C, than NumPy."""
    base = next((one for one in [("C", "cpu"), ("NumPy", "cpu")] if any((row["on"], row["device"]) == one for row in rows)), None)
    if base is None:
        return ""
    found = {program: by for program, (_, by) in largest(rows).items() if base in by}
    programs, series = list(found), []
    for one, title in columns_of(rows).items():
        ratios = [median(found[p][base]) / median(found[p][one]) if one in found[p] else None for p in programs]
        if one != base and any(ratios):
            series.append({"name": title, "y": ratios})
    chart = {
        "title": f"Speed-up over {base[0]}",
        "width": 900,
        "x": {"categories": programs},
        "y": {"title": f"time of {base[0]} / time", "scale": "log"},
        "series": series,
        "references": [{"label": base[0], "y": 1}],
    }
    return draw(norn, chart, f"{name}-speed-up.svg") + "\n"


def roofline(norn, name, device, rows, limit):
    """Operations in a second by operations for a byte, below what memory and arithmetic allow."""
    series = {}
    for program, (data, by) in largest(rows).items():
        done = work.of(program, data)
        if done is None:
            continue
        for (on, _), row in by.items():
            if on.startswith("norn"):
                rate = done.operations / (median(row) / 1000) / 1e9
                series.setdefault(on, []).append((done.operations / done.bytes, rate, program))
    if not series:
        return ""
    ridge = limit["operations"] / limit["bytes"]
    chart = {
        "title": f"Roofline, {device.upper()}",
        "width": 900,
        "height": 520,
        "x": {"title": "operations for each byte", "scale": "log"},
        "y": {"title": "billions of operations in a second", "scale": "log"},
        "series": [
            {"name": on, "mark": "points", "x": xs, "y": ys, "labels": labels}
            for on, (xs, ys, labels) in ((on, zip(*points)) for on, points in series.items())
        ],
        "references": [
            {"label": f"memory, {limit['bytes'] / 1e9:,.0f} GB/s", "slope": limit["bytes"] / 1e9, "to": ridge},
            {"label": f"arithmetic, {limit['operations'] / 1e9:,.0f} G/s", "y": limit["operations"] / 1e9, "from": ridge},
        ],
    }
    about = "The roofs are those of memory and of additions with multiplications. What fits into a cache can be above that of memory."
    return draw(norn, chart, f"{name}-roofline-{device}.svg") + f"\n\n{about}\n"


def times_by_size(norn, name, rows):
    lines = ["Time by size, of each program:\n"]
    columns = columns_of(rows)
    for program in dict.fromkeys(row["program"] for row in rows):
        series = []
        for one, title in columns.items():
            points = []
            for row in rows:
                done = work.of(program, row["data"]) if row["program"] == program else None
                if done and (row["on"], row["device"]) == one:
                    points.append((done.elements, median(row)))
            if len(points) > 1:
                sizes, times = zip(*sorted(points))
                series.append({"name": title, "mark": "both", "x": sizes, "y": times})
        if series:
            chart = {
                "title": program,
                "width": 440,
                "height": 300,
                "x": {"title": "elements", "scale": "log"},
                "y": {"title": "milliseconds", "scale": "log"},
                "series": series,
            }
            lines.append(draw(norn, chart, f"{name}-{program}.svg"))
    return "\n".join(lines) + "\n" if len(lines) > 1 else ""
