"""Commands: python -m cairn study STUDY.toml."""
from __future__ import annotations

import argparse
import pathlib
import sys
from typing import List, Optional

from . import Error, __version__


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m cairn", description="Cairn from Python.")
    parser.add_argument("--version", action="version", version=f"cairn {__version__}")
    commands = parser.add_subparsers(dest="command", required=True)
    study = commands.add_parser("study", help="run a study", description=(
        "Run a study (docs/guide/studies.md) on all cores, or on a cluster. Called again it goes on where it was interrupted."))
    study.add_argument("file", metavar="STUDY.toml")
    study.add_argument("-o", "--out", metavar="FOLDER", help="of the results (default: the study's name without .toml)")
    study.add_argument("--workers", type=int, metavar="N", help="processes here; 0: only this one (default: one per core)")
    study.add_argument("--scheduler", metavar="ADDRESS", help="of a Dask cluster that exists, such as tcp://host:8786")
    return parser


def main(arguments: Optional[List[str]] = None) -> int:
    """Exit code 0: done, 1: some runs failed, 2: bad usage or bad input."""
    given = _parser().parse_args(arguments)
    from ._study import Study
    from ._study_run import execute

    folder = pathlib.Path(given.out) if given.out else pathlib.Path(given.file).with_suffix("")
    try:
        table = execute(Study.load(given.file), folder, given.workers, given.scheduler, progress=sys.stderr.isatty(), may_fork=True)
    except (Error, OSError) as reason:
        print(f"cairn: {reason}", file=sys.stderr)
        return 2
    failed = sum(bool(e) for e in table.column("error").to_pylist())
    print(f"{table.num_rows} runs, {failed} failed: {folder / 'results.parquet'}, {folder / 'report.html'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
