#!/usr/bin/env python3
"""Names of the elements and attributes of MJCF, as an installed MuJoCo prints its schema: tests/robots/mjcf_names.txt.

    tools/mjcf_schema.py                    add the names of the MuJoCo that is installed (library or Python package) to the file
    tools/mjcf_schema.py --check            exit 1 if it knows names that the file lacks, 77 (skipped) if there is none
    tools/mjcf_schema.py --self-test        prove on a small schema that a missing name is found

A line of the file is PARENT/ELEMENT and its attributes, all in the order of the alphabet. robots.test_mjcf_schema demands that each is
read, warned about or refused. Old names stay: files of older versions have them.
"""
import argparse
import ctypes
import ctypes.util
import pathlib
import re
import sys

FILE = pathlib.Path(__file__).resolve().parent.parent / "tests/robots/mjcf_names.txt"
SKIPPED = 77
ELEMENT = re.compile(r"^( *)([()a-z_0-9]+) \(.\)\s*(.*)$")
INDENT = 3


def printed_by_package():
    try:
        import mujoco
    except ImportError:
        return None
    return mujoco.mj_printSchema(False, False)


def printed_by_library():
    name = ctypes.util.find_library("mujoco")
    if name is None:
        return None
    text = ctypes.create_string_buffer(1 << 20)
    ctypes.CDLL(name).mj_printSchema(None, text, len(text), 0, 0)
    return text.value.decode()


def parse(text):
    """{"parent/element": names of attributes} of a printed schema."""
    found, stack, here = {}, [], None
    for line in text.splitlines():
        match = ELEMENT.match(line)
        if match:
            name = match.group(2).replace("(world)", "")
            stack = stack[:len(match.group(1)) // INDENT] + [name]
            here = found.setdefault("/".join(stack[-2:]), set())
        if here is not None:
            here.update((match.group(3) if match else line).split())
    return found


def read(path):
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return {words[0]: set(words[1:]) for words in map(str.split, lines) if words}


def lacking(known, schema):
    """Names of schema that known has not, as "parent/element attribute"."""
    return [f"{place} {name}".strip() for place, names in sorted(schema.items())
            for name in ([] if place in known else [""]) + sorted(names - known.get(place, set()))]


def self_test():
    schema = parse("mujoco (!)   model\n   (world)body (R)   name\n                     pos\n      geom (*)   size\n")
    good = schema == {"mujoco": {"model"}, "mujoco/body": {"name", "pos"}, "body/geom": {"size"}}
    good = good and lacking(schema, schema) == []
    good = good and lacking({"mujoco": {"model"}, "mujoco/body": {"name"}}, schema) == ["body/geom", "body/geom size", "mujoco/body pos"]
    print("mjcf_schema self-test:", "passed" if good else f"failed: {schema}")
    return 0 if good else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--self-test", action="store_true")
    given = parser.parse_args()
    if given.self_test:
        return self_test()
    texts = [text for text in (printed_by_package(), printed_by_library()) if text]
    if not texts:
        print("MuJoCo is not installed (tools/setup --peers)")
        return SKIPPED
    known = read(FILE)
    missing = [line for text in texts for line in lacking(known, parse(text))]
    if given.check:
        print("\n".join(missing) or f"{sum(map(len, known.values()))} attributes of {len(known)} elements, none missing")
        return 1 if missing else 0
    for schema in map(parse, texts):
        for place, names in schema.items():
            known.setdefault(place, set()).update(names)
    FILE.write_text("".join(" ".join([place, *sorted(known[place])]) + "\n" for place in sorted(known)), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
