#!/usr/bin/env python3
"""Write the C source of the extension module from the public headers of Cairn and shim.h.

    write_module.py --cc CC --include DIR -o FILE

cffi must know every type and function that Python uses. They are taken from the headers as the compiler's preprocessor
leaves them, so that nothing is written twice; cffi compares sizes and offsets of all structs with the compiler's own when
the module is loaded. Standard headers are replaced by empty files (blank/): cffi knows their types.
"""
import argparse
import pathlib
import re
import subprocess

from cffi import FFI

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = '#include <cairn/cairn.h>\n#include "shim.h"\n'
NUMBER = re.compile(r"^#define (CRN_\w+)\s+\d+\b", re.MULTILINE)


def declarations(cc: str, include: pathlib.Path) -> str:
    """All that the headers declare, without preprocessor lines and attributes."""
    command = [cc, "-E", "-P", "-U__GNUC__", "-nostdinc", f"-I{HERE / 'blank'}", f"-I{include}", f"-I{HERE}", "-"]
    return subprocess.run(command, input=SOURCE, check=True, capture_output=True, text=True).stdout


def constants(include: pathlib.Path) -> str:
    """Whole numbers that the headers define as macros."""
    texts = [path.read_text(encoding="utf-8") for path in sorted((include / "cairn").glob("*.h"))]
    return "".join(f"#define {name} ...\n" for text in texts for name in NUMBER.findall(text))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cc", required=True)
    parser.add_argument("--include", required=True, type=pathlib.Path)
    parser.add_argument("-o", "--output", required=True)
    given = parser.parse_args()
    ffi = FFI()
    ffi.cdef(declarations(given.cc, given.include) + constants(given.include))
    ffi.set_source("cairn._native", SOURCE)
    ffi.emit_c_code(given.output)


if __name__ == "__main__":
    main()
