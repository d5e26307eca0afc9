#!/usr/bin/env python3
"""docs/reference/scene.md from docs/scene.schema.json: every field with type, unit, default and meaning; and the table of kinds
of shapes in docs/guide/scenes.md.

    tools/scene_reference.py                write the page and the table
    tools/scene_reference.py --check        exit 1 if they are not up to date, or a field lacks unit, default or meaning
    tools/scene_reference.py --self-test    prove that the check can fail

What a description in the schema must say: what the field means; "[m/s]", its unit, if it holds numbers that are no counts ("[1]" if
there is none); and "Absent: ...", what its absence means, if it has no default and is not required.
"""
import argparse
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SCHEMA = ROOT / "docs/scene.schema.json"
PAGE = ROOT / "docs/reference/scene.md"
GUIDE = ROOT / "docs/guide/scenes.md"
KINDS_TABLE = re.compile(r"^\| `kind` \| sizes, all needed \|\n(\|.*\n)+", re.MULTILINE)
HEAD = """# Scene files: every field

Written by `tools/scene_reference.py` from [scene.schema.json](../scene.schema.json); renew it with `make reference`. The
[guide](../guide/scenes.md) explains scenes and shows some.

SI units, angles in radians. Every object may have a `comment`, a string that means nothing, and the scene a `$schema`, the
path of the schema for editors.
"""
LEFT_OUT = ("$schema", "comment")
UNIT_WORDS = set("1 2 3 m s kg N Hz rad or unit of the field".split())
UNIT = re.compile(r"\[([^\]]+)\]")
ABSENT = re.compile(r"\s*Absent: (.*?)\.?$")
BOUNDS = {"minimum": "≥", "exclusiveMinimum": ">", "maximum": "≤", "exclusiveMaximum": "<"}


def is_unit(text):
    return set(re.split(r"[ ,/^]+", text)) <= UNIT_WORDS


def cell(text):
    return text.replace("|", "\\|").replace("\n", " ")


def superscripts(unit):
    return unit.replace("^2", "²").replace("^3", "³")


class Page:
    """The page and what is wrong with the schema."""

    def __init__(self, schema):
        self.schema = schema
        self.definitions = schema["$defs"]
        self.problems = []

    def objects(self):
        """Names and definitions that have fields, the scene first."""
        yield "scene", self.schema
        for name, definition in self.definitions.items():
            if "properties" in definition:
                yield name, definition

    # --- One field ---

    def type_of(self, field):
        if "$ref" in field:
            name = field["$ref"].rsplit("/", 1)[1]
            return f"[{name}](#{name})"
        if "enum" in field:
            return "one of " + ", ".join(f"`{value}`" for value in field["enum"])
        if "anyOf" in field:
            return " or ".join(dict.fromkeys(self.type_of(choice) for choice in field["anyOf"]))
        if field.get("type") == "array":
            return self.array_type(field)
        if "additionalProperties" in field:
            return "object of " + self.type_of(field["additionalProperties"])
        bounds = ", ".join(f"{sign} {field[key]}" for key, sign in BOUNDS.items() if key in field)
        return f"{field['type']} {bounds}".strip()

    def array_type(self, field):
        low, high = field.get("minItems", 0), field.get("maxItems")
        if "prefixItems" in field:
            return "[" + ", ".join(self.type_of(item) for item in field["prefixItems"]) + "]"
        count = "" if high is None and low == 0 else f"{low} or more " if high is None else \
            f"{low} " if low == high else f"{low} to {high} "
        items = re.sub(r"^(number|integer|array|string)\b", r"\1s", self.type_of(field["items"]))
        return f"array of {count}{items}"

    def holds_numbers(self, field):
        """Numbers that are no counts, at any depth; through references to values, not to objects."""
        if "$ref" in field:
            name = field["$ref"].rsplit("/", 1)[1]
            return name == "profile" or "properties" not in self.definitions[name] and self.holds_numbers(self.definitions[name])
        choices = field.get("anyOf", []) + field.get("prefixItems", [])
        if isinstance(field.get("items"), dict):
            choices = choices + [field["items"]]
        return field.get("type") == "number" or any(self.holds_numbers(choice) for choice in choices)

    def default_of(self, name, field, definition):
        """What stands in the table, or None if the schema does not say."""
        if name in definition.get("required", []):
            return "needed"
        if "default" in field:
            return f"`{json.dumps(field['default'])}`"
        absent = ABSENT.search(field.get("description", ""))
        kinds = [kind["properties"]["kind"]["const"] for kind in definition.get("oneOf", []) if name in kind["required"]]
        needed = ["needed by " + ", ".join(f"`{kind}`" for kind in kinds)] if kinds else []
        return "; ".join(needed + [absent[1]]) if absent else None

    def row(self, owner, name, field, definition):
        text = field.get("description", "")
        units = [unit for unit in UNIT.findall(text) if is_unit(unit)]
        default = self.default_of(name, field, definition)
        meaning = ABSENT.sub("", UNIT.sub(lambda found: "" if is_unit(found[1]) else found[0], text))
        meaning = re.sub(r" +(?=[.,;:])", "", meaning).strip()
        if not re.search(r"[A-Za-z]{3}", meaning):
            self.problems.append(f"{owner}.{name}: it is not said what it means")
        if self.holds_numbers(field) and not units:
            self.problems.append(f"{owner}.{name}: no unit")
        if default is None:
            self.problems.append(f"{owner}.{name}: no default, and not said what its absence means")
        unit = superscripts(" or ".join(units)) if self.holds_numbers(field) else ""
        cells = [f"`{name}`", self.type_of(field), unit, default or "", meaning]
        return "| " + " | ".join(cell(text) for text in cells) + " |"

    # --- Kinds of shapes ---

    def kinds_table(self):
        """A row per kind: its description, which says what its sizes mean."""
        rows = ["| `kind` | sizes, all needed |", "|---|---|"]
        for kind in self.definitions["shape"]["oneOf"]:
            name, text = kind["properties"]["kind"]["const"], kind.get("description", "")
            if not text:
                self.problems.append(f"shape.{name}: it is not said what its sizes mean")
            rows.append(f"| `{name}` | {cell(text)} |")
        return "\n".join(rows) + "\n"

    def guide(self, text):
        """The text of the guide with the table as it should be."""
        found = KINDS_TABLE.search(text)
        if found is None:
            self.problems.append("the guide has no table of kinds of shapes")
            return text
        return text[:found.start()] + self.kinds_table() + text[found.end():]

    # --- The page ---

    def users(self, name):
        """Links to the objects that have one of these."""
        wanted = f'"#/$defs/{name}"'
        return [f"[{owner}](#{owner})" for owner, definition in self.objects()
                if wanted in json.dumps(definition["properties"])]

    def values_table(self):
        rows = ["## Kinds of values", "", "| kind | |", "|---|---|"]
        for name, definition in self.definitions.items():
            if "properties" not in definition:
                rows.append(f'| <a id="{name}"></a>{name} | {cell(definition["description"])} |')
        return rows + [f"| [profile](#profile) | {cell(self.definitions['profile']['description'])} |", ""]

    def section(self, name, definition):
        rows = [f"## {name}", "", definition["description"]]
        if self.users(name):
            rows += ["", "Of: " + ", ".join(self.users(name)) + "."]
        rows += ["", "| field | type | unit | default | meaning |", "|---|---|---|---|---|"]
        rows += [self.row(name, key, field, definition) for key, field in definition["properties"].items() if key not in LEFT_OUT]
        return rows + [""]

    def text(self):
        rows = [HEAD, "Objects: " + ", ".join(f"[{name}](#{name})" for name, _ in self.objects()) + ".", ""]
        rows += self.values_table()
        for name, definition in self.objects():
            rows += self.section(name, definition)
        return "\n".join(rows).rstrip("\n") + "\n"


def self_test():
    def problems_of(field, **others):
        page = Page({"description": "A scene.", "properties": {"a": field}, **others,
                     "$defs": {"profile": {"description": "Over time.", "properties": {}},
                               "pair": {"description": "Two.", "type": "array", "items": {"type": "number"}}}})
        assert "| `a` |" in page.text()
        return len(page.problems)

    assert problems_of({"type": "number", "description": "How long [m].", "default": 0}) == 0
    assert problems_of({"type": "number", "description": "How long.", "default": 0}) == 1
    assert problems_of({"type": "number", "description": "How long [w, x].", "default": 0}) == 1
    assert problems_of({"type": "number", "description": "[m]", "default": 0}) == 1
    assert problems_of({"type": "number", "description": "How long [m]."}) == 1
    assert problems_of({"type": "number", "description": "How long [m]. Absent: by mass."}) == 0
    assert problems_of({"type": "number", "description": "How long [m]."}, required=["a"]) == 0
    assert problems_of({"type": "boolean", "description": "Does it move?", "default": True}) == 0
    assert problems_of({"$ref": "#/$defs/pair", "description": "Two of them.", "default": [0, 0]}) == 1
    assert problems_of({"$ref": "#/$defs/profile", "description": "Over time.", "default": 0}) == 1

    def guide_of(text, **kind):
        page = Page({"$defs": {"shape": {"oneOf": [{"properties": {"kind": {"const": "ball"}}, **kind}]}}})
        return page.guide(text), len(page.problems)

    stale = "Kinds:\n\n| `kind` | sizes, all needed |\n|---|---|\n| `cube` | `half` |\n\nEnd.\n"
    assert guide_of(stale, description="`radius`") == (stale.replace("| `cube` | `half` |", "| `ball` | `radius` |"), 0)
    assert guide_of(stale)[1] == 1 and guide_of("No table.\n", description="`radius`")[1] == 1
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--self-test", action="store_true")
    arguments = parser.parse_args()
    if arguments.self_test:
        return self_test()
    page = Page(json.loads(SCHEMA.read_text()))
    for path, text in ((PAGE, page.text()), (GUIDE, page.guide(GUIDE.read_text()))):
        if arguments.check and (not path.exists() or path.read_text() != text):
            page.problems.append(f"{path.relative_to(ROOT)} is not up to date; renew it: make reference")
        if not arguments.check:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
    print("\n".join(page.problems) if page.problems else "every field of a scene has a type, a unit, a default and a meaning")
    return 1 if page.problems else 0


if __name__ == "__main__":
    sys.exit(main())
