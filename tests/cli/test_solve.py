#!/usr/bin/env python3
"""`cairn solve` and `cairn info` from outside: exit codes, messages, JSON, files.

    tests/cli/test_solve.py build/cairn [TEST ...]
"""
import json
import os
import pty
import subprocess
import unittest

from cli_case import Case, read_vector, run_tests


def array(rows, columns, values, field="real", symmetry="general"):
    """Text of a Matrix Market array; values are column by column."""
    head = f"%%MatrixMarket matrix array {field} {symmetry}\n{rows} {columns}\n"
    return head + "".join(f"{value}\n" for value in values)


def coordinate(rows, columns, entries, symmetry="general"):
    head = f"%%MatrixMarket matrix coordinate real {symmetry}\n{rows} {columns} {len(entries)}\n"
    return head + "".join(" ".join(str(word) for word in entry) + "\n" for entry in entries)


GOOD_M = array(2, 2, [2, 1, 1, 2])
GOOD_Q = array(2, 1, [-5, -6])
GOOD_Z = [4 / 3, 7 / 3]
GOOD_DAT = "2\n0 2 2\n2 2\n2 1\n1 2\n-5 -6\n"
ZERO_M = array(2, 2, [0, 0, 0, 0])


class Solve(Case):
    def test_text(self):
        self.write(M=GOOD_M, q=GOOD_Q)
        text = self.good(0, "solve", "M.mtx", "q.mtx")
        for words in ["outcome      solved", "certificate  ", "pivots       ", "method       ", "time         "]:
            self.assertIn(words, text)

    def test_json(self):
        self.write(M=GOOD_M, q=GOOD_Q)
        text = self.good(0, "solve", "M.mtx", "q.mtx", "--json")
        line = self.check_line(text)
        self.assertEqual(text.count("\n"), 1)
        self.assertEqual((line["problem"], line["outcome"]), ("M.mtx", "solved"))
        self.assertLessEqual(line["residual"], 1e-9)
        self.near(line["z"], GOOD_Z)
        for key in ["method", "refactorizations", "ties", "backtracks", "restarts", "proof"]:
            self.assertIn(key, line)

    def test_trace(self):
        # By hand: the cover comes in for w1, which needs it most; z1 comes in for w0; z0 for the cover.
        self.write(M=GOOD_M, q=GOOD_Q)
        line = self.check_line(self.good(0, "solve", "M.mtx", "q.mtx", "--method=lemke", "--trace", "--json"))
        self.assertEqual([(e["event"], e["entering"], e["leaving"], e["cover"]) for e in line["trace"]],
                         [("enter", 4, 3, 6), ("exchange", 1, 2, 4), ("exchange", 0, 4, 0)])
        plain = self.check_line(self.good(0, "solve", "M.mtx", "q.mtx", "--method=lemke", "--json"))
        self.assertNotIn("trace", plain)
        self.assertEqual(plain["z"], line["z"])
        text = self.good(0, "solve", "M.mtx", "q.mtx", "--method=lemke", "--trace", "--repeat=3")
        rows = [row.split() for row in text[text.index("trace "):].splitlines()[2:]]
        self.assertEqual(rows, [["0", "enter", "cover", "w1", "6", "1"], ["1", "exchange", "z1", "w0", "4", "1"],
                                ["2", "exchange", "z0", "cover", "0", "1"]])

    def test_every_method(self):
        self.write(M=coordinate(2, 2, [(1, 1, 2), (2, 1, 1), (1, 2, 1), (2, 2, 2)]), q=GOOD_Q)
        methods = json.loads(self.good(0, "info", "--json"))["methods"]
        self.assertIn("search", methods)
        for method in methods:
            if method in ("game", "refute"):  # this is no game, and there is nothing to refute
                continue
            line = self.check_line(self.good(0, "solve", "M.mtx", "q.mtx", "--method", method, "--json"))
            self.assertTrue(all(abs(a - b) < 1e-7 for a, b in zip(line["z"], GOOD_Z)), method)
        self.good(0, "solve", "M.mtx", "q.mtx", "--method=murty", "--variant=block")
        self.good(0, "solve", "M.mtx", "q.mtx", "--method=yamane", "--variant=authors", "--epsilon=1e-6",
                  "--error-max=1e-6")
        self.good(0, "solve", "M.mtx", "q.mtx", "--method=lemke-lex", "--tie", "0", "--max-pivots", "100")
        self.good(0, "solve", "M.mtx", "q.mtx", "--method=pgs", "--omega", "1.2", "--tol", "1e-8")
        self.good(0, "solve", "M.mtx", "q.mtx", "--seed", "18446744073709551615", "--repeat", "5")

    def test_sparse_and_symmetric(self):
        self.write(M=coordinate(2, 2, [(2, 1, 1), (1, 1, 2), (2, 2, 2)], "symmetric"),
                   q=coordinate(2, 1, [(1, 1, -5), (2, 1, -6)]))
        self.near(self.check_line(self.good(0, "solve", "M.mtx", "q.mtx", "--json"))["z"], GOOD_Z)

    def test_order_zero(self):
        self.write(M=array(0, 0, []), q=array(0, 1, []))
        line = self.check_line(self.good(0, "solve", "M.mtx", "q.mtx", "--json"))
        self.assertEqual((line["outcome"], line["z"]), ("solved", []))

    def test_bounds(self):
        self.write(M=array(1, 1, [2]), q=array(1, 1, [-6]), low=array(1, 1, ["-inf"]), high=array(1, 1, [1.5]))
        line = self.check_line(self.good(0, "solve", "M.mtx", "q.mtx", "--upper", "high.mtx", "--json"))
        self.near(line["z"], [1.5])
        line = self.check_line(self.good(0, "solve", "M.mtx", "q.mtx", "--lower", "low.mtx", "--json"))
        self.near(line["z"], [3.0])

    def test_dat(self):
        self.write(p_dat=GOOD_DAT, box_dat=GOOD_DAT + "0 0\n1 9\n", mixed_dat="0 1 1 1\n1\n1\n-1\n1\n-1\n-3\n")
        self.near(self.check_line(self.good(0, "solve", "p.dat", "--json"))["z"], GOOD_Z)
        self.near(self.check_line(self.good(0, "solve", "p.dat", "--kind", "lcp", "--json"))["z"], GOOD_Z)
        self.near(self.check_line(self.good(0, "solve", "box.dat", "--json"))["z"], [1.0, 2.5])
        self.near(self.check_line(self.good(0, "solve", "mixed.dat", "--kind", "mlcp", "--json"))["z"], [2.0, 1.0])

    def test_output(self):
        self.write(M=GOOD_M, q=GOOD_Q)
        line = self.check_line(self.good(0, "solve", "M.mtx", "q.mtx", "-o", "z.mtx", "--json"))
        self.assertEqual(read_vector(self.folder / "z.mtx"), line["z"])
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["M.mtx", "q.mtx", "z.mtx"])
        self.assertIn("written      z.mtx", self.good(0, "solve", "M.mtx", "q.mtx", "-o", "z.mtx"))

    def test_seventeen_digits(self):
        self.write(M=array(1, 1, [3]), q=array(1, 1, [-1]))
        text = self.good(0, "solve", "M.mtx", "q.mtx", "--json")
        self.assertIn("0.33333333333333331", text)

    def test_no_solution(self):
        self.write(M=ZERO_M, q=array(2, 1, [-1, 1]))
        text = self.good(1, "solve", "M.mtx", "q.mtx", "-o", "z.mtx")
        self.assertIn("outcome      infeasible", text)
        self.assertIn("proved", text)
        self.assertFalse((self.folder / "z.mtx").exists())
        line = self.check_line(self.good(1, "solve", "M.mtx", "q.mtx", "--json"))
        self.assertEqual(line["outcome"], "infeasible")
        self.assertIn(line["proof"], ["farkas", "exhausted"])

    def test_warm_start(self):
        n = 12
        self.write(M=array(n, n, [4 if i == j else 1 / (1 + abs(i - j)) for j in range(n) for i in range(n)]),
                   q=array(n, 1, [-1 - i % 3 if i % 4 else 2 for i in range(n)]))
        for method in ["search", "lemke", "lemke-lex", "murty"]:
            pair = ["solve", "M.mtx", "q.mtx", "--method", method, "--json"]
            cold = self.check_line(self.good(0, *pair, "--basis-out", "basis.mtx"))
            basis = read_vector(self.folder / "basis.mtx")
            self.assertTrue(set(basis) <= {0.0, 1.0, 2.0})
            warm = self.check_line(self.good(0, *pair, "--start", "basis.mtx"))
            self.near(warm["z"], cold["z"])
            self.assertLess(warm["pivots"], cold["pivots"], method)


class BadInput(Case):
    """Every line of the list of bad input, in each format: exit 2, one line that names file, line and field."""

    def bad_M(self, expected, M):
        self.write(M=M, q=GOOD_Q)
        self.bad(expected, "solve", "M.mtx", "q.mtx", "-o", "z.mtx", "--json")

    def bad_q(self, expected, q):
        self.write(M=GOOD_M, q=q)
        self.bad(expected, "solve", "M.mtx", "q.mtx", "-o", "z.mtx")

    def bad_dat(self, expected, text):
        self.write(p_dat=text)
        self.bad(expected, "solve", "p.dat", "-o", "z.mtx")

    def test_nan_and_infinity(self):
        self.bad_M("M.mtx:4: M: 'nan'", array(2, 2, [2, "nan", 1, 2]))
        self.bad_M("M.mtx:6: M: '-Inf'", array(2, 2, [2, 1, 1, "-Inf"]))
        self.bad_M("M.mtx:3: M: '1e400'", array(2, 2, ["1e400", 1, 1, 2]))
        self.bad_M("M.mtx:3: M: 'NaN'", coordinate(2, 2, [(1, 1, "NaN")]))
        self.bad_q("q.mtx:4: q: 'nan'", array(2, 1, [1, "nan"]))
        self.bad_q("q.mtx:3: q: 'inf'", array(2, 1, ["inf", 1]))
        self.bad_dat("p.dat:4: M: 'nan'", GOOD_DAT.replace("2 1\n", "2 nan\n"))
        self.bad_dat("p.dat:6: q: 'inf'", GOOD_DAT.replace("-6", "inf"))
        self.write(M=GOOD_M, q=GOOD_Q, b=array(2, 1, [0, "nan"]))
        self.bad("b.mtx:4: lower: 'nan'", "solve", "M.mtx", "q.mtx", "--lower", "b.mtx")
        self.bad("b.mtx:4: upper: 'nan'", "solve", "M.mtx", "q.mtx", "--upper", "b.mtx")

    def test_sparse_files(self):
        """Entries given twice are told; any order, empty rows and columns and stored zeros are what they are."""
        self.bad_M("M.mtx:5: entry: (1, 1) is given twice", coordinate(2, 2, [(1, 1, 1), (2, 2, 2), (1, 1, 1)]))
        self.bad_M("M.mtx:5: entry: (2, 1) is given twice",
                   coordinate(2, 2, [(1, 1, 2), (2, 1, 1), (1, 2, 0.5), (2, 2, 2)], "symmetric"))
        self.write(q=GOOD_Q, M=coordinate(2, 2, [(2, 2, 2), (1, 2, 1), (2, 1, 1), (1, 1, 2)]))
        self.assertIn("outcome      solved", self.good(0, "solve", "M.mtx", "q.mtx", "-o", "z.mtx"))
        for z, right in zip(read_vector(self.folder / "z.mtx"), GOOD_Z):
            self.assertAlmostEqual(z, right)
        self.write(M=coordinate(2, 2, [(2, 2, 2), (1, 2, 0), (2, 1, 0), (1, 1, 2)]))
        self.assertIn("outcome      solved", self.good(0, "solve", "M.mtx", "q.mtx"))
        self.write(M=coordinate(2, 2, [(2, 2, 2)]))  # w1 = -5 whatever z is
        self.assertIn("outcome      infeasible", self.good(1, "solve", "M.mtx", "q.mtx"))

    def test_claims_of_symmetry(self):
        """By how much it fails, and where."""
        self.write(q=GOOD_Q, M=coordinate(2, 2, [(1, 1, 2), (2, 1, 1), (1, 2, 0.5), (2, 2, 2)]),
                   P=array(2, 2, [2, 1, 0.5, 2]), A=array(1, 2, [1, 1]), l=array(1, 1, [0]))
        self.bad("M(2,1) and M(1,2) differ by 0.25 of their size", "solve", "M.mtx", "q.mtx", "--method", "multigrid")
        self.bad("P(2,1) = 1, but P(1,2) = 0.5", "solve", "--qp", "P.mtx", "q.mtx", "A.mtx", "l.mtx", "l.mtx")

    def test_times(self):
        """0 is no limit, years are one that changes nothing; less than 0 and no number are refused."""
        self.write(M=GOOD_M, q=GOOD_Q)
        for limit in ["0", "1e9", "1e300"]:
            self.assertIn("outcome      solved", self.good(0, "solve", "M.mtx", "q.mtx", "--time-limit", limit))
        for limit in ["-1", "nan", "inf", "soon"]:
            self.bad("--time-limit", "solve", "M.mtx", "q.mtx", "--time-limit", limit)

    def test_sizes(self):
        self.bad_M("M.mtx:2: rows: -2 is negative", array(-2, -2, [1]))
        self.bad_M("M.mtx:2: columns: 'x'", array(2, "x", [1]))
        self.bad_M("M.mtx:2: sizes: 100 values claimed", array(10, 10, [2, 1, 1, 2]))
        self.bad_M("M.mtx:7: end: unexpected", array(2, 2, [2, 1, 1, 2, 5]))
        self.bad_M("M.mtx:3: row: 3 is not in 1 .. 2", coordinate(2, 2, [(3, 1, 1)]))
        self.bad_M("M.mtx:4: entry: (1, 1) is given twice", coordinate(2, 2, [(1, 1, 1), (1, 1, 2)]))
        self.bad_q("q.mtx:2: q: 3 x 1, but 2 x 1 is needed", array(3, 1, [1, 2, 3]))
        self.bad_q("q.mtx:2: rows: -2", array(-2, 1, [1, 2]))
        self.bad_dat("p.dat:1: n: -2 is negative", "-2 0 -2 -2\n")
        self.bad_dat("p.dat:2: M: 3 x 3, but 2 x 2 is needed", "2\n0 3 3\n3 3\n1 2 3 4 5 6 7 8 9 1 2 3\n")

    def test_not_square(self):
        self.bad_M("M.mtx:2: M: not square: 2 rows and 3 columns", array(2, 3, [1, 2, 3, 4, 5, 6]))
        self.bad_M("M.mtx:2: M: not square", coordinate(3, 2, [(1, 1, 1)]))
        self.bad_dat("p.dat:2: M: not square: 3 rows and 2 columns", "2\n0 3 2\n3 2\n1 2 3 4 5 6\n1 2\n")

    def test_truncated(self):
        self.bad_M("M.mtx:1: header", "")
        self.bad_M("M.mtx:1: header", "%%MatrixMarket matrix arr")
        self.bad_M("M.mtx:1: rows: missing", "%%MatrixMarket matrix array real general")
        self.bad_M("M.mtx:6: M: missing: the file ends here", array(2, 2, [2.5, 1.5, 1.5]))
        self.bad_M("M.mtx:4: row: missing", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 2.5000\n")
        self.bad_q("q.mtx:4: q: missing", array(2, 1, [-5.25]))
        self.bad_dat("p.dat:1: n: missing", "")
        self.bad_dat("p.dat:6: q: missing", GOOD_DAT.replace(" -6\n", ""))
        self.bad_dat("p.dat:6: bounds: 3 numbers follow q", GOOD_DAT.replace("-6\n", "-6 0 0 1"))

    def test_text_instead_of_numbers(self):
        self.bad_M("M.mtx:4: M: 'one' is not a number", array(2, 2, [2, "one", 1, 2]))
        self.bad_M("M.mtx:1: header: unknown banner", "hello world\n")
        self.bad_M("M.mtx:1: header: complex", array(2, 2, [1, 2, 3, 4], "complex"))
        self.bad_q("q.mtx:3: q: '1,5' is not a number", array(2, 1, ["1,5", 2]))
        self.bad_dat("p.dat:4: M: 'x'", GOOD_DAT.replace("2 1\n", "2 x\n"))
        (self.folder / "M.mtx").write_bytes(bytes(range(256)))
        self.bad("M.mtx:1: header", "solve", "M.mtx", "q.mtx")

    def test_more_than_memory(self):
        self.bad_M("M.mtx:2: sizes: 1000000000000000000 values claimed", array(10**9, 10**9, [1]))
        self.bad_M("M.mtx:2: rows: 2000000000 rows claimed", coordinate(2 * 10**9, 2 * 10**9, [(1, 1, 1)]))
        self.bad_M("M.mtx:2: rows: 99999999999", array(99999999999, 99999999999, [1]))
        self.bad_M("M.mtx:2: entries", "%%MatrixMarket matrix coordinate real general\n2 2 2000000000\n1 1 1\n")
        self.bad_dat("p.dat:1: n: 1000000000 claimed", "1000000000\n0 1000000000 1000000000\n")

    def test_bounds(self):
        self.write(M=GOOD_M, q=GOOD_Q, l=array(2, 1, [0, 2]), u=array(2, 1, [5, 1]), m=array(2, 1, [1, -1]))
        self.bad("u.mtx:4: upper: entry 2: lower bound 2 is over upper bound 1", "solve", "M.mtx", "q.mtx", "--lower",
                 "l.mtx", "--upper", "u.mtx", "-o", "z.mtx")
        self.bad("m.mtx:4: upper: entry 2: lower bound 0", "solve", "M.mtx", "q.mtx", "--upper", "m.mtx")
        self.bad_dat("p.dat:7: upper: entry 1: no z is in [3, 1]", GOOD_DAT + "3 0 1 1")

    def test_method_and_options(self):
        self.write(M=GOOD_M, q=GOOD_Q, p_dat=GOOD_DAT)
        pair = ["solve", "M.mtx", "q.mtx", "-o", "z.mtx"]
        self.bad(["unknown method 'lemkee'", "did you mean lemke?"], *pair, "--method", "lemkee")
        self.bad(["unknown option '--toll'", "did you mean --tol?"], *pair, "--toll", "1")
        self.bad("unknown variant 'x'", *pair, "--variant", "x")
        self.bad("unknown kind 'x'", "solve", "p.dat", "--kind", "x")
        self.bad("--tol: '-1' is not a number > 0", *pair, "--tol", "-1")
        self.bad("--tol: 'nan' is not", *pair, "--tol", "nan")
        self.bad("--omega: '2' is not", *pair, "--omega", "2")
        self.bad("--max-pivots: '-1' is not", *pair, "--max-pivots", "-1")
        self.bad("--max-pivots: '99999999999' is not", *pair, "--max-pivots", "99999999999")
        self.bad("--seed: '-1' is not", *pair, "--seed", "-1")
        self.bad("--repeat: '0' is not", *pair, "--repeat", "0")
        self.bad("--tol: X is missing", *pair, "--tol")
        self.bad("--tol is given twice", *pair, "--tol", "1e-9", "--tol=1e-8")
        self.bad("--json takes no value", *pair, "--json=1")
        self.bad("unexpected argument 'r.mtx'", *pair, "r.mtx")
        self.bad("q is missing", "solve", "M.mtx")
        self.bad("no problem given", "solve")
        self.bad("--lower and --upper", "solve", "p.dat", "--lower", "q.mtx")
        self.bad("--kind", *pair, "--kind", "lcp")
        self.bad("-o does not go with --batch", "solve", "--batch", "list", "-o", "z.mtx")
        self.bad("'M.mtx' does not go with --batch", "solve", "--batch", "list", "M.mtx")
        self.bad(["unknown command 'sole'", "solve"], "sole")
        self.bad("no command", )
        self.bad("unexpected argument", "info", "x", "y")

    def test_files(self):
        self.write(M=GOOD_M, q=GOOD_Q, p_dat=GOOD_DAT)
        self.bad("no.mtx: cannot be opened", "solve", "no.mtx", "q.mtx")
        self.bad("no.mtx: cannot be opened", "solve", "M.mtx", "no.mtx")
        self.bad("no.dat: cannot be opened", "solve", "no.dat")
        self.bad(".: cannot be opened: it is a folder", "solve", ".", "q.mtx")
        self.bad("no/z.mtx: cannot be written", "solve", "M.mtx", "q.mtx", "-o", "no/z.mtx")
        self.bad("list: cannot be opened", "solve", "--batch", "list")
        self.write(s=array(2, 1, [0, 3]), t=array(3, 1, [0, 0, 0]))
        self.bad("s.mtx: entry 2: 3 is not 0", "solve", "M.mtx", "q.mtx", "--start", "s.mtx")
        self.bad("t.mtx:2: vector: 3 x 1", "solve", "p.dat", "--start", "t.mtx")


class Batch(Case):
    def write_list(self, text):
        (self.folder / "list").write_text(text)

    def lines(self, code, *arguments):
        done = self.run_cairn("solve", "--batch", "list", *arguments)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1 if code == 2 else 0, done.stderr)
        return [self.check_line(line) for line in done.stdout.splitlines()]

    def test_all_solved(self):
        self.write(M=GOOD_M, q=GOOD_Q, p_dat=GOOD_DAT)
        self.write_list("# two problems\n\nM.mtx q.mtx\n  p.dat  \r\n\t# end\n")
        lines = self.lines(0, "--repeat", "3")
        self.assertEqual([line["problem"] for line in lines], ["M.mtx", "p.dat"])
        for line in lines:
            self.assertEqual(line["outcome"], "solved")
            self.near(line["z"], GOOD_Z)

    def test_some_not_solved(self):
        self.write(M=GOOD_M, q=GOOD_Q, Z=ZERO_M, r=array(2, 1, [-1, 1]))
        self.write_list("Z.mtx r.mtx\nM.mtx q.mtx\n")
        self.assertEqual([line["outcome"] for line in self.lines(1)], ["infeasible", "solved"])

    def test_bad_lines_do_not_stop(self):
        self.write(M=GOOD_M, q=GOOD_Q, Z=ZERO_M, r=array(2, 1, [-1, 1]), n=array(2, 1, [1, "nan"]))
        self.write_list("M.mtx n.mtx\nno.dat\nM.mtx q.mtx q.mtx\nM.mtx\nZ.mtx r.mtx\nM.mtx q.mtx\n")
        lines = self.lines(2)
        self.assertEqual([line["outcome"] for line in lines], ["error"] * 4 + ["infeasible", "solved"])
        for line, words in zip(lines, ["n.mtx:4: q: 'nan'", "no.dat: cannot be opened", "list:3: 3 words", "q is missing"]):
            self.assertIn(words, line["message"])
            self.assertEqual((line["residual"], line["z"]), (None, []))

    def test_paths_beside_the_list(self):
        self.write(M=GOOD_M, q=GOOD_Q)
        self.write_list("M.mtx q.mtx\n")
        elsewhere = self.folder / "sub"
        elsewhere.mkdir()
        done = subprocess.run([self.program, "solve", "--batch", "../list"], cwd=elsewhere, capture_output=True, text=True,
                              timeout=60, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.check_line(done.stdout)["problem"], "M.mtx")

    def test_empty_list(self):
        self.write_list("# nothing\n")
        self.assertEqual(self.lines(0), [])

    def test_odd_names(self):
        name = 'quote"back\\tab\u00e9'
        (self.folder / name).write_text(GOOD_DAT)
        (self.folder / "list").write_text(name + "\n", encoding="utf-8")
        self.assertEqual(self.lines(0)[0]["problem"], name)
        (self.folder / "list").write_bytes(b"latin\xe9\n")
        self.assertEqual(self.lines(2)[0]["problem"], "latin\ufffd")

    def test_progress_bar_on_a_terminal_only(self):
        self.write(M=GOOD_M, q=GOOD_Q)
        self.write_list("M.mtx q.mtx\n" * 3)
        reader, writer = pty.openpty()
        done = subprocess.run([self.program, "solve", "--batch", "list"], cwd=self.folder, stdout=subprocess.PIPE,
                              stderr=writer, text=True, timeout=60, check=False)
        os.close(writer)
        shown = os.read(reader, 4096).decode()
        os.close(reader)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(len(done.stdout.splitlines()), 3)
        self.assertIn("solving [", shown)
        self.lines(0)  # not a terminal: standard error is empty


class Dump(Case):
    def replay(self, folder):
        """Run the recorded command; returns its JSON line."""
        command = (self.folder / folder / "options.txt").read_text().splitlines()[-1]
        self.assertTrue(command.startswith("cairn solve "), command)
        done = subprocess.run(["sh", "-c", "'" + self.program + "'" + command[len("cairn"):] + " --json"], cwd=self.folder,
                              capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 1, done.stderr)
        return self.check_line(done.stdout)

    def expect_same(self, first, again):
        for line in (first, again):
            for key in ["problem", "time_us", "dump"]:
                line.pop(key, None)
        self.assertEqual(first, again)

    def test_replay(self):
        self.write(M=array(2, 2, [0.1, 0, 0, 0]), q=array(2, 1, [-1 / 3, -1]))
        line = self.check_line(self.good(1, "solve", "M.mtx", "q.mtx", "--dump", "it's", "--json"))
        self.assertEqual(line["dump"], "it's")
        self.assertEqual(read_vector(self.folder / "it's" / "q.mtx"), [-1 / 3, -1])
        self.expect_same(line, self.replay("it's"))

    def test_replay_with_bounds_sparse_and_start(self):
        self.write(M=coordinate(2, 2, [(1, 1, 0.1)]), q=array(2, 1, [-1 / 3, -1]), u=array(2, 1, [1, "inf"]),
                   l=array(2, 1, ["-inf", 0]), s=array(2, 1, [1, 0]))
        line = self.check_line(self.good(1, "solve", "M.mtx", "q.mtx", "--lower", "l.mtx", "--upper", "u.mtx", "--start",
                                         "s.mtx", "--method", "search", "--seed", "7", "--dump", "d", "--json"))
        self.assertEqual(sorted(path.name for path in (self.folder / "d").iterdir()),
                         ["M.mtx", "lower.mtx", "options.txt", "q.mtx", "start.mtx", "upper.mtx"])
        self.assertIn("coordinate", (self.folder / "d" / "M.mtx").read_text())
        self.expect_same(line, self.replay("d"))

    def test_batch(self):
        self.write(M=GOOD_M, q=GOOD_Q, Z=ZERO_M, r=array(2, 1, [-1, 1]))
        (self.folder / "list").write_text("M.mtx q.mtx\nZ.mtx r.mtx\nM.mtx q.mtx\nZ.mtx r.mtx\n")
        done = self.run_cairn("solve", "--batch", "list", "--dump", "d")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(sorted(path.name for path in (self.folder / "d").iterdir()), ["0002", "0004"])
        lines = [self.check_line(line) for line in done.stdout.splitlines()]
        self.assertEqual([line.get("dump") for line in lines], [None, "d/0002", None, "d/0004"])
        self.expect_same(lines[3], self.replay("d/0004"))

    def test_nothing_when_solved(self):
        self.write(M=GOOD_M, q=GOOD_Q)
        self.good(0, "solve", "M.mtx", "q.mtx", "--dump", "d")
        self.assertFalse((self.folder / "d").exists())

    def test_folder_that_cannot_be(self):
        self.write(M=ZERO_M, q=array(2, 1, [-1, 1]))
        self.bad("q.mtx: cannot make this folder", "solve", "M.mtx", "q.mtx", "--dump", "q.mtx")


class Program(Case):
    def test_help(self):
        for arguments in [["--help"], ["-h"], ["solve", "--help"], ["info", "--help"]]:
            self.assertIn("usage: cairn", self.good(0, *arguments))
        text = self.good(0, "solve", "--help")
        for words in ["--method", "lemke-lex", "--batch", "--dump"]:
            self.assertIn(words, text)
        self.assertRegex(self.good(0, "--version"), r"^cairn \d+\.\d+\.\d+\n$")

    def test_info(self):
        info = json.loads(self.good(0, "info", "--json"))
        for key in ["version", "compiler", "features", "methods"]:
            self.assertIn(key, info)
        self.assertIn("methods   auto, search", self.good(0, "info"))

    @unittest.skipUnless(os.path.exists("/dev/full"), "no /dev/full")
    def test_full_disk(self):
        self.write(M=GOOD_M, q=GOOD_Q)
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([self.program, "solve", "M.mtx", "q.mtx"], cwd=self.folder, stdout=full,
                                  stderr=subprocess.PIPE, text=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("standard output cannot be written", done.stderr)
        self.bad("/dev/full: cannot be written", "solve", "M.mtx", "q.mtx", "-o", "/dev/full")


if __name__ == "__main__":
    run_tests(__doc__)
