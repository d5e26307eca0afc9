#!/usr/bin/env python3
"""`cairn export`: recordings as CSV and glTF, whole, cut off, damaged, and files that are none.

    tests/cli/test_export.py build/cairn [TEST ...]
"""
import csv
import json
import struct

from cli_case import Case, run_tests
from recording import read_recording

SCENE = {"name": "drop", "bodies": [
    {"name": "floor", "kind": "fixed", "shapes": [{"kind": "plane"}]},
    {"name": "ball, red", "position": [0, 0, 5], "shapes": [{"kind": "sphere", "radius": 0.5}]},
    {"position": [3, 0, 5], "shapes": [{"kind": "box", "half": [0.1, 0.2, 0.3]}]}]}
FRAMES = 11


def read_glb(path):
    """The JSON of a .glb whose chunks fill the file."""
    data = path.read_bytes()
    magic, version, length, json_length, kind = struct.unpack_from("<4sIIII", data)
    assert (magic, version, length, kind) == (b"glTF", 2, len(data), 0x4E4F534A)
    bin_length, bin_kind = struct.unpack_from("<II", data, 20 + json_length)
    assert bin_kind == 0x004E4942 and 28 + json_length + bin_length == len(data)
    return json.loads(data[20:20 + json_length])


class Export(Case):
    def setUp(self):
        super().setUp()
        (self.folder / "drop.json").write_text(json.dumps(SCENE))
        self.good(0, "sim", "drop.json", "-o", "drop.crn", "--dt", "0.01", "--time", "0.1")

    def before_end(self, frames, data):
        """A byte within a frame: so many whole frames, and the end, follow it."""
        size = 64 + 8 * len(read_recording(data)[0]["figures"]) + 3 * 56 + 8
        return -(24 + frames * size + 100)

    def names(self):
        return sorted(path.name for path in self.folder.iterdir())

    def warned(self, words, *arguments):
        """Run, expect success and one warning line with these words; returns standard output."""
        done = self.run_cairn("export", *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertTrue(done.stderr.startswith("cairn: warning: "), done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)
        return done.stdout

    def rows(self, name):
        with open(self.folder / name, newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def test_csv(self):
        said = self.good(0, "export", "drop.crn", "-o", "drop.csv")
        self.assertIn("drop.csv", said)
        rows = self.rows("drop.csv")
        self.assertEqual(len(rows), FRAMES)
        self.assertEqual(float(rows[0]["ball, red.z"]), 5.0)
        self.assertEqual(float(rows[0]["body2.x"]), 3.0)  # without a name: its number
        for k, row in enumerate(rows):  # semi-implicit: v = -g h k, so z = 5 - g h^2 k (k + 1) / 2
            self.assertAlmostEqual(float(row["time"]), 0.01 * k, delta=1e-12)
            self.assertAlmostEqual(float(row["ball, red.z"]), 5 - 9.81e-4 * k * k / 2, delta=1e-12)
        self.assertEqual(self.names(), ["drop.crn", "drop.csv", "drop.json"])

    def test_gltf(self):
        self.good(0, "export", "drop.crn", "-o", "drop.glb")
        file = read_glb(self.folder / "drop.glb")
        self.assertEqual([node["name"] for node in file["nodes"]], ["drop", "floor", "ball, red", "body2"])
        self.assertEqual({c["target"]["node"] for c in file["animations"][0]["channels"]}, {2, 3})
        self.assertEqual(self.names(), ["drop.crn", "drop.glb", "drop.json"])

    def test_same_input_same_bytes(self):
        for ending in ["csv", "glb"]:
            for name in ["a", "b"]:
                self.good(0, "export", "drop.crn", "-o", f"{name}.{ending}")
            self.assertEqual((self.folder / f"a.{ending}").read_bytes(), (self.folder / f"b.{ending}").read_bytes())

    def test_json(self):
        told = json.loads(self.good(0, "export", "drop.crn", "-o", "x.GLB", "--json"))
        self.assertEqual(told, {"recording": "drop.crn", "written": "x.GLB", "frames": FRAMES, "bodies": 3,
                                "pictures": 0, "width": 0, "height": 0, "ending": "finished"})

    def test_help(self):
        said = self.good(0, "export", "--help")
        for words in ["usage: cairn export RECORDING.crn -o FILE", ".csv", ".glb", "--json"]:
            self.assertIn(words, said)
        self.assertIn("export", self.good(0, "--help"))

    def test_cut_off(self):
        whole = (self.folder / "drop.crn").read_bytes()
        (self.folder / "cut.crn").write_bytes(whole[:self.before_end(1, whole)])
        self.warned(["cut.crn", "cut", "9 whole frames"], "cut.crn", "-o", "cut.csv")
        self.assertEqual(len(self.rows("cut.csv")), 9)
        told = json.loads(self.warned(["cut.crn"], "cut.crn", "-o", "cut.glb", "--json"))
        self.assertEqual((told["frames"], told["ending"]), (9, "cut"))
        read_glb(self.folder / "cut.glb")

    def test_damaged(self):
        data = bytearray((self.folder / "drop.crn").read_bytes())
        data[self.before_end(2, data)] ^= 1
        (self.folder / "odd.crn").write_bytes(data)
        self.warned(["odd.crn", "damaged", "8 whole frames"], "odd.crn", "-o", "odd.csv")
        self.assertEqual(len(self.rows("odd.csv")), 8)

    def test_no_recording(self):
        (self.folder / "text.crn").write_text("this is no recording, but long enough to hold the header of one" * 3)
        (self.folder / "empty.crn").write_bytes(b"")
        newer = bytearray((self.folder / "drop.crn").read_bytes())
        newer[8] = 99
        (self.folder / "newer.crn").write_bytes(newer)
        self.bad("text.crn", "export", "text.crn", "-o", "x.csv")
        self.bad("empty.crn", "export", "empty.crn", "-o", "x.glb")
        self.bad(["newer.crn", "99"], "export", "newer.crn", "-o", "x.glb")
        self.bad("missing.crn", "export", "missing.crn", "-o", "x.glb")

    def test_bad_usage(self):
        self.bad("no recording given", "export")
        self.bad("no -o FILE given", "export", "drop.crn")
        self.bad(["x.txt", "unknown ending", ".csv", ".glb"], "export", "drop.crn", "-o", "x.txt")
        self.bad("unknown ending", "export", "drop.crn", "-o", ".csv")
        self.bad("--nothing", "export", "drop.crn", "-o", "x.csv", "--nothing")
        self.bad("no/x.csv", "export", "drop.crn", "-o", "no/x.csv")
        self.bad("no/x.glb", "export", "drop.crn", "-o", "no/x.glb")
        (self.folder / "self.csv").write_bytes((self.folder / "drop.crn").read_bytes())
        self.bad("is an input of this command", "export", "self.csv", "-o", "self.csv")

    def test_what_was_there_stays_if_it_fails(self):
        (self.folder / "x.glb").write_text("before")
        (self.folder / "text.crn").write_text("no recording")
        self.bad("text.crn", "export", "text.crn", "-o", "x.glb")
        self.assertEqual((self.folder / "x.glb").read_text(), "before")


if __name__ == "__main__":
    run_tests(__doc__)
