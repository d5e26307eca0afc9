"""Scenes that every engine is given: dictionaries in Cairn's own format (docs/scene.schema.json), of a plain kind.

Plain means: the frame of a free body is at its centre of mass and along its principal axes; mass and inertia are written out;
the first shape of a free body is at its origin; all bodies of a scene have one coefficient of friction and one of restitution,
so that every engine's rule for pairs gives the same; joints have a point and an axis in the world; loads are constant forces at
the centre of mass, world axes. Bodies whose name begins with "scale" are fixed plates whose load is asked for.

z is up. A scene that moves in the plane y = 0 can be had as a planar one, for engines of the plane.
"""
import copy
import math

G = 9.81


def quat(axis, angle):
    """Unit quaternion w, x, y, z of a turn about a unit axis."""
    s = math.sin(0.5 * angle)
    return [math.cos(0.5 * angle), axis[0] * s, axis[1] * s, axis[2] * s]


def turn(q, v):
    """The vector v turned by the quaternion q."""
    w, x, y, z = q
    t = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])]
    return [v[0] + w * t[0] + y * t[2] - z * t[1], v[1] + w * t[1] + z * t[0] - x * t[2], v[2] + w * t[2] + x * t[1] - y * t[0]]


def product(a, b):
    """Quaternion of the turn b followed by a."""
    return [a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
            a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]]


ALONG_Y = quat([1, 0, 0], -0.5 * math.pi)  # turns an axis along z into one along y


class Scene:
    """A scene being written. `data` is the dictionary."""

    def __init__(self, name, h, duration, mu=0.5, e=0.0, gravity=(0, 0, -G)):
        self.data = {"name": name, "dt": h, "duration": duration, "gravity": list(gravity), "bodies": [], "joints": [],
                     "loads": []}
        self.mu, self.e = mu, e

    def body(self, name, kind, shapes, position, rotation=(1, 0, 0, 0), **more):
        body = {"name": name, "kind": kind, "position": list(position), "rotation": list(rotation), "friction": self.mu,
                "restitution": self.e, "shapes": shapes}
        body.update(more)
        self.data["bodies"].append(body)
        return name

    def floor(self, position=(0, 0, 0), rotation=(1, 0, 0, 0), name="floor"):
        return self.body(name, "fixed", [{"kind": "plane"}], position, rotation)

    def block(self, name, half, position, rotation=(1, 0, 0, 0)):
        """A fixed box."""
        return self.body(name, "fixed", [{"kind": "box", "half": list(half)}], position, rotation)

    def box(self, name, half, mass, position, rotation=(1, 0, 0, 0), **more):
        x, y, z = (s * s for s in half)
        more.setdefault("inertia", [mass / 3 * (y + z), mass / 3 * (x + z), mass / 3 * (x + y)])
        return self.body(name, "free", [{"kind": "box", "half": list(half)}], position, rotation, mass=mass, **more)

    def ball(self, name, radius, mass, position, **more):
        return self.body(name, "free", [{"kind": "sphere", "radius": radius}], position, mass=mass,
                         inertia=[0.4 * mass * radius ** 2] * 3, **more)

    def cylinder(self, name, radius, half_length, mass, position, **more):
        """Its axis is along the body's y."""
        across, along = mass * (3 * radius ** 2 + 4 * half_length ** 2) / 12, 0.5 * mass * radius ** 2
        shape = {"kind": "cylinder", "radius": radius, "half_length": half_length, "rotation": ALONG_Y}
        return self.body(name, "free", [shape], position, mass=mass, inertia=[across, along, across], **more)

    def capsule(self, name, radius, half_length, mass, position, **more):
        """Its axis is along the body's y. The moments of inertia are those of a cylinder of its whole length."""
        length = half_length + radius
        across, along = mass * (3 * radius ** 2 + 4 * length ** 2) / 12, 0.5 * mass * radius ** 2
        shape = {"kind": "capsule", "radius": radius, "half_length": half_length, "rotation": ALONG_Y}
        return self.body(name, "free", [shape], position, mass=mass, inertia=[across, along, across], **more)

    def joint(self, kind, a, b, point, axis=None):
        joint = {"kind": kind, "a": a, "b": b, "point": list(point)}
        if axis is not None:
            joint["axis"] = list(axis)
        self.data["joints"].append(joint)

    def push(self, body, force):
        self.data["loads"].append({"body": body, "force": list(force)})


# --- The same scene in the plane: x stays, z becomes y ---

def flat_rotation(q):
    """Angle about the new z of a turn about y; the view is along +y, so the sense is reversed."""
    if abs(q[1]) + abs(q[3]) > 1e-12:
        raise ValueError("the scene turns out of its plane")
    return -2.0 * math.atan2(q[2], q[0])


def flat_shape(shape):
    kind = shape["kind"]
    if kind == "plane":
        return {"kind": "half_plane"}
    if kind == "box":
        x, _, z = shape["half"]
        flat = {"kind": "polygon", "points": [[-x, -z], [x, -z], [x, z], [-x, z]]}
    elif kind in ("sphere", "capsule", "cylinder"):
        flat = {"kind": "disk", "radius": shape["radius"]}
    else:
        raise ValueError("no planar " + kind)
    if "position" in shape:
        flat["position"] = [shape["position"][0], shape["position"][2]]
    return flat


def flat_body(body):
    flat = copy.deepcopy(body)
    flat["angle"] = flat_rotation(flat.pop("rotation"))
    for field in ("position", "velocity"):
        if field in flat:
            flat[field] = [flat[field][0], flat[field][2]]
    if "angular" in flat:
        flat["angular"] = -flat["angular"][1]
    if "inertia" in flat:
        flat["inertia"] = flat["inertia"][1]
    flat["shapes"] = [flat_shape(s) for s in body["shapes"]]
    return flat


def flatten(scene):
    """A planar scene from one that moves in y = 0."""
    flat = copy.deepcopy(scene)
    flat["planar"] = True
    flat["gravity"] = [scene["gravity"][0], scene["gravity"][2]]
    flat["bodies"] = [flat_body(b) for b in scene["bodies"]]
    for joint in flat["joints"]:
        joint["point"] = [joint["point"][0], joint["point"][2]]
        axis = joint.pop("axis", None)
        if joint["kind"] == "slider":
            joint["axis"] = [axis[0], axis[2]]
        elif joint["kind"] == "hinge":
            joint["axis"] = [0, 0, 1]
    for load in flat["loads"]:
        load["force"] = [load["force"][0], load["force"][2]]
    return flat


def unflatten_state(state):
    """A planar state [x, y, z, q, v, w] as one of the spatial scene."""
    x, y, _, qw, _, _, qz, vx, vy, _, _, _, wz = state
    return [x, 0.0, y, qw, 0.0, -qz, 0.0, vx, 0.0, vy, 0.0, -wz, 0.0]
