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
        for name in ["lloyd", "enzenhofer", "hart", "yamane"]:
            _, page = self.report(name)
            self.assertTrue(page.startswith("<!DOCTYPE html>"))
            self.assertIn("prefers-color-scheme:dark", page)
            # The only addresses are names of XML vocabularies and, in the index, pages beside it.
            self.assertEqual(set(re.findall(r"https?://[^\"' >]+", page)) - {"http://www.w3.org/2000/svg"}, set())
            self.assertEqual(re.findall(r"<(?:script|link|img|iframe)\b", page), [])
            self.assertEqual(page.count("<svg"), page.count("</svg>"))
            self.assertEqual(len(re.findall(r"<t[dh][ >]", page)), len(re.findall(r"</t[dh]>", page)))

    def test_pictures_are_xml(self):
        for name in ["lloyd", "enzenhofer", "hart", "yamane"]:
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
        self.report("hart")
        self.report("yamane")
        index = (self.folder / "deep" / "papers" / "index.html").read_text()
        self.assertEqual(re.findall(r'href="([^"]+)"', index), ["lloyd.html", "enzenhofer.html", "hart.html", "yamane.html"])

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


class Hart(Case):
    """The quick report: the ellipse and the disks in full, the Brazil nut for a few shakes."""

    def rows(self, figure):
        return [row for row in self.report("hart")[0] if row["figure"] == figure]

    def test_every_figure_is_there(self):
        rows, page = self.report("hart")
        self.assertEqual({row["figure"] for row in rows}, {"1", "2", "3", "4", "5", "6", "7", "8", "9", "aim"})
        self.assertEqual([len(self.rows(figure)) for figure in "1234568"], [10, 2, 1, 1, 1, 1, 3])
        for title in ["Figure 1:", "Figure 2:", "Figures 3 to 6:", "Figure 7:", "Figure 8:", "Figure 9:"]:
            self.assertIn(title, page)

    def test_infeasibility_of_the_ellipse(self):
        by_variant = {row["variant"]: row for row in self.rows("2")}
        stabilised, unstabilised = by_variant["stabilised"], by_variant["unstabilised"]
        self.assertEqual((stabilised["h"], stabilised["steps"], len(stabilised["time"])), (0.05, 400, 400))
        self.assertEqual(stabilised["certified"], 400)
        self.assertAlmostEqual(stabilised["time"][-1], 20.0)
        self.assertGreaterEqual(unstabilised["infeasibility"][-1], 100 * stabilised["infeasibility"][-1])

    def test_verdicts_follow_from_the_rows(self):
        """The share of steps that the page states, counted again from the curves of figure 8."""
        by_variant = {row["variant"]: row["infeasibility"] for row in self.rows("8")}
        pairs = list(zip(by_variant["stabilised"], by_variant["unstabilised"]))
        rounding = sum(a < 1e-9 and b < 1e-9 for a, b in pairs)
        below = sum(a < b and not (a < 1e-9 and b < 1e-9) for a, b in pairs)
        self.assertGreaterEqual(below + rounding, 0.95 * len(pairs))
        aim = self.aims(self.report("hart")[0])["disks: steps with less infeasibility than unstabilised"]
        self.assertIn(f"{below} of 400; in {rounding} more", aim["got"])
        self.assertEqual((aim["is_met"], aim["published"]), (True, "the stabilized method has smaller constraint infeasibility"))

    def test_disks_end_on_the_table(self):
        end = self.rows("6")[0]
        self.assertAlmostEqual(end["time"], 20.0)
        self.assertEqual(len(end["bodies"]), 21)
        for x, y, _, rx, ry in end["bodies"]:
            self.assertAlmostEqual(y, 3.0, delta=1e-6)
            self.assertEqual((rx, ry), (3.0, 3.0))
            self.assertLess(abs(x), 70.0)

    def test_nut_is_certified(self):
        runs = self.rows("7")
        self.assertEqual([run["h"] for run in runs], [0.1, 0.01])
        for run in runs:
            self.assertEqual((run["bodies"], run["certified"]), (201, run["steps"]))
            for key in ["time", "ms", "contacts", "active", "nut_top_over_time", "small_above_nut"]:
                self.assertEqual(len(run[key]), run["steps"], key)
            self.assertLess(run["mean_overlap"], 0.03 if run["h"] == 0.1 else 1e-5)
            self.assertLessEqual(run["mean_ms"], run["worst_ms"])
        self.assertEqual(len(self.rows("9")[0]["bodies"]), 201)

    def test_claims_are_a_table(self):
        rows, page = self.report("hart")
        self.assertEqual(page.count("<tr class=\"met\">") + page.count("<tr class=\"not\">"),
                         sum(row["figure"] == "aim" for row in rows))
        self.assertIn("without exhibiting a substantial increase", page)


class Yamane(Case):
    """The quick report: the first frames of every scene, with every method."""

    def rows(self, figure, **values):
        return [row for row in self.report("yamane")[0]
                if row["figure"] == figure and all(row.get(key) == value for key, value in values.items())]

    def test_every_table_is_there(self):
        rows, page = self.report("yamane")
        self.assertEqual({row["figure"] for row in rows}, {"table 1", "table 2", "table 3", "starts", "2", "aim"})
        self.assertEqual([len(self.rows(table, run="same")) for table in ["table 1", "table 2"]], [20, 20])
        self.assertEqual([len(self.rows(table, run="own")) for table in ["table 1", "table 2", "table 3"]], [9, 3, 10])
        for title in ["Table I and Figure 2", "Table II", "Table III"]:
            self.assertIn(title, page)

    def test_published_numbers_are_beside_ours(self):
        _, page = self.report("yamane")
        for number in ["506", "514", "900", "990", "996", "9620", "71102", "34335", "0.375", "0.182", "9357", "3926", "1818"]:
            self.assertIn(f">{number}<", page)

    def test_ours_solves_every_frame(self):
        for table in ["table 1", "table 2", "table 3"]:
            for row in self.rows(table, run="own", method="contact states"):
                self.assertEqual(row["failures"], 0, row)
                self.assertLessEqual(row["worst_certificate"], 1e-9, row)
        for table in ["table 1", "table 2"]:
            for method in ["contact states", "search"]:
                for row in self.rows(table, run="same", method=method):
                    self.assertGreater(row["frames"], 0)
                    self.assertEqual((row["success"], row["certified"]), (row["frames"], row["frames"]), row)

    def test_counts_add_up(self):
        for table in ["table 1", "table 2"]:
            for row in self.rows(table, run="same"):
                parts = row["success"] + row["no_solution"] + row["cycle"] + row["error"]
                self.assertEqual(parts, row["frames"], row)
                self.assertLessEqual(row["certified"], row["success"])
            for row in self.rows(table, run="own"):
                self.assertEqual(row["no_solution"] + row["cycle"] + row["error"], row["failures"], row)

    def test_lemke_fails_where_ours_does_not(self):
        row, = self.rows("table 1", run="same", method="lemke", start="frictionless")
        self.assertLess(row["success"], row["frames"])

    def test_feet_carry_the_robot(self):
        """At the first steps the robot sets out downward, slowly: nearly its weight, in every run that keeps standing."""
        ours = self.rows("2", method="contact states")[0]
        self.assertEqual(len(ours["time"]), len(ours["force"]))
        for force in ours["force"]:
            self.assertTrue(0.9 * ours["weight"] < force < ours["weight"], force)

    def test_scenes_stay_whole(self):
        for row in self.rows("table 3") + self.rows("starts"):
            self.assertLessEqual(max(row["overlap"], row["loop"]), 1e-6, row)
            self.assertLessEqual(row["joint"], 1e-14, row)
            self.assertLessEqual(row["gain"], 1e-9, row)


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
