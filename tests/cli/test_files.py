#!/usr/bin/env python3
"""Faults while files are written: what was there before stays or is replaced by something whole, whatever happens.

CAIRN_KILLS: how many times a run is killed (20 unless told). A table of all faults is printed at the end.
"""
import os
import pathlib
import random
import resource
import signal
import stat
import subprocess
import time
import unittest

from cli_case import Case, run_tests

SCENE = """{"dt": 0.01, "duration": 0.5, "bodies": [
 {"name": "floor", "kind": "fixed", "shapes": [{"kind": "plane"}]},
 {"name": "box", "position": [0, 0, 0.6], "mass": 1, "shapes": [{"kind": "box", "half": [0.5, 0.5, 0.5]}]}]}"""
ROBOT = """<robot name="r"><link name="base"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>"""
M = "%%MatrixMarket matrix array real general\n2 2\n2\n1\n1\n2\n"
Q = "%%MatrixMarket matrix array real general\n2 1\n-5\n-6\n"
OLD = "what was there before\n"
FAULTS = {}  # name: [tried, wrong]


def count(fault, is_right):
    entry = FAULTS.setdefault(fault, [0, 0])
    entry[0] += 1
    entry[1] += not is_right


class Files(Case):
    def setUp(self):
        super().setUp()
        for name, text in {"s.json": SCENE, "r.urdf": ROBOT, "M.mtx": M, "q.mtx": Q}.items():
            (self.folder / name).write_text(text)
        subprocess.run([self.program, "sim", "s.json", "-o", "x.crn"], cwd=self.folder, check=True, capture_output=True)

    def writers(self):
        """Every kind of file that is written: (what, arguments, outputs)."""
        return [
            ("recording", ["sim", "s.json", "-o", "out.crn"], ["out.crn"]),
            ("step table", ["sim", "s.json", "--csv", "out.csv"], ["out.csv"]),
            ("page", ["sim", "s.json", "--html", "out.html"], ["out.html"]),
            ("scene", ["sim", "s.json", "--write", "out.json"], ["out.json"]),
            ("view", ["view", "x.crn", "-o", "out.html"], ["out.html"]),
            ("picture", ["export", "x.crn", "-o", "out.png", "--size", "32x32"], ["out.png"]),
            ("glTF", ["export", "x.crn", "-o", "out.glb"], ["out.glb"]),
            ("table", ["export", "x.crn", "-o", "out.csv"], ["out.csv"]),
            ("vector", ["solve", "M.mtx", "q.mtx", "-o", "out.mtx"], ["out.mtx"]),
            ("numpy", ["solve", "M.mtx", "q.mtx", "-o", "out.npy"], ["out.npy"]),
            ("basis", ["solve", "M.mtx", "q.mtx", "--basis-out", "out.mtx"], ["out.mtx"]),
            ("proof", ["prove", "M.mtx", "q.mtx", "-o", "out.json"], ["out.json"]),
        ]

    def names(self):
        return sorted(path.name for path in self.folder.iterdir())

    def clear(self, kept):
        for name in set(self.names()) - set(kept):
            (self.folder / name).unlink()

    def test_every_writer_on_a_full_disk(self):
        """No file may grow beyond a size that is smaller than the whole, for sizes up to that: as on a disk that fills up."""
        kept = self.names()
        for what, arguments, outputs in self.writers():
            done = self.run_cairn(*arguments)
            if done.returncode == 2 and "page" in done.stderr:
                continue  # a build without the page
            self.assertIn(done.returncode, (0, 1), (what, done.stderr))
            whole = (self.folder / outputs[0]).stat().st_size
            for limit in sorted({0, 1, whole // 3, whole // 2, whole * 9 // 10}):  # times in tables have more or fewer digits
                self.clear(kept)
                (self.folder / outputs[0]).write_text(OLD)

                def full():
                    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
                    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
                done = self.run_cairn(*arguments, preexec_fn=full)
                left = [name for name in self.names() if name not in kept + outputs]
                if what == "recording":  # its frames so far are kept, under a name of their own
                    left = [name for name in left if name != "out.crn.part"]
                is_right = done.returncode == 2 and (self.folder / outputs[0]).read_text() == OLD and not left
                count("disk full", is_right)
                self.assertTrue(is_right, (what, limit, done, left))
            self.clear(kept)

    def test_read_only(self):
        """A file that may not be written stays; a folder that may not be written gets nothing."""
        kept = self.names()
        nobody = (lambda: os.setuid(65534)) if os.geteuid() == 0 else None  # nothing is read-only for root
        self.folder.chmod(0o777)
        try:
            self.run_cairn("--version", preexec_fn=nobody)
        except OSError:
            self.skipTest("the program may not be run by others")
        for what, arguments, outputs in self.writers():
            for is_folder in (False, True):
                target = self.folder / outputs[0]
                target.write_text(OLD)
                target.chmod(0o666 if is_folder else 0o444)
                self.folder.chmod(0o555 if is_folder else 0o777)
                done = self.run_cairn(*arguments, preexec_fn=nobody)
                self.folder.chmod(0o777)
                is_right = done.returncode == 2 and target.read_text() == OLD and self.names() == sorted(kept + outputs)
                count("read-only", is_right)
                self.assertTrue(is_right, (what, is_folder, done, self.names()))
                self.clear(kept)

    def test_devices_pipes_folders(self):
        kept = self.names()
        for what, arguments, outputs in self.writers():
            for kind in ("device", "pipe", "folder", "link"):
                target = self.folder / outputs[0]
                if what == "picture" and kind == "folder":
                    continue  # it gets a picture of every frame
                if kind == "pipe":
                    os.mkfifo(target)
                elif kind == "folder":
                    target.mkdir()
                else:
                    os.symlink("/dev/null" if kind == "device" else "gone/nowhere", target)
                before = target.lstat()
                done = self.run_cairn(*arguments)
                is_right = done.returncode == 2 and stat.S_IFMT(target.lstat().st_mode) == stat.S_IFMT(before.st_mode)
                count("special files", is_right)
                self.assertTrue(is_right, (what, kind, done))
                target.rmdir() if kind == "folder" else target.unlink()
                self.assertEqual(self.names(), kept, (what, kind))
        self.assertTrue(stat.S_ISCHR(os.stat("/dev/null").st_mode))

    def test_outputs_are_no_inputs(self):
        """Found before anything is written, whatever the file is called."""
        os.symlink("s.json", self.folder / "link.json")
        os.link(self.folder / "r.urdf", self.folder / "other.urdf")
        (self.folder / "part.stl").write_text("solid x\nendsolid x\n")
        for words, arguments in [
                ("is an input", ["sim", "s.json", "-o", "s.json"]), ("is an input", ["sim", "s.json", "-o", "./s.json"]),
                ("is an input", ["sim", "s.json", "--csv", "link.json"]), ("is an input", ["sim", "r.urdf", "-o", "r.urdf"]),
                ("is an input", ["sim", "r.urdf", "--html", "other.urdf"]), ("is an input", ["sim", "s.json", "--write", "s.json"]),
                ("never written", ["sim", "s.json", "-o", "part.stl"]), ("is an input", ["view", "x.crn", "-o", "x.crn"]),
                ("is an input", ["export", "x.crn", "-o", "x.crn"]), ("is an input", ["solve", "M.mtx", "q.mtx", "-o", "q.mtx"]),
                ("is an input", ["solve", "M.mtx", "q.mtx", "--lower", "q.mtx", "--basis-out", "M.mtx"]),
                ("is an input", ["solve", "M.mtx", "q.mtx", "--dump", "."]), ("is an input", ["prove", "M.mtx", "q.mtx", "-o", "M.mtx"]),
                ("same file", ["sim", "s.json", "-o", "new", "--csv", "./new"]),
        ]:
            before = {name: (self.folder / name).read_bytes() for name in self.names()}
            self.bad(words, *arguments)
            is_right = before == {name: (self.folder / name).read_bytes() for name in self.names()}
            count("onto an input", is_right)
            self.assertTrue(is_right, arguments)

    def test_pages_do_not_take_other_recordings(self):
        """A page needs a recording for a while; one of the user's with a similar name is neither replaced nor removed."""
        (self.folder / "out.html.crn").write_text(OLD)
        done = self.run_cairn("sim", "s.json", "--html", "out.html")
        if done.returncode == 2:
            self.skipTest("no page in this build")
        self.assertEqual((self.folder / "out.html.crn").read_text(), OLD)
        self.assertEqual([name for name in self.names() if "scratch" in name], [])

    def is_whole(self, name):
        """Is a file that a killed run may have written whole?"""
        data = (self.folder / name).read_bytes()
        if data == OLD.encode():
            return True
        if name.endswith(".crn"):
            done = self.run_cairn("export", name, "-o", "check.csv")
            return done.returncode == 0 and len((self.folder / "check.csv").read_text().splitlines()) == 52
        if name.endswith(".csv"):
            return len(data.splitlines()) == 51 and data.endswith(b"\n")
        return data.rstrip().endswith(b"</html>")

    def test_killed(self):
        """kill -9 at random moments: every file of a final name is old or whole, and part files of recordings can be read."""
        generator = random.Random(1)
        kills = int(os.environ.get("CAIRN_KILLS", "20"))
        outputs = ["out.crn", "out.csv", "out.html"]
        arguments = ["sim", "s.json", "-o", "out.crn", "--csv", "out.csv", "--html", "out.html"]
        done = self.run_cairn(*arguments)
        if done.returncode == 2:
            arguments, outputs = arguments[:-2], outputs[:-1]
        begin = time.monotonic()
        self.run_cairn(*arguments)
        duration = time.monotonic() - begin
        readable = 0
        for _ in range(kills):
            for name in outputs:
                (self.folder / name).write_text(OLD)
            process = subprocess.Popen([self.program, *arguments], cwd=self.folder, stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
            time.sleep(generator.uniform(0.0, 1.1 * duration))
            process.kill()
            process.wait()
            is_right = all(self.is_whole(name) for name in outputs)
            for part in self.folder.glob("*.part*"):
                if part.name.startswith("out.crn.part") and part.stat().st_size > 10000:
                    is_right = is_right and self.run_cairn("export", part.name, "-o", "check.csv").returncode in (0, 1)
                    readable += 1
                part.unlink()
            for scratch in self.folder.glob("*.scratch*"):
                scratch.unlink()
            count("kill -9", is_right)
            self.assertTrue(is_right, self.names())
        print(f"parts of recordings read after kill -9: {readable}")

    def test_two_at_once(self):
        """Runs that write the same file do not meet: the last whole one stays."""
        for _ in range(3):
            runs = [subprocess.Popen([self.program, "sim", "s.json", "-o", "out.crn", "--csv", "out.csv"], cwd=self.folder,
                                     stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) for _ in range(4)]
            codes = [run.wait() for run in runs]
            for run in runs:
                run.stderr.close()
            is_right = codes == [0] * 4 and self.is_whole("out.crn") and self.is_whole("out.csv")
            count("concurrent writers", is_right)
            self.assertTrue(is_right, (codes, self.names()))
            self.assertEqual([name for name in self.names() if ".part" in name], [])

    def test_names_do_not_command_the_terminal(self):
        """Escapes in names of a scene are shown, not sent."""
        text = SCENE.replace('"box"', r'"\u001b[2Jbox"', 1).replace('"floor"', r'"fl\u0007oor"', 1)
        (self.folder / "odd.json").write_text(text)
        for arguments in (["info", "odd.json"], ["sim", "odd.json"]):
            done = self.run_cairn(*arguments)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertFalse(set(done.stdout + done.stderr) & {"\033", "\007"}, done.stdout)
        self.assertIn(r"\x1b[2Jbox", self.run_cairn("info", "odd.json").stdout)
        self.assertNotIn("\033", self.run_cairn("sim", "no\033[31mthing.json").stderr)

    def test_closed_standard_output(self):
        for arguments in (["sim", "s.json", "-o", "out.crn"], ["solve", "M.mtx", "q.mtx", "-o", "out.mtx"], ["info"]):
            done = subprocess.run([self.program, *arguments], cwd=self.folder, stdout=None, stderr=subprocess.PIPE, text=True,
                                  preexec_fn=lambda: os.close(1), timeout=60, check=False)
            is_right = done.returncode in (0, 1, 2)
            for name in ("out.crn", "out.mtx"):
                path = self.folder / name
                is_right = is_right and (not path.exists() or b"certified" not in path.read_bytes()[:200])
            count("closed stdout", is_right)
            self.assertTrue(is_right, (arguments, done))


def tearDownModule():
    print("fault                tried  wrong")
    for fault, (tried, wrong) in sorted(FAULTS.items()):
        print(f"{fault:20} {tried:5} {wrong:6}")


if __name__ == "__main__":
    run_tests(__doc__)
