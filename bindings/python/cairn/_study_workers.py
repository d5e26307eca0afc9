"""Workers of a local Dask cluster: children of one keeper, which has imported everything once and forks another where one dies.

Nannies of Dask do the same with more: a server that imports everything anew, a process that tracks it, queues and threads for each
worker. A pipe from the client is all that is needed here: the scheduler's address comes through it, and its end
tells that the client is gone, however that died.
"""
from __future__ import annotations

import asyncio
import gc
import os
import signal
import sys
import threading
import traceback
from typing import Any, Callable, Optional

import dask
import distributed

# Deaths of workers that a task may see. Nothing moves tasks or data between workers, whose results are small; nobody looks at the
# cluster's pages; and it looks at itself now and then, not a hundred times a second.
CALM = {"distributed.scheduler.allowed-failures": 20, "distributed.scheduler.work-stealing": False,
        "distributed.scheduler.active-memory-manager.start": False,
        "distributed.scheduler.http.routes": [], "distributed.worker.http.routes": [],
        "distributed.worker.profile.enabled": False,
        "distributed.admin.tick.interval": "10s", "distributed.admin.system-monitor.interval": "60s",
        "distributed.admin.system-monitor.disk": False, "distributed.client.scheduler-info-interval": "60s",
        "distributed.diagnostics.nvml": False}
_ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
_CANNOT_WORK = 75  # exit code of a worker that did not come up; another one would not either
_TOO_LARGE = 76  # ... of one that has taken too much memory; another one begins with little
_SECONDS_PER_LOOK = 1.0  # at a worker's memory


class Workers:
    """Processes that wait for `begin`, and end with `close` or with this process."""

    def __init__(self, count: int, may_fork: bool) -> None:
        """``may_fork``: this process has done nothing yet that a copy of it could not go on from."""
        self._watch: Optional[threading.Thread] = None
        listen, self._client = os.pipe()
        if may_fork and threading.active_count() == 1:
            self._keeper = self._fork(count, listen)
        else:
            program = f"import sys; sys.path[:] = {sys.path!r}; from cairn._study_workers import keep; keep({count}, 0)"
            self._keeper = os.posix_spawn(sys.executable, [sys.executable, "-c", program], {**_ONE_THREAD, **os.environ},
                                          file_actions=[(os.POSIX_SPAWN_DUP2, listen, 0)])
        os.close(listen)

    def _fork(self, count: int, listen: int) -> int:
        sys.stdout.flush()
        sys.stderr.flush()
        keeper = os.fork()
        if keeper == 0:
            os.close(self._client)
            keep(count, listen)
        return keeper

    def begin(self, address: str, on_end: Callable[[], Any]) -> None:
        """Work for this scheduler. ``on_end`` is called, by another thread, if they all end before `close`."""
        os.write(self._client, address.encode())
        self._watch = threading.Thread(target=self._wait, args=[on_end], daemon=True)
        self._watch.start()

    def _wait(self, on_end: Callable[[], Any]) -> None:
        os.waitpid(self._keeper, 0)
        if self._client >= 0:
            on_end()

    def close(self) -> None:
        """Until all have ended. The second call does nothing."""
        if self._client >= 0:
            client, self._client = self._client, -1
            os.close(client)
            if self._watch is None:
                os.waitpid(self._keeper, 0)
            else:
                self._watch.join()


def keep(count: int, client: int) -> None:
    """Life of a keeper: until its workers have ended by themselves. Does not return."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the client decides
    address = os.read(client, 1000).decode()
    gc.freeze()  # what is here by now stays
    memory = dask.config.get("distributed.worker.memory.terminate") * distributed.system.MEMORY_LIMIT / count
    workers = {_fork(address, client, memory) for _ in range(count if address else 0)}
    while workers:
        worker, status = os.wait()
        workers.discard(worker)
        if os.waitstatus_to_exitcode(status) not in (0, _CANNOT_WORK):
            workers.add(_fork(address, client, memory))
    os._exit(0)


def _fork(address: str, client: int, memory: float) -> int:
    worker = os.fork()
    if worker == 0:
        code = _CANNOT_WORK
        try:
            asyncio.run(_work(address, client, memory))
            code = 0
        except BaseException:  # noqa: BLE001  told; a worker never goes on as a keeper
            traceback.print_exc()
        finally:
            os._exit(code)
    return worker


async def _work(address: str, client: int, memory: float) -> None:
    asyncio.get_running_loop().add_reader(client, os._exit, 0)
    with dask.config.set(CALM):
        async with distributed.Worker(address, nthreads=1, silence_logs=30, memory_limit=None) as worker:
            watch = asyncio.ensure_future(_end_when_large(worker, memory))
            await worker.finished()
            watch.cancel()


async def _end_when_large(worker: Any, memory: float) -> None:
    """As Dask's nannies do, at 95 % of a worker's share (distributed.worker.memory.terminate; 0 or false: never). Dask's worker
    itself would take no more tasks from 80 % on, and wait for ever if what a run has leaked stays."""
    while memory > 0:
        await asyncio.sleep(_SECONDS_PER_LOOK)
        if worker.monitor.get_process_memory() > memory:
            sys.stderr.write(f"study: a worker has taken {memory / 1e9:.3g} GB; another one takes its place\n")
            sys.stderr.flush()
            os._exit(_TOO_LARGE)
