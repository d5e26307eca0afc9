/* A step of a world, in the order that its definition asks for. */
#include <string.h>

#include "step/trees.h"

crn_status crn_step_advance(crn_stepper *s, double h, crn_step_stats *stats, crn_error *error)
{
    memset(stats, 0, sizeof *stats);
    crn_status status = crn_step_plant(s, error);
    if (status != CRN_OK) {
        return status;
    }
    return crn_is_hart(s) ? crn_step_advance_hart(s, h, stats, error) : crn_step_advance_drifting(s, h, stats, error);
}
