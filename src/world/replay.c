/* A step recorded and replayed from states nearby: replay.h. */
#include "world/replay.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "math/elementary.h"

/* The change by which it is checked that steps stay on their branch; how far they may be off, of what the change makes; and how far beyond what
 * they are solved and repaired to. */
#define CHECK_CHANGE 1e-5
#define CHECK_SHARE  1e-3
#define CHECK_SOLVED 3.0
/* What problems and positions are solved to where the world does not say [model.h]. */
#define USUAL_TOL        1e-8
#define USUAL_REPAIR_TOL 1e-7

/* Both sides of a column differ by this share of it: a curve, or a kink. Where the change is a tenth a curve has a tenth of that left, a kink
 * here all of it, a kink nearby nothing. */
#define BEND_LEAST 1e-5
#define BEND_KEPT  0.5
#define BEND_LOST  0.02
#define BEND_NOISE 10.0 /* rounding of the narrow one: less is no bend */
#define NARROW     0.1  /* of the change: the narrow one ... */
/* ... and by which share of the column it may be another before both are extrapolated. */
#define CURVE_LEAST 1e-8
/* Of a column: what rounding may make of it. */
#define ERROR_MOST 3e-7

/* A tiny change: what third differences of it have left is rounding. */
#define CHANGE_TINY 1e-9
/* Rounding over the change, as a share of the column: more, as with masses 1e6 apart, and wider differences are taken, of up to CHANGE_MOST. */
#define NOISE_MOST  1e-7
#define NOISE_AIM   1e-8
#define CHANGE_MOST 1e-2

/* Of each entry, and 1: what a chain and a difference of steps may differ by. More, and the chain misses something, or its places have too much
 * rounding, as those of small bodies on large ones. */
#define CHAIN_OFF 3e-7

/* Of a parameter's unit: changes of those that push in proportion. */
#define PUSH_CHANGE 1e-3

enum { WIDE_LEVELS = 4 };         /* differences that are extrapolated ... */
static const double NARROWER = 3; /* ... and by how much the next one is narrower */

/* --- Memory --- */

void crn_replay_close(crn_replay *k)
{
    const crn_allocator *allocator = &k->world->stepper.allocator;
    void *all[] = {k->snapshot, k->place,  k->origin, k->side[0], k->side[1], k->input,   k->gradient,
                   k->wide,     k->narrow, k->result, k->product, k->pushes,  k->is_push, k->pushed.force};
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
        crn_release(allocator, all[i]);
    }
    crn_parameters_free(k->world, &k->kept);
    crn_chain_free(&k->chain);
    crn_branch_free(&k->branch);
}

static double *numbers(const crn_replay *k, int count)
{
    return crn_allocate(&k->world->stepper.allocator, (size_t)count, sizeof(double));
}

bool crn_replay_open(crn_replay *k)
{
    crn_world *w = k->world;
    int p = k->options->parameters, trees = w->stepper.forest.velocities;
    k->n = crn_tangent_size(&w->stepper);
    k->size = crn_world_snapshot_size(w);
    k->snapshot = crn_allocate(&w->stepper.allocator, k->size, 1);
    k->place = numbers(k, crn_tangent_places(&w->stepper));
    k->origin = numbers(k, 3 * k->n);
    k->side[0] = numbers(k, 3 * k->n);
    k->side[1] = numbers(k, 3 * k->n);
    k->input = numbers(k, 2 * k->n + p);
    k->wide = numbers(k, WIDE_LEVELS * 3 * k->n);
    k->narrow = numbers(k, 3 * k->n);
    k->result = numbers(k, 3 * k->n);
    k->product = numbers(k, 3 * k->n);
    k->gradient = numbers(k, 2 * k->n + p);
    k->pushes = numbers(k, 2 * trees * p);
    k->is_push = crn_allocate(&w->stepper.allocator, (size_t)p, sizeof *k->is_push);
    k->pushed.force = numbers(k, 2 * trees);
    k->pushed.target = k->pushed.force ? k->pushed.force + trees : NULL;
    bool has_kept = crn_parameters_keep(w, &k->kept) && k->pushes && k->is_push && k->pushed.force;
    bool has_sides = k->side[0] && k->side[1] && k->wide && k->narrow && k->result && k->product;
    return k->snapshot && k->place && k->origin && has_sides && k->input && k->gradient && has_kept;
}

/* --- One step from a state nearby --- */

crn_status crn_replay_go_back(crn_replay *k, crn_error *error)
{
    crn_parameters_restore(k->world, &k->kept);
    return crn_world_go_back(k->world, k->snapshot, error);
}

static bool is_any(const double *x, int count)
{
    for (int i = 0; i < count; ++i) {
        if (x[i] != 0.0) {
            return true;
        }
    }
    return false;
}

/* Change state and parameters by `by` times the input (2n + p; NULL: nothing). */
static void change(crn_replay *k, double by, const double *input)
{
    const crn_gradient_options *o = k->options;
    if (!input) {
        return;
    }
    for (int i = 0; i < o->parameters; ++i) {
        if (input[2 * k->n + i] != 0.0) {
            crn_parameter_add(k->world, &o->parameter[i], by * input[2 * k->n + i]);
        }
    }
    if (is_any(input, 2 * k->n) ||
        k->world->stepper.forest.trees > 0) { /* links are placed again: their masses may be others */
        crn_tangent_move(&k->world->stepper, by, input, input + k->n);
    }
}

static crn_status run(crn_replay *k, double by, const double *input, crn_error *error)
{
    crn_stepper *s = &k->world->stepper;
    crn_step_part part = {0, false};
    bool is_taken = false;
    crn_status status = crn_replay_go_back(k, error);
    if (status != CRN_OK) {
        return status;
    }
    change(k, by, input);
    status = crn_branch_begin(&k->branch, k->dt, error);
    if (status == CRN_OK) {
        crn_world_activate(k->world, k->dt);
        status = crn_step_advance(s, k->dt, &part, &k->stats, &is_taken, error);
    }
    return status;
}

/* What the step led to, as 3n numbers since place. */
static void read_state(crn_replay *k, double *to)
{
    const crn_stepper *s = &k->world->stepper;
    crn_tangent_since(s, k->place, to);
    crn_tangent_velocities(s, to + k->n, to + 2 * k->n);
    if (k->options->saltation) {
        crn_branch_bounce bounce = crn_branch_delay(s);
        k->is_event = k->is_event || bounce.time > 0.0;
        k->is_single = k->is_single && bounce.is_single;
        crn_tangent_add_delay(s, &bounce, to, to + k->n, to + 2 * k->n);
    }
}

/* --- Differences --- */

/* (3n) = (side + - side -) / (2 by) */
static crn_status difference(crn_replay *k, double by, const double *input, double *to, crn_error *error)
{
    crn_status status = CRN_OK;
    for (int side = 0; side < 2 && status == CRN_OK; ++side) {
        status = run(k, side ? -by : by, input, error);
        if (status == CRN_OK) {
            read_state(k, k->side[side]);
        }
    }
    for (int i = 0; i < 3 * k->n && status == CRN_OK; ++i) {
        to[i] = (k->side[0][i] - k->side[1][i]) / (2.0 * by);
    }
    return status;
}

static double largest(const crn_replay *k, const double *x)
{
    double most = 1.0;
    for (int i = 0; i < 3 * k->n; ++i) {
        most = crn_fmax(most, fabs(x[i]));
    }
    return most;
}

/* By how much the differences to both sides of the last difference() differ. */
static double bend(const crn_replay *k, double by)
{
    double most = 0.0;
    for (int i = 0; i < 3 * k->n; ++i) {
        most = crn_fmax(most, fabs(k->side[0][i] - 2.0 * k->origin[i] + k->side[1][i]) / by);
    }
    return most;
}

/* What the two sides of a difference say of a column. */
typedef enum bend_kind { STRAIGHT, CURVED, KINK_HERE, KINK_NEAR } bend_kind;

/* Of the difference in `to`, made by the change; then side and narrow have one of a tenth of it, if that was needed. */
static crn_status look_at_bend(crn_replay *k, const double *input, const double *to, bend_kind *kind, crn_error *error)
{
    double narrow = NARROW * k->change, first = bend(k, k->change), off = 0.0, size = largest(k, to);
    *kind = STRAIGHT;
    if (k->options->is_unchecked || first <= BEND_LEAST * size + BEND_NOISE * k->noise / narrow) {
        return CRN_OK;
    }
    crn_status status = difference(k, narrow, input, k->narrow, error);
    double second = status == CRN_OK ? bend(k, narrow) : 0.0;
    for (int i = 0; i < 3 * k->n; ++i) {
        off = crn_fmax(off, fabs(k->narrow[i] - to[i]));
    }
    bool is_curved = off > CURVE_LEAST * size + k->noise / narrow;
    *kind = second > BEND_KEPT * first   ? KINK_HERE
            : second < BEND_LOST * first ? KINK_NEAR
            : is_curved                  ? CURVED
                                         : STRAIGHT;
    return status;
}

/* Contacts of shapes and clamps may have kinks of their own, as where a flat face is parallel to what it touches: then the forward
 * difference is returned, or that of a change which does not reach the kink, and the column is told. */
static void take_kink(crn_replay *k, bend_kind kind, double *to)
{
    k->branch.changed++;
    for (int i = 0; i < 3 * k->n; ++i) {
        to[i] = kind == KINK_NEAR ? k->narrow[i] : (k->side[0][i] - k->origin[i]) / (NARROW * k->change);
    }
}

/* Entry i of the differences of levels `level` - order to level, extrapolated to a change of 0 by Neville's scheme. */
static double extrapolated(const crn_replay *k, int i, int level, int order)
{
    if (order == 0) {
        return k->wide[level * 3 * k->n + i];
    }
    double narrow = extrapolated(k, i, level, order - 1), wide = extrapolated(k, i, level - 1, order - 1);
    double power = NARROWER * NARROWER;
    for (int m = 1; m < order; ++m) {
        power *= NARROWER * NARROWER;
    }
    return narrow + (narrow - wide) / (power - 1.0);
}

/* Largest change that an order makes of the one before. */
static double correction(const crn_replay *k, int level, int order)
{
    double most = 0.0;
    for (int i = 0; i < 3 * k->n; ++i) {
        most = crn_fmax(most, fabs(extrapolated(k, i, level, order) - extrapolated(k, i, level, order - 1)));
    }
    return most;
}

/* A difference, wide perhaps; has_left: it left the branch, or led too far. */
static crn_status difference_far(crn_replay *k, double by, const double *input, double *to, bool *has_left,
                                 crn_error *error)
{
    int changed = k->branch.changed;
    crn_status status = difference(k, by, input, to, error);
    *has_left = status == CRN_ERR_DIVERGED || k->branch.changed != changed;
    k->branch.changed = changed;
    return status == CRN_ERR_DIVERGED ? CRN_OK : status;
}

/* Where rounding or a curve is felt, instead of the difference in `to`, which is off by `off`: others from `by` to narrow, extrapolated by
 * Neville's scheme; the best has the least correction and rounding [R82]. Of that there may be more in this direction than in the one in which
 * it was measured: what the narrowest two differ by, beside a curve, tells. */
static crn_status extrapolate_from(crn_replay *k, double by, double off, const double *input, double *to,
                                   crn_error *error)
{
    int count = 3 * k->n, first = 0, best_level = -1, best_order = 0;
    double width[WIDE_LEVELS], noise = k->noise, best = off;
    crn_status status = CRN_OK;
    for (int level = 0; level < WIDE_LEVELS && status == CRN_OK; ++level, by /= NARROWER) {
        bool has_left = false;
        width[level] = by;
        status = difference_far(k, by, input, k->wide + level * count, &has_left, error);
        first = has_left ? level + 1 : first;
    }
    if (status == CRN_OK && first + 2 < WIDE_LEVELS) {
        double power = NARROWER * NARROWER * NARROWER * NARROWER;
        noise = crn_fmax(noise, (power - 1.0) * correction(k, WIDE_LEVELS - 1, 2) * width[WIDE_LEVELS - 1]);
    }
    for (int level = first + 1; level < WIDE_LEVELS && status == CRN_OK; ++level) {
        for (int order = 1; order <= level - first; ++order) {
            double left = correction(k, level, order) + noise / width[level];
            if (left < best) {
                best = left;
                best_level = level;
                best_order = order;
            }
        }
    }
    for (int i = 0; i < count && status == CRN_OK && best_level >= 0; ++i) {
        to[i] = extrapolated(k, i, best_level, best_order);
    }
    k->branch.changed += status == CRN_OK && best > ERROR_MOST * largest(k, to);
    return status;
}

crn_status crn_replay_differentiate(crn_replay *k, const double *input, double *to, crn_error *error)
{
    bend_kind kind = STRAIGHT;
    crn_status status = difference(k, k->change, input, to, error);
    status = status == CRN_OK ? look_at_bend(k, input, to, &kind, error) : status;
    if (status != CRN_OK) {
        return status;
    }
    if (kind == KINK_HERE || kind == KINK_NEAR) {
        take_kink(k, kind, to);
        return CRN_OK;
    }
    double size = largest(k, to), off = kind == CURVED ? INFINITY : k->noise / k->change;
    bool is_rough = k->noise > NOISE_MOST * size * k->change;
    double by = is_rough ? crn_fmin(k->noise / (NOISE_AIM * size), CHANGE_MOST) : k->change;
    return is_rough || kind == CURVED ? extrapolate_from(k, by, off, input, to, error) : CRN_OK;
}

/* --- The recorded step --- */

static crn_status make_step(crn_replay *k, crn_step_stats *stats, crn_error *error)
{
    crn_world_activate(k->world, k->dt);
    crn_status status = crn_world_advance(k->world, k->dt, stats, error);
    if (status == CRN_OK && stats->verdict != CRN_VERDICT_CERTIFIED) {
        return crn_fail(error, CRN_ERR_UNSUPPORTED, "the step is not certified (%s): it has no derivative",
                        crn_verdict_name(stats->verdict));
    }
    return status;
}

/* A direction that favours nothing. */
static void fill_direction(crn_replay *k)
{
    crn_random random = crn_random_seed(1);
    for (int i = 0; i < 2 * k->n + k->options->parameters; ++i) {
        k->input[i] =
            i < 2 * k->n ? crn_random_uniform(&random, 0.5, 1.0) * (crn_random_below(&random, 2) ? 1.0 : -1.0) : 0.0;
    }
}

/* What three steps nearby and the one from here have beside a parabola. All are on one side, so that a kink here is none of it, and at
 * uneven places, since rounding may be opposite and equal. */
static crn_status add_noise(crn_replay *k, double tiny, crn_error *error)
{
    static const double at[] = {1.0, 1.7, 2.9};
    crn_status status = CRN_OK;
    memset(k->side[1], 0, 3 * (size_t)k->n * sizeof(double));
    for (int j = 0; j < 3 && status == CRN_OK; ++j) {
        double weight = at[j] * (at[j] - at[(j + 1) % 3]) * (at[j] - at[(j + 2) % 3]); /* of divided differences */
        status = run(k, at[j] * tiny, k->input, error);
        if (status == CRN_OK) {
            read_state(k, k->side[0]);
        }
        for (int i = 0; i < 3 * k->n && status == CRN_OK; ++i) {
            k->side[1][i] += (k->side[0][i] - k->origin[i]) / weight;
        }
    }
    for (int i = 0; i < 3 * k->n && status == CRN_OK; ++i) {
        k->noise = crn_fmax(k->noise, fabs(k->side[1][i]));
    }
    return status;
}

/* How much of a step's end is rounding. Twice where things are checked: rounding may be small by chance. */
static crn_status measure_noise(crn_replay *k, crn_error *error)
{
    fill_direction(k);
    crn_status status = add_noise(k, CHANGE_TINY, error);
    bool is_enough = status != CRN_OK || k->options->is_unchecked;
    return is_enough ? status : add_noise(k, -10.0 * CHANGE_TINY, error);
}

/* The step on its branch, from here, and the chain of its linear maps. */
static crn_status run_chained(crn_replay *k, crn_error *error)
{
    crn_status status = crn_chain_begin(&k->chain, &k->world->stepper, k->dt, error);
    k->branch.chain = &k->chain;
    status = status == CRN_OK ? run(k, 0.0, NULL, error) : status;
    k->branch.chain = NULL;
    return status;
}

/* --- Parameters that push trees --- */

crn_chain_input crn_replay_push(const crn_replay *k, int parameter)
{
    int trees = k->chain.velocities;
    double *mine = k->pushes + 2 * (size_t)trees * (size_t)parameter;
    return (crn_chain_input){mine, mine + trees};
}

bool crn_replay_is_known(const crn_replay *k, bool with_parameters)
{
    bool is_known = k->chain.is_covered;
    for (int i = 0; i < k->options->parameters && with_parameters; ++i) {
        is_known = is_known && k->is_push[i];
    }
    return is_known;
}

/* to += share times forces that joints have applied now, and targets of their springs. */
static void add_pushes(const crn_stepper *s, double share, const crn_chain_input *to)
{
    const crn_step_forest *f = &s->forest;
    for (int t = 0; t < f->trees; ++t) {
        const crn_step_tree *tree = &f->tree[t];
        for (int i = 0; i < tree->tree->links; ++i) {
            const crn_link *link = &tree->tree->link[i];
            int joint = f->joint[tree->link + i], at = tree->u + link->u;
            for (int c = 0; joint >= 0 && c < crn_joint_kind_coordinates(link->kind); ++c) {
                const crn_step_joint *of = &s->joint[joint];
                to->force[at + c] += share * (of->control_force[c] + of->force[c]);
                to->target[at + c] += share * of->control_target[c];
            }
        }
    }
}

static bool acts_on_a_joint(const crn_world *w, const crn_parameter *p)
{
    bool is_control = p->kind == CRN_PARAMETER_CONTROL && w->actuator[p->index].def.joint >= 0;
    return is_control || p->kind == CRN_PARAMETER_JOINT_FORCE;
}

/* Controls and forces along joints change nothing but these, in proportion, unless they are at a bound: both sides are as far from the middle then. */
static crn_status take_push(crn_replay *k, int i, crn_error *error)
{
    const crn_parameter *p = &k->options->parameter[i];
    const crn_stepper *s = &k->world->stepper;
    int count = 2 * k->chain.velocities;
    double by = PUSH_CHANGE * crn_parameter_unit(k->world, p, k->dt), bend = 0.0, size = 0.0;
    crn_chain_input mine = crn_replay_push(k, i);
    crn_status status = CRN_OK;
    crn_clear_numbers(mine.force, count);
    crn_clear_numbers(k->pushed.force, count);
    k->is_push[i] = k->chain.is_covered && acts_on_a_joint(k->world, p);
    for (int side = -1; side <= 1 && status == CRN_OK && k->is_push[i]; ++side) {
        status = crn_replay_go_back(k, error);
        if (status == CRN_OK) {
            crn_parameter_add(k->world, p, side * by);
            crn_world_activate(k->world, k->dt);
            add_pushes(s, side == 0 ? 2.0 : -1.0, &k->pushed);
            add_pushes(s, 0.5 * side / by, &mine);
        }
    }
    for (int c = 0; c < count; ++c) {
        bend = crn_fmax(bend, fabs(k->pushed.force[c]));
        size = crn_fmax(size, fabs(mine.force[c]));
    }
    k->is_push[i] = k->is_push[i] && bend <= BEND_LEAST * by * size;
    return status;
}

static crn_status take_pushes(crn_replay *k, crn_error *error)
{
    crn_status status = CRN_OK;
    for (int i = 0; i < k->options->parameters && status == CRN_OK; ++i) {
        status = take_push(k, i, error);
    }
    return status;
}

/* How many entries of the chain's product, in wide, a difference of steps says to be others. */
static int count_off(const crn_replay *k, const double *steps)
{
    int off = 0;
    for (int i = 0; i < 3 * k->n; ++i) {
        off += !(fabs(k->wide[i] - steps[i]) <= CHAIN_OFF * (1.0 + fabs(steps[i])));
    }
    return off;
}

/* Does the chain say what a difference of steps says, along a direction that favours nothing? Where that is curved it is extrapolated from a
 * narrower one. */
static crn_status check_chain(crn_replay *k, crn_error *error)
{
    double *wide = k->narrow, *narrow = k->wide + 3 * k->n, over = 1.0 / (1.0 / (NARROW * NARROW) - 1.0);
    if (!k->chain.is_covered || k->branch.touching > 0) { /* what touches has a kink, told, which differences feel */
        return CRN_OK;
    }
    fill_direction(k);
    crn_status status = difference(k, k->change, k->input, wide, error);
    status = status == CRN_OK ? crn_chain_forward(&k->chain, k->input, NULL, k->wide, error) : status;
    if (status != CRN_OK || count_off(k, wide) == 0) {
        return status;
    }
    status = difference(k, NARROW * k->change, k->input, narrow, error);
    for (int i = 0; i < 3 * k->n && status == CRN_OK; ++i) {
        narrow[i] += over * (narrow[i] - wide[i]);
    }
    k->chain.is_covered = status == CRN_OK && count_off(k, narrow) == 0;
    return status;
}

crn_status crn_replay_record(crn_replay *k, crn_step_stats *stats, crn_error *error)
{
    crn_step_branch *b = &k->branch;
    crn_stepper *s = &k->world->stepper;
    crn_status status = make_step(k, stats, error);
    if (status != CRN_OK) {
        return status;
    }
    b->stepper = s;
    b->solver = k->solver;
    b->solver_user = k->solver_user;
    b->wants_shown = !k->options->continues;
    b->kink = k->options->kink;
    b->has_repairs = stats->repairs > 0 || s->forest.loops > 0; /* a change of state may open loops */
    b->is_solved = true;
    b->margin = 1.0;
    s->branch = b;
    s->solver = crn_branch_solve;
    s->solver_user = b;
    status = run(k, 0.0, NULL, error);
    if (status == CRN_OK && !b->is_solved) {
        return crn_fail(error, CRN_ERR_UNSUPPORTED, "a problem of the step is not solved with even impulses");
    }
    b->is_replaying = true;
    status = status == CRN_OK ? run_chained(k, error) : status;
    if (status == CRN_OK) {
        crn_tangent_keep(s, k->place);
        read_state(k, k->origin);
        k->is_event = false;
        status = crn_chain_end(&k->chain, error);
        status = status == CRN_OK ? check_chain(k, error) : status;
    }
    status = status == CRN_OK ? take_pushes(k, error) : status;
    return status == CRN_OK && !crn_replay_is_known(k, true) ? measure_noise(k, error) : status;
}

/* --- Is the step where it was recorded on that branch alone? ---
 *
 * Steps from here and from both sides, along a direction that favours nothing, are made freely and on the branch. Where a choice was about to change, one
 * of them parts from the other: whatever the choice was. */

static crn_status run_freely(crn_replay *k, double by, crn_error *error)
{
    crn_stepper *s = &k->world->stepper;
    crn_step_stats stats;
    crn_status status = crn_replay_go_back(k, error);
    if (status != CRN_OK) {
        return status;
    }
    change(k, by, k->input);
    status = crn_branch_begin(&k->branch, k->dt, error);
    s->branch = NULL;
    s->solver = k->solver;
    s->solver_user = k->solver_user;
    if (status == CRN_OK && k->branch.begins_shown) {
        status = crn_world_move(k->world, 0.0, NULL, NULL, error);
    }
    if (status == CRN_OK) {
        crn_world_activate(k->world, k->dt);
        status = crn_world_advance(k->world, k->dt, &stats, error);
    }
    s->branch = &k->branch;
    s->solver = crn_branch_solve;
    s->solver_user = &k->branch;
    return status;
}

/* Largest difference of two states, positions counting as what they make of velocities. */
static double apart(const crn_replay *k, const double *a, const double *b)
{
    double most = 0.0;
    for (int i = 0; i < 2 * k->n; ++i) {
        most = crn_fmax(most, fabs(a[i] - b[i]) / (i < k->n ? k->dt : 1.0));
    }
    return most;
}

/* How far steps that are made freely may be from those of the branch, which are solved to rounding: as apart() counts. */
static double unsolved(const crn_replay *k)
{
    const crn_world_def *def = &k->world->stepper.def;
    double tol = def->tol > 0.0 ? def->tol : USUAL_TOL, speed = 0.0;
    double repaired = def->repair_tolerance > 0.0 ? def->repair_tolerance : USUAL_REPAIR_TOL;
    for (int i = k->n; i < 2 * k->n; ++i) {
        speed = crn_fmax(speed, fabs(k->origin[i]));
    }
    return CHECK_SOLVED * (tol * speed + (k->branch.has_repairs ? repaired / k->dt : 0.0));
}

/* One step along input, freely and on the branch. */
static crn_status check_side(crn_replay *k, double by, crn_error *error)
{
    crn_status status = run(k, by, k->input, error);
    if (status == CRN_OK) {
        read_state(k, k->side[0]);
        status = run_freely(k, by, error);
    }
    if (status == CRN_ERR_DIVERGED) {
        k->is_parting = true;
        return CRN_OK;
    }
    if (status == CRN_OK) {
        read_state(k, k->side[1]);
        double off = apart(k, k->side[0], k->side[1]), moved = apart(k, k->side[0], k->origin);
        moved = crn_fmax(moved, CHECK_CHANGE);
        k->is_parting = k->is_parting || off > CHECK_SHARE * moved + unsolved(k);
    }
    return status;
}

crn_status crn_replay_check_sides(crn_replay *k, crn_error *error)
{
    crn_gradient_options plain = *k->options;
    const crn_gradient_options *options = k->options;
    plain.saltation = false;
    k->options = &plain;
    fill_direction(k);
    crn_status status = check_side(k, 0.0, error);
    for (int i = 0; i < 4 && status == CRN_OK && !k->is_parting; ++i) {
        if (i == 2) { /* positions alone, too: what rests is put to rest only as long as it does not move */
            memset(k->input + k->n, 0, (size_t)k->n * sizeof *k->input);
        }
        status = check_side(k, i % 2 ? -CHECK_CHANGE : CHECK_CHANGE, error);
    }
    k->options = options;
    return status;
}
