/* How the touches of two shapes change where their bodies are moved: by differences of the narrow phase. */
#ifndef CRN_STEP_CHAIN_PLACE_H
#define CRN_STEP_CHAIN_PLACE_H

#include "step/step_room.h"

/* A contact's point, normal and gap by place j of its bodies: turn and shift of a, of b. */
typedef struct crn_chain_place {
    crn_vec3 point[CRN_CHAIN_BOTH], normal[CRN_CHAIN_BOTH];
    double gap[CRN_CHAIN_BOTH];
} crn_chain_place;

/* Of contacts first to first + count, which are of one pair of shapes, with the bodies at `pose` of their centres of mass (a, b). is_here: that is
 * where the contacts were found. False: places have a kink, or contacts are not those of the narrow phase. */
bool crn_chain_places(crn_stepper *stepper, int first, int count, const crn_pose pose[2], bool is_here, double h,
                      crn_chain_place *place);

#endif
