#!/usr/bin/env python3
"""Run pytest on the Python package, as a user has it: a wheel from the sdist, installed into an environment of its own.

    run.py --build BUILD --prefix PREFIX [pytest's arguments]

The environment is made below BUILD from the registry and kept. The wheel is linked with the library installed in PREFIX, so that
the C code is not compiled twice. Exit code 77, and a word, where pip cannot install what is needed.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import sysconfig
import venv

ROOT = pathlib.Path(__file__).resolve().parents[2]
NEEDED = ["numpy", "scipy", "cffi", "pytest", "scikit-build-core>=0.10", "build"]
WANTED = ["mypy", "gymnasium", "dask[distributed]", "pyarrow"]  # tests that need them are skipped without
SKIPPED = 77


def run(*command, **options):
    return subprocess.run([str(word) for word in command], **options)


def pip(python, *arguments):
    done = run(python, "-m", "pip", "install", "-q", "--no-compile", "--disable-pip-version-check", *arguments, capture_output=True, text=True)
    return "" if done.returncode == 0 else (done.stderr.strip().splitlines() or ["pip failed"])[-1]


def environment(folder):
    """The Python of an environment with all that is needed, and why there is none."""
    python, stamp, wanted = folder / "bin/python", folder / "cairn.stamp", "\n".join(NEEDED + WANTED)
    if stamp.exists() and stamp.read_text() == wanted:
        return python, ""
    if not (pathlib.Path(sysconfig.get_path("include")) / "Python.h").exists():
        return python, "Python's headers are not here (python3-dev)"
    shutil.rmtree(folder, ignore_errors=True)
    try:
        venv.create(folder, with_pip=True)
    except (OSError, subprocess.CalledProcessError) as reason:
        return python, f"no environment: {reason}"
    why = pip(python, *NEEDED)
    if why:
        return python, why
    for package in WANTED if pip(python, *WANTED) else []:
        why = pip(python, package)
        print(f"going on without {package}: {why}" if why else f"{package} installed")
    stamp.write_text(wanted)
    return python, ""


def install(python, build, prefix):
    """sdist, wheel from it, wheel into the environment."""
    made = build / "python" / "dist"
    shutil.rmtree(made, ignore_errors=True)
    run(python, "-m", "build", "-q", "--no-isolation", "--skip-dependency-check", "--sdist", "-o", made, ROOT,
        check=True, stdout=subprocess.DEVNULL)
    (sdist,) = made.glob("*.tar.gz")
    page = build / "viewer" / "page.html"
    defines = {"CAIRN_INSTALLED": "ON", "CMAKE_PREFIX_PATH": prefix, "CAIRN_PAGE": page if page.exists() else "",
               "CMAKE_C_FLAGS": os.environ.get("CAIRN_C_FLAGS", "")}
    settings = [word for name, value in defines.items() for word in ("-C", f"cmake.define.{name}={value}")]
    run(python, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", made, sdist, *settings, check=True)
    (wheel,) = made.glob("*.whl")
    run(python, "-m", "pip", "install", "-q", "--no-deps", "--force-reinstall", wheel, check=True)


def sanitized():
    """Arguments and environment of pytest: an extension with the address sanitizer needs that to be loaded first. Python's own blocks
    are no leaks of ours, what is freed is kept for a while, and processes of Dask are left out."""
    if "sanitize=address" not in os.environ.get("CAIRN_C_FLAGS", ""):
        return [], None
    library = run(os.environ.get("CC", "cc"), "-print-file-name=libasan.so", capture_output=True, text=True).stdout.strip()
    words = ["--ignore", ROOT / "tests/python/test_study.py", "-k", "not memory_stays and not reference_is and not types", "-s"]
    return words, {**os.environ, "LD_PRELOAD": library, "ASAN_OPTIONS": "detect_leaks=0"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True, type=pathlib.Path)
    parser.add_argument("--prefix", required=True, type=pathlib.Path)
    given, rest = parser.parse_known_args()
    python, why = environment(given.build / "python" / "environment")
    if why:
        print(f"skipped: {why}")
        return SKIPPED
    install(python, given.build, given.prefix)
    tests = [ROOT / "tests/python", "-q", "-p", "no:cacheprovider", "--rootdir", given.build / "python"]
    extra, environment_of_tests = sanitized()
    return run(python, "-P" if sys.version_info >= (3, 11) else "-u", "-m", "pytest", *tests, *extra, *rest, cwd=given.build,
               env=environment_of_tests).returncode


if __name__ == "__main__":
    sys.exit(main())
