/* Trees as linear maps: chain_tree.h.
 *
 * A kick of a tree ends with X v+ = P v- + k f + J'r (trees_kick.c; X, P: mass with what is implicit of springs and dampers, f: gravity and
 * forces along velocities, k: how long they act). With z = v+ - v- and all that acts from outside standing still in the world,
 *
 *     impulse by v-   P           by coordinates   -d/dq (H z - k g - J'w),    the derivative of inverse dynamics at rest,
 *
 * and what springs and dampers add is differenced: how hard they are to move is an entry of the factor of H. So is the drift, which no
 * other body feels. */
#include "step/chain_tree.h"

#include <math.h>
#include <string.h>

#include "math/vec.h"
#include "step/moment.h"

/* Of coordinates [rad, m], and of velocities times h: the square is left out, rounding over it comes in. */
#define CHANGE 1e-4
/* Of velocities of joints [rad/s, m/s] and of targets [rad, m], in which forces of joints are linear. */
#define LINEAR 1e-4

/* Velocities of trees that are covered: maps are matrices, and to make them takes longer than a product by differences. */
enum { VELOCITIES_MOST = 200 };

/* --- What is covered --- */

static bool is_plain(const crn_stepper *s, const crn_step_mechanism *m)
{
    const crn_step_tree *tree = &s->forest.tree[m->tree];
    bool is_fine =
        m->trees == 1 && m->loops == 0 && !m->is_driven && m->whitened == tree->tree->velocities && crn_is_awake(s, m);
    for (int i = 0; i < tree->tree->links && is_fine; ++i) {
        const crn_step_body *b = &s->body[s->forest.body[tree->link + i]];
        is_fine = b->linear_damping == 0.0 && b->angular_damping == 0.0 && b->gravity_scale == 1.0;
    }
    return is_fine;
}

/* Does a tendon do nothing but limit its length? Where it does that the kick has a limit of it. */
static bool is_idle(const crn_step_tendon *t)
{
    bool is_passive = t->def.stiffness == 0.0 && t->def.damping == 0.0 && t->def.friction == 0.0;
    return !t->is_used || (is_passive && t->control_force == 0.0 && t->control_target == 0.0);
}

bool crn_chain_covers_trees(const crn_stepper *s)
{
    bool is_fine = s->forest.loops == 0;
    for (int i = 0; i < s->tendons && is_fine; ++i) {
        is_fine = is_idle(&s->tendon[i]);
    }
    for (int i = 0; i < s->forest.mechanisms && is_fine; ++i) {
        is_fine = s->forest.mechanism[i].tree == i && is_plain(s, &s->forest.mechanism[i]);
    }
    return is_fine;
}

/* --- Memory --- */

int crn_chain_number_of(const crn_stepper *s, const crn_chain_kick *kick, int body)
{
    for (int i = 0; i < kick->links && s->body[body].tree > 0; ++i) {
        if (kick->link[i].body == body) {
            return s->problem.rigid + i;
        }
    }
    return s->body[body].tree > 0 ? -1 : s->body[body].at;
}

#define RESERVE(field, count) \
    crn_reserve(&s->allocator, (void **)&kick->field, &kick->field##_capacity, (count), sizeof *kick->field)

/* Links of contacts, each once. */
static bool list_links(const crn_stepper *s, crn_chain_kick *kick)
{
    kick->links = 0;
    for (int i = 0; i < 2 * s->now.contacts; ++i) {
        const crn_step_pair *pair = &s->now.pair[i / 2];
        int body = s->shape[i % 2 == 0 ? pair->shape_a : pair->shape_b].body;
        if (s->body[body].tree == 0 || crn_chain_number_of(s, kick, body) >= 0) {
            continue;
        }
        if (!RESERVE(link, kick->links + 1)) {
            return false;
        }
        kick->link[kick->links++] = (crn_chain_link){.body = body, .tree = s->body[body].tree - 1};
    }
    return true;
}

static double *take(double **space, int count)
{
    double *to = *space;
    *space += count;
    return to;
}

/* Cut into parts, as numbers_of() counts them. Returns the rest: of Jacobians, 3 of a contact on both sides, 1 of a row. */
static double *lay_out(const crn_stepper *s, crn_chain_kick *kick, double *space)
{
    for (int i = 0; i < s->forest.trees; ++i) {
        int n = s->forest.tree[i].tree->velocities;
        kick->tree[i] = (crn_chain_tree){.u = s->forest.tree[i].u, .n = n};
        kick->tree[i].mass = take(&space, n * n);
        kick->tree[i].by_v = take(&space, n * n);
        kick->tree[i].by_q = take(&space, n * n);
        kick->tree[i].by_target = take(&space, n);
    }
    for (int i = 0; i < kick->links; ++i) {
        crn_chain_link *link = &kick->link[i];
        int count = 6 * kick->tree[link->tree].n;
        link->place = take(&space, count);
        link->start = take(&space, count);
        link->before = take(&space, count);
        link->after = take(&space, count);
    }
    return space;
}

static int numbers_of(const crn_stepper *s, const crn_chain_kick *kick)
{
    int count = 0, widest = 6;
    for (int i = 0; i < s->forest.trees; ++i) {
        int n = s->forest.tree[i].tree->velocities;
        count += 3 * n * n + n;
        widest = n > widest ? n : widest;
    }
    for (int i = 0; i < kick->links; ++i) {
        count += 24 * s->forest.tree[kick->link[i].tree].tree->velocities;
    }
    return count + widest * (6 * (s->now.contacts + s->limits) + s->rows);
}

/* --- Masses --- */

/* Forces of joints by velocities, each by its own, armature included. */
static void difference_forces(crn_stepper *s, int t, double *to)
{
    crn_step_forest *f = &s->forest;
    crn_step_tree *tree = &f->tree[t];
    double *u = f->loop_u; /* free without loops */
    int n = tree->tree->velocities;
    crn_clear_numbers(to, n);
    for (int side = 0; side < 2; ++side) {
        double by = side == 0 ? LINEAR : -LINEAR;
        for (int k = tree->u; k < tree->u + n; ++k) {
            u[k] = f->before[k] + by;
        }
        crn_trees_joint_forces(s, tree, u, s->kick.time);
        crn_axpy(n, 0.5 / by, f->force + tree->u, to);
    }
    crn_trees_joint_forces(s, tree, f->before, s->kick.time); /* as they were */
}

/* How a spring of a coordinate pushes as its target moves: not at all where its limit bounds it, and nothing of it is implicit. */
static double pull_of(const crn_stepper *s, const crn_step_tree *tree, int i, int k)
{
    int joint = s->forest.joint[tree->link + i];
    const crn_link *link = &tree->tree->link[i];
    bool is_spring =
        joint >= 0 && crn_joint_kind_coordinates(link->kind) > 0 && s->forest.extra[tree->u + link->u + k] > 0.0;
    return is_spring ? s->kick.time * s->joint[joint].def.axis[k].stiffness : 0.0;
}

static void weigh(crn_stepper *s, crn_chain_kick *kick, int t)
{
    crn_step_forest *f = &s->forest;
    const crn_step_tree *tree = &f->tree[t];
    crn_chain_tree *to = &kick->tree[t];
    int n = to->n;
    crn_tree_mass_matrix(tree->tree, f->q + tree->q, to->mass);
    crn_copy_numbers(to->by_v, to->mass, n * n);
    difference_forces(s, t, to->by_target);
    for (int i = 0; i < tree->tree->links; ++i) {
        const crn_link *link = &tree->tree->link[i];
        for (int k = 0; k < link->freedom; ++k) { /* the armature is in the mass already */
            int at = link->u + k;
            to->by_v[at + n * at] += to->by_target[at] - link->armature[k];
            to->mass[at + n * at] += f->extra[tree->u + at];
            to->by_target[at] = pull_of(s, tree, i, k);
        }
    }
}

bool crn_chain_take_trees(crn_step_chain *chain, crn_chain_kick *kick)
{
    crn_stepper *s = chain->stepper;
    if (!list_links(s, kick) || !RESERVE(tree, s->forest.trees) || !RESERVE(number, numbers_of(s, kick))) {
        return false;
    }
    kick->jacobian = lay_out(s, kick, kick->number);
    for (int t = 0; t < s->forest.trees; ++t) {
        weigh(s, kick, t);
    }
    for (int i = 0; i < kick->links; ++i) {
        const crn_chain_link *link = &kick->link[i];
        const crn_step_tree *tree = &s->forest.tree[link->tree];
        crn_tree_link_motion(tree->tree, s->body[link->body].link, s->forest.before + tree->u, link->place,
                             link->before);
    }
    return true;
}

/* --- What acts --- */

/* Wrenches of contacts on the links of a tree, about the world's origin. */
static void add_wrenches(const crn_stepper *s, const crn_chain_kick *kick, int t, const double *impulse, double *wrench)
{
    const crn_step_tree *tree = &s->forest.tree[t];
    crn_clear_numbers(wrench, 6 * tree->tree->links);
    for (int i = 0; i < 2 * s->now.contacts; ++i) {
        const crn_step_pair *pair = &s->now.pair[i / 2];
        const crn_contact_point *point = &kick->point[i / 2];
        const crn_step_body *b = &s->body[s->shape[i % 2 == 0 ? pair->shape_a : pair->shape_b].body];
        const double *axis[3] = {point->normal, point->t1, point->t2}, *r = impulse + 3 * (size_t)(i / 2);
        crn_vec3 force = {0, 0, 0};
        for (int k = 0; k < 3 && b->tree == t + 1; ++k) {
            force = crn_v3_axpy(force, i % 2 == 0 ? r[k] : -r[k], crn_v3_of(axis[k]));
        }
        if (b->tree == t + 1) {
            double *to = wrench + 6 * (size_t)b->link;
            crn_v3_to(crn_v3_add(crn_v3_of(to), crn_v3_cross(crn_v3_of(point->position), force)), to);
            crn_v3_to(crn_v3_add(crn_v3_of(to + 3), force), to + 3);
        }
    }
}

/* What is implicit and what springs do where the tree is placed now, as an impulse: its mass without springs is factored. */
static void joint_impulses(crn_stepper *s, int t, const double *after, double *to)
{
    crn_step_forest *f = &s->forest;
    crn_step_tree *tree = &f->tree[t];
    crn_step_mechanism *m = &f->mechanism[tree->mechanism];
    m->has_factor = false;
    crn_trees_note_inertia(s, m);
    crn_trees_joint_forces(s, tree, f->before, s->kick.time);
    for (int k = tree->u; k < tree->u + tree->tree->velocities; ++k) {
        to[k - tree->u] = f->force[k] - f->extra[k] * after[k];
    }
}

/* by_q += how these change with coordinates. Everything is as before afterwards. */
static void difference_joints(crn_stepper *s, const crn_chain_tree *to, int t, const double *after)
{
    crn_step_forest *f = &s->forest;
    crn_step_tree *tree = &f->tree[t];
    crn_step_mechanism *m = &f->mechanism[tree->mechanism];
    double *unit = f->loop_u + tree->u, *q = f->q + tree->q, *kept = f->middle + tree->q, *side = f->rotor + tree->u;
    crn_copy_numbers(kept, q, tree->tree->coordinates);
    crn_clear_numbers(unit, to->n);
    for (int j = 0; j < 2 * to->n; ++j) {
        double by = j % 2 == 0 ? CHANGE : -CHANGE;
        unit[j / 2] = 1.0;
        crn_tree_advance(tree->tree, kept, unit, by, q);
        unit[j / 2] = 0.0;
        crn_tree_place(tree->tree, q);
        joint_impulses(s, t, after, side);
        crn_axpy(to->n, 0.5 / by, side, to->by_q + to->n * (j / 2));
    }
    crn_copy_numbers(q, kept, tree->tree->coordinates);
    crn_tree_place(tree->tree, q);
    joint_impulses(s, t, after, side);
    (void)crn_trees_factor(s, m, f->extra);
}

static void act(crn_step_chain *chain, crn_chain_kick *kick, int t, const double *impulse, const double *after)
{
    crn_stepper *s = chain->stepper;
    crn_step_forest *f = &s->forest;
    const crn_step_tree *tree = &f->tree[t];
    const crn_chain_tree *to = &kick->tree[t];
    double *wrench = f->loop_V + 6 * (size_t)tree->link, *rest = f->loop_u + tree->u, *z = f->rotor + tree->u;
    crn_tree_load load = {.gravity = crn_v3_scale(s->kick.time, s->def.gravity), .wrench = wrench};
    add_wrenches(s, kick, t, impulse, wrench);
    crn_clear_numbers(rest, to->n);
    for (int k = 0; k < to->n; ++k) {
        z[k] = after[tree->u + k] - f->before[tree->u + k];
    }
    crn_tree_inverse_derivatives(tree->tree, f->q + tree->q, rest, z, &load, to->by_q, NULL, NULL);
    crn_scal(to->n * to->n, -1.0, to->by_q);
    if (f->mechanism[tree->mechanism].is_stiff) {
        difference_joints(s, to, t, after);
    }
}

void crn_chain_finish_trees(crn_step_chain *chain, crn_chain_kick *kick, const double *impulse, const double *after)
{
    crn_stepper *s = chain->stepper;
    for (int i = 0; i < kick->links; ++i) {
        const crn_chain_link *link = &kick->link[i];
        const crn_step_tree *tree = &s->forest.tree[link->tree];
        crn_tree_link_motion(tree->tree, s->body[link->body].link, after + tree->u, link->place, link->after);
    }
    for (int t = 0; t < s->forest.trees; ++t) {
        act(chain, kick, t, impulse, after);
    }
}

/* --- Drifts --- */

/* One tree from the coordinates and velocities of the forest. False: it cannot. */
static bool drift(crn_step_chain *chain, crn_step_mechanism *m, int parts)
{
    crn_trees_place(chain->stepper, m);
    return crn_trees_drift_alone(chain->stepper, m, chain->h) && (parts == 0 || m->drifts == parts);
}

/* Where the tree begins, its coordinate or velocity j changed. */
static void begin_at(crn_step_chain *chain, const crn_step_tree *tree, int j, double by)
{
    crn_step_forest *f = &chain->stepper->forest;
    double *unit = f->loop_u + tree->u, *q = f->q + tree->q, *u = f->u + tree->u;
    int n = tree->tree->velocities;
    crn_clear_numbers(unit, n);
    unit[j % n] = 1.0;
    crn_tree_advance(tree->tree, f->q_begin + tree->q, unit, j < n ? by : 0.0, q);
    crn_copy_numbers(u, chain->tree_speed + tree->u, n);
    u[j % n] += j < n ? 0.0 : by / chain->h;
}

static bool drift_tree(crn_step_chain *chain, int t, double *map)
{
    crn_stepper *s = chain->stepper;
    crn_step_forest *f = &s->forest;
    const crn_step_tree *tree = &f->tree[t];
    crn_step_mechanism *m = &f->mechanism[tree->mechanism];
    int n = tree->tree->velocities;
    double *end = f->q_sum + tree->q, *moved = f->u_sum + tree->u;
    begin_at(chain, tree, 0, 0.0);
    bool is_fine = drift(chain, m, 0);
    int parts = m->drifts;
    crn_copy_numbers(end, f->q + tree->q, tree->tree->coordinates);
    crn_clear_numbers(map, 4 * n * n);
    for (int j = 0; j < 4 * n && is_fine; ++j) {
        double *column = map + 2 * n * (j / 2), by = j % 2 == 0 ? CHANGE : -CHANGE, over = 0.5 / by;
        begin_at(chain, tree, j / 2, by);
        is_fine = drift(chain, m, parts);
        crn_tangent_tree_since(tree->tree, f->q + tree->q, end, moved);
        over *= j / 2 < n ? 1.0 : chain->h;
        crn_axpy(n, over, moved, column);
        crn_axpy(n, over, f->before + tree->u, column + n);
    }
    return is_fine;
}

/* Places of links by coordinates, where trees stood when the step began. */
static void start_links(crn_step_chain *chain, crn_chain_kick *kick)
{
    crn_stepper *s = chain->stepper;
    for (int i = 0; i < kick->links; ++i) {
        const crn_chain_link *link = &kick->link[i];
        const crn_step_tree *tree = &s->forest.tree[link->tree];
        crn_tree_link_motion(tree->tree, s->body[link->body].link, chain->tree_speed + tree->u, link->start, NULL);
    }
}

bool crn_chain_drift_trees(crn_step_chain *chain)
{
    crn_step_forest *f = &chain->stepper->forest;
    double *map = chain->tree_drift;
    bool is_fine = true;
    for (int t = 0; t < f->trees; ++t) {
        crn_tree_place(f->tree[t].tree, f->q_begin + f->tree[t].q);
    }
    for (int i = 0; i < chain->kicks; ++i) {
        start_links(chain, &chain->kick[i]);
    }
    for (int t = 0; t < f->trees && is_fine; ++t) {
        int n = f->tree[t].tree->velocities;
        is_fine = drift_tree(chain, t, map);
        map += 4 * n * n;
    }
    return is_fine;
}
