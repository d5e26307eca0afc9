"""Studies at work: in this process, or on Dask; results on file as they come.

A folder holds study.json (which study it is), part-*.parquet (rows as they came) and at the end results.parquet and report.html.
Parts are written under another name and moved into place, so that there are only whole ones. What is in them is not run again.
"""
from __future__ import annotations

import contextlib
import json
import math
import os
import pathlib
import pickle
import sys
import time
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple

from ._core import ClosedError, FormatError, UnsupportedError, whole
from ._study import Row, Run, Study
from ._study_report import write_report

_SECONDS_PER_TASK = 0.5  # of runs in one task of Dask, so that handing it out costs little: by the processor, ...
_PATIENCE = 8.0  # ... or this many times that by the clock, where runs wait or the machine is busy
_SECONDS_PER_PART = 2.0  # between parts on file
_SECONDS_TO_START = 300.0  # of all workers, on a machine that is busy
_TASKS_AHEAD = 4  # tasks per worker that are handed out before one is done


def do_run(run: Run, index: int, row: Row) -> Dict[str, Any]:
    """One row of results: parameters, measures, and what went wrong ("" if nothing did)."""
    found: Dict[str, Any] = {"run": index, **row}
    try:
        found.update({name: _plain(value) for name, value in run(dict(row)).items()})
        found["error"] = ""
    except Exception as reason:  # noqa: BLE001  a run that fails is a row, not the end of the study
        found["error"] = f"{type(reason).__name__}: {reason}"
    return found


def _plain(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else value


def do_runs(pickled: bytes, work: Sequence[Tuple[int, Row]]) -> Tuple[List[Dict[str, Any]], float]:
    """Several rows, and the seconds that they took (see _PATIENCE): a task of Dask."""
    run: Run = pickle.loads(pickled)
    start, busy = time.perf_counter(), time.process_time()
    rows = [do_run(run, index, row) for index, row in work]
    return rows, max(time.process_time() - busy, (time.perf_counter() - start) / _PATIENCE)


# --- Files ---


class Store:
    """Results in a folder."""

    def __init__(self, folder: Any, study: Study) -> None:
        try:
            import pyarrow
            import pyarrow.parquet
        except ImportError as missing:
            raise UnsupportedError("study: needs pyarrow: pip install 'cairn[study]'") from missing
        self._arrow, self._parquet = pyarrow, pyarrow.parquet
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self._check(study)
        self._rows: List[Dict[str, Any]] = []
        self._written = time.monotonic()

    def _check(self, study: Study) -> None:
        about = self.folder / "study.json"
        mine = {"name": study.name, "identity": study.identity, "runs": len(study.rows)}
        if about.exists() and json.loads(about.read_text()) != mine:
            raise FormatError(f"{self.folder}: has results of another study, or of this one before it was changed: choose "
                              "another folder, or delete it")
        self._move(about, lambda path: path.write_text(json.dumps(mine)))

    def _move(self, path: pathlib.Path, write: Any) -> None:
        """A whole file or none."""
        draft = path.with_name(f".{path.name}.{os.getpid()}")
        write(draft)
        os.replace(draft, path)

    def _files(self) -> List[pathlib.Path]:
        return sorted(self.folder.glob("part-*.parquet")) + sorted(self.folder.glob("results.parquet"))

    def read(self) -> List[Dict[str, Any]]:
        """All rows on file, each once, in order."""
        rows: Dict[int, Dict[str, Any]] = {}
        for file in self._files():
            for row in self._parquet.ParquetFile(file).read().to_pylist():  # read_table imports all that pyarrow can compute
                rows.setdefault(row["run"], row)
        return [rows[i] for i in sorted(rows)]

    def add(self, rows: List[Dict[str, Any]]) -> None:
        """Rows that came; on file soon."""
        self._rows += rows
        if time.monotonic() - self._written > _SECONDS_PER_PART:
            self.flush()

    def flush(self) -> None:
        """Rows that are not on file yet."""
        if self._rows:
            table, first = self._table(self._rows), self._rows[0]["run"]
            self._move(self.folder / f"part-{first:07d}.parquet", lambda path: self._parquet.write_table(table, path))
        self._rows, self._written = [], time.monotonic()

    def _table(self, rows: List[Dict[str, Any]]) -> Any:
        names = list(dict.fromkeys(name for row in rows for name in row))
        return self._arrow.table({name: [row.get(name) for row in rows] for name in names})

    def finish(self) -> Any:
        """One table instead of parts."""
        self.flush()
        parts, table = sorted(self.folder.glob("part-*.parquet")), self._table(self.read())
        self._move(self.folder / "results.parquet", lambda path: self._parquet.write_table(table, path))
        for part in parts:
            part.unlink()
        return table


# --- Ways to run ---


def _chunks(work: List[Tuple[int, Row]]) -> Iterator[List[Tuple[int, Row]]]:
    """Work for the next tasks; ``send`` tells how long a row takes."""
    at, each = 0, 1
    while at < len(work):
        seconds = yield work[at:at + each]
        at += each
        if seconds is not None:
            each = max(1, min(500, math.ceil(_SECONDS_PER_TASK / max(seconds, 1e-6))))


def run_here(study: Study, work: List[Tuple[int, Row]], store: Store, progress: Any) -> None:
    """One after another in this process."""
    for index, row in work:
        store.add([do_run(study.run, index, row)])
        progress(1)


def run_on(client: Any, study: Study, work: List[Tuple[int, Row]], store: Store, progress: Any) -> None:
    """On the workers of a Dask cluster. What a dead worker had is given to another."""
    from distributed import as_completed

    pickled = _pickled(study.run)
    chunks = _chunks(work)
    running = as_completed()
    ahead = _TASKS_AHEAD * max(1, len(client.scheduler_info()["workers"]))

    def hand_out(chunk: Optional[List[Tuple[int, Row]]]) -> None:
        if chunk:
            running.add(client.submit(do_runs, pickled, chunk, pure=False))

    for _ in range(ahead):
        hand_out(next(chunks, None))
    for future in running:
        rows, seconds = future.result()
        store.add(rows)
        progress(len(rows))
        try:
            hand_out(chunks.send(seconds / len(rows)))  # type: ignore[attr-defined]
        except StopIteration:
            pass


def _pickled(run: Run) -> bytes:
    """With the code of a function's module, which workers need not have."""
    import cloudpickle

    module = sys.modules.get(getattr(run, "__module__", "") or "")
    if module is not None and module.__name__ != "__main__" and not module.__name__.startswith("cairn."):
        cloudpickle.register_pickle_by_value(module)
    data: bytes = cloudpickle.dumps(run)
    return data


class _Progress:
    """A bar on a terminal; a line now and then elsewhere is too much."""

    def __init__(self, total: int, done: int, shows: bool) -> None:
        self.total, self.done, self.first, self.start, self.shows = total, done, done, time.monotonic(), shows
        self._last = 0.0

    def __call__(self, more: int) -> None:
        self.done += more
        now = time.monotonic()
        if self.shows and (now - self._last > 0.2 or self.done == self.total):
            self._last = now
            rate = (self.done - self.first) / max(now - self.start, 1e-9)
            left = (self.total - self.done) / rate if rate > 0 else math.inf
            bar = "#" * (30 * self.done // self.total)
            sys.stderr.write(f"\r[{bar:30s}] {self.done}/{self.total} runs, {rate:.1f} a second, {left:.0f} s left ")
            sys.stderr.write("\n" if self.done == self.total else "")
            sys.stderr.flush()


def execute(study: Study, folder: Any, workers: Optional[int] = None, scheduler: Optional[str] = None,
            progress: bool = False, may_fork: bool = False) -> Any:
    """Run what is not on file yet; the whole table. ``may_fork``: see `Workers`."""
    store = Store(folder, study)
    done = {row["run"] for row in store.read()}
    work = [(i, row) for i, row in enumerate(study.rows) if i not in done]
    bar = _Progress(len(study.rows), len(done), progress)
    count = (os.cpu_count() or 1) if workers is None else whole(workers, "workers", 0)
    try:
        if work and scheduler is None and count == 0:
            run_here(study, work, store, bar)
        elif work:
            _run_with_dask(study, work, store, bar, scheduler, count, may_fork)
    finally:
        store.flush()
    table = store.finish()
    write_report(store.folder / "report.html", study, table)
    return table


def _run_with_dask(study: Study, work: List[Tuple[int, Row]], store: Store, bar: Any, scheduler: Optional[str], workers: int,
                   may_fork: bool) -> None:
    try:
        from distributed import CancelledError, Client, KilledWorker
        from distributed.comm import CommClosedError
    except ImportError as missing:
        raise UnsupportedError("study: needs Dask: pip install 'cairn[study]', or workers=0") from missing
    try:
        with Client(scheduler) if scheduler is not None else _local_client(workers, may_fork) as client:
            run_on(client, study, work, store, bar)
    except (CancelledError, CommClosedError):  # the second where a result was on its way
        raise ClosedError("study: all workers have ended; called again it runs what is left") from None
    except KilledWorker as reason:
        raise ClosedError(f"study: a run ends every worker that it is given to: {reason}") from None


@contextlib.contextmanager
def _local_client(count: int, may_fork: bool) -> Iterator[Any]:
    """Of a cluster on this machine."""
    import dask
    import distributed

    from ._study_workers import CALM, Workers

    with contextlib.closing(Workers(count, may_fork)) as workers, dask.config.set(CALM):  # they come before there are threads
        with distributed.LocalCluster(n_workers=0, dashboard_address=None) as cluster:
            with contextlib.closing(workers), distributed.Client(cluster) as client:  # who leaves first lets go of results
                workers.begin(cluster.scheduler_address, client.close)
                client.wait_for_workers(count, _SECONDS_TO_START)
                yield client


def study(run: Any, parameters: Any, out: Any, *, samples: Optional[int] = None, method: str = "sobol", seed: int = 0,
          workers: Optional[int] = None, scheduler: Optional[str] = None, name: str = "study",
          progress: bool = False) -> Any:
    """Run something for many parameters, on all cores or on a cluster; a pyarrow table, and files in the folder ``out``.

    ``run`` is a `Scene`, or a function from a dictionary of parameters to one of measures. ``parameters``: a list is a grid,
    {"uniform": [a, b]} and {"log": [a, b]} are sampled ``samples`` times by the method "sobol" or "random". ``workers``:
    processes of a local Dask cluster, None: one per core, 0: this process; or the ``scheduler`` of a cluster by its address.
    Called again it runs only what is not in the folder yet.

    >>> import cairn, tempfile
    >>> table = cairn.study(lambda p: {"square": p["x"] ** 2}, {"x": [1, 2, 3]}, tempfile.mkdtemp(), workers=0)
    >>> table.column("square").to_pylist()
    [1, 4, 9]
    """
    from ._study import plan

    return execute(Study(run, plan(parameters, samples, method, seed), name), out, workers, scheduler, progress)
