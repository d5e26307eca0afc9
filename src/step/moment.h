/* Velocities of everything at the moments of a kick.
 *
 *     before  --half of the forces-->  struck  --impacts-->  shown  --the other half-->  after
 *
 * Where nothing bounces, shown is the mean of before and after. The first kick of what the caller has placed has no first half. A moment has the velocity (w, v) of every body, links of trees
 * included, and the velocities u of all joints in trees. */
#ifndef CRN_STEP_MOMENT_H
#define CRN_STEP_MOMENT_H

#include "step/trees.h"

typedef enum crn_moment {
    CRN_BEFORE = 0,
    CRN_PUSHED, /* what all forces would make of it if nothing collided */
    CRN_STRUCK,
    CRN_SHOWN,
    CRN_AFTER
} crn_moment;
enum { CRN_MOMENTS = 5 };

static inline crn_twist *crn_moment_bodies(const crn_stepper *s, crn_moment moment)
{
    return s->moment + (size_t)moment * (size_t)s->bodies;
}

/* NULL in a world whose scheme plants no trees. */
static inline double *crn_moment_speeds(const crn_stepper *s, crn_moment moment)
{
    const crn_step_forest *f = &s->forest;
    return f->moment != NULL ? f->moment + (size_t)moment * (size_t)f->velocities : NULL;
}

/* Room for all of them; false without memory. */
bool crn_moment_room(crn_stepper *s);

/* Before: what bodies, links among them, and joints have now, after the drift. is_first: nothing has drifted, the velocity is that of
 * `after`. */
void crn_moment_take_before(crn_stepper *s, bool is_first);

/* What the problem at hand has found; bodies that it does not move as they were before. */
void crn_moment_take_found(crn_stepper *s, crn_moment to);

void crn_moment_copy(crn_stepper *s, crn_moment to, crn_moment from);
/* to = a + share (b - a) */
void crn_moment_mix(crn_stepper *s, crn_moment to, crn_moment a, double share, crn_moment b);
/* to = a + share (b - c) */
void crn_moment_add(crn_stepper *s, crn_moment to, crn_moment a, double share, crn_moment b, crn_moment c);

/* Free velocities of the problem to be built: those of a moment, no force acts. False if a mass matrix is singular. */
bool crn_moment_load(crn_stepper *s, crn_moment from);

/* Kinetic energy of all free bodies and rotors at a moment. */
double crn_moment_kinetic(const crn_stepper *s, crn_moment moment);

#endif
