"""cairn showcase, which `make run` runs: a row for each scene, and pages with an index."""
import base64
import json
import re

from cli_case import Case, run_tests

SCENES = {"brazil-nut", "hoist", "ring2", "humanoid", "stack-100", "table-8"}  # that must be among them


class Showcase(Case):
    def test_rows(self):
        text = self.good(0, "showcase", "--quick")
        heading, *rows = text.splitlines()
        self.assertIn("certified", heading)
        shown = {row.split()[0]: row for row in rows}
        self.assertLessEqual(SCENES, set(shown))
        for row in shown.values():
            self.assertIn("100.0%", row)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_json(self):
        for line in self.good(0, "showcase", "--quick", "--json").splitlines():
            told = json.loads(line)
            self.assertEqual(told["certified_steps"], told["steps"])
            self.assertLessEqual(told["certificate_worst"], 1e-8)

    def test_pages(self):
        done = self.run_cairn("showcase", "--quick", "--out", "some/where")
        self.assertEqual(done.returncode, 0, done.stderr)
        if "without the page" in done.stderr:
            self.skipTest("built without the page")
        self.assertEqual(done.stderr, "")
        folder = self.folder / "some/where"
        text = (folder / "index.html").read_text()
        cards = self.data(text)["cards"]
        lessons = cards.pop()
        self.assertEqual(lessons["address"], "lessons/index.html")
        self.assertLessEqual(SCENES, {card["address"].removesuffix(".html") for card in cards})
        for card in cards:
            self.assertTrue((folder / card["address"]).stat().st_size > 1000)
            self.assertTrue((folder / card["address"].replace(".html", ".crn")).exists())
            kind, picture = card["picture"].split(",")
            self.assertEqual(kind, "data:image/png;base64")
            self.assertEqual(base64.b64decode(picture, validate=True)[:8], b"\x89PNG\r\n\x1a\n")
            self.assertIn("steps certified", dict(card["figures"]))
        self.assertIn(cards[0]["title"], text)
        self.check_lessons(folder / "lessons")

    def data(self, text):
        return json.loads(re.search(r'id="cairn-page">(.*?)</script>', text, re.S).group(1))

    def check_lessons(self, folder):
        cards = self.data((folder / "index.html").read_text())["cards"]
        self.assertEqual(len(cards), 8)
        for card in cards:
            text = (folder / card["address"]).read_text()
            told = self.data(text)
            self.assertEqual(told["title"], card["title"])
            self.assertGreaterEqual(len(told["lesson"]["text"]), 3)
            self.assertEqual(told["live"], 'id="cairn-wasm"' in text)
        self.assertEqual(len(list(folder.iterdir())), 9)  # no recordings are left
        for lesson in cards:
            name = lesson["address"].removesuffix(".html")
            told = json.loads(self.good(0, "sim", f"lesson:{name}", "--time", "0.5", "--json"))
            self.assertEqual(told["certified_steps"], told["steps"])
        self.bad("there is no 'lesson:x'", "sim", "lesson:x")

    def test_bad(self):
        (self.folder / "file").write_text("")
        self.bad("file/x: cannot make this folder", "showcase", "--quick", "--out", "file/x")
        self.bad("unknown option", "showcase", "--slow")


if __name__ == "__main__":
    run_tests(__doc__)
