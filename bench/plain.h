/* plain.h -- the same scene for everybody: a model as foreign engines read it, and our world behind their interface. */
#ifndef BENCH_PLAIN_H
#define BENCH_PLAIN_H

#include <stdbool.h>

#include <cairn/world.h>

#include "peers/world_peer.h"

/** Describe a model for foreign engines. What scene leads into lives until the process ends. false: out of memory, or the
 *  model has something that the description does not know; a message was printed. */
bool bench_plain_make(const crn_model *model, double h, bench_plain_scene *scene);

/** Displacement of the model's driven body at a time. */
void bench_plain_drive(const crn_model *model, double time, double offset[3]);

/** Ours behind the same interface: Coulomb's law, and the convex scheme; Coulomb's law as delivered, and with even loads.
 *  Loads of the model act by themselves. */
extern const bench_world_peer bench_world_cairn, bench_world_cairn_even;

#endif
