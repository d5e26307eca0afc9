/* The door of this room, beside <cairn/model.h>. */
#ifndef CRN_MODEL_ROOM_H
#define CRN_MODEL_ROOM_H

#include <cairn/model.h>

/* As crn_load_def_check(), in a world that may be planar: no force out of the plane, torque about z only. */
crn_status crn_load_def_check_in(const crn_load_def *def, bool is_planar, const char *where, crn_error *error);

#endif
