/* A world is stepped and every step is judged from outside. */
#include "survey.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "survey_traits.h"
#include "watch.h"

/* What rounding and the tolerance of contact problems may leave in the energy. */
const double crn_survey_energy_tolerance = 1e-9;
/* Beyond what the world itself leaves, its repair_tolerance of 1e-7 m. */
const double crn_survey_overlap_tolerance = 1e-6;
/* Loops are repaired to 1e-7. */
const double crn_survey_joint_tolerance = 1e-6;

/* Steps that bodies get to part which overlap at the start; of them those that may raise something by that. */
enum { PARTING_STEPS = 20, RAISED_STEPS = 4 };

/* Of worlds that do not say what overlap repair may leave [m]. */
static const double repair_default = 1e-7;

/* Overlap at the start that is no more than rounding of places, of the smaller body's radius. */
static const double start_overlap = 1e-9;

typedef struct run {
    const crn_model *model;
    crn_world *world;
    double *radius; /* per body, about its origin [m] */
    crn_survey *survey;
    FILE *log;
    double work;    /* since the start, repairs of what was placed wrongly included [J] */
    double at_hand; /* K(0) + springs(0) + sum of m |g| radius [J] */
    double scale;   /* the same or the ledger's, if that is larger */
    double record;  /* largest E - E(0) - work so far [J] */
} run;

/* --- Energy --- */

static double length(crn_vec3 a)
{
    return sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
}

static crn_status measure_start(run *r, crn_error *error)
{
    double potential, weights = 0.0, gravity = length(crn_world_definition(r->world)->gravity);
    double energy = crn_gallery_energy(r->world, r->model, &potential);
    double rest = crn_gallery_rotor_energy(r->world, r->model) + crn_survey_springs(r->model, r->world);
    for (int i = 0; i < crn_model_bodies(r->model); ++i) {
        const crn_body_def *body = crn_model_body(r->model, i);
        crn_status status = crn_survey_radius(body, &r->radius[i], error);
        if (status != CRN_OK) {
            return status;
        }
        if (body->kind == CRN_BODY_FREE) {
            weights += body->mass * gravity * fabs(body->gravity_scale) * r->radius[i];
        }
    }
    r->survey->start = energy + rest;
    r->at_hand = r->scale = energy - potential + rest + weights;
    return CRN_OK;
}

/* Repairs may raise only what was placed overlapping, or with open joints, and only in the first steps. */
static double allowed_repair(const run *r, int step, const crn_ledger *ledger)
{
    bool is_off = r->survey->has_overlap || r->survey->opening_start > crn_survey_joint_tolerance;
    return is_off && step < RAISED_STEPS ? fmax(0.0, ledger->repair) : 0.0;
}

static void count_work(run *r, int step, const crn_ledger *ledger)
{
    double repair = allowed_repair(r, step, ledger);
    r->work += ledger->loads + ledger->motors + ledger->driven + repair;
    r->survey->has_ledger = r->survey->has_ledger || ledger->scale > 0.0;
    r->scale = fmax(r->scale, fmax(ledger->scale, fabs(r->work)));
    r->survey->repaired += r->scale > 0.0 ? repair / r->scale : 0.0;
}

static double share_of(double amount, double whole)
{
    return whole > 0.0 ? fabs(amount) / whole : 0.0;
}

static void judge_energy(run *r, int step, const crn_step_stats *stats)
{
    crn_survey *v = r->survey;
    bool is_certified = stats->verdict == CRN_VERDICT_CERTIFIED;
    double energy = stats->kinetic + stats->potential + crn_survey_springs(r->model, r->world);
    if (v->springs > 0 && stats->ledger.scale > 0.0) { /* a ball joint's turn cannot be asked for */
        energy = stats->ledger.after;
        v->start = step == 0 ? stats->ledger.before : v->start;
    }
    double excess = energy - v->start - r->work;
    v->is_finite = v->is_finite && isfinite(energy);
    v->is_judged = v->is_closed || v->has_ledger;
    if (v->is_judged && excess > crn_survey_energy_tolerance * r->scale) {
        bool is_record = excess > r->record + crn_survey_energy_tolerance * r->scale;
        v->exceeded++;
        v->raised += is_record;
        v->exceeded_certified += is_certified;
        if (v->first < 0) {
            v->first = step;
            v->at_first = *stats;
        }
    }
    if (v->is_judged && excess > 0.0) {
        v->excess = fmax(v->excess, share_of(excess, r->scale));
        v->ratio = fmax(v->ratio, share_of(excess, r->at_hand));
        r->record = fmax(r->record, excess);
    }
}

static void judge_ledger(crn_survey *v, const crn_ledger *ledger)
{
    v->unexplained = fmax(v->unexplained, share_of(ledger->unexplained, ledger->scale));
    v->momentum = fmax(v->momentum, share_of(length(ledger->momentum), ledger->momentum_scale));
    v->angular = fmax(v->angular, share_of(length(ledger->angular_momentum), ledger->angular_scale));
}

/* --- Places --- */

/* Deepest overlap beyond what repair leaves, of the radius of the smaller of both bodies. */
static double overlap_now(const run *r)
{
    const double left = crn_world_definition(r->world)->repair_tolerance;
    double depth = 0.0, size = INFINITY;
    crn_body_id id[2] = {{0, 0}, {0, 0}};
    if (crn_world_overlap(r->world, &depth, &id[0], &id[1]) != CRN_OK) {
        return 0.0;
    }
    depth = fmax(0.0, depth - (left > 0.0 ? left : repair_default));
    for (int i = 0; i < 2; ++i) {
        double radius = id[i].index1 > 0 ? r->radius[id[i].index1 - 1] : 0.0;
        size = radius > 0.0 ? fmin(size, radius) : size;
    }
    return depth / size;
}

static void judge_overlap(run *r, int step)
{
    crn_survey *v = r->survey;
    double overlap = overlap_now(r);
    if (v->has_overlap && step < PARTING_STEPS) {
        return;
    }
    v->overlapping += overlap > crn_survey_overlap_tolerance;
    v->overlap = fmax(v->overlap, overlap);
}

/* Worst error of a joint [m, rad]. */
static double opening_now(const run *r)
{
    double worst = 0.0;
    for (int i = 0; i < crn_world_joints(r->world); ++i) {
        double distance, angle;
        if (crn_joint_error(r->world, crn_world_joint(r->world, i + 1), &distance, &angle) == CRN_OK) {
            worst = fmax(worst, fmax(distance, angle));
        }
    }
    return worst;
}

/* How far coordinates are beyond their limits [m, rad]. */
static double beyond_limits(const run *r)
{
    double worst = 0.0;
    for (int i = 0; i < crn_model_joints(r->model); ++i) {
        const crn_joint_def *joint = crn_model_joint(r->model, i);
        double value[CRN_JOINT_COORDINATES_MAX] = {0};
        (void)crn_joint_coordinate(r->world, crn_world_joint(r->world, i + 1), value, NULL);
        for (int k = 0; k < crn_joint_kind_coordinates(joint->kind); ++k) {
            const crn_joint_axis *axis = &joint->axis[k];
            if (axis->lower <= axis->upper) {
                worst = fmax(worst, fmax(axis->lower - value[k], value[k] - axis->upper));
            }
        }
    }
    return worst;
}

static void judge_joints(run *r, const crn_step_stats *stats)
{
    double worst = opening_now(r);
    bool is_within = stats->loop_rows > 0 && !(stats->failed & 1u << CRN_VERDICT_JOINTS); /* the clearance */
    r->survey->open += worst > crn_survey_joint_tolerance && !is_within;
    r->survey->opening = fmax(r->survey->opening, worst);
}

/* In a planar world nothing leaves the plane. */
static void judge_plane(run *r)
{
    for (int i = 0; i < crn_model_bodies(r->model) && r->survey->is_planar; ++i) {
        crn_pose p;
        if (r->radius[i] > 0.0 && crn_body_pose(r->world, crn_world_body(r->world, i + 1), &p) == CRN_OK) {
            double turned = 2.0 * sqrt(p.rotation.x * p.rotation.x + p.rotation.y * p.rotation.y);
            r->survey->aslant = fmax(r->survey->aslant, fmax(turned, fabs(p.position.z) / r->radius[i]));
        }
    }
}

static bool is_state_finite(const run *r)
{
    double sum = 0.0;
    for (int i = 0; i < crn_model_bodies(r->model); ++i) {
        crn_pose p;
        crn_twist v;
        crn_body_id id = crn_world_body(r->world, i + 1);
        if (crn_body_pose(r->world, id, &p) == CRN_OK && crn_body_velocity(r->world, id, &v) == CRN_OK) {
            sum += length(p.position) + fabs(p.rotation.w) + fabs(p.rotation.x) + fabs(p.rotation.y);
            sum += fabs(p.rotation.z) + length(v.linear) + length(v.angular);
        }
    }
    return isfinite(sum);
}

/* --- Steps --- */

static void count_step(crn_survey *v, const crn_step_stats *stats)
{
    v->steps++;
    v->verdict[stats->verdict]++;
    v->unsolved += stats->outcome != CRN_LCP_SOLVED;
    v->other_law += stats->law == CRN_LAW_CONVEX;
    v->relaxed += stats->is_relaxed;
    v->bounced += stats->problems > 1;
    v->touching += stats->active > 0;
    v->seconds += stats->seconds;
    v->slowest = fmax(v->slowest, stats->seconds);
}

static void print_step(const run *r, int step, const crn_step_stats *stats)
{
    const crn_survey *v = r->survey;
    double springs = crn_survey_springs(r->model, r->world);
    double energy = stats->kinetic + stats->potential + springs;
    fprintf(r->log,
            "%4d K %.9e V %.9e S %.3e  E-E0 %+.3e (of scale %+.2e)  %-9s %-9s %s%s contacts %d/%d rows %d problems %d "
            "cert %.1e rounds %d repairs %d clamped %.2e pen %.2e overlap so far %.2e joints %.2e\n",
            step, stats->kinetic, stats->potential, springs, energy - v->start, (energy - v->start) / r->scale,
            crn_verdict_name(stats->verdict), crn_lcp_outcome_name(stats->outcome),
            stats->law == CRN_LAW_CONVEX ? "convex " : "", stats->is_relaxed ? "relaxed " : "", stats->active,
            stats->contacts, stats->rows, stats->problems, stats->certificate, stats->rounds, stats->repairs,
            stats->clamped, stats->penetration, v->overlap, v->opening);
}

static void take_steps(run *r, int steps)
{
    crn_survey *v = r->survey;
    for (int i = 0; i < steps; ++i) {
        crn_error error = {CRN_OK, ""};
        crn_step_stats stats;
        v->status = crn_world_step(r->world, v->dt, &stats, &error);
        if (v->status != CRN_OK) {
            (void)snprintf(v->text, sizeof v->text, "%.150s", error.text);
            return;
        }
        count_step(v, &stats);
        count_work(r, i, &stats.ledger);
        judge_energy(r, i, &stats);
        judge_ledger(v, &stats.ledger);
        judge_overlap(r, i);
        judge_joints(r, &stats);
        judge_plane(r);
        if (r->log != NULL) {
            print_step(r, i, &stats);
        }
        v->is_finite = v->is_finite && is_state_finite(r);
        if (!v->is_finite) {
            return;
        }
    }
}

static crn_status run_world(run *r, int steps, crn_error *error)
{
    crn_status status = crn_survey_look(r->model, r->survey, error);
    if (status == CRN_OK) {
        status = crn_world_create_from(r->model, NULL, &r->world, error);
    }
    if (status == CRN_OK) {
        status = measure_start(r, error);
    }
    if (status == CRN_OK) {
        r->survey->overlap_start = overlap_now(r);
        r->survey->has_overlap = r->survey->overlap_start > start_overlap;
        r->survey->opening_start = fmax(opening_now(r), beyond_limits(r));
        take_steps(r, steps);
    }
    crn_world_destroy(r->world);
    return status;
}

crn_status crn_survey_run(const crn_model *model, int steps, FILE *log, crn_survey *survey, crn_error *error)
{
    memset(survey, 0, sizeof *survey);
    (void)snprintf(survey->name, sizeof survey->name, "%.40s", crn_model_name(model));
    survey->is_finite = true;
    survey->first = -1;
    run r = {.model = model, .survey = survey, .log = log};
    r.radius = calloc((size_t)crn_model_bodies(model) + 1, sizeof *r.radius);
    if (r.radius == NULL) {
        return crn_fail(error, CRN_ERR_MEMORY, "survey: no memory");
    }
    crn_status status = run_world(&r, steps, error);
    free(r.radius);
    return status;
}
