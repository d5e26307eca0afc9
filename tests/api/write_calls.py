#!/usr/bin/env python3
"""Write a C file with one function per public call, read from the headers: bad arguments for test_null.c.

    write_calls.py --include DIR -o FILE

Each function takes the number of the parameter that is to be bad (NULL, a stale id, -1, an impossible value, not a number); all others
are good ones of fixture.h. Parameter -1: every pointer is NULL and every number 0.
"""
import argparse
import pathlib
import re

DECLARATION = re.compile(r"^CRN_API\s+([^;{]*?)\((.*?)\)\s*(?:\n#if[^\n]*\n[^;]*?#endif\n\s*)?;", re.DOTALL | re.MULTILINE)
# crn_fail has a variable list. The others read or write as many numbers as the caller says, so that a count is no argument to try.
LEFT_OUT = {"crn_fail"}
# What stays alive for the calls that follow within one function is of no matter: each runs in a process of its own.


def declarations(include):
    """(name, [(type, name)]) of every public function."""
    for header in sorted(include.glob("cairn/*.h")):
        text = re.sub(r"/\*.*?\*/", "", header.read_text(encoding="utf-8"), flags=re.DOTALL)
        for match in DECLARATION.finditer(text):
            name = match.group(1).split()[-1].lstrip("*")
            parameters = " ".join(match.group(2).split())
            if name not in LEFT_OUT:
                yield name, [] if parameters == "void" else [split(part) for part in parameters.split(",")]


def split(parameter):
    """"const char *const *name" to ("const char *const *", "name"); arrays are pointers."""
    match = re.fullmatch(r"(.*?)(\w+)(\[\w*\])?", parameter.strip())
    kind = match.group(1).strip()
    return (kind + " *" if match.group(3) else kind), match.group(2)


def good(kind, name, number):
    """An expression for a good argument; what is neither object nor text gets room of its own."""
    bare = kind.replace("const ", "").replace("*const", "*").replace(" ", "")
    if bare == "char*" and "const" in kind:
        return "g->text_path" if "path" in name else '"box"'
    if bare.endswith("**"):
        return f"({kind})g->pointers"
    if bare.endswith("*"):
        stem = bare[:-1]
        if stem in OBJECTS:
            return f"g->{OBJECTS[stem]}"
        return f"({kind})(g->room + FIXTURE_ROOM * {number})"
    if bare in IDS:
        return f"g->{IDS[bare]}"
    if name == "length" and bare == "size_t":
        return "3"  # of the text, which is "box"
    if bare in ("int", "size_t", "uint64_t", "bool", "unsigned"):
        return "FIXTURE_ROOM" if bare == "size_t" else "1" if bare == "int" else "0"
    if bare == "double":
        return "0.01"
    if bare in ("crn_vec3", "crn_allocator"):
        return f"({bare}){{0}}"
    if bare in FUNCTIONS:
        return FUNCTIONS[bare]
    return f"({bare})0"


OBJECTS = {"crn_world": "world", "crn_model": "model", "crn_robot": "robot", "crn_tree": "tree", "crn_batch": "batch",
           "crn_shape": "shape", "crn_recording": "recording", "crn_recorder": "recorder", "crn_assembly": "assembly",
           "crn_contact_session": "session", "crn_contact_linear": "linear", "crn_tape": "tape", "crn_world_linear": "world_linear",
           "crn_world_def": "world_def", "crn_body_def": "body_def",
           "crn_joint_def": "joint_def", "crn_shape_def": "shape_def", "crn_contact_problem": "contact_problem",
           "crn_lcp_problem": "lcp_problem", "crn_lcp_solution": "lcp_solution", "crn_contact_solution": "contact_solution",
           "crn_link_def": "link_def", "crn_step_figure": "figure"}
IDS = {"crn_body_id": "body", "crn_joint_id": "joint", "crn_site_id": "site", "crn_load_id": "load"}
FUNCTIONS = {"crn_io_sink": "fixture_sink", "crn_io_warning": "(crn_io_warning)0", "crn_motion_function": "(crn_motion_function)0",
             "crn_step_solver": "(crn_step_solver)0", "crn_tape_cost": "(crn_tape_cost)0"}


def bad(kind):
    """An expression for a bad argument of this kind; None: every value is good."""
    bare = kind.replace("const ", "").replace(" ", "")
    if kind.endswith("*") or bare in FUNCTIONS:
        return "NULL" if kind.endswith("*") else f"({bare})0"
    if bare in IDS:
        return f"({bare}){{1, 77}}"
    if bare == "int":
        return "-1"
    if bare == "double":
        return "(double)NAN"
    if bare in ("size_t", "uint64_t", "bool"):
        return "0"
    if bare in ("crn_vec3", "crn_allocator"):
        return "(crn_vec3){NAN, 0, 0}" if bare == "crn_vec3" else None
    return f"({bare})12345"


def nothing(kind):
    bare = kind.replace("const ", "").replace(" ", "")
    if kind.endswith("*"):
        return "NULL"
    return f"({bare}){{0}}" if bare in IDS or bare in ("crn_vec3", "crn_allocator") else f"({bare})0"


def function(number, name, parameters):
    lines = [f"static void call_{number}(fixture *g, int which)", "{", "    (void)g;", "    (void)which;"]
    for i, (kind, parameter) in enumerate(parameters):
        spoilt = bad(kind) or good(kind, parameter, i)
        space = "" if kind.endswith("*") else " "
        if re.fullmatch(r"crn_(vec3|allocator|\w+_id)", kind):
            lines += [f"    {kind} a{i} = {good(kind, parameter, i)};",
                      f"    if (which == {i} || which < 0) {{", f"        {kind} b = {spoilt}, n = {nothing(kind)};",
                      f"        a{i} = which < 0 ? n : b;", "    }"]
        else:
            lines.append(f"    {kind}{space}a{i} = which < 0 ? {nothing(kind)} : which == {i} ? {spoilt} : {good(kind, parameter, i)};")
    lines += [f"    (void){name}({', '.join(f'a{i}' for i in range(len(parameters)))});", "}", ""]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--include", required=True, type=pathlib.Path)
    parser.add_argument("-o", "--output", required=True, type=pathlib.Path)
    given = parser.parse_args()
    calls = list(declarations(given.include))
    text = ['/* Written by tests/api/write_calls.py. */', '#include "fixture.h"', "", "#include <math.h>", ""]
    text += [function(i, name, parameters) for i, (name, parameters) in enumerate(calls)]
    text += ["const fixture_call fixture_calls[] = {"]
    for i, (name, parameters) in enumerate(calls):
        names = ", ".join(f'"{parameter}"' for _, parameter in parameters) or "NULL"
        text.append(f'    {{"{name}", call_{i}, {len(parameters)}, {{{names}}}}},')
    text += ["};", f"const int fixture_call_count = {len(calls)};", ""]
    given.output.write_text("\n".join(text), encoding="utf-8")


if __name__ == "__main__":
    main()
