#!/usr/bin/env python3
"""`cairn sim` from outside: exit codes, messages, JSON, recordings, CSV, dumps.

    tests/cli/test_sim.py build/cairn [TEST ...]
"""
import csv
import json
import math
import os
import subprocess

from cli_case import Case, run_tests
from recording import read_recording

G = 9.81
KEYS = ["scene", "name", "outcome", "message", "steps", "steps_asked", "dt", "time", "planar", "bodies", "free_bodies",
        "joints", "scheme", "method", "cone", "overlap_start", "overlap_bodies", "overlap_is_deep", "meshes", "start_overlaps", "certified_steps",
        "uncertified", "unsolved_steps", "coulomb_steps", "convex_steps", "relaxed_steps", "certificate_worst", "contacts_mean",
        "contacts_max", "active_mean", "pivots", "iterations", "penetration_worst", "penetration_mean",
        "joint_error_worst", "joint_error_last", "loop_used_worst", "mechanisms", "energy_start", "energy_end",
        "kinetic_end", "potential_end", "ledger", "unexplained_worst", "momentum_unexplained_worst", "gained_worst",
        "momentum_start", "momentum_end", "angular_momentum_end", "step_ms_mean", "step_ms_worst", "collide_ms_mean",
        "solve_ms_mean", "real_time_factor", "hash", "recording", "frames", "csv", "page", "dump", "body_names", "poses"]
BOX, DISK = "gallery:box-on-floor", "gallery:disk-on-table"


def box_scene(**changes):
    """A box of 0.2 m and 1 kg that lies on the floor."""
    scene = {"name": "box", "dt": 0.01, "duration": 0.1,
             "bodies": [{"name": "floor", "kind": "fixed", "shapes": [{"kind": "plane"}]},
                        {"name": "box", "position": [0, 0, 0.1], "mass": 1,
                         "shapes": [{"kind": "box", "half": [0.1, 0.1, 0.1]}]}]}
    scene.update(changes)
    return scene


class SimCase(Case):
    def save(self, name, scene):
        (self.folder / name).write_text(json.dumps(scene))

    def object(self, text):
        def refuse(name):
            raise AssertionError(f"{name} in JSON")
        line = json.loads(text, parse_constant=refuse)
        self.assertEqual([key for key in line if key != "trajectory"], KEYS)
        return line

    def sim(self, *arguments, code=0):
        """The JSON object of a run."""
        return self.object(self.good(code, "sim", *arguments, "--json"))

    def run_scene(self, scene, *arguments, code=0):
        self.save("scene.json", scene)
        return self.sim("scene.json", *arguments, code=code)

    def rows(self, name):
        with open(self.folder / name, newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))


class Run(SimCase):
    def test_box_stops(self):
        """v^2 / (2 mu g), but for the step in which it stops: no more than mu g h^2 / 8."""
        line = self.sim(BOX)
        self.assertEqual((line["outcome"], line["steps"], line["certified_steps"], line["message"]),
                         ("solved", 100, 100, None))
        self.assertEqual((line["bodies"], line["free_bodies"], line["body_names"]), (2, 1, ["floor", "box"]))
        place = 1.0 / (2 * 0.5 * G)
        x, y, z, *rotation = line["poses"][1]
        self.assertLess(abs(x - place), 0.5 * G * 0.01 ** 2 / 8 + 1e-9)
        self.assertLess(max(abs(y), abs(z - 0.1)), 1e-9)
        self.assertLess(abs(abs(rotation[0]) - 1.0), 1e-12)
        self.assertLess(abs(line["energy_start"] - (0.5 + 0.1 * G)), 1e-12)
        self.assertLess(abs(line["energy_end"] - 0.1 * G), 1e-9)
        self.assertEqual(line["momentum_start"], [1.0, 0.0, 0.0])
        self.assertLessEqual(line["certificate_worst"], 1e-8)
        self.assertEqual((line["coulomb_steps"], line["convex_steps"], line["relaxed_steps"]), (100, 0, 0))
        self.assertEqual(line["contacts_max"], 4)
        self.assertGreater(line["real_time_factor"], 0.0)

    def test_disk_rolls(self):
        """Sliding ends in rolling: momentum about the point it touches is kept, 2/3 of the speed is left."""
        line = self.sim(DISK, "--csv", "a.csv")
        self.assertTrue(line["planar"])
        last = self.rows("a.csv")[-1]
        self.assertLess(abs(float(last["disk.velocity.x"]) - 4.0 / 3.0), 1e-6)
        self.assertLess(abs(float(last["disk.angular.z"]) + 4.0 / 0.3), 1e-5)
        self.assertIn("disk.rotation.angle", last)

    def test_text(self):
        text = self.good(0, "sim", BOX)
        for words in ["scene        gallery:box-on-floor: 2 bodies (1 free), 0 joints\n",
                      "run          100 of 100 steps of 0.01 s, to 1 s; coulomb scheme, round cone, method auto\n",
                      "outcome      solved, every step\n", "certified    100 of 100 steps; worst certificate ",
                      "law          coulomb 100 steps, convex 0; relaxed 0\n", "contacts     mean 4, max 4; ",
                      "penetration  worst ", "energy       start 1.481 J, end 0.981 J", "momentum     start (1, 0, 0)",
                      "time         ", "real time    "]:
            self.assertIn(words, text)
        self.assertNotIn("overlap", text)

    def test_options(self):
        line = self.sim(BOX, "--dt", "0.005", "--time", "0.0501")
        self.assertEqual((line["steps"], line["dt"]), (11, 0.005))
        self.assertEqual(self.sim(BOX, "--time=0.3", "--dt=0.1")["steps"], 3)
        convex = self.sim(BOX, "--scheme", "convex", "--time", "0.1")
        self.assertEqual((convex["scheme"], convex["convex_steps"]), ("convex", 10))
        polygon = self.sim(BOX, "--cone", "polygon", "--method", "states")
        self.assertEqual((polygon["cone"], polygon["method"], polygon["outcome"]), ("polygon", "states", "solved"))

    def test_same_bits(self):
        one, two = self.sim(BOX, "--time", "0.2"), self.sim(BOX, "--time", "0.2")
        self.assertEqual((one["hash"], one["poses"]), (two["hash"], two["poses"]))
        self.assertNotEqual(one["hash"], self.sim(BOX, "--time", "0.21")["hash"])

    def test_trajectory(self):
        line = self.sim(BOX, "--every", "25", "--time", "0.6")
        self.assertEqual([moment["step"] for moment in line["trajectory"]], [0, 25, 50])
        self.assertEqual(line["trajectory"][0]["poses"][1], [0, 0, 0.1, 1, 0, 0, 0])
        self.assertAlmostEqual(line["trajectory"][2]["time"], 0.5)
        self.assertNotIn("trajectory", self.sim(BOX, "--time", "0.1"))

    def test_list(self):
        text = self.good(0, "sim", "--list")
        self.assertIn("gallery:box-on-floor ", text)
        scenes = json.loads(self.good(0, "sim", "--list", "--json"))["scenes"]
        self.assertEqual(len(scenes), text.count("\n"))
        self.assertIn("disk-on-table", [scene["name"] for scene in scenes])
        self.assertTrue(all(scene["about"] for scene in scenes))

    def test_every_gallery_scene_begins(self):
        """Whatever is in the gallery: two steps of it, solved."""
        for scene in json.loads(self.good(0, "sim", "--list", "--json"))["scenes"]:
            name = "gallery:" + scene["name"]
            dt = self.sim(name, "--time", "1e-9")["dt"]
            line = self.sim(name, "--time", str(2 * dt))
            self.assertEqual((line["steps"], line["name"]), (2, scene["name"]))

    def test_progress_on_a_terminal(self):
        """A bar on standard error if that is a terminal, wiped at the end; the answer is the same."""
        ours, theirs = os.openpty()
        done = subprocess.run([self.program, "sim", BOX, "--json"], cwd=self.folder, stdout=subprocess.PIPE, stderr=theirs,
                              text=True, timeout=60, check=False)
        os.close(theirs)
        shown = os.read(ours, 65536).decode()
        os.close(ours)
        self.assertEqual(self.object(done.stdout)["steps"], 100)
        self.assertIn("gallery:box-on-floor [", shown)
        self.assertIn("/100", shown)
        self.assertTrue(shown.endswith("\r\033[K"), repr(shown[-20:]))

    def test_help(self):
        text = self.good(0, "sim", "--help")
        for words in ["usage: cairn sim SCENE", "--strict", "--every", "Exit codes"]:
            self.assertIn(words, text)
        self.assertIn("sim ", self.good(0, "--help"))


FOURBAR = """<mujoco model="fourbar"><compiler angle="radian"/><option timestep="0.001"/>
<default><geom contype="0" conaffinity="0" density="1000"/></default>
<worldbody>
<body name="crank" pos="0 0 1"><joint axis="0 1 0"/><geom type="capsule" size="0.02" fromto="0 0 0 0.1 0 0.2"/>
 <body name="coupler" pos="0.1 0 0.2"><joint axis="TILT 1 0"/><geom type="capsule" size="0.02" fromto="0 0 0 0.5 0 0.1"/></body>
</body>
<body name="rocker" pos="0.5 0 1"><joint axis="0 1 TILT"/><geom type="capsule" size="0.02" fromto="0 0 0 0.1 0 0.3"/></body>
</worldbody>
<equality><connect body1="coupler" body2="rocker" anchor="0.5 0 0.1"/></equality>
</mujoco>
"""


class Loops(SimCase):
    """Linkages whose axes are not quite parallel."""

    def four_bar(self, tilt):
        (self.folder / "bar.xml").write_text(FOURBAR.replace("TILT", tilt))

    def test_what_fits(self):
        self.four_bar("0")
        text = self.good(0, "sim", "bar.xml", "--time", "0.3")
        self.assertIn("of 'crank': 3 loop rows, 2 needed; 1 over-constrains it and fits exactly", text)
        self.four_bar("1e-4")
        text = self.good(0, "sim", "bar.xml", "--time", "0.3")
        self.assertIn("1 over-constrains it and lets it move within a clearance of 0.232 mm", text)
        self.assertNotIn("JAMMED", text)

    def test_what_jams(self):
        self.four_bar("1e-2")
        self.assertIn("JAMMED", self.good(0, "sim", "bar.xml", "--time", "1"))
        line = self.sim("bar.xml", "--time", "1")
        report, = line["mechanisms"]
        self.assertEqual((report["rows"], report["held"], report["loose"], report["jammed"]), (3, 2, 1, True))
        self.assertLess(abs(report["opening"] / report["clearance"] - 1), 0.01)
        line = self.sim("bar.xml", "--time", "1", "--clearance", "2e-2")
        self.assertFalse(line["mechanisms"][0]["jammed"])


class Files(SimCase):
    def test_recording(self):
        line = self.sim(BOX, "-o", "a.crn")
        header, frames = read_recording((self.folder / "a.crn").read_bytes())
        self.assertEqual((line["recording"], line["frames"]), ("a.crn", 101))
        self.assertEqual((header["bodies"], header["dt"], header["every"], header["flags"]), (2, 0.01, 1, 0))
        self.assertEqual([body["name"] for body in header["scene"]["bodies"]], ["floor", "box"])
        self.assertEqual([frame["step"] for frame in frames], list(range(101)))
        self.assertEqual(frames[-1]["poses"], line["poses"])
        self.assertEqual(len(frames[0]["contacts"]), 0)
        self.assertEqual(len(frames[-1]["contacts"]), 4)
        weight = sum(contact[13] for contact in frames[-1]["contacts"])  # impulses along z on a, which is the box or not
        self.assertLess(abs(abs(weight) - G * 0.01), 1e-9)
        self.assertTrue(all(frame["figures"]["outcome"] == 1 for frame in frames))
        self.assertEqual(frames[-1]["figures"]["kinetic"] + frames[-1]["figures"]["potential"], line["energy_end"])
        words = dict((figure[0], figure[1:]) for figure in header["figures"])
        self.assertEqual(words["verdict"], ["certified", "problem", "law", "overlap", "joints", "energy", "momentum"])
        self.assertIn("ledger.gained", words)

    def test_contacts_are_where_the_bodies_are(self):
        """Steps find contacts where they begin; frames show them where the bodies are, on the sliding box's lower corners."""
        self.sim(BOX, "--time", "0.2", "-o", "a.crn")
        header, frames = read_recording((self.folder / "a.crn").read_bytes())
        half = header["scene"]["bodies"][1]["shapes"][0]["half"]
        for frame in frames[1:]:
            x, y = frame["poses"][1][:2]
            corners = sorted((round(c[4] - x, 9), round(c[5] - y, 9)) for c in frame["contacts"])
            self.assertEqual(corners, sorted((sx * half[0], sy * half[1]) for sx in (-1, 1) for sy in (-1, 1)))

    def test_recording_every(self):
        line = self.sim(DISK, "-o", "a.crn", "--every", "10")
        header, frames = read_recording((self.folder / "a.crn").read_bytes())
        self.assertEqual((header["every"], header["flags"], line["frames"]), (10, 1, 11))
        self.assertEqual([frame["step"] for frame in frames], list(range(0, 101, 10)))
        self.assertEqual([moment["poses"] for moment in line["trajectory"]], [frame["poses"] for frame in frames])

    def test_csv(self):
        line = self.sim(BOX, "--csv", "a.csv")
        rows = self.rows("a.csv")
        self.assertEqual(line["csv"], "a.csv")
        self.assertEqual([int(row["step"]) for row in rows], list(range(1, 101)))
        self.assertEqual({row["outcome"] for row in rows}, {"solved"})
        self.assertEqual({row["law"] for row in rows}, {"coulomb"})
        self.assertEqual({row["verdict"] for row in rows}, {"certified"})
        for term, total in line["ledger"].items():
            self.assertAlmostEqual(sum(float(row[f"ledger.{term}"]) for row in rows), total, delta=1e-9)
        self.assertIn("ledger.momentum.x", rows[0])
        self.assertEqual(float(rows[-1]["box position.x"]), line["poses"][1][0])
        self.assertEqual(max(float(row["penetration"]) for row in rows), line["penetration_worst"])
        self.assertEqual(max(float(row["certificate"]) for row in rows), line["certificate_worst"])
        speeds = [float(row["box.velocity.x"]) for row in rows]
        self.assertLess(abs(speeds[0] - (1 - 0.5 * G * 0.01)), 1e-9)

    def test_written_scene_gives_the_same_bits(self):
        for number, scene in enumerate([BOX, DISK]):
            name = f"scene{number}.json"
            self.assertEqual(self.good(0, "sim", "--write", name, scene), f"written      {name}\n")
            one, two = self.sim(scene), self.sim(name)
            self.assertEqual((one["hash"], one["poses"], one["name"]), (two["hash"], two["poses"], two["name"]))
        json.loads(self.good(0, "sim", "--write", "b.json", BOX, "--dt", "0.02", "--json"))
        self.assertEqual(json.loads((self.folder / "b.json").read_text())["dt"], 0.02)

    def test_files_in_text(self):
        text = self.good(0, "sim", BOX, "--time", "0.05", "-o", "a.crn", "--csv", "a.csv")
        self.assertIn("written      a.crn (6 frames)\n", text)
        self.assertIn("written      a.csv (5 rows)\n", text)


class Trouble(SimCase):
    SUNK = box_scene(bodies=[box_scene()["bodies"][0], {**box_scene()["bodies"][1], "position": [0, 0, 0.05]}])

    def test_deep_overlap_is_told_and_undone_slowly(self):
        self.save("sunk.json", self.SUNK)
        text = self.good(0, "sim", "sunk.json", "--time", "1")
        self.assertTrue(text.startswith("overlap      bodies "), text)
        self.assertIn("'floor'", text.splitlines()[0])
        self.assertIn("overlap by 0.05 m at the start; it is undone slowly", text.splitlines()[0])
        line = self.sim("sunk.json", "--time", "2", "--csv", "a.csv")
        self.assertTrue(line["overlap_is_deep"])
        self.assertEqual(sorted(line["overlap_bodies"]), [0, 1])
        self.assertLess(abs(line["overlap_start"] - 0.05), 1e-12)
        self.assertLess(abs(line["poses"][1][2] - 0.1), 1e-3)

    def test_deep_overlap_does_not_explode(self):
        """However small the step, the box leaves the floor no faster than it would fall by its own diameter."""
        self.save("sunk.json", self.SUNK)
        for dt in ["0.01", "0.001"]:
            self.sim("sunk.json", "--dt", dt, "--csv", "a.csv")
            kinetic = max(float(row["kinetic"]) for row in self.rows("a.csv"))
            self.assertLessEqual(kinetic, 1.001 * G * math.sqrt(0.12), f"dt {dt}: {math.sqrt(2 * kinetic):.3g} m/s")

    def test_strict(self):
        self.save("sunk.json", self.SUNK)
        self.bad(["sunk.json: bodies ", "'box'", "overlap by 0.05 m", "--strict"], "sim", "sunk.json", "--strict", "-o",
                 "a.crn", "--csv", "a.csv")
        self.assertEqual(self.sim(BOX, "--strict", "--time", "0.1")["outcome"], "solved")

    def test_small_overlap_is_not_told(self):
        scene = json.loads(json.dumps(self.SUNK))
        scene["bodies"][1]["position"][2] = 0.0999
        line = self.run_scene(scene, "--strict")
        self.assertFalse(line["overlap_is_deep"])
        self.assertLess(abs(line["overlap_start"] - 1e-4), 1e-12)

    def test_diverging_force(self):
        """A force that grows without bound ends the run with a dump, not with frames that are not numbers."""
        force = {"body": "box", "force": [1e300, 0, 0], "factor": {"times": [0, 0.0499, 0.05], "values": [0, 0, 1e8]}}
        scene = box_scene(loads=[force], duration=1)
        scene["loads"][0]["factor"]["value"] = 0
        line = self.run_scene(scene, "-o", "a.crn", "--csv", "a.csv", code=1)
        self.assertEqual(line["outcome"], "diverged")
        self.assertTrue(0 < line["steps"] < 10, line["steps"])
        self.assertTrue(line["message"])
        _, frames = read_recording((self.folder / "a.crn").read_bytes())
        self.assertEqual(len(frames), line["steps"] + 1)
        self.assertEqual(len(self.rows("a.csv")), line["steps"])
        self.assertIsNone(line["dump"])  # the free motion diverged: there is no problem to dump
        text = self.good(1, "sim", "scene.json")
        self.assertIn(f"outcome      diverged at step {line['steps'] + 1}, t = ", text)
        self.assertIn("not dumped   the step got no further than its forces", text)

    def test_unsolved_steps(self):
        """A tolerance that no arithmetic reaches: every step is told as not solved, and dumped as far as asked for."""
        scene = box_scene(solver={"tol": 1e-300}, duration=0.3)
        scene["bodies"][1]["velocity"] = [1, 0.3, 0]
        line = self.run_scene(scene, "--dump", "dumps", code=1)
        self.assertEqual(line["outcome"], "unsolved")
        self.assertEqual(line["certified_steps"] + line["unsolved_steps"], line["steps"])
        self.assertGreater(line["unsolved_steps"], 0)
        fault, = line["uncertified"]
        self.assertEqual((fault["reason"], fault["steps"]), ("problem", line["unsolved_steps"]))
        self.assertGreater(fault["worst"], 0)
        self.assertGreaterEqual(fault["worst_step"], fault["first_step"])
        dumps = sorted(path.name for path in (self.folder / "dumps").iterdir())
        self.assertEqual(len(dumps), min(20, line["unsolved_steps"]))
        self.good(0, "contact", f"dumps/{dumps[0]}", "--cone", "round")
        text = self.good(1, "sim", "scene.json")
        self.assertIn(f"outcome      not solved: {line['unsolved_steps']} of 30 steps, the first is step ", text)
        self.assertIn(f"uncertified  {line['unsolved_steps']}: problem {line['unsolved_steps']} (worst ", text)

    def test_bad_usage(self):
        self.bad("no scene given", "sim")
        self.bad("unexpected argument 'b'", "sim", "a", "b")
        self.bad("unknown option '--schema'; did you mean --scheme?", "sim", BOX, "--schema", "x")
        self.bad("unknown scheme 'convx'; did you mean convex?", "sim", BOX, "--scheme", "convx")
        self.bad("unknown method 'x'", "sim", BOX, "--method", "x")
        self.bad("unknown cone 'x'", "sim", BOX, "--cone", "x")
        for value in ["0", "-1", "nan", "inf", "x", ""]:
            self.bad("--dt: ", "sim", BOX, "--dt", value)
            self.bad("--time: ", "sim", BOX, "--time", value)
        self.bad("--every: '0' is not an integer", "sim", BOX, "--every", "0")
        self.bad("--strict does not go with --write", "sim", BOX, "--write", "a.json", "--strict")
        self.bad("-o does not go with --list", "sim", "--list", "-o", "a.crn")
        self.bad("'x' does not go with --list", "sim", "--list", "x")
        self.bad("name the same file", "sim", BOX, "-o", "a", "--csv", "a")
        self.bad("steps are too many", "sim", BOX, "--dt", "1e-12", "--time", "1e6")

    def test_bad_input(self):
        self.bad("gallery: there is no scene 'box-on-flor'; did you mean box-on-floor?", "sim", "gallery:box-on-flor")
        self.bad("missing.json: cannot be opened", "sim", "missing.json")
        wrong = box_scene()
        wrong["bodies"][1]["mass"] = -1
        self.save("wrong.json", wrong)
        self.bad(["wrong.json", "bodies[1].mass"], "sim", "wrong.json")
        self.bad("no/a.crn: cannot be written", "sim", BOX, "-o", "no/a.crn", "--csv", "a.csv")
        self.bad("no/a.csv: cannot be written", "sim", BOX, "-o", "a.crn", "--csv", "no/a.csv")
        self.bad("no/a.json: cannot be written", "sim", BOX, "--write", "no/a.json")

    def test_nothing_to_dump(self):
        """The force is too large from the beginning."""
        scene = box_scene(loads=[{"body": "box", "force": [1e308, 0, 0], "factor": 1e300}])
        line = self.run_scene(scene, code=1)
        self.assertEqual((line["outcome"], line["steps"], line["dump"]), ("diverged", 0, None))
        self.assertEqual(line["poses"][1], [0, 0, 0.1, 1, 0, 0, 0])
        self.assertIn("not dumped   ", self.good(1, "sim", "scene.json"))


if __name__ == "__main__":
    run_tests(__doc__)
