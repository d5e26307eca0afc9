#!/usr/bin/env python3
"""`cairn prove` and tools/check_proof.py from outside: honest proofs hold, by both checks, and no changed one does.

    tests/cli/test_prove.py build/cairn [TEST ...]
"""
import copy
import itertools
import json
import pathlib
import random
import re
import sys
from fractions import Fraction
from math import inf

from cli_case import Case, run_tests

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import check_proof  # noqa: E402

SEED = 20261118
TAMPERED = 10000
KINDS = ["enclosure", "exact", "backward", "infeasible", "exhausted"]


def array(rows, columns, values):
    head = f"%%MatrixMarket matrix array real general\n{rows} {columns}\n"
    return head + "".join(f"{value!r}\n" for value in values)


def vector(values):
    return array(len(values), 1, values)


def definite(n, draw):
    """Column by column: B'B / n plus a skew part plus the identity."""
    B = [[draw.gauss(0, 1) for _ in range(n)] for _ in range(n)]
    S = [[draw.uniform(-1, 1) for _ in range(n)] for _ in range(n)]
    M = [[sum(B[k][i] * B[k][j] for k in range(n)) / n + S[i][j] - S[j][i] + (i == j) for j in range(n)] for i in range(n)]
    return [M[i][j] for j in range(n) for i in range(n)]


class Oracle:
    """All complementary solutions of a small problem in rational numbers, by trying every choice of sides: what proofs say is held
    against this, which shares nothing with the checker but the reading of the files."""

    def __init__(self, problem):
        n, self.n, self.q, self.lower, self.upper = problem.n, problem.n, problem.q, problem.lower, problem.upper
        self.M = [[problem.column[j].get(i, Fraction(0)) for j in range(n)] for i in range(n)]
        self.solutions = [z for sides in itertools.product("LBU", repeat=n) for z in self.points(sides)]

    def w(self, z):
        return [sum(m * x for m, x in zip(row, z)) + q for row, q in zip(self.M, self.q)]

    def wrong_rows(self, z):
        return [i for i, (l, u, x, w) in enumerate(zip(self.lower, self.upper, z, self.w(z)))
                if not (w == 0 or (w > 0 and x == l) or (w < 0 and x == u))]

    def is_solution(self, z):
        return all(l <= x <= u for l, x, u in zip(self.lower, z, self.upper)) and not self.wrong_rows(z)

    def points(self, sides):
        """The solution on these sides, if there is one and its block is regular."""
        z = [{"L": l, "U": u, "B": Fraction(0)}[side] for side, l, u in zip(sides, self.lower, self.upper)]
        if any(x in (inf, -inf) for x in z):
            return []
        basic, w = [i for i in range(self.n) if sides[i] == "B"], self.w(z)
        rows = [[self.M[i][j] for j in basic] + [-w[i]] for i in basic]
        for c in range(len(basic)):  # Gauss and Jordan
            pivot = next((r for r in range(c, len(basic)) if rows[r][c] != 0), None)
            if pivot is None:
                return []
            rows[c], rows[pivot] = rows[pivot], rows[c]
            rows[c] = [v / rows[c][c] for v in rows[c]]
            rows = [row if r == c else [a - row[c] * b for a, b in zip(row, rows[c])] for r, row in enumerate(rows)]
        for i, row in zip(basic, rows):
            z[i] = row[-1]
        return [z] if self.is_solution(z) else []


def is_true(oracle, proof):
    """Is what the proof says so?"""
    numbers = {key: [Fraction(x) for x in proof[key]] for key in ("z", "radius", "size", "eps", "y") if key in proof}
    if proof["kind"] == "enclosure":
        return any(all(abs(a - b) <= r for a, b, r in zip(z, numbers["z"], numbers["radius"])) for z in oracle.solutions)
    if proof["kind"] == "exact":
        parts = [int(text, 16) for text in proof["numbers"]]
        basic = iter(parts)
        z = [Fraction(next(basic), parts[-1]) if side == "B" else x for side, x in zip(proof["basis"], numbers["z"])]
        return oracle.is_solution(z)
    if proof["kind"] == "backward":  # make the change that is claimed to do, and see
        w = oracle.w(numbers["z"])
        wrong = oracle.wrong_rows(numbers["z"])
        nearby = copy.copy(oracle)
        nearby.q = [q - w[i] if i in wrong else q for i, q in enumerate(oracle.q)]
        small = all(abs(w[i]) <= numbers["eps"][0] * numbers["size"][i] for i in wrong)
        return small and nearby.is_solution(numbers["z"])
    return not oracle.solutions  # infeasible, exhausted: blocks that are singular add none, see the test's problems


class Prove(Case):
    def make(self, kind):
        """Files of a problem whose proof is of this kind; returns the arguments that name them."""
        draw = random.Random(SEED)
        n = 6
        if kind == "enclosure":
            self.write(M=array(n, n, definite(n, draw)), q=vector([draw.uniform(-1, 1) for _ in range(n)]),
                       l=vector([-0.1] * n), u=vector([0.2] * 3 + [float("inf")] * 3))
            return ["M.mtx", "q.mtx", "--lower", "l.mtx", "--upper", "u.mtx"]
        if kind == "exact":  # z = (1/3, 0) with both basic: w2 = 0 there
            self.write(M=array(2, 2, [3.0, 3.0, 1.0, 2.0]), q=vector([-1.0, -1.0]))
            return ["M.mtx", "q.mtx"]
        if kind == "backward":  # a singular block whose doubles do not agree
            self.write(M=array(2, 2, [0.1, 0.3, 0.3, 0.9]), q=vector([-0.1, -0.3]))
            return ["M.mtx", "q.mtx"]
        if kind == "exhausted":  # w = (z2 - 1, 1): feasible from z2 = 1 on, but w2 = 1 asks for z2 = 0
            self.write(M=array(2, 2, [0.0, 0.0, 1.0, 0.0]), q=vector([-1.0, 1.0]))
            return ["M.mtx", "q.mtx"]
        self.write(M=array(3, 3, [1.0, -1.0, 0.5, 0.0, 0.0, 1.0, 2.0, -3.0, 1.0]), q=vector([-1.0, -1.0, 0.0]))
        return ["M.mtx", "q.mtx"]

    def prove(self, kind):
        files = self.make(kind)
        told = json.loads(self.good(0, "prove", *files, "-o", "proof.json", "--json"))
        self.assertEqual(told["proof"], kind)
        return files

    def problem(self, files):
        paths = [str(self.folder / name) for name in files if name.endswith(".mtx")] + [None, None]
        return check_proof.Problem(*paths[:4])

    def test_honest_proofs_hold(self):
        for kind in KINDS:
            files = self.prove(kind)
            self.assertIn("yes: ", self.good(0, "prove", "--check", "proof.json", *files))
            proof = check_proof.read_proof(self.folder / "proof.json")
            words = {"backward": "BACKWARD", "infeasible": "INFEASIBLE", "exhausted": "NO SOLUTION"}
            self.assertIn(words.get(kind, "PROVED"), check_proof.check(self.problem(files), proof))

    def test_changed_proofs_are_refused(self):
        """Any number changed: by the digest, and, where the digest is made to fit, unless what is said is still true, which the
        oracle below says."""
        draw = random.Random(SEED)
        print(f"seed {SEED}")
        refused, true = 0, 0
        for kind in KINDS:
            files = self.prove(kind)
            problem = self.problem(files)
            oracle = Oracle(problem)
            text = (self.folder / "proof.json").read_text()
            body, digest = text[:text.rindex('"digest"')], text[text.rindex('"digest"'):]
            numbers = [m for m in re.finditer(r"-?\d[\d.e+-]*|(?<=\")[0-9a-f]+(?=\")", body) if m.start() > 20]
            for _ in range(TAMPERED // len(KINDS)):
                m = draw.choice(numbers)
                changed = body[:m.start()] + self.change(m.group(), draw) + body[m.end():]
                path = self.folder / "changed.json"
                path.write_text(changed + digest)
                with self.assertRaises((check_proof.Refused, check_proof.BadFile)):
                    check_proof.check(problem, check_proof.read_proof(path))
                refused += 1
                path.write_text(changed + '"digest": "%016x"}\n' % check_proof.digest_of(changed.encode()))
                try:
                    proof = check_proof.read_proof(path)
                    check_proof.check(problem, proof)
                except (check_proof.Refused, check_proof.BadFile, ValueError):
                    continue
                self.assertTrue(is_true(oracle, proof), changed)
                true += 1
        print(f"{refused} changed proofs refused; with a digest made to fit {true} say something that is still true")
        self.assertEqual(refused, TAMPERED)
        self.assertLess(true, TAMPERED // 2)

    def change(self, number, draw):
        """Another number: a digit replaced, a sign, or something else altogether."""
        for _ in range(100):
            if draw.random() < 0.2:
                other = repr(draw.uniform(-10, 10))
            else:
                places = [i for i, c in enumerate(number) if c.isdigit()]
                i = draw.choice(places)
                other = number[:i] + str(draw.randrange(1, 10)) + number[i + 1:]
            if other != number:
                return other
        return "123"

    def test_a_proof_for_another_problem(self):
        self.prove("enclosure")
        self.write(p=vector([1.0, -1.0, 2.0, -2.0, 0.5, 0.5]))
        files = ["M.mtx", "p.mtx", "--lower", "l.mtx", "--upper", "u.mtx"]
        self.assertIn("no: ", self.good(1, "prove", "--check", "proof.json", *files))
        with self.assertRaises(check_proof.Refused):
            check_proof.check(self.problem(files), check_proof.read_proof(self.folder / "proof.json"))
        self.write(M=array(2, 2, [2, 1, 1, 2]), q=vector([-1, -1]))
        self.assertIn("of order 6, not 2", self.good(1, "prove", "--check", "proof.json", "M.mtx", "q.mtx"))

    def test_the_motion(self):
        """M = J J' for five contacts of three freedoms: both checks agree, half of the gap is refused."""
        draw = random.Random(SEED)
        J = [[draw.uniform(0.1, 1.0), draw.gauss(0, 1), draw.gauss(0, 1)] for _ in range(5)]
        self.write(M=array(5, 5, [sum(a * b for a, b in zip(J[i], J[j])) for j in range(5) for i in range(5)]),
                   q=vector([0.2 * b - a for a, b, _ in J]))
        told = json.loads(self.good(0, "prove", "M.mtx", "q.mtx", "--motion", "-o", "proof.json", "--json"))
        self.assertEqual(told["proof"], "motion")
        self.assertLess(told["gap"], 1e-9)
        self.assertIn("yes: MOTION", self.good(0, "prove", "--check", "proof.json", "M.mtx", "q.mtx"))
        problem, proof = self.problem(["M.mtx", "q.mtx"]), check_proof.read_proof(self.folder / "proof.json")
        self.assertIn("MOTION", check_proof.check(problem, proof))
        with self.assertRaises(check_proof.Refused):
            check_proof.check(problem, {**proof, "gap": [0.5 * told["gap"]]})

    def test_given_answers(self):
        self.write(M=array(2, 2, [2.0, 1.0, 1.0, 2.0]), q=vector([-5.0, -6.0]), z=vector([4 / 3, 7 / 3]), y=vector([1.0, 2.0]))
        self.assertIn("PROVED: ", self.good(0, "prove", "M.mtx", "q.mtx", "--answer", "z.mtx"))
        told = json.loads(self.good(0, "prove", "M.mtx", "q.mtx", "--answer", "y.mtx", "--json"))
        self.assertEqual(told["outcome"], "given")  # both variables are basic there, and the solution is 1/3 away
        self.assertAlmostEqual(told["distance"], 1 / 3)
        self.write(x=vector([0.0, 3.0]))
        told = json.loads(self.good(0, "prove", "M.mtx", "q.mtx", "--answer", "x.mtx", "--json"))
        self.assertEqual(told["proof"], "backward")
        self.assertGreater(told["eps"], 0.1)

    def test_bad_input(self):
        self.make("exact")
        self.bad("two files", "prove", "M.mtx")
        self.bad("missing.json", "prove", "--check", "missing.json", "M.mtx", "q.mtx")
        (self.folder / "proof.json").write_text('{"cairn_proof": 1}')
        self.bad(["proof.json", "digest"], "prove", "--check", "proof.json", "M.mtx", "q.mtx")


if __name__ == "__main__":
    run_tests(__doc__)
