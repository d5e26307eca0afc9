"""MuJoCo from Debian: mujoco_debian.py PROGRAM ... writes MJCF and hands it to conformance_mujoco."""
import os
import sys

import mjcf
import plain

if __name__ == "__main__":
    program = sys.argv.pop(1)
    if sys.argv[1:] == ["--version"]:
        print("\t".join(["MuJoCo 2", os.popen(program + " --version").read().strip(), *mjcf.SETTINGS]), flush=True)
        sys.exit(0)
    setting, path, steps, every = sys.argv[1:]
    with open(path) as file:
        scene = plain.json.load(file)
    xml = path + ".xml"
    with open(xml, "w") as file:
        file.write(mjcf.write(scene, int(setting)))
    lines = ["free %s %s" % (b["name"], mjcf.text(b.get("velocity", [0, 0, 0]) + plain.turn(plain.inverse(b["rotation"]),
                                                                                           b.get("angular", [0, 0, 0]))))
             for b in plain.free_bodies(scene)]
    lines += ["load %s %s" % (l["body"], mjcf.text(l["force"])) for l in scene["loads"]]
    lines += ["scale %s" % n for n in plain.scales(scene)]
    plan = path + ".plan"
    with open(plan, "w") as file:
        file.write("\n".join(lines) + "\n")
    os.execv(program, [program, xml, plan, steps, every])
