"""Pages in Markdown as tools/run_docs.py sees them: fenced blocks with what stands before them.

The word behind the fence says what a block is; attributes follow it:

    sh                       commands; exit=N: the code to end with; makes=FILE,...: what must be there afterwards, not
                             empty; needs=TOOL,...: skipped where a tool is missing
    output                   what the block before it prints
    LANGUAGE file=NAME       a file of the reader's, written beside the others; quote=PATH: the same as PATH in this tree
    c in=NAME                a fragment, put in place of /* FRAGMENT */ in tests/docs/NAME.c, compiled and run
    usage                    commands with their options, as --help has them
    text                     a formula or a table of letters: nothing to run
"""
import dataclasses
import re

FILE_LANGUAGES = {"c", "json", "xml", "text", "python", "cmake", "obj", "toml"}
ATTRIBUTES = {"sh": {"exit", "needs", "makes"}, "output": set(), "usage": set(), "text": set(), "c": {"in"}}
FENCE = re.compile(r"^( *)```(.*)$")
LOOKS_LIKE_A_COMMAND = re.compile(r"^\s*(\$ |make |sudo |(build/)?cairn [a-z]+ )", re.MULTILINE)


@dataclasses.dataclass
class Block:
    """A fenced block. `line` is that of its fence, counted from 1; `before` the paragraph above it."""
    line: int
    end: int  # line of the closing fence
    indent: int
    kind: str
    attributes: dict
    text: str
    before: str


class PageError(Exception):
    """A block that no rule covers."""


def read_attributes(words, line):
    attributes = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not value or name in attributes:
            raise PageError(f"{line}: '{word}' is not an attribute, NAME=VALUE, given once")
        attributes[name] = value
    return attributes


def check(block):
    """Raise PageError if the block is of no known kind."""
    allowed = {"file", "quote"} if "file" in block.attributes else ATTRIBUTES.get(block.kind)
    if allowed is None:
        raise PageError(f"{block.line}: '{block.kind}' is no known kind of block")
    if "file" in block.attributes and block.kind not in FILE_LANGUAGES:
        raise PageError(f"{block.line}: no files are written in '{block.kind}'")
    for name in block.attributes:
        if name not in allowed:
            raise PageError(f"{block.line}: a block of kind {block.kind} has no attribute '{name}'")
    if "file" in block.attributes and f"`{block.attributes['file']}`" not in block.before:
        raise PageError(f"{block.line}: the paragraph above the block does not name the file `{block.attributes['file']}`")
    if block.kind == "c" and not block.attributes:
        raise PageError(f"{block.line}: a block of C needs file=NAME (a program) or in=NAME (a fragment)")
    if block.kind == "text" and not block.attributes and LOOKS_LIKE_A_COMMAND.search(block.text):
        raise PageError(f"{block.line}: a command in a block that is not run")


def blocks_of(text):
    """The blocks of a page, in order; raises PageError for what no rule covers."""
    blocks, opened, before = [], None, ""
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        fence = FENCE.match(line)
        if opened is not None:
            if fence and not fence.group(2).strip():
                blocks.append(close(opened, number, lines))
                opened = None
        elif fence:
            opened = open_block(fence, number, before)
        elif line.startswith("    ") and number > 1 and not lines[number - 2].strip():
            raise PageError(f"{number}: an indented block; fence it and say what it is")
        elif line.strip():
            is_first = number == 1 or not lines[number - 2].strip()
            before = line if is_first else before + " " + line
    if opened is not None:
        raise PageError(f"{opened.line}: the block has no end")
    return blocks


def open_block(fence, number, before):
    words = fence.group(2).split()
    if not words:
        raise PageError(f"{number}: a block without a kind")
    return Block(number, 0, len(fence.group(1)), words[0], read_attributes(words[1:], number), "", before)


def close(block, end, lines):
    inside = lines[block.line:end - 1]
    block.text = "".join((line[block.indent:] if not line[:block.indent].strip() else line) + "\n" for line in inside)
    block.end = end
    check(block)
    return block
