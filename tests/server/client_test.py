#!/usr/bin/env python3
"""Talks to `norn server` through the Python package futhark-server.

    python3 client_test.py path/to/norn

It shows that a client that was written for Futhark works unchanged. Needs the packages
futhark-server and numpy; the programs are those beside this file.
"""

import pathlib
import sys
import tempfile

import futhark_server
import numpy as np

HERE = pathlib.Path(__file__).parent


def start(norn, program):
    return futhark_server.Server(norn, "server", str(HERE / program))


def refused(action, *args):
    try:
        action(*args)
    except futhark_server.Failure as failure:
        return str(failure)
    raise AssertionError(f"{action.__name__}{args} did not fail")


def test_values(norn):
    with start(norn, "values.fut") as server:
        assert server.cmd_entry_points() == ["add", "sum", "fill", "divide", "holds"]
        assert server.cmd_inputs("fill") == ["*[]i32", "i64", "i32"]
        assert server.cmd_output("fill") == ["*[]i32"]
        server.put_value("x", np.int32(40))
        server.put_value("y", np.int32(2))
        answer = server.cmd_call("add", "z", "x", "y")
        assert answer[0].startswith("runtime: "), answer
        assert server.get_value("z") == 42
        xs = np.arange(1000, dtype=np.float64)
        server.put_value("xs", xs)
        server.cmd_call("sum", "s", "xs")
        assert server.get_value("s") == xs.sum()
        assert (server.get_value("xs") == xs).all()
        server.cmd_rename("s", "t")
        server.cmd_free("t", "xs")
        assert "`t`" in refused(server.get_value, "t")
        server.put_value("zero", np.int32(0))
        message = refused(server.cmd_call, "divide", "q", "x", "zero")
        assert "values.fut:" in message, message
        server.cmd_clear()
        assert "`x`" in refused(server.get_value, "x")
        server.cmd_pause_profiling()
        server.cmd_unpause_profiling()
        assert server.cmd_report()[0].startswith("{")
        assert server.cmd_tuning_params("add") == []


def test_records(norn):
    # The client does not put names in quotes, so those with spaces are given in quotes.
    point = '"{x: f32, y: f32}"'
    with start(norn, "records.fut") as server:
        assert point.strip('"') in server.cmd_types()
        assert server.cmd_fields(point) == ["x f32", "y f32"]
        server.put_value("x", np.float32(3))
        server.put_value("y", np.float32(4))
        server.cmd_call("make", "p", "x", "y")
        server.cmd_project("py", "p", "y")
        assert server.get_value("py") == 4
        server.cmd("new", "q", point, "x", "py")
        server.cmd_call("norm2", "n", "q")
        assert server.get_value("n") == 25
        server.put_value("xs", np.array([1, 2, 3], dtype=np.int32))
        server.cmd_call("split", "t", "xs")
        total, more = server.get_value("t")
        assert total == 6 and (more == [2, 3, 4]).all()
        with tempfile.NamedTemporaryFile() as file:
            server.cmd_store(file.name, "t")
            server.cmd_restore(file.name, ("u", '"(i32, []i32)"'))
        assert server.get_value_bytes("u") == server.get_value_bytes("t")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    for test in (test_values, test_records):
        test(sys.argv[1])
        print(f"{test.__name__}: passed")


if __name__ == "__main__":
    main()
