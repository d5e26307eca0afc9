#!/usr/bin/env python3
"""`cairn paper` from outside: the files it writes, JSON, pictures, pages that need nothing else, messages.

    tests/cli/test_paper.py build/cairn [TEST ...]
"""
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

PROGRAM = None  # set by main
SVG = "{http://www.w3.org/2000/svg}"


class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.box = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.box.name)

    @classmethod
    def tearDownClass(cls):
        cls.box.cleanup()

    def cairn(self, *arguments):
        return subprocess.run([PROGRAM, "paper", *arguments], cwd=self.folder, capture_output=True, text=True, timeout=240,
                              check=False)

    def report(self, name):
        """The quick report of a paper, made once: its rows and its page."""
        page = self.folder / "deep" / "papers" / f"{name}.html"
        if not page.exists():
            ran = self.cairn(name, "--quick", "--out", "deep/papers")
            self.assertEqual((ran.returncode, ran.stderr), (0, ""))
            self.assertIn("aims met", ran.stdout)
        return json.loads(page.with_suffix(".json").read_text()), page.read_text()

    def aims(self, rows):
        return {row["what"]: row for row in rows if row["figure"] == "aim"}


class Files(Case):
    def test_pages_need_nothing_else(self):
        for name in ["lloyd", "enzenhofer"]:
            _, page = self.report(name)
            self.assertTrue(page.startswith("<!DOCTYPE html>"))
            self.assertIn("prefers-color-scheme:dark", page)
            # The only addresses are names of XML vocabularies and, in the index, pages beside it.
            self.assertEqual(set(re.findall(r"https?://[^\"' >]+", page)) - {"http://www.w3.org/2000/svg"}, set())
            self.assertEqual(re.findall(r"<(?:script|link|img|iframe)\b", page), [])
            self.assertEqual(page.count("<svg"), page.count("</svg>"))
            self.assertEqual(len(re.findall(r"<t[dh][ >]", page)), len(re.findall(r"</t[dh]>", page)))

    def test_pictures_are_xml(self):
        for name in ["lloyd", "enzenhofer"]:
            self.report(name)
            pictures = sorted((self.folder / "deep" / "papers").glob(f"{name}-*.svg"))
            self.assertGreaterEqual(len(pictures), 5)
            for picture in pictures:
                root = xml.etree.ElementTree.parse(picture).getroot()
                self.assertEqual(root.tag, SVG + "svg")
                self.assertTrue(root.find(SVG + "title").text)
                self.assertNotIn("nan", picture.read_text().lower())

    def test_index_links_all(self):
        self.report("lloyd")
        self.report("enzenhofer")
        index = (self.folder / "deep" / "papers" / "index.html").read_text()
        self.assertEqual(re.findall(r'href="([^"]+)"', index), ["lloyd.html", "enzenhofer.html"])

    def test_json_prints_the_rows(self):
        ran = self.cairn("enzenhofer", "--quick", "--json", "--out", "again")
        rows = json.loads(ran.stdout)
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        self.assertEqual(rows, json.loads((self.folder / "again" / "enzenhofer.json").read_text()))


class Figures(Case):
    def test_lloyd_has_all_methods_and_sizes(self):
        rows, _ = self.report("lloyd")
        for figure, sizes in [("5", {8, 12, 16, 24, 32}), ("7", {1, 2, 3, 4, 6, 8, 9, 10, 12, 16}),
                              ("10", {4, 8, 12, 16, 20, 28, 32})]:
            measured = [row for row in rows if row["figure"] == figure and "method" in row]
            self.assertEqual({row["method"] for row in measured},
                             {"standard", "structural", "reduced", "contact states"})
            self.assertEqual({row["contacts"] for row in measured}, sizes)
            for row in measured:
                self.assertGreater(row["runs"], 0)
                self.assertGreater(row["mean_us"], 0.0)

    def test_lloyd_states_solve_everything(self):
        rows, _ = self.report("lloyd")
        states = [row for row in rows if row.get("method") == "contact states"]
        self.assertEqual([row for row in states if row["solved"] != row["runs"]], [])

    def test_lloyd_prints_published_numbers(self):
        rows, page = self.report("lloyd")
        published = [row for row in rows if "published_ms" in row]
        self.assertIn([6.18, 2.55, 1.08], [row["published_ms"] for row in published])
        self.assertIn([2136.0, 224.0, 96.0], [row["published_ms"] for row in published])
        self.assertIn("6.18", page)

    def test_enzenhofer_facts(self):
        rows, _ = self.report("enzenhofer")
        frames = [row for row in rows if row["figure"] == "frames"]
        self.assertEqual(len(frames), 22)
        for row in frames:
            self.assertEqual(row["lemke_solved"], row["loads"])
            self.assertEqual(row["states_solved"], row["loads"])
            self.assertLessEqual(row["most_support"], 3)
            self.assertGreaterEqual(row["least_triangles"], row["legs"] - 2)
            self.assertLessEqual(row["w_over_orders"], 1e-10)
            self.assertEqual(row["murty_solved"] + row["murty_singular"] + row["murty_other"], row["loads"])
            if row["legs"] == 3 and row["is_regular"]:
                self.assertEqual(row["least_triangles"], 1)

    def test_enzenhofer_even_impulses(self):
        rows, _ = self.report("enzenhofer")
        for row in rows:
            if row["figure"] == "frames":
                self.assertLessEqual(row["even_over_orders"], 1e-9, row)
                self.assertTrue(math.isclose(row["even_central"] or 0.0, 0.0, abs_tol=1e-9), row)

    def test_murty_meets_singular_blocks(self):
        rows, _ = self.report("enzenhofer")
        self.assertGreater(sum(row["murty_singular"] for row in rows if row["figure"] == "frames"), 0)


class Usage(Case):
    def bad(self, expected, *arguments):
        ran = self.cairn(*arguments)
        self.assertEqual(ran.returncode, 2)
        self.assertEqual(ran.stdout, "")
        self.assertIn(expected, ran.stderr)
        self.assertEqual(ran.stderr.count("\n"), 1)

    def test_bad_usage(self):
        self.bad("no paper named")
        self.bad("unknown paper 'loyd'; did you mean lloyd?", "loyd")
        self.bad("unexpected argument 'b'", "lloyd", "b")
        self.bad("unknown option '--fast'", "lloyd", "--fast")

    def test_directory_that_cannot_be(self):
        (self.folder / "file").write_text("")
        self.bad("no directory 'file/papers'", "enzenhofer", "--quick", "--out", "file/papers")

    def test_help(self):
        ran = self.cairn("--help")
        self.assertEqual(ran.returncode, 0)
        self.assertIn("enzenhofer", ran.stdout)


if __name__ == "__main__":
    PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
