/* What the drift of a free body makes of changes of its turn and angular velocity: chain.h. */
#include "math/rigid.h"
#include "step/parts.h"

/* Of angles in a step: angular velocities are changed by this over h. Its square is left out, rounding over it comes in. */
#define CHANGE 3e-5
/* Both sides may differ by this share. More, and the change is a tenth; then it is a kink, or too curved. */
#define BEND_MOST 1e-4
#define NARROWER  0.1
enum { WIDTHS = 3 };

/* Angular velocity before the drift: the angular momentum is the same. */
static crn_vec3 spin_before(const crn_step_body *body)
{
    crn_rigid start = body->rigid;
    if (start.is_planar) {
        return start.w;
    }
    start.pose = body->begin.pose;
    crn_rigid_refresh(&start);
    return crn_m3_solve(&start.inertia_world, crn_m3_times(&body->rigid.inertia_world, body->rigid.w));
}

static crn_rigid drifted(const crn_step_body *body, crn_vec3 w, double h)
{
    crn_rigid moved = body->rigid;
    moved.pose = body->begin.pose;
    moved.w = w;
    crn_rigid_refresh(&moved);
    crn_rigid_move(&moved, h);
    return moved;
}

/* The turn from one pose to another. */
static crn_vec3 turn_between(const crn_rigid *from, const crn_rigid *to)
{
    return crn_quat_log(crn_quat_product(to->pose.rotation, crn_quat_conjugate(from->pose.rotation)));
}

/* Column j by angular velocity: differences. False: a kink. */
static bool difference(const crn_step_body *body, crn_vec3 w, int j, double h, crn_chain_drift *map)
{
    crn_rigid here = drifted(body, w, h);
    double angle = CHANGE;
    for (int width = 0; width < WIDTHS; ++width, angle *= NARROWER) {
        double by = angle / h;
        crn_vec3 change = crn_v3_scale(by, crn_v3_axis(j));
        crn_rigid plus = drifted(body, crn_v3_add(w, change), h), minus = drifted(body, crn_v3_sub(w, change), h);
        crn_vec3 turn = crn_v3_add(turn_between(&here, &plus), turn_between(&here, &minus));
        crn_vec3 spin = crn_v3_sub(crn_v3_add(plus.w, minus.w), crn_v3_scale(2.0, here.w));
        crn_m3_set_column(&map->turn_by_w, j, crn_v3_scale(0.5 / by, turn_between(&minus, &plus)));
        crn_m3_set_column(&map->w_by_w, j, crn_v3_scale(0.5 / by, crn_v3_sub(plus.w, minus.w)));
        if (crn_v3_length(turn) <= BEND_MOST * angle && crn_v3_length(spin) * h <= BEND_MOST * angle) {
            return true;
        }
    }
    return false;
}

/* By its turn: all is turned alike, and the angular velocity turned back. */
bool crn_chain_drift_of(const crn_step_body *body, double h, crn_chain_drift *map)
{
    crn_vec3 w = spin_before(body);
    int first = body->rigid.is_planar ? 2 : 0;
    bool is_fine = true;
    *map = (crn_chain_drift){0};
    for (int j = first; j < 3 && is_fine; ++j) {
        is_fine = difference(body, w, j, h, map);
    }
    for (int j = first; j < 3; ++j) {
        crn_vec3 e = crn_v3_axis(j), back = crn_v3_cross(w, e);
        crn_m3_set_column(&map->turn_by_turn, j, crn_v3_add(e, crn_m3_times(&map->turn_by_w, back)));
        crn_m3_set_column(&map->w_by_turn, j,
                          crn_v3_add(crn_v3_cross(e, body->rigid.w), crn_m3_times(&map->w_by_w, back)));
    }
    return is_fine;
}
