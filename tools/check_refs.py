#!/usr/bin/env python3
"""Citations in comments against docs/references.bib. Prints unknown keys as file:line and exits 1 if there is one.

A citation is [Key], or [Key where] with where such as "eq. 12", "s4.9", "alg. 1", "table 2"; several are separated by
semicolons. A question mark in place of a number is a debt: it is listed and is no failure.

An equation or an algorithm that the code of src/ or include/ cites must be cited in docs/theory too, by the same number, so that a
reader of the code finds the page that explains it.

    tools/check_refs.py                check this tree
    tools/check_refs.py --root DIR     check another one
    tools/check_refs.py --self-test    prove on small trees that it can fail
"""
import argparse
import pathlib
import re
import sys
import tempfile

SOURCE_FOLDERS = ["include", "src", "gallery", "apps", "bench", "examples", "tests", "fuzz"]
SOURCE_SUFFIXES = {".c", ".h", ".cpp"}

BIB_ENTRY = re.compile(r"^\s*@\w+\s*\{\s*([^,\s]+)\s*,", re.MULTILINE)
# Strings are matched first so that a comment mark inside one does not count.
STRING_OR_COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*"|(/\*.*?\*/|//[^\n]*)', re.DOTALL)
BRACKETS = re.compile(r"(?<![\w\]])\[([^\[\]]*)\]")
KEY = re.compile(r"([A-Z][A-Za-z]*\d*[a-z]?)(?![\w])\s*(.*)", re.DOTALL)
# Where in the work: this is what tells an unknown citation from a unit [N s] or a matrix [M11 M12; M21 M22].
WHERE = re.compile(r"(eqs?\.|algs?\.|figs?\.|tables?\b|thms?\.|theorem\b|lemma\b|props?\.|defs?\.|cors?\.|ch\.|app\."
                   r"|example\b|problem\b|exercise\b|pp?\.|§)\s*[\dA-Z?(]|s[\dA-Z?]+\b")
# What must be found in docs/theory: "eq. 36, 38" gives eq. 36 and eq. 38, "alg. 1, alg. 2" two algorithms.
NUMBERED = re.compile(r"(eq|alg)s?\.\s*((?:[\d.]*\d[a-z]?(?:,\s*(?=\d))?)+)")
EXPLAINED_FOLDERS = ("src", "include")
BARE_KEY = re.compile(r"[A-Z][A-Za-z]+\d\d[a-z]?")  # [Key] alone: two letters or more, since [M11] is a matrix


def comments_of(path, text):
    """Text in which everything but comments is blank; all of it for prose. Lines keep their numbers."""
    if path.suffix == ".md":
        return text

    def blank(part):
        return re.sub(r"[^\n]", " ", part)

    kept, end = [], 0
    for match in STRING_OR_COMMENT.finditer(text):
        kept.append(blank(text[end:match.start()]))
        kept.append(match.group(1) or blank(match.group()))
        end = match.end()
    return "".join(kept) + blank(text[end:])


def citations(text, known):
    """Yield (position, key, where) of each citation in comment text."""
    for brackets in BRACKETS.finditer(text):
        # A citation may run over a line: the next one starts with the comment's star.
        inside = re.sub(r"\s*\n\s*(\*|//)?\s*", " ", brackets.group(1))
        for part in inside.split(";"):
            match = KEY.fullmatch(part.strip())
            if not match:
                continue
            key, where = match.groups()
            where = where.lstrip(", ")
            if key in known or WHERE.match(where) or (not where and BARE_KEY.fullmatch(key)):
                yield brackets.start(), key, where


def numbered(key, where):
    """The equations and algorithms of a citation, as (key, "eq", "2.9")."""
    return [(key, what, number) for what, numbers in NUMBERED.findall(where) for number in re.split(r",\s*", numbers)]


def unexplained(cited, explained):
    """Lines for what code cites and no page of docs/theory does. Both map (key, what, number) to a place."""
    return [f"{place}: [{key} {what}. {number}] is cited here and on no page of docs/theory"
            for (key, what, number), place in sorted(cited.items(), key=lambda item: item[1])
            if (key, what, number) not in explained]


def check(root):
    """(wrong, debts) as lines "file:line: ..."; wrong: unknown keys, and what docs/theory does not explain."""
    bib = root / "docs/references.bib"
    keys = BIB_ENTRY.findall(bib.read_text(encoding="utf-8")) if bib.is_file() else []
    unknown = [f"docs/references.bib:1: key {key} stands there twice" for key in sorted(set(keys)) if keys.count(key) > 1]
    debts, cited, explained = [], {}, {}
    files = [path for folder in SOURCE_FOLDERS for path in (root / folder).rglob("*") if path.suffix in SOURCE_SUFFIXES]
    files += list((root / "docs").rglob("*.md"))
    for path in sorted(files):
        text = comments_of(path, path.read_text(encoding="utf-8", errors="replace"))
        for position, key, where in citations(text, set(keys)):
            place = f"{path.relative_to(root)}:{text.count(chr(10), 0, position) + 1}"
            if key not in keys:
                unknown.append(f"{place}: [{key}] is not in docs/references.bib")
            elif "?" in where:
                debts.append(f"{place}: [{key} {where}]")
            parts = path.relative_to(root).parts
            kept = cited if parts[0] in EXPLAINED_FOLDERS else explained if parts[:2] == ("docs", "theory") else {}
            for item in numbered(key, where) if key in keys else []:
                kept.setdefault(item, place)
    return unknown + unexplained(cited, explained), debts


# --- Self-test --------------------------------------------------------------------------------------------------------

BIB = "@book{CPS92,\n title = {x}}\n@article{GVL,\n}\n@article{M88,\n}\n"
# text of src/lcp/a.c, number of unknown keys, number of debts
CASES = [
    ("/* [CPS92 s1.1] and [GVL alg. 4.1.1], [CPS92] */", 0, 0),
    ("/* impulse [N s], pose [m], [M11 M12; M21 M22], x in [A, B], [A11; A21], [L U] */", 0, 0),
    ("int a[N], b[F99];\nconst char *s = \"/* [F99 eq. 1] */\";", 0, 0),
    ("/* [F99 eq. 12] */", 1, 0),
    ("// [CPS92 s4.4; F99 s2]", 1, 0),
    ("/* [F99 table 2]\n * [G10 fig. 1] */", 2, 0),
    ("/* [ABC99] */", 1, 0),
    ("/* see [F99\n *  s4.9] */", 1, 0),
    ("/* [CPS92 eq. ?] */", 0, 1),
    ("/* [M88 s?] [GVL eq. ?; CPS92 s4.9] */", 0, 2),
    ("/* [F99 eq. ?] */", 1, 0),
    ("/* [CPS92 eq. 7] and [CPS92 eq. 8, 9; GVL alg. 3] */", 0, 0),
    ("/* [CPS92 eq. 10] */", 1, 0),
    ("/* [CPS92 eq. 8, 10, 11] */", 2, 0),
    ("/* [GVL eq. 7] [GVL alg. 2.1] */", 2, 0),
]
THEORY = "The map [CPS92 eq. 7], its parts [CPS92 eq. 8 and eq. 9] and the eliminations [GVL alg. 3, alg. 4.1.1].\n"


def self_test():
    failures = []
    for text, expected_unknown, expected_debts in CASES:
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "docs").mkdir()
            (root / "docs/references.bib").write_text(BIB, encoding="utf-8")
            (root / "docs/theory").mkdir()
            (root / "docs/theory/page.md").write_text(THEORY, encoding="utf-8")
            (root / "src/lcp").mkdir(parents=True)
            (root / "src/lcp/a.c").write_text(text, encoding="utf-8")
            unknown, debts = check(root)
            if (len(unknown), len(debts)) != (expected_unknown, expected_debts):
                failures.append(f"{text!r}: unknown {unknown}, debts {debts}")
    for failure in failures:
        print(failure)
    print(f"check_refs self-test: {len(CASES)} cases, {len(failures)} failed")
    return not failures


def main():
    parser = argparse.ArgumentParser(description="check citations against docs/references.bib")
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    parser.add_argument("--self-test", action="store_true")
    arguments = parser.parse_args()
    if arguments.self_test:
        return 0 if self_test() else 1
    unknown, debts = check(arguments.root.resolve())
    for line in debts:
        print(f"debt: {line}")
    for line in unknown:
        print(line)
    return 1 if unknown else 0


if __name__ == "__main__":
    sys.exit(main())
