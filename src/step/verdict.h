/* The judge of a step: knows its figures, and no solver. */
#ifndef CRN_STEP_VERDICT_H
#define CRN_STEP_VERDICT_H

#include <cairn/step.h>

/* Joints, loops and overlap are repaired to this [m, rad]. */
static inline double crn_repair_tolerance(const crn_world_def *def)
{
    const double usual = 1e-7;
    return def->repair_tolerance > 0.0 ? def->repair_tolerance : usual;
}

/* verdict, failed, amount and allowed from all other figures. */
void crn_verdict_judge(const crn_world_def *def, crn_step_stats *stats);

/* Of the certificate of a problem: what door 2 takes for solved. */
double crn_problem_tolerance(const crn_world_def *def);

#endif
