"""The pages that show results: tables, and plots that `norn plot` draws. No figure on them is written by hand.

`docs/src/benchmarks.md` is all of it. For each file of results it has a section: the machine, the date and the versions; a table of all
programs; the speed-up of each implementation over C; a roofline for each kind of device; and the time by size of each program.

Other pages have tables between marks, `<!-- benchmarks: DEVICE, WHICH -->` and `<!-- end of benchmarks -->`. Of each program they show
the largest data set that most have done, on a CPU or a GPU (DEVICE). WHICH is `some` for the programs of SOME, `all`, `limits` for
all with what limits Norn, which is said in `limits.py`, or `library` for those of the library, with all data sets.
"""

import json
import pathlib
import re
import subprocess
import tempfile

import limits
import machine
import work
from measure import RESULTS, median

PAGE = machine.ROOT / "docs" / "src" / "benchmarks.md"
WITH_TABLES = [machine.ROOT / name for name in ("README.md", "docs/src/performance.md", "docs/src/library.md", "bench/README.md")]
MARKED = re.compile(r"(<!-- benchmarks: (\w+), (\w+) -->\n).*?(<!-- end of benchmarks -->)", re.DOTALL)
PLOTS = machine.ROOT / "docs" / "src" / "benchmarks"
ORDER = ["norn", "Futhark", "C", "NumPy", "PyTorch", "CuPy", "JAX", "CUB"]
SOME = ["dot", "scan", "filter", "sort", "blackscholes", "nbody", "matmul", "kmeans", "spmv", "quicksort"]

LIBRARY = {
    "library_complex": "`complex`: roots and exponentials of complex numbers (elements)",
    "library_fft": "`fft`: Fourier transform (elements)",
    "library_graph": "`graph`: connected components (vertices x edges)",
    "library_linalg": "`linalg`: systems of equations (systems x unknowns)",
    "library_random": "`random`: normal numbers (elements)",
    "library_segmented": "`segmented`: running sums and sums of segments (elements)",
    "library_sorting": "`sorting`: pairs in lexicographic order (elements)",
    "library_sparse": "`sparse`: square of a sparse matrix (rows x entries in a row)",
    "library_statistics": "`statistics`: moments and quantiles (elements)",
    "library_strings": "`strings`: numbers in a text (numbers)",
}

HEAD = """# Benchmarks

`python3 bench/run.py page` writes this page from what `python3 bench/run.py measure` wrote into `bench/results`. A time is
the median of the runs of a process, in milliseconds, with the data in memory (that of the GPU, where there is one), after a warm-up; waiting for
the end of the work is included. Implementations of the same work take turns, for some rounds, and the best round counts. All get the same
data, and their results agree. `bench/README.md` discusses what limits the programs.
"""

PAPERS = {
    "nesl": "From *Nested Data-Parallelism on the GPU* (NESL/GPU)",
    "harlan": "From *Region-Based Memory Management for GPU Programming Languages* (Harlan)",
    "nessie": "From *Nessie*",
    "accelerate": "From the paper on Accelerate with several devices",
    "futhark": "From *Futhark: Purely Functional GPU-Programming*",
    "features": "Of the language",
}


def files_of_results(names):
    """Those of these names, or all; but for one that has some programs only, which git ignores."""
    return [pathlib.Path(name) for name in names] or sorted(path for path in RESULTS.glob("*.json") if path.stem != "some")


def write_pages(norn, paths):
    """Everything that shows these files of results."""
    PLOTS.mkdir(parents=True, exist_ok=True)
    for path, text in pages(norn, paths).items():
        path.write_text(text)


def check_pages(paths):
    """That the pages are what the files of results make them. Plots are not looked at."""
    old = [str(path.relative_to(machine.ROOT)) for path, text in pages(None, paths).items() if path.read_text() != text]
    if old:
        raise SystemExit(f"{', '.join(old)}: not as bench/results says; `python3 bench/run.py page` writes it anew")


def pages(norn, paths):
    """The text of each page. Without `norn` no plots are drawn."""
    reports = {path.stem: load(path) for path in paths}
    found = {PAGE: "\n".join([HEAD] + [section(norn, name, report) for name, report in reports.items()])}
    by_device = {"gpu" if report["gpu"] else "cpu": report for report in reports.values()}
    for path in WITH_TABLES:
        found[path] = MARKED.sub(lambda mark: marked(mark, by_device), path.read_text())
    return found


def load(path):
    """A file of results, with what was measured in other runs on such a machine (`results/elsewhere`)."""
    report = json.loads(path.read_text()) | {"notes": []}
    elsewhere = RESULTS / "elsewhere" / path.name
    if elsewhere.exists():
        more = json.loads(elsewhere.read_text())
        report["rows"] += more["rows"]
        report["versions"] |= more["versions"]
        report["notes"] = more["notes"]
    return report


def marked(mark, by_device):
    """What stands between two marks, with the marks."""
    begin, device, which, end = mark.groups()
    if device not in by_device:
        return mark[0]
    report = by_device[device]
    if which == "library":
        rows = [row for row in report["rows"] if "runtimes" in row and row["program"] in LIBRARY]
        return f"{begin}{table(rows, LIBRARY)}\n{end}"
    rows = [row for row in report["rows"] if "runtimes" in row and work.of(row["program"], row["data"])]
    chosen = {(program, data) for program, (data, _) in largest(rows).items() if which != "some" or program in SOME}
    rows = [row for row in rows if (row["program"], row["data"]) in chosen]
    if which == "some":
        rows.sort(key=lambda row: SOME.index(row["program"]))
    what = f"Milliseconds on {article(report['gpu'] or report['machine'])}, {report['date']} ({versions(report)})."
    notes = "" if which == "some" else "".join(f" {note}" for note in report["notes"])
    return f"{begin}{what}{notes}\n\n{table(rows, work.TITLES, limits.LIMITS if which == 'limits' else None)}\n{end}"


def article(name):
    return ("an " if name[0] in "AEIOU" or name.startswith("NVIDIA") else "a ") + name


def section(norn, name, report):
    rows = [row for row in report["rows"] if "runtimes" in row]
    core = [row for row in rows if "/" not in row["program"] and row["program"] not in LIBRARY]
    title = report["gpu"] or report["machine"]
    parts = [f"## {title}\n", machine_lines(report)]
    if core:
        parts += ["### Beside peers\n", table(core), "\n" + plots(norn, name, core, report["limits"])]
    library = [row for row in rows if row["program"] in LIBRARY]
    if library:
        parts += ["### The library\n", "[The library](library.md) beside NumPy and, where NumPy has no such function, SciPy.\n", table(library, LIBRARY) + "\n"]
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
    notes = "".join(f" {note}" for note in report["notes"])
    return f"{report['machine']}. {report['date']}. {versions(report)}. Rounds: {report['rounds']}.{how}{notes}\n"


def versions(report):
    return "; ".join(f"{name}: {version}" for name, version in report["versions"].items())


def columns_of(rows):
    """Who has done something, in the order of ORDER."""
    found = {(row["on"], row["device"]): None for row in rows}
    both = len({device for _, device in found}) > 1
    order = sorted(found, key=lambda one: (ORDER.index(one[0].split()[0]), one))
    return {one: one[0] if one[0].startswith("norn") or not both else f"{one[0]}, {one[1]}" for one in order}


def grouped(rows):
    """The rows of each program and data set, by who has done it."""
    found = {}
    for row in rows:
        found.setdefault((row["program"], row["data"]), {})[row["on"], row["device"]] = row
    return found


def table(rows, titles=None, last=None):
    """A line for each program and data set, with titles of programs and a last column, by program, if there are any."""
    columns = columns_of(rows)
    head = ["program", "sizes", *columns.values()] + (["what limits Norn"] if last else [])
    lines = ["| " + " | ".join(head) + " |", "|---|---|" + "---:|" * len(columns) + ("---|" if last else "")]
    for (program, data), by in grouped(rows).items():
        cells = [f"{milliseconds(median(by[one]))}{'' if by[one].get('verified') is not False else ' (wrong)'}" if one in by else "" for one in columns]
        cells += [last.get(program, "")] if last else []
        lines.append(f"| {titles[program] if titles else program} | {with_commas(data)} | " + " | ".join(cells) + " |")
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


def draw(norn, chart, file, description):
    """The chart as a file beside the page; gives the line that shows it."""
    line = f"![{description}](benchmarks/{file})"
    if norn is None:
        return line
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "chart.json")
        path.write_text(json.dumps(chart))
        subprocess.run([norn, "plot", path, "-o", PLOTS / file], check=True)
    return line


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
    return draw(norn, chart, f"{name}-speed-up.svg", f"Bars: how many times as fast as {base[0]} each implementation is, for each program") + "\n"


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
    return draw(norn, chart, f"{name}-roofline-{device}.svg", f"Roofline of the {device.upper()}: programs below the limits of memory and arithmetic") + f"\n\n{about}\n"


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
            lines.append(draw(norn, chart, f"{name}-{program}.svg", f"{program}: time by size of each implementation"))
    return "\n".join(lines) + "\n" if len(lines) > 1 else ""
