#!/usr/bin/env python3
"""What the documents say about the tree: C examples in the README and in the guides are those of examples/ to
the letter, and every path named in README.md, CONTRIBUTING.md and docs/ exists. Prints what is wrong and exits 1 if anything is.

    tools/check_docs.py                check this tree
    tools/check_docs.py --root DIR     check another one
    tools/check_docs.py --self-test    prove on small trees that it can fail
"""
import argparse
import pathlib
import re
import sys
import tempfile

EXAMPLE = "examples/01_solve_an_lcp.c"
QUOTED = {"README.md": EXAMPLE, "docs/guide/contact.md": "examples/03_contact.c",
          "docs/guide/world.md": "examples/04_stack_of_boxes.c"}
# A path in back-ticks or a link that begins with a folder of ours and names a file.
NAMED = re.compile(r"[`(](?:\.\./)*((?:src|docs|include|examples|tools|tests|bench|gallery|apps|fuzz|cmake)/[\w./-]+\.\w+)[`)]")


def example_problems(root):
    problems = []
    for page, example in QUOTED.items():
        if page != "README.md" and not (root / page).exists():
            continue
        if "```c\n" + (root / example).read_text() + "```" not in (root / page).read_text():
            problems.append(f"{page}: its C example is not {example}")
    return problems


def path_problems(root):
    problems = []
    for page in [root / "README.md", root / "CONTRIBUTING.md", *sorted((root / "docs").rglob("*.md"))]:
        for number, line in enumerate(page.read_text().splitlines(), 1):
            for path in NAMED.findall(line):
                if not (root / path).exists() and not (page.parent / path).exists():
                    problems.append(f"{page.relative_to(root)}:{number}: there is no {path}")
    return problems


def check(root):
    return example_problems(root) + path_problems(root)


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / "examples").mkdir()
        (root / "docs").mkdir()
        (root / EXAMPLE).write_text("int main(void);\n")
        (root / "CONTRIBUTING.md").write_text("nothing\n")
        (root / "docs/page.md").write_text(f"See `{EXAMPLE}`.\n")
        (root / "README.md").write_text("```c\nint main(void);\n```\n")
        assert check(root) == [], check(root)
        (root / "README.md").write_text("```c\nint main();\n```\n")
        assert len(check(root)) == 1
        (root / "docs/page.md").write_text("See `src/lcp/gone.c`.\n")
        assert len(check(root)) == 2
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
