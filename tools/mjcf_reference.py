#!/usr/bin/env python3
"""Writes tests/robots/mjcf_expected.h: what MuJoCo says about MJCF files, for tests/robots/test_mjcf_mujoco.c.

    tools/mjcf_reference.py --data FOLDER          print the header (FOLDER: the problem collections, with mjcf/ in it)

Needs a C compiler and MuJoCo (Debian: libmujoco-dev; the header names the version). MuJoCo 2.2.2 does not know parts of newer
files, so these are taken out of copies first: none of them changes bodies, masses or joints. <replicate> is written out. Mass
of a mesh is the volume of a box of the same inertia in that version; the car's mesh is given that of its hull.
"""
import argparse
import fractions
import itertools
import pathlib
import re
import subprocess
import sys
import tempfile

PROGRAM = r"""
#include <mujoco/mujoco.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void list(const double *v, int n) { for (int i = 0; i < n; ++i) printf("%s%.17g", i ? ", " : "{", v[i]); printf("}"); }

/* A place away from the start: the same for every run. */
static void displace(const mjModel *m, mjData *d)
{
    for (int j = 0; j < m->njnt; ++j) {
        double *q = d->qpos + m->jnt_qposadr[j];
        if (m->jnt_type[j] == mjJNT_HINGE || m->jnt_type[j] == mjJNT_SLIDE) q[0] += 0.4 * sin(1.0 + 2.0 * j);
        if (m->jnt_type[j] == mjJNT_BALL) { q[0] = 0.8; q[1] = 0.36; q[2] = -0.48; q[3] = 0; }
    }
}

static void write_joints(const mjModel *m, const mjData *d, const mjData *start, int file)
{
    double *M = calloc((size_t)m->nv * m->nv + 1, sizeof(double));
    mj_fullM(m, M, d->qM);
    for (int j = 0; j < m->njnt; ++j) {
        int dof = m->jnt_dofadr[j], type = m->jnt_type[j];
        const double *q = d->qpos + m->jnt_qposadr[j];
        double zero[4] = {q[0], 0, 0, 0};
        printf("    {%d, %d, ", file, type);
        list(type == mjJNT_BALL ? q : zero, 4);
        printf(", "); list(start->xaxis + 3 * j, 3);
        printf(", %.17g, %.17g},\n", M[dof * (m->nv + 1)], d->qfrc_bias[dof]);
    }
    free(M);
}

static void write_bodies(const mjModel *m, const mjData *d, const mjData *start, int file)
{
    for (int i = 1; i < m->nbody; ++i) {
        const char *name = mj_id2name(m, mjOBJ_BODY, i);
        const double *r = start->ximat + 9 * i, *a = m->body_inertia + 3 * i;
        double full[6];
        static const int at[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
        for (int k = 0; k < 6; ++k) {
            full[k] = 0;
            for (int l = 0; l < 3; ++l) full[k] += r[3 * at[k][0] + l] * a[l] * r[3 * at[k][1] + l];
        }
        printf("    {%d, \"%s\", %.17g, ", file, name ? name : "", m->body_mass[i]);
        list(start->xpos + 3 * i, 3); printf(", "); list(start->xquat + 4 * i, 4); printf(", ");
        list(start->xipos + 3 * i, 3); printf(", "); list(full, 6); printf(", ");
        list(d->xpos + 3 * i, 3); printf(", "); list(d->xquat + 4 * i, 4);
        printf("},\n");
    }
}

int main(int argc, char **argv)
{
    if (argc < 2) { printf("%s\n", mj_versionString()); return 0; }
    for (int pass = 0; pass < 2; ++pass) {
        if (pass == 1) printf("====\n");
        for (int f = 1; f < argc; ++f) {
            char error[1000] = "";
            mjModel *m = mj_loadXML(argv[f], NULL, error, sizeof error);
            if (m == NULL) { fprintf(stderr, "%s: %s\n", argv[f], error); return 1; }
            mjData *start = mj_makeData(m), *d = mj_makeData(m);
            mj_forward(m, start);
            displace(m, d);
            mj_kinematics(m, d);
            mj_comPos(m, d);
            mj_crb(m, d);
            mj_rne(m, d, 0, d->qfrc_bias);
            if (pass == 0) write_bodies(m, d, start, f - 1); else write_joints(m, d, start, f - 1);
            mj_deleteData(start); mj_deleteData(d); mj_deleteModel(m);
        }
    }
    return 0;
}
"""

HEADER = """/* What MuJoCo {version} says about MJCF files, by tools/mjcf_reference.py: do not edit. */
#ifndef CRN_TEST_MJCF_EXPECTED_H
#define CRN_TEST_MJCF_EXPECTED_H

/* Bodies but for the world, in MuJoCo's order: at the start, and at the joint coordinates below. */
typedef struct mjcf_body_row {{
    int file;
    const char *name;
    double mass, position[3], rotation[4], com[3];
    double inertia[6]; /* about com, world axes: xx yy zz xy xz yz */
    double moved[3], turned[4];
}} mjcf_body_row;

/* Joints in MuJoCo's order: coordinate(s), axis in the world at the start; entry of the mass matrix with armature, and force
 * of gravity (negative), both at those coordinates; of balls and free joints those of the first velocity. */
typedef struct mjcf_joint_row {{
    int file, type; /* 0 free, 1 ball, 2 slide, 3 hinge */
    double q[4], axis[3], mass, bias;
}} mjcf_joint_row;

/* clang-format off */
static const char *const mjcf_file[] = {{
{files}}};

static const mjcf_body_row mjcf_body[] = {{
{bodies}}};

static const mjcf_joint_row mjcf_joint[] = {{
{joints}}};
/* clang-format on */

#endif"""

OWN = ["poses", "masses", "joints", "global", "meshes"]
SHARED = ["mujoco/car", "mujoco/humanoid", "mujoco/newton_cradle", "mujoco/slider_crank", "openai_gym/ant",
          "openai_gym/hopper", "openai_gym/inverted_double_pendulum", "openai_gym/walker2d", "robotis_op3/op3"]


def copies(match):
    """<replicate count offset> written out."""
    count, offset = int(match.group(1)), [float(x) for x in match.group(2).split()]
    body = re.sub(r"<site[^>]*/>", "", match.group(3))
    text = ""
    for i in range(count):
        def move(pos, i=i):
            place = [repr(float(x) + i * dx) for x, dx in zip(pos.group(1).split(), offset)]
            return 'pos="%s"' % " ".join(place)
        one = re.sub(r'pos="([^"]*)"', move, body, count=1)
        text += re.sub(r'<body name="(\w+)"', r'<body name="\g<1>%d"' % i, one)
    return text


def hull_volume(points):
    """Of integer points, exactly: cones over the facets from the first point."""
    def minus(a, b):
        return [x - y for x, y in zip(a, b)]

    def cross(a, b):
        return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]

    def dot(a, b):
        return sum(x * y for x, y in zip(a, b))
    facets = set()
    for a, b, c in itertools.permutations(points, 3):
        normal = cross(minus(b, a), minus(c, a))
        side = [dot(normal, minus(p, a)) for p in points]
        if any(normal) and max(side) <= 0:
            facets.add(frozenset(i for i, s in enumerate(side) if s == 0))
    total = 0
    for facet in facets:
        corner = [points[i] for i in facet]
        if points[0] in corner:
            continue
        for a, b in itertools.permutations(corner, 2):   # edges of the facet, seen from outside
            away = [p for p in points if p not in corner][0]
            normal = cross(minus(b, a), minus(next(p for p in corner if p not in (a, b)), a))
            sign = -1 if dot(normal, minus(away, a)) > 0 else 1
            normal = [sign * x for x in normal]
            turn = [dot(cross(minus(b, a), minus(p, a)), normal) for p in corner]
            if min(turn) >= 0:
                total += dot(minus(corner[0], points[0]), cross(minus(a, points[0]), minus(b, points[0])))
    return fractions.Fraction(total, 6)


def give_mass(text):
    """The car's mesh, whose mass would be that of a box."""
    if 'name="chasis" scale' not in text:
        return text
    numbers = [int(x) for x in re.search(r'vertex="([^"]*)"', text).group(1).split()]
    points = [numbers[i:i + 3] for i in range(0, len(numbers), 3)]
    mass = float(hull_volume(points)) * .01 * .006 * .0015 * 1000
    return text.replace('type="mesh" mesh="chasis"', 'type="mesh" mesh="chasis" mass="%r"' % mass)


def make_old(text):
    """What MuJoCo 2.2.2 can read."""
    text = re.sub(r' actuatorfrcrange="[^"]*"', "", text)
    text = re.sub(r"<sensor>.*?</sensor>", "", text, flags=re.DOTALL)
    if "<replicate" in text:
        text = re.sub(r"<tendon>.*?</tendon>", "", text, flags=re.DOTALL)
    text = re.sub(r"<global realtime[^>]*/>", "", text)
    text = re.sub(r'<replicate count="(\d+)" offset="([^"]*)">(.*?)</replicate>', copies, text, flags=re.DOTALL)
    text = re.sub(r'<mesh file="\w+\.stl"/>', "", text)        # pictures of op3 that are not in the collection
    text = re.sub(r'<geom mesh="\w+" class="visual"/>', "", text)
    return give_mass(text.replace("0.2/2", "0.1"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", required=True)
    data = pathlib.Path(parser.parse_args().data) / "mjcf"
    own = pathlib.Path(__file__).resolve().parent.parent / "tests/robots/mjcf"
    names = ["own/%s.xml" % name for name in OWN] + ["mjcf/%s.xml" % name for name in SHARED]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "reference.c").write_text(PROGRAM)
        program = str(folder / "reference")
        subprocess.run(["cc", "-O1", str(folder / "reference.c"), "-o", program, "-lmujoco", "-lm"], check=True)
        paths = [own / ("%s.xml" % name) for name in OWN]
        for name in SHARED:
            source = data / ("%s.xml" % name)
            text = make_old(source.read_text())
            text = text.replace('meshdir="assets"', 'meshdir="%s"' % (source.parent / "assets"))
            copy = folder / (source.stem + ".xml")
            copy.write_text(text)
            paths.append(copy)
        version = subprocess.run([program], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
        answer = subprocess.run([program] + [str(p) for p in paths], check=True, stdout=subprocess.PIPE, text=True).stdout
    bodies, joints = answer.split("====\n")
    files = "".join('    "%s",\n' % name for name in names)
    print(HEADER.format(version=version, files=files, bodies=bodies, joints=joints))


if __name__ == "__main__":
    sys.exit(main())
