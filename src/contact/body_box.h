/* Rows with bounds in the interior point. Nothing happens where there are none. */
#ifndef CRN_CONTACT_BODY_BOX_H
#define CRN_CONTACT_BODY_BOX_H

#include "contact/body_drive.h"

/* Impulses and speeds to begin with, the cones being set: from the row speeds in bodies->u alone, or near the impulses in
 * bodies->r too, g in velocity off the bounds. */
void crn_body_box_start(crn_bodies *bodies, bool is_near, double g);

/* Residuals at the present point. The largest. */
double crn_body_box_look(crn_bodies *bodies);

/* The rows' weights in the matrix there. */
void crn_body_box_weigh(crn_bodies *bodies);

/* Right-hand sides: the products shall become `change`, or change by it; less the second-order part of the step at hand. */
void crn_body_box_ask(crn_bodies *bodies, double change, bool from_products, bool with_second);

/* The rows' part of the force that the step is solved from, into bodies->p; then their step from bodies->w = X'dv. Without
 * residuals e counts as 0. */
void crn_body_box_force(crn_bodies *bodies, bool with_residuals);
void crn_body_box_step(crn_bodies *bodies, bool with_residuals);

/* Sum of the products after a step t; the largest t up to `limit` that leaves nothing negative; whether rounding does. */
double crn_body_box_gap(const crn_bodies *bodies, double t);
double crn_body_box_way(const crn_bodies *bodies, double limit);
bool crn_body_box_is_inside(const crn_bodies *bodies, double t);

/* No step: the corrector has no second-order part then. */
void crn_body_box_forget(crn_bodies *bodies);

void crn_body_box_move(crn_bodies *bodies, double t);

#endif
