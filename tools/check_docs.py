#!/usr/bin/env python3
"""What the documents say about the tree: every path named in README.md, CONTRIBUTING.md and docs/ exists, every link between
pages leads to a page and to a heading of it, and docs/index.md knows every page. Prints what is wrong and exits 1 if anything
is. (What pages say about commands and programs is run by tools/run_docs.py.)

    tools/check_docs.py                check this tree
    tools/check_docs.py --root DIR     check another one
    tools/check_docs.py --self-test    prove on small trees that it can fail
"""
import argparse
import pathlib
import re
import sys
import tempfile

LINK = re.compile(r"\]\(([^()\s]+)\)")
# A path in back-ticks or a link that begins with a folder of ours and names a file.
NAMED = re.compile(r"[`(](?:\.\./)*((?:src|docs|include|examples|tools|tests|bench|gallery|apps|fuzz|cmake)/[\w./-]+\.\w+)[`)]")


def pages(root):
    found = [root / "README.md", root / "CONTRIBUTING.md", *sorted((root / "docs").rglob("*.md"))]
    return [page for page in found if page.exists()]


def text_of(page):
    """The page's lines, fenced blocks blank."""
    lines, is_fenced = [], False
    for line in page.read_text(encoding="utf-8").splitlines():
        is_fence = line.lstrip().startswith("```")
        lines.append("" if is_fenced or is_fence else line)
        is_fenced = is_fenced != is_fence
    return lines


def anchors(page):
    """The names by which headings are linked: small letters, blanks as dashes, no punctuation; and named anchors."""
    named = set(re.findall(r'<a id="([^"]+)"></a>', page.read_text()))
    headings = [line.lstrip("#").strip() for line in text_of(page) if line.startswith("#")]
    return named | {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def link_problems(root):
    problems = []
    for page in pages(root):
        for number, line in enumerate(text_of(page), 1):
            for link in LINK.findall(line):
                path, _, anchor = link.partition("#")
                target = (page.parent / path).resolve() if path else page
                place = f"{page.relative_to(root)}:{number}"
                if "://" in link:
                    continue
                if not target.exists():
                    problems.append(f"{place}: the link {link} leads nowhere")
                elif anchor and anchor not in anchors(target):
                    problems.append(f"{place}: {target.name} has no heading #{anchor}")
    return problems


def index_problems(root):
    """Pages that docs/index.md does not link."""
    index = root / "docs/index.md"
    if not index.exists():
        return ["docs/index.md: there is none"]
    linked = {(index.parent / link.partition("#")[0]).resolve() for link in LINK.findall("\n".join(text_of(index)))}
    return [f"docs/index.md: does not link {page.relative_to(root)}" for page in pages(root)
            if page.resolve() not in linked and page != index]


def path_problems(root):
    problems = []
    for page in pages(root):
        for number, line in enumerate(page.read_text().splitlines(), 1):
            for path in NAMED.findall(line):
                if not (root / path).exists() and not (page.parent / path).exists():
                    problems.append(f"{page.relative_to(root)}:{number}: there is no {path}")
    return problems


def check(root):
    return path_problems(root) + link_problems(root) + index_problems(root)


# What is changed in a good tree, file -> (old, new); each change must be noticed.
BREAKS = {"docs/page.md": [("src/a.c", "src/gone.c"), ("../README.md", "../READ.md"), ("#a-b-c", "#a-c")],
          "docs/index.md": [("(page.md)", "(../README.md)")], "README.md": [("docs/index.md", "docs/indices.md")]}
GOOD = {"README.md": "# A, `b` C\n[map](docs/index.md)\n```sh\n# [x](nothing)\n```\n", "CONTRIBUTING.md": "nothing\n",
        "src/a.c": "int a;\n", "docs/page.md": "See `src/a.c` and [it](../README.md), [there](../README.md#a-b-c).\n",
        "docs/index.md": "[page](page.md) [readme](../README.md) [work](../CONTRIBUTING.md)\n"}


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder).resolve()
        for name, text in GOOD.items():
            (root / name).parent.mkdir(exist_ok=True)
            (root / name).write_text(text)
        assert check(root) == [], check(root)
        for name, changes in BREAKS.items():
            for old, new in changes:
                (root / name).write_text(GOOD[name].replace(old, new))
                assert check(root), f"{name}: {old} -> {new} is not noticed"
            (root / name).write_text(GOOD[name])
    return 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", default=pathlib.Path(__file__).resolve().parent.parent, type=pathlib.Path)
    parser.add_argument("--self-test", action="store_true")
    arguments = parser.parse_args()
    if arguments.self_test:
        return self_test()
    problems = check(arguments.root)
    print("\n".join(problems) if problems else "documents agree with the tree")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
