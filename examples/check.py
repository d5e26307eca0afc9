#!/usr/bin/env python3
"""Run an example and compare what it prints with what is expected: examples/check.py PROGRAM EXPECTED

Text must be the same but for numbers: an expected number counts to 1 % or one unit of its last digit, "<=X" stands for a number no
larger than X in size, "*" for any number, a line "..." for any lines. The program must end with 0 (77: skipped).
examples/check.py --self-test proves that it can fail.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

NUMBER = r"[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?"
EXPECTED = re.compile(rf"<=({NUMBER})|(\*)|({NUMBER})")


def unit(text):
    """One unit of the last digit of a number as it is written."""
    mantissa, _, exponent = text.partition("e")
    digits = len(mantissa.partition(".")[2])
    return 10.0 ** (int(exponent or 0) - digits)


def pieces(expected):
    """A pattern for a line, and a test for each of its numbers."""
    pattern, tests, at = "", [], 0
    for found in EXPECTED.finditer(expected):
        pattern += re.sub(r"\\? +", r" +", re.escape(expected[at:found.start()])) + f" *({NUMBER})"
        at = found.end()
        if found[1]:
            tests.append(lambda value, most=float(found[1]): abs(value) <= most)
        elif found[2]:
            tests.append(lambda value: True)
        else:
            wanted, room = float(found[3]), unit(found[3])
            tests.append(lambda value, w=wanted, r=room: abs(value - w) <= max(0.01 * abs(w), 1.001 * r))
    return pattern + re.sub(r"\\? +", r" +", re.escape(expected[at:])), tests


def same(line, expected):
    pattern, tests = pieces(expected.strip())
    match = re.fullmatch(pattern, line.strip())
    return match is not None and all(test(float(value)) for test, value in zip(tests, match.groups()))


def problem(lines, expected):
    """What is wrong with the lines, or None."""
    at, skips = 0, False
    for number, wanted in enumerate(expected, 1):
        if wanted == "...":
            skips = True
            continue
        while skips and at < len(lines) and not same(lines[at], wanted):
            at += 1
        if at == len(lines) or not same(lines[at], wanted):
            return f"line {number} should be\n    {wanted}\nbut is\n    {lines[at] if at < len(lines) else '(missing)'}"
        at, skips = at + 1, False
    return None if at == len(lines) or skips else f"a line too many: {lines[at]}"


def self_test():
    assert same("z = (1.33333, 2.0)", "z = (1.333, 2)") and not same("z = (1.4, 2.0)", "z = (1.333, 2)")
    assert same("error 2.2e-16 m", "error <=1e-12 m") and not same("error 2.2e-9 m", "error <=1e-12 m")
    assert same("speed   -0.0000", "speed 0.0000") and not same("speed 0.01", "speed 0.0000")
    assert same("at (-3.5, *)".replace("*", "7"), "at (*, *)") and not same("at (x, 7)", "at (*, *)")
    assert not same("solved: 1", "limit: 1") and not same("1", "1 2")
    assert problem(["a", "b", "c"], ["a", "...", "c"]) is None and problem(["a", "b"], ["a"]) is not None
    assert problem(["a"], ["a", "b"]) is not None and problem(["a", "b"], ["a", "..."]) is None
    return 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    program, expected = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([program], cwd=folder, capture_output=True, text=True, check=False)
        left = sorted(path.name for path in pathlib.Path(folder).iterdir())
    sys.stdout.write(done.stdout + done.stderr)
    if done.returncode != 0:
        return done.returncode
    wrong = problem(done.stdout.splitlines(), expected.read_text().splitlines())
    wrong = wrong or (f"it leaves files: {left}" if left else None)
    print(wrong or "as expected")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
