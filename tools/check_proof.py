#!/usr/bin/env python3
"""Check a proof of Cairn's about a linear complementarity problem, trusting neither solver nor library.

    check_proof.py PROOF.json M.mtx q.mtx [--lower l.mtx] [--upper u.mtx]

Only Python's own integers and fractions are used; every double is taken as the exact number that it is. Prints what was proved
and exits 0, or why it was not and exits 1; bad files exit 2. docs/theory/proofs.md has the mathematics of each kind."""
import argparse
import json
import sys
from fractions import Fraction
from math import inf, isfinite, nextafter

ZERO = Fraction(0)

def exact(x):
    """The number that a double is; infinities stay what they are."""
    return Fraction(x) if isfinite(x) else x

class Refused(Exception):
    """The proof does not show what it says."""

class BadFile(Exception):
    """A file is not what it should be."""

def need(condition, reason):
    if not condition:
        raise Refused(reason)

def read_lines(path):
    try:
        with open(path, encoding="ascii") as file:
            lines = file.read().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadFile(f"{path}: {error}") from None
    if not lines or not lines[0].lower().startswith("%%matrixmarket matrix "):
        raise BadFile(f"{path}:1: no Matrix Market header")
    words = lines[0].lower().split()
    if len(words) != 5 or words[2] not in ("array", "coordinate"):
        raise BadFile(f"{path}:1: '{lines[0]}' is not understood")
    body = [line.split() for line in lines[1:] if line.strip() and not line.startswith("%")]
    return words[2:], body

def read_matrix(path):
    """Rows, columns and a list of {row: value} per column."""
    (layout, field, symmetry), body = read_lines(path)
    try:
        rows, columns = int(body[0][0]), int(body[0][1])
        if layout == "array":
            skip = {"general": [0] * columns, "symmetric": range(columns), "skew-symmetric": range(1, columns + 1)}[symmetry]
            places = [(i, j) for j in range(columns) for i in range(skip[j], rows)]
        else:
            places = [(int(words[0]) - 1, int(words[1]) - 1) for words in body[1:]]
        if len(body) - 1 != (len(places) if layout == "array" else int(body[0][2])):
            raise BadFile(f"{path}: {len(body) - 1} entries, which is not what the header says")
        matrix = [{} for _ in range(columns)]
        for (i, j), words in zip(places, body[1:]):
            value = exact(float(words[-1])) if field != "pattern" else Fraction(1)
            other = -value if symmetry == "skew-symmetric" else value
            for row, column, v in [(i, j, value), (j, i, other)][:1 if symmetry == "general" or i == j else 2]:
                if not 0 <= row < rows or column < 0:
                    raise BadFile(f"{path}: row {row + 1} of {rows}")
                matrix[column][row] = matrix[column].get(row, ZERO) + v if v not in (inf, -inf) else v
    except (ValueError, IndexError, KeyError) as error:
        raise BadFile(f"{path}: {error!r}") from None
    return rows, columns, matrix

def read_vector(path, n):
    rows, columns, matrix = read_matrix(path)
    if columns != 1 or rows != n:
        raise BadFile(f"{path}: {rows} x {columns} instead of {n} x 1")
    return [matrix[0].get(i, ZERO) for i in range(n)]

class Problem:
    """Find l <= z <= u with w = M z + q >= 0 where z = l, <= 0 where z = u, 0 between."""

    def __init__(self, M, q, lower, upper):
        n, columns, self.column = read_matrix(M)
        if n != columns:
            raise BadFile(f"{M}: {n} x {columns} is not square")
        self.n = n
        self.q = read_vector(q, n)
        self.lower = read_vector(lower, n) if lower else [ZERO] * n
        self.upper = read_vector(upper, n) if upper else [inf] * n

    def w(self, z):
        """M z + q."""
        w = list(self.q)
        for column, value in zip(self.column, z):
            if value:
                for i, entry in column.items():
                    w[i] += entry * value
        return w

    def sign_is_right(self, i, z, w):
        """Is w_i what z_i at its bounds, or between, asks for?"""
        if self.lower[i] == self.upper[i]:
            return True
        return w == 0 or (w > 0 and z == self.lower[i]) or (w < 0 and z == self.upper[i])

def digest_of(data):
    value = 0xcbf29ce484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001b3 & 0xffffffffffffffff
    return value

def read_proof(path):
    try:
        with open(path, "rb") as file:
            data = file.read()
        proof = json.loads(data)
    except (OSError, ValueError) as error:
        raise BadFile(f"{path}: {error}") from None
    need(isinstance(proof, dict) and proof.get("cairn_proof") == 1, "this is no proof file of version 1")
    body = data[:data.rfind(b'"digest"')]
    need(proof.get("digest") == f"{digest_of(body):016x}", "the digest is not that of the text")
    return proof

def reals(proof, key, count):
    values = proof.get(key)
    need(isinstance(values, list) and len(values) == count, f"{key}: needs {count} numbers")
    need(all(isinstance(v, (int, float)) and isfinite(v) for v in values), f"{key}: not all are finite numbers")
    return [Fraction(v) for v in values]

def basis_of(problem, proof):
    basis = proof.get("basis")
    need(isinstance(basis, str) and len(basis) == problem.n and set(basis) <= set("LBU"), "basis: no n letters L, B, U")
    return basis

def place_bounds(problem, basis, z):
    """Variables that are not basic stand at their bounds."""
    for i, side in enumerate(basis):
        need(side == "B" or z[i] == (problem.lower if side == "L" else problem.upper)[i], f"z({i + 1}) is not at its bound")

def check_exact(problem, proof):
    basis, z = basis_of(problem, proof), reals(proof, "z", problem.n)
    basic = [i for i in range(problem.n) if basis[i] == "B"]
    place_bounds(problem, basis, z)
    texts = proof.get("numbers")
    need(isinstance(texts, list) and len(texts) == len(basic) + 1, "numbers: one for each basic variable, and one more")
    numbers = [int(text, 16) for text in texts]
    need(numbers[-1] > 0, "the denominator is not positive")
    for i, number in zip(basic, numbers):
        z[i] = Fraction(number, numbers[-1])
        need(problem.lower[i] <= z[i] <= problem.upper[i], f"z({i + 1}) is outside of its bounds")
        near = float(proof["z"][i])
        need(nextafter(near, -inf) <= z[i] <= nextafter(near, inf), f"z({i + 1}) is not what its numbers are, rounded")
    for i, w in enumerate(problem.w(z)):
        need(w == 0 if basis[i] == "B" else problem.sign_is_right(i, z[i], w), f"w({i + 1}) is wrong")
    return "PROVED with exact zeros: the rational numbers of the proof are a solution"

def as_integers(values):
    """Integers v 2^e for dyadic fractions v, and e."""
    e = max((v.denominator.bit_length() for v in values), default=1) - 1
    return [int(v * (1 << e)) for v in values], e

def contraction(problem, basic, inverse, weight):
    """Largest row sum of D^-1 |I - R A| D, in integers but for the last step."""
    k = len(basic)
    place = {i: b for b, i in enumerate(basic)}
    R, shift = as_integers(inverse)
    entries = [(place[i], b, v) for b, j in enumerate(basic) for i, v in problem.column[j].items() if i in place]
    A, more = as_integers([v for _, _, v in entries])
    unit = 1 << (shift + more)
    columns = [[] for _ in range(k)]
    for (a, b, _), v in zip(entries, A):
        columns[b].append((a, v))
    sums = [ZERO] * k
    for b in range(k):
        product = [0] * k
        for a, v in columns[b]:
            row = R[a * k:(a + 1) * k]  # column a of the inverse
            product = [s + v * r for s, r in zip(product, row)]
        product[b] -= unit
        sums = [s + abs(p) * weight[b] for s, p in zip(sums, product)]
    return max((s / w / unit for s, w in zip(sums, weight)), default=ZERO)

def check_enclosure(problem, proof):
    basis, z = basis_of(problem, proof), reals(proof, "z", problem.n)
    radius = reals(proof, "radius", problem.n)
    basic = [i for i in range(problem.n) if basis[i] == "B"]
    k = len(basic)
    weight, inverse = reals(proof, "weight", k), reals(proof, "inverse", k * k)
    place_bounds(problem, basis, z)
    need(all(v > 0 for v in weight) and all(r >= 0 for r in radius), "weight, radius: not all are positive")
    kappa = contraction(problem, basic, inverse, weight)
    need(kappa < 1, "the basic block may be singular")
    w = problem.w(z)
    step = [sum((inverse[a * k + b] * w[i] for a, i in enumerate(basic)), ZERO) for b in range(k)]
    rest = kappa / (1 - kappa) * max((abs(s) / v for s, v in zip(step, weight)), default=ZERO)
    for b, i in enumerate(basic):
        need(radius[i] >= abs(step[b]) + weight[b] * rest, f"radius({i + 1}) is too small")
        need(problem.lower[i] <= z[i] - radius[i], f"z({i + 1}) may be below its bound")
        need(z[i] + radius[i] <= problem.upper[i], f"z({i + 1}) may be above its bound")
    moved = [ZERO] * problem.n
    for row, value, by in ((row, value, radius[i]) for i in basic for row, value in problem.column[i].items()):
        moved[row] += abs(value) * by
    for i, side in enumerate(basis):
        if side != "B" and problem.lower[i] != problem.upper[i]:
            need((w[i] if side == "L" else -w[i]) >= moved[i], f"w({i + 1}) may have the wrong sign")
    return f"PROVED: a solution exists within {float(max(radius, default=ZERO)):.3g} of z"

def check_backward(problem, proof):
    z, size = reals(proof, "z", problem.n), reals(proof, "size", problem.n)
    eps, = reals(proof, "eps", 1)
    basis_of(problem, proof)
    worst = ZERO
    for i, w in enumerate(problem.w(z)):
        need(problem.lower[i] <= z[i] <= problem.upper[i], f"z({i + 1}) is outside of its bounds")
        if not problem.sign_is_right(i, z[i], w):
            need(abs(w) <= eps * size[i], f"q({i + 1}) would have to change by more than eps of its size")
            worst = max(worst, abs(w))
    return (f"BACKWARD {float(eps):.3g}: z solves exactly the problem with q changed by at most that, relative to the sizes in "
            f"the proof, and by {float(worst):.3g} in its own units: q'(i) = q(i) - w(i) where w(i) is wrong")

def check_motion(problem, proof):
    z, (gap,), most = reals(proof, "z", problem.n), reals(proof, "gap", 1), ZERO
    for i, w in enumerate(problem.w(z)):
        need(problem.lower[i] <= z[i] <= problem.upper[i], f"z({i + 1}) is outside of its bounds")
        end = problem.lower[i] if w > 0 else problem.upper[i]
        need(w == 0 or isfinite(end), f"w({i + 1}) has a sign that it must not have")
        most += w * (z[i] - end) if w else ZERO
    need(most <= gap, f"the gap is {float(most):.3g}")
    return f"MOTION: if M is monotone, (z - z*)'M(z - z*) <= {float(gap):.3g} for every solution z*"

def refute(problem, sides, y, eps):
    """The largest that y'(M z + q) can be on these sides (L, B, U, or None: all that there are) is negative."""
    value = sum((a * b for a, b in zip(y, problem.q)), ZERO)
    for i, side in enumerate(sides):
        rises = side == "L" or side is None and isfinite(problem.lower[i])  # w > 0 possible
        falls = side == "U" or side is None and isfinite(problem.upper[i])
        need(y[i] >= 0 or not rises, f"y({i + 1}) is negative")
        need(y[i] <= 0 or not falls, f"y({i + 1}) is positive")
    for j, column in enumerate(problem.column):
        v = sum((entry * y[i] for i, entry in column.items()), ZERO)
        best = problem.lower[j] if sides[j] == "L" or sides[j] != "U" and v < 0 else problem.upper[j]
        if v and isfinite(best):
            value += v * best
        elif v:
            size = sum((abs(entry * y[i]) for i, entry in column.items()), ZERO)
            need(abs(v) <= eps * size, f"column {j + 1}: (M'y) is {float(v):.3g}, so z({j + 1}) can outweigh q'y")
    need(value < 0, "q'y is not negative")

def check_infeasible(problem, proof):
    within = proof["kind"] == "infeasible-within"
    eps = reals(proof, "eps", 1)[0] if within else ZERO
    refute(problem, [None] * problem.n, reals(proof, "y", problem.n), eps)
    if within:
        return f"INFEASIBLE within {float(eps):.3g}: a problem whose M differs by at most that, relative, has no solution"
    return "INFEASIBLE: no z within the bounds gives every w the sign that it needs"

def check_exhausted(problem, proof):
    n, tree, sides = problem.n, proof.get("tree"), [None] * problem.n
    need(isinstance(tree, list) and all(type(i) is int and 0 <= i <= n for i in tree), "tree: no indices")
    y, nodes, leaves = reals(proof, "y", n * tree.count(0)), iter(tree), 0

    def descend():
        nonlocal leaves
        i = next(nodes, None)
        need(i is not None, "the tree is not whole")
        if i == 0:
            leaves += 1
            return refute(problem, sides, y[(leaves - 1) * n:leaves * n], ZERO)
        need(sides[i - 1] is None, f"side {i} is chosen twice")
        for side, exists in zip("LBU", (isfinite(problem.lower[i - 1]), True, isfinite(problem.upper[i - 1]))):
            if exists:
                sides[i - 1] = side
                descend()
        sides[i - 1] = None

    descend()
    need(next(nodes, None) is None, "the tree goes on after its end")
    return "NO SOLUTION: every choice of complementary sides is refuted by a Farkas vector of its own"

CHECKS = {"enclosure": check_enclosure, "exact": check_exact, "backward": check_backward, "infeasible": check_infeasible,
          "infeasible-within": check_infeasible, "exhausted": check_exhausted, "motion": check_motion}

def check(problem, proof):
    kind = proof.get("kind")
    need(proof.get("n") == problem.n, f"the proof is about a problem of order {proof.get('n')}, not {problem.n}")
    need(kind in CHECKS, f"'{kind}' is no kind of proof")
    return CHECKS[kind](problem, proof)

def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("proof", "M", "q", "--lower", "--upper"):
        parser.add_argument(name)
    given = parser.parse_args()
    try:
        print("yes:", check(Problem(given.M, given.q, given.lower, given.upper), read_proof(given.proof)))
    except Refused as reason:
        print("no:", reason)
        return 1
    except (BadFile, ValueError) as reason:
        print(f"check_proof.py: {reason}", file=sys.stderr)
        return 2
    return 0

if __name__ == "__main__":
    sys.exit(main())
