"""The page of the manual, as a reader tries it: each block of Python prints what the block of text behind it shows."""

import contextlib
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import norn  # noqa: F401

ROOT = Path(__file__).resolve().parents[2]
FENCE = re.compile(r"^```(\S+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Manual(unittest.TestCase):
    @unittest.skipIf(os.environ.get("NORN_TEST_BACKEND", "cpu") != "cpu", "the page shows arrays of the processor")
    def test_the_page_about_python(self):
        page = (ROOT / "docs/src/python.md").read_text()
        names, printed, tried = {}, None, 0
        here = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                for language, name, text in FENCE.findall(page):
                    if language == "norn":
                        Path(name).write_text(text)
                    elif language == "python":
                        out = io.StringIO()
                        with contextlib.redirect_stdout(out):
                            exec(compile(text, "python.md", "exec"), names)
                        printed = out.getvalue()
                    elif language == "text" and printed:
                        self.assertEqual(printed, text)
                        printed, tried = None, tried + 1
            finally:
                os.chdir(here)
        self.assertGreater(tried, 5)

    def test_the_example(self):
        """In a folder where nothing else is."""
        with tempfile.TemporaryDirectory() as folder:
            for name in ["dot.py", "dot.fut"]:
                shutil.copy(ROOT / "examples/embed" / name, folder)
            ran = subprocess.run([sys.executable, "dot.py"], cwd=folder, capture_output=True, text=True)
        self.assertEqual((ran.stdout, ran.stderr), ("32.0\n", ""))


if __name__ == "__main__":
    unittest.main()
