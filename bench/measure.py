"""Measures programs on everything that can run them, into a file.

    {"machine": .., "gpu": .., "date": .., "rounds": 3, "realtime": false, "versions": {"norn cpu": "0.1.0 (abc)", "C": "cc 12.2"}, "limits": {"cpu": {"bytes": .., "operations": ..}},
     "rows": [{"program": "dot", "data": "1000000", "on": "norn cpu", "device": "cpu", "runtimes": [..], "verified": true},
              {"program": "dot", "data": "1000000", "on": "C", "error": ".."}]}

Where several can do the work of a program they take turns, for several rounds; the round with the least median counts, since what else
the machine does only ever adds to a time.
"""

import datetime
import json
import statistics

import catalogue
import implementations
import machine

ROUNDS = 3
MOST_TIMES = 51
RESULTS = machine.ROOT / "bench" / "results"


def measure(norn, names, only, rounds, realtime, path):
    present = [one for one in implementations.present(norn) if not only or one.name in only or one.device in only]
    if not present:
        raise SystemExit(f"none of {', '.join(only)} is here")
    rows = []
    for program in catalogue.find(names):
        able = [one for one in present if one.can(program)]
        best = {}
        # Examples have nobody to take turns with.
        for _ in range(1 if program.is_example else rounds):
            for one in able:
                for row in rows_of(one, program, realtime):
                    key = (row["data"], one.name, one.device)
                    if key not in best or median(row) < median(best[key]):
                        best[key] = row
        for row in best.values():
            print(line(row), flush=True)
        rows += best.values()
        write(path, present, rows, rounds, realtime)


def rows_of(one, program, realtime):
    """What one of them takes for each data set."""
    row = {"program": program.name, "on": one.name, "device": one.device}
    labels = program.labels(one.tag())
    try:
        for label, found in one.measure(program, labels, realtime):
            if isinstance(found, str):
                yield row | {"data": label, "error": found}
            else:
                yield row | {"data": label, "runtimes": found["runtimes"], "verified": found.get("verified")}
    except implementations.Failed as failed:
        yield row | {"data": labels[0] if labels else "", "error": str(failed)[-300:]}


def median(row):
    """In milliseconds."""
    return statistics.median(row["runtimes"]) / 1000 if "runtimes" in row else float("inf")


def line(row):
    result = f"{median(row):10.3f} ms" if "runtimes" in row else row["error"]
    wrong = "  WRONG RESULT" if row.get("verified") is False else ""
    return f"{row['program']:28} {row['data']:22} {row['on']:12} {result}{wrong}"


def write(path, present, rows, rounds, realtime):
    """After each program, so that what was measured is kept if the rest is not."""
    path.parent.mkdir(exist_ok=True)
    report = {
        "machine": machine.processor(),
        "gpu": machine.gpu(),
        "date": datetime.date.today().isoformat(),
        "rounds": rounds,
        "realtime": realtime,
        "versions": {one.name: one.version() for one in present if one.version()},
        "limits": machine.limits(realtime) if not path.exists() else json.loads(path.read_text())["limits"],
    }
    # A line for each row, so that two files can be compared by eye.
    lines = ",\n".join("  " + json.dumps(thinned(row)) for row in rows)
    path.write_text(json.dumps(report, indent=1)[:-2] + ',\n "rows": [\n' + lines + "\n ]\n}\n")


def thinned(row):
    """Of many runs, some at even distances in their order: the median and the interval around it stay where they are."""
    if "runtimes" not in row:
        return row
    times = sorted(row["runtimes"])
    count = min(len(times), MOST_TIMES)
    ranks = [i * (len(times) - 1) // max(1, count - 1) for i in range(count)]
    return row | {"runtimes": [round(times[rank], 1) for rank in ranks]}
