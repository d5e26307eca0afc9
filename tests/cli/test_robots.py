#!/usr/bin/env python3
"""`cairn sim` with robots: URDF files alone and in scenes.

    tests/cli/test_robots.py build/cairn [TEST ...]
"""
import json
import math

from cli_case import Case, run_tests

INERTIAL = "<inertial><mass value='{}'/><inertia ixx='0.1' iyy='0.1' izz='0.1'/></inertial>"
BALL = "<collision><origin xyz='0 0 {}'/><geometry><sphere radius='0.1'/></geometry></collision>"
# Two balls on a hinge: 2 kg above, 1 kg below, whose lowest point is 0.6 m below the root.
ROBOT = ("<robot name='two'>\n<gazebo/>\n<link name='base'>" + INERTIAL.format(2) + BALL.format(0) + "</link>\n"
         "<link name='leg'>" + INERTIAL.format(1) + BALL.format(-0.5) + "</link>\n"
         "<joint name='hip' type='continuous'><parent link='base'/><child link='leg'/><axis xyz='0 1 0'/></joint></robot>")
WARNING = "cairn: warning: {}:2: <gazebo>: is not supported and left out\n"


class Robots(Case):
    def put(self, name, text):
        (self.folder / name).write_text(text)

    def sim(self, code, *arguments):
        """Run with --json; returns the object and what was said."""
        done = self.run_cairn("sim", *arguments, "--json")
        self.assertEqual(done.returncode, code, done.stderr)
        return json.loads(done.stdout), done.stderr

    def test_floats_onto_a_floor(self):
        self.put("two.urdf", ROBOT)
        result, said = self.sim(0, "two.urdf", "--time", "0.5")
        self.assertEqual(said, WARNING.format("two.urdf"))  # once, and nothing else
        self.assertEqual(result["name"], "two.urdf")
        self.assertEqual(result["body_names"], ["base", "leg", "floor"])
        self.assertEqual((result["free_bodies"], result["joints"]), (2, 1))
        self.assertEqual(result["poses"][2][2], -0.6)  # touched by the lowest point
        self.assertLess(result["overlap_start"], 1e-12)
        self.assertEqual(result["certified_steps"], result["steps"])
        self.assertLess(result["penetration_worst"], 1e-6)
        self.assertGreater(result["contacts_max"], 0)

    def test_no_floor(self):
        self.put("two.urdf", ROBOT)
        result, _ = self.sim(0, "two.urdf", "--no-floor", "--time", "1", "--dt", "0.001")
        self.assertEqual(result["body_names"], ["base", "leg"])
        self.assertAlmostEqual(result["poses"][0][2], -0.5 * 9.81, delta=0.01)  # it falls
        self.assertEqual(result["contacts_max"], 0)

    def test_fixed(self):
        self.put("two.urdf", ROBOT)
        result, _ = self.sim(0, "two.urdf", "--fixed", "--time", "0.2")
        self.assertEqual(result["body_names"], ["base", "leg"])  # and needs no floor
        self.assertEqual(result["free_bodies"], 1)
        self.assertEqual(result["poses"][0][:3], [0, 0, 0])

    def test_a_file_of_ground_gets_no_floor(self):
        self.put("slab.urdf", "<robot><link name='slab'><collision><geometry><box size='1 1 1'/></geometry></collision>"
                              "</link></robot>")
        result, said = self.sim(0, "slab.urdf", "--time", "0.1")
        self.assertEqual(result["body_names"], ["slab"])
        self.assertIn("is the root and has no mass: it is fixed to the world", said)

    def test_self_collision(self):
        self.put("two.urdf", ROBOT)
        for options, masks in [([], False), (["--self-collision"], True)]:
            done = self.run_cairn("sim", "two.urdf", "--write", "two.json", *options)
            self.assertEqual(done.returncode, 0, done.stderr)
            scene = json.loads((self.folder / "two.json").read_text())
            self.assertEqual("mask" not in scene["bodies"][0]["shapes"][0], masks)

    def test_strict(self):
        self.put("pivot.xml", "<mujoco><worldbody>\n<body><freejoint/><geom type='sphere' size='1' condim='4'/></body>"
                 "</worldbody></mujoco>")
        result, said = self.sim(0, "pivot.xml", "--time", "0.1")
        self.assertIn("pivot.xml:2: <geom> condim: 4: torsional and rolling friction are not supported, taken as 3", said)
        self.bad("taken as 3: refused, since options are strict; without --strict it is a warning", "sim", "pivot.xml", "--strict")

    def test_missing_meshes(self):
        self.put("mesh.urdf", "<robot><link name='a'>" + INERTIAL.format(1) + "\n<collision><geometry>"
                 "<mesh filename='package://p/a.obj'/></geometry></collision>" + BALL.format(0) + "</link></robot>")
        self.bad("mesh.urdf:2: <mesh>: there is no file 'package://p/a.obj'; see --packages and --skip-meshes", "sim", "mesh.urdf")
        result, said = self.sim(0, "mesh.urdf", "--skip-meshes", "--time", "0.1")
        self.assertIn("the shape is left out", said)
        self.assertEqual(result["free_bodies"], 1)
        (self.folder / "p").mkdir()
        self.put("p/a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
        self.assertEqual(self.sim(0, "mesh.urdf", "--time", "0.1")[1], "")
        (self.folder / "p").rename(self.folder / "elsewhere")
        self.assertEqual(self.sim(0, "mesh.urdf", "--packages", "elsewhere", "--time", "0.1")[1], "")

    def test_in_a_scene(self):
        (self.folder / "robots").mkdir()
        self.put("robots/two.urdf", ROBOT)
        self.put("scene.json", json.dumps({
            "duration": 0.3, "bodies": [{"name": "ground", "kind": "fixed", "shapes": [{"kind": "plane"}]}],
            "models": [{"file": "robots/two.urdf", "prefix": "a/", "position": [0, 0, 0.6]},
                       {"file": "robots/two.urdf", "prefix": "b/", "position": [1, 0, 0.6], "fixed": True}],
            "measure": [{"kind": "joint_coordinate", "joint": "b/hip"}]}))
        result, said = self.sim(0, "scene.json")
        self.assertEqual(said, 2 * WARNING.format("robots/two.urdf"))
        self.assertEqual(result["body_names"], ["ground", "a/base", "a/leg", "b/base", "b/leg"])
        self.assertEqual(result["certified_steps"], result["steps"])
        # what is written stands alone and moves the same
        done = self.run_cairn("sim", "scene.json", "--write", "whole.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("models", json.loads((self.folder / "whole.json").read_text()))
        (self.folder / "robots/two.urdf").unlink()
        again, said = self.sim(0, "whole.json")
        self.assertEqual(said, "")
        self.assertEqual(again["hash"], result["hash"])

    def test_wrong(self):
        self.put("wrong.urdf", "<robot>\n<link name='a'/>\n<link name='b'/></robot>")
        self.put("odd.xml", "<sdf/>")
        self.put("cut.urdf", "<robot>\n<link")
        self.bad("wrong.urdf:3: <link>: 'b' is the child of no joint", "sim", "wrong.urdf")
        self.bad("odd.xml:1: <sdf>: is neither <robot> (URDF) nor <mujoco> (MJCF)", "sim", "odd.xml")
        self.bad("cut.urdf:2: syntax", "sim", "cut.urdf")
        self.bad("none.urdf: cannot be opened", "sim", "none.urdf")
        for option in ["--fixed", "--no-floor", "--self-collision", "--skip-meshes"]:
            self.bad(f"{option} is for robots", "sim", "gallery:box-on-floor", option)
        self.bad("--packages is for robots", "sim", "--list", "--packages", "x")

    def test_key_and_controls(self):
        self.put("arm.xml", "<mujoco><option gravity='0 0 0'/><worldbody><body name='arm'><joint name='j' axis='0 0 1'/>"
                            "<geom type='box' size='0.5 0.1 0.1' mass='3'/></body></worldbody>"
                            "<actuator><motor name='m' joint='j'/></actuator>"
                            "<keyframe><key name='home' qpos='0.5' qvel='2'/></keyframe></mujoco>")
        result, _ = self.sim(0, "arm.xml", "--time", "0.002", "--key", "home")
        arm = result["poses"][result["body_names"].index("arm")]
        self.assertAlmostEqual(2 * math.atan2(arm[6], arm[3]), 0.5 + 0.002 * 2, delta=1e-6)
        inertia = 3 * (1 + 0.04) / 12
        for name in ("m", "0"):
            result, _ = self.sim(0, "arm.xml", "--time", "1", "--dt", "0.01", "--ctrl", name + "=0.26")
            arm = result["poses"][result["body_names"].index("arm")]
            self.assertAlmostEqual(2 * math.atan2(arm[6], arm[3]), 0.5 * 0.26 / inertia, delta=1e-4)
        result, _ = self.sim(0, "arm.xml", "--time", "1", "--dt", "0.01", "--ctrl", "m=0.26", "--set",
                             "actuators.m.gain=2,bodies.arm.inertia=[1, 1, 0.52]")
        arm = result["poses"][result["body_names"].index("arm")]
        self.assertAlmostEqual(2 * math.atan2(arm[6], arm[3]), 0.5, delta=1e-4)
        for arguments, message in ((("--set", "bodies.amr.mass=1"), "sim: --set bodies.amr.mass: there is no 'amr'"),
                                   (("--set", "mass"), "sim: --set: 'mass' is not PLACE=VALUE"),
                                   (("--key", "x"), "sim: --key: there is no key 'x'; there are: home"),
                                   (("--ctrl", "x=1"), "sim: --ctrl: there is no actuator 'x'"),
                                   (("--ctrl", "m"), "sim: --ctrl: 'm' is not NAME=VALUE"),
                                   (("--ctrl", "m=1,m=nan"), "sim: --ctrl: m: 'nan' is not a control")):
            done = self.run_cairn("sim", "arm.xml", *arguments)
            self.assertEqual(done.returncode, 2)
            self.assertEqual(done.stderr.splitlines()[-1], "cairn: " + message)

    def test_info_of_a_robot(self):
        self.put("arm.xml", "<mujoco><worldbody><body name='arm'><joint name='j' axis='0 0 1' range='-90 90'/><site name='tip'/>"
                            "<geom type='box' size='0.5 0.1 0.1' mass='3'/></body></worldbody>"
                            "<actuator><motor name='m' joint='j' ctrlrange='-1 1'/></actuator><sensor><gyro name='g' site='tip'/></sensor>"
                            "<keyframe><key name='home'/></keyframe></mujoco>")
        text = self.good(0, "info", "arm.xml")
        self.assertEqual(text, "arm.xml: 1 bodies of 3 kg, 1 joints\n  arm  3 kg  by hinge j [-1.571, 1.571]\n"
                               "sites      1\n  tip  on arm\ntendons    0\nactuators  1\n  0 m  force of j, gain 1, control -1 to 1\n"
                               "keys       1\n  home\nmeasures   1\n  0 g  gyro, 3 numbers\n")
        result = json.loads(self.good(0, "info", "arm.xml", "--json"))
        self.assertEqual(result, {"scene": "arm.xml", "mass": 3, "bodies": ["arm"], "joints": ["j"], "sites": ["tip"],
                                  "tendons": [], "actuators": ["m"], "keys": ["home"], "measures": ["g"]})
        self.bad("nowhere.xml", "info", "nowhere.xml")

    def test_info(self):
        self.assertIn("urdf", self.good(0, "info", "--json"))


if __name__ == "__main__":
    run_tests(__doc__)
