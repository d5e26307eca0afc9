"""cairn view and cairn sim --html: the page holds the recording, rounded, and says what is missing."""
import base64
import json
import math
import re
import struct
import zlib

from cli_case import Case, run_tests

BOX = "gallery:box-on-floor"


def page_parts(text):
    """What the page says, and the bytes of its recording."""
    said = re.findall(r'<script type="application/json" id="cairn-page">(.*?)</script>', text, re.S)
    held = re.findall(r'<script type="text/plain" id="cairn-recording" data-encoding="deflate-base64">(.*?)</script>', text)
    assert len(said) == 1 and len(held) == 1, (len(said), len(held))
    return json.loads(said[0]), zlib.decompress(base64.b64decode(held[0], validate=True))


class Frame:
    def __init__(self, data, at, bodies, seal):
        self.contacts, = struct.unpack_from("<I", data, at + 4)
        self.step, self.time = struct.unpack_from("<qd", data, at + 16)
        note_size, = struct.unpack_from("<i", data, at + 60)
        self.figures = struct.unpack_from("<7d", data, at + 64)
        self.poses = struct.unpack_from(f"<{7 * bodies}d", data, at + 128)
        start = at + 128 + 56 * bodies
        self.touch = [struct.unpack_from("<3i4x10d", data, start + 96 * i) for i in range(self.contacts)]
        start += 96 * self.contacts
        self.note = json.loads(data[start:start + note_size]) if note_size else None
        self.end = start + (note_size + 7) // 8 * 8
        checksum, = struct.unpack_from("<I", data, self.end)
        assert checksum == zlib.crc32(data[at:self.end], seal)
        self.end += 8


def read_recording(data):
    """All frames, by docs/guide/recordings.md and not by the program's reader."""
    bodies, = struct.unpack_from("<I", data, 20)
    every, = struct.unpack_from("<I", data, 32)
    scene_size, = struct.unpack_from("<Q", data, 40)
    seal, = struct.unpack_from("<I", data, 60)
    at, frames = 64 + (scene_size + 7) // 8 * 8, []
    while data[at:at + 4] == b"FRME":
        frames.append(Frame(data, at, bodies, seal))
        at = frames[-1].end
    return {"every": every, "scene": data[64:64 + scene_size], "frames": frames, "is_ended": data[at:at + 4] == b"ENDS"}


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
        whole = read_recording((self.folder / "x.crn").read_bytes())
        said, film = self.page()
        self.assertEqual(said["warning"], "")
        self.assertEqual(said["title"], json.loads(whole["scene"])["name"])
        self.assertEqual(film["scene"], whole["scene"])
        self.assertTrue(film["is_ended"])
        self.assertEqual((film["every"], len(film["frames"])), (2, 21))
        for i, frame in enumerate(film["frames"]):
            original = whole["frames"][2 * i]
            self.assertEqual((frame.step, frame.time), (original.step, original.time))
            self.assertEqual(frame.contacts, original.contacts)
            for shown, true in zip(frame.poses + frame.figures, original.poses + original.figures):
                self.assertTrue(math.isclose(shown, true, rel_tol=1e-6), (i, shown, true))
            for shown, true in zip(frame.touch, original.touch):
                self.assertEqual(shown[:3], true[:3])
                self.assertTrue(all(math.isclose(a, b, rel_tol=1e-3) for a, b in zip(shown[3:], true[3:])), (shown, true))

    def test_frames_per_second(self):
        self.good(0, "sim", BOX, "--time", "1", "--dt", "0.01", "-o", "x.crn")
        for fps, frames in [("100", 101), ("50", 51), ("10", 11), ("1", 2)]:
            told = json.loads(self.good(0, "view", "x.crn", "-o", "page.html", "--fps", fps, "--json"))
            self.assertEqual((told["frames"], told["frames_recorded"]), (frames, 101))
            self.assertEqual(told["bytes"], (self.folder / "page.html").stat().st_size)
            self.assertEqual(len(self.page()[1]["frames"]), frames)

    def test_default_name_and_title(self):
        self.good(0, "sim", BOX, "--time", "0.1", "-o", "x.crn")
        self.good(0, "view", "x.crn", "--title", "A <b>box</b> & </script><script>alert(1)</script>")
        said, film = self.page("x.html")
        self.assertEqual(said["title"], "A <b>box</b> & </script><script>alert(1)</script>")
        self.assertEqual((said["home"], said["cards"]), ("", []))
        self.assertGreater(len(film["frames"]), 1)

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
        said, film = self.page()
        self.assertIn("legs", said["about"])
        last = film["frames"][-1]
        self.assertEqual(len(last.note["vertex"]), len(last.note["even"]))
        self.assertEqual(len(last.note["contact"]), last.contacts)

    def test_sim_writes_both(self):
        """The recording has every step; the page is of its frames, with notes where it takes them."""
        self.good(0, "sim", "gallery:table-4", "--time", "0.2", "--dt", "0.005", "-o", "x.crn", "--html", "page.html")
        whole = read_recording((self.folder / "x.crn").read_bytes())
        film = self.page()[1]
        self.assertEqual([frame.step for frame in whole["frames"]], list(range(41)))
        self.assertEqual([frame.step for frame in film["frames"]], list(range(0, 41, 3)))
        self.assertTrue(all(frame.note for frame in film["frames"][1:]))
        self.assertEqual([frame.step for frame in whole["frames"] if frame.note], list(range(3, 41, 3)))

    def test_notes_change_nothing(self):
        hashes = set()
        for options in [[], ["--notes", "-o", "x.crn"], ["--html", "page.html"]]:
            hashes.add(json.loads(self.good(0, "sim", "gallery:table-8", "--time", "0.3", "--json", *options))["hash"])
        self.assertEqual(len(hashes), 1)

    def test_large_piles_keep_what_carries(self):
        self.good(0, "sim", "gallery:stack-30", "--time", "0.2", "-o", "x.crn")
        self.good(0, "view", "x.crn", "-o", "page.html")
        for frame in self.page()[1]["frames"][1:]:
            self.assertTrue(all(touch[2] != 0 for touch in frame.touch))
            self.assertIsNone(frame.note)


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
        return read_recording(held)["frames"]

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
                 "version.crn": (bytes(other), "version 9; this library reads versions 1 to 2"),
                 "header.crn": (self.whole[:64] + b"?" + self.whole[65:], "checksum")}
        for name, (data, words) in cases.items():
            (self.folder / name).write_bytes(data)
            self.bad([name, words], "view", name, "-o", "z.html")
        self.bad("cannot be opened", "view", "gone.crn")

    def test_no_frame(self):
        scene_size, = struct.unpack_from("<Q", self.whole, 40)
        (self.folder / "none.crn").write_bytes(self.whole[:64 + (scene_size + 7) // 8 * 8])
        done = self.run_cairn("view", "none.crn")
        self.assertEqual(done.returncode, 2)
        self.assertIn("there is no whole frame", done.stderr)

    def test_usage(self):
        self.bad("no recording given", "view")
        self.bad("names the recording itself", "view", "x.crn", "-o", "x.crn")
        self.bad("--fps", "view", "x.crn", "--fps", "0")
        self.bad("cannot be written", "view", "x.crn", "-o", "nowhere/y.html")
        self.bad("cannot be written", "sim", BOX, "--time", "0.1", "--html", "nowhere/y.html")
        self.bad("-o and --html name the same file", "sim", BOX, "--html", "a", "-o", "a")
        self.bad("--html does not go with --list", "sim", "--list", "--html", "a")


if __name__ == "__main__":
    run_tests(__doc__)
