"""cairn view and cairn sim --html: the page holds the recording, rounded, and says what is missing."""
import base64
import json
import math
import re
import struct
import zlib

from cli_case import Case, run_tests
from recording import read_recording

BOX = "gallery:box-on-floor"


def page_parts(text):
    """What the page says, and the bytes of its recording."""
    said = re.findall(r'<script type="application/json" id="cairn-page">(.*?)</script>', text, re.S)
    held = re.findall(r'<script type="text/plain" id="cairn-recording" data-encoding="deflate-base64">(.*?)</script>', text)
    assert len(said) == 1 and len(held) == 1, (len(said), len(held))
    return json.loads(said[0]), zlib.decompress(base64.b64decode(held[0], validate=True))


class Page(Case):
    def setUp(self):
        super().setUp()
        if self.run_cairn("view", "x.crn").stderr.count("without the page"):
            self.skipTest("built without the page")

    def page(self, name="page.html"):
        said, held = page_parts((self.folder / name).read_text())
        return said, read_recording(held)

    def test_holds_the_recording(self):
        """Every sixth frame of 0.01 s steps would be too few: 60 a second asks for every second one."""
        self.good(0, "sim", "gallery:hinged-boxes", "--time", "0.4", "--dt", "0.01", "-o", "x.crn")
        self.good(0, "view", "x.crn", "-o", "page.html")
        header, whole = read_recording((self.folder / "x.crn").read_bytes())
        said, (film_header, film) = self.page()
        self.assertEqual(said["warning"], "")
        self.assertEqual(said["title"], header["scene"]["name"])
        self.assertEqual(film_header["scene"], header["scene"])
        self.assertEqual((film_header["every"], len(film)), (2, 21))
        for frame, original in zip(film, whole[::2]):
            self.assertEqual((frame["step"], frame["time"], list(frame["figures"])),
                             (original["step"], original["time"], list(original["figures"])))
            self.near_all(sum(frame["poses"], list(frame["figures"].values())),
                          sum(original["poses"], list(original["figures"].values())), 1e-6)
            self.assertEqual(len(frame["contacts"]), len(original["contacts"]))
            for shown, true in zip(frame["contacts"], original["contacts"]):
                self.assertEqual(shown[:4], true[:4])
                self.near_all(shown[4:], true[4:], 1e-3)

    def near_all(self, shown, true, tolerance):
        self.assertTrue(all(math.isclose(a, b, rel_tol=tolerance) for a, b in zip(shown, true)), (shown, true))

    def test_another_beside_it(self):
        self.good(0, "sim", BOX, "--time", "0.2", "-o", "a.crn")
        self.good(0, "sim", "gallery:bounce", "--time", "0.3", "-o", "b.crn")
        self.good(0, "view", "a.crn", "--compare", "b.crn", "-o", "page.html")
        said, (header, _) = self.page()
        self.assertEqual(header["scene"]["name"], "box-on-floor")
        held = re.findall(r'id="cairn-other" data-encoding="deflate-base64">(.*?)</script>', (self.folder / "page.html").read_text())
        other, _ = read_recording(zlib.decompress(base64.b64decode(held[0], validate=True)))
        self.assertEqual((len(held), other["scene"]["name"]), (1, "bounce"))
        self.bad(["none.crn: cannot be opened"], "view", "a.crn", "--compare", "none.crn", "-o", "other.html")

    def test_joints_actuators_and_probes_are_measured(self):
        scene = {"bodies": [{"mass": 1, "inertia": [0.1, 0.1, 0.1], "position": [0, 0, -0.5], "shapes": []}],
                 "joints": [{"kind": "hinge", "a": -1, "b": 0, "in_tree": True, "point": [0, 0, 0], "axis": [0, 1, 0]}],
                 "actuators": [{"joint": 0, "gain": 3, "control": 0.5}],
                 "measure": [{"kind": "joint_coordinate", "joint": 0}, {"kind": "velocity", "body": 0}]}
        (self.folder / "arm.json").write_text(json.dumps(scene))
        self.good(0, "sim", "arm.json", "--time", "0.3", "-o", "x.crn", "--html", "page.html")
        _, frames = read_recording((self.folder / "x.crn").read_bytes())
        for frame in frames:
            told = {name[8:]: value for name, value in frame["figures"].items() if name.startswith("measure.")}
            self.assertEqual(list(told), ["probe.0.0", "probe.1.0", "probe.1.1", "probe.1.2", "joint.0.0", "control.0", "actuator.0",
                                          "joint_speed.0.0"])
            angle, (w, y) = told["joint.0.0"], (frame["poses"][0][3], frame["poses"][0][5])
            self.assertAlmostEqual(angle, 2 * math.atan2(y, w), delta=1e-12)
            self.assertEqual((told["probe.0.0"], told["control.0"], told["actuator.0"]), (angle, 0.5, 1.5))
            self.assertAlmostEqual(told["probe.1.0"], -0.5 * math.cos(angle) * told["joint_speed.0.0"], delta=1e-12)
        self.assertGreater(frames[-1]["figures"]["measure.joint.0.0"], 0.05)
        _, (_, film) = self.page()
        self.assertAlmostEqual(film[-1]["figures"]["measure.joint.0.0"], frames[-1]["figures"]["measure.joint.0.0"], delta=1e-6)

    def test_frames_per_second(self):
        self.good(0, "sim", BOX, "--time", "1", "--dt", "0.01", "-o", "x.crn")
        for fps, frames in [("100", 101), ("50", 51), ("10", 11), ("1", 2)]:
            told = json.loads(self.good(0, "view", "x.crn", "-o", "page.html", "--fps", fps, "--json"))
            self.assertEqual((told["frames"], told["frames_recorded"]), (frames, 101))
            self.assertEqual(told["bytes"], (self.folder / "page.html").stat().st_size)
            self.assertEqual(len(self.page()[1][1]), frames)

    def test_default_name_and_title(self):
        self.good(0, "sim", BOX, "--time", "0.1", "-o", "x.crn")
        self.good(0, "view", "x.crn", "--title", "A <b>box</b> & </script><script>alert(1)</script>")
        said, (_, film) = self.page("x.html")
        self.assertEqual(said["title"], "A <b>box</b> & </script><script>alert(1)</script>")
        self.assertEqual((said["home"], said["cards"]), ("", []))
        self.assertGreater(len(film), 1)

    def test_needs_nothing_else(self):
        """No address of another place: the page works from a file, without a network."""
        self.good(0, "sim", BOX, "--time", "0.1", "--html", "page.html")
        text = (self.folder / "page.html").read_text()
        markup = re.sub(r"<script.*?</script>|<style.*?</style>", "", text, flags=re.S)
        self.assertEqual(re.findall(r"(?:src|href)\s*=", markup), [])
        self.assertEqual(re.findall(r"@import|url\(\s*['\"]?https?:", text), [])

    def test_sim_writes_a_page_only(self):
        told = json.loads(self.good(0, "sim", "gallery:table-4", "--time", "0.5", "--html", "page.html", "--json"))
        self.assertEqual((told["page"], told["recording"]), ("page.html", None))
        self.assertEqual([path.name for path in self.folder.iterdir()], ["page.html"])
        said, (_, film) = self.page()
        self.assertIn("legs", said["about"])
        note = film[-1]["note"]
        self.assertEqual(len(note["vertex"]), len(note["even"]))
        self.assertEqual(len(note["contact"]), len(film[-1]["contacts"]))

    def test_sim_writes_both(self):
        """The recording has every step; the page is of its frames, with notes where it takes them."""
        self.good(0, "sim", "gallery:table-4", "--time", "0.2", "--dt", "0.005", "-o", "x.crn", "--html", "page.html")
        _, whole = read_recording((self.folder / "x.crn").read_bytes())
        _, film = self.page()[1]
        self.assertEqual([frame["step"] for frame in whole], list(range(41)))
        self.assertEqual([frame["step"] for frame in film], list(range(0, 41, 3)))
        self.assertTrue(all(frame["note"] for frame in film[1:]))
        self.assertEqual([frame["step"] for frame in whole if frame["note"]], list(range(3, 41, 3)))

    def test_notes_change_nothing(self):
        hashes = set()
        for options in [[], ["--notes", "-o", "x.crn"], ["--html", "page.html"]]:
            hashes.add(json.loads(self.good(0, "sim", "gallery:table-8", "--time", "0.3", "--json", *options))["hash"])
        self.assertEqual(len(hashes), 1)

    def test_large_piles_keep_what_carries(self):
        self.good(0, "sim", "gallery:stack-30", "--time", "0.2", "-o", "x.crn")
        self.good(0, "view", "x.crn", "-o", "page.html")
        for frame in self.page()[1][1][1:]:
            self.assertTrue(all(touch[2] != 0 for touch in frame["contacts"]))
            self.assertIsNone(frame["note"])


class Bad(Case):
    def setUp(self):
        super().setUp()
        if self.run_cairn("view", "x.crn").stderr.count("without the page"):
            self.skipTest("built without the page")
        self.good(0, "sim", BOX, "--time", "0.2", "-o", "x.crn")
        self.whole = (self.folder / "x.crn").read_bytes()

    def view_broken(self, data, words):
        """The page is written, the warning is on standard error and in the page; returns the page's frames."""
        (self.folder / "y.crn").write_bytes(data)
        done = self.run_cairn("view", "y.crn", "-o", "y.html")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1)
        said, held = page_parts((self.folder / "y.html").read_text())
        for place in (done.stderr, said["warning"]):
            self.assertIn(words, place)
        self.assertIn("y.crn", done.stderr)
        return read_recording(held)[1]

    def test_cut_off(self):
        frames = self.view_broken(self.whole[:len(self.whole) // 2], "is cut off")
        self.assertTrue(0 < len(frames) < 21)

    def test_no_end(self):
        self.assertEqual(len(self.view_broken(self.whole[:-24], "no end mark")), 11)

    def test_damaged(self):
        data = bytearray(self.whole)
        data[len(data) * 3 // 4] ^= 4
        self.assertTrue(0 < len(self.view_broken(bytes(data), "damaged")) < 11)

    def test_cannot_be_shown(self):
        other = bytearray(self.whole)
        other[8] = 9
        cases = {"text.crn": (b"{}", "not a recording"), "empty.crn": (b"", "empty"),
                 "short.crn": (self.whole[:40], "cut off within the header"),
                 "version.crn": (bytes(other), "version 9; this library reads versions 1 to 3"),
                 "header.crn": (self.whole[:64] + b"?" + self.whole[65:], "checksum")}
        for name, (data, words) in cases.items():
            (self.folder / name).write_bytes(data)
            self.bad([name, words], "view", name, "-o", "z.html")
        self.bad("cannot be opened", "view", "gone.crn")

    def test_no_frame(self):
        texts = struct.unpack_from("<QQ", self.whole, 40)  # bytes of scene and list of figures
        (self.folder / "none.crn").write_bytes(self.whole[:64 + sum((size + 7) // 8 * 8 for size in texts)])
        done = self.run_cairn("view", "none.crn")
        self.assertEqual(done.returncode, 2)
        self.assertIn("there is no whole frame", done.stderr)

    def test_usage(self):
        self.bad("no recording given", "view")
        self.bad("is an input of this command", "view", "x.crn", "-o", "x.crn")
        self.bad("--fps", "view", "x.crn", "--fps", "0")
        self.bad("cannot be written", "view", "x.crn", "-o", "nowhere/y.html")
        self.bad("cannot be written", "sim", BOX, "--time", "0.1", "--html", "nowhere/y.html")
        self.bad("-o and --html name the same file", "sim", BOX, "--html", "a", "-o", "a")
        self.bad("--html does not go with --list", "sim", "--list", "--html", "a")


if __name__ == "__main__":
    run_tests(__doc__)
