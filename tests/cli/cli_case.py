"""What the tests of the program share: a folder of their own, running it, the JSON contract."""
import json
import math
import pathlib
import subprocess
import sys
import tempfile
import unittest

CONTRACT = ["problem", "outcome", "residual", "pivots", "time_us", "z"]
OUTCOMES = {"solved", "convex", "infeasible", "ray", "singular", "limit", "stalled", "error"}


class Case(unittest.TestCase):
    """A test in an empty folder of its own."""

    program = None  # path of the program, set by run_tests()

    def setUp(self):
        self.box = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.box.name)

    def tearDown(self):
        self.box.cleanup()

    def write(self, **files):
        """write(M=..., q=...) makes M.mtx and q.mtx; names with an underscore get a dot there."""
        for name, text in files.items():
            name = name.replace("_", ".") if "_" in name else name + ".mtx"
            (self.folder / name).write_text(text)

    def run_cairn(self, *arguments, **options):
        return subprocess.run([self.program, *arguments], cwd=self.folder, capture_output=True, text=True, errors="replace",
                              timeout=60, check=False, **options)

    def good(self, code, *arguments):
        """Run, expect an exit code of 0 or 1 and a silent standard error; returns standard output."""
        done = self.run_cairn(*arguments)
        self.assertEqual(done.stderr, "")
        self.assertEqual(done.returncode, code, done.stdout)
        return done.stdout

    def bad(self, expected, *arguments):
        """Run, expect exit code 2, one line on standard error with these words, and nothing written."""
        before = sorted(path.name for path in self.folder.iterdir())
        done = self.run_cairn(*arguments)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertTrue(done.stderr.startswith("cairn: "), done.stderr)
        for words in [expected] if isinstance(expected, str) else expected:
            self.assertIn(words, done.stderr)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), before)

    def check_line(self, text):
        """One JSON line that keeps the contract; returns the object."""
        def refuse(name):
            raise AssertionError(f"{name} in JSON")
        line = json.loads(text, parse_constant=refuse)
        self.assertEqual(list(line)[:6], CONTRACT)
        self.assertIn(line["outcome"], OUTCOMES)
        self.assertIsInstance(line["pivots"], int)
        self.assertIsInstance(line["time_us"], (int, float))
        self.assertIsInstance(line["z"], list)
        return line

    def near(self, values, expected):
        self.assertEqual(len(values), len(expected))
        for value, wanted in zip(values, expected):
            self.assertTrue(math.isclose(value, wanted, rel_tol=1e-12, abs_tol=1e-12), f"{values} {expected}")


def read_vector(path):
    """Numbers of a Matrix Market array written by the program."""
    lines = path.read_text().splitlines()
    assert lines[0] == "%%MatrixMarket matrix array real general"
    values = [float(line) for line in lines[2:]]
    assert lines[1] == f"{len(values)} 1"
    return values


def run_tests(usage):
    """main of a test file: its first argument is the program."""
    if len(sys.argv) < 2:
        sys.exit(usage)
    Case.program = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main(module="__main__")
