/* watch.h -- a scene of mechanisms while it runs: does anything pass through anything, do joints hold, is energy gained?
 *
 * The world steps and is looked at after every step; what is found is from poses and velocities that anybody may ask for. */
#ifndef CAIRN_GALLERY_WATCH_H
#define CAIRN_GALLERY_WATCH_H

#include <cairn/model.h>
#include <cairn/world.h>

/** A piece of the core of a body: of a capsule, its axis; of a ring, a part of its centre line. */
typedef struct crn_gallery_core {
    int body;
    uint32_t group, mask;   /* of the shape */
    crn_vec3 end[2];        /* in the body's frame */
    crn_vec3 was[2], is[2]; /* in the world: before and after the last step */
} crn_gallery_core;

typedef struct crn_gallery_watch {
    const crn_model *model; /* borrowed, as the world is */
    crn_world *world;
    crn_step_stats last; /* of the last step */
    /* --- sums and extremes since the beginning --- */
    int steps;
    int unsolved;      /* steps without certificate */
    int uncertified;   /* steps with any verdict but certified */
    int relaxed;       /* steps whose problem was jammed */
    int other_law;     /* steps in which Coulomb's law was asked for and not reached */
    int crossings;     /* cores that went through one another within a step */
    int below;         /* bodies that were seen with their centre below a plane */
    int linked;        /* pairs of rings that are linked: now ... */
    int linked_start;  /* ... and at the beginning */
    int links_changed; /* steps after which it was other pairs, or the other way round */
    double seconds;    /* of the thread's processor, in steps */
    double problems, contacts, active, drifts, repairs, pivots; /* sums over the steps */
    double certificate;                                         /* the worst */
    double penetration;         /* deepest overlap at the end of a step, by crn_world_overlap() [m] */
    double joint;               /* worst opening of a joint in a tree [m, rad] */
    double loop;                /* of another joint */
    double clamped;             /* [J] */
    double start, now, highest; /* energy, kinetic and of gravity [J]; highest: after a step */
    double low, high;           /* of the potential energy [J] */
    double fastest;             /* angular speed of a body [rad/s] */
    /* --- its own --- */
    crn_gallery_core *core;
    int cores;
    int *ring; /* bodies that are rings */
    double *ring_radius;
    int rings;
    signed char *link; /* linking numbers of pairs of rings */
    double (*clock)(void);
} crn_gallery_watch;

/** Begin to watch a world that was made from model and has not been stepped. clock: processor time [s]; NULL: none.
 *  CRN_ERR_MEMORY: nothing is left to be ended. */
crn_status crn_gallery_watch_begin(crn_gallery_watch *watch, const crn_model *model, crn_world *world,
                                   double (*clock)(void));
void crn_gallery_watch_end(crn_gallery_watch *watch);

/** One step, looked at. has_overlap: look for overlap too, which takes as long as finding contacts does. */
crn_status crn_gallery_watch_step(crn_gallery_watch *watch, double h, bool has_overlap, crn_error *error);

/** What energies are told relative to: the larger of the start's and of the way that the potential energy went [J]. */
double crn_gallery_watch_scale(const crn_gallery_watch *watch);

/** Kinetic energy and that of gravity of all free bodies, from their velocities and poses; and the latter alone (may be NULL).
 *  What rotors of motors have is not in it. */
double crn_gallery_energy(const crn_world *world, const crn_model *model, double *potential);

/** Kinetic energy of rotors of motors (armature), from the velocities of joints in trees. */
double crn_gallery_rotor_energy(const crn_world *world, const crn_model *model);

/* --- watch_cores.c --- */

crn_status crn_gallery_cores_find(crn_gallery_watch *watch);
void crn_gallery_cores_place(crn_gallery_watch *watch); /* is := where they are; was := is */
int crn_gallery_cores_crossed(const crn_gallery_watch *watch);

/** Does segment a cross segment b while the ends of both move evenly? */
bool crn_gallery_segments_cross(const crn_vec3 a_was[2], const crn_vec3 a_is[2], const crn_vec3 b_was[2],
                                const crn_vec3 b_is[2]);

/* --- watch_rings.c --- */

/** Linking number of two circles, each about z of its pose: 0, 1 or -1. */
int crn_gallery_linking(const crn_pose *a, double radius_a, const crn_pose *b, double radius_b);
void crn_gallery_rings_look(crn_gallery_watch *watch, bool is_first);

#endif
