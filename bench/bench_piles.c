/* bench_piles.c -- large contact problems as a time stepper meets them: each step's problem starts from the last step's
 * impulses. Times are thread CPU time of crn_contact_solve() alone, checks and setup included.
 *
 *     bench_piles [--steps N] [--seed S] [--seeds N] [--trace] [scene ...]
 *
 * Scenes: see below; none: all. Seeds S, S + 1, ...: one row for all of them. "exact" is the share of the steps with contacts whose
 * answer is certified for the law of the scene; "fail" the steps without a certified answer, "law" those with one of another law. */
#include "bench_piles.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "stats.h"
#include "thread.h"

/* --- Steps --- */

bool pile_step_make(pile_step *step, int bodies, int dof, int contacts)
{
    size_t n = (size_t)contacts;
    step->bodies = bodies;
    step->dof = dof;
    step->room = contacts;
    step->body = calloc((size_t)bodies, sizeof *step->body);
    step->velocity = calloc((size_t)dof, sizeof *step->velocity);
    step->motion = calloc((size_t)dof, sizeof *step->motion);
    step->point = calloc(n, sizeof *step->point);
    step->jacobian = calloc(18 * n, sizeof *step->jacobian);
    step->key = calloc(n, sizeof *step->key);
    step->gap = calloc(n, sizeof *step->gap);
    step->impulse = calloc(3 * n, sizeof *step->impulse);
    step->contact_velocity = calloc(3 * n, sizeof *step->contact_velocity);
    step->state = calloc(n, sizeof *step->state);
    return step->body && step->velocity && step->motion && step->point && step->jacobian && step->key && step->gap &&
           step->impulse && step->contact_velocity && step->state;
}

crn_contact_point *pile_add(pile_step *step, int a, int b, uint64_t key, double gap)
{
    if (step->contacts == step->room) {
        return NULL;
    }
    int i = step->contacts++;
    step->key[i] = key;
    step->gap[i] = gap;
    memset(&step->point[i], 0, sizeof step->point[i]);
    step->point[i].a = a;
    step->point[i].b = b;
    return &step->point[i];
}

void pile_free(pile_scene *s)
{
    pile_free_solids(s);
    void *blocks[] = {s->step.body,     s->step.velocity, s->step.point,
                      s->step.jacobian, s->step.key,      s->step.gap,
                      s->step.state,    s->step.impulse,  s->step.contact_velocity,
                      s->position,      s->radius,        s->factor,
                      s->order,         s->frame,         s->spot,
                      s->step.motion};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i) {
        free(blocks[i]);
    }
}

/* --- Warm starts: impulses by key, as vectors in the world --- */

typedef struct memory {
    size_t mask; /* slots - 1, a power of two */
    uint64_t *key;
    bool *is_used;
    double *force, *slip; /* 3 per slot; planar contacts too */
} memory;

static bool memory_make(memory *m, int contacts)
{
    size_t slots = 2;
    while (slots < 3 * (size_t)contacts) {
        slots *= 2;
    }
    m->mask = slots - 1;
    m->key = calloc(slots, sizeof *m->key);
    m->is_used = calloc(slots, sizeof *m->is_used);
    m->force = calloc(3 * slots, sizeof *m->force);
    m->slip = calloc(3 * slots, sizeof *m->slip);
    return m->key && m->is_used && m->force && m->slip;
}

static void memory_free(memory *m)
{
    free(m->key);
    free(m->is_used);
    free(m->force);
    free(m->slip);
}

static size_t slot_of(const memory *m, uint64_t key)
{
    size_t at = (size_t)(key * 0x9e3779b97f4a7c15U >> 20) & m->mask;
    while (m->is_used[at] && m->key[at] != key) {
        at = (at + 1) & m->mask;
    }
    return at;
}

static void world_of(const crn_contact_point *c, const double *x, double *world)
{
    for (int k = 0; k < 3; ++k) {
        world[k] = x[0] * c->normal[k] + x[1] * c->t1[k] + x[2] * c->t2[k];
    }
}

static void contact_of(const crn_contact_point *c, const double *world, double *x)
{
    x[0] = x[1] = x[2] = 0.0;
    for (int k = 0; k < 3; ++k) {
        x[0] += c->normal[k] * world[k];
        x[1] += c->t1[k] * world[k];
        x[2] += c->t2[k] * world[k];
    }
}

static void remember(memory *m, const pile_step *step)
{
    memset(m->is_used, 0, (m->mask + 1) * sizeof *m->is_used);
    for (int i = 0; i < step->contacts; ++i) {
        size_t at = slot_of(m, step->key[i]);
        m->is_used[at] = true;
        m->key[at] = step->key[i];
        world_of(&step->point[i], step->impulse + 3 * (size_t)i, m->force + 3 * at);
        world_of(&step->point[i], step->contact_velocity + 3 * (size_t)i, m->slip + 3 * at);
    }
}

static void recall(const memory *m, pile_step *step)
{
    for (int i = 0; i < step->contacts; ++i) {
        size_t at = slot_of(m, step->key[i]);
        static const double nothing[3];
        contact_of(&step->point[i], m->is_used[at] ? m->force + 3 * at : nothing, step->impulse + 3 * (size_t)i);
        contact_of(&step->point[i], m->is_used[at] ? m->slip + 3 * at : nothing,
                   step->contact_velocity + 3 * (size_t)i);
        step->state[i] =
            (crn_contact_state){step->impulse[3 * (size_t)i] > 0.0 ? CRN_CONTACT_STICK : CRN_CONTACT_OFF, 0};
    }
}

/* --- Running --- */

typedef struct figures {
    double *ms;
    int steps, touching, uncertified, other_law; /* touching: steps with contacts */
    double iterations, factorizations, contacts, setup, seconds;
    double worst_certificate, penetration;
} figures;

static void note(figures *f, const pile_scene *s, const crn_contact_result *result, double seconds)
{
    f->ms[f->steps++] = 1e3 * seconds;
    f->touching += s->step.contacts > 0;
    f->uncertified += result->outcome != CRN_LCP_SOLVED && result->outcome != CRN_LCP_CONVEX;
    f->other_law += result->outcome == CRN_LCP_CONVEX;
    f->iterations += result->iterations;
    f->factorizations += result->refactorizations;
    f->contacts += s->step.contacts;
    f->setup += result->seconds_setup;
    f->seconds += seconds;
    f->worst_certificate = fmax(f->worst_certificate, result->certificate.relative);
    for (int i = 0; i < s->step.contacts; ++i) {
        f->penetration = fmax(f->penetration, -s->step.gap[i]);
    }
}

static bool take_step(pile_scene *s, memory *m, crn_workspace *workspace, figures *f, bool is_traced)
{
    pile_step *step = &s->step;
    crn_contact_options options = crn_contact_options_default();
    crn_contact_result result;
    crn_error error;
    s->fill(s);
    recall(m, step);
    options.method = CRN_CONTACT_BODIES;
    options.cone = CRN_CONE_ROUND;
    options.law = s->law;
    options.start = s->is_cold ? NULL : step->state;
    options.start_impulse = s->is_cold ? NULL : step->impulse;
    options.start_velocity = s->is_cold ? NULL : step->contact_velocity;
    crn_contact_problem problem = {.bodies = step->bodies,
                                   .contacts = step->contacts,
                                   .body = step->body,
                                   .contact = step->point,
                                   .velocity = step->velocity};
    crn_contact_solution solution = {step->impulse, step->motion, step->contact_velocity, NULL, step->state};
    double start = bench_thread_seconds();
    crn_status status = crn_contact_solve(&problem, &options, workspace, &solution, &result, &error);
    double seconds = bench_thread_seconds() - start;
    if (status != CRN_OK) {
        fprintf(stderr, "bench_piles: %s, step %d: %s\n", s->name, f->steps, error.text);
        return false;
    }
    note(f, s, &result, seconds);
    if (is_traced) {
        printf("%5d %8.3f ms  %5d contacts %4d islands %4d iterations %4d factors  law %d  outcome %d  %.1e\n",
               f->steps - 1, 1e3 * seconds, step->contacts, result.islands, result.iterations, result.refactorizations,
               (int)result.law, (int)result.outcome, result.certificate.relative);
    }
    memcpy(step->velocity, step->motion, (size_t)step->dof * sizeof *step->motion);
    remember(m, step);
    s->move(s);
    s->time += s->h;
    return true;
}

/* One seed's run; its figures are added to those of the seeds before. */
static bool run(pile_scene *s, int steps, bool is_traced, figures *f)
{
    memory m = {0};
    crn_workspace workspace = {0};
    bool is_ok = memory_make(&m, s->step.room);
    for (int i = 0; i < steps && is_ok; ++i) {
        is_ok = take_step(s, &m, &workspace, f, is_traced);
    }
    crn_workspace_free(&workspace);
    memory_free(&m);
    return is_ok;
}

static void print_row(const char *name, int seeds, figures *f)
{
    double n = f->steps, touching = f->touching > 0 ? f->touching : 1;
    double exact = 100.0 * (1.0 - (f->uncertified + f->other_law) / touching);
    double median = bench_quantile(f->ms, f->steps, 0.5), p99 = bench_quantile(f->ms, f->steps, 0.99);
    double worst = bench_quantile(f->ms, f->steps, 1.0);
    printf("%-17s %5d %6d %7.0f %8.3f %9.4f %9.4f %9.4f %9.4f %9.4f %7.2f %7.2f %5d %5d %9.1e %9.1e\n", name, seeds,
           f->steps, f->contacts / n, exact, 1e3 * f->seconds / n, median, p99, worst, 1e3 * f->setup / n,
           f->iterations / n, f->factorizations / n, f->uncertified, f->other_law, f->worst_certificate,
           f->penetration);
    fflush(stdout);
}

/* --- Scenes --- */

typedef struct choice {
    const char *name;
    enum { NUT, POUR, STACK, SOLIDS, WALL } kind;
    int size;
    double h, lean; /* of a pour: the ratio of densities; of solids: how many kinds */
    crn_contact_law law;
    int steps;
    bool is_cold;
} choice;

static const choice choices[] = {
    {"nut-0.1", NUT, 0, 0.1, 0.0, CRN_LAW_CONVEX, 750, false},
    {"nut-0.01", NUT, 0, 0.01, 0.0, CRN_LAW_CONVEX, 2000, false},
    {"nut-coulomb", NUT, 0, 0.01, 0.0, CRN_LAW_COULOMB, 1000, false},
    {"nut-coulomb-0.1", NUT, 0, 0.1, 0.0, CRN_LAW_COULOMB, 300, false},
    {"pour-200", POUR, 200, 0.01, 1.0, CRN_LAW_CONVEX, 1000, false},
    {"pour-1000", POUR, 1000, 0.01, 1.0, CRN_LAW_CONVEX, 1000, false},
    {"pour-200-coulomb", POUR, 200, 0.01, 1.0, CRN_LAW_COULOMB, 400, false},
    {"pour-1000-coulomb", POUR, 1000, 0.01, 1.0, CRN_LAW_COULOMB, 400, false},
    {"pour-3000-coulomb", POUR, 3000, 0.01, 1.0, CRN_LAW_COULOMB, 200, false},
    {"ratio-coulomb", POUR, 200, 0.01, 1e-3, CRN_LAW_COULOMB, 400, false},
    {"boxes-coulomb", SOLIDS, 100, 0.01, 1.0, CRN_LAW_COULOMB, 400, false},
    {"mixed-coulomb", SOLIDS, 150, 0.01, 3.0, CRN_LAW_COULOMB, 400, false},
    {"wall-170", WALL, 170, 0.01, 0.0, CRN_LAW_COULOMB, 20, false},
    {"wall-700", WALL, 700, 0.01, 0.0, CRN_LAW_COULOMB, 20, false},
    {"wall-3500", WALL, 3500, 0.01, 0.0, CRN_LAW_COULOMB, 20, false},
    {"rest-100", STACK, 100, 0.01, 0.0, CRN_LAW_CONVEX, 1000, false},
    {"lean-100", STACK, 100, 0.01, 0.05, CRN_LAW_CONVEX, 1000, false},
    {"lean-400", STACK, 400, 0.01, 0.05, CRN_LAW_CONVEX, 1000, false},
    {"lean-coulomb", STACK, 100, 0.01, 0.05, CRN_LAW_COULOMB, 1000, false},
    {"cold-100", STACK, 100, 0.01, 0.05, CRN_LAW_CONVEX, 100, true},
};
enum { CHOICES = sizeof choices / sizeof choices[0] };

static bool make(pile_scene *scene, const choice *c, uint64_t seed)
{
    switch (c->kind) {
    case NUT: return pile_make_nut(scene, c->h, seed);
    case POUR: return pile_make_pour(scene, c->size, c->lean, seed);
    case WALL: return pile_make_wall(scene, c->size, seed);
    case STACK: return pile_make_stack(scene, c->size, c->lean, seed);
    default: return pile_make_solids(scene, c->size, (int)c->lean, seed);
    }
}

static bool run_choice(const choice *c, uint64_t seed, int seeds, int steps, bool is_traced)
{
    figures f = {0};
    steps = steps > 0 ? steps : c->steps;
    f.ms = calloc((size_t)steps * (size_t)seeds, sizeof *f.ms);
    bool is_ok = f.ms != NULL;
    for (int i = 0; i < seeds && is_ok; ++i) {
        pile_scene scene = {.name = c->name, .law = c->law, .is_cold = c->is_cold};
        is_ok = make(&scene, c, seed + (uint64_t)i) && run(&scene, steps, is_traced, &f);
        pile_free(&scene);
    }
    if (is_ok) {
        print_row(c->name, seeds, &f);
    }
    free(f.ms);
    return is_ok;
}

int main(int count, char **argument)
{
    int steps = 0, seeds = 1, asked = 0;
    uint64_t seed = 1;
    bool is_traced = false, is_ok = true, is_wanted[CHOICES] = {false};
    for (int i = 1; i < count; ++i) {
        bool is_known = true;
        if (strcmp(argument[i], "--trace") == 0) {
            is_traced = true;
        } else if (strcmp(argument[i], "--steps") == 0 && i + 1 < count) {
            steps = atoi(argument[++i]);
        } else if (strcmp(argument[i], "--seed") == 0 && i + 1 < count) {
            seed = (uint64_t)atoll(argument[++i]);
        } else if (strcmp(argument[i], "--seeds") == 0 && i + 1 < count) {
            seeds = atoi(argument[++i]) > 1 ? atoi(argument[i]) : 1;
        } else {
            is_known = false;
            for (int c = 0; c < CHOICES; ++c) {
                if (strcmp(argument[i], choices[c].name) == 0) {
                    is_wanted[c] = is_known = true;
                    ++asked;
                }
            }
        }
        if (!is_known) {
            fprintf(stderr, "bench_piles: no option or scene '%s'\n", argument[i]);
            return 2;
        }
    }
    printf("%s, %s; thread CPU time of crn_contact_solve() [ms]\n", bench_machine_cpu(), bench_machine_compiler());
    printf("%-17s %5s %6s %7s %8s %9s %9s %9s %9s %9s %7s %7s %5s %5s %9s %9s\n", "scene", "seeds", "steps", "contact",
           "exact %", "mean", "median", "p99", "worst", "setup", "iter", "factor", "fail", "law", "certif.", "penetr.");
    for (int c = 0; c < CHOICES && is_ok; ++c) {
        is_ok = (asked > 0 && !is_wanted[c]) || run_choice(&choices[c], seed, seeds, steps, is_traced);
    }
    return is_ok ? 0 : 1;
}
