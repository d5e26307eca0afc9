/* The figures of a step by name. Recordings, CSV files and the page go through this table: a new figure is a field of
 * crn_step_stats, a line here, and the place that fills it. */
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "math/elementary.h"
#include "step/step_room.h"

/* --- Words --- */

static const char *verdict_word(int value)
{
    return crn_verdict_name((crn_verdict)value);
}

static const char *outcome_word(int value)
{
    return value >= (int)CRN_LCP_UNSOLVED && value <= (int)CRN_LCP_CONVEX ? crn_lcp_outcome_name((crn_lcp_outcome)value)
                                                                          : NULL;
}

static const char *law_word(int value)
{
    switch (value) {
    case CRN_LAW_COULOMB: return "coulomb";
    case CRN_LAW_CONVEX: return "convex";
    default: return NULL;
    }
}

static const char *method_word(int value)
{
    return crn_contact_method_name((crn_contact_method)value);
}

/* --- The table --- */

/* The kind follows from the type of the field; a type that is none of these does not compile. */
#define KIND(field)                                  \
    _Generic(((crn_step_stats *)NULL)->field, double \
             : CRN_FIGURE_REAL, int                  \
             : CRN_FIGURE_COUNT, bool                \
             : CRN_FIGURE_FLAG, unsigned             \
             : CRN_FIGURE_MASK)
#define ENTRY(name, field, adds_up, in_parts)                                       \
    {                                                                               \
        name, KIND(field), adds_up, offsetof(crn_step_stats, field), NULL, in_parts \
    }
#define LAST(field)         ENTRY(#field, field, false, CRN_PARTS_LAST)
#define TOTAL(field)        ENTRY(#field, field, false, CRN_PARTS_TOTAL)
#define LARGEST(field)      ENTRY(#field, field, false, CRN_PARTS_LARGEST)
#define WORK(field)         ENTRY(#field, field, true, CRN_PARTS_TOTAL)
#define VECTOR(rule, field) rule(field.x), rule(field.y), rule(field.z)
#define WORD(field, in_parts)                                                                   \
    {                                                                                           \
#field, CRN_FIGURE_WORD, false, offsetof(crn_step_stats, field), field##_word, in_parts \
    }

static const crn_step_figure table[] = {
    WORD(verdict, CRN_PARTS_FAILED),
    ENTRY("failed", failed, false, CRN_PARTS_FAILED),
    ENTRY("amount", amount, false, CRN_PARTS_FAILED),
    ENTRY("allowed", allowed, false, CRN_PARTS_FAILED),
    LAST(bodies),
    LAST(contacts),
    LAST(active),
    LAST(rows),
    LAST(islands),
    TOTAL(problems),
    WORD(outcome, CRN_PARTS_FAILED),
    WORD(law, CRN_PARTS_LARGEST),
    WORD(method, CRN_PARTS_LAST),
    LARGEST(certificate),
    LARGEST(shift),
    TOTAL(pivots),
    TOTAL(iterations),
    ENTRY("warm", is_warm, false, CRN_PARTS_LAST),
    ENTRY("relaxed", is_relaxed, false, CRN_PARTS_LARGEST),
    LARGEST(penetration),
    LARGEST(penetration_mean),
    LARGEST(deepening),
    TOTAL(unseen),
    TOTAL(rounds),
    LARGEST(joint_error),
    LARGEST(loop_error),
    LAST(loop_opening),
    LAST(loop_clearance),
    LAST(loop_misfit),
    LAST(loop_misfit_allowed),
    LAST(loop_rows),
    LAST(loop_held),
    LAST(loop_loose),
    LAST(kinetic),
    LAST(potential),
    VECTOR(LAST, momentum),
    VECTOR(LAST, angular_momentum),
    TOTAL(drifts),
    TOTAL(repairs),
    TOTAL(clamped),
    TOTAL(seconds),
    TOTAL(seconds_collide),
    TOTAL(seconds_solve),
    ENTRY("ledger.before", ledger.before, false, CRN_PARTS_FIRST),
    LAST(ledger.after),
    WORK(ledger.loads),
    WORK(ledger.motors),
    WORK(ledger.driven),
    WORK(ledger.friction),
    WORK(ledger.impact),
    WORK(ledger.damping),
    WORK(ledger.projection),
    WORK(ledger.repair),
    WORK(ledger.integration),
    WORK(ledger.unexplained),
    LARGEST(ledger.scale),
    VECTOR(TOTAL, ledger.momentum),
    VECTOR(TOTAL, ledger.angular_momentum),
    LARGEST(ledger.momentum_scale),
    LARGEST(ledger.angular_scale),
    LAST(ledger.gained),
    TOTAL(parts),
    LAST(part_time),
};
enum { FIGURES = sizeof table / sizeof table[0] };

int crn_step_figure_count(void)
{
    return FIGURES;
}

const crn_step_figure *crn_step_figure_at(int index)
{
    return index >= 0 && index < FIGURES ? &table[index] : NULL;
}

const crn_step_figure *crn_step_figure_find(const char *name)
{
    for (int i = 0; name && i < FIGURES; ++i) {
        if (strcmp(name, table[i].name) == 0) {
            return &table[i];
        }
    }
    return NULL;
}

/* --- Values --- */

_Static_assert(sizeof(crn_verdict) == sizeof(int) && sizeof(crn_lcp_outcome) == sizeof(int) &&
                   sizeof(crn_contact_law) == sizeof(int) && sizeof(crn_contact_method) == sizeof(int),
               "words are read and written as int");

double crn_step_figure_get(const crn_step_figure *figure, const crn_step_stats *stats)
{
    if (figure == NULL || stats == NULL) {
        return NAN;
    }
    const void *field = (const char *)stats + figure->offset;
    switch (figure->kind) {
    case CRN_FIGURE_REAL: return *(const double *)field;
    case CRN_FIGURE_FLAG: return *(const bool *)field ? 1.0 : 0.0;
    case CRN_FIGURE_MASK: return *(const unsigned *)field;
    default: return *(const int *)field;
    }
}

/* May a figure that is no real have this value? */
static bool is_possible(const crn_step_figure *figure, double value)
{
    double most = figure->kind == CRN_FIGURE_FLAG ? 1.0 : figure->kind == CRN_FIGURE_MASK ? UINT_MAX : INT_MAX;
    bool is_whole = value >= 0.0 && value <= most && floor(value) == value;
    return is_whole && (figure->kind != CRN_FIGURE_WORD || figure->word((int)value) != NULL);
}

bool crn_step_figure_set(const crn_step_figure *figure, double value, crn_step_stats *stats)
{
    if (figure == NULL || stats == NULL) {
        return false;
    }
    void *field = (char *)stats + figure->offset;
    if (figure->kind != CRN_FIGURE_REAL && !is_possible(figure, value)) {
        return false;
    }
    switch (figure->kind) {
    case CRN_FIGURE_REAL: *(double *)field = value; break;
    case CRN_FIGURE_FLAG: *(bool *)field = value != 0.0; break;
    case CRN_FIGURE_MASK: *(unsigned *)field = (unsigned)value; break;
    default: *(int *)field = (int)value; break;
    }
    return true;
}

const char *crn_step_figure_word(const crn_step_figure *figure, const crn_step_stats *stats)
{
    return figure != NULL && stats != NULL && figure->kind == CRN_FIGURE_WORD
               ? figure->word((int)crn_step_figure_get(figure, stats))
               : NULL;
}

/* --- Steps in parts --- */

static double combined(const crn_step_figure *figure, double sum, double part, bool has_failed)
{
    switch (figure->in_parts) {
    case CRN_PARTS_FIRST: return sum;
    case CRN_PARTS_LAST: return part;
    case CRN_PARTS_TOTAL: return sum + part;
    case CRN_PARTS_LARGEST: return crn_fmax(sum, part);
    case CRN_PARTS_FAILED: break;
    }
    return has_failed ? sum : part;
}

void crn_step_stats_add(const crn_step_stats *part, crn_step_stats *sum)
{
    bool has_failed = sum->failed != 0;
    if (sum->parts == 0) {
        *sum = *part;
        return;
    }
    for (int i = 0; i < FIGURES; ++i) {
        double value =
            combined(&table[i], crn_step_figure_get(&table[i], sum), crn_step_figure_get(&table[i], part), has_failed);
        bool is_set = crn_step_figure_set(&table[i], value, sum);
        assert(is_set);
        (void)is_set;
    }
    sum->failed |= part->failed;
    sum->time = part->time;
}
