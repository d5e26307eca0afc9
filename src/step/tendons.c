/* Tendons: lengths, and what moves them. docs/theory/trees.md, section 2.2. */
#include "step/tendons.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "math/elementary.h"
#include "math/vec.h"
#include "step/tendon_wrap.h"

/* --- Length and pulls --- */

static crn_step_pull *pull_of(crn_step_tendon *t, int body)
{
    for (int i = 0; i < t->pulls; ++i) {
        if (t->pull[i].body == body) {
            return &t->pull[i];
        }
    }
    t->pull[t->pulls] = (crn_step_pull){.body = body, .joint = -1};
    return &t->pull[t->pulls++];
}

/* dL = along . (velocity of a point of the body) */
static void add_pull(const crn_stepper *s, crn_step_tendon *t, int body, crn_vec3 point, crn_vec3 along)
{
    if (body < 0) {
        return;
    }
    crn_step_pull *pull = pull_of(t, body);
    crn_vec3 turn = crn_v3_cross(crn_v3_sub(point, s->body[body].rigid.pose.position), along);
    crn_v3_to(crn_v3_add(crn_v3_of(pull->row), turn), pull->row);
    crn_v3_to(crn_v3_add(crn_v3_of(pull->row + 3), along), pull->row + 3);
}

/* A straight piece between points of two bodies; on the same body it has a length and pulls nothing. */
static void add_piece(const crn_stepper *s, crn_step_tendon *t, double share, int a, crn_vec3 from, int b, crn_vec3 to)
{
    crn_vec3 way = crn_v3_sub(to, from);
    double length = crn_v3_length(way);
    t->length += share * length;
    if (a != b && length > 0.0) {
        add_pull(s, t, a, from, crn_v3_scale(-share / length, way));
        add_pull(s, t, b, to, crn_v3_scale(share / length, way));
    }
}

static crn_frame frame_at(const crn_stepper *s, int body, const crn_frame *local)
{
    if (body < 0) {
        return *local;
    }
    const crn_rigid *rigid = &s->body[body].rigid;
    crn_frame frame = {rigid->rotation, rigid->pose.position};
    return crn_frame_product(&frame, local);
}

static crn_vec3 point_at(const crn_stepper *s, int body, crn_vec3 local)
{
    const crn_rigid *rigid = body >= 0 ? &s->body[body].rigid : NULL;
    return rigid ? crn_v3_add(rigid->pose.position, crn_m3_times(&rigid->rotation, local)) : local;
}

static crn_vec3 site_at(const crn_stepper *s, const crn_step_tendon_part *site)
{
    return point_at(s, site->body, site->local.position);
}

/* From a site to the next one, with something round between them. */
static void add_round(const crn_stepper *s, crn_step_tendon *t, double share, const crn_step_tendon_part *from)
{
    const crn_step_tendon_part *at = from + 1, *to = from + 2;
    crn_vec3 a = site_at(s, from), b = site_at(s, to), side, touch[2];
    crn_frame frame = frame_at(s, at->body, &at->local);
    crn_wrap wrap = {&frame, at->kind == CRN_TENDON_CYLINDER, at->radius, NULL};
    if (at->has_side) {
        side = point_at(s, at->side_body, at->side);
        wrap.side = &side;
    }
    double arc;
    if (crn_wrap_round(&wrap, a, b, touch, &arc)) {
        add_piece(s, t, share, from->body, a, at->body, touch[0]);
        add_piece(s, t, share, at->body, touch[1], to->body, b);
        t->length += share * arc;
    } else {
        add_piece(s, t, share, from->body, a, to->body, b);
    }
}

static void place_path(const crn_stepper *s, crn_step_tendon *t)
{
    double share = 1.0;
    for (int i = 0; i + 1 < t->def.parts; ++i) {
        const crn_step_tendon_part *part = &t->part[i];
        bool is_site = part->kind == CRN_TENDON_SITE;
        if (part->kind == CRN_TENDON_PULLEY) {
            share = 1.0 / part->factor;
        } else if (is_site && part[1].kind == CRN_TENDON_SITE) {
            add_piece(s, t, share, part->body, site_at(s, part), part[1].body, site_at(s, part + 1));
        } else if (is_site && part[1].kind != CRN_TENDON_PULLEY) {
            add_round(s, t, share, part);
        }
    }
}

static void add_joint_pull(crn_step_tendon *t, const crn_step_tendon_part *part, int velocity, double factor)
{
    t->pull[t->pulls++] = (crn_step_pull){.body = -1, .joint = part->joint, .velocity = velocity, .factor = factor};
}

/* The angle of a ball joint's turn grows by what its angular velocity has along the axis of the turn; at 0 it has none. */
static void place_ball(crn_step_tendon *t, const crn_step_tendon_part *part, const double *q)
{
    crn_vec3 turn = crn_quat_log((crn_quat){q[0], q[1], q[2], q[3]});
    double angle = crn_v3_length(turn), axis[3];
    t->length += part->factor * angle;
    crn_v3_to(crn_v3_scale(angle > 0.0 ? part->factor / angle : 0.0, turn), axis);
    for (int k = 0; k < 3 && angle > 0.0; ++k) {
        add_joint_pull(t, part, k, axis[k]);
    }
}

static void place_joint(const crn_stepper *s, crn_step_tendon *t, const crn_step_tendon_part *part)
{
    const crn_step_tree *tree;
    int link;
    if (!crn_step_joint_link(s, part->joint, &tree, &link)) {
        return;
    }
    const double *q = s->forest.q + tree->q + tree->tree->link[link].q;
    if (tree->tree->link[link].kind == CRN_JOINT_BALL) {
        place_ball(t, part, q);
    } else {
        t->length += part->factor * q[part->coordinate];
        add_joint_pull(t, part, part->coordinate, part->factor);
    }
}

void crn_tendon_place(const crn_stepper *s, crn_step_tendon *t)
{
    t->length = 0.0;
    t->pulls = 0;
    if (t->part[0].kind != CRN_TENDON_JOINT) {
        place_path(s, t);
        return;
    }
    for (int i = 0; i < t->def.parts; ++i) {
        place_joint(s, t, &t->part[i]);
    }
}

bool crn_tendon_passes(const crn_step_tendon *t, int body, int joint)
{
    bool passes = false;
    for (int i = 0; i < t->def.parts; ++i) {
        const crn_step_tendon_part *part = &t->part[i];
        bool is_joint = part->kind == CRN_TENDON_JOINT, is_place = !is_joint && part->kind != CRN_TENDON_PULLEY;
        passes = passes || (joint >= 0 && is_joint && part->joint == joint) ||
                 (body >= 0 && is_place && (part->body == body || (part->has_side && part->side_body == body)));
    }
    return passes;
}

/* --- Rates --- */

static bool is_free(const crn_stepper *s, int body)
{
    return body >= 0 && s->body[body].id.index1 != 0 && s->body[body].kind == CRN_BODY_FREE;
}

int crn_tendon_body(const crn_stepper *s, const crn_step_tendon *t)
{
    for (int i = 0; i < t->def.parts; ++i) {
        const crn_step_tendon_part *part = &t->part[i];
        int body = part->kind == CRN_TENDON_JOINT ? s->joint[part->joint].b : part->body;
        if (part->kind != CRN_TENDON_PULLEY && is_free(s, body)) {
            return body;
        }
    }
    return -1;
}

static double row_speed(const double *row, crn_vec3 w, crn_vec3 v)
{
    return crn_v3_dot(crn_v3_of(row), w) + crn_v3_dot(crn_v3_of(row + 3), v);
}

/* Place of a joint's velocity among those of all trees; -1: it is in none. */
static int velocity_of(const crn_stepper *s, const crn_step_pull *pull)
{
    const crn_step_tree *tree;
    int link;
    bool is_there = crn_step_joint_link(s, pull->joint, &tree, &link);
    return is_there ? tree->u + tree->tree->link[link].u + pull->velocity : -1;
}

double crn_tendon_speed(const crn_stepper *s, const crn_step_tendon *t, crn_moment moment)
{
    double sum = 0.0;
    for (int i = 0; i < t->pulls; ++i) {
        const crn_step_pull *pull = &t->pull[i];
        if (pull->body >= 0) {
            const crn_twist *twist = &crn_moment_bodies(s, moment)[pull->body];
            sum += row_speed(pull->row, twist->angular, twist->linear);
        } else if (velocity_of(s, pull) >= 0) {
            sum += pull->factor * crn_moment_speeds(s, moment)[velocity_of(s, pull)];
        }
    }
    return sum;
}

double crn_tendon_shown_speed(const crn_stepper *s, const crn_step_tendon *t)
{
    double sum = 0.0;
    for (int i = 0; i < t->pulls; ++i) {
        const crn_step_pull *pull = &t->pull[i];
        if (pull->body >= 0) {
            const crn_step_body *body = &s->body[pull->body];
            bool is_shown = body->kind == CRN_BODY_FREE;
            sum +=
                row_speed(pull->row, is_shown ? body->shown_w : body->next_w, is_shown ? body->shown_v : body->next_v);
        } else if (velocity_of(s, pull) >= 0) {
            sum += pull->factor * s->forest.shown[velocity_of(s, pull)];
        }
    }
    return sum;
}

/* --- Rows and limits --- */

/* Limits farther than the tendon gets in a step at its speed are left out, as those of joints are. */
static const double LIMIT_TRAVEL = 4.0; /* times h |speed| */
static const double LIMIT_REACH = 1e-2; /* [m, rad] and at least this */

static double fastest(const crn_stepper *s, const crn_step_tendon *t)
{
    double now = 0.0;
    for (int i = 0; i < t->pulls; ++i) {
        const crn_step_pull *pull = &t->pull[i];
        int at = pull->body < 0 ? velocity_of(s, pull) : -1;
        if (pull->body >= 0) {
            now += row_speed(pull->row, s->body[pull->body].rigid.w, s->body[pull->body].rigid.v);
        } else if (at >= 0) {
            now += pull->factor * s->forest.before[at];
        }
    }
    return crn_fmax(fabs(now), fabs(crn_tendon_shown_speed(s, t)));
}

static void list_limits(crn_stepper *s, int index, double h)
{
    const crn_step_tendon *t = &s->tendon[index];
    double reach = crn_fmax(LIMIT_TRAVEL * h * fastest(s, t), LIMIT_REACH);
    const double gap[2] = {t->length - t->def.lower, t->def.upper - t->length};
    for (int slot = 0; slot < 2 && t->def.lower <= t->def.upper; ++slot) {
        if (gap[slot] <= reach) {
            s->limit[s->limits++] = (crn_step_limit){.joint = -1, .slot = slot, .gap = gap[slot], .tendon = index + 1};
        }
    }
}

static void list_rows(crn_stepper *s, int index, double h)
{
    const crn_step_tendon *t = &s->tendon[index];
    crn_step_row row = {.joint = -1, .held = -1, .velocity = -1, .tendon = index + 1, .scale = 1.0};
    if (t->def.friction > 0.0) {
        row.is_friction = true;
        row.bound = h * t->def.friction;
        s->row[s->rows++] = row;
    }
    if (crn_tendon_is_stiff(t)) {
        row.is_friction = false;
        row.bound = INFINITY;
        s->row[s->rows++] = row;
    }
}

bool crn_tendons_list(crn_stepper *s, double h)
{
    for (int i = 0; i < s->tendons; ++i) {
        crn_step_tendon *t = &s->tendon[i];
        if (!t->is_used) {
            continue;
        }
        crn_tendon_place(s, t);
        if (t->mechanism < 0 || !crn_is_awake(s, &s->forest.mechanism[t->mechanism])) {
            continue;
        }
        if (!crn_reserve(&s->allocator, (void **)&s->row, &s->row_capacity, s->rows + 2, sizeof *s->row) ||
            !crn_reserve(&s->allocator, (void **)&s->limit, &s->limit_capacity, s->limits + 2, sizeof *s->limit)) {
            return false;
        }
        list_limits(s, i, h);
        list_rows(s, i, h);
    }
    return true;
}

/* --- Forces --- */

static void push_body(crn_step_body *body, const double *row, double force)
{
    body->load_torque = crn_v3_axpy(body->load_torque, force, crn_v3_of(row));
    body->load_force = crn_v3_axpy(body->load_force, force, crn_v3_of(row + 3));
}

void crn_tendon_push(crn_stepper *s, const crn_step_tendon *t)
{
    for (int i = 0; i < t->pulls && t->control_force != 0.0; ++i) {
        const crn_step_pull *pull = &t->pull[i];
        if (pull->body >= 0 && is_free(s, pull->body)) {
            push_body(&s->body[pull->body], pull->row, t->control_force);
        } else if (pull->body < 0) {
            s->joint[pull->joint].tendon_force[pull->velocity] += pull->factor * t->control_force;
        }
    }
}

/* The force of the spring where it is [N or N m]. */
static double spring_force(const crn_step_tendon *t)
{
    double shift = t->control_target, below = t->def.rest_lower + shift, above = t->def.rest_upper + shift;
    if (t->length < below) {
        return t->def.stiffness * (below - t->length);
    }
    return t->length > above ? t->def.stiffness * (above - t->length) : 0.0;
}

/* The part of its rate that driven bodies have. */
static double driven_speed(const crn_stepper *s, const crn_step_tendon *t)
{
    double sum = 0.0;
    for (int i = 0; i < t->pulls; ++i) {
        const crn_step_body *body = t->pull[i].body >= 0 ? &s->body[t->pull[i].body] : NULL;
        sum += body && body->kind == CRN_BODY_DRIVEN ? row_speed(t->pull[i].row, body->next_w, body->next_v) : 0.0;
    }
    return sum;
}

/* How long forces act on its mechanism in the kick at hand. */
static double time_of(const crn_stepper *s, const crn_step_tendon *t)
{
    bool is_pushed = s->kick.is_for_all || s->forest.mechanism[t->mechanism].kept.is_fresh;
    return is_pushed && s->kick.purpose == CRN_FOR_KICK ? s->kick.time : 0.0;
}

crn_contact_row crn_tendon_row(crn_stepper *s, crn_step_row *row, double **space)
{
    const crn_step_tendon *t = &s->tendon[row->tendon - 1];
    const crn_step_mechanism *m = &s->forest.mechanism[t->mechanism];
    double known = 0.0, h = time_of(s, t), *y = *space, force = spring_force(t);
    crn_row_sides sides = crn_tendon_side(s, t, 1.0, 1, space, &known);
    double response = crn_dot(m->whitened, y, y);
    crn_implicit extra = {0.0, 0.0};
    if (response > 0.0 && h > 0.0) {
        bool is_loose = t->def.rest_lower < t->def.rest_upper && force == 0.0; /* within the band */
        extra = crn_trees_implicit(s, t->def.damping, is_loose ? 0.0 : t->def.stiffness, 1.0 / response, h);
    }
    row->scale = sqrt(extra.after);
    crn_scal(m->whitened, row->scale, y);
    y[t->slack] = 1.0;
    double wanted = h * force + extra.before * (crn_tendon_speed(s, t, CRN_BEFORE) + driven_speed(s, t));
    bool is_bounded = t->def.spring_limit > 0.0 && row->scale > 0.0;
    double offset = row->scale > 0.0 ? row->scale * known - wanted / row->scale : 0.0;
    double bound = is_bounded ? h * t->def.spring_limit / row->scale : INFINITY;
    return (crn_contact_row){sides.a, sides.b, sides.jacobian_a, sides.jacobian_b, offset, bound};
}

/* --- Whose --- */

crn_row_bodies crn_step_row_bodies(const crn_stepper *s, int joint, int tendon)
{
    if (tendon > 0) {
        return (crn_row_bodies){crn_tendon_body(s, &s->tendon[tendon - 1]), -1};
    }
    return (crn_row_bodies){s->joint[joint].a, s->joint[joint].b};
}

double *crn_step_limit_impulse(crn_stepper *s, const crn_step_limit *limit)
{
    return limit->tendon > 0 ? &s->tendon[limit->tendon - 1].limit[limit->slot]
                             : &s->joint[limit->joint].limit[limit->slot];
}
