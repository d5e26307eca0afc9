"""Is this what the page says is printed? Words must agree; numbers up to printing and rounding; times may be any.

A line "..." in the page stands for any number of lines, "..." within a line for any text. Blanks count as one.
"""
import functools
import re

NUMBER = re.compile(r"[-+]?(?<![\w.])(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w.]*[A-Za-z_]\w*\.)")
DIGITS = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
# A time that was measured, a ratio of such times, the step in which rounding was worst: number and unit may be any.
MEASURED = re.compile(rf"(?<=\(step )\d+(?=\))|(?<=\"time_us\": ){DIGITS}|{DIGITS}(?:x| ?(?:us|ns|ms|µs)| times as fast)\b")
TIMES = re.compile(r"(real )?time  ?[^:]*\d")  # a line of a summary that has nothing but times
TIME = re.compile(rf"{DIGITS}(?: (?:us|ns|ms|µs|s)\b)?")
RELATIVE = 2e-3  # what is printed has few digits
ROUNDING = 2e-2  # at most: 0.0059 is as good as 0.0060, but 1.5 is not 1.6
NOISE = 1e-7     # certificates, overlap at rest: rounding, different from machine to machine


def same_number(a, b):
    x, y = float(a), float(b)
    if abs(x) < NOISE and abs(y) < NOISE:
        return True
    largest = max(abs(x), abs(y))
    rounding = min(1.001 * last_digit(a), 1.001 * last_digit(b), ROUNDING * largest)
    return abs(x - y) <= max(RELATIVE * largest, rounding)


def last_digit(number):
    """What one unit of its last digit is worth; 0 for whole numbers, which are counts."""
    digits, _, exponent = number.lower().partition("e")
    return 10.0 ** (int(exponent or 0) - len(digits.partition(".")[2])) if "." in digits else 0.0


def pieces(line):
    """(text, number, text, ...) with measured times taken out."""
    line = " ".join(line.split())
    line = (TIME if TIMES.match(line) else MEASURED).sub("TIME", line)
    words, end = [], 0
    for match in NUMBER.finditer(line):
        words += [line[end:match.start()], match.group()]
        end = match.end()
    return words + [line[end:]]


def same_line(expected, actual):
    if "..." in expected:
        parts = [re.escape(" ".join(part.split())) for part in expected.split("...")]
        return re.fullmatch(r"\s*.*\s*".join(parts), " ".join(actual.split())) is not None
    a, b = pieces(expected), pieces(actual)
    return len(a) == len(b) and all(
        (same_number(x, y) if i % 2 else x.split() == y.split()) for i, (x, y) in enumerate(zip(a, b)))


def same_output(expected, actual):
    """Does the text `actual` agree with the page's text `expected`?"""
    wanted = [line for line in expected.splitlines() if line.strip()]
    given = [line for line in actual.splitlines() if line.strip()]

    @functools.lru_cache(maxsize=None)
    def from_here(i, j):
        if i == len(wanted):
            return j == len(given)
        if wanted[i].strip() == "...":
            return from_here(i + 1, j) or (j < len(given) and from_here(i, j + 1))
        return j < len(given) and same_line(wanted[i], given[j]) and from_here(i + 1, j + 1)

    return from_here(0, 0)
