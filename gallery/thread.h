/* thread.h -- screw threads as closed meshes: a rod with an outer thread, a ring with an inner one. Not for users of the gallery. */
#ifndef CAIRN_GALLERY_THREAD_H
#define CAIRN_GALLERY_THREAD_H

#include <cairn/collide.h>

/** A thread of trapezoid section about z, right-handed. Its ridges are centred at z = pitch * (turns about z), so that a rod and
 *  a ring with the same pitch at the same place fit: the ring's groove lies around the rod's ridge. */
typedef struct crn_thread {
    double pitch;        /* [m] per turn */
    double flank;        /* angle of the flanks from the plane across the axis [rad] */
    double middle;       /* radius at which ridge and groove are equally wide [m] */
    double inner, outer; /* least and largest radius of the threaded surface [m] */
    double wall;         /* rod: 0; ring: radius of its outside [m] */
    int around;          /* facets in a turn */
    int turns;           /* whole turns of thread */
    double low;          /* z where the thread begins, at angle 0 [m] */
} crn_thread;

/** tan of the lead angle at a radius. */
double crn_thread_lead(const crn_thread *thread, double radius);

/** The mesh; points and triangles are to be released by free(). False without memory. */
bool crn_thread_mesh(const crn_thread *thread, crn_shape_def *mesh);
void crn_thread_free(crn_shape_def *mesh);

#endif
