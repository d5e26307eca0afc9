/* Planting: which bodies are links of which tree, and which trees are connected by loops.
 *
 * A joint with in_tree makes b a link and a its parent. Where a world has trees, every body with a joint is a link: one
 * without a parent is the root of a tree of its own, free or on what carries it. All other joints close loops. Trees that
 * loops or tendons connect are a mechanism. */
#include <string.h>

#include "math/forest.h"
#include "step/loops.h"
#include "step/tendons.h"

static bool is_free(const crn_stepper *s, int body)
{
    return body >= 0 && s->body[body].id.index1 != 0 && s->body[body].kind == CRN_BODY_FREE;
}

static bool is_in_tree(const crn_step_joint *joint)
{
    return joint->is_used && joint->is_link;
}

/* A coordinate that follows another one is held as a loop is. */
static bool has_follower(const crn_step_joint *joint)
{
    bool follows = false;
    for (int k = 0; k < crn_joint_kind_coordinates(joint->def.kind); ++k) {
        follows = follows || joint->def.axis[k].follows > 0;
    }
    return follows;
}

static bool holds_something(const crn_step_joint *joint)
{
    return joint->is_used && joint->def.kind != CRN_JOINT_FREE;
}

static bool is_loop(const crn_step_joint *joint)
{
    return holds_something(joint) && (joint->is_link ? has_follower(joint) : true);
}

/* --- Sizes and memory --- */

typedef struct plan {
    crn_step_forest f; /* counts, then arrays */
    size_t numbers;    /* of all closures */
    size_t rows;       /* of all loops */
    int tendons;
    double *number;
    int *order;
} plan;

static void layout(crn_arena *arena, plan *n)
{
    crn_step_forest *f = &n->f;
    f->tree = CRN_TAKE(arena, crn_step_tree, f->trees);
    f->mechanism = CRN_TAKE(arena, crn_step_mechanism, f->mechanisms);
    f->body = CRN_TAKE(arena, int, f->links);
    f->joint = CRN_TAKE(arena, int, f->links);
    f->loop = CRN_TAKE(arena, crn_step_loop, f->loops);
    f->stop = CRN_TAKE(arena, crn_step_stop, f->loops);
    double **coordinates[] = {&f->q, &f->q_begin, &f->middle, &f->q_sum};
    double **velocities[] = {&f->u,      &f->before, &f->u_begin,      &f->before_begin, &f->rotor,
                             &f->force,  &f->extra,  &f->u_sum,        &f->shown,        &f->shown_begin,
                             &f->loop_u, &f->solved, &f->solved_begin, &f->inertia};
    double **links[] = {&f->V, &f->known, &f->p, &f->loop_V};
    double **whitened[] = {&f->nu, &f->shift}; /* at most as many as velocities and tendons */
    for (size_t i = 0; i < sizeof coordinates / sizeof *coordinates; ++i) {
        *coordinates[i] = CRN_TAKE(arena, double, f->coordinates);
    }
    for (size_t i = 0; i < sizeof velocities / sizeof *velocities; ++i) {
        *velocities[i] = CRN_TAKE(arena, double, f->velocities);
    }
    for (size_t i = 0; i < sizeof links / sizeof *links; ++i) {
        *links[i] = CRN_TAKE(arena, double, 6 * (size_t)f->links);
    }
    for (size_t i = 0; i < sizeof whitened / sizeof *whitened; ++i) {
        *whitened[i] = CRN_TAKE(arena, double, f->velocities + n->tendons);
    }
    f->carry = CRN_TAKE(arena, double, 12 * (size_t)f->links);
    f->moment = CRN_TAKE(arena, double, CRN_MOMENTS *(size_t)f->velocities);
    n->number = CRN_TAKE(arena, double, n->numbers);
    n->order = CRN_TAKE(arena, int, 2 * n->rows); /* order, is_angle */
}

/* --- Groups: bodies that joints connect --- */

/* The free body that a part of a tendon moves; -1: none. */
static int body_of_part(const crn_stepper *s, const crn_step_tendon_part *part)
{
    if (part->kind == CRN_TENDON_PULLEY) {
        return -1;
    }
    int body = part->kind == CRN_TENDON_JOINT ? s->joint[part->joint].b : part->body;
    return is_free(s, body) ? body : -1;
}

/* What a tendon moves is one mechanism. */
static void join_tendon(crn_stepper *s, const crn_step_tendon *t)
{
    int first = -1;
    for (int i = 0; t->is_used && i < t->def.parts; ++i) {
        int body = body_of_part(s, &t->part[i]);
        if (body >= 0 && first >= 0 && body != first) {
            (void)crn_forest_join(s->group, first, body);
        }
        first = first >= 0 ? first : body;
    }
}

static bool join_bodies(crn_stepper *s)
{
    if (!crn_reserve(&s->allocator, (void **)&s->group, &s->group_capacity, s->bodies + 1, sizeof *s->group)) {
        return false;
    }
    for (int i = 0; i < s->bodies; ++i) {
        s->group[i] = i;
    }
    for (int i = 0; i < s->joints; ++i) {
        const crn_step_joint *joint = &s->joint[i];
        if (!holds_something(joint)) {
            continue;
        }
        if (is_free(s, joint->a) && is_free(s, joint->b)) {
            (void)crn_forest_join(s->group, joint->a, joint->b);
        }
        for (int k = 0; k < crn_joint_kind_coordinates(joint->def.kind); ++k) {
            int other = joint->def.axis[k].follows - 1;
            if (other >= 0 && other < s->joints && s->joint[other].is_used) {
                int b = is_free(s, joint->b) ? joint->b : joint->a;
                int c = is_free(s, s->joint[other].b) ? s->joint[other].b : s->joint[other].a;
                if (is_free(s, b) && is_free(s, c)) {
                    (void)crn_forest_join(s->group, b, c);
                }
            }
        }
    }
    for (int i = 0; i < s->tendons; ++i) {
        join_tendon(s, &s->tendon[i]);
    }
    return true;
}

/* The joint that makes a body a link of its parent; -1: none. */
static int parent_joint(const crn_stepper *s, int body)
{
    for (int i = 0; i < s->joints; ++i) {
        if (is_in_tree(&s->joint[i]) && s->joint[i].b == body) {
            return i;
        }
    }
    return -1;
}

/* Is the body a link? Those with joints or tendons are; with Runge-Kutta and Euler all free ones, as trees of one link. */
static bool is_link(const crn_stepper *s, int body)
{
    if (s->def.integrator != CRN_INTEGRATOR_REFLECT) {
        return true;
    }
    for (int i = 0; i < s->joints; ++i) {
        if (holds_something(&s->joint[i]) && (s->joint[i].a == body || s->joint[i].b == body)) {
            return true;
        }
    }
    bool has_tendon = false;
    for (int i = 0; i < s->tendons; ++i) {
        has_tendon = has_tendon || (s->tendon[i].is_used && crn_tendon_passes(&s->tendon[i], body, -1));
    }
    return has_tendon;
}

/* Does a tree begin here? */
static bool is_root(const crn_stepper *s, int body)
{
    if (!is_free(s, body) || !is_link(s, body)) {
        return false;
    }
    int joint = parent_joint(s, body);
    return joint < 0 || !is_free(s, s->joint[joint].a);
}

/* Links of a tree from its root, parents first, into order; how many. */
static int list_links(const crn_stepper *s, int root, int *order)
{
    int count = 0;
    order[count++] = root;
    for (int at = 0; at < count; ++at) {
        for (int i = 0; i < s->joints; ++i) {
            if (is_in_tree(&s->joint[i]) && s->joint[i].a == order[at]) {
                order[count++] = s->joint[i].b;
            }
        }
    }
    return count;
}

/* --- One tree --- */

static bool is_wholly_driven(const crn_joint_def *def)
{
    int coordinates = crn_joint_kind_coordinates(def->kind);
    bool is_driven = coordinates > 0;
    for (int k = 0; k < coordinates; ++k) {
        is_driven = is_driven && def->axis[k].has_motor && isinf(def->axis[k].max_force);
    }
    return is_driven;
}

static crn_pose pose_of(const crn_frame *frame)
{
    return (crn_pose){frame->position, crn_quat_of_matrix(&frame->rotation)};
}

static void define_link(const crn_stepper *s, int body, int joint, int parent, crn_link_def *def)
{
    const crn_rigid *rigid = &s->body[body].rigid;
    *def = crn_link_def_default();
    def->parent = parent;
    def->kind = crn_step_link_kind(s, joint);
    def->mass = rigid->mass;
    def->inertia = rigid->inertia;
    if (joint >= 0) {
        def->frame_a = pose_of(&s->joint[joint].frame_a);
        def->frame_b = pose_of(&s->joint[joint].frame_b);
    }
    for (int k = 0; joint >= 0 && k < crn_joint_kind_freedom(def->kind); ++k) {
        bool is_ball = crn_joint_kind_coordinates(def->kind) == 0;
        def->armature[k] = s->joint[joint].def.axis[is_ball ? 0 : k].armature;
    }
}

static void mark_driven(crn_stepper *s, crn_step_tree *tree)
{
    for (int i = 0; i < tree->tree->links; ++i) {
        int joint = s->forest.joint[tree->link + i];
        crn_link *link = &tree->tree->link[i];
        if (joint >= 0) {
            link->is_driven = is_wholly_driven(&s->joint[joint].def) && !s->joint[joint].gives_way;
        }
    }
    crn_tree_number(tree->tree);
}

static crn_status grow(crn_stepper *s, int index, const int *order, int links, crn_error *error)
{
    crn_step_tree *tree = &s->forest.tree[index];
    crn_link_def *def = crn_allocate(&s->allocator, (size_t)links, sizeof *def);
    if (!def) {
        return crn_fail(error, CRN_ERR_MEMORY, "world: out of memory for trees");
    }
    for (int i = 0; i < links; ++i) {
        crn_step_body *body = &s->body[order[i]];
        int joint = parent_joint(s, order[i]);
        int parent = joint >= 0 && is_free(s, s->joint[joint].a) ? s->body[s->joint[joint].a].link : -1;
        body->tree = index + 1;
        body->link = i;
        s->forest.body[tree->link + i] = order[i];
        s->forest.joint[tree->link + i] = joint;
        define_link(s, order[i], joint, parent, &def[i]);
        for (int k = 0; k < CRN_JOINT_FREEDOM_MAX; ++k) {
            tree->has_rotors = tree->has_rotors || def[i].armature[k] != 0.0;
        }
    }
    int root_joint = s->forest.joint[tree->link];
    tree->base = root_joint >= 0 ? s->joint[root_joint].a : -1;
    tree->is_floating = root_joint < 0 || s->joint[root_joint].def.kind == CRN_JOINT_FREE;
    crn_status status = crn_tree_create(def, links, &s->allocator, &tree->tree, error);
    crn_release(&s->allocator, def);
    if (status == CRN_OK) {
        mark_driven(s, tree);
    }
    return status;
}

/* --- All of them --- */

/* Order of trees: by mechanism, whose order is that of its lowest body; then by root. */
static void count_forest(crn_stepper *s, int *order, plan *n)
{
    for (int i = 0; i < s->bodies; ++i) {
        s->body[i].tree = s->body[i].link = 0;
        if (is_root(s, i)) {
            int links = list_links(s, i, order);
            n->f.trees++;
            n->f.links += links;
            for (int k = 0; k < links; ++k) {
                int joint = parent_joint(s, order[k]);
                crn_joint_kind kind = crn_step_link_kind(s, joint);
                n->f.velocities += crn_joint_kind_freedom(kind);
                n->f.coordinates += crn_joint_kind_freedom(kind) + 1;
            }
        }
    }
    for (int i = 0; i < s->joints; ++i) {
        n->f.loops += is_loop(&s->joint[i]);
    }
    n->f.mechanisms = n->f.trees; /* at most */
}

static int loop_rows(const crn_step_joint *joint)
{
    return joint->is_link ? crn_joint_kind_coordinates(joint->def.kind) : crn_joint_type_of(joint->def.kind)->rows;
}

static int group_of_joint(crn_stepper *s, const crn_step_joint *joint)
{
    int body = is_free(s, joint->b) ? joint->b : joint->a;
    return is_free(s, body) ? crn_forest_root(s->group, body) : -1;
}

/* Numbers of the closures of all groups, at most. */
static void count_closures(const int *rows, const int *velocities, int groups, plan *n)
{
    for (int i = 0; i < groups; ++i) {
        n->rows += (size_t)rows[i];
        n->numbers += crn_loops_numbers(rows[i], velocities[i]);
    }
}

/* Does nothing hold it but contacts? All its trees float, and no loop goes to anything outside. */
static bool is_unheld(const crn_stepper *s, const crn_step_mechanism *m)
{
    bool is_held = m->is_driven;
    for (int t = m->tree; t < m->tree + m->trees; ++t) {
        is_held = is_held || !s->forest.tree[t].is_floating;
    }
    for (int i = 0; i < m->loops; ++i) {
        const crn_step_joint *joint = &s->joint[s->forest.loop[m->loop + i].joint];
        is_held = is_held || !is_free(s, joint->a) || !is_free(s, joint->b);
    }
    return !is_held;
}

/* A loop ends on this body: it is not a wheel. */
static void tie(crn_stepper *s, int body)
{
    if (body >= 0 && s->body[body].tree > 0) {
        s->forest.tree[s->body[body].tree - 1].tree->link[s->body[body].link].is_wheel = false;
    }
}

/* Tendons of a group: which have slack, and whether one holds the mechanism to what is outside. */
static void plant_tendons(crn_stepper *s, int group, crn_step_mechanism *m)
{
    for (int i = 0; i < s->tendons; ++i) {
        crn_step_tendon *t = &s->tendon[i];
        int body = t->is_used ? crn_tendon_body(s, t) : -1;
        if (body < 0 || crn_forest_root(s->group, body) != group || m->whitened == 0) {
            continue; /* it moves nothing here */
        }
        t->mechanism = s->forest.mechanisms;
        t->slack = m->whitened;
        m->whitened += crn_tendon_is_stiff(t);
        for (int k = 0; k < t->def.parts; ++k) {
            bool is_outside = t->part[k].kind != CRN_TENDON_PULLEY && body_of_part(s, &t->part[k]) < 0;
            m->is_unheld = m->is_unheld && !is_outside;
            tie(s, t->part[k].kind == CRN_TENDON_JOINT ? -1 : t->part[k].body);
        }
    }
    s->forest.whitened = m->w + m->whitened;
}

static crn_status plant_group(crn_stepper *s, int group, int *order, crn_error *error)
{
    crn_step_forest *f = &s->forest;
    crn_step_mechanism *m = &f->mechanism[f->mechanisms];
    memset(m, 0, sizeof *m);
    m->tree = f->trees;
    m->loop = f->loops;
    m->w = f->whitened;
    m->at = -1;
    for (int root = 0; root < s->bodies; ++root) {
        if (!is_free(s, root) || crn_forest_root(s->group, root) != group || !is_root(s, root)) {
            continue;
        }
        int links = list_links(s, root, order);
        crn_step_tree *tree = &f->tree[f->trees];
        memset(tree, 0, sizeof *tree);
        tree->mechanism = f->mechanisms;
        tree->link = f->links;
        tree->q = f->coordinates;
        tree->u = f->velocities;
        tree->w = f->whitened;
        f->trees++; /* before it grows: what is there is freed on failure */
        crn_status status = grow(s, f->trees - 1, order, links, error);
        if (status != CRN_OK) {
            return status;
        }
        f->links += links;
        f->coordinates += tree->tree->coordinates;
        f->velocities += tree->tree->velocities;
        f->whitened += tree->tree->whitened;
        m->is_driven = m->is_driven || tree->tree->whitened < tree->tree->velocities ||
                       (tree->base >= 0 && s->body[tree->base].kind == CRN_BODY_DRIVEN);
    }
    m->trees = f->trees - m->tree;
    m->whitened = f->whitened - m->w;
    for (int i = 0; i < s->joints; ++i) {
        if (is_loop(&s->joint[i]) && group_of_joint(s, &s->joint[i]) == group) {
            f->loop[f->loops++] = (crn_step_loop){.joint = i};
            tie(s, s->joint[i].a);
            tie(s, s->joint[i].b);
            m->closure.most += loop_rows(&s->joint[i]);
        }
        if (is_in_tree(&s->joint[i]) && group_of_joint(s, &s->joint[i]) == group) {
            for (int k = 0; k < CRN_JOINT_COORDINATES_MAX; ++k) {
                const crn_joint_axis *axis = &s->joint[i].def.axis[k];
                m->is_stiff = m->is_stiff || axis->stiffness > 0.0 || axis->damping > 0.0;
                m->has_springs = m->has_springs || axis->stiffness > 0.0;
            }
        }
    }
    m->loops = f->loops - m->loop;
    m->is_unheld = is_unheld(s, m);
    plant_tendons(s, group, m);
    f->mechanisms++;
    return CRN_OK;
}

/* Give each mechanism the memory of its closure. */
static void place_closures(crn_step_forest *f, double *number, int *order)
{
    for (int i = 0; i < f->mechanisms; ++i) {
        crn_step_mechanism *m = &f->mechanism[i];
        int rows = m->closure.most;
        crn_loops_take_memory(&m->closure, m->whitened, number, order);
        number += crn_loops_numbers(rows, m->whitened);
        order += 2 * rows;
    }
}

void crn_step_fell(crn_stepper *s)
{
    crn_step_forest *f = &s->forest;
    for (int i = 0; i < f->trees; ++i) {
        crn_tree_destroy(f->tree[i].tree);
    }
    crn_release(&s->allocator, f->memory);
    memset(f, 0, sizeof *f);
    f->is_stale = true;
    for (int i = 0; i < s->bodies; ++i) {
        s->body[i].tree = s->body[i].link = 0;
    }
    for (int i = 0; i < s->tendons; ++i) {
        s->tendon[i].mechanism = -1;
    }
}

/* --- Which joints are in trees --- */

/* Joints that must be in a tree; then all others that can be, unless they are wanted as rows. */
static bool wants_link(const crn_joint_def *def, bool is_first)
{
    bool is_possible = def->kind != CRN_JOINT_DISTANCE && def->kind != CRN_JOINT_FREE;
    return is_first ? def->in_tree : is_possible && !def->in_tree && !def->as_rows;
}

/* A body has one joint above it, and no body is above itself. All that is not free carries trees, and is nobody's link. */
static void choose_link(crn_stepper *s, crn_step_joint *joint, bool *has_parent)
{
    if (!is_free(s, joint->b) || has_parent[joint->b]) {
        return;
    }
    if (is_free(s, joint->a) && !crn_forest_join(s->group, joint->a, joint->b)) {
        return;
    }
    has_parent[joint->b] = true;
    joint->is_link = true;
}

static bool choose_links(crn_stepper *s)
{
    bool *has_parent = crn_allocate(&s->allocator, (size_t)s->bodies + 1, sizeof *has_parent);
    if (!has_parent ||
        !crn_reserve(&s->allocator, (void **)&s->group, &s->group_capacity, s->bodies + 1, sizeof *s->group)) {
        crn_release(&s->allocator, has_parent);
        return false;
    }
    for (int i = 0; i < s->bodies; ++i) {
        has_parent[i] = false;
        s->group[i] = i;
    }
    for (int i = 0; i < s->joints; ++i) {
        s->joint[i].is_link = false;
    }
    for (int pass = 0; pass < 2; ++pass) {
        for (int i = 0; i < s->joints; ++i) {
            if (s->joint[i].is_used && wants_link(&s->joint[i].def, pass == 0)) {
                choose_link(s, &s->joint[i], has_parent);
            }
        }
    }
    crn_release(&s->allocator, has_parent);
    return true;
}

static bool needs_trees(const crn_stepper *s)
{
    bool any = s->def.integrator != CRN_INTEGRATOR_REFLECT;
    for (int i = 0; i < s->joints; ++i) {
        any = any || holds_something(&s->joint[i]) || is_in_tree(&s->joint[i]);
    }
    for (int i = 0; i < s->tendons; ++i) {
        any = any || s->tendon[i].is_used;
    }
    return any && !crn_is_hart(s);
}

/* A body without mass must be a link. */
static crn_status check_masses(const crn_stepper *s, crn_error *error)
{
    for (int i = 0; i < s->bodies; ++i) {
        if (is_free(s, i) && s->body[i].tree == 0 && !(s->body[i].rigid.mass > 0.0)) {
            return crn_fail(error, CRN_ERR_ARGUMENT, "bodies[%d]: without mass it must be a link of a tree", i);
        }
    }
    return CRN_OK;
}

/* Take memory for all trees; the counts are then to be counted again as trees are planted. */
static crn_status make_room(crn_stepper *s, int *order, plan *n, crn_error *error)
{
    int *rows = order + s->bodies, *velocities = rows + s->bodies;
    memset(rows, 0, 2 * (size_t)s->bodies * sizeof *rows);
    count_forest(s, order, n);
    for (int i = 0; i < s->joints; ++i) {
        int group = is_loop(&s->joint[i]) ? group_of_joint(s, &s->joint[i]) : -1;
        if (group >= 0) {
            rows[group] += loop_rows(&s->joint[i]);
        }
    }
    for (int i = 0; i < s->bodies; ++i) {
        if (is_free(s, i)) {
            int joint = parent_joint(s, i);
            crn_joint_kind kind = crn_step_link_kind(s, joint);
            velocities[crn_forest_root(s->group, i)] += crn_joint_kind_freedom(kind);
        }
    }
    n->tendons = s->tendons;
    for (int i = 0; i < s->tendons; ++i) {
        int body = s->tendon[i].is_used ? crn_tendon_body(s, &s->tendon[i]) : -1;
        if (body >= 0) {
            velocities[crn_forest_root(s->group, body)]++; /* slack */
        }
    }
    count_closures(rows, velocities, s->bodies, n);
    crn_arena arena = crn_arena_counting();
    layout(&arena, n);
    void *memory = arena.overflow ? NULL : crn_allocate(&s->allocator, arena.used + CRN_ARENA_ALIGN, 1);
    if (!memory) {
        return crn_fail(error, CRN_ERR_MEMORY, "world: out of memory for trees");
    }
    uintptr_t start = ((uintptr_t)memory + CRN_ARENA_ALIGN - 1) / CRN_ARENA_ALIGN * CRN_ARENA_ALIGN;
    arena = (crn_arena){.data = (unsigned char *)start, .size = arena.used};
    layout(&arena, n);
    s->forest = n->f;
    s->forest.memory = memory;
    s->forest.trees = s->forest.mechanisms = s->forest.links = s->forest.loops = 0;
    s->forest.coordinates = s->forest.velocities = s->forest.whitened = 0;
    return CRN_OK;
}

static crn_status plant_groups(crn_stepper *s, int *order, crn_error *error)
{
    plan n = {0};
    crn_status status = make_room(s, order, &n, error);
    for (int i = 0; i < s->bodies && status == CRN_OK; ++i) {
        if (is_free(s, i) && crn_forest_root(s->group, i) == i && is_link(s, i)) {
            status = plant_group(s, i, order, error);
        }
    }
    if (status == CRN_OK) {
        place_closures(&s->forest, n.number, n.order);
        crn_loops_measure(s);
    }
    return status;
}

crn_status crn_step_plant(crn_stepper *s, crn_error *error)
{
    if (!s->forest.is_stale) {
        return CRN_OK;
    }
    if (!crn_trees_remember(s)) {
        return crn_fail(error, CRN_ERR_MEMORY, "world: out of memory for trees");
    }
    crn_step_fell(s);
    if (!crn_is_hart(s) && !choose_links(s)) {
        return crn_fail(error, CRN_ERR_MEMORY, "world: out of memory for trees");
    }
    if (!needs_trees(s)) {
        crn_status all_right = check_masses(s, error);
        s->forest.is_stale = all_right != CRN_OK;
        if (all_right == CRN_OK) {
            crn_trees_forget(s);
        }
        return all_right;
    }
    int *order = crn_allocate(&s->allocator, 3 * (size_t)s->bodies, sizeof *order);
    crn_status status = order && join_bodies(s) ? plant_groups(s, order, error)
                                                : crn_fail(error, CRN_ERR_MEMORY, "world: out of memory for trees");
    crn_release(&s->allocator, order);
    if (status == CRN_OK) {
        bool has_room = crn_reserve(&s->allocator, (void **)&s->column, &s->column_capacity, 2 * s->forest.whitened + 1,
                                    sizeof *s->column);
        status = has_room ? crn_trees_take_states(s, error)
                          : crn_fail(error, CRN_ERR_MEMORY, "world: out of memory for trees");
    }
    if (status == CRN_OK) {
        status = check_masses(s, error);
    }
    if (status != CRN_OK) {
        crn_step_fell(s);
    } else {
        crn_trees_forget(s);
    }
    return status;
}
