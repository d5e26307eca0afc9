#!/usr/bin/env python3
"""Do the pages tell the truth? Runs every block of README.md and docs/guide/*.md as a reader would, in order, in a folder
of its own, against an installed copy of Cairn, and compares what is printed. tools/docs_page.py says which kinds of blocks
there are: a block of no known kind is a failure, so that nothing stands in a page unexecuted.

    tools/run_docs.py --build BUILD --prefix PREFIX PAGE...     run pages; PREFIX: where BUILD was installed
    tools/run_docs.py --build BUILD --prefix PREFIX --update PAGE...   and write what is printed into the pages
    tools/run_docs.py --build BUILD --check-not-run             are there tests for what is typed and not run?
    tools/run_docs.py --list                                    the pages
    tools/run_docs.py --self-test                               prove on small pages that it can fail

Exit code 0: all agree; 1: something does not; 77: a tool that a block needs is missing, and all the rest agrees.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import docs_compare
import docs_page

ROOT = pathlib.Path(__file__).resolve().parent.parent
TIMEOUT = 120  # [s] of a block

# What is typed and not done here: the command, why not, what is done in its place, the tests that cover it.
NOT_RUN = [
    ("git clone", "the tree is at hand", "the tree is linked", []),
    ("make run", "takes minutes", "make -n: is there such a target?", ["cli.test_showcase"]),
    ("make test", "this is a part of it", "make -n", []),
    ("make papers", "takes minutes", "make -n", ["cli.test_paper"]),
    ("make install", "builds first", "make -n; PREFIX becomes the installed copy", ["docs.install", "install.client"]),
    ("make ...", "would build the tree once more", "make -n", []),
    ("pip install", "would build the tree once more", "nothing; Python is that of the build folder's environment", ["python.pytest"]),
    ("apt-get", "changes the machine", "the packages are looked up", []),
    ("sudo", "asks for a password", "the rest of the line", []),
]
# A program that lacks an optional part says so; a block that ends with it is skipped, not wrong.
LACKS = {"built without the page": "node and npm, when Cairn is built",
         "No module named 'cairn'": "the Python package, which the test python.pytest installs",
         "No module named 'numpy'": "numpy, which the test python.pytest installs",
         "No module named 'pyarrow'": "pyarrow, which the test python.pytest installs",
         "the Python package is missing": "the Python package, which the test python.pytest installs",
         "needs gymnasium": "gymnasium", "needs pyarrow": "pyarrow", "needs Dask": "Dask"}

STAND_INS = r"""
git() { if [ "$1" = clone ]; then ln -s "$DOCS_ROOT" "${@: -1}"; else command git "$@"; fi; }
sudo() { "$@"; }
pip() { [ "$1" = install ]; }
make()
{
    local word
    command make -C "$DOCS_ROOT" -n "$@" >/dev/null || return 2
    for word in "$@"; do
        case "$word" in
        PREFIX=*) mkdir -p "$(dirname "${word#PREFIX=}")" && ln -sfn "$DOCS_PREFIX" "${word#PREFIX=}" ;;
        *=* | -*) ;;
        *) grep -q "^$word:" "$DOCS_ROOT/Makefile" || { echo "the Makefile has no rule $word"; return 2; } ;; # docs/ exists
        esac
    done
}
apt-get()
{
    local word
    for word in "$@"; do
        case "$word" in
        install | update | -*) ;;
        *) dpkg-query -W "$word" >/dev/null 2>&1 || apt-cache show "$word" >/dev/null 2>&1 || return 100 ;;
        esac
    done
}
"""


class Reader:
    """Someone who types what a page says. Folder and environment carry over from block to block."""

    def __init__(self, folder, build, prefix, has_installed):
        self.folder, self.build, self.prefix = folder, build, prefix
        self.state = folder / ".state"
        self.home = folder / "home"
        self.state.mkdir()
        self.home.mkdir()
        (self.home / "work").mkdir()
        (self.home / "cairn").symlink_to(ROOT)
        self.environment = {"PATH": os.environ["PATH"], "HOME": str(self.home), "LC_ALL": "C.UTF-8", "TERM": "dumb",
                            "DOCS_ROOT": str(ROOT), "DOCS_PREFIX": str(prefix)}
        self.environment.update({name: os.environ[name] for name in ("CC", "CAIRN_DATA") if name in os.environ})
        if has_installed:
            self.environment.update(
                PATH=f"{prefix}/bin:{os.environ['PATH']}", PKG_CONFIG_PATH=f"{prefix}/lib/pkgconfig",
                LD_LIBRARY_PATH=f"{prefix}/lib")
        python = pathlib.Path(build).resolve() / "python" / "environment" / "bin"
        if python.is_dir():
            self.environment["PATH"] = f"{python}:{self.environment['PATH']}"
        (self.state / "folder").write_text(str(self.home / "work"))
        (self.state / "environment").write_text("")

    def here(self):
        return pathlib.Path((self.state / "folder").read_text().strip())

    def type(self, text):
        """(exit code, what is printed) of a block of commands; the first that fails ends it."""
        script = (f"{STAND_INS}\n. {self.state}/environment\ncd \"$(cat {self.state}/folder)\"\n"
                  f"trap 'pwd >{self.state}/folder; export -p >{self.state}/environment' EXIT\n"
                  f"set -e -o pipefail\n{text}")
        try:
            done = subprocess.run(["bash", "-c", script], env=self.environment, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, timeout=TIMEOUT, check=False)
        except subprocess.TimeoutExpired:
            return -1, f"took longer than {TIMEOUT} s"
        return done.returncode, self.masked(done.stdout.decode("utf-8", "replace"))

    def masked(self, text):
        """Paths of this machine as the reader knows them."""
        for path, name in ((self.home, "~"), (self.prefix, "~/.local"), (ROOT, "~/cairn")):
            text = text.replace(str(path), name)
        return text


def is_something(path):
    """A file with bytes in it, or a folder with files in it."""
    return any(path.iterdir()) if path.is_dir() else path.is_file() and path.stat().st_size > 0


class Run:
    """One page, block by block. `problems` are lines "PAGE:LINE: ..."."""

    def __init__(self, page, reader):
        self.page, self.reader = page, reader
        self.problems, self.skipped, self.counts = [], [], {}
        self.printed = None       # what the last block printed; None: nothing that could be compared
        self.has_failed = False   # the last block: there is nothing to compare, and that has been told
        self.replacements = {}    # block -> text that should stand in it

    def tell(self, block, text):
        self.problems.append(f"{self.page}:{block.line}: {text}")

    def do(self, block):
        kind = "file" if "file" in block.attributes else block.kind
        self.counts[kind] = self.counts.get(kind, 0) + 1
        getattr(self, "do_" + kind)(block)

    def do_file(self, block):
        path = self.reader.here() / block.attributes["file"]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.text, encoding="utf-8")
        self.compare_quote(block)

    def compare_quote(self, block):
        quoted = block.attributes.get("quote")
        if quoted is None:
            return
        text = (ROOT / quoted).read_text(encoding="utf-8") if (ROOT / quoted).is_file() else ""
        if text != block.text:
            self.tell(block, f"this is not what {quoted} says")
            self.replacements[block.line] = text

    def do_sh(self, block):
        self.printed, self.has_failed = None, False
        missing = [tool for tool in block.attributes.get("needs", "").split(",") if tool and not shutil.which(tool)]
        if missing:
            self.skipped.append(f"{self.page}:{block.line}: needs {', '.join(missing)}")
            self.has_failed = True
            return
        code, printed = self.reader.type(block.text)
        wanted = int(block.attributes.get("exit", 0))
        lacks = [part for message, part in LACKS.items() if message in printed and code != wanted]
        if lacks:
            self.has_failed = True
            self.skipped.append(f"{self.page}:{block.line}: needs {lacks[0]}")
            return
        if code != wanted:
            self.has_failed = True
            self.tell(block, f"ends with code {code} instead of {wanted}:\n{block.text.rstrip()}\n--\n{printed.rstrip()}")
            return
        for name in block.attributes.get("makes", "").split(","):
            if name and not is_something(self.reader.here() / name):
                self.tell(block, f"{name} was not made, or is empty")
        self.printed = printed

    def do_output(self, block):
        if self.has_failed:
            return
        if self.printed is None:
            self.tell(block, "an output that no block before it prints")
            return
        if not docs_compare.same_output(block.text, self.printed):
            self.tell(block, f"the page says\n{block.text.rstrip()}\n-- printed is\n{self.printed.rstrip()}")
            self.replacements[block.line] = self.printed
        self.printed = None

    def do_c(self, block):
        """A fragment, in its wrapper; wrappers may use the headers of src/, so that the library is linked as an archive."""
        wrapper = ROOT / "tests/docs" / (block.attributes["in"] + ".c")
        self.printed, self.has_failed = None, True
        if not wrapper.is_file():
            self.tell(block, f"there is no tests/docs/{wrapper.name}")
            return
        program = self.reader.folder / "fragment"
        before, mark, behind = wrapper.read_text(encoding="utf-8").partition("/* FRAGMENT */\n")
        if not mark:
            self.tell(block, f"tests/docs/{wrapper.name} has no place for it")
            return
        source = before + block.text + behind
        program.with_suffix(".c").write_text(source, encoding="utf-8")
        code, printed = self.reader.type(
            f"${{CC:-cc}} -std=c17 -Wall -Wextra -Werror -I {ROOT}/src -I {ROOT}/include {program}.c -o {program} "
            f"$(pkg-config --static --libs cairn-io | sed 's|-lcairn_io|{self.reader.prefix}/lib/libcairn_io.a|; "
            f"s|-lcairn|{self.reader.prefix}/lib/libcairn.a|') && {program}")
        if code != 0:
            self.tell(block, f"in {wrapper.name}, ends with code {code}:\n{printed.rstrip()}")
            return
        self.printed, self.has_failed = printed, False

    def do_usage(self, block):
        for line in block.text.splitlines():
            self.tell_usage(block, line.split("#")[0])

    def tell_usage(self, block, line):
        """Does --help of the command know each option in the line?"""
        match = re.match(r"\s*cairn ([a-z]+)\b(.*)", line)
        if not match:
            return
        code, printed = self.reader.type(f"cairn {match.group(1)} --help")
        if code != 0:
            self.tell(block, f"there is no command cairn {match.group(1)}")
        for option in re.findall(r"(?<![\w-])--?[a-z][a-z-]*", match.group(2)):
            if not re.search(rf"(?<![\w-]){option}(?![\w-])", printed):
                self.tell(block, f"cairn {match.group(1)} has no option {option}")

    def do_text(self, block):
        pass


INLINE = re.compile(r"`(?:build/)?(cairn [a-z]+ [^`\n]*|make [a-z]+[^`\n]*)`")


def check_inline(run, text, blocks):
    """Commands within sentences: their options, their targets."""
    inside = {number for block in blocks for number in range(block.line, block.end + 1)}
    for number, line in enumerate(text.splitlines(), 1):
        place = docs_page.Block(number, number, 0, "inline", {}, "", "")
        for command in INLINE.findall(line) if number not in inside else []:
            if command.startswith("make "):
                code, printed = run.reader.type(command)
                if code != 0:
                    run.tell(place, f"{command}: {printed.strip()}")
            else:
                run.tell_usage(place, command)


def update(path, blocks, replacements):
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    for block in reversed(blocks):
        if block.line in replacements:
            indented = [" " * block.indent + line.rstrip() + "\n" for line in replacements[block.line].splitlines()]
            lines[block.line:block.end - 1] = indented
    path.write_text("".join(lines), encoding="utf-8")


def run_page(path, name, build, prefix, is_updating=False):
    """The Run of one page."""
    text = path.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory(prefix="cairn-docs-") as folder:
        has_installed = not re.search(r"^make install PREFIX=", text, re.MULTILINE)
        run = Run(name, Reader(pathlib.Path(folder), build, prefix, has_installed))
        try:
            blocks = docs_page.blocks_of(text)
        except docs_page.PageError as error:
            run.problems.append(f"{name}:{error}")
            return run
        for block in blocks:
            run.do(block)
        check_inline(run, text, blocks)
    if is_updating:
        update(path, blocks, run.replacements)
    return run


def uncovered(build):
    """Tests that NOT_RUN names and the build does not have."""
    known = "".join(path.read_text() for path in build.rglob("CTestTestfile.cmake"))
    return [f"tools/run_docs.py: there is no test {name} to cover '{command}'" for command, _, _, names in NOT_RUN
            for name in names if not re.search(rf"add_test\(\W*{re.escape(name)}\b", known)]


def pages():
    return ["README.md", "CONTRIBUTING.md", "docs/index.md", *sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs/guide").glob("*.md"))]


# --- Self-test --------------------------------------------------------------------------------------------------------

GOOD = """\
Save this as `a.txt`:

```text file=a.txt
two 2
```

```sh
cat a.txt
echo "solved in 12 us, certificate 3e-17"
```

```output
two 2.0001
solved in 1.2 ms, certificate 1e-16
```

```sh exit=3
exit 3
```

```text
z >= 0
```
"""
# What is changed in the good page; each change must be noticed.
BREAKS = [
    ("two 2.0001", "two 2.1"), ("certificate 1e-16", "certificate 1e-3"), ("solved in 1.2", "unsolved in 1.2"),
    ("two 2.0001\n", ""), ("cat a.txt", "cat b.txt"), ("exit=3", "exit=2"), ("```sh exit=3", "```sh"),
    ("```text\nz", "```\nz"), ("```text\nz", "```pascal\nz"), ("z >= 0", "cairn solve a b"), ("z >= 0\n```\n", "z >= 0\n"),
    ("```text\nz >= 0\n```", "    make run"), ("`a.txt`", "a file"), ("exit=3", "exits=3"), ("```sh\ncat", "```sh makes=b.txt\ncat"),
    ("cat a.txt", "cat a.txt\nmake nonsense"), ("cat a.txt", "cat a.txt\nmake tests"), ("z >= 0\n```", "z >= 0\n```\nSee `make nonsense`."),
    ("```text file=a.txt", "```text file=a.txt quote=README.md"),
    ("```text\nz >= 0", "```c in=nothing\nint x;"), ("```text\nz >= 0", "```c\nint x;"),
    ("cat a.txt", "cat a.txt\nprintf 'int main(void) { return x; }' >a.c\ncc a.c"),
]


def self_test():
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder) / "page.md"

        def problems(text):
            page.write_text(text, encoding="utf-8")
            return run_page(page, "page.md", folder, pathlib.Path(folder)).problems

        (pathlib.Path(folder) / "CTestTestfile.cmake").write_text("add_test([=[cli.test_sim]=] x)\n")
        if not any("docs.install" in line for line in uncovered(pathlib.Path(folder))):
            failures.append("not noticed: a test that covers a command is missing")
        if problems(GOOD):
            failures.append(f"the good page fails: {problems(GOOD)}")
        for old, new in BREAKS:
            assert GOOD.count(old) == 1, old
            if not problems(GOOD.replace(old, new)):
                failures.append(f"not noticed: {old!r} -> {new!r}")
    print("\n".join(failures))
    print(f"run_docs self-test: {len(BREAKS) + 1} pages, {len(failures)} failed")
    return 1 if failures else 0


def main():
    parser = argparse.ArgumentParser(description="run the blocks of the pages")
    parser.add_argument("pages", nargs="*", help="relative to the root of the tree")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--prefix", type=pathlib.Path)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--check-not-run", action="store_true")
    parser.add_argument("--self-test", action="store_true")
    arguments = parser.parse_args()
    if arguments.self_test:
        return self_test()
    if arguments.list:
        print("\n".join(pages()))
        return 0
    if arguments.check_not_run:
        missing = uncovered(arguments.build)
        print("\n".join(missing) or "each has its test")
        return 1 if missing else 0
    if arguments.prefix is None or not (arguments.prefix / "bin/cairn").exists():
        print("run_docs: --prefix must name a folder that Cairn is installed in")
        return 2
    code = 0
    for name in arguments.pages or pages():
        run = run_page(ROOT / name, name, arguments.build, arguments.prefix.resolve(), arguments.update)
        print("\n".join(run.problems + [f"skipped: {line}" for line in run.skipped]))
        counts = ", ".join(f"{count} {kind}" for kind, count in sorted(run.counts.items()))
        print(f"{name}: {counts or 'no blocks'}; {len(run.problems)} problems")
        code = 1 if run.problems else code or (77 if run.skipped else 0)
    return code


if __name__ == "__main__":
    sys.exit(main())
