/* A step in parts.
 *
 * A step that is long for what happens in it may end where it should not: with an overlap that no row knew, loops open, energy
 * gained. Then nothing of it is kept, and the same time is stepped in halves, quarters, ... until each part is certified. Parts are
 * ordinary steps: where their length changes everything goes on from what is shown, with half a kick [docs/theory/stepping.md]. */
#include <string.h>

#include "world/world.h"

enum { PARTS_MOST = 64 }; /* of a step: a power of 2 */

/* What shorter steps may mend. A problem that is not solved, or not by the law asked for, is the solver's. */
static const unsigned MENDABLE =
    1u << CRN_VERDICT_OVERLAP | 1u << CRN_VERDICT_JOINTS | 1u << CRN_VERDICT_ENERGY | 1u << CRN_VERDICT_MOMENTUM;

static crn_status save(crn_world *w, crn_error *error)
{
    size_t size = crn_world_snapshot_size(w);
    if (!crn_reserve(&w->stepper.allocator, (void **)&w->backup, &w->backup_capacity, (int)size, 1)) {
        return crn_fail(error, CRN_ERR_MEMORY, "world: out of memory for a step in parts");
    }
    return crn_world_save(w, w->backup, size, error);
}

/* dt in parts of size/PARTS_MOST of it. Sizes only become smaller: each change costs half a kick. */
static crn_status advance_parts(crn_world *w, double dt, crn_step_stats *stats, crn_error *error)
{
    crn_status status = CRN_OK;
    unsigned failed = w->failed;
    int size = PARTS_MOST / 2;
    for (int done = 0; done < PARTS_MOST && status == CRN_OK;) {
        bool is_least = size == 1, is_taken = false;
        crn_step_part part = {.refused = is_least ? 0 : MENDABLE & ~failed, .is_later = done > 0};
        crn_step_stats one;
        status = crn_step_advance(&w->stepper, dt * size / PARTS_MOST, &part, &one, &is_taken, error);
        if (is_taken) {
            done += size;
            failed |= one.failed;
            crn_step_stats_add(&one, stats);
        } else if (!is_least && (status == CRN_OK || status == CRN_ERR_DIVERGED)) {
            status = CRN_OK;
            size /= 2;
        }
    }
    return status;
}

static crn_status advance_in_parts(crn_world *w, double dt, crn_step_stats *stats, crn_error *error)
{
    double end = w->stepper.time + dt;
    memset(stats, 0, sizeof *stats);
    crn_status status = save(w, error);
    if (status != CRN_OK) {
        return status;
    }
    status = advance_parts(w, dt, stats, error);
    if (status == CRN_OK) {
        w->stepper.time = stats->time = end;
    } else {
        (void)crn_world_restore(w, w->backup, (size_t)w->backup_capacity, NULL); /* it was made from this world */
    }
    return status;
}

crn_status crn_world_advance(crn_world *w, double dt, crn_step_stats *stats, crn_error *error)
{
    bool is_taken = false;
    crn_step_part whole = {.refused = MENDABLE & ~w->failed}; /* what failed before is not mended by parts */
    crn_status status = crn_step_advance(&w->stepper, dt, &whole, stats, &is_taken, error);
    bool is_mendable =
        status == CRN_OK || (status == CRN_ERR_DIVERGED && w->stepper.def.integrator != CRN_INTEGRATOR_HART);
    if (!is_taken && is_mendable) {
        crn_error first = {status, ""}, later = {CRN_OK, ""};
        if (error) {
            first = *error;
        }
        status = advance_in_parts(w, dt, stats, &later);
        if (error) {
            *error = status == CRN_OK || first.status == CRN_OK ? later : first; /* of the whole step, not of a part */
        }
    }
    if (status == CRN_OK) {
        w->last_dt = stats->part_time;
        w->failed = stats->failed;
    }
    return status;
}
