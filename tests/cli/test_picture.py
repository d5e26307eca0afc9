#!/usr/bin/env python3
"""Pictures and films of `cairn export`, decoded here and measured against geometry.

    tests/cli/test_picture.py build/cairn [TEST ...]
"""
import json
import math
import os
import pathlib
import resource
import shutil
import signal
import struct
import subprocess
import unittest
import zlib

from cli_case import Case, run_tests

WIDTH, HEIGHT = 320, 200
SHARE = 0.82  # of the picture that the bodies fill: a margin of 9 % on each side
FLOOR = {"name": "floor", "kind": "fixed", "shapes": [{"kind": "plane"}]}


def read_png(path):
    """A decoder of its own, by the PNG specification: rows of (r, g, b)."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, packed, names = 8, b"", []
    while at < len(data):
        size, name = struct.unpack_from(">I4s", data, at)
        body = data[at + 8:at + 8 + size]
        assert struct.unpack_from(">I", data, at + 8 + size)[0] == zlib.crc32(name + body)
        names.append(name)
        if name == b"IHDR":
            width, height, depth, colour, *rest = struct.unpack(">IIBBBBB", body)
            assert (depth, colour, rest) == (8, 2, [0, 0, 0])
        packed += body if name == b"IDAT" else b""
        at += 12 + size
    assert names[0] == b"IHDR" and names[-1] == b"IEND"
    raw = zlib.decompress(packed)
    assert len(raw) == height * (3 * width + 1)
    rows, above = [], bytearray(3 * width)
    for y in range(height):
        line = raw[y * (3 * width + 1):(y + 1) * (3 * width + 1)]
        above = unfilter(line[0], bytearray(line[1:]), above)
        rows.append([tuple(above[i:i + 3]) for i in range(0, 3 * width, 3)])
    return rows


def unfilter(kind, row, above):
    for i, value in enumerate(row):
        left, corner = (row[i - 3], above[i - 3]) if i >= 3 else (0, 0)
        up = above[i]
        if kind == 1:
            guess = left
        elif kind == 2:
            guess = up
        elif kind == 3:
            guess = (left + up) // 2
        elif kind == 4:
            base = left + up - corner
            guess = min((left, up, corner), key=lambda c: abs(base - c))
        else:
            guess = 0
        row[i] = (value + guess) & 255
    return row


def spread(pixel):
    """How far from grey: bodies are coloured; backdrop, ground and shadows hardly are."""
    return max(pixel) - min(pixel)


def coloured(rows, least=30):
    """Pixels of free bodies."""
    return {(x, y) for y, row in enumerate(rows) for x, pixel in enumerate(row) if spread(pixel) > least}


def bounds(pixels):
    xs, ys = [x for x, _ in pixels], [y for _, y in pixels]
    return min(xs), max(xs) + 1, min(ys), max(ys) + 1


def middle(pixels):
    return sum(x for x, _ in pixels) / len(pixels), sum(y for _, y in pixels) / len(pixels)


def brightness(pixel):
    return 0.2126 * pixel[0] + 0.7152 * pixel[1] + 0.0722 * pixel[2]


def ball(x, y, z, radius=0.5, **more):
    return {"position": [x, y, z], "mass": 1, "shapes": [{"kind": "sphere", "radius": radius}], **more}


def disk(x, y, radius, **more):
    return {"position": [x, y], "mass": 1, "shapes": [{"kind": "disk", "radius": radius}], **more}


def scene(*bodies, **more):
    """Bodies without weight, so that they stay where they are."""
    return {"dt": 0.01, "duration": 0.1, "gravity": [0, 0] if more.get("planar") else [0, 0, 0], "bodies": list(bodies),
            **more}


class Pictures(Case):
    def record(self, content, *arguments):
        (self.folder / "scene.json").write_text(json.dumps(content))
        self.good(0, "sim", "scene.json", "-o", "x.crn", *arguments)

    def picture(self, *arguments, size=(WIDTH, HEIGHT)):
        self.good(0, "export", "x.crn", "-o", "x.png", "--size", "%dx%d" % size, *arguments)
        return read_png(self.folder / "x.png")

    def see(self, *bodies, **more):
        self.record(scene(*bodies, **more))
        return self.picture()


class Geometry(Pictures):
    def test_a_ball_fills_its_share_of_the_picture(self):
        """A lone ball is in the middle of the view, so its outline is a circle; the camera stands where it fills its share."""
        pixels = coloured(self.see(ball(3, -2, 1)))
        radius = 0.5 * SHARE * HEIGHT
        self.assertLess(abs(len(pixels) / (math.pi * radius ** 2) - 1), 0.02)
        x, y = middle(pixels)
        self.assertLess(math.hypot(x + 0.5 - WIDTH / 2, y + 0.5 - HEIGHT / 2), 1.0)

    def test_a_disk_has_its_area(self):
        """Planar: the picture is to scale. The disk fills the height, the lines do not make it larger."""
        rows = self.see(disk(2, 5, 0.3), planar=True)
        radius = 0.5 * SHARE * HEIGHT
        backdrop = [row[0] for row in rows]
        inside = sum(1 for y, row in enumerate(rows) for pixel in row
                     if abs(brightness(pixel) - brightness(backdrop[y])) > 40)
        self.assertLess(abs(inside / (math.pi * radius ** 2) - 1), 0.02)

    def test_two_disks_are_to_scale_and_touch(self):
        """Radii 2 and 1 side by side: x to the right; areas 4 to 1; they meet at a third of the way from the right."""
        rows = self.see(disk(0, 0, 2), disk(3, 0, 1), planar=True)
        scale = min(SHARE * WIDTH / 6, SHARE * HEIGHT / 4)
        pixels = coloured(rows)
        left, right, top, bottom = bounds(pixels)
        self.assertLess(abs((bottom - top) - 4 * scale), 3)
        self.assertLess(abs((right - left) - 6 * scale), 3)
        contact = WIDTH / 2 + scale  # the middle of the picture is at x = 1
        column = {int(contact) + k: [y for x, y in pixels if x == int(contact) + k] for k in (-8, 8)}
        for ys in column.values():  # round: about the line through both middles
            self.assertLess(abs(sum(ys) / len(ys) + 0.5 - HEIGHT / 2), 1.5)
        dark = [x for x in range(left, right) if brightness(rows[HEIGHT // 2][x]) < 90]
        self.assertTrue(any(abs(x + 0.5 - contact) < 2.5 for x in dark), "no outline where they touch")

    def test_outline_and_mark(self):
        """The rim is dark all round; a spoke leads from the middle along the body's x axis and turns with it."""
        ways = {"right": (1, 0), "up": (0, -1), "left": (-1, 0), "down": (0, 1)}
        for angle, expected in ((0, "right"), (90, "up"), (180, "left")):
            rows = self.see(disk(0, 0, 1, angle=math.radians(angle)), planar=True)
            radius = 0.5 * SHARE * HEIGHT

            def darkest(dx, dy, low, high):
                spots = [(WIDTH // 2 + round(dx * radius * k / 100), HEIGHT // 2 + round(dy * radius * k / 100))
                         for k in range(low, high)]
                return min(brightness(rows[y + j][x + i]) for x, y in spots for i in (-1, 0) for j in (-1, 0))
            for name, (dx, dy) in ways.items():
                self.assertLess(darkest(dx, dy, 95, 100), 90, "no rim")
                spoke = darkest(dx, dy, 60, 62)
                self.assertEqual(spoke < 90, name == expected, f"{angle}: {name} {spoke}")

    def test_y_is_up_in_planar_pictures(self):
        rows = self.see(disk(0, 0, 1), disk(0, 4, 0.3), planar=True)
        columns = coloured(rows)
        wide = {y: sum(1 for x, row in columns if row == y) for _, y in columns}
        self.assertLess(wide[min(wide) + 6], 0.5 * max(wide.values()))
        self.assertGreater(max(wide, key=wide.get), HEIGHT / 2)

    def test_two_balls_touch(self):
        """Side by side for the camera: no backdrop between them where they touch, and some if they are 0.12 m apart."""
        across = [math.cos(math.radians(28)), math.sin(math.radians(28)), 0]
        for away, has_gap in ((0.5, False), (0.56, True)):
            pixels = coloured(self.see(ball(*[-away * v for v in across]), ball(*[away * v for v in across])))
            y = round(middle(pixels)[1])
            row = [x for x in range(WIDTH) if (x, y) in pixels]
            self.assertEqual(row[-1] - row[0] + 1 - len(row) > 3, has_gap)
            if not has_gap:
                self.assertLess(row[-1] - row[0] + 1 - len(row), 3)

    def test_nearer_bodies_hide_farther_ones(self):
        """The camera stands at negative y: a ball in front of another one of the same size is seen whole."""
        rows = self.see(ball(0, 0, 0), ball(0.55, -1.035, 0.42))  # towards the camera
        kinds = {}
        for x, y in coloured(rows, 25):
            hue = max(range(3), key=lambda i: rows[y][x][i])
            kinds[hue] = kinds.get(hue, 0) + 1
        self.assertGreater(kinds[0], 3 * kinds.get(2, 0))  # the second body is warm, the first one blue


class Light(Pictures):
    def faces(self, rows):
        """Brightness of the upper, left and right face of a box that is seen from a corner."""
        pixels = coloured(rows, 20)
        left, right, top, bottom = bounds(pixels)
        high, wide = bottom - top, right - left
        spots = [(left + wide // 2, top + high // 8), (left + wide // 4, top + high * 6 // 10),
                 (left + wide * 9 // 10, top + high * 6 // 10)]
        return [brightness(rows[y][x]) for x, y in spots]

    def test_faces_towards_the_sun_are_brighter(self):
        """The sun stands high and to the left: top, then left, then right."""
        body = {"position": [0, 0, 0], "mass": 1, "shapes": [{"kind": "box", "half": [0.5, 0.5, 0.5]}]}
        top, left, right = self.faces(self.see(body))
        self.assertGreater(top, left + 8)
        self.assertGreater(left, right + 15)

    def test_shadows_fall_to_the_right(self):
        """A ball above the ground: the ground is darkest to the right of the ball, and bright to the left."""
        self.record(scene(FLOOR, ball(0, 0, 1.0)))
        rows = self.picture()
        pixels = coloured(rows)
        x_ball, y_ball = middle(pixels)
        grey = {(x, y) for y, row in enumerate(rows) for x, pixel in enumerate(row)
                if y > y_ball and spread(pixel) < 25 and 120 < brightness(pixel) < 200}
        self.assertGreater(len(grey), 200)
        x_shadow, y_shadow = middle(grey)
        self.assertGreater(x_shadow, x_ball + 20)
        self.assertGreater(y_shadow, y_ball)

    def test_a_ball_shades_another(self):
        """The same ball is darker behind another one, seen from the sun, than alone."""
        lone = self.see(ball(0, 0, 0))
        azimuth = math.radians(-28) - 0.95
        sun = [math.cos(0.92) * math.cos(azimuth), math.cos(0.92) * math.sin(azimuth), math.sin(0.92)]
        both = self.see(ball(0, 0, 0), ball(*[2.5 * v for v in sun]))
        brightest = [max(brightness(rows[y][x]) for x, y in coloured(rows) if rows[y][x][2] > rows[y][x][0])
                     for rows in (lone, both)]
        self.assertGreater(brightest[0], brightest[1] + 15)

    def test_dark(self):
        self.record(scene(FLOOR, ball(0, 0, 0.5)))
        light, dark = self.picture(), self.picture("--dark")
        self.assertGreater(brightness(light[0][0]), 200)
        self.assertLess(brightness(dark[0][0]), 50)
        self.assertLess(abs(len(coloured(light)) / len(coloured(dark)) - 1), 0.03)

    def test_forces_are_drawn(self):
        """A ball that rests on the floor is pushed upwards: red pixels above the contact point, only if asked for."""
        self.record(scene(FLOOR, ball(0, 0, 0.5), ball(1.0, 0, 0.5), gravity=[0, 0, -9.81]))

        def red(rows):
            return {(x, y) for y, row in enumerate(rows) for x, p in enumerate(row) if p[0] > 200 and p[2] < 80}
        self.assertEqual(red(self.picture()), set())
        self.assertGreater(len(red(self.picture("--forces"))), 20)


class Motion(Pictures):
    def moving(self, **more):
        self.record(scene(ball(0, 0, 0, velocity=[10, 0, 0]), ball(0, 3, 0), duration=0.5, **more))

    def test_the_same_bits_twice(self):
        self.moving()
        self.picture()
        first = (self.folder / "x.png").read_bytes()
        self.picture()
        self.assertEqual((self.folder / "x.png").read_bytes(), first)

    def test_time_chooses_the_moment(self):
        """A body that moves at a steady speed is halfway at half the time; also between frames of the recording."""
        self.record({"planar": True, "dt": 0.01, "duration": 1, "gravity": [0, 0],
                     "bodies": [disk(0, 0, 0.5, velocity=[4, 0])]}, "--every", "50")
        xs = []
        for time in (0, 0.25, 0.5, 0.75, 1):
            xs.append(middle(coloured(self.picture("--time", str(time))))[0])
        steps = [b - a for a, b in zip(xs, xs[1:])]
        expected = SHARE * WIDTH / 5  # a metre: the motion is 4 m and the disk 1 m wide
        for step in steps:
            self.assertLess(abs(step - expected), 1.0)

    def test_the_end_is_the_default(self):
        self.moving()
        self.assertEqual(self.picture(), self.picture("--time", "0.5"))
        self.assertNotEqual(self.picture(), self.picture("--time", "0"))

    def test_follow_keeps_the_body_in_place(self):
        self.moving()
        self.record(scene(ball(0, 0, 0, velocity=[10, 0, 0], name="runner"), duration=0.5))
        places = [middle(coloured(self.picture("--follow", who, "--time", time)))
                  for who, time in (("runner", "0"), ("runner", "0.4"), ("0", "0.4"))]
        self.assertLess(math.dist(places[0], places[1]), 1.0)
        self.assertEqual(places[1], places[2])

    def test_frames_into_a_folder(self):
        """0.5 s at 30 per second: 16 pictures, each the one that --time gives."""
        self.moving()
        text = self.good(0, "export", "x.crn", "-o", "frames/", "--size", "64x40", "--fps", "30")
        names = sorted(os.listdir(self.folder / "frames"))
        self.assertEqual(names, ["frame-%04d.png" % i for i in range(16)])
        self.assertIn("16 of 64 x 40 pixels", text)
        self.picture("--time", str(6 / 30), size=(64, 40))
        self.assertEqual((self.folder / "x.png").read_bytes(), (self.folder / "frames/frame-0006.png").read_bytes())

    def test_frames_by_pattern(self):
        self.moving()
        self.good(0, "export", "x.crn", "-o", "a-%02d.png", "--size", "64x40", "--fps", "10")
        self.assertEqual(sorted(p.name for p in self.folder.glob("a-*")), ["a-%02d.png" % i for i in range(6)])

    def test_json(self):
        self.moving()
        told = json.loads(self.good(0, "export", "x.crn", "-o", "x.png", "--size", "64x40", "--json"))
        self.assertEqual((told["pictures"], told["width"], told["height"]), (1, 64, 40))

    @unittest.skipIf(shutil.which("ffmpeg") is None or shutil.which("ffprobe") is None, "no ffmpeg here")
    def test_film(self):
        self.moving()
        self.good(0, "export", "x.crn", "-o", "x.mp4", "--size", "65x40", "--fps", "20")
        told = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-show_entries",
                               "stream=width,height,nb_read_frames,r_frame_rate,pix_fmt,codec_name", "-of", "json",
                               str(self.folder / "x.mp4")], capture_output=True, text=True, check=True)
        stream = json.loads(told.stdout)["streams"][0]
        self.assertEqual((stream["width"], stream["height"]), (66, 40))
        self.assertEqual((stream["nb_read_frames"], stream["r_frame_rate"]), ("11", "20/1"))
        self.assertEqual((stream["codec_name"], stream["pix_fmt"]), ("h264", "yuv420p"))
        self.assertEqual(list(self.folder.glob("*.part")), [])


class Bad(Pictures):
    def setUp(self):
        super().setUp()
        self.record(scene(ball(0, 0, 0)))

    def test_sizes(self):
        for size in ("0x0", "-5x10", "640", "640x", "x400", "640x400x3", "99999x100", "100x99999999999999999999", "8x8",
                     "640 x400", "+64x40", "64x-40", "nanxinf", ""):
            self.bad("--size", "export", "x.crn", "-o", "y.png", "--size", size)

    def test_times(self):
        self.bad(["no time 5", "0 to 0.1"], "export", "x.crn", "-o", "y.png", "--time", "5")
        self.bad("no time -1", "export", "x.crn", "-o", "y.png", "--time", "-1")
        self.bad("--time", "export", "x.crn", "-o", "y.png", "--time", "soon")
        self.bad("one PNG", "export", "x.crn", "-o", "frames/", "--time", "0")
        for fps in ("0", "-1", "nan", "1e9", "x"):
            self.bad("--fps", "export", "x.crn", "-o", "frames/", "--fps", fps)

    def test_places_that_cannot_be_written(self):
        self.bad("nowhere/y.png", "export", "x.crn", "-o", "nowhere/y.png")
        self.bad("x.crn/at/all", "export", "x.crn", "-o", "x.crn/at/all/")
        self.bad("x.crn", "export", "x.crn", "-o", "x.crn/")
        self.bad("nowhere/y-0.png", "export", "x.crn", "-o", "nowhere/y-%d.png")
        if pathlib.Path("/dev/full").exists():
            os.symlink("/dev/full", self.folder / "full.png")
            self.bad("full.png", "export", "x.crn", "-o", "full.png")

    def test_a_folder_that_fills_up_is_left_empty(self):
        """The third picture cannot be written: the two before it go, too."""
        if not pathlib.Path("/dev/full").exists():
            self.skipTest("no /dev/full here")
        (self.folder / "frames").mkdir()
        os.symlink("/dev/full", self.folder / "frames/frame-0002.png")
        self.bad("frame-0002.png", "export", "x.crn", "-o", "frames/", "--size", "32x32")
        self.assertEqual(os.listdir(self.folder / "frames"), ["frame-0002.png"])

    def test_patterns(self):
        for pattern in ("y-%s.png", "y-%04d-%d.png", "y-%.png", "y-%100d.png", "y%n%d.png"):
            self.bad("pattern", "export", "x.crn", "-o", pattern)

    def test_recordings(self):
        self.bad("nothing.crn", "export", "nothing.crn", "-o", "y.png")
        (self.folder / "z.crn").write_text("no recording")
        self.bad("z.crn", "export", "z.crn", "-o", "y.png")
        self.bad("no body 'nobody'", "export", "x.crn", "-o", "y.png", "--follow", "nobody")
        self.bad("no body '7'", "export", "x.crn", "-o", "y.png", "--follow", "7")

    def test_films_without_ffmpeg(self):
        done = self.run_cairn("export", "x.crn", "-o", "y.mp4", env={"PATH": str(self.folder)})
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1), done.stderr)
        self.assertIn("ffmpeg", done.stderr)
        self.assertIn("PNG frames work without it", done.stderr)
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["scene.json", "x.crn"])

    def test_films_where_ffmpeg_fails(self):
        """Its last line is told, and an older film of that name stays."""
        tool = self.folder / "ffmpeg"
        tool.write_text("#!/bin/sh\nfor f; do :; done\n: > \"${f#file:}\"\necho first >&2\necho it is broken >&2\nexit 3\n")
        tool.chmod(0o755)
        (self.folder / "y.mp4").write_text("older")
        done = self.run_cairn("export", "x.crn", "-o", "y.mp4", env={"PATH": f"{self.folder}:/usr/bin:/bin"})
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1), done.stderr)
        self.assertIn("y.mp4: ffmpeg failed: it is broken", done.stderr)
        self.assertEqual((self.folder / "y.mp4").read_text(), "older")
        self.assertEqual(list(self.folder.glob("*.part")), [])

    def test_full_disk(self):
        """A picture that cannot be written whole leaves nothing, and an older one of that name stays."""
        def small_files():
            resource.setrlimit(resource.RLIMIT_FSIZE, (200, 200))
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        for older in (False, True):
            if older:
                (self.folder / "y.png").write_text("older")
            before = sorted(path.name for path in self.folder.iterdir())
            done = self.run_cairn("export", "x.crn", "-o", "y.png", preexec_fn=small_files)
            self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), done.stderr)
            self.assertIn("y.png", done.stderr)
            self.assertEqual(sorted(path.name for path in self.folder.iterdir()), before)
        self.assertEqual((self.folder / "y.png").read_text(), "older")

    def test_usage(self):
        self.bad("no -o FILE given", "export", "x.crn")
        self.bad("no recording given", "export", "-o", "y.png")


if __name__ == "__main__":
    run_tests(__doc__)
