#!/usr/bin/env python3
"""What programs are linked with: every public function with its arguments, the size of every public struct, the values of enums.

    tools/check_abi.py             compare with docs/reference/abi.txt (64-bit machines); exit code 1: they differ
    tools/check_abi.py --update    write that file
    tools/check_abi.py --self-test

A difference is no mistake: it means that programs must be compiled again, so that the minor number of the version must be higher than
that of the last release before the file is written anew. Exit code 77: this machine has another data model.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
RECORD = ROOT / "docs/reference/abi.txt"
FUNCTION = re.compile(r"^CRN_API\s+([^;{]*?\(.*?\))\s*(?:\n#if[^\n]*\n[^;]*?#endif\n\s*)?;", re.DOTALL | re.MULTILINE)
STRUCT = re.compile(r"^typedef struct (crn_\w+) \{", re.MULTILINE)
ENUM = re.compile(r"^typedef enum crn_\w+ \{(.*?)\}", re.DOTALL | re.MULTILINE)
SKIPPED = 77


def without_comments(text):
    return re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL)


def parse(text):
    """(functions, structs, values of enums) that a header declares."""
    text = without_comments(text)
    functions = [" ".join(match.split()) for match in FUNCTION.findall(text)]
    values = [name for body in ENUM.findall(text) for name in re.findall(r"\b(CRN_\w+)\b\s*(?:=[^,]*)?(?:,|$)", body.strip())]
    return functions, STRUCT.findall(text), values


def measure(include, structs, values, compiler):
    """Sizes and values as the compiler sees them; None on a machine with other sizes of pointers."""
    lines = ['#include <cairn/cairn.h>', "#include <stdio.h>", "int main(void)", "{", '    printf("%d\\n", (int)sizeof(void *));']
    lines += [f'    printf("struct {name} %d\\n", (int)sizeof({name}));' for name in structs]
    lines += [f'    printf("value {name} %d\\n", (int){name});' for name in values]
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "abi.c"
        source.write_text("\n".join(lines + ["    return 0;", "}"]), encoding="utf-8")
        program = pathlib.Path(folder) / "abi"
        subprocess.run([compiler, "-std=c17", f"-I{include}", str(source), "-o", str(program)], check=True)
        told = subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout.splitlines()
    return told[1:] if told[0] == "8" else None


def describe(include, compiler):
    functions, structs, values = [], [], []
    for header in sorted((include / "cairn").glob("*.h")):
        found = parse(header.read_text(encoding="utf-8"))
        functions += found[0]
        structs += found[1]
        values += found[2]
    measured = measure(include, structs, values, compiler)
    return None if measured is None else sorted([f"function {text}" for text in functions] + measured)


def differences(old, new):
    old, new = set(old), set(new)
    return [f"- {line}" for line in sorted(old - new)] + [f"+ {line}" for line in sorted(new - old)]


def self_test():
    header = """CRN_API int crn_a(int x,
   const char *y); /* told */
typedef struct crn_b { int x; } crn_b;
typedef enum crn_c { CRN_ONE = 0, CRN_TWO /* and */ } crn_c;
"""
    assert parse(header) == (["int crn_a(int x, const char *y)"], ["crn_b"], ["CRN_ONE", "CRN_TWO"]), parse(header)
    assert differences(["a", "b"], ["b", "c"]) == ["- a", "+ c"]
    print("check_abi self-test: 2 cases, 0 failed")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("--cc", default=os.environ.get("CC", "cc"))
    given = parser.parse_args()
    if given.self_test:
        self_test()
        return 0
    now = describe(ROOT / "include", given.cc)
    if now is None:
        return SKIPPED
    if given.update:
        RECORD.write_text("\n".join(now) + "\n", encoding="utf-8")
        return 0
    changed = differences(RECORD.read_text(encoding="utf-8").splitlines(), now)
    for line in changed:
        print(line)
    if changed:
        print("The binary interface differs from docs/reference/abi.txt: see tools/check_abi.py --help")
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
