/* Contacts and rows where everything is, and the bodies of the problem. */
#include "math/rigid.h"
#include "step/loops.h"
#include "step/trees.h"

crn_status crn_step_detect_awake(crn_stepper *s, double h, crn_error *error)
{
    crn_status status;
    do {
        status = crn_step_detect(s, h, error);
    } while (status == CRN_OK && crn_step_wake_touched(s));
    return status;
}

crn_status crn_trees_singular(crn_error *error)
{
    return crn_fail(error, CRN_ERR_DIVERGED, "step: the mass matrix of a tree is not positive definite");
}

crn_status crn_trees_look(crn_stepper *s, double h, crn_error *error)
{
    crn_status status = crn_step_detect_awake(s, h, error);
    if (status == CRN_OK) {
        status = crn_step_list_rows(s, h, error);
    }
    if (status == CRN_OK) {
        crn_loops_list_all_stops(s);
    }
    return status == CRN_OK ? crn_step_number(s, error) : status;
}
