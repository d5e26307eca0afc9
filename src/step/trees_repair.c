/* Position repair after the drift of trees [section 7].
 *
 * Links move on arcs, so that contacts and loops that held in velocities are off by O(h^2) in positions. Speeds that would
 * undo this inject energy; instead positions alone are moved, by as little as the metric of mass allows:
 *
 *     min 1/2 d'H d :  g + G d = 0,   gap + J_n d >= 0,
 *
 * the problem of the kick without friction, distances for speeds. Repeated until nothing is off by more than the tolerance.
 * Momentum is not touched: what links carry stays, and is projected at the repaired place. What cannot part is put back: it
 * would be moved about for nothing, again in every step. Joints come first: where they are open beside it, overlap yields. */
#include <math.h>
#include <string.h>

#include "math/elementary.h"
#include "math/forest.h"
#include "step/loops.h"
#include "step/tendons.h"
#include "step/verdict.h"

enum { REPAIRS_MOST = 30 };
static const double TURN_MOST = 0.2;      /* [rad] a repair: columns are true only so far */
static const double GAIN_LEAST = 0.9;     /* a repair that leaves more of the error than this was in vain ... */
static const double JAMMED_BEYOND = 10.0; /* tolerances: what is left by more than so has no room to part */
enum { IN_VAIN_MOST = 8 };                /* ... and so many end it: taut strings need some before they give */
/* Where light links hold a heavy one, least motion by mass turns the light ones so far that the columns are not true. After a
 * repair in vain joints resist: by this share of the inertia that each moves, ten times that after the next. */
static const double RESISTANCE = 1e-3, RESISTANCE_GROWS = 10.0;

static const double BRANCH_SHARE = 1e-6; /* of the tolerance: where a step is differentiated */

/* The largest overlap, passed limit or error of a loop that a motion can close. */
static double worst_error(crn_stepper *s)
{
    double worst = 0.0;
    if (s->branch && s->branch->is_replaying) {
        return crn_fmax(crn_branch_position_error(s), crn_loops_repairable(s));
    }
    for (int i = 0; i < s->now.contacts; ++i) {
        worst = crn_fmax(worst, -crn_step_repair_gap(s, i));
    }
    for (int i = 0; i < s->limits; ++i) {
        worst = crn_fmax(worst, -crn_step_repair_limit(s, i));
    }
    return crn_fmax(worst, crn_loops_repairable(s));
}

static double largest(const double *x, int count)
{
    double most = 0.0;
    for (int i = 0; i < count; ++i) {
        most = crn_fmax(most, fabs(x[i]));
    }
    return most;
}

/* Move a mechanism by what the problem found; was it moved at all? */
static void move_mechanism(crn_stepper *s, crn_step_mechanism *m, bool is_resisting)
{
    crn_step_forest *f = &s->forest;
    double mass;
    crn_vec3 com = crn_trees_mass_centre(s, m, &mass);
    crn_trees_from_problem(s, m);
    crn_trees_add_shift(s, m);
    if (largest(f->nu + m->w, m->whitened) == 0.0) {
        return;
    }
    for (int t = m->tree; t < m->tree + m->trees; ++t) {
        const crn_step_tree *tree = &f->tree[t];
        double *u = f->force + tree->u, *V = f->V + 6 * (size_t)tree->link, turn = 0.0;
        memset(u, 0, (size_t)tree->tree->velocities * sizeof *u);
        crn_tree_unwhiten(tree->tree, f->nu + tree->w, u, V);
        for (int i = 0; i < tree->tree->links; ++i) {
            turn = crn_fmax(turn, crn_v3_length(crn_v3_of(V + 6 * (size_t)i)));
        }
        crn_tree_advance(tree->tree, f->q + tree->q, u, turn > TURN_MOST ? TURN_MOST / turn : 1.0, f->q + tree->q);
    }
    crn_trees_place(s, m);
    if (is_resisting && m->is_unheld && !m->kept.is_touched) { /* alone in the air, its centre stays */
        crn_trees_shift_centre(s, m, com, 0.0);
        crn_trees_place(s, m);
    }
}

static void move_body(crn_stepper *s, int at)
{
    crn_rigid *rigid = &s->body[s->problem.body_of[at]].rigid;
    crn_vec3 turn, shift;
    crn_step_found(s, s->problem.found, at, &turn, &shift);
    double angle = crn_v3_length(turn), share = angle > TURN_MOST ? TURN_MOST / angle : 1.0;
    if (angle > 0.0 || crn_v3_length(shift) > 0.0) {
        crn_quat by = crn_quat_exp(crn_v3_scale(share, turn));
        rigid->pose.position = crn_v3_axpy(rigid->pose.position, share, shift);
        rigid->pose.rotation = crn_quat_unit(crn_quat_product(by, rigid->pose.rotation));
        rigid->w = crn_quat_turn(by, rigid->w); /* it turns with the body, which keeps its energy */
        crn_rigid_refresh(rigid);
    }
}

/* Mass of a mechanism, and its moment of inertia about its centre of mass in the mean of all directions. */
static double whole_inertia(const crn_stepper *s, const crn_step_mechanism *m, double *mass)
{
    crn_vec3 com = crn_trees_mass_centre(s, m, mass);
    double sum = 0.0;
    for (int t = m->tree; t < m->tree + m->trees; ++t) {
        for (int i = 0; i < s->forest.tree[t].tree->links; ++i) {
            const crn_link *link = &s->forest.tree[t].tree->link[i];
            crn_vec3 arm = crn_v3_sub(link->frame.position, com);
            const double *I = link->inertia_world.m;
            sum += 2.0 * link->mass * crn_v3_dot(arm, arm) + I[0] + I[4] + I[8];
        }
    }
    return sum / 3.0;
}

/* Into extra: share times the inertia of the whole mechanism, for every joint: so light links turn no farther than heavy ones. The
 * root of a mechanism that floats in one piece is left out: it need not move for what links do to one another. */
static void stiffen(crn_stepper *s, const crn_step_mechanism *m, double share)
{
    double mass, inertia = whole_inertia(s, m, &mass);
    for (int t = m->tree; t < m->tree + m->trees; ++t) {
        const crn_step_tree *tree = &s->forest.tree[t];
        double *extra = s->forest.extra + tree->u;
        memset(extra, 0, (size_t)tree->tree->velocities * sizeof *extra);
        for (int i = (int)(tree->is_floating && m->trees == 1); i < tree->tree->links; ++i) {
            const crn_link *link = &tree->tree->link[i];
            for (int k = 0; k < link->freedom; ++k) {
                crn_vec3 w = crn_v3_of(link->S + 6 * k);
                bool is_turn = crn_v3_dot(w, w) > 0.0;
                extra[link->u + k] = share * (is_turn ? inertia : mass);
            }
        }
    }
}

/* Into extra: springs resist as in the kick, by h^2 times their stiffness: a repair that turns light links against them would store
 * energy there. */
static void stiffen_springs(crn_stepper *s, const crn_step_mechanism *m, double h)
{
    for (int t = m->tree; t < m->tree + m->trees; ++t) {
        const crn_step_tree *tree = &s->forest.tree[t];
        for (int i = 0; i < tree->tree->links; ++i) {
            const crn_link *link = &tree->tree->link[i];
            int joint = s->forest.joint[tree->link + i];
            bool has_coordinates = crn_joint_kind_coordinates(link->kind) > 0;
            for (int k = 0; k < link->freedom && joint >= 0; ++k) {
                s->forest.extra[tree->u + link->u + k] +=
                    h * h * s->joint[joint].def.axis[has_coordinates ? k : 0].stiffness;
            }
        }
    }
}

/* resistance: of joints, as a share of the inertia that they move; 0: none. */
static void prepare(crn_stepper *s, crn_step_mechanism *m, double resistance, double h)
{
    bool is_stiffer = resistance > 0.0 || m->has_springs;
    if (is_stiffer) {
        stiffen(s, m, resistance);
        stiffen_springs(s, m, h);
    }
    crn_loops_update(s, m);
    if (is_stiffer) {
        (void)crn_trees_factor(s, m, s->forest.extra);
        crn_loops_refactor(s, m);
    }
    crn_loops_shift_errors(s, m);
}

static crn_status repair_once(crn_stepper *s, double resistance, double h, crn_error *error)
{
    crn_step_answer answer = {0};
    for (int i = 0; i < s->forest.mechanisms; ++i) {
        crn_step_mechanism *m = &s->forest.mechanism[i];
        if (m->at >= 0) {
            prepare(s, m, resistance, h);
        }
    }
    crn_status status = crn_step_build_positions(s, error);
    if (status == CRN_OK) {
        status = crn_step_solve(s, &answer, error);
    }
    if (status == CRN_OK) {
        crn_trees_note_touched(s);
    }
    for (int i = 0; i < s->problem.rigid && status == CRN_OK; ++i) {
        move_body(s, i);
    }
    for (int i = 0; i < s->forest.mechanisms && status == CRN_OK; ++i) {
        crn_step_mechanism *m = &s->forest.mechanism[i];
        if (m->at >= 0) {
            move_mechanism(s, m, resistance > 0.0);
            (void)crn_trees_factor(s, m, NULL);
        }
    }
    return status;
}

/* --- What cannot part --- */

static void note_off(crn_stepper *s, int body, double error)
{
    if (body >= 0) {
        s->body[body].repair.off = crn_fmax(s->body[body].repair.off, error);
    }
}

static int first_body(const crn_stepper *s, const crn_step_mechanism *m)
{
    return s->forest.body[s->forest.tree[m->tree].link];
}

/* What joins the links of a mechanism is off. */
static void note_open(crn_stepper *s, const crn_step_mechanism *m, double error)
{
    crn_body_repair *repair = &s->body[first_body(s, m)].repair;
    note_off(s, first_body(s, m), error);
    repair->is_open = repair->is_open || error > JAMMED_BEYOND * crn_repair_tolerance(&s->def);
}

/* Worst error at each body. */
static void find_off(crn_stepper *s)
{
    for (int i = 0; i < s->bodies; ++i) {
        s->body[i].repair.off = 0.0;
        s->body[i].repair.is_open = false;
    }
    for (int i = 0; i < s->now.contacts; ++i) {
        note_off(s, s->shape[s->now.pair[i].shape_a].body, -crn_step_repair_gap(s, i));
        note_off(s, s->shape[s->now.pair[i].shape_b].body, -crn_step_repair_gap(s, i));
    }
    for (int i = 0; i < s->limits; ++i) {
        crn_row_bodies of = crn_step_row_bodies(s, s->limit[i].joint, s->limit[i].tendon);
        note_off(s, of.a, -crn_step_repair_limit(s, i));
        note_off(s, of.b, -crn_step_repair_limit(s, i));
    }
    for (int i = 0; i < s->forest.mechanisms; ++i) {
        const crn_step_mechanism *m = &s->forest.mechanism[i];
        if (m->at >= 0 && m->loops > 0) {
            note_open(s, m, m->closure.worst);
        }
    }
    for (int i = 0; i < s->forest.stops; ++i) {
        note_open(s, &s->forest.mechanism[s->forest.stop[i].mechanism], s->forest.stop[i].excess);
    }
}

static void remember_places(crn_stepper *s)
{
    find_off(s);
    for (int i = 0; i < s->bodies; ++i) {
        s->body[i].repair.off_then = s->body[i].repair.off;
        s->body[i].repair.pose = s->body[i].rigid.pose;
        s->body[i].repair.w = s->body[i].rigid.w;
    }
    crn_copy_numbers(s->forest.q_sum, s->forest.q, s->forest.coordinates); /* Runge and Kutta need it no more */
}

static bool is_free(const crn_stepper *s, int body)
{
    return s->body[body].kind == CRN_BODY_FREE;
}

/* Bodies that touch or are joined. */
static void join_touching(crn_stepper *s)
{
    const crn_step_forest *f = &s->forest;
    for (int i = 0; i < s->bodies; ++i) {
        s->group[i] = i;
    }
    for (int i = 0; i < s->now.contacts; ++i) {
        int a = s->shape[s->now.pair[i].shape_a].body, b = s->shape[s->now.pair[i].shape_b].body;
        if (crn_step_repair_gap(s, i) <= crn_repair_tolerance(&s->def) && is_free(s, a) && is_free(s, b)) {
            (void)crn_forest_join(s->group, a, b);
        }
    }
    for (int i = 0; i < f->links; ++i) {
        const crn_step_mechanism *m = crn_mechanism_of(s, f->body[i]);
        (void)crn_forest_join(s->group, f->body[i], first_body(s, m));
    }
}

/* Worst errors of groups, at their roots. */
static void gather_off(crn_stepper *s)
{
    for (int i = 0; i < s->bodies; ++i) {
        crn_step_body *root = &s->body[crn_forest_root(s->group, i)];
        root->repair.off = crn_fmax(root->repair.off, s->body[i].repair.off);
        root->repair.off_then = crn_fmax(root->repair.off_then, s->body[i].repair.off_then);
        root->repair.is_open = root->repair.is_open || s->body[i].repair.is_open;
    }
}

/* Did repairs end in vain for this group? Overlap may become less and joints open for it: that is not what is wanted. */
static bool is_in_vain(const crn_body_repair *root, crn_step_overlap overlap, double least)
{
    if (overlap == CRN_OVERLAP_YIELDS) {
        return root->is_open;
    }
    return root->off > least && (root->is_open || root->off > GAIN_LEAST * root->off_then);
}

/* Put back groups for which repairs were in vain; their overlap is to be treated so. Are there any? */
static bool put_back(crn_stepper *s, crn_step_overlap overlap)
{
    crn_step_forest *f = &s->forest;
    double least = JAMMED_BEYOND * crn_repair_tolerance(&s->def);
    bool any = false;
    find_off(s);
    join_touching(s);
    gather_off(s);
    for (int i = 0; i < s->bodies; ++i) {
        const crn_step_body *root = &s->body[crn_forest_root(s->group, i)];
        crn_step_body *body = &s->body[i];
        bool is_back = is_free(s, i) && is_in_vain(&root->repair, overlap, least);
        body->repair.overlap = is_back ? overlap : body->repair.overlap;
        any = any || is_back;
        if (is_back && body->tree == 0) {
            body->rigid.pose = body->repair.pose;
            body->rigid.w = body->repair.w;
            crn_rigid_refresh(&body->rigid);
        }
    }
    for (int i = 0; i < f->mechanisms; ++i) {
        crn_step_mechanism *m = &f->mechanism[i];
        if (m->at >= 0 && s->body[first_body(s, m)].repair.overlap == overlap) {
            const crn_step_tree *first = &f->tree[m->tree], *last = &f->tree[m->tree + m->trees - 1];
            int count = last->q + last->tree->coordinates - first->q;
            crn_copy_numbers(f->q + first->q, f->q_sum + first->q, count);
            crn_trees_place(s, m);
            (void)crn_trees_factor(s, m, NULL);
        }
    }
    return any;
}

/* What may be left. Steps that are differentiated are repaired to rounding, or not at all. */
static double tolerance_of(const crn_stepper *s)
{
    if (!s->branch || !s->branch->is_replaying) {
        return crn_repair_tolerance(&s->def);
    }
    return s->branch->has_repairs ? BRANCH_SHARE * crn_repair_tolerance(&s->def) : INFINITY;
}

bool crn_trees_is_off(crn_stepper *s)
{
    return worst_error(s) > tolerance_of(s);
}

/* Repair until nothing is off, or it goes in vain. */
static crn_status repair_all(crn_stepper *s, double h, int *repairs, crn_error *error)
{
    double tolerance = tolerance_of(s), before = INFINITY, resistance = 0.0;
    int in_vain = 0, in_vain_most = s->branch && s->branch->is_replaying ? 0 : IN_VAIN_MOST; /* 0: down to rounding */
    crn_status status = CRN_OK;
    for (int k = 0; k < REPAIRS_MOST && status == CRN_OK; ++k) {
        double worst = worst_error(s);
        if (worst > GAIN_LEAST * before) {
            resistance = ++in_vain == 1 ? RESISTANCE : RESISTANCE_GROWS * resistance;
        }
        if (!(worst > tolerance) || in_vain > in_vain_most) {
            break;
        }
        before = worst;
        status = repair_once(s, resistance, h, error);
        if (status == CRN_OK) {
            bool is_first = ++*repairs == 1 && !s->branch;
            status = is_first ? crn_trees_look_again(s, h, error) : crn_trees_look(s, h, error);
        }
    }
    return status;
}

/* Are its loops off by more than repairs and clearances leave? */
static bool is_off(const crn_step_closure *c, double most)
{
    return c->worst > most || c->opening > c->clearance + most || c->misfit > c->misfit_allowed + most;
}

/* Given motions along directions that loops hardly hold may ask for any speed. */
static bool is_wild(const crn_stepper *s, const crn_step_mechanism *m)
{
    bool any = false;
    for (int t = m->tree; t < m->tree + m->trees; ++t) {
        for (int k = 0; k < s->forest.tree[t].tree->links; ++k) {
            const crn_step_body *body = &s->body[s->forest.body[s->forest.tree[t].link + k]];
            any = any || !crn_step_is_sane(body->next_v) || !crn_step_is_sane(body->next_w) ||
                  !crn_step_is_sane(body->rigid.v) || !crn_step_is_sane(body->rigid.w);
        }
    }
    return any;
}

void crn_trees_find_contradicted(crn_stepper *s)
{
    double most = JAMMED_BEYOND * crn_repair_tolerance(&s->def);
    for (int i = 0; i < s->forest.links; ++i) {
        const crn_step_body *body = &s->body[s->forest.body[i]];
        const crn_step_mechanism *m = crn_mechanism_of(s, s->forest.body[i]);
        if (s->forest.joint[i] >= 0) {
            bool is_driven = s->forest.tree[body->tree - 1].tree->link[body->link].is_driven;
            s->joint[s->forest.joint[i]].is_contradicted =
                is_driven && m->loops > 0 && (is_off(&m->closure, most) || is_wild(s, m));
        }
    }
}

void crn_step_release_motors(crn_stepper *s)
{
    for (int i = 0; i < s->joints; ++i) {
        if (s->joint[i].is_used && s->joint[i].is_contradicted) {
            s->joint[i].gives_way = true;
            s->joint[i].is_contradicted = false;
            s->forest.is_stale = true;
        }
    }
}

crn_status crn_trees_repair(crn_stepper *s, double h, int *repairs, bool *is_jammed, crn_error *error)
{
    *repairs = 0;
    if (crn_trees_is_off(s)) {
        remember_places(s);
    }
    crn_status status = repair_all(s, h, repairs, error);
    *is_jammed = status == CRN_OK && worst_error(s) > JAMMED_BEYOND * crn_repair_tolerance(&s->def);
    crn_step_overlap overlap = CRN_OVERLAP_STAYS;
    for (; *is_jammed && status == CRN_OK && overlap <= CRN_OVERLAP_YIELDS; ++overlap) {
        if (put_back(s, overlap)) {
            status = crn_trees_look(s, h, error);
            status = status == CRN_OK ? repair_all(s, h, repairs, error) : status;
        }
    }
    return status;
}
