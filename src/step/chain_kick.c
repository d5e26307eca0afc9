/* A kick as a linear map: what changes of places and velocities make of the data of its problem.
 *
 * Contact with normal n, tangents t, impulse r and f = n r_n + t r_t on a at p, -f on b; w+, v+ are the velocities that it ends with:
 *
 *     on a      (dp - dx_a) x f + (p - x_a) x df,    df             tangents turn with the normal: dt = -n (t.dn)
 *     velocity  d(n, t).(u_a - u_b) + (n, t).(w_a x (dp - dx_a) - w_b x (dp - dx_b)),    + dg/h along n
 *
 * and where it rolls [build.c] h/2 (w_a x (c' - v_a) - w_b x (c' - v_b)) is part of the offset. Of a body with torque T for time k,
 *
 *     free velocity   k (dth x s - I^-1 (dth x T)),  s = I^-1 T        impulse   -dI z,  z = w+ - w_f,  dI z = dth x I z - I (dth x z) */
#include <string.h>

#include "step/chain_place.h"
#include "step/chain_tree.h"
#include "step/moment.h"
#include "step/parts.h"

/* Violations over velocities: more, and the states are not those of a solution. */
#define TOL_SOLVED 1e-9

/* --- Bodies --- */

static crn_chain_body body_in(const crn_stepper *s, const crn_step_body *b, crn_vec3 w_after)
{
    double time = s->kick.time;
    crn_chain_body map = {.angular = 1.0 / (1.0 + time * b->angular_damping),
                          .linear = 1.0 / (1.0 + time * b->linear_damping)};
    const crn_mat3 *inertia = &b->rigid.inertia_world;
    crn_vec3 z = crn_v3_sub(w_after, b->next_w), spin = crn_m3_times(inertia, z);
    crn_vec3 push = crn_m3_solve(inertia, b->load_torque);
    for (int j = 0; j < 3 && !b->rigid.is_planar; ++j) { /* turning in the plane changes no inertia */
        crn_vec3 e = crn_v3_axis(j), turned = crn_m3_solve(inertia, crn_v3_cross(e, b->load_torque));
        crn_vec3 free = crn_v3_sub(crn_v3_cross(e, push), turned);
        crn_m3_set_column(&map.push, j, crn_v3_scale(map.angular * time, free));
        crn_m3_set_column(&map.spin, j, crn_v3_sub(crn_m3_times(inertia, crn_v3_cross(e, z)), crn_v3_cross(e, spin)));
    }
    return map;
}

/* --- Contacts --- */

/* A side of a contact: the body's centre, the velocity that the kick ends with, and the one before it. */
typedef struct side {
    int at;       /* its number in the kick */
    bool is_link; /* of a tree */
    crn_vec3 x, w, v, w_before, v_before;
} side;

/* Velocity of a link after the kick; found: velocities of all trees. */
static void link_found(const crn_chain_kick *kick, const crn_chain_link *link, const double *found, crn_vec3 *w,
                       crn_vec3 *v)
{
    const crn_chain_tree *tree = &kick->tree[link->tree];
    double sum[6] = {0};
    for (int k = 0; k < 6 * tree->n; ++k) {
        sum[k % 6] += link->place[k] * found[tree->u + k / 6];
    }
    *w = crn_v3_of(sum);
    *v = crn_v3_of(sum + 3);
}

/* found: velocities of the kick's problem, those of trees last. */
static side side_of(const crn_stepper *s, const crn_chain_kick *kick, int shape, const double *found)
{
    int i = s->shape[shape].body;
    const crn_step_body *b = &s->body[i];
    side mine = {.at = crn_chain_number_of(s, kick, i), .is_link = b->tree > 0, .x = b->rigid.pose.position};
    if (mine.at >= 0) {
        if (mine.is_link) {
            const double *trees = found + crn_chain_width(s) * s->problem.rigid;
            link_found(kick, &kick->link[mine.at - s->problem.rigid], trees, &mine.w, &mine.v);
        } else {
            crn_step_found(s, found, mine.at, &mine.w, &mine.v);
        }
        mine.w_before = crn_moment_bodies(s, CRN_BEFORE)[i].angular;
        mine.v_before = crn_moment_bodies(s, CRN_BEFORE)[i].linear;
    } else if (b->kind == CRN_BODY_DRIVEN) {
        mine.w = mine.w_before = b->next_w;
        mine.v = mine.v_before = b->next_v;
    }
    return mine;
}

/* A contact in its kick: axes, the impulse along them, and how it is closed. */
typedef struct held {
    side of[2];
    crn_vec3 point, axis[3], force, slip;
    double impulse[3], h;
    crn_vec3 target, speed; /* rolling: the offset that is asked for, and how fast the point moves over both */
    bool sinks;             /* ... its normal part counts */
} held;

static crn_vec3 velocity_at(const side *b, crn_vec3 point)
{
    return crn_v3_add(b->v, crn_v3_cross(b->w, crn_v3_sub(point, b->x)));
}

static held hold(const crn_stepper *s, int i, const crn_chain_kick *kick, const double *impulse, const double *found,
                 double h)
{
    const crn_step_pair *pair = &s->now.pair[i];
    const crn_contact_point *point = &kick->point[i];
    held k = {.of = {side_of(s, kick, pair->shape_a, found), side_of(s, kick, pair->shape_b, found)},
              .point = s->now.contact[i].point,
              .axis = {crn_v3_of(point->normal), crn_v3_of(point->t1), crn_v3_of(point->t2)},
              .h = h};
    for (int j = 0; j < 3; ++j) {
        k.impulse[j] = impulse[j];
        k.force = crn_v3_axpy(k.force, impulse[j], k.axis[j]);
    }
    k.slip = crn_v3_sub(velocity_at(&k.of[0], k.point), velocity_at(&k.of[1], k.point));
    return k;
}

/* w x (c' - v) of a side. */
static crn_vec3 turning(const side *b, crn_vec3 speed)
{
    return crn_v3_cross(b->w_before, crn_v3_sub(speed, b->v_before));
}

static void start_rolling(held *k, crn_vec3 speed)
{
    k->speed = speed;
    k->target = crn_v3_scale(0.5 * k->h, crn_v3_sub(turning(&k->of[0], speed), turning(&k->of[1], speed)));
    k->sinks = crn_v3_dot(k->target, k->axis[0]) < 0.0;
}

/* du += change of the offset that rolling asks for, along the axes. */
static void add_target(const held *k, crn_vec3 change, double *du)
{
    for (int j = 0; j < 3; ++j) {
        du[j] += j > 0 || k->sinks ? crn_v3_dot(change, k->axis[j]) : 0.0;
    }
}

/* What the point's own way adds: by dc' on both sides. */
static crn_vec3 target_of_speed(const held *k, crn_vec3 dc)
{
    return crn_v3_scale(0.5 * k->h,
                        crn_v3_sub(crn_v3_cross(k->of[0].w_before, dc), crn_v3_cross(k->of[1].w_before, dc)));
}

/* Place j of the bodies: how axes turn, then what acts on both and the contact velocity. */
static void place_column(const held *k, const crn_chain_place *place, int j, bool rolls, double last_h,
                         crn_chain_contact *to)
{
    crn_vec3 dn = place->normal[j], dp = place->point[j], df = crn_v3_scale(k->impulse[0], dn), turned[3] = {dn};
    crn_vec3 slip = {0, 0, 0};
    double *du = to->speed[j];
    for (int i = 1; i < 3; ++i) {
        turned[i] = crn_v3_scale(-crn_v3_dot(k->axis[i], dn), k->axis[0]);
        df = crn_v3_axpy(df, k->impulse[i], turned[i]);
    }
    for (int i = 0; i < 2; ++i) {
        double sign = i == 0 ? 1.0 : -1.0;
        bool is_shifted = j >= 3 + 6 * i && j < 6 + 6 * i;
        crn_vec3 arm = crn_v3_sub(k->point, k->of[i].x), moved = is_shifted ? crn_v3_sub(dp, crn_v3_axis(j % 3)) : dp;
        crn_vec3 lever = k->of[i].is_link ? dp : moved; /* links: about where the centre of mass was */
        crn_vec3 torque = crn_v3_add(crn_v3_cross(lever, k->force), crn_v3_cross(arm, df));
        crn_v3_to(crn_v3_scale(sign, torque), to->impulse[j] + 6 * i);
        crn_v3_to(crn_v3_scale(sign, df), to->impulse[j] + 6 * i + 3);
        slip = crn_v3_axpy(slip, sign, crn_v3_cross(k->of[i].w, moved));
    }
    for (int i = 0; i < 3; ++i) {
        du[i] = crn_v3_dot(turned[i], k->slip) + crn_v3_dot(k->axis[i], slip);
        du[i] += rolls && (i > 0 || k->sinks) ? crn_v3_dot(turned[i], k->target) : 0.0;
    }
    du[0] += place->gap[j] / k->h;
    if (rolls) {
        add_target(k, target_of_speed(k, crn_v3_scale(1.0 / last_h, dp)), du);
    }
}

/* Velocity j of the bodies before the kick. */
static void velocity_column(const held *k, int j, crn_chain_contact *to)
{
    const side *b = &k->of[j / 6];
    double sign = j < 6 ? 0.5 * k->h : -0.5 * k->h;
    crn_vec3 e = crn_v3_axis(j % 3), change = j % 6 < 3 ? crn_v3_cross(e, crn_v3_sub(k->speed, b->v_before))
                                                        : crn_v3_scale(-1.0, crn_v3_cross(b->w_before, e));
    add_target(k, crn_v3_scale(sign, change), to->by_velocity[j]);
}

/* What both do after the kick, j of its numbers. */
static void after_column(const held *k, int j, crn_chain_contact *to)
{
    crn_vec3 e = crn_v3_axis(j % 3), arm = crn_v3_sub(k->point, k->of[j / 6].x);
    crn_vec3 speed = crn_v3_scale(j < 6 ? 1.0 : -1.0, j % 6 < 3 ? crn_v3_cross(e, arm) : e);
    for (int i = 0; i < 3; ++i) {
        to->by_after[j][i] = crn_v3_dot(k->axis[i], speed);
    }
}

static bool fill_contact(const crn_stepper *s, int i, const held *k, const crn_chain_place *here,
                         const crn_chain_place *start, crn_chain_contact *to)
{
    memset(to, 0, sizeof *to);
    to->a = k->of[0].at;
    to->b = k->of[1].at;
    to->rolls = start != NULL;
    for (int j = 0; j < CRN_CHAIN_BOTH; ++j) {
        place_column(k, here, j, to->rolls, s->last_h, to);
        after_column(k, j, to);
        if (to->rolls) {
            velocity_column(k, j, to);
            add_target(k, target_of_speed(k, crn_v3_scale(-1.0 / s->last_h, start->point[j])), to->by_start[j]);
        }
    }
    return s->now.contact[i].gap > -CRN_BRANCH_OVERLAP * s->now.pair[i].size; /* then it counts as it is */
}

/* --- Pairs --- */

static int pair_end(const crn_stepper *s, int first)
{
    int end = first + 1;
    while (end < s->now.contacts && s->now.pair[end].shape_a == s->now.pair[first].shape_a &&
           s->now.pair[end].shape_b == s->now.pair[first].shape_b) {
        ++end;
    }
    return end;
}

static bool rolls_any(const crn_stepper *s, int first, int end, double h)
{
    crn_vec3 way;
    bool any = false;
    for (int i = first; i < end; ++i) {
        any = any || crn_step_has_rolled(s, i, h, &way);
    }
    return any;
}

static bool fill_pair(crn_step_chain *chain, crn_chain_kick *kick, int first, int end, const double *impulse,
                      const double *found)
{
    crn_stepper *s = chain->stepper;
    const crn_step_body *a = &s->body[s->shape[s->now.pair[first].shape_a].body],
                        *b = &s->body[s->shape[s->now.pair[first].shape_b].body];
    const crn_pose now[2] = {a->rigid.pose, b->rigid.pose}, begin[2] = {a->begin.pose, b->begin.pose};
    crn_chain_place here[CRN_CHAIN_TOUCHES], start[CRN_CHAIN_TOUCHES];
    bool is_rolling = rolls_any(s, first, end, chain->h);
    bool is_fine = crn_chain_places(s, first, end - first, now, true, chain->h, here) &&
                   (!is_rolling || crn_chain_places(s, first, end - first, begin, false, chain->h, start));
    for (int i = first; i < end && is_fine; ++i) {
        crn_vec3 way;
        held k = hold(s, i, kick, impulse + 3 * (size_t)i, found, chain->h);
        bool rolls = crn_step_has_rolled(s, i, chain->h, &way);
        if (rolls) {
            start_rolling(&k, crn_v3_scale(1.0 / s->last_h, way));
        }
        is_fine = fill_contact(s, i, &k, &here[i - first], rolls ? &start[i - first] : NULL, &kick->contact[i]);
    }
    return is_fine;
}

/* --- The kick --- */

/* Does each thing that the problem moves begin anew? */
static bool is_all_fresh(const crn_stepper *s)
{
    for (int i = 0; i < s->bodies; ++i) {
        if (s->body[i].tree == 0 && s->body[i].at >= 0 && !s->body[i].is_fresh) {
            return false;
        }
    }
    for (int i = 0; i < s->forest.mechanisms; ++i) {
        if (!s->forest.mechanism[i].kept.is_fresh) {
            return false;
        }
    }
    return true;
}

static bool is_any_link_pushed(const crn_stepper *s)
{
    for (int i = 0; i < s->forest.links; ++i) {
        const crn_step_body *b = &s->body[s->forest.body[i]];
        if (crn_v3_dot(b->load_force, b->load_force) + crn_v3_dot(b->load_torque, b->load_torque) > 0.0) {
            return true;
        }
    }
    return false;
}

/* Are all rows friction of joints in trees, which asks nothing of places? */
static bool are_rows_plain(const crn_stepper *s)
{
    for (int i = 0; i < s->rows; ++i) {
        if (!s->row[i].is_friction || s->row[i].velocity < 0 || s->row[i].tendon > 0) {
            return false;
        }
    }
    for (int i = 0; i < s->limits; ++i) {
        if (!s->limit[i].in_tree || s->limit[i].tendon > 0 || !(s->limit[i].gap > -CRN_BRANCH_OVERLAP)) {
            return false;
        }
    }
    return s->forest.stops == 0;
}

/* Is it the first kick, or the one that ends the step, of all that there is? */
static bool is_expected(const crn_step_chain *chain, const crn_contact_problem *problem)
{
    const crn_stepper *s = chain->stepper;
    bool is_first = s->kick.share == 0.0, is_for_all = s->kick.is_for_all;
    bool is_in_turn = is_first ? chain->kicks == 0 : chain->kicks == 0 || chain->kick_is_first;
    bool is_whole = problem->contacts == s->now.contacts + s->limits && problem->rows == s->rows &&
                    problem->bodies == s->problem.rigid + s->forest.mechanisms;
    for (int i = 0; i < s->forest.mechanisms; ++i) {
        is_whole = is_whole && s->forest.mechanism[i].at == s->problem.rigid + i;
    }
    return is_in_turn && chain->kicks < 2 && s->kick.purpose == CRN_FOR_KICK && is_whole && are_rows_plain(s) &&
           !is_any_link_pushed(s) && (!is_first || is_for_all || is_all_fresh(s));
}

/* --- Maps --- */

/* Maps of the kick at its solution; false: some are not there. */
static bool fill_maps(crn_step_chain *chain, crn_chain_kick *kick, const double *impulse, const double *found)
{
    crn_stepper *s = chain->stepper;
    bool is_fine = true;
    crn_chain_finish_trees(chain, kick, impulse, found + crn_chain_width(s) * s->problem.rigid);
    for (int i = 0; i < s->problem.rigid && is_fine; ++i) {
        const crn_step_body *body = &s->body[s->problem.body_of[i]];
        crn_vec3 w, v;
        crn_step_found(s, found, i, &w, &v);
        kick->body[i] = body_in(s, body, w);
        is_fine = chain->kick_is_first || crn_chain_drift_of(body, chain->h, &chain->drift[i]);
    }
    for (int i = 0, end; i < s->now.contacts && is_fine; i = end) {
        end = pair_end(s, i);
        is_fine = fill_pair(chain, kick, i, end, impulse, found);
    }
    return is_fine;
}

crn_status crn_chain_add_kick(crn_step_chain *chain, const crn_contact_problem *problem,
                              const crn_linearize_options *options, const crn_contact_hint *hint,
                              const crn_row_hint *row_hint, crn_error *error)
{
    crn_stepper *s = chain->stepper;
    crn_linearize_report report = {0};
    if (!chain->is_covered || !is_expected(chain, problem)) {
        chain->is_covered = false;
        return CRN_OK;
    }
    crn_chain_kick *kick = &chain->kick[chain->kicks++];
    chain->kick_is_first = s->kick.share == 0.0;
    bool has_room = crn_reserve(&s->allocator, (void **)&chain->drift, &chain->drift_capacity, s->problem.rigid,
                                sizeof *chain->drift);
    if (!has_room || !crn_chain_take_problem(chain, kick, problem)) {
        return crn_fail(error, CRN_ERR_MEMORY, "world: out of memory for derivatives");
    }
    crn_status status = crn_contact_linearize_in_states(&kick->problem, options, hint, row_hint, &kick->workspace,
                                                        &kick->linear, &report, error);
    bool is_solved = report.status != CRN_GRADIENT_JUMP && report.residual <= TOL_SOLVED;
    chain->is_covered = status == CRN_OK && is_solved;
    if (chain->is_covered) {
        crn_contact_solution exact = {.impulse = kick->impulse, .velocity = kick->found};
        status = crn_contact_linear_solution(kick->linear, &exact, error);
        chain->is_covered = status == CRN_OK && fill_maps(chain, kick, kick->impulse, kick->found);
    }
    return status;
}
