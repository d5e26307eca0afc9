"""A plain scene as MJCF, for all versions of MuJoCo.

    mjcf.py SCENE SETTING    prints it

Bodies are a tree as far as the joints allow it, in the order of the scene; further joints are equality constraints. MuJoCo has no
restitution: with the best setting contacts are springs with the damping that gives it, as its documentation suggests.
"""
import json
import math
import sys
import xml.etree.ElementTree as ET

import plain

SETTINGS = ("Newton, pyramid", "elliptic, impratio 10, noslip 10; RK4 where nothing is fixed")
CONTACT_TURN = 0.2  # phase of a contact's spring in a step [rad], where it is to bounce


def text(values):
    return " ".join("%.17g" % v for v in values)


def bouncy(e, h):
    """Stiffness and damping of a contact whose rebound is e, in MuJoCo's direct form."""
    ratio = -math.log(e) / math.hypot(math.pi, math.log(e)) if e < 1.0 else 0.0
    rate = CONTACT_TURN / h
    return "%.17g %.17g" % (-rate * rate, -max(2.0 * ratio * rate, 1e-9))


def add_geoms(to, body, scene, setting):
    for k, shape in enumerate(body["shapes"]):
        sizes = {"plane": lambda s: [0, 0, 1], "box": lambda s: s["half"], "sphere": lambda s: [s["radius"]],
                 "capsule": lambda s: [s["radius"], s["half_length"]], "cylinder": lambda s: [s["radius"], s["half_length"]]}
        if shape["kind"] not in sizes:
            plain.refuse("no " + shape["kind"])
        geom = ET.SubElement(to, "geom", name="%s/%d" % (body["name"], k), type=shape["kind"],
                             size=text(sizes[shape["kind"]](shape)), friction="%.17g 0 0" % body["friction"],
                             pos=text(shape.get("position", [0, 0, 0])), quat=text(shape.get("rotation", [1, 0, 0, 0])))
        if setting == 1 and body["restitution"] > 0:
            geom.set("solref", bouncy(body["restitution"], scene["dt"]))


def add_joint(to, joint, body):
    kinds = {"hinge": "hinge", "slider": "slide", "ball": "ball"}
    if joint is None:
        ET.SubElement(to, "freejoint")
    elif joint["kind"] != "fixed":
        at = plain.into(body, joint["point"])
        made = ET.SubElement(to, "joint", type=kinds[joint["kind"]], pos=text(at))
        if "axis" in joint and joint["kind"] != "ball":
            made.set("axis", text(plain.turn(plain.inverse(body["rotation"]), joint["axis"])))


def add_free(parents, scene, body, setting):
    joint = plain.parent_joint(scene, body["name"])
    parent = plain.body(scene, joint["a"]) if joint and joint["a"] != "world" else None
    at, q = body["position"], body["rotation"]
    if parent:
        at, q = plain.into(parent, at), plain.product(plain.inverse(parent["rotation"]), q)
    to = ET.SubElement(parents[parent["name"] if parent else "world"], "body", name=body["name"], pos=text(at), quat=text(q))
    parents[body["name"]] = to
    add_joint(to, joint, body)
    ET.SubElement(to, "inertial", pos="0 0 0", mass="%.17g" % body["mass"], diaginertia=text(body["inertia"]))
    add_geoms(to, body, scene, setting)


def add_loops(root, scene):
    equality, contact = ET.SubElement(root, "equality"), ET.SubElement(root, "contact")
    for joint in scene["joints"]:
        if joint["a"] != "world" and joint["b"] != "world":
            ET.SubElement(contact, "exclude", body1=joint["a"], body2=joint["b"])
        if plain.parent_joint(scene, joint["b"]) is joint:
            continue
        if joint["kind"] == "slider":
            plain.refuse("no sliders in loops")
        one = joint["a"] if joint["a"] != "world" else joint["b"]
        made = ET.SubElement(equality, "weld" if joint["kind"] == "fixed" else "connect", body1=one)
        if "world" not in (joint["a"], joint["b"]):
            made.set("body2", joint["b"])
        made.set("anchor", text(plain.into(plain.body(scene, one), joint["point"])))


def write(scene, setting):
    root = ET.Element("mujoco")
    ET.SubElement(root, "compiler", angle="radian", inertiafromgeom="false")
    option = ET.SubElement(root, "option", timestep="%.17g" % scene["dt"], gravity=text(scene["gravity"]))
    if setting == 1:
        option.set("cone", "elliptic")
        option.set("impratio", "10")
        option.set("noslip_iterations", "10")
        if all(b["kind"] == "free" for b in scene["bodies"]):
            option.set("integrator", "RK4")
    rows = 60 + 30 * sum(len(b["shapes"]) for b in scene["bodies"])
    ET.SubElement(root, "size", njmax=str(rows), nconmax=str(rows))
    world = ET.SubElement(root, "worldbody")
    parents = {"world": world}
    for body in scene["bodies"]:
        if body["kind"] == "free":
            add_free(parents, scene, body, setting)
        else:
            to = ET.SubElement(world, "body", name=body["name"], pos=text(body["position"]), quat=text(body["rotation"]))
            add_geoms(to, body, scene, setting)
    add_loops(root, scene)
    return ET.tostring(root, encoding="unicode")


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        print(write(json.load(file), int(sys.argv[2])))
