#!/usr/bin/env python3
"""Measures Norn, beside everybody who is present: C with OpenMP, NumPy, JAX, PyTorch, CuPy, CUB.

    python3 bench/run.py                        everything below but `agree` and `compare`
    python3 bench/run.py measure                all programs of bench/programs and examples, on all that can run them
    python3 bench/run.py measure dot scan       some of them
    python3 bench/run.py measure --on C --on "norn cpu"
    python3 bench/run.py page                   docs/src/benchmarks.md with its plots, of all files of bench/results; the tables in other pages
    python3 bench/run.py page --check           whether all tables are as the files of bench/results say
    python3 bench/run.py compare OLD NEW        two files of results, side by side
    python3 bench/run.py compile                how the time of compiling grows with the program (into bench/README.md)
    python3 bench/run.py check                  how fast the checker is (into bench/README.md)
    python3 bench/run.py agree                  no times: do C and the interpreter agree on small inputs?
"""

import argparse
import pathlib
import sys

import agree
import compare
import machine
import measure
import report

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "compiler"))
import check_speed
import compile_speed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = ["all", "measure", "page", "compare", "compile", "check", "agree"]
    parser.add_argument("what", nargs="?", choices=what, default="all")
    parser.add_argument("names", nargs="*", help="programs, or files of results")
    parser.add_argument("--on", action="append", default=[], help="who runs them: cpu, gpu, C, NumPy, 'norn cpu' ..")
    parser.add_argument("-o", "--output", help="where results go; a file of bench/results named after the machine if not said")
    parser.add_argument("--rounds", type=int, default=measure.ROUNDS)
    parser.add_argument(
        "--realtime", action="store_true", help="on a machine that is busy: nothing else runs while a program is measured"
    )
    parser.add_argument("--check", action="store_true", help="with `page`: compare, and write nothing")
    args = parser.parse_intermixed_args()
    if args.what == "page" and args.check:
        return report.check_pages(report.files_of_results(args.names))
    norn = machine.build_norn()
    # Some programs are not all of them: they have a file of their own.
    name = "some" if args.names or args.on else machine.short_name()
    results = pathlib.Path(args.output) if args.output else measure.RESULTS / f"{name}.json"
    if args.what in ("all", "measure"):
        measure.measure(norn, args.names, args.on, args.rounds, args.realtime, results)
    if args.what in ("all", "page"):
        report.write_pages(norn, report.files_of_results(args.names if args.what == "page" else []))
    if args.what == "compare":
        compare.compare(norn, *map(pathlib.Path, args.names))
    if args.what == "agree":
        agree.agree(norn, args.names)
    if args.what in ("all", "compile"):
        compile_speed.run(norn, args.realtime)
    if args.what in ("all", "check"):
        check_speed.run(norn, args.realtime)


if __name__ == "__main__":
    main()
