/* Copies of definitions that own nothing outside of one block: run on a counting arena for the size, then on the block. */
#ifndef CRN_MODEL_COPY_H
#define CRN_MODEL_COPY_H

#include <cairn/model.h>

#include "base/memory.h"

/* The definition has been checked. The copy is settled (see copy.c); its pointers are NULL if the arena only counts. */
crn_body_def crn_body_def_copy(const crn_body_def *def, bool is_planar, crn_arena *arena);
crn_joint_def crn_joint_def_copy(const crn_joint_def *def, crn_arena *arena);
crn_site_def crn_site_def_copy(const crn_site_def *def, bool is_planar, crn_arena *arena);
crn_tendon_def crn_tendon_def_copy(const crn_tendon_def *def, bool is_planar, crn_arena *arena);
crn_actuator_def crn_actuator_def_copy(const crn_actuator_def *def, crn_arena *arena);
crn_key_def crn_key_def_copy(const crn_key_def *def, crn_arena *arena);
crn_load_def crn_load_def_copy(const crn_load_def *def, crn_arena *arena);
crn_probe_def crn_probe_def_copy(const crn_probe_def *def, crn_arena *arena);

#endif
