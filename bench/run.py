#!/usr/bin/env python3
"""Measures Norn and writes what was found into bench/README.md.

    python3 bench/run.py                    everything
    python3 bench/run.py cpu                the programs of bench/cpu beside their C versions
    python3 bench/run.py cpu dot scan       some of them; the page stays as it is
    python3 bench/run.py compile            how the time of compiling grows with the program
    python3 bench/run.py check              how fast the checker is
    python3 bench/run.py agree              no times: do both versions of a program agree on small inputs?
"""

import argparse

import check_speed
import compile_speed
import cpu_speed
import machine


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="?", choices=["all", "cpu", "compile", "check", "agree"], default="all")
    parser.add_argument("programs", nargs="*", help="of bench/cpu; all if none is named")
    parser.add_argument("--backend", help="what runs the programs in Norn")
    parser.add_argument("--rounds", type=int, default=cpu_speed.ROUNDS)
    parser.add_argument(
        "--realtime", action="store_true", help="on a machine that is busy: nothing else runs while a program is measured"
    )
    args = parser.parse_intermixed_args()
    norn = machine.build_norn()
    if args.what == "agree":
        cpu_speed.check(norn, args.programs, args.backend or "interp")
    if args.what in ("all", "cpu"):
        cpu_speed.run(norn, args.programs, args.backend or "cpu", args.rounds, args.realtime)
    if args.what in ("all", "compile"):
        compile_speed.run(norn, args.realtime)
    if args.what in ("all", "check"):
        check_speed.run(norn, args.realtime)


if __name__ == "__main__":
    main()
