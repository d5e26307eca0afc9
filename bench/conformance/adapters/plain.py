"""What adapters in Python share: reading a plain scene, printing samples, refusing."""
import json
import pathlib
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from scene import product, quat, turn  # noqa: E402,F401

REFUSED = 3


def refuse(why):
    """This engine, or its adapter, cannot be given the scene."""
    print(why, file=sys.stderr)
    sys.exit(REFUSED)


def inverse(q):
    return [q[0], -q[1], -q[2], -q[3]]


def into(body, point):
    """A point of the world in the frame that a body has at the start."""
    return turn(inverse(body["rotation"]), [p - c for p, c in zip(point, body["position"])])


def body(scene, name):
    return next(b for b in scene["bodies"] if b["name"] == name)


def free_bodies(scene):
    return [b for b in scene["bodies"] if b["kind"] == "free"]


def parent_joint(scene, name):
    """The first joint that holds a body to an earlier one, or to the world: the joint of a tree; None: there is none."""
    names = ["world"] + [b["name"] for b in free_bodies(scene)]
    for joint in scene["joints"]:
        if joint["b"] == name and name != "world" and names.index(joint["a"]) < names.index(name):
            return joint
    return None


def loops(scene):
    return [j for j in scene["joints"] if parent_joint(scene, j["b"]) is not j]


def scales(scene):
    return [b["name"] for b in scene["bodies"] if b["name"].startswith("scale")]


def main(name, version, settings, make):
    """make(scene, setting) returns an object with step(), states() and perhaps loads(), complaints()."""
    if sys.argv[1:] == ["--version"]:
        print("\t".join([name, version, *settings]))
        return
    setting, path, steps, every = int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    with open(path) as file:
        scene = json.load(file)
    world = make(scene, setting)
    run(world, scene, steps, every)


def show(world, time_):
    loads = world.loads() if hasattr(world, "loads") else []
    states = [[float(x) for x in s] for s in world.states()]
    print(json.dumps({"t": time_, "s": states, "load": [float(x) for x in loads]}), flush=False)


def run(world, scene, steps, every):
    seconds = 0.0
    show(world, 0.0)
    for k in range(1, steps + 1):
        begin = time.process_time()
        world.step()
        seconds += time.process_time() - begin
        if k % every == 0 or k == steps:
            show(world, k * scene["dt"])
    print(json.dumps({"seconds": seconds, "complaints": world.complaints() if hasattr(world, "complaints") else 0}))
