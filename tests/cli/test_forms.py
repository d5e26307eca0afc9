#!/usr/bin/env python3
"""`cairn solve` on other people's shapes of problem: games, quadratic programmes, NumPy's files, standard input.

    tests/cli/test_forms.py build/cairn [TEST ...]
"""

import json

import struct
import subprocess
import zipfile

from cli_case import Case, run_tests

def matrix(rows):
    """Text of a Matrix Market array."""
    head = f"%%MatrixMarket matrix array real general\n{len(rows)} {len(rows[0])}\n"
    return head + "".join(f"{row[j]}\n" for j in range(len(rows[0])) for row in rows)

def vector(values):
    return matrix([[value] for value in values])

def npy(values, shape, letter="d", descr="<f8", order="False"):
    """Bytes of an .npy file."""
    head = f"{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}".encode()
    head += b" " * (-(len(head) + 11) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head + struct.pack(f"<{len(values)}{letter}", *values)

def npz(path, indptr, indices, data, form, method=zipfile.ZIP_DEFLATED):
    """A sparse matrix as scipy.sparse.save_npz() writes it."""
    n = len(indptr) - 1
    with zipfile.ZipFile(path, "w", method) as archive:
        archive.writestr("indices.npy", npy(indices, f"({len(indices)},)", "i", "<i4"))
        archive.writestr("indptr.npy", npy(indptr, f"({n + 1},)", "i", "<i4"))
        archive.writestr("format.npy", npy([], "()", "i", "|S3") + form.encode())
        archive.writestr("shape.npy", npy([n, n], "(2,)", "q", "<i8"))
        archive.writestr("data.npy", npy(data, f"({len(data)},)"))

class Forms(Case):
    def solved(self, *arguments):
        line = json.loads(self.good(0, "solve", *arguments, "--json"))
        self.assertEqual(line["outcome"], "solved")
        return line

    def test_games(self):
        self.write(A=matrix([[1, -1], [-1, 1]]), B=matrix([[-1, 1], [1, -1]]))  # matching pennies
        line = self.solved("--game", "A.mtx", "B.mtx")
        for player in (line["x"], line["y"]):
            self.assertTrue(all(abs(p - 0.5) < 1e-12 for p in player), player)
        self.assertTrue(all(abs(v) < 1e-12 for v in line["value"]), line)
        self.write(A=matrix([[3, 0, 1], [5, 1, 4]]), B=matrix([[3, 5, 2], [0, 1, 0]]))  # the second rows dominate
        line = self.solved("--game", "A.mtx", "B.mtx")
        self.assertEqual((line["x"], line["y"], line["value"]), ([0, 1], [0, 1, 0], [1, 1]))
        self.assertIn("payoffs      1 and 1", self.good(0, "solve", "--game", "A.mtx", "B.mtx"))
        self.write(B=matrix([[1, 2]]))
        self.bad("B.mtx: 1 x 2, but A.mtx is 2 x 3", "solve", "--game", "A.mtx", "B.mtx")
        self.bad("--game needs 2 files", "solve", "--game", "A.mtx")
        self.bad("--lower does not go with --game", "solve", "--game", "A.mtx", "B.mtx", "--lower", "l.mtx")

    def test_programmes(self):
        self.write(P=matrix([[4, 1], [1, 2]]), q=vector([1, 1]), A=matrix([[1, 1], [1, 0], [0, 1]]), l=vector([1, 0, 0]),
                   u=vector([1, 0.7, 0.7]))
        files = ["--qp", "P.mtx", "q.mtx", "A.mtx", "l.mtx", "u.mtx"]
        line = self.solved(*files)
        self.assertTrue(all(abs(a - b) < 1e-12 for a, b in zip(line["x"] + line["y"], [0.3, 0.7, -2.9, 0, 0.2])), line)
        self.assertAlmostEqual(line["objective"], 1.88)
        self.write(P=matrix([[0, 0], [0, 0]]), l=vector(["-inf", 0, 0]), u=vector(["inf", "inf", "inf"]))  # a linear one
        self.assertEqual(self.solved(*files)["x"], [0, 0])
        self.write(l=vector([3, 0, 0]), u=vector([3, 1, 1]))
        self.assertIn("infeasible", self.good(1, "solve", *files))
        self.write(l=vector(["-inf"] * 3), u=vector(["inf"] * 3))
        self.assertIn("unbounded", self.good(1, "solve", *files))
        self.write(P=matrix([[4, 1], [3, 2]]))
        self.bad("P(2,1) = 3, but P(1,2) = 1", "solve", *files)
        self.bad("--qp needs 5 files", "solve", "--qp", "P.mtx")

    def test_numpy(self):
        (self.folder / "M.npy").write_bytes(npy([2, 1, 0.5, 2], "(2, 2)"))  # rows: (2 1), (0.5 2)
        (self.folder / "q.npy").write_bytes(npy([-5, -6], "(2,)", "q", "<i8"))
        z = self.solved("M.npy", "q.npy", "-o", "z.npy")["z"]
        self.assertTrue(abs(2 * z[0] + z[1] - 5) < 1e-12 and abs(0.5 * z[0] + 2 * z[1] - 6) < 1e-12, z)
        written = (self.folder / "z.npy").read_bytes()
        self.assertEqual(list(struct.unpack("<2d", written[128:])), z)
        self.assertEqual(len(written), 144)
        (self.folder / "F.npy").write_bytes(npy([2, 0.5, 1, 2], "(2, 2)", order="True"))
        self.assertEqual(self.solved("F.npy", "q.npy")["z"], z)
        for form, method in (("csr", zipfile.ZIP_STORED), ("csc", zipfile.ZIP_DEFLATED)):
            values = [2, 1, 0.5, 2] if form == "csr" else [2, 0.5, 2, 1]
            indices = [0, 1, 0, 1] if form == "csr" else [0, 1, 1, 0]  # the second column is not sorted
            npz(self.folder / "M.npz", [0, 2, 4], indices, values, form, method)
            self.assertEqual(self.solved("M.npz", "q.npy")["z"], z)
        self.write(l=vector([0, 2.5]))
        self.assertEqual(self.solved("M.npz", "q.npy", "--lower", "l.mtx")["z"][1] >= 2.5, True)

    def test_bad_numpy(self):
        (self.folder / "q.npy").write_bytes(npy([-5, -6], "(2,)"))
        (self.folder / "M.npy").write_bytes(npy([2, 1, 0.5, 2], "(2, 2)")[:-3])
        self.bad(["M.npy", "the file is shorter"], "solve", "M.npy", "q.npy")
        (self.folder / "M.npy").write_bytes(npy([2, 1], "(2,)"))
        self.bad(["M.npy", "not square"], "solve", "M.npy", "q.npy")
        (self.folder / "M.npy").write_bytes(b"nothing of the kind")
        self.bad(["M.npy", "no .npy array"], "solve", "M.npy", "q.npy")
        npz(self.folder / "M.npz", [0, 2, 4], [0, 0, 0, 1], [1, 1, 1, 1], "csr")
        self.bad(["M.npz", "given twice"], "solve", "M.npz", "q.npy")
        npz(self.folder / "M.npz", [0, 2, 4], [0, 7, 0, 1], [1, 1, 1, 1], "csr")
        self.bad(["M.npz", "out of range"], "solve", "M.npz", "q.npy")
        npz(self.folder / "M.npz", [0, 2, 4], [0, 1, 0, 1], [1, 1, 1, 1], "coo")
        self.bad(["M.npz", "format"], "solve", "M.npz", "q.npy")
        whole = (self.folder / "M.npz").read_bytes()
        (self.folder / "M.npz").write_bytes(whole[:len(whole) // 2])
        self.bad("M.npz", "solve", "M.npz", "q.npy")
        npz(self.folder / "M.npz", [0, 2, 4], [0, 1, 0, 1], [1, float("nan"), 1, 1], "csr")
        self.bad(["M.npz", "M(1,2)"], "solve", "M.npz", "q.npy")

    def test_standard_input(self):
        self.write(M=matrix([[2, 1], [1, 2]]))
        done = subprocess.run([self.program, "solve", "M.mtx", "-", "--json"], cwd=self.folder, text=True, check=False,
                              input=vector([-5, -6]), capture_output=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertTrue(all(abs(a - b) < 1e-12 for a, b in zip(json.loads(done.stdout)["z"], [4 / 3, 7 / 3])))

if __name__ == "__main__":
    run_tests(__doc__)
