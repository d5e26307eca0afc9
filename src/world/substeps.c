/* A step in parts.
 *
 * A step that is long for what happens in it may end where it should not: with an overlap that no row knew, loops open, energy
 * gained; and its problem may be one that is not solved, where those of shorter steps are. Then nothing of it is kept, and the same
 * time is stepped in halves, quarters, ... until each part is certified. Parts are ordinary steps: where their length changes
 * everything goes on from what is shown, with half a kick [docs/theory/stepping.md]. */
#include <string.h>

#include "world/world.h"

enum { PARTS_MOST = 64, PARTS_SOLVED = 4 }; /* of a step: powers of 2; PARTS_SOLVED for a problem that is not solved */

/* What shorter steps may mend. Where one problem is not solved another one mostly is, but those of shorter steps are not easier: in a
 * quarter the solver tries all it has, and that is it. */
static const unsigned SOLVERS = 1u << CRN_VERDICT_PROBLEM | 1u << CRN_VERDICT_LAW;
static const unsigned MENDABLE =
    1u << CRN_VERDICT_OVERLAP | 1u << CRN_VERDICT_JOINTS | 1u << CRN_VERDICT_ENERGY | 1u << CRN_VERDICT_MOMENTUM;

/* error keeps what the whole step failed by, unless there is no memory. */
static crn_status save(crn_world *w, crn_error *error)
{
    size_t size = crn_world_snapshot_size(w);
    if (!crn_reserve(&w->stepper.allocator, (void **)&w->backup, &w->backup_capacity, (int)size, 1)) {
        return crn_fail(error, CRN_ERR_MEMORY, "world: out of memory for a step in parts");
    }
    return crn_world_save(w, w->backup, size, NULL);
}

/* The way through a step: in parts of size/PARTS_MOST of it. Sizes only become smaller: each change costs half a kick. */
typedef struct progress {
    int size, done;
    unsigned failed; /* what failed before: smaller parts would not mend it */
} progress;

static bool is_least(const crn_world *w, const progress *p)
{
    return p->size == 1 || w->stepper.def.integrator == CRN_INTEGRATOR_HART;
}

/* What fails before smaller parts are tried. */
static unsigned mendable(const progress *p)
{
    return (p->size > PARTS_MOST / PARTS_SOLVED ? MENDABLE | SOLVERS : MENDABLE) & ~p->failed;
}

/* One part; if it is refused or diverges, go on with smaller ones. */
static crn_status advance_part(crn_world *w, double dt, progress *p, crn_step_stats *stats, crn_error *error)
{
    bool is_last_try = is_least(w, p), is_taken = false;
    crn_step_part part = {.refused = is_last_try ? 0 : mendable(p), .is_later = p->done > 0};
    crn_step_stats one;
    crn_status status = crn_step_advance(&w->stepper, dt * p->size / PARTS_MOST, &part, &one, &is_taken, error);
    if (is_taken) {
        p->done += p->size;
        p->failed |= one.failed;
        crn_step_stats_add(&one, stats);
    } else if (!is_last_try && (status == CRN_OK || status == CRN_ERR_DIVERGED)) {
        status = p->size == PARTS_MOST ? save(w, error) : CRN_OK;
        crn_step_release_motors(&w->stepper);
        p->size /= 2;
    }
    return status;
}

crn_status crn_world_advance(crn_world *w, double dt, crn_step_stats *stats, crn_error *error)
{
    progress p = {.size = PARTS_MOST, .failed = w->failed};
    double end = w->stepper.time + dt;
    crn_error first = {CRN_OK, ""}, later = {CRN_OK, ""}; /* of the whole step; of its parts */
    memset(stats, 0, sizeof *stats);
    crn_status status = advance_part(w, dt, &p, stats, &first);
    while (p.done < PARTS_MOST && status == CRN_OK) {
        status = advance_part(w, dt, &p, stats, &later);
    }
    if (status == CRN_OK) {
        w->stepper.time = stats->time = end;
        w->last_dt = stats->part_time;
        w->failed = stats->failed;
        return CRN_OK;
    }
    if (p.size < PARTS_MOST) {
        (void)crn_world_restore(w, w->backup, (size_t)w->backup_capacity, NULL); /* it was made from this world */
    }
    if (error) {
        *error = first.status != CRN_OK ? first : later;
    }
    return status;
}
