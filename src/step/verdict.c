/* What is wrong with a step: names, sentences, and the judge, who looks at figures only. */
#include "step/verdict.h"

#include <math.h>
#include <string.h>

#include "math/rigid.h"
#include "step/loops.h"

static const double JOINT_SHARE = 10.0; /* joints and loops are repaired to a tolerance: so many times that is open */
static const double DEEPENING_MOST = 1e-4;    /* of the smaller body: overlaps that could not be repaired */
static const double UNEXPLAINED_MOST = 1e-10; /* of the largest energy, momentum moved in the step: rounding is 1e-15 */
static const double GAINED_MOST = 1e-9;       /* of the same: energy above that of the beginning and all work since */

static const double TOLERANCE_ROUND = 1e-8, TOLERANCE_POLYGON = 1e-9; /* crn_contact_options.tol if it is 0 */

/* --- Names --- */

static const char *const names[CRN_VERDICT_COUNT] = {"certified", "problem", "law",     "overlap",
                                                     "joints",    "energy",  "momentum"};

static const char *const sentences[CRN_VERDICT_COUNT] = {
    ("The problem is solved by the law asked for, joints hold, no overlap is unknown, energy and momentum are "
     "accounted for."),
    "The complementarity problem of the step is not solved to its tolerance.",
    "The problem is solved by the convex law; Coulomb's, which was asked for, was not reached.",
    "Bodies came to overlap that no row of the step knew, or deeper than before.",
    "Joints or loops are open by more than their tolerance.",
    "Energy changed by more than all that acted explains, or grew above what it was at the beginning without work.",
    "Momentum changed by more than all that acted explains."};

const char *crn_verdict_name(crn_verdict verdict)
{
    return (unsigned)verdict < CRN_VERDICT_COUNT ? names[verdict] : NULL;
}

const char *crn_verdict_sentence(crn_verdict verdict)
{
    return (unsigned)verdict < CRN_VERDICT_COUNT ? sentences[verdict] : NULL;
}

bool crn_verdict_find(const char *name, crn_verdict *verdict)
{
    for (int i = 0; name && i < CRN_VERDICT_COUNT; ++i) {
        if (strcmp(name, names[i]) == 0) {
            *verdict = (crn_verdict)i;
            return true;
        }
    }
    return false;
}

/* --- The judge --- */

/* Note that something is wrong; the first counts for the verdict. */
static void fail(crn_step_stats *stats, crn_verdict verdict, double amount, double allowed)
{
    if (stats->failed == 0) {
        stats->verdict = verdict;
        stats->amount = amount;
        stats->allowed = allowed;
    }
    stats->failed |= 1u << verdict;
}

/* In the order of [HA03] joints are open by O(h^2) and closed by the next step: they have no tolerance there. */
static void judge_joints(const crn_world_def *def, crn_step_stats *stats)
{
    double amount, allowed, most = JOINT_SHARE * crn_repair_tolerance(def);
    if (!(stats->joint_error <= most) && def->integrator != CRN_INTEGRATOR_HART) {
        fail(stats, CRN_VERDICT_JOINTS, stats->joint_error, most);
    } else if (!crn_loops_hold(def, stats, &amount, &allowed)) {
        fail(stats, CRN_VERDICT_JOINTS, amount, allowed);
    }
}

static void judge_energy(crn_step_stats *stats)
{
    const crn_ledger *ledger = &stats->ledger;
    double rest = fabs(ledger->unexplained), most = UNEXPLAINED_MOST * ledger->scale;
    double gained = ledger->gained, gained_most = GAINED_MOST * ledger->scale;
    if (!(rest <= most)) {
        fail(stats, CRN_VERDICT_ENERGY, rest, most);
    } else if (!(gained <= gained_most)) {
        fail(stats, CRN_VERDICT_ENERGY, gained, gained_most);
    }
}

static void judge_momentum(crn_step_stats *stats)
{
    const crn_ledger *ledger = &stats->ledger;
    double linear = crn_v3_length(ledger->momentum), angular = crn_v3_length(ledger->angular_momentum);
    double linear_most = UNEXPLAINED_MOST * ledger->momentum_scale;
    double angular_most = UNEXPLAINED_MOST * ledger->angular_scale;
    if (!(linear <= linear_most)) {
        fail(stats, CRN_VERDICT_MOMENTUM, linear, linear_most);
    } else if (!(angular <= angular_most)) {
        fail(stats, CRN_VERDICT_MOMENTUM, angular, angular_most);
    }
}

double crn_problem_tolerance(const crn_world_def *def)
{
    if (def->tol > 0.0) {
        return def->tol;
    }
    return def->cone == CRN_CONE_ROUND ? TOLERANCE_ROUND : TOLERANCE_POLYGON;
}

void crn_verdict_judge(const crn_world_def *def, crn_step_stats *stats)
{
    double tol = crn_problem_tolerance(def);
    stats->verdict = CRN_VERDICT_CERTIFIED;
    stats->failed = 0;
    stats->amount = stats->allowed = 0.0;
    if (!crn_is_answered(stats->outcome)) {
        fail(stats, CRN_VERDICT_PROBLEM, stats->certificate, tol);
    }
    if (def->scheme != CRN_SCHEME_CONVEX && stats->law == CRN_LAW_CONVEX) {
        fail(stats, CRN_VERDICT_LAW, stats->certificate, tol);
    }
    if (stats->unseen > 0) {
        fail(stats, CRN_VERDICT_OVERLAP, stats->unseen, 0.0);
    } else if (!(stats->deepening <= DEEPENING_MOST) && def->integrator != CRN_INTEGRATOR_HART) {
        fail(stats, CRN_VERDICT_OVERLAP, stats->deepening, DEEPENING_MOST);
    }
    judge_joints(def, stats);
    judge_energy(stats);
    judge_momentum(stats);
}
