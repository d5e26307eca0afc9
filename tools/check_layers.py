#!/usr/bin/env python3
"""Who may include whom. Prints each violation as file:line and exits 1 if there is one.

    tools/check_layers.py                check this tree
    tools/check_layers.py --root DIR     check another one
    tools/check_layers.py --self-test    prove on small trees that each rule can fail
"""
import argparse
import pathlib
import re
import sys
import tempfile

# Rooms of src/ and the rooms below that each may include. A public header <cairn/x.h> belongs to room x.
MAY_INCLUDE = {
    "base": set(),
    "math": {"base"},
    "lcp": {"base", "math"},
    "collide": {"base", "math"},
    "draw": {"base", "math", "collide"},  # shapes as triangles
    "tree": {"base", "math"},
    "model": {"base", "math", "lcp", "contact", "collide", "tree"},  # describes scenes in the nouns of these rooms
    "contact": {"base", "math", "lcp"},
    "step": {"base", "math", "lcp", "contact", "collide", "tree", "model"},
    "text": {"base", "math"},  # words, numbers and XML, with the line they stand on
    "robots": {"base", "math", "lcp", "contact", "collide", "tree", "model", "text"},  # URDF, MJCF and meshes into a model
    "io": {"base", "math", "lcp", "contact", "collide", "draw", "tree", "model", "step", "text",
           "robots"},  # problems, scenes and recordings, which hold a step's figures
    "world": {"base", "math", "lcp", "contact", "collide", "tree", "model", "step"},
}
ROOM_OF_PUBLIC_HEADER = {"linalg": "math", "cone": "contact", "linearize": "contact", "gradient": "world", "proof": "lcp", "qp": "lcp",
                         "robot": "world", "batch": "world", "robot_files": "robots", "file_format": "text"}  # where the names differ
UMBRELLA = "cairn"  # <cairn/cairn.h>: for users, never for the library itself

# One door per room: another room sees the public header or <room>/<room>_room.h. Three low rooms are open: each header of math is
# a kernel made for the rooms above, and a door would only list them all again; base and text are the same.
OPEN_ROOMS = {"base", "math", "text"}

# Parts of a room, folders in it, and the other parts that each may include. What all share lies above them, in the room's own
# folder: its headers include no part, its .c files may include all.
PARTS = {
    "collide": {"convex": set(), "mesh": {"convex"}, "planar": set(), "shapes": {"convex", "mesh", "planar"}},
}

# Folders outside of src/ and what they may include besides public headers and their own files.
# "*" is anything. Kernels of math and the factor of trees are measured by bench, nothing else of src/ is.
CLIENTS = {
    "gallery": set(),
    "apps": {"gallery"},
    "examples": {"gallery"},
    "bindings": {"apps"},  # the page's module makes frames as the program does
    "bench": {"gallery", "src/math", "src/tree"},
    "tests": {"*"},
    "fuzz": {"*"},
}

SUFFIXES = {".c", ".h", ".cpp", ".hpp", ".cc"}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"\n]+)[>"]', re.MULTILINE)
BLOCK_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)

# Headers of the C library, POSIX and the compiler: everybody may use them.
SYSTEM_HEADER = re.compile(
    r"(assert|complex|ctype|dirent|errno|fcntl|fenv|float|inttypes|iso646|limits|locale|math|omp|pthread|setjmp|signal"
    r"|stdalign|stdarg|stdatomic|stdbool|stddef|stdint|stdio|stdlib|stdnoreturn|string|strings|tgmath|threads|time"
    r"|uchar|unistd|wchar|wctype|sys/\w+|\w*intrin|arm_neon)\.h")


def read_includes(path):
    """Yield (line, form, name) for each #include; form is '<' or '"'."""
    text = path.read_text(encoding="utf-8", errors="replace")
    text = BLOCK_COMMENT.sub(lambda m: "\n" * m.group().count("\n"), text)
    for match in INCLUDE.finditer(text):
        yield text.count("\n", 0, match.start()) + 1, match.group(1), match.group(2)


def resolve(root, path, form, name):
    """The file of this tree that an #include leads to, or None. Looks where the build looks."""
    top = path.relative_to(root).parts[0]
    folders = [root / "include", root / "src"]
    if form == '"':
        folders = [path.parent] + folders + [root / "gallery", root / "tests/support", root / top, root]
    for folder in folders:
        target = (folder / name).resolve()
        if target.is_file() and target.is_relative_to(root):
            return target
    return None


def place(root, path):
    """(kind, room) of a file: ("public", "lcp"), ("src", "lcp") or ("gallery", None) and the like."""
    parts = path.relative_to(root).parts
    if parts[0] == "include":
        return "public", ROOM_OF_PUBLIC_HEADER.get(path.stem, path.stem)
    if parts[0] == "src":
        return "src", parts[1] if len(parts) > 2 else None
    return parts[0], None


def part_of(root, path):
    """The part of a room that a file of src/ is in, or None."""
    parts = path.relative_to(root).parts
    return parts[2] if len(parts) > 3 else None


def part_complaint(root, source, target, room):
    """Why a file of a room may not include another of it, or None if it may."""
    source_part, target_part = part_of(root, source), part_of(root, target)
    parts = PARTS.get(room, {})
    for part in (source_part, target_part):
        if part is not None and part not in parts:
            return f"part '{room}/{part}' is not in the table of tools/check_layers.py"
    if target_part is None or source_part == target_part:
        return None
    if source_part is None:
        return f"a header of {room} may not include its part {target_part}" if source.suffix == ".h" else None
    return None if target_part in parts[source_part] else f"{room}/{source_part} may not include {room}/{target_part}"


def complaint(root, source, target):
    """Why source may not include target, or None if it may."""
    from_kind, from_room = place(root, source)
    to_kind, to_room = place(root, target)

    if from_kind in ("public", "src"):
        if from_kind == "public" and from_room == UMBRELLA:
            return None if to_kind == "public" else "the umbrella header may include public headers only"
        if from_room not in MAY_INCLUDE:
            return f"room '{from_room}' is not in the table of tools/check_layers.py"
        if to_kind not in ("public", "src"):
            return f"the library may not include {to_kind}/"
        if from_kind == "public" and to_kind == "src":
            return "a public header may not include a private one"
        if to_room == from_room:
            return part_complaint(root, source, target, from_room) if from_kind == to_kind == "src" else None
        if to_room not in MAY_INCLUDE[from_room]:
            return f"{from_room} may not include {to_room}"
        if to_kind == "src" and to_room not in OPEN_ROOMS and target.name != f"{to_room}_room.h":
            return f"go through the door {to_room}/{to_room}_room.h or the public header"
        return None

    allowed = CLIENTS.get(from_kind, set())
    if to_kind in ("public", from_kind) or "*" in allowed:
        return None
    if to_kind in allowed or f"{to_kind}/{to_room}" in allowed:
        return None
    return f"{from_kind}/ may not include {to_kind}/" + (to_room or "")


def find_rings(graph):
    """Yield one list of files [a, b, ..., a] per back edge of a depth-first walk."""
    done, path = set(), []

    def walk(node):
        if node in path:
            yield path[path.index(node):] + [node]
            return
        if node in done:
            return
        path.append(node)
        for target in sorted(graph.get(node, ())):
            yield from walk(target)
        path.pop()
        done.add(node)

    for node in sorted(graph):
        yield from walk(node)


def check(root):
    """All violations of the tree as lines "file:line: reason"."""
    root = root.resolve()
    violations, graph, third_party = [], {}, {}
    for folder in ["include", "src", *CLIENTS]:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in SUFFIXES:
                continue
            shown = path.relative_to(root)
            for line, form, name in read_includes(path):
                target = resolve(root, path, form, name)
                if target is not None:
                    graph.setdefault(shown, set()).add(target.relative_to(root))
                    reason = complaint(root, path, target)
                    if reason:
                        violations.append(f'{shown}:{line}: "{name}": {reason}')
                elif form == '"' or name.startswith("cairn/"):
                    violations.append(f'{shown}:{line}: "{name}": no such file in this tree')
                elif folder in ("include", "src") and not SYSTEM_HEADER.fullmatch(name):
                    third_party.setdefault(name, []).append(f"{shown}:{line}")

    # A third-party library is met in one file, which the build can add or drop.
    for name, uses in sorted(third_party.items()):
        for use in uses if len(uses) > 1 else []:
            violations.append(f"{use}: <{name}>: a third-party header may be included from one file only")
        violations += [f"{use}: <{name}>: public headers need the C library only"
                       for use in uses if use.startswith("include/")]
    for ring in find_rings(graph):
        violations.append(f"{ring[0]}:1: ring of includes: " + " -> ".join(str(f) for f in ring))
    return violations


# --- Self-test: a good tree, then one wrong line at a time ------------------------------------------------------------

GOOD_TREE = {
    "include/cairn/base.h": "#include <stddef.h>\n",
    "include/cairn/lcp.h": "#include <cairn/base.h>\n",
    "include/cairn/io.h": "#include <cairn/lcp.h>\n",
    "include/cairn/cairn.h": "#include <cairn/io.h>\n",
    "src/base/memory.h": "",
    "src/math/lu.h": '#include "base/memory.h"\n',
    "src/lcp/basis.h": '/* #include "io/parse.h" */\n#include "math/lu.h"\n',
    "src/lcp/lcp_room.h": "",
    "src/lcp/lemke.c": '#include <cairn/lcp.h>\n#include "lcp/basis.h"\n#include <math.h>\n',
    "src/collide/shape.h": "",
    "src/collide/collide.c": '#include "collide/mesh/mesh.h"\n',
    "src/collide/convex/gap.h": '#include "collide/shape.h"\n',
    "src/collide/mesh/mesh.h": '#include "collide/convex/gap.h"\n',
    "src/contact/states.c": '#include "lcp/lcp_room.h"\n#include "math/lu.h"\n',
    "src/io/parse.h": "",
    "src/io/json.c": '#include <jansson.h>\n#include "parse.h"\n#include <cairn/io.h>\n',
    "gallery/gallery.h": "#include <cairn/io.h>\n",
    "apps/cli/main.c": "#include <cairn/cairn.h>\n#include \"gallery.h\"\n",
    "bench/kernels.c": '#include "math/lu.h"\n#include <cairn/lcp.h>\n',
    "tests/lcp/test_basis.c": '#include "lcp/basis.h"\n#include <cmocka.h>\n',
}
# file, its wrong content, a word of the expected complaint
WRONG_LINES = [
    ("src/math/lu.h", '#include "lcp/lcp_room.h"\n', "math may not include lcp"),
    ("src/lcp/lemke.c", '\n#include "io/parse.h"\n', "src/lcp/lemke.c:2"),
    ("src/lcp/lemke.c", "#include <cairn/io.h>\n", "lcp may not include io"),
    ("src/lcp/lemke.c", "#include <cairn/cairn.h>\n", "lcp may not include cairn"),
    ("src/contact/states.c", '#include "lcp/basis.h"\n', "door lcp/lcp_room.h"),
    ("src/base/memory.h", '#include "gallery.h"\n', "may not include gallery"),
    ("src/odd/file.c", "#include <cairn/base.h>\n", "not in the table"),
    ("include/cairn/base.h", '#include "base/memory.h"\n', "public header"),
    ("include/cairn/base.h", "#include <jansson.h>\n", "C library only"),
    ("include/cairn/base.h", "#include <cairn/lcp.h>\n", "base may not include lcp"),
    ("gallery/gallery.h", '#include "math/lu.h"\n', "gallery/ may not include src/math"),
    ("apps/cli/main.c", '#include "lcp/lcp_room.h"\n', "apps/ may not include src/lcp"),
    ("bench/kernels.c", '#include "lcp/basis.h"\n', "bench/ may not include src/lcp"),
    ("src/lcp/lemke.c", "#include <jansson.h>\n", "one file only"),
    ("src/lcp/lemke.c", '#include "lost.h"\n', "no such file"),
    ("src/collide/convex/gap.h", '#include "collide/mesh/mesh.h"\n', "collide/convex may not include collide/mesh"),
    ("src/collide/shape.h", '#include "collide/convex/gap.h"\n', "may not include its part"),
    ("src/collide/odd/odd.c", '#include "collide/shape.h"\n', "part 'collide/odd' is not in the table"),
    ("src/lcp/lcp_room.h", '#include "lcp/lcp_room.h"\n', "ring of includes"),
    ("src/base/memory.h", '#include "base/b.h"\n', "src/base/memory.h -> src/base/b.h -> src/base/memory.h"),
]


def write_tree(folder, files):
    for name, text in files.items():
        path = pathlib.Path(folder) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return pathlib.Path(folder)


def self_test():
    failures = []
    for room, below in MAY_INCLUDE.items():
        for lower in below:
            if not MAY_INCLUDE[lower] < below:
                failures.append(f"table: {room} may include {lower} but not all that {lower} includes")
    with tempfile.TemporaryDirectory() as folder:
        found = check(write_tree(folder, GOOD_TREE))
        if found:
            failures.append(f"good tree: {found}")
    for name, text, expected in WRONG_LINES:
        with tempfile.TemporaryDirectory() as folder:
            extra = {"src/base/b.h": '#include "base/memory.h"\n'}
            found = check(write_tree(folder, {**GOOD_TREE, **extra, name: text}))
            if not any(expected in line for line in found):
                failures.append(f"{name} with {text!r}: expected '{expected}', found {found}")
    for failure in failures:
        print(failure)
    print(f"check_layers self-test: {len(WRONG_LINES) + 2} cases, {len(failures)} failed")
    return not failures


def main():
    parser = argparse.ArgumentParser(description="check who includes whom")
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    parser.add_argument("--self-test", action="store_true")
    arguments = parser.parse_args()
    if arguments.self_test:
        return 0 if self_test() else 1
    violations = check(arguments.root)
    for line in violations:
        print(line)
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
