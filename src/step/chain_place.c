/* Differences of the narrow phase for one pair of shapes: chain_place.h.
 *
 * What moves both bodies alike moves their touches along. So only a is moved, in six ways, and of b's motion the rest is known. */
#include "step/chain_place.h"

#include <math.h>
#include <string.h>

#include "math/elementary.h"
#include "math/rigid.h"
#include "step/parts.h"

/* Turns [rad], and shifts over the size of the smaller shape: the square of it is left out, rounding over it comes in. */
#define CHANGE 1e-3
/* Both sides may differ by this share: half its square is the error. More, and the change is a tenth; then it is a kink. */
#define BEND_MOST 1e-4
#define NARROWER  0.1
enum { WIDTHS = 5 };
/* Of sizes: how far a touch may be that has another name. */
#define NEAR 0.01
/* Of gaps' derivatives: what differences may be off by. */
#define ROUNDING 1e-6
/* Of sizes and distances: contacts that are farther from those of the narrow phase have been changed since. */
#define SAME 1e-11

typedef struct touch_set {
    crn_vec3 point, normal;
    double gap;
} touch_set;

typedef struct pair_at {
    crn_stepper *stepper;
    int first, count;
    crn_pose pose[2]; /* of the centres of mass, seen from the first contact: far away they would only add rounding */
    double h, size;
} pair_at;

/* Where a shape is with its body, which is turned about the origin and shifted. */
static crn_frame frame_of(const crn_step_shape *shape, const crn_pose *pose, crn_vec3 turn, crn_vec3 shift)
{
    crn_quat by = crn_quat_exp(turn);
    crn_pose moved = {crn_v3_add(crn_quat_turn(by, pose->position), shift), crn_quat_product(by, pose->rotation)};
    crn_frame body = crn_frame_of(&moved);
    return crn_frame_product(&body, &shape->local);
}

/* The touch with the key of a contact. Where edges are flush other features make it as soon as something moves: then the nearest one. */
static const crn_touch *touch_of(const pair_at *p, int found, int i, const touch_set *here)
{
    const crn_touch *touch = p->stepper->find.touch, *best = NULL;
    double nearest = NEAR * p->size;
    for (int k = 0; k < found; ++k) {
        if (touch[k].key == p->stepper->now.contact[p->first + i].key) {
            return &touch[k];
        }
        double far = here ? crn_v3_length(crn_v3_sub(touch[k].point, here[i].point)) : INFINITY;
        best = far < nearest ? &touch[k] : best;
        nearest = far < nearest ? far : nearest;
    }
    return best;
}

/* Touches of all contacts, a moved; false: some are not there. here: where nothing is moved; NULL: that is asked for. */
static bool touches_at(const pair_at *p, crn_vec3 turn, crn_vec3 shift, const touch_set *here, touch_set *to)
{
    crn_stepper *s = p->stepper;
    const crn_step_pair *pair = &s->now.pair[p->first];
    crn_frame a = frame_of(&s->shape[pair->shape_a], &p->pose[0], turn, shift);
    crn_frame b = frame_of(&s->shape[pair->shape_b], &p->pose[1], crn_v3(0, 0, 0), crn_v3(0, 0, 0));
    int found = crn_step_touches(s, pair->shape_a, pair->shape_b, &a, &b, p->h);
    for (int i = 0; i < p->count; ++i) {
        const crn_touch *touch = touch_of(p, found, i, here);
        if (!touch) {
            return false;
        }
        to[i] = (touch_set){touch->point, touch->normal, touch->gap};
    }
    return true;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* How far x - 2 y + z is from 0, in sizes and angles. */
static double bend_of(const pair_at *p, const touch_set *x, const touch_set *y, const touch_set *z)
{
    crn_vec3 point = crn_v3_sub(crn_v3_add(x->point, z->point), crn_v3_scale(2.0, y->point));
    crn_vec3 normal = crn_v3_sub(crn_v3_add(x->normal, z->normal), crn_v3_scale(2.0, y->normal));
    double gap = fabs(x->gap - 2.0 * y->gap + z->gap);
    return larger(crn_v3_length(normal), larger(crn_v3_length(point), gap) / p->size);
}

/* What a's motion along a unit of axis j makes of a gap between points that both bodies carry along, as distances of smooth surfaces and of
 * corners are: without the rounding of the difference, which is returned where it is more than that away. */
static double settled_gap(const pair_at *p, int j, const touch_set *here, double difference)
{
    crn_vec3 e = crn_v3_axis(j % 3);
    double carried = crn_v3_dot(here->normal, j < 3 ? crn_v3_cross(e, here->point) : e);
    return fabs(difference - carried) <= ROUNDING * (j < 3 ? p->size : 1.0) ? carried : difference;
}

/* Column j of all contacts, by a's turn or shift along one axis. False: a kink. */
static bool difference(const pair_at *p, int j, const touch_set *here, touch_set *side, crn_chain_place *place)
{
    double by = CHANGE;
    for (int width = 0; width < WIDTHS; ++width, by *= NARROWER) {
        double unit = j < 3 ? by : by * p->size, bend = 0.0;
        crn_vec3 axis = crn_v3(j % 3 == 0 ? unit : 0.0, j % 3 == 1 ? unit : 0.0, j % 3 == 2 ? unit : 0.0);
        crn_vec3 none = crn_v3(0, 0, 0), back = crn_v3_scale(-1.0, axis);
        if (!touches_at(p, j < 3 ? axis : none, j < 3 ? none : axis, here, side) ||
            !touches_at(p, j < 3 ? back : none, j < 3 ? none : back, here, side + p->count)) {
            continue;
        }
        for (int i = 0; i < p->count; ++i) {
            const touch_set *plus = &side[i], *minus = &side[p->count + i];
            double over =
                1.0 / (2.0 * (j < 3 ? crn_sin_cos(unit).sin : unit)); /* of points that a carries along this is exact */
            bend = larger(bend, bend_of(p, plus, &here[i], minus));
            place[i].point[j] = crn_v3_scale(over, crn_v3_sub(plus->point, minus->point));
            place[i].normal[j] = crn_v3_scale(over, crn_v3_sub(plus->normal, minus->normal));
            place[i].gap[j] = settled_gap(p, j, &here[i], over * (plus->gap - minus->gap));
        }
        if (bend <= BEND_MOST * by) {
            return true;
        }
    }
    return false;
}

/* The column of a's motion along axis j, a turn being about `centre`: one about the origin, and a shift. */
static void about(const crn_chain_place *origin, int j, crn_vec3 centre, crn_vec3 *point, crn_vec3 *normal, double *gap)
{
    crn_vec3 shift = j < 3 ? crn_v3_cross(centre, crn_v3_axis(j % 3)) : crn_v3(0, 0, 0);
    const double by[3] = {shift.x, shift.y, shift.z};
    *point = origin->point[j];
    *normal = origin->normal[j];
    *gap = origin->gap[j];
    for (int k = 0; k < 3; ++k) {
        *point = crn_v3_axpy(*point, by[k], origin->point[3 + k]);
        *normal = crn_v3_axpy(*normal, by[k], origin->normal[3 + k]);
        *gap += by[k] * origin->gap[3 + k];
    }
}

/* From motions of a about the origin those of both bodies about their centres. b's: both are moved as b is, and a is moved back. */
static void follow(const pair_at *p, const touch_set *touch, crn_chain_place *place)
{
    const crn_chain_place origin = *place;
    for (int j = 0; j < 6; ++j) {
        crn_vec3 e = crn_v3_axis(j % 3), back, turned, centre = p->pose[1].position;
        double gap;
        about(&origin, j, p->pose[0].position, &place->point[j], &place->normal[j], &place->gap[j]);
        about(&origin, j, centre, &back, &turned, &gap);
        crn_vec3 point = j < 3 ? crn_v3_cross(e, crn_v3_sub(touch->point, centre)) : e;
        crn_vec3 normal = j < 3 ? crn_v3_cross(e, touch->normal) : crn_v3(0, 0, 0);
        place->point[6 + j] = crn_v3_sub(point, back);
        place->normal[6 + j] = crn_v3_sub(normal, turned);
        place->gap[6 + j] = -gap;
    }
}

/* Are the contacts those of the narrow phase, and nothing has turned them since? */
static bool is_same(const pair_at *p, const touch_set *here, crn_vec3 origin)
{
    double slack = SAME * (p->size + crn_v3_length(origin));
    for (int i = 0; i < p->count; ++i) {
        const crn_contact *c = &p->stepper->now.contact[p->first + i];
        crn_vec3 off = crn_v3_sub(crn_v3_add(here[i].point, origin), c->point);
        if (crn_v3_length(off) > slack || fabs(here[i].gap - c->gap) > slack ||
            crn_v3_length(crn_v3_sub(here[i].normal, c->normal)) > slack / p->size) {
            return false;
        }
    }
    return true;
}

bool crn_chain_places(crn_stepper *s, int first, int count, const crn_pose pose[2], bool is_here, double h,
                      crn_chain_place *place)
{
    crn_vec3 origin = s->now.contact[first].point;
    touch_set here[CRN_CHAIN_TOUCHES], side[2 * CRN_CHAIN_TOUCHES];
    pair_at p = {.stepper = s, .first = first, .count = count, .h = h, .size = s->now.pair[first].size};
    for (int k = 0; k < 2; ++k) {
        p.pose[k] = (crn_pose){crn_v3_sub(pose[k].position, origin), pose[k].rotation};
    }
    bool is_fine = count <= CRN_CHAIN_TOUCHES && touches_at(&p, crn_v3(0, 0, 0), crn_v3(0, 0, 0), NULL, here) &&
                   (!is_here || is_same(&p, here, origin));
    memset(place, 0, (size_t)count * sizeof *place);
    for (int j = s->def.is_planar ? 2 : 0; j < (s->def.is_planar ? 5 : 6) && is_fine; ++j) {
        is_fine = difference(&p, j, here, side, place);
    }
    for (int i = 0; i < count && is_fine; ++i) {
        follow(&p, &here[i], &place[i]);
    }
    return is_fine;
}
