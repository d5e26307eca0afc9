#!/usr/bin/env python3
"""Rings of calls between the .c files of the library, read from its object files with nm.

    tools/check_rings.py                    check build/
    tools/check_rings.py --objects LIST     a file with the path of one object per line; CMake writes build/objects.txt
    tools/check_rings.py --limit FILE       files in rings that a room may have; default tools/rings.txt
    tools/check_rings.py --room ROOM        print every call of the rings of one room; nothing is judged
    tools/check_rings.py --self-test        prove on small graphs that the rule can fail

A file uses another one if it names a function or constant that the other defines. Files that use each other, directly or
through further files, are a ring: none of them can be read, tested or replaced alone. Includes do not show this where
files share a header. A room with more files in rings than its limit fails; a limit that could be lowered is told.
Exits 1 on failure, 77 (skipped) without nm.
"""
import argparse
import collections
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SKIPPED = 77
UNDEFINED = {"U", "w", "v"}


# --- From objects to a graph of files ---------------------------------------------------------------------------------

def source_of(path):
    """src/step/solve.c of .../cairn_objects.dir/src/step/solve.c.o, whatever the build folder is."""
    parts = pathlib.Path(path).parts
    at = len(parts) - 1 - parts[::-1].index("src")
    return "/".join(parts[at:]).removesuffix(".obj").removesuffix(".o")


def read_symbols(nm, objects):
    """What nm -P prints: a line "path:" per object, then "name type [value size]" per external symbol."""
    output = subprocess.run([nm, "-P", "-g", *objects], check=True, capture_output=True, text=True).stdout
    return f"{objects[0]}:\n{output}" if len(objects) == 1 else output


def parse_symbols(text):
    """({symbol: file that defines it}, {file: symbols that it uses})."""
    home, uses, name = {}, {}, None
    for line in text.splitlines():
        words = line.split()
        if line.endswith(":"):
            name = source_of(line[:-1])
            uses.setdefault(name, set())
        elif len(words) >= 2 and words[1] in UNDEFINED:
            uses[name].add(words[0])
        elif len(words) >= 2:
            home[words[0]] = name
    return home, uses


def build_graph(home, uses):
    """{file: {file that it uses: sorted symbols}}."""
    graph = {name: {} for name in uses}
    for name, symbols in uses.items():
        for symbol in sorted(symbols):
            target = home.get(symbol, name)
            if target != name:
                graph[name].setdefault(target, []).append(symbol)
    return graph


# --- Rings ------------------------------------------------------------------------------------------------------------

def find_rings(graph):
    """Strongly connected components of more than one file, largest first [Tarjan, without recursion]."""
    number, low, stack, rings = {}, {}, [], []
    for root in sorted(graph):
        if root in number:
            continue
        walk = [(root, iter(sorted(graph[root])))]
        number[root] = low[root] = len(number)
        stack.append(root)
        while walk:
            node, targets = walk[-1]
            for target in targets:
                if target not in number:
                    number[target] = low[target] = len(number)
                    stack.append(target)
                    walk.append((target, iter(sorted(graph[target]))))
                    break
                if target in stack:
                    low[node] = min(low[node], number[target])
            else:
                walk.pop()
                if walk:
                    low[walk[-1][0]] = min(low[walk[-1][0]], low[node])
                if low[node] == number[node]:
                    at = stack.index(node)
                    ring, stack[at:] = sorted(stack[at:]), []
                    rings += [ring] if len(ring) > 1 else []
    return sorted(rings, key=lambda ring: (-len(ring), ring))


def cost_of(order, graph):
    """Symbols used against the order: by a later file of an earlier one, which should not know it."""
    place = {name: i for i, name in enumerate(order)}
    return sum(len(symbols) for name in order for target, symbols in graph[name].items()
               if place.get(target, len(order)) < place[name])


def order_ring(ring, graph):
    """Callers first, with few symbols used against the order: files are moved one at a time while that helps."""
    inside = set(ring)
    outward = {name: sum(len(s) for t, s in graph[name].items() if t in inside) for name in ring}
    order = sorted(ring, key=lambda name: (-outward[name], name))
    best = cost_of(order, graph)
    improved = True
    while improved:
        improved = False
        for name in ring:
            rest = [other for other in order if other != name]
            for at in range(len(ring)):
                trial = rest[:at] + [name] + rest[at:]
                cost = cost_of(trial, graph)
                if cost < best:
                    order, best, improved = trial, cost, True
    return order


def closes(name, target, edges):
    """Whether target leads back to name by these edges."""
    seen, front = {target}, [target]
    while front:
        here = front.pop()
        step = {b for a, b in edges if a == here} - seen
        seen |= step
        front += step
    return name in seen


def closing_calls(ring, graph):
    """A small set of edges (file, file, symbols) without which the ring is none; no edge of it is needless."""
    order = order_ring(ring, graph)
    place = {name: i for i, name in enumerate(order)}
    edges = [(name, target) for name in order for target in order if target in graph[name]]
    kept = [edge for edge in edges if place[edge[0]] < place[edge[1]]]
    cut = []
    for name, target in (edge for edge in edges if place[edge[0]] > place[edge[1]]):
        if closes(name, target, kept):
            cut.append((name, target, graph[name][target]))
        else:
            kept.append((name, target))
    return cut


def room_of(name):
    return name.split("/")[1]


def count_by_room(rings):
    return collections.Counter(room_of(name) for ring in rings for name in ring)


# --- Limits and report ------------------------------------------------------------------------------------------------

def read_limits(path):
    """{room: files}; a line is "room files", # begins a comment."""
    lines = (line.split("#")[0].split() for line in path.read_text(encoding="utf-8").splitlines())
    return {words[0]: int(words[1]) for words in lines if words}


def judge(rings, limits):
    """(complaints, hints) as lists of lines."""
    count = count_by_room(rings)
    rooms = sorted(set(count) | set(limits))
    complaints = [f"{room}: {count[room]} files in rings of calls, {limits.get(room, 0)} allowed"
                  for room in rooms if count[room] > limits.get(room, 0)]
    hints = [f"{room}: {count[room]} files in rings of calls; its limit of {limits[room]} can be lowered"
             for room in rooms if count[room] < limits.get(room, 0)]
    return complaints, hints


def describe(ring, graph):
    """The lines about one ring."""
    lines = [f"ring of {len(ring)} files: {' '.join(ring)}", "  without these calls there is none:"]
    lines += [f"    {name} -> {target}: {' '.join(symbols)}" for name, target, symbols in closing_calls(ring, graph)]
    return lines


def describe_all(ring, graph):
    """Every call inside one ring, files in the order that they nearly have; "^" marks the calls against it."""
    order = order_ring(ring, graph)
    against = {(name, target) for name, target, _ in closing_calls(ring, graph)}
    lines = []
    for name in order:
        lines.append(f"  {name}")
        lines += [f"    {'^' if (name, target) in against else ' '} {target}: {' '.join(graph[name][target])}"
                  for target in order if target in graph[name]]
    return lines


def find_objects(listed):
    """Objects of the list, or of build/ as far as their sources still exist."""
    if listed:
        return sorted(line for line in listed.read_text(encoding="utf-8").splitlines() if line)
    objects = sorted(str(path) for path in (ROOT / "build/CMakeFiles").glob("cairn*_objects.dir/src/**/*.o"))
    return [path for path in objects if (ROOT / source_of(path)).is_file()]


def check(nm, objects, limits, room):
    """Print what was found; true if no room is over its limit."""
    graph = build_graph(*parse_symbols(read_symbols(nm, objects)))
    rings = find_rings(graph)
    if room:
        for ring in (ring for ring in rings if room in map(room_of, ring)):
            print("\n".join(describe(ring, graph) + ["  all calls, callers first:"] + describe_all(ring, graph)))
        return True
    complaints, hints = judge(rings, limits)
    for ring in rings:
        print("\n".join(describe(ring, graph)))
    print("\n".join(complaints + hints + [f"{sum(map(len, rings))} of {len(graph)} files in {len(rings)} rings"]))
    return not complaints


# --- Self-test --------------------------------------------------------------------------------------------------------

# What nm says of three files: a calls b, b calls c and the C library, c calls b; so b and c are a ring.
SYMBOLS = """/x/cairn_objects.dir/src/step/a.c.o:
crn_a T 0 10
crn_b U
/x/cairn_objects.dir/src/step/b.c.o:
crn_b T 0 10
crn_b2 R 0 4
crn_c U
sqrt U
/x/cairn_objects.dir/src/tree/c.c.o:
crn_c T 0 10
crn_b U
crn_b2 U
"""
# graph with a letter per file, rings expected, calls to take out
GRAPHS = [
    ({"a": "b", "b": "c", "c": ""}, [], 0),
    ({"a": "b", "b": "a"}, ["ab"], 1),
    ({"a": "bc", "b": "c", "c": "d", "d": "b", "e": "a"}, ["bcd"], 1),
    ({"a": "b", "b": "a", "c": "d", "d": "ce", "e": "c"}, ["cde", "ab"], 2),
    ({"a": "bcd", "b": "acd", "c": "abd", "d": "abc"}, ["abcd"], 6),
]


def letter_graph(text):
    return {f"src/room/{k}": {f"src/room/{t}": ["call"] for t in targets} for k, targets in text.items()}


def is_ring_without(ring, graph, cut):
    """Whether calls among the files of a ring still close when some are taken out."""
    gone = {(name, target) for name, target, _ in cut}
    left = {name: {t: s for t, s in graph[name].items() if t in ring and (name, t) not in gone} for name in ring}
    return bool(find_rings(left))


def self_test():
    failures = []
    graph = build_graph(*parse_symbols(SYMBOLS))
    rings = find_rings(graph)
    if rings != [["src/step/b.c", "src/tree/c.c"]]:
        failures.append(f"nm: {rings}")
    if closing_calls(rings[0], graph) != [("src/step/b.c", "src/tree/c.c", ["crn_c"])]:
        failures.append(f"nm: the cheapest cut is crn_c, not {closing_calls(rings[0], graph)}")
    for text, expected, cuts in GRAPHS:
        graph = letter_graph(text)
        rings = find_rings(graph)
        if ["".join(name[-1] for name in ring) for ring in rings] != expected:
            failures.append(f"{text}: {rings}")
        cut = [edge for ring in rings for edge in closing_calls(ring, graph)]
        if len(cut) != cuts or any(is_ring_without(ring, graph, cut) for ring in rings):
            failures.append(f"{text}: {len(cut)} calls to take out, expected {cuts}")
    rings = [["src/step/b.c", "src/tree/c.c"]]
    for limits, expected in [({"step": 1, "tree": 1}, (0, 0)), ({"step": 1}, (1, 0)), ({"step": 0, "tree": 3}, (1, 1))]:
        if tuple(map(len, judge(rings, limits))) != expected:
            failures.append(f"limits {limits}: {judge(rings, limits)}")
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "rings.txt"
        path.write_text("# why\nstep 3 # more\n\n", encoding="utf-8")
        if read_limits(path) != {"step": 3}:
            failures.append(f"limits read: {read_limits(path)}")
    for failure in failures:
        print(failure)
    print(f"check_rings self-test: {len(GRAPHS) + 6} cases, {len(failures)} failed")
    return not failures


def main():
    parser = argparse.ArgumentParser(description="find rings of calls between files")
    parser.add_argument("--objects", type=pathlib.Path)
    parser.add_argument("--limit", type=pathlib.Path, default=ROOT / "tools/rings.txt")
    parser.add_argument("--nm", default="nm")
    parser.add_argument("--room")
    parser.add_argument("--self-test", action="store_true")
    arguments = parser.parse_args()
    if arguments.self_test:
        return 0 if self_test() else 1
    nm = shutil.which(arguments.nm)
    if not nm:
        print(f"skipped: no {arguments.nm}")
        return SKIPPED
    objects = find_objects(arguments.objects)
    if not objects:
        print("skipped: no object files; build first")
        return SKIPPED
    return 0 if check(nm, objects, read_limits(arguments.limit), arguments.room) else 1


if __name__ == "__main__":
    sys.exit(main())
