/* Steps of interior points, with the factor at hand (body_inside.h): Mehrotra's predictor and corrector, and corrections towards the
 * centre.
 *
 *     predictor c = -lambda;   corrector: lambda o c = sigma m e - lambda o lambda - (W^-1 ds_a) o (W dz_a)
 *
 * Where a factorisation costs many times what a solve does, the corrector is followed by up to three corrections towards the
 * centre [G96]: at a step longer than the one that is possible, products s o z that are too small or too large against their
 * mean are asked to come back. */
#ifndef CRN_CONTACT_BODY_STEPS_H
#define CRN_CONTACT_BODY_STEPS_H

#include "contact/body_drive.h"

/* The predictor, and the mean product s o z to aim at behind it. */
double crn_body_predict(crn_bodies *bodies);

/* Behind a predictor: the step that aims at products of that size. How far it may go, 0 if nowhere. */
double crn_body_step_towards(crn_bodies *bodies, double target);

/* The same without one: from off the path to its point with such products. */
double crn_body_step_back(crn_bodies *bodies, double target);

#endif
