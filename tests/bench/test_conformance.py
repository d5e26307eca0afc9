#!/usr/bin/env python3
"""The conformance table without engines: judges that can fail, scenes in the plane, runs that crash, hang or end in NaN.

    tests/bench/test_conformance.py [TEST ...]
"""
import importlib.machinery
import importlib.util
import json
import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
FOLDER = pathlib.Path(__file__).resolve().parents[2] / "bench" / "conformance"
sys.path.insert(0, str(FOLDER))

import page  # noqa: E402
import rows  # noqa: E402
import runner  # noqa: E402
import scene as sc  # noqa: E402


def load_program():
    loader = importlib.machinery.SourceFileLoader("program", str(FOLDER / "cairn-conformance"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("program", loader))
    loader.exec_module(module)
    return module


program = load_program()
ROWS = {row.name: row for row in program.ROWS}


def start_of(scene):
    """States of the free bodies at the start."""
    return [[*b["position"], *b["rotation"], *b.get("velocity", [0, 0, 0]), *b.get("angular", [0, 0, 0])]
            for b in scene["bodies"] if b["kind"] == "free"]


def track(scene, move, samples=41, load=()):
    """A made-up run: move(t, state, name) gives a body's state."""
    names = [b["name"] for b in scene["bodies"] if b["kind"] == "free"]
    times = [scene["duration"] * k / (samples - 1) for k in range(samples)]
    return rows.Track(scene, [{"t": t, "s": [move(t, s, n) for s, n in zip(start_of(scene), names)], "load": list(load)}
                              for t in times])


def still(_, state, __):
    return list(state)


def shifted(rate):
    def move(t, state, _):
        return [state[0] + rate * t, *state[1:7], rate, *state[8:]]
    return move


class Judges(unittest.TestCase):
    def figure(self, name, move, **more):
        row = ROWS[name]
        return row, row.judge(*(track(s.data, move, **more) for s in row.runs))

    def test_creep_is_the_mean_speed_of_the_second_half(self):
        for name in ["incline-stick", "push-below", "grip-holds", "wall"]:
            row, figure = self.figure(name, still)
            self.assertEqual(figure, 0.0)
            row, figure = self.figure(name, shifted(1e-3))
            self.assertAlmostEqual(figure, 1e-3, delta=1e-9)
            self.assertGreater(figure, row.near)

    def test_the_exact_motion_is_met_and_another_is_not(self):
        def thrown(t, state, _):
            return [3 * t, 0, 5 * t - 0.5 * sc.G * t * t, *state[3:7], 3, 0, 5 - sc.G * t, 0, 0, 0]
        row, figure = self.figure("thrown", thrown)
        self.assertLessEqual(figure, row.exact)
        row, figure = self.figure("thrown", still)
        self.assertGreater(figure, row.near)

        def sliding(factor):
            def move(t, state, _):
                a = factor * (4.91 - 0.5 * sc.G)
                return [0.5 * a * t * t, *state[1:7], a * t, 0, 0, 0, 0, 0]
            return move
        row, figure = self.figure("push-above", sliding(1.0))
        self.assertLessEqual(figure, row.exact)
        _, figure = self.figure("push-above", sliding(1.5))
        self.assertAlmostEqual(figure, 0.5)

    def test_headings_count_the_wrong_ones(self):
        _, figure = self.figure("headings", still)
        self.assertEqual(figure, 16.0)  # those above the limit do not move
        _, figure = self.figure("headings", shifted(0.01))
        self.assertEqual(figure, 32.0)

    def test_loads(self):
        weight = 10.0 * sc.G
        _, figure = self.figure("loads-4", still, load=[weight / 4] * 4)
        self.assertLess(figure, 1e-12)
        _, figure = self.figure("loads-4", still, load=[weight / 3] * 3 + [0.0])
        self.assertAlmostEqual(figure, 1.0)
        _, figure = self.figure("loads-sum", still, load=[weight / 3] * 3 + [0.0])
        self.assertLess(figure, 1e-12)

    def test_joints_that_open(self):
        row, figure = self.figure("four-bar", still)
        self.assertEqual(figure, 0.0)

        def apart(t, state, name):
            return [state[0] + (0.01 if name == "rocker" and t > 1 else 0.0), *state[1:]]
        _, figure = self.figure("four-bar", apart)
        self.assertAlmostEqual(figure, 0.01)
        self.assertGreater(figure, row.near)

    def test_energy_and_momentum(self):
        def spun_up(t, state, _):
            return [*state[:10], *(w * (1 + 0.01 * t) for w in state[10:])]
        for name in ["tumbling-momentum", "tumbling-energy"]:
            row, figure = self.figure(name, spun_up)
            self.assertGreater(figure, row.near)
        row, figure = self.figure("corners-1-2", spun_up)
        self.assertGreater(figure, 1e-3)
        _, figure = self.figure("corners-1-2", still)
        self.assertEqual(figure, 0.0)

    def test_the_last_bit_counts(self):
        row = ROWS["stranger"]
        one, two = (track(s.data, still) for s in row.runs)
        self.assertEqual(row.judge(one, two), 0.0)
        two.samples[-1]["s"][2][0] += 1e-16
        self.assertGreater(row.judge(one, two), 0.0)


class Scenes(unittest.TestCase):
    def test_rows_are_complete(self):
        self.assertEqual(len(ROWS), len(program.ROWS))
        for row in program.ROWS:
            self.assertTrue(row.title and row.answer and row.source, row.name)
            self.assertLessEqual(row.exact, row.near, row.name)
            for s in row.runs:
                self.assertEqual(len({b["friction"] for b in s.data["bodies"]}), 1, row.name)
                self.assertEqual(len({b["restitution"] for b in s.data["bodies"]}), 1, row.name)

    def test_planar_rows_can_be_flattened(self):
        for row in program.ROWS:
            for s in row.runs if row.planar else []:
                flat = sc.flatten(s.data)
                self.assertTrue(flat["planar"])
                for spatial, planar in zip(s.data["bodies"], flat["bodies"]):
                    self.assertEqual(planar["position"], [spatial["position"][0], spatial["position"][2]])

    def test_states_come_back(self):
        angle = 0.3
        q = sc.quat([0, 1, 0], angle)
        flat = -angle  # seen along y
        state = [1.0, 2.0, 0.0, *sc.quat([0, 0, 1], flat), 3.0, 4.0, 0.0, 0.0, 0.0, 5.0]
        back = sc.unflatten_state(state)
        self.assertEqual(back[:3], [1.0, 0.0, 2.0])
        for a, b in zip(back[3:7], q):
            self.assertAlmostEqual(a, b)
        self.assertEqual(back[7:], [3.0, 0.0, 4.0, 0.0, -5.0, 0.0])


class Fake:
    """An engine whose adapter is a line of Python."""
    name, version, settings, source, runtime, is_planar = "fake", "1", ("a", "b"), "here", "python", False

    def __init__(self, code):
        self.code = code

    def command(self, *arguments):
        return [sys.executable, "-c", self.code, *map(str, arguments)]


class Runs(unittest.TestCase):
    def run_fake(self, code, seconds=2):
        row = ROWS["thrown"]
        with tempfile.TemporaryDirectory() as folder:
            outcome = runner.run(Fake(code), 0, row.runs[0].data, 1, pathlib.Path(folder) / "s.json", seconds)
        return program.Cell(row, Fake(code), 0, [outcome])

    def sample(self, value):
        return "print(%r)" % json.dumps({"t": 0, "s": [[value] * 13], "load": []})

    def test_what_can_happen(self):
        end = "print('{\"seconds\": 0.1, \"complaints\": 0}')"
        crash = "import os; os.abort()"
        for code, verdict in [(crash, "crash"), ("import sys; sys.exit(1)", "crash"), ("", "crash"),
                              ("import sys; print('no wheels', file=sys.stderr); sys.exit(3)", "n/a"),
                              ("while True: pass", "timeout"), (self.sample(None) + ";" + end, "NaN"),
                              ("print('chatter');" + self.sample(7.0) + ";" + end, "off")]:
            cell = self.run_fake(code, 1)
            self.assertEqual(cell.verdict, verdict, code)
        self.assertEqual(self.run_fake("import sys; print('no wheels', file=sys.stderr); sys.exit(3)").why, "no wheels")

    def test_a_page_of_them(self):
        row, engine = ROWS["thrown"], Fake("")
        cells = [self.run_fake("import os; os.abort()")]
        table = page.Table([row], [engine], cells, 1.0)
        self.assertIn("crash", page.html(table))
        self.assertIn("crash", page.text(table))
        self.assertFalse(table.is_met("fake"))

    def test_results_are_read_back(self):
        row, engine = ROWS["thrown"], Fake("")
        cells = [self.run_fake(self.sample(7.0) + ";print('{\"seconds\": 0.1}')"), self.run_fake("")]
        cells[1].setting = 1
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "results.csv"
            program.write_csv(path, cells, page.Table([row], [engine], cells, 1.0))
            back, found, limit = program.read_results([path, path])
        self.assertEqual([(c.verdict, c.setting) for c in back], [("off", 0), ("crash", 1)])
        self.assertAlmostEqual(back[0].figure, cells[0].figure, delta=1e-4)
        self.assertEqual((found[0].name, found[0].settings, limit), ("fake", ["a", "b"], 1.0))


if __name__ == "__main__":
    unittest.main(verbosity=1)
