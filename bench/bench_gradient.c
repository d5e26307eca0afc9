/* bench_gradient.c -- what derivatives cost: of the dynamics of trees, of contact problems, of a world's step.
 *
 *     bench_gradient [--repeat N] [--most BODIES] [--worlds BODIES]
 *
 * Arms and a humanoid-like tree with contacts of their last links on a floor, as a problem of door 2: dynamics' derivatives, solve, linearisation, all
 * columns, one adjoint product; then their sum, the whole Jacobian, beside a step (mass matrix, dynamics, solve) and the whole adjoint of that step.
 * Towers of boxes, many or one, and a wall of bricks, up to --most: linearisation, Jacobian (by impulses on all bodies), products. Stacks of boxes as
 * worlds, at rest and sliding, up to --worlds. Medians of N repeats [us]. */
#define _POSIX_C_SOURCE 200809L
#include <cairn/cairn.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LINKS_MOST = 64, DOF_MOST = 64, CONTACTS_MOST = 32, REPEATS_MOST = 1001 };

static int repeats = 101;

/* Processor time [s]: machines have other things to do, too. */
static double processor(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *time, int count)
{
    qsort(time, (size_t)count, sizeof *time, compare);
    return 1e6 * time[count / 2];
}

/* Median time of repeated calls, so many between two looks at the clock (which cost 0.6 us themselves) that it does not matter. */
#define TIME(result, call)                                              \
    do {                                                                \
        static double time_[REPEATS_MOST];                              \
        double first_ = processor();                                    \
        call;                                                           \
        int calls_ = 1 + (int)fmin(1e-4 / (processor() - first_), 1e3); \
        for (int repeat_ = 0; repeat_ < repeats; ++repeat_) {           \
            double start_ = processor();                                \
            for (int call_ = 0; call_ < calls_; ++call_) {              \
                call;                                                   \
            }                                                           \
            time_[repeat_] = (processor() - start_) / calls_;           \
        }                                                               \
        (result) = median(time_, repeats);                              \
    } while (0)

/* --- Trees --- */

typedef struct limbs {
    const char *name;
    int chains, length, contacts; /* contacts: of each chain's last link */
    bool floats;
} limbs;

typedef struct problem {
    crn_tree *tree;
    int n, contacts;
    double q[7 * LINKS_MOST], u[DOF_MOST], H[DOF_MOST * DOF_MOST], by_q[DOF_MOST * DOF_MOST], by_u[DOF_MOST * DOF_MOST];
    double J[CONTACTS_MOST][3 * DOF_MOST], free[DOF_MOST];
    crn_contact_body body;
    crn_contact_point point[CONTACTS_MOST];
    crn_contact_problem problem;
    double impulse[3 * CONTACTS_MOST], velocity[DOF_MOST];
} problem;

static crn_link_def make_link(crn_random *random, int parent, crn_joint_kind kind)
{
    crn_link_def def = crn_link_def_default();
    def.parent = parent;
    def.kind = kind;
    def.frame_a.position =
        (crn_vec3){crn_random_uniform(random, -0.2, 0.2), crn_random_uniform(random, -0.2, 0.2), -0.2};
    crn_quat turn = {crn_random_normal(random), crn_random_normal(random), crn_random_normal(random),
                     crn_random_normal(random)};
    double size = sqrt(turn.w * turn.w + turn.x * turn.x + turn.y * turn.y + turn.z * turn.z);
    def.frame_a.rotation = (crn_quat){turn.w / size, turn.x / size, turn.y / size, turn.z / size};
    def.mass = 1.0;
    def.com = (crn_vec3){0.02, 0.01, -0.1};
    def.inertia = (crn_mat3){{0.01, 0, 0, 0, 0.012, 0, 0, 0, 0.008}};
    return def;
}

static bool make_problem(const limbs *l, problem *p)
{
    crn_link_def def[LINKS_MOST];
    crn_random random = crn_random_seed(3);
    int links = 0, last[8];
    memset(p, 0, sizeof *p);
    if (l->floats) {
        def[links++] = make_link(&random, -1, CRN_JOINT_FREE);
    }
    for (int c = 0; c < l->chains; ++c) {
        for (int k = 0; k < l->length; ++k) {
            int parent = k > 0 ? links - 1 : l->floats ? 0 : -1;
            def[links++] = make_link(&random, parent, CRN_JOINT_HINGE);
        }
        last[c] = links - 1;
    }
    if (crn_tree_create(def, links, NULL, &p->tree, NULL) != CRN_OK) {
        return false;
    }
    p->n = crn_tree_velocities(p->tree);
    crn_tree_rest(p->tree, p->q);
    for (int i = 0; i < p->n; ++i) {
        p->u[i] = crn_random_normal(&random);
        p->free[i] = crn_random_normal(&random);
    }
    crn_tree_mass_matrix(p->tree, p->q, p->H);
    p->body = (crn_contact_body){.kind = CRN_MASS_MATRIX, .dof = p->n, .matrix = p->H, .ld = p->n};
    for (int c = 0; c < l->chains; ++c) {
        for (int k = 0; k < l->contacts; ++k) {
            static double full[6 * DOF_MOST];
            int i = p->contacts++;
            crn_vec3 at = {0.05 * (k % 2), 0.05 * (k / 2), -0.1};
            crn_tree_jacobian(p->tree, p->q, last[c], at, full);
            for (int j = 0; j < p->n; ++j) {
                for (int axis = 0; axis < 3; ++axis) { /* n = z, t1 = x, t2 = y */
                    p->J[i][axis * p->n + j] = full[6 * j + 3 + (axis + 2) % 3];
                }
            }
            p->point[i] = (crn_contact_point){
                .a = 0, .b = -1, .jacobian_a = p->J[i], .mu = 0.8, .directions = 4, .offset = {-2.0, 0.0, 0.0}};
        }
    }
    p->problem = (crn_contact_problem){1, p->contacts, 0, &p->body, p->point, NULL, p->free};
    return true;
}

static void all_columns(crn_contact_linear *linear, problem *p)
{
    static double dv[2 * DOF_MOST * DOF_MOST];
    const double *by[2] = {p->by_q, p->by_u}; /* forces that the dynamics' derivatives make */
    for (int k = 0; k < 2; ++k) {
        crn_contact_change_in in = {.impulse = by[k]};
        crn_contact_change_out out = {.velocity = dv + k * p->n * p->n};
        (void)crn_contact_jvp_many(linear, p->n, &in, &out, NULL);
    }
}

/* A step of the tree: what has to be known for its problem, and that solved. */
static void whole_step(problem *p, const crn_tree_load *load, const crn_contact_options *options,
                       const crn_contact_solution *to, crn_workspace *work)
{
    static double force[DOF_MOST];
    crn_contact_result result;
    crn_tree_mass_matrix(p->tree, p->q, p->H);
    crn_tree_inverse(p->tree, p->q, p->u, p->u, load, force);
    (void)crn_contact_solve(&p->problem, options, work, to, &result, NULL);
}

/* From a gradient with respect to the next velocities those with respect to coordinates, velocities and forces. */
static void whole_adjoint(problem *p, const crn_tree_load *load, const crn_linearize_options *how, const double *seed,
                          crn_workspace *work, double *by_force)
{
    static double by_q[DOF_MOST], by_u[DOF_MOST];
    crn_contact_linear *linear;
    crn_contact_seed from = {.velocity = seed};
    crn_contact_gradient to = {.impulse = by_force};
    crn_tree_inverse_derivatives(p->tree, p->q, p->u, p->u, load, p->by_q, p->by_u, p->H);
    (void)crn_contact_linearize(&p->problem, how, p->impulse, NULL, work, &linear, NULL, NULL);
    (void)crn_contact_vjp(linear, &from, &to, NULL, NULL);
    for (int j = 0; j < p->n; ++j) {
        by_q[j] = by_u[j] = 0.0;
        for (int i = 0; i < p->n; ++i) {
            by_q[j] -= p->by_q[i + p->n * j] * by_force[i];
            by_u[j] -= p->by_u[i + p->n * j] * by_force[i];
        }
    }
}

static void run_limbs(const limbs *l)
{
    static problem p;
    crn_workspace solving = {0}, work = {0};
    crn_contact_options options = crn_contact_options_default();
    crn_linearize_options how = crn_linearize_options_default();
    crn_contact_result result;
    crn_linearize_report report;
    crn_contact_linear *linear = NULL;
    double dynamics, solve, linearize, columns, adjoint, seed[DOF_MOST] = {1.0}, gradient[DOF_MOST];
    if (!make_problem(l, &p)) {
        return;
    }
    crn_contact_solution to = {.impulse = p.impulse, .velocity = p.velocity};
    crn_tree_load load = {.gravity = {0, 0, -9.81}};
    options.cone = how.cone = CRN_CONE_ROUND;
    options.even = true;
    TIME(dynamics, crn_tree_inverse_derivatives(p.tree, p.q, p.u, p.u, &load, p.by_q, p.by_u, p.H));
    TIME(solve, (void)crn_contact_solve(&p.problem, &options, &solving, &to, &result, NULL));
    if (result.outcome != CRN_LCP_SOLVED) {
        printf("%-22s not solved\n", l->name);
        return;
    }
    TIME(linearize, (void)crn_contact_linearize(&p.problem, &how, p.impulse, NULL, &work, &linear, &report, NULL));
    TIME(columns, all_columns(linear, &p));
    crn_contact_seed from = {.velocity = seed};
    crn_contact_gradient g = {.impulse = gradient};
    TIME(adjoint, (void)crn_contact_vjp(linear, &from, &g, NULL, NULL));
    double step, back;
    TIME(step, whole_step(&p, &load, &options, &to, &solving));
    TIME(back, whole_adjoint(&p, &load, &how, seed, &work, gradient));
    printf("%-22s %3d %4d %4d/%-4d %9.1f %9.1f %9.1f %9.1f %9.1f %9.1f %9.1f %9.1f  %s\n", l->name, p.n, p.contacts,
           report.held - report.redundant, report.held, dynamics, solve, linearize, columns, adjoint,
           dynamics + linearize + columns, step, back, crn_gradient_status_name(report.status));
    crn_workspace_free(&solving);
    crn_workspace_free(&work);
    crn_tree_destroy(p.tree);
}

/* --- Towers of boxes --- */

/* Boxes of 1 kg, 0.2 m wide, one on the other on four contacts each, at rest for a step of h: loads are known, nothing has to be solved. */
typedef struct towers {
    crn_contact_body *body;
    crn_contact_point *point;
    double *velocity, *impulse, *seed, *gradient;
    crn_contact_problem problem;
} towers;

static void free_towers(towers *t)
{
    free(t->body);
    free(t->point);
    free(t->velocity);
    free(t->impulse);
    free(t->seed);
    free(t->gradient);
}

static bool make_towers(int count, int height, towers *t)
{
    int bodies = count * height;
    const double kick = 9.81e-2; /* g h */
    t->body = calloc((size_t)bodies, sizeof *t->body);
    t->point = calloc(4 * (size_t)bodies, sizeof *t->point);
    t->velocity = calloc(6 * (size_t)bodies, sizeof *t->velocity);
    t->impulse = calloc(12 * (size_t)bodies, sizeof *t->impulse);
    t->seed = calloc(6 * (size_t)bodies, sizeof *t->seed);
    t->gradient = calloc(6 * (size_t)bodies, sizeof *t->gradient);
    if (!t->body || !t->point || !t->velocity || !t->impulse || !t->seed || !t->gradient) {
        return false;
    }
    for (int i = 0; i < bodies; ++i) {
        int level = i % height;
        t->body[i] = (crn_contact_body){
            .kind = CRN_MASS_RIGID, .dof = 6, .mass = 1.0, .com = {i / height, 0, 0.1 + 0.2 * level}};
        t->body[i].inertia[0] = t->body[i].inertia[4] = t->body[i].inertia[8] = 1.0 / 150.0;
        t->velocity[6 * i + 5] = -kick;
        t->seed[6 * i + 5] = 1.0;
        for (int k = 0; k < 4; ++k) {
            t->point[4 * i + k] =
                (crn_contact_point){.a = i,
                                    .b = level > 0 ? i - 1 : -1,
                                    .position = {i / height + (k % 2 ? 0.1 : -0.1), k / 2 ? 0.1 : -0.1, 0.2 * level},
                                    .normal = {0, 0, 1},
                                    .mu = 0.5,
                                    .directions = 4};
            t->impulse[12 * i + 3 * k] = 0.25 * kick * (height - level);
        }
    }
    t->problem = (crn_contact_problem){
        .bodies = bodies, .contacts = 4 * bodies, .body = t->body, .contact = t->point, .velocity = t->velocity};
    return true;
}

/* Bricks of 1 kg, 0.2 m wide, on the two below them, or on the floor, at two points each side: loads have to be found. */
static bool make_wall(int across, int height, towers *t)
{
    if (!make_towers(across, height, t)) {
        return false;
    }
    for (int i = 0; i < across * height; ++i) {
        int column = i / height, level = i % height;
        double shift = level % 2 ? 0.1 : 0.0, x = 0.21 * column + shift;
        t->body[i].com[0] = x;
        for (int k = 0; k < 4; ++k) {
            int left = level % 2 ? column : column - 1, below = k % 2 ? left + 1 : left;
            bool is_there = below >= 0 && below < across;
            crn_contact_point *point = &t->point[4 * i + k];
            point->position[0] = x + (k % 2 ? 0.05 : -0.05);
            point->b = level > 0 && is_there ? below * height + level - 1 : -1;
        }
    }
    return true;
}

/* All derivatives of velocities by impulses on all bodies: 6 times as many columns as bodies. */
static void all_impulses(crn_contact_linear *linear, int dof, double *unit, double *to)
{
    for (int i = 0; i < dof; ++i) {
        unit[(size_t)i * (size_t)dof + (size_t)i] = 1.0;
    }
    crn_contact_change_in in = {.impulse = unit};
    crn_contact_change_out out = {.velocity = to};
    (void)crn_contact_jvp_many(linear, dof, &in, &out, NULL);
}

static void run_bodies(const char *name, towers *t, double solve)
{
    crn_workspace work = {0};
    crn_linearize_options how = crn_linearize_options_default();
    crn_linearize_report report = {0};
    crn_contact_linear *linear = NULL;
    double linearize, forward, adjoint, jacobian;
    int dof = 6 * t->problem.bodies;
    double *square = calloc(2 * (size_t)dof * (size_t)dof, sizeof *square);
    how.cone = CRN_CONE_ROUND;
    crn_contact_seed from = {.velocity = t->seed};
    crn_contact_gradient to = {.impulse = t->gradient};
    crn_contact_change_in in = {.impulse = t->seed};
    crn_contact_change_out out = {.velocity = t->gradient};
    TIME(linearize, (void)crn_contact_linearize(&t->problem, &how, t->impulse, NULL, &work, &linear, &report, NULL));
    if (linear && square) {
        TIME(forward, (void)crn_contact_jvp(linear, &in, &out, NULL, NULL));
        TIME(adjoint, (void)crn_contact_vjp(linear, &from, &to, NULL, NULL));
        TIME(jacobian, all_impulses(linear, dof, square, square + (size_t)dof * (size_t)dof));
        printf("%-24s %4d bodies %5d contacts: ", name, t->problem.bodies, t->problem.contacts);
        if (solve > 0.0) {
            printf("solve %.2f ms, ", 1e-3 * solve);
        }
        printf("linearize %.2f ms, Jacobian %.1f ms, forward product %.0f us, adjoint %.0f us, %s\n", 1e-3 * linearize,
               1e-3 * jacobian, forward, adjoint, crn_gradient_status_name(report.status));
    }
    free(square);
    crn_workspace_free(&work);
}

static void run_towers(int count, int height)
{
    towers t = {0};
    char name[40];
    int kept = repeats;
    repeats = count * height > 40 ? 1 : 5;
    (void)snprintf(name, sizeof name, "%d towers of %d boxes", count, height);
    if (make_towers(count, height, &t)) {
        run_bodies(name, &t, 0.0);
    }
    repeats = kept;
    free_towers(&t);
}

static void run_wall(int across, int height)
{
    towers t = {0};
    crn_workspace work = {0};
    crn_contact_options options = crn_contact_options_default();
    crn_contact_result result = {0};
    double solve = 0.0;
    char name[40];
    int kept = repeats;
    repeats = across * height > 40 ? 1 : 5;
    options.cone = CRN_CONE_ROUND;
    options.even = true;
    (void)snprintf(name, sizeof name, "wall of %d x %d bricks", across, height);
    if (make_wall(across, height, &t)) {
        crn_contact_solution to = {.impulse = t.impulse};
        TIME(solve, (void)crn_contact_solve(&t.problem, &options, &work, &to, &result, NULL));
        if (result.outcome == CRN_LCP_SOLVED) {
            run_bodies(name, &t, solve);
        } else {
            printf("%s: not solved\n", name);
        }
    }
    repeats = kept;
    crn_workspace_free(&work);
    free_towers(&t);
}

/* --- Worlds --- */

/* Boxes in stacks of five at rest, or spheres that slide and begin to roll, each by itself. */
static crn_world *make_boxes(int boxes, bool is_sliding)
{
    crn_world *world;
    crn_body_shape shape = crn_body_shape_default();
    crn_body_def floor = crn_body_def_default(), box = crn_body_def_default();
    crn_body_id body;
    if (crn_world_create(NULL, NULL, &world, NULL) != CRN_OK) {
        return NULL;
    }
    shape.shape = (crn_shape_def){.kind = CRN_SHAPE_PLANE};
    floor.kind = CRN_BODY_FIXED;
    floor.shape = &shape;
    floor.shapes = 1;
    (void)crn_body_create(world, &floor, &body, NULL);
    shape.shape = (crn_shape_def){.kind = is_sliding ? CRN_SHAPE_SPHERE : CRN_SHAPE_BOX, .size = {0.1, 0.1, 0.1}};
    box.shape = &shape;
    box.shapes = 1;
    for (int i = 0; i < boxes; ++i) {
        int across = is_sliding ? i : i / 5, level = is_sliding ? 0 : i % 5;
        box.pose.position = (crn_vec3){0.5 * across, 0, 0.1 + 0.2 * level};
        box.velocity = (crn_vec3){0, is_sliding ? 3.0 + 0.01 * i : 0.0, 0};
        (void)crn_body_create(world, &box, &body, NULL);
    }
    for (int i = 0; i < 5; ++i) {
        (void)crn_world_step(world, 0.01, NULL, NULL);
    }
    return world;
}

static void run_boxes(int boxes, bool is_sliding)
{
    crn_world *world = make_boxes(boxes, is_sliding);
    int n = crn_world_tangent(world), kept = repeats;
    double *A = calloc(4 * (size_t)n * (size_t)n, sizeof *A), *d = calloc(5 * (size_t)n, sizeof *d);
    double step, whole, forward, adjoint, once;
    crn_world_jacobian to = {.state = A};
    crn_gradient_report report = {0};
    crn_world_linear *linear = NULL;
    crn_world_change before = {.q = d, .v = d + n}, after = {.q = d + 2 * n, .v = d + 3 * n, .carried = d + 4 * n};
    d[0] = d[2 * n] = 1.0;
    crn_gradient_options options = crn_gradient_options_default();
    options.is_unchecked = true;
    repeats = repeats < 21 ? repeats : 21;
    TIME(step, (void)crn_world_step(world, 0.01, NULL, NULL));
    repeats = 5;
    TIME(whole, (void)crn_world_linearize(world, 0.01, &options, &to, &report, NULL));
    TIME(once, (void)crn_world_vjp(world, 0.01, &options, &after, &before, NULL, NULL));
    if (crn_world_linear_create(world, 0.01, &options, &linear, NULL, NULL) == CRN_OK) {
        TIME(forward, (void)crn_world_linear_jvp(linear, &before, &after, NULL));
        TIME(adjoint, (void)crn_world_linear_vjp(linear, &after, &before, NULL));
        printf(
            "%-24s %4d bodies %5d contacts: step %.0f us, Jacobian %.2f ms, products given the step: forward %.0f us, "
            "adjoint %.0f us (%.2f steps); adjoint with its step %.0f us (%.1f), %s\n",
            is_sliding ? "sliding spheres" : "stacks of 5 at rest", boxes, report.step.contacts, step, 1e-3 * whole,
            forward, adjoint, adjoint / step, once, once / step, crn_gradient_status_name(report.status));
    }
    repeats = kept;
    crn_world_linear_destroy(linear);
    free(A);
    free(d);
    crn_world_destroy(world);
}

int main(int argc, char **argv)
{
    static const limbs all[] = {{"arm 7, 1 contact", 1, 7, 1, false},
                                {"arm 7, 4 contacts", 1, 7, 4, false},
                                {"humanoid 36, 4", 5, 6, 1, true},
                                {"humanoid 36, 8 (2 x 4)", 2, 15, 4, true}};
    int most = 200, most_worlds = 20;
    for (int i = 1; i + 1 < argc; i += 2) {
        int value = atoi(argv[i + 1]);
        repeats = strcmp(argv[i], "--repeat") == 0 && value > 0 && value <= REPEATS_MOST ? value : repeats;
        most = strcmp(argv[i], "--most") == 0 ? value : most;
        most_worlds = strcmp(argv[i], "--worlds") == 0 ? value : most_worlds;
    }
    printf("%-22s %3s %4s %9s %9s %9s %9s %9s %9s %9s %9s %9s [us]\n", "tree and contacts", "dof", "cont", "rank/rows",
           "dynamics", "solve", "linearize", "columns", "adjoint", "Jacobian", "step", "backward");
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
        run_limbs(&all[i]);
    }
    for (int boxes = 25; boxes <= most; boxes *= 2) {
        run_towers(boxes / 5, 5);
        run_towers(1, boxes);
        run_wall(boxes / 5, 5);
    }
    for (int boxes = 5; boxes <= most_worlds; boxes *= 2) {
        run_boxes(boxes, false);
        run_boxes(boxes, true);
    }
    return 0;
}
