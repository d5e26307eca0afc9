/* The door of this room, beside <cairn/model.h>. */
#ifndef CRN_MODEL_ROOM_H
#define CRN_MODEL_ROOM_H

#include <cairn/model.h>

#include "base/shared.h"

/* As crn_load_def_check(), in a world that may be planar: no force out of the plane, torque about z only. */
crn_status crn_load_def_check_in(const crn_load_def *def, bool is_planar, const char *where, crn_error *error);

/* How many of def->axis mean something: one per coordinate, and one for all turns of a ball joint in a tree. */
CRN_SHARED int crn_joint_def_axes(const crn_joint_def *def);

/* May a tendon go over this coordinate of a joint? Those in trees have; a ball joint's turn is coordinate 0. */
bool crn_joint_has_tendon(const crn_joint_def *def, int coordinate);

/* What can only be said of a whole model: joints that others follow exist, are in trees and have a coordinate; massless
 * bodies are links of a tree. The message names the field as those of crn_model_add_joint() do. */
CRN_SHARED crn_status crn_model_check(const crn_model *model, crn_error *error);

/* Numbers of a probe; joint: the kind of the joint that it is of, if it is of one. */
int crn_probe_size(const crn_probe_def *probe, bool is_planar, crn_joint_kind joint);

/* Does the definition say what the inertia is? Else it comes from the shapes. */
bool crn_body_has_inertia(const crn_body_def *def);

/* Mass, centre and inertia of a body from its definition and prepared shapes (mass.c); 1 kg and the unit inertia for bodies
 * that are not free. */
crn_status crn_body_mass_of(const crn_body_def *def, bool is_planar, crn_shape *const *shape, crn_mass_properties *mass,
                            crn_error *error);

/* Of the model itself; readers take their memory from it too. */
CRN_SHARED crn_allocator crn_model_allocator(const crn_model *model);

#endif
