/* The figures of a step by name. Recordings, CSV files and the page go through this table: a new figure is a field of
 * crn_step_stats, a line here, and the place that fills it. */
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include <cairn/step.h>

/* --- Words --- */

static const char *verdict_word(int value)
{
    return crn_verdict_name((crn_verdict)value);
}

static const char *outcome_word(int value)
{
    return value >= (int)CRN_LCP_UNSOLVED && value <= (int)CRN_LCP_ERROR ? crn_lcp_outcome_name((crn_lcp_outcome)value)
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
#define NAMED(name, field)                                              \
    {                                                                   \
        name, KIND(field), false, offsetof(crn_step_stats, field), NULL \
    }
#define FIGURE(field) NAMED(#field, field)
#define VECTOR(field) FIGURE(field.x), FIGURE(field.y), FIGURE(field.z)
#define SUM(field)                                                           \
    {                                                                        \
#field, CRN_FIGURE_REAL, true, offsetof(crn_step_stats, field), NULL \
    }
#define WORD(field)                                                                   \
    {                                                                                 \
#field, CRN_FIGURE_WORD, false, offsetof(crn_step_stats, field), field##_word \
    }

static const crn_step_figure table[] = {
    WORD(verdict),
    FIGURE(failed),
    FIGURE(amount),
    FIGURE(allowed),
    FIGURE(bodies),
    FIGURE(contacts),
    FIGURE(active),
    FIGURE(rows),
    FIGURE(islands),
    FIGURE(problems),
    WORD(outcome),
    WORD(law),
    WORD(method),
    FIGURE(certificate),
    FIGURE(pivots),
    FIGURE(iterations),
    NAMED("warm", is_warm),
    NAMED("relaxed", is_relaxed),
    FIGURE(penetration),
    FIGURE(penetration_mean),
    FIGURE(unseen),
    FIGURE(rounds),
    FIGURE(joint_error),
    FIGURE(loop_error),
    FIGURE(loop_opening),
    FIGURE(loop_clearance),
    FIGURE(loop_misfit),
    FIGURE(loop_misfit_allowed),
    FIGURE(loop_rows),
    FIGURE(loop_held),
    FIGURE(loop_loose),
    FIGURE(kinetic),
    FIGURE(potential),
    VECTOR(momentum),
    VECTOR(angular_momentum),
    FIGURE(drifts),
    FIGURE(repairs),
    FIGURE(clamped),
    FIGURE(seconds),
    FIGURE(seconds_collide),
    FIGURE(seconds_solve),
    FIGURE(ledger.before),
    FIGURE(ledger.after),
    SUM(ledger.loads),
    SUM(ledger.motors),
    SUM(ledger.driven),
    SUM(ledger.friction),
    SUM(ledger.impact),
    SUM(ledger.damping),
    SUM(ledger.projection),
    SUM(ledger.repair),
    SUM(ledger.integration),
    SUM(ledger.unexplained),
    FIGURE(ledger.scale),
    VECTOR(ledger.momentum),
    VECTOR(ledger.angular_momentum),
    FIGURE(ledger.momentum_scale),
    FIGURE(ledger.angular_scale),
    FIGURE(ledger.gained),
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
    return figure->kind == CRN_FIGURE_WORD ? figure->word((int)crn_step_figure_get(figure, stats)) : NULL;
}
