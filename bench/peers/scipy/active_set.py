#!/usr/bin/env python3
"""A primal-dual active set on scipy's sparse solver, as one writes it in an afternoon: the peer of bench_lcp's sparse section.

    active_set.py FILE [SECONDS]

FILE (or a pipe) is what section_sparse.c writes: n and the number of entries as 64-bit integers, then start, row (32-bit), value, q, lower
and upper (doubles). Prints seconds of CPU, iterations and the largest |natural map|, or a reason why there are none.
"""
import sys
import time

import numpy as np
import scipy
import scipy.sparse as sparse
import scipy.sparse.linalg as linalg


def read(path):
    with open(path, "rb") as file:
        def take(kind, count):
            return np.frombuffer(file.read(int(count) * np.dtype(kind).itemsize), kind)  # of a pipe, too

        n, entries = take(np.int64, 2)
        start, row = take(np.int32, n + 1), take(np.int32, entries)
        value = take(np.float64, entries)
        q, lower, upper = (take(np.float64, n) for _ in range(3))
    return sparse.csc_matrix((value, row, start), shape=(n, n)), q, lower, upper


def solve(M, q, lower, upper, limit):
    """From all at the bound nearest to 0; returns z and the iterations, None if they or the time ran out."""
    n = len(q)
    start = np.where(np.isfinite(lower), lower, np.where(np.isfinite(upper), upper, 0.0))
    side = np.zeros(n, int)  # -1 at lower, 0 free, 1 at upper
    side[:] = np.where(np.isfinite(lower), -1, 1)
    begin = time.process_time()
    for iteration in range(1, 1000):
        free = np.flatnonzero(side == 0)
        z = np.where(side == 1, upper, np.where(side == -1, lower, start))
        z[free] = 0.0
        if len(free):
            block = M[free][:, free].tocsc()
            z[free] = linalg.spsolve(block, -(q + M @ z)[free], permc_spec="MMD_AT_PLUS_A")
        if not np.all(np.isfinite(z)):
            return None, iteration
        w = M @ z + q
        wanted = np.where(side == 0, np.where(z < lower, -1, np.where(z > upper, 1, 0)),
                          np.where((side == -1) & (w < 0) | (side == 1) & (w > 0), 0, side))
        if np.array_equal(wanted, side):
            return z, iteration
        side = wanted
        if time.process_time() - begin > limit:
            return None, iteration
    return None, 1000


def main():
    M, q, lower, upper = read(sys.argv[1])
    limit = float(sys.argv[2]) if len(sys.argv) > 2 else 60.0
    begin = time.process_time()
    z, iterations = solve(M, q, lower, upper, limit)
    seconds = time.process_time() - begin
    if z is None:
        print(f"none {seconds:.6f} {iterations} nan {scipy.__version__}")
        return
    w = M @ z + q
    worst = np.max(np.abs(np.maximum(z - upper, np.minimum(z - lower, w))))
    print(f"ok {seconds:.6f} {iterations} {worst:.3e} {scipy.__version__}")


if __name__ == "__main__":
    main()
