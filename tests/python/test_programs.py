"""Programs and entry points: loading, errors, help, threads."""

import inspect
import os
import pydoc
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

import numpy as np

import norn
from common import CONTEXT, PATH, program

p = program()
DOT = "entry dot [n] (xs: [n]f32) (ys: [n]f32) : f32 = f32.sum (map2 (*) xs ys)"


@norn.function(backend=p.backend, context=CONTEXT)
def twice(xs):
    "entry twice [n] (xs: [n]i32) : [n]i32 = map (* 2) xs"


class Programs(unittest.TestCase):
    def test_entry_points_are_attributes(self):
        self.assertIn("dot", p.entries)
        self.assertIn("dot", dir(p))
        with self.assertRaisesRegex(AttributeError, "no entry point `dots`"):
            p.dots
        self.assertIn("dot(xs: []f32, ys: []f32) -> f32", repr(p))
        self.assertIn("The inner product.", p._repr_html_())
        self.assertIn("-&gt; f32", p._repr_html_())

    def test_functions_of_texts(self):
        dot = norn.function(DOT, backend=p.backend, context=CONTEXT)
        self.assertEqual(dot([1, 2], [3, 4]), 11)
        self.assertEqual(twice(np.arange(3, dtype="i4")).tolist(), [0, 2, 4])
        with self.assertRaisesRegex(AttributeError, "no entry point `main`"):
            norn.function("entry a (x: i32) = x\nentry b (x: i32) = x", backend=p.backend)
        with self.assertRaisesRegex(TypeError, "must be a program"):

            @norn.function
            def empty(xs):
                pass

    def test_help(self):
        self.assertEqual(str(inspect.signature(p.dot)), "(xs: []f32, ys: []f32) -> f32")
        self.assertEqual(str(inspect.signature(p.clear)), "(xs: *[]f32, i: i64) -> *[]f32")
        text = pydoc.render_doc(p.dot, renderer=pydoc.plaintext)
        self.assertIn("dot(xs: []f32, ys: []f32) -> f32", text)
        self.assertIn("The inner product.", text)
        self.assertIn("xs: array of float32 with 1 dimension", text)
        self.assertEqual(p.dot.__name__, "dot")
        self.assertIn("Twice.", norn.function("-- | Twice.\nentry twice (x: i32) = 2 * x").__doc__)


class Errors(unittest.TestCase):
    def test_of_programs(self):
        with self.assertRaises(norn.CompileError) as caught:
            norn.source("entry f (x: i32) : i32 = x + true", name="sum.fut")
        self.assertIn("error[E0301]", str(caught.exception))
        self.assertIn("sum.fut:1:30", str(caught.exception))
        self.assertIn("\x1b[", "\n".join(caught.exception._render_traceback_()))
        with self.assertRaises(norn.FileError):
            norn.load("nowhere.fut")
        with self.assertRaisesRegex(ValueError, "there is no backend `gpu`"):
            norn.load(PATH, backend="gpu")

    def test_of_decorated_functions_are_in_their_places(self):
        with self.assertRaises(norn.CompileError) as caught:

            @norn.function
            def wrong(x):
                """
                entry wrong (x: i32) : i32 = y
                """

        line = inspect.currentframe().f_lineno - 3
        self.assertIn(f"{Path(__file__).name}:{line}:46", str(caught.exception))

    def test_of_calls(self):
        with self.assertRaises(norn.Failure) as caught:
            p.pick([1, 2, 3], 7)
        self.assertEqual(caught.exception.message, "Index 7 is out of bounds for a dimension of length 3.")
        self.assertIn("program.fut:", str(caught.exception))
        self.assertIsInstance(caught.exception, RuntimeError)
        # The program goes on.
        self.assertEqual(p.pick([1, 2, 3], 2), 3)

    def test_a_time_limit(self):
        begin = time.monotonic()
        with self.assertRaises(norn.TimedOut):
            p.forever.within(0.2)(1)
        self.assertLess(time.monotonic() - begin, 5)


class Interrupts(unittest.TestCase):
    def test_a_call_of_the_main_thread(self):
        """As Ctrl-C does it, while the program runs for ever."""
        # Whoever runs the tests in the background may have them ignore it.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)
        timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
        timer.start()
        begin = time.monotonic()
        with self.assertRaises(KeyboardInterrupt):
            p.forever.within(20)(1)
        timer.join()
        self.assertLess(time.monotonic() - begin, 10)
        self.assertEqual(p.total([1, 2]), 3)


class Threads(unittest.TestCase):
    def test_two_programs_at_once(self):
        """Neither holds the lock of the interpreter: both wait for ever, in the time of one, while a third counts."""
        q = norn.source(PATH.read_text(), name="other.fut", backend=p.backend, context=norn.Context(threads=1))
        ended, counted = [], 0

        def wait(program):
            try:
                program.forever.within(1)(1)
            except norn.TimedOut:
                ended.append(time.monotonic())

        threads = [threading.Thread(target=wait, args=[each]) for each in (p, q)]
        begin = time.monotonic()
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            counted += 1
            time.sleep(0.001)
        self.assertEqual(len(ended), 2)
        self.assertLess(max(ended) - begin, 1.9)
        self.assertGreater(counted, 20)

    def test_two_devices_at_once(self):
        try:
            other = norn.load(PATH, backend="opencl", context=norn.Context(threads=1))
        except norn.DeviceError as error:
            self.skipTest(str(error))
        wrong = []

        def work(program):
            for i in range(100):
                xs = np.full(20_000, i, np.float32)
                if program.total(program.scale(2, xs)) != 40_000 * i:
                    wrong.append((program.backend, i))

        threads = [threading.Thread(target=work, args=[each]) for each in (p, other)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_many_calls_of_one_program(self):
        wrong = []

        def work(number):
            xs = np.full(5000, number, np.float32)
            for _ in range(50):
                if p.total(xs) != 5000 * number or p.scale(2, xs)[-1] != 2 * number:
                    wrong.append(number)

        threads = [threading.Thread(target=work, args=[i]) for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])


class Types(unittest.TestCase):
    def test_stubs(self):
        text = p.stubs()
        compile(text, "program.pyi", "exec")
        self.assertIn("def scale(self, k: float, xs: norn.ArrayLike) -> numpy.typing.NDArray[numpy.float32]: ...", text)
        self.assertIn("def area(self, s: norn.Case) -> float: ...", text)
        self.assertTrue(Path(norn.__file__).with_name("py.typed").exists())

    def test_with_mypy(self):
        try:
            import mypy  # noqa: F401
        except ImportError:
            self.skipTest("there is no mypy")
        with tempfile.TemporaryDirectory() as folder:
            stub, user = Path(folder, "stub.pyi"), Path(folder, "user.py")
            stub.write_text(p.stubs())
            user.write_text(
                "import norn\nimport stub\n\ndef f(p: stub.Program) -> float:\n    return p.dot([1.0], [2.0])\n\n"
                "x: int = norn.load('a.fut').backend\n"
            )
            ran = subprocess.run(
                [sys.executable, "-m", "mypy", "--strict", "--cache-dir", folder, str(user)],
                capture_output=True,
                text=True,
                env={"MYPYPATH": f"{folder}:{Path(norn.__file__).parent.parent}", "PATH": ""},
            )
        self.assertEqual(ran.stdout.count("error:"), 1, ran.stdout + ran.stderr)
        self.assertIn('"str", variable has type "int"', ran.stdout)


if __name__ == "__main__":
    unittest.main()
