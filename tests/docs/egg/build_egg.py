#!/usr/bin/env python3
"""Adds the shape of docs/guide/adding_a_shape.md to the library, runs its check and counts the files that this touches.

    build_egg.py --build BUILD      BUILD has compile_commands.json, libcairn.a and libcairn_io.a

egg.c is the shape, register.patch what is changed in files that are there. Copies of these are changed in a folder of its own, in
front of the tree's. Only the new file, changed ones and those that depend on the number of kinds are compiled; the rest is
taken from the library. Exits 1 if something is wrong, 77 (skipped) if the library cannot be linked here.
"""
import argparse
import json
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent.parent
PAGE = ROOT / "docs/guide/adding_a_shape.md"
NEW_FILE = "src/collide/shapes/egg.c"
COUNT = "CRN_SHAPE_KIND_COUNT"
MOST_FILES = 5
LINK = "tests/CMakeFiles/collide.test_shape.dir/link.txt"  # how a program is linked; only make writes it down
SKIPPED = 77


def hunks_of(patch):
    """{file: [(old text, new text)]}."""
    files, name = {}, None
    for line in patch.splitlines(keepends=True):
        if line.startswith("+++ b/"):
            name = line[len("+++ b/"):].strip()
            files[name] = []
        elif line.startswith("@@"):
            files[name].append(["", ""])
        elif not line.startswith("---"):
            hunk, text = files[name][-1], line[1:]
            hunk[0] += text if line[0] in " -" else ""
            hunk[1] += text if line[0] in " +" else ""
    return files


def apply(patch, overlay):
    """Changed copies of the files in the folder `overlay`; their names."""
    files = hunks_of(patch)
    for name, hunks in files.items():
        text = (ROOT / name).read_text()
        for old, new in hunks:
            if text.count(old) != 1:
                sys.exit(f"{name}: the patch does not fit; there are {text.count(old)} places like\n{old}")
            text = text.replace(old, new)
        (overlay / name).parent.mkdir(parents=True, exist_ok=True)
        (overlay / name).write_text(text)
    return list(files)


# --- The library ------------------------------------------------------------------------------------------------------

def compile_file(command, source, overlay, target):
    """Compile as the build compiles a file of the library, with the overlay's headers first."""
    words = shlex.split(command)
    words = words[:1] + [f"-I{overlay}/include", f"-I{overlay}/src", "-Werror"] + words[1:words.index("-o")]
    words = [word for word in words if word != "-c"]
    subprocess.run(words + ["-c", str(source), "-o", str(target)], check=True)
    return str(target)


def objects_of(build, overlay, changed):
    """Objects of the files that must be compiled again."""
    commands = {entry["file"]: entry["command"] for entry in json.loads((build / "compile_commands.json").read_text())}
    library = {name: command for name, command in commands.items() if name.startswith(str(ROOT / "src"))}
    again = {name for name in library if COUNT in pathlib.Path(name).read_text()}
    again |= {str(ROOT / name) for name in changed if str(ROOT / name) in library}
    any_command, objects = next(iter(library.values())), []
    for number, name in enumerate(sorted(again)):
        relative = pathlib.Path(name).relative_to(ROOT)
        source = overlay / relative if (overlay / relative).exists() else name
        objects.append(compile_file(library[name], source, overlay, overlay / f"{number}.o"))
    objects.append(compile_file(any_command, overlay / NEW_FILE, overlay, overlay / "egg.o"))
    objects.append(compile_file(any_command, HERE / "check_egg.c", overlay, overlay / "check_egg.o"))
    return objects, any_command


def link_libraries(build):
    """What programs that use the library are linked with."""
    words = shlex.split((build / LINK).read_text())
    return [word for word in words if re.search(r"\.so(\.\d+)*$", word) or word.startswith(("-l", "-f"))]


def run_check(build, overlay, changed):
    objects, command = objects_of(build, overlay, changed)
    program = overlay / "check_egg"
    compiler = shlex.split(command)[0]
    subprocess.run([compiler, "-o", str(program), *objects, str(build / "libcairn_io.a"), str(build / "libcairn.a"), *link_libraries(build), "-lm"],
                   check=True)
    return subprocess.run([str(program)], check=False).returncode


# --- What is not C ----------------------------------------------------------------------------------------------------

def check_schema(overlay):
    """The schema names the egg, and says which sizes it needs."""
    shape = json.loads((overlay / "docs/scene.schema.json").read_text())["$defs"]["shape"]
    kinds = [kind["properties"]["kind"]["const"] for kind in shape["oneOf"]]
    if kinds != shape["properties"]["kind"]["enum"] or kinds[-1] != "egg":
        sys.exit(f"the schema's kinds do not agree: {kinds}")


def check_page(overlay):
    """The viewer draws it: bundled and run where node and esbuild are."""
    viewer = ROOT / "apps/viewer"
    esbuild, node = viewer / "node_modules/.bin/esbuild", shutil.which("node")
    if not esbuild.exists() or node is None:
        print("the viewer is not looked at: no esbuild or no node")
        return
    text = (overlay / "apps/viewer/src/stage/shapes.ts").read_text()
    bundle = overlay / "shapes.mjs"
    subprocess.run([str(esbuild), "--bundle", "--format=esm", "--loader=ts", f"--outfile={bundle}", "--log-level=error"],
                   input=text, text=True, check=True, cwd=viewer / "src/stage")
    script = f"""import {{ modelOf }} from "{bundle}";
        const model = modelOf({{ kind: "egg", radius: 3, half: {{ x: 2, y: 4.5 }} }}), egg = model.build(1);
        egg.computeBoundingBox();
        const {{ min, max }} = egg.boundingBox, is = (x, right) => Math.abs(x - right) < 1e-6;
        if (!is(min.z * model.scale.z, -2) || !is(max.z * model.scale.z, 4.5) || !is(max.x * model.scale.x, 3)) process.exit(1);"""
    subprocess.run([node, "--input-type=module", "-e", script], check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    build = parser.parse_args().build.resolve()
    if not (build / LINK).exists():
        print("skipped: how programs are linked is not written down here")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        overlay = pathlib.Path(folder)
        changed = apply((HERE / "register.patch").read_text(), overlay)
        (overlay / NEW_FILE).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(HERE / "egg.c", overlay / NEW_FILE)
        touched = sorted(changed + [NEW_FILE])
        check_schema(overlay)
        check_page(overlay)
        code = run_check(build, overlay, changed)
    print(f"{len(touched)} files touched: " + ", ".join(touched))
    if len(touched) > MOST_FILES:
        print(f"more than {MOST_FILES}")
        return 1
    if f"{len(touched)} files" not in PAGE.read_text():
        print(f"{PAGE.relative_to(ROOT)} does not say that it takes {len(touched)} files")
        return 1
    return code


if __name__ == "__main__":
    sys.exit(main())
