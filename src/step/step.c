/* A step of a world, in the order that its definition asks for. */
#include <string.h>

#include "step/trees.h"

crn_status crn_step_advance(crn_stepper *s, double h, const crn_step_part *part, crn_step_stats *stats, bool *is_taken,
                            crn_error *error)
{
    memset(stats, 0, sizeof *stats);
    *is_taken = false;
    s->may_be_refused = part->refused >> CRN_VERDICT_PROBLEM & 1u;
    crn_status status = crn_step_plant(s, error);
    if (status != CRN_OK) {
        return status;
    }
    if (!crn_is_hart(s)) {
        return crn_step_advance_drifting(s, h, part, stats, is_taken, error);
    }
    status = crn_step_advance_hart(s, h, stats, error); /* it promises nothing that could be refused */
    *is_taken = status == CRN_OK;
    return status;
}
