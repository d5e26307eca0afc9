#!/usr/bin/env python3
"""`cairn-papers` from outside: the files it writes, JSON, pictures, pages that need nothing else, messages.

    tests/cli/test_paper.py build/cairn [TEST ...]     cairn-papers is beside it
"""
import html.parser
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

PROGRAM = PAPERS = None  # set by main
SVG = "{http://www.w3.org/2000/svg}"
NAMES = ["lloyd", "enzenhofer", "hart", "yamane", "slides", "physics"]
VERDICTS = ["met", "not met", "not comparable", "broken"]
VOID = {"meta", "link", "br", "img", "hr", "input"}


class Page(html.parser.HTMLParser):
    """A page as a browser sees it: anchors, links, claim rows with their cells, and whether all elements are closed in order."""

    def __init__(self, text):
        super().__init__()
        self.open, self.mistakes, self.ids, self.links, self.tags = [], [], [], [], set()
        self.chapter, self.claims, self.row, self.cell = None, [], None, None
        self.feed(text)
        self.close()
        self.mistakes += [f"<{tag}> is not closed" for tag in self.open]

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.tags.add(tag)
        if tag not in VOID:
            self.open.append(tag)
        if "id" in attributes:
            self.ids.append(attributes["id"])
        if "href" in attributes:
            self.links.append(attributes["href"])
        if tag == "section":
            self.chapter = attributes["id"]
        if tag == "tr" and attributes.get("class") in {"met", "not", "open", "fail"}:
            self.row = {"chapter": self.chapter, "cells": {}}
            self.claims.append(self.row)
        if tag == "td" and self.row:
            self.cell = attributes["data-label"]
            self.row["cells"][self.cell] = ""
        if tag == "small" and self.row:
            self.cell = "why"
            self.row["cells"]["why"] = ""

    def handle_startendtag(self, tag, attrs):
        self.tags.add(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.mistakes.append(f"</{tag}> at {self.getpos()}")
        self.row = None if tag == "tr" else self.row
        self.cell = None if tag == "td" else self.cell

    def handle_data(self, data):
        if self.row and self.cell:
            self.row["cells"][self.cell] += data

    def verdict(self, row):
        return row["cells"]["verdict"].lstrip("\u2713\u2717! ")


class Case(unittest.TestCase):
    all = None  # the quick run of all papers, made once for every class

    @classmethod
    def setUpClass(cls):
        cls.box = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.box.name)
        if Case.all is None:
            Case.all_box = tempfile.TemporaryDirectory()
            Case.papers = pathlib.Path(Case.all_box.name) / "deep" / "papers"
            Case.all = subprocess.run([PAPERS, "all", "--quick", "--json", "--out", "deep/papers"],
                                      cwd=Case.all_box.name, capture_output=True, text=True, timeout=240, check=False)

    @classmethod
    def tearDownClass(cls):
        cls.box.cleanup()

    def cairn(self, *arguments):
        return subprocess.run([PAPERS, *arguments], cwd=self.folder, capture_output=True, text=True, timeout=240,
                              check=False)

    def report(self, name):
        """The quick report of a paper: its rows and its page."""
        page = self.papers / f"{name}.html"
        return json.loads(page.with_suffix(".json").read_text()), page.read_text()

    def aims(self, rows):
        return {row["what"]: row for row in rows if row["figure"] == "aim"}


class Files(Case):
    def test_pages_need_nothing_else(self):
        for name in NAMES:
            _, page = self.report(name)
            self.assertTrue(page.startswith("<!DOCTYPE html>"))
            self.assertIn("prefers-color-scheme:dark", page)
            # The only addresses are names of XML vocabularies and, in the index, pages beside it.
            self.assertEqual(set(re.findall(r"https?://[^\"' >]+", page)) - {"http://www.w3.org/2000/svg"}, set())
            self.assertEqual(re.findall(r"<(?:script|link|img|iframe)\b", page), [])
            self.assertEqual(page.count("<svg"), page.count("</svg>"))
            self.assertEqual(len(re.findall(r"<t[dh][ >]", page)), len(re.findall(r"</t[dh]>", page)))

    def test_pictures_are_xml(self):
        for name, least in zip(NAMES, [5, 5, 5, 5, 3, 2]):
            pictures = sorted(self.papers.glob(f"{name}-*.svg"))
            self.assertGreaterEqual(len(pictures), least)
            for picture in pictures:
                root = xml.etree.ElementTree.parse(picture).getroot()
                self.assertEqual(root.tag, SVG + "svg")
                self.assertTrue(root.find(SVG + "title").text)
                self.assertNotIn("nan", picture.read_text().lower())

    def test_plain_lines_have_marks(self):
        """Curves of hundreds of points could not be told apart on paper when they had colours alone."""
        root = xml.etree.ElementTree.parse(self.papers / "hart-figure2.svg").getroot()
        groups = [group for group in root.iter(SVG + "g") if len(group) > 3]
        self.assertEqual(len(groups), 2)
        marks = [{element.tag for element in group if element.get("class") == "m"} for group in groups]
        self.assertNotIn(set(), marks)
        self.assertNotEqual(marks[0], marks[1])

    def test_one_paper_alone(self):
        """Its aims are no times, so that all are met; the report over all papers is left alone."""
        ran = self.cairn("enzenhofer", "--quick", "--out", "one")
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        self.assertIn("8 of 8 aims met; report in one/enzenhofer.html", ran.stdout)
        self.assertFalse((self.folder / "one" / "index.html").exists())

    def test_json_prints_the_rows(self):
        ran = self.cairn("enzenhofer", "--quick", "--json", "--out", "again")
        rows = json.loads(ran.stdout)
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        self.assertEqual(rows, json.loads((self.folder / "again" / "enzenhofer.json").read_text()))

    def test_an_aim_that_is_not_met_is_the_answer(self):
        """The unstabilised disks keep their overlap, which the paper's did not: 1, and the summary names the aim."""
        ran = self.cairn("hart", "--quick", "--out", "one")
        self.assertEqual((ran.returncode, ran.stderr), (1, ""))
        self.assertRegex(ran.stdout, "NOT MET +disks: infeasibility at 20 s")


    def test_failing_rows_come_first_with_their_reason(self):
        for name in NAMES:
            rows, text = self.report(name)
            page = Page(text)
            order = [page.verdict(row) for row in page.claims]
            rank = {"broken": 0, "not met": 1, "met": 2, "not comparable": 3}
            self.assertEqual(order, sorted(order, key=rank.get), name)
            for aim in self.aims(rows).values():
                if aim["verdict"] != "met":
                    self.assertTrue(aim["why"], aim["what"])


class Sizes(Case):
    """Sizes of one's own instead of the paper's, and problems as files."""

    def test_a_peg_of_ones_own(self):
        ran = self.cairn("lloyd", "--contacts", "64", "--directions", "16", "--runs", "2", "--out", "own", "--problems", "p")
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        rows = json.loads((self.folder / "own" / "lloyd.json").read_text())
        aims = self.aims(rows)
        self.assertEqual(set(aims), {f"peg, 64 contacts, 16 directions: {m}"
                                     for m in ["standard", "structural", "reduced", "contact states"]})
        self.assertRegex(aims["peg, 64 contacts, 16 directions: contact states"]["got"], "2 of 2 solved")
        self.assertEqual({aim["verdict"] for aim in aims.values()}, {"not comparable"})

    def test_its_problems_can_be_solved(self):
        self.cairn("lloyd", "--contacts", "8", "--directions", "6", "--runs", "1", "--out", "own", "--problems", "q")
        contact, = (self.folder / "q").glob("lloyd-*.json")
        self.assertEqual(json.loads(contact.read_text())["d"], [6] * 8)
        matrix, = (self.folder / "q").glob("lloyd-*-M.mtx")
        answers = [subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=False).returncode
                   for arguments in [["contact", contact], ["solve", matrix, str(matrix).replace("-M.mtx", "-q.mtx")]]]
        self.assertEqual(answers, [0, 0])

    def test_frames_and_nuts(self):
        ran = self.cairn("enzenhofer", "--legs", "7", "--runs", "3", "--out", "own")
        self.assertEqual(ran.returncode, 0)
        self.assertRegex(ran.stdout, "7 legs, irregular.*Lemke solves 3, contact states 3 of 3 loads")
        ran = self.cairn("hart", "--dt", "0.05", "--seed", "3", "--quick", "--out", "own", "--problems", "r")
        self.assertEqual(ran.returncode, 0)
        self.assertRegex(ran.stdout, "h = 0.05 s, seed 3 .*60 of 60 steps certified")
        scene, = (self.folder / "r").glob("hart-*.json")
        ran = subprocess.run([PROGRAM, "sim", scene, "--time", "0.1", "--json"], capture_output=True, text=True, check=False)
        self.assertEqual(ran.returncode, 0, ran.stderr)

    def test_wrong_sizes_are_told(self):
        for arguments, message in [(["lloyd", "--legs", "5"], "lloyd has no --legs"),
                                   (["all", "--contacts", "8"], "all has no --contacts"),
                                   (["lloyd", "--contacts", "7"], "--contacts: must be even"),
                                   (["lloyd", "--directions", "3"], "--directions: '3' is not"),
                                   (["hart", "--dt", "-1"], "--dt: '-1' is not")]:
            ran = self.cairn(*arguments, "--out", "none")
            self.assertEqual((ran.returncode, ran.stdout), (2, ""), arguments)
            self.assertIn(message, ran.stderr)
            self.assertTrue(ran.stderr.startswith("cairn-papers: ") and ran.stderr.count("\n") == 1)

    def test_cairn_paper_is_a_forward(self):
        ran = subprocess.run([PROGRAM, "paper", "slides", "--quick", "--out", "forward"], cwd=self.folder, capture_output=True,
                             text=True, check=False)
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        self.assertTrue((self.folder / "forward" / "slides.html").exists())


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
        self.assertEqual((aim["verdict"], aim["where"], aim["published"]),
                         ("met", "s3, Figure 8", "the stabilized method has smaller constraint infeasibility"))

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
        claims = Page(page).claims
        self.assertEqual({row["cells"]["what"] for row in claims}, set(self.aims(rows)))
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


class Slides(Case):
    def test_every_definition_is_there(self):
        rows, page = self.report("slides")
        aims = self.aims(rows)
        self.assertTrue(4 <= len(aims) <= 10, len(aims))
        for number in ["Definition 1", "Definition 2", "Definition 4"]:
            self.assertIn(number, page)
        self.assertEqual({aim["verdict"] for aim in aims.values()}, {"met", "not comparable"})

    def test_what_has_no_figure_is_not_compared(self):
        aim = self.aims(self.report("slides")[0])["sweeping (PGS) against pivoting (Lemke)"]
        self.assertEqual((aim["verdict"], aim["why"], aim["aim"]), ("not comparable", "the slides give no figures", None))


class Physics(Case):
    def test_every_scene_comes_out_right(self):
        aims = self.aims(self.report("physics")[0])
        self.assertEqual([what for what, aim in aims.items() if aim["verdict"] != "met"], [])
        shown = ", ".join(aim["where"] for aim in aims.values())
        for scene in ["incline-rest", "incline-slide", "push-rest", "push-move", "pinch", "wall", "launch", "table-4", "table-6",
                      "table-8", "heavy-on-light", "stack-10", "stack-30", "stack-100", "hinged-boxes", "flywheel", "four-bar",
                      "leg", "two-balls", "bounce", "tumbling", "double-pendulum", "painleve"]:
            self.assertIn(scene, shown)

    def test_scenes_are_of_the_gallery(self):
        listed = subprocess.run([PROGRAM, "sim", "--list"], capture_output=True, text=True, check=True).stdout
        for aim in self.aims(self.report("physics")[0]).values():
            for scene in aim["where"].split(", "):
                if scene != "none: door 2 alone":
                    self.assertIn(f"gallery:{scene} ", listed)

    def test_numbers_by_hand(self):
        aims = self.aims(self.report("physics")[0])
        way = aims["cube of 0.1 m from 6 m/s, \u03bc = 0.5, h = 5 ms, three headings"]
        self.assertAlmostEqual(float(way["got"].split(" m")[0]), 36.0 / 9.81, delta=1e-3)
        height = aims["ball from 1 m, restitution 0.8: height"]
        self.assertAlmostEqual(float(height["got"].split(" m")[0]), 0.64, delta=5e-3)
        self.assertIn(f"{9.81 * (0.5 - 0.95 * 0.5):.4f}",
                      aims["the same, \u03bc = 0.95 tan: acceleration"]["published"])


class Report(Case):
    """One report over all papers."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.text = (cls.papers / "index.html").read_text()
        cls.page = Page(cls.text)
        cls.runs = json.loads(cls.all.stdout)

    def test_exit_code_is_the_answer(self):
        not_met = sum(paper["not_met"] for paper in self.runs)
        self.assertEqual((self.all.returncode, self.all.stderr), (1 if not_met else 0, ""))

    def test_it_is_well_formed(self):
        self.assertTrue(self.text.startswith("<!DOCTYPE html>"))
        self.assertEqual(self.page.mistakes, [])
        self.assertEqual(len(self.page.ids), len(set(self.page.ids)))

    def test_contents_lead_somewhere(self):
        links = [link for link in self.page.links if link.startswith("#")]
        self.assertEqual(links, self.page.links)
        self.assertEqual([link for link in links if link[1:] not in self.page.ids], [])
        nav = self.text[self.text.index("<nav"):self.text.index("</nav>")]
        self.assertEqual([link for link in Page(nav).links if "-" not in link], ["#" + name for name in NAMES])
        self.assertGreater(len(Page(nav).links), 2 * len(NAMES))

    def test_it_needs_nothing_else(self):
        self.assertEqual(set(re.findall(r"https?://[^\"' >]+", self.text)), {"http://www.w3.org/2000/svg"})
        self.assertEqual(self.page.tags & {"script", "link", "img", "iframe", "object", "embed"}, set())
        self.assertNotRegex(self.text, r"@import|url\(")
        self.assertNotIn(str(self.papers.parent), self.text)

    def test_pictures_are_xml(self):
        pictures = re.findall(r"<svg.*?</svg>", self.text, re.DOTALL)
        self.assertGreater(len(pictures), 25)
        for picture in pictures:
            self.assertEqual(xml.etree.ElementTree.fromstring(picture).tag, SVG + "svg")
        self.assertEqual(self.text.count("<figcaption>"), len(pictures))

    def test_paper_is_white(self):
        """Dark colours are for screens alone, in the page and in its pictures."""
        self.assertEqual(len(re.findall(r"prefers-color-scheme:dark", self.text)),
                         len(re.findall(r"@media screen and \(prefers-color-scheme:dark", self.text)))
        self.assertIn("@media print", self.text)

    def test_every_claim_has_all_cells(self):
        self.assertGreater(len(self.page.claims), 70)
        for row in self.page.claims:
            cells = row["cells"]
            self.assertEqual(list(cells)[:5] + list(cells)[-1:], ["what", "where", "published", "ours", "aim", "how"], row)
            self.assertEqual([key for key, text in cells.items() if not text.strip()], [], row)
            self.assertIn(self.page.verdict(row), VERDICTS)
            self.assertEqual(self.page.verdict(row) in VERDICTS[1:], "why" in cells, row)

    def test_verdicts_are_those_of_the_rows(self):
        self.assertEqual([paper["paper"] for paper in self.runs], NAMES)
        for paper in self.runs:
            shown = [row for row in self.page.claims if row["chapter"] == paper["paper"]]
            rows = list(self.aims(paper["rows"]).values())
            self.assertEqual({row["cells"]["what"]: self.page.verdict(row) for row in shown},
                             {row["what"]: row["verdict"] for row in rows})
            for verdict in VERDICTS:
                self.assertEqual(paper[verdict.replace(" ", "_")], sum(row["verdict"] == verdict for row in rows))
            self.assertTrue(all(row["how"] for row in rows))
            summary = re.search(rf'<tr><td><a href="#{paper["paper"]}">.*?</tr>', self.text).group()
            self.assertEqual([int(cell) for cell in re.findall(r"<td>(\d+)</td>", summary)],
                             [len(rows)] + [paper[verdict.replace(" ", "_")] for verdict in VERDICTS])

    def test_pages_of_their_own_say_the_same(self):
        for paper in self.runs:
            page = self.papers / f"{paper['paper']}.html"
            self.assertEqual(json.loads(page.with_suffix(".json").read_text()), paper["rows"])
            single = Page(page.read_text())
            self.assertEqual(single.mistakes, [])
            self.assertEqual([row["cells"] for row in single.claims],
                             [row["cells"] for row in self.page.claims if row["chapter"] == paper["paper"]])

    def test_a_paper_that_breaks_leaves_the_others(self):
        """A picture that cannot be written breaks one chapter: it says so, the rest is whole, the answer is 2."""
        (self.folder / "hurt" / "enzenhofer-five.svg").mkdir(parents=True)
        ran = self.cairn("all", "--quick", "--json", "--out", "hurt")
        self.assertEqual(ran.returncode, 2)
        self.assertEqual(ran.stderr, "cairn-papers: enzenhofer: hurt/enzenhofer-five.svg cannot be written\n")
        papers = {paper["paper"]: paper for paper in json.loads(ran.stdout)}
        self.assertEqual([name for name, paper in papers.items() if not paper["is_whole"]], ["enzenhofer"])
        text = (self.folder / "hurt" / "index.html").read_text()
        page = Page(text)
        self.assertEqual(page.mistakes, [])
        self.assertEqual({row["chapter"] for row in page.claims}, set(NAMES))
        self.assertEqual(text.count('class="broken"'), 1)
        self.assertIn("enzenhofer-five.svg cannot be written", text)


class Usage(Case):
    def bad(self, expected, *arguments):
        ran = self.cairn(*arguments)
        self.assertEqual(ran.returncode, 2)
        self.assertEqual(ran.stdout, "")
        self.assertIn(expected, ran.stderr)
        self.assertEqual(ran.stderr.count("\n"), 1)

    def test_bad_usage(self):
        self.bad("no paper named; try 'cairn-papers all'")
        self.bad("unknown paper 'al'; did you mean all?", "al")
        self.bad("unknown paper 'loyd'; did you mean lloyd?", "loyd")
        self.bad("unexpected argument 'b'", "lloyd", "b")
        self.bad("unknown option '--fast'", "lloyd", "--fast")

    def test_directory_that_cannot_be(self):
        (self.folder / "file").write_text("")
        self.bad("file/papers: cannot make this folder", "enzenhofer", "--quick", "--out", "file/papers")

    def test_help(self):
        ran = self.cairn("--help")
        self.assertEqual(ran.returncode, 0)
        self.assertIn("enzenhofer", ran.stdout)


if __name__ == "__main__":
    PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
    PAPERS = PROGRAM + "-papers"
    unittest.main()
