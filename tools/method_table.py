#!/usr/bin/env python3
"""The tables of docs/guide/methods.md: which method solves what, how fast, how well. Measured by the program itself.

    tools/method_table.py --cairn build/cairn             print the tables
    tools/method_table.py --cairn build/cairn --write     put them into docs/guide/methods.md
    tools/method_table.py --cairn build/cairn --check     do the shares of solved problems in the page still hold?
    tools/method_table.py --self-test                     prove on a small page that the check can fail

What is solved does not depend on the machine and is checked; times do and are not. Another compiler rounds otherwise: methods without a
guarantee may then miss, or find, one problem of a family.
"""
import argparse
import json
import math
import pathlib
import platform
import random
import re
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/guide/methods.md"
FRICTION_METHODS = [("states", "polygon"), ("structural", "polygon"), ("reduced", "polygon"), ("bodies", "round"),
                    ("auto", "polygon"), ("auto", "round")]
TIME_LIMIT = 5.0  # [s] of one solve
ONE_PROBLEM = 7   # [%] of the 15 of a family


# --- Complementarity problems: the gallery ----------------------------------------------------------------------------

def gallery(cairn):
    lines = subprocess.run([cairn, "demo", "--json"], stdout=subprocess.PIPE, check=True).stdout.decode().splitlines()
    return [json.loads(line) for line in lines]


def gallery_tables(rows):
    methods = list(dict.fromkeys(row["method"] for row in rows))
    families = list(dict.fromkeys(row["family"] for row in rows))
    cell = {(row["family"], row["method"]): row for row in rows}

    def table(heading, text):
        lines = [f"| {heading} | " + " | ".join(f"`{method}`" for method in methods) + " |",
                 "|---|" + "--:|" * len(methods)]
        return lines + [f"| {family} | " + " | ".join(text(cell[family, method]) for method in methods) + " |"
                        for family in families]

    shares = table("solved or proved [%]", lambda row: f"{100 * row['right'] / row['problems']:.0f}")
    worst = [max(row["worst_certificate"] for row in rows if row["method"] == method) for method in methods]
    false = [sum(row["false_solved"] for row in rows if row["method"] == method) for method in methods]
    shares.append("| **worst certificate of what it calls solved** | " + " | ".join(f"{x:.0e}" for x in worst) + " |")
    shares.append("| **false \"solved\"** | " + " | ".join(str(x) for x in false) + " |")
    return shares, table("median time [µs]", lambda row: number(row["median_us"]))


# --- Contact problems by size -----------------------------------------------------------------------------------------

def body(mass, size, centre):
    inertia = mass * size * size / 6
    return {"mass": mass, "inertia_world": [[inertia, 0, 0], [0, inertia, 0], [0, 0, inertia]], "com": centre}


def touch(a, b, point, normal):
    return {"a": a, "b": b, "point": point, "normal": normal}


def problem(bodies, contacts, dice, push):
    """Under gravity; every body pushed sideways by up to `push` of its weight."""
    wrench = []
    for item in bodies:
        angle, part = dice.uniform(0, 2 * math.pi), dice.uniform(0, push)
        weight = 9.81 * item["mass"]
        wrench.append([part * weight * math.cos(angle), part * weight * math.sin(angle), -weight, 0, 0, 0])
    return {"kind": "rigid", "h": 0.01, "d": 8, "mu": 0.5, "bodies": bodies, "contacts": contacts, "wrench": wrench}


def plate(count, dice):
    """One body on `count` points of the floor."""
    points = [[dice.uniform(-0.5, 0.5), dice.uniform(-0.5, 0.5), 0] for _ in range(count)]
    return problem([body(2, 1, [0, 0, 0.1])], [touch(0, -1, point, [0, 0, 1]) for point in points], dice, 1.0)


def stack(count, dice):
    """Boxes on one another, four points each."""
    bodies = [body(1, 1, [0, 0, 0.5 + i]) for i in range(count)]
    contacts = [touch(i, i - 1, [x, y, i], [0, 0, 1]) for i in range(count) for x in (-0.5, 0.5) for y in (-0.5, 0.5)]
    return problem(bodies, contacts, dice, 0.02)


def pyramid(layers, dice):
    """Balls piled up as cannonballs are, `layers` high; each lies on four."""
    radius, bodies, index, contacts = 0.5, [], {}, []
    for level in range(layers):
        side = layers - level
        for i in range(side):
            for j in range(side):
                index[level, i, j] = len(bodies)
                bodies.append(body(1, 0.77, [i + level / 2, j + level / 2, radius + level * math.sqrt(0.5)]))
    for (level, i, j), a in index.items():
        centre = bodies[a]["com"]
        if level == 0:
            contacts.append(touch(a, -1, [centre[0], centre[1], 0], [0, 0, 1]))
            continue
        for b in (index[level - 1, i + di, j + dj] for di in (0, 1) for dj in (0, 1)):
            other = bodies[b]["com"]
            contacts.append(touch(a, b, [(x + y) / 2 for x, y in zip(centre, other)],
                                  [x - y for x, y in zip(centre, other)]))
    return problem(bodies, contacts, dice, 0.05)


# Name, maker, its size, how many are made, how often each is solved for its median time.
SITUATIONS = [("plate on 8 points", plate, 8, 20, 5), ("plate on 16 points", plate, 16, 20, 5),
              ("plate on 32 points", plate, 32, 20, 5), ("plate on 64 points", plate, 64, 20, 5),
              ("stack of 10 boxes", stack, 10, 20, 3), ("stack of 100 boxes", stack, 100, 3, 1),
              ("pyramid of 14 balls", pyramid, 3, 10, 3), ("pyramid of 30 balls", pyramid, 4, 3, 1),
              ("pyramid of 204 balls", pyramid, 8, 2, 1)]
CHECKED = 5  # of them, the small ones, four of each: more takes too long for a test


def solve(cairn, path, method, cone, repeat):
    """(solved, microseconds, certificate); None: it took longer than the limit."""
    command = [cairn, "contact", path, "--method", method, "--cone", cone, "--repeat", str(repeat), "--json"]
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, timeout=TIME_LIMIT * repeat, check=False)
    except subprocess.TimeoutExpired:
        return None
    answer = json.loads(done.stdout)
    return answer["outcome"] == "solved", answer["time_us"], answer["residual"]


def cell(runs):
    """Share solved, median time, worst certificate of what is solved."""
    if None in runs:
        return f"> {TIME_LIMIT:.0f} s"
    worst = max([run[2] for run in runs if run[0]], default=0.0)
    return f"{100 * sum(run[0] for run in runs) / len(runs):.0f} %, {time(statistics.median(r[1] for r in runs))}, {worst:.0e}"


def contact_table(cairn, situations):
    lines = ["| problem | contacts | " + " | ".join(f"`{method}`, {cone}" for method, cone in FRICTION_METHODS) + " |",
             "|---|--:|" + "--:|" * len(FRICTION_METHODS)]
    with tempfile.TemporaryDirectory() as folder:
        for name, make, size, count, repeat in situations:
            problems = [make(size, random.Random(seed)) for seed in range(count)]
            paths = [pathlib.Path(folder) / f"{make.__name__}-{size}-{seed}.json" for seed in range(count)]
            for path, made in zip(paths, problems):
                path.write_text(json.dumps(made))
            cells = []
            for method, cone in FRICTION_METHODS:
                runs = []
                for path in paths:
                    runs.append(solve(cairn, path, method, cone, repeat))
                    if runs[-1] is None:
                        break
                cells.append(cell(runs))
            lines.append(f"| {name} | {len(problems[0]['contacts'])} | " + " | ".join(cells) + " |")
    return lines


# --- Text -------------------------------------------------------------------------------------------------------------

def number(value):
    return f"{value:.0f}" if value >= 10 else f"{value:.1f}"


def time(us):
    return f"{number(us)} µs" if us < 1000 else f"{number(us / 1e3)} ms" if us < 1e6 else f"{number(us / 1e6)} s"


def compiler_of(cairn):
    """gcc or clang, without its version."""
    return json.loads(subprocess.run([cairn, "info", "--json"], stdout=subprocess.PIPE, check=True).stdout)["compiler"].split()[0]


def machine(compiler):
    """The kind of processor and of compiler, and nothing else of the machine."""
    info = pathlib.Path("/proc/cpuinfo")
    found = re.search(r"model name\s*: (.*)", info.read_text()) if info.exists() else None
    kind = re.sub(r"\((R|TM)\)| CPU| Processor| @.*", "", found.group(1)) if found else "unknown"
    return f"{kind.strip()}, {platform.machine()}, one core, {compiler}"


def put(text, name, lines):
    """The text with the lines between the marks of that name."""
    pattern = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->)", re.DOTALL)
    assert pattern.search(text), f"no marks for {name}"
    return pattern.sub(lambda match: match.group(1) + "\n".join(lines) + "\n" + match.group(2), text)


def shares_of(lines):
    """Row name -> shares in percent, of a table; times left out."""
    rows = {}
    for line in lines:
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        shares = [re.match(r"(\d+)(?: %|$)", item) for item in cells[1:]]
        rows[cells[0]] = [match.group(1) for match in shares if match]
    return rows


def is_like(said, shares, slack):
    return said is not None and len(said) == len(shares) and all(abs(int(x) - int(y)) <= slack for x, y in zip(said, shares))


def check(text, tables, compiler="gcc"):
    slack = 0 if re.search(r"Measured on: .*", text).group(0).endswith(f" {compiler}.") else ONE_PROBLEM
    problems = []
    for name in ("solved", "contacts"):
        said = shares_of(re.search(rf"<!-- {name} -->\n(.*?)<!-- end -->", text, re.DOTALL).group(1).splitlines())
        for row, shares in shares_of(tables[name]).items():
            if not is_like(said.get(row), shares, slack):
                problems.append(f"docs/guide/methods.md: {row}: the page says {said.get(row)}, measured is {shares}")
    return problems


def self_test():
    tables = {"solved": ["| a | `x` | `y` |", "|---|--:|--:|", "| peg | 0 | 100 |"],
              "contacts": ["| plate | 8 | 100 %, 4.2 µs, 1e-15 | > 5 s |"]}
    page = "Measured on: one, gcc.\n" + "".join(f"<!-- {name} -->\n" + "\n".join(lines) + "\n<!-- end -->\n" for name, lines in tables.items())
    assert not check(page, tables)
    assert not check(page.replace("4.2 µs, 1e-15", "9.9 µs, 2e-15"), tables)  # another machine
    assert not check(page.replace("| 0 | 100 |", "| 7 | 100 |"), tables, "clang")
    assert check(page.replace("| 0 | 100 |", "| 14 | 100 |"), tables, "clang")
    for old, new in (("| 0 | 100 |", "| 7 | 100 |"), ("100 %, 4.2", "90 %, 4.2"), ("| peg", "| pig")):
        assert check(page.replace(old, new), tables), old
    return 0


def main():
    parser = argparse.ArgumentParser(description="measure the methods")
    parser.add_argument("--cairn", default=str(ROOT / "build/cairn"))
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--self-test", action="store_true")
    arguments = parser.parse_args()
    if arguments.self_test:
        return self_test()
    shares, times = gallery_tables(gallery(arguments.cairn))
    situations = [(*item[:3], 4, 1) for item in SITUATIONS[:CHECKED]] if arguments.check else SITUATIONS
    tables = {"solved": shares, "times": times, "contacts": contact_table(arguments.cairn, situations)}
    if arguments.check:
        problems = check(PAGE.read_text(encoding="utf-8"), tables, compiler_of(arguments.cairn))
        print("\n".join(problems) or "the page agrees with what is measured")
        return 1 if problems else 0
    tables["machine"] = [f"Measured on: {machine(compiler_of(arguments.cairn))}."]
    if arguments.write:
        text = PAGE.read_text(encoding="utf-8")
        for name, lines in tables.items():
            text = put(text, name, lines)
        PAGE.write_text(text, encoding="utf-8")
    else:
        print("\n\n".join("\n".join(lines) for lines in tables.values()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
