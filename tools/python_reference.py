#!/usr/bin/env python3
"""Write docs/reference/python.md from the docstrings of the installed Python package.

    build/python/environment/bin/python tools/python_reference.py            write it
    build/python/environment/bin/python tools/python_reference.py --check    is it what would be written?
"""
import importlib
import inspect
import pathlib
import re
import sys

PAGE = pathlib.Path(__file__).resolve().parent.parent / "docs/reference/python.md"
HEAD = """# The Python package: every public name

Written by `tools/python_reference.py` from the docstrings; examples in them are run by the tests.
"""


def signature(item):
    try:
        return re.sub(r"(: |-> )'([^']*)'", r"\1\2", str(inspect.signature(item)))
    except (TypeError, ValueError):
        return ""


def fields(item):
    """Own methods and properties of a class, one line each."""
    for name, value in vars(item).items():
        if name.startswith("_") or not (inspect.isfunction(value) or isinstance(value, (property, classmethod))):
            continue
        inner = value.__func__ if isinstance(value, classmethod) else value
        call = "" if isinstance(value, property) else signature(inner).replace("(self, ", "(").replace("(self)", "()").replace("(cls, ", "(")
        first = (inspect.getdoc(inner) or "").split("\n\n")[0].replace("\n", " ").replace("|", "\\|")
        yield f"| `{name}{call.split(' -> ')[0]}` | {first.replace('``', '`')} |"


def chapter(title, module, names):
    yield f"\n## {title}\n"
    for name in names:
        item = getattr(module, name)
        yield f"\n### {name}\n\n{plain(item, name)}"
        rows = list(fields(item)) if inspect.isclass(item) else []
        if rows:
            yield "\n| | |\n|---|---|\n" + "\n".join(rows)


def plain(item, name):
    """Its call and docstring, with examples fenced."""
    call = f"`{name}{signature(item)}`\n\n" if inspect.isfunction(item) else ""
    lines, fenced = [], False
    for line in (inspect.getdoc(item) or "").splitlines():
        if line.startswith(">>>") and not fenced:
            lines.append("```python")
            fenced = True
        elif fenced and not line.strip():
            lines.append("```")
            fenced = False
        lines.append(line if fenced else line.replace("``", "`"))
    return call + "\n".join(lines + (["```"] if fenced else []))


def page():
    cairn = importlib.import_module("cairn")
    gym = importlib.import_module("cairn.gym")
    names = [n for n in cairn.__all__ if not n.startswith("__")]
    errors = [n for n in names if inspect.isclass(getattr(cairn, n)) and issubclass(getattr(cairn, n), Exception)]
    functions = [n for n in names if inspect.isfunction(getattr(cairn, n))]
    classes = [n for n in names if n not in errors + functions]
    tasks = ["Env", "VectorEnv", "Task", "Locomotion", "Reach", "Balance", "own_model"]
    parts = [HEAD, *chapter("Functions", cairn, functions), *chapter("Classes", cairn, classes),
             *chapter("cairn.gym", gym, tasks), *chapter("Errors", cairn, errors)]
    return "\n".join(parts).rstrip() + "\n"


def main():
    written = page()
    if "--check" not in sys.argv[1:]:
        PAGE.write_text(written, encoding="utf-8")
        return 0
    is_same = PAGE.exists() and PAGE.read_text(encoding="utf-8") == written
    print("up to date" if is_same else f"{PAGE}: not what the docstrings say; run tools/python_reference.py")
    return 0 if is_same else 1


if __name__ == "__main__":
    sys.exit(main())
