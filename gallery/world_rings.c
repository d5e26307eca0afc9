/* world_rings.c -- rings that hold each other: non-convex bodies as meshes  [YN08 s5-C, Fig. 4].
 *
 *   ring2, ring3  two, three wires of five ball joints with a ring at either end, rings through rings; the first ring is fixed.
 *                 Let go aslant, swinging, 4 s
 *   double-rings  two free rings through each other, without weight, spinning at up to 38 rad/s, 10 s
 *
 * A wire: ring, four links, ring. Its rings lie in planes across each other, as those of a chain do. The ring above is held by the
 * tube of the ring below at the distance 2 (R - r) of their centres; they begin a little nearer. */
#include "build_tree.h"
#include "gallery_worlds.h"
#include "worlds.h"

#include <math.h>

enum { AROUND = 16, ACROSS = 6, AROUND_MAX = 64, ACROSS_MAX = 16, WIRE_LINKS = 4 };

static const double pi = 3.14159265358979323846;

/* --- Wires --- */

static const double ring_radius = 0.06, tube = 0.01, link_length = 0.08, link_radius = 0.008, slack = 0.01; /* [m] */

/* Where the wires go: `along` is down the wire, `side` across it, level. */
typedef struct course {
    crn_vec3 along, side;
} course;

static crn_vec3 moved(crn_vec3 p, double s, crn_vec3 d)
{
    return (crn_vec3){p.x + s * d.x, p.y + s * d.y, p.z + s * d.z};
}

static crn_vec3 cross(crn_vec3 a, crn_vec3 b)
{
    return (crn_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* A ring with its centre at p, in the plane of the course and its side or across that. */
static int add_ring(crn_build *b, const course *c, crn_vec3 p, bool is_across, crn_body_kind kind)
{
    double points[3 * AROUND * ACROSS];
    int triangles[6 * AROUND * ACROSS];
    crn_body_shape shape = crn_build_sphere(b, 1.0);
    shape.shape = crn_build_ring(ring_radius, tube, AROUND, ACROSS, points, triangles);
    crn_body_def def = crn_body_def_default();
    def.kind = kind;
    def.pose.position = p;
    def.pose.rotation = crn_build_turn_z_to(is_across ? c->side : cross(c->along, c->side));
    def.shape = &shape;
    def.shapes = 1;
    return crn_build_add(b, &def);
}

/* A wire whose first ring has its centre at p; returns the centre of its last ring. */
static crn_vec3 add_wire(crn_build *b, const course *c, crn_vec3 p, bool is_first)
{
    int last = add_ring(b, c, p, false, is_first ? CRN_BODY_FIXED : CRN_BODY_FREE);
    crn_vec3 at = moved(p, ring_radius, c->along);
    for (int i = 0; i < WIRE_LINKS; ++i) {
        crn_vec3 next = moved(at, link_length, c->along);
        int link = crn_build_link(b, NULL, at, next, link_radius, 0.0);
        crn_build_ball(b, last, link, at, true);
        last = link;
        at = next;
    }
    p = moved(at, ring_radius, c->along);
    int ring = add_ring(b, c, p, true, CRN_BODY_FREE);
    crn_build_ball(b, last, ring, at, true);
    crn_build_probe(b, CRN_PROBE_POSITION, ring);
    return p;
}

crn_status crn_gallery_rings_of(crn_model *model, int wires, crn_error *error)
{
    const double aslant = pi / 3.0; /* from hanging */
    crn_build b = crn_build_begin(model, error);
    course c = {{sin(aslant), 0.0, -cos(aslant)}, {0.0, 1.0, 0.0}};
    crn_vec3 p = {0.0, 0.0, 0.0};
    crn_build_tree_world(&b, 1e-3, 4.0);
    b.friction = 0.3;
    for (int i = 0; i < wires; ++i) {
        p = add_wire(&b, &c, p, i == 0);
        p = moved(p, 2.0 * (ring_radius - tube) - slack, c.along);
    }
    return b.status;
}

crn_status crn_gallery_ring2(crn_model *model, crn_error *error)
{
    return crn_gallery_rings_of(model, 2, error);
}

crn_status crn_gallery_ring3(crn_model *model, crn_error *error)
{
    return crn_gallery_rings_of(model, 3, error);
}

/* --- Two free rings --- */

static void add_free_ring(crn_build *b, const crn_gallery_double *rings, crn_pose pose, crn_vec3 spin, double speed)
{
    double points[3 * AROUND_MAX * ACROSS_MAX];
    int triangles[6 * AROUND_MAX * ACROSS_MAX];
    crn_body_shape shape = crn_build_sphere(b, 1.0);
    shape.shape = crn_build_ring(rings->radius, rings->tube, rings->around, rings->across, points, triangles);
    crn_body_def def = crn_body_def_default();
    def.pose = pose;
    def.angular = spin;
    def.velocity = (crn_vec3){speed, 0.0, 0.0};
    def.shape = &shape;
    def.shapes = 1;
    crn_build_probe(b, CRN_PROBE_POSITION, crn_build_add(b, &def));
}

crn_gallery_double crn_gallery_double_default(void)
{
    return (crn_gallery_double){
        .radius = 0.1, .tube = 0.02, .around = AROUND, .across = ACROSS, .friction = 0.3, .spin = 38.0, .speed = 1.0};
}

crn_status crn_gallery_double_rings_of(crn_model *model, const crn_gallery_double *rings, crn_error *error)
{
    if (rings->around < 3 || rings->around > AROUND_MAX || rings->across < 3 || rings->across > ACROSS_MAX) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "gallery: rings of %d x %d squares", rings->around, rings->across);
    }
    const double share = rings->spin / sqrt(3.0);
    crn_build b = crn_build_begin(model, error);
    crn_build_tree_world(&b, 1e-3, 10.0)->gravity = (crn_vec3){0.0, 0.0, 0.0};
    b.friction = rings->friction;
    crn_pose first = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}};
    crn_pose second = {{rings->radius, 0.0, 0.0}, crn_build_turn_z_to((crn_vec3){0.0, 1.0, 0.0})};
    add_free_ring(&b, rings, first, (crn_vec3){share, share, share}, 0.5 * rings->speed);
    add_free_ring(&b, rings, second, (crn_vec3){-share, share, 0.2 * share}, -0.5 * rings->speed);
    return b.status;
}

crn_status crn_gallery_double_rings(crn_model *model, crn_error *error)
{
    crn_gallery_double rings = crn_gallery_double_default();
    return crn_gallery_double_rings_of(model, &rings, error);
}
