/* gallery_worlds.h -- scenes of bodies in motion, by name; `cairn sim gallery:NAME` runs one.
 *
 * A scene is a function that fills an empty model, in a file of its own (world_box_on_floor.c); gallery_worlds.c has the
 * table. */
#ifndef CAIRN_GALLERY_WORLDS_H
#define CAIRN_GALLERY_WORLDS_H

#include <cairn/model.h>
#include <cairn/world.h>

/** How many scenes there are, their names ("box-on-floor") and what they show, in one line. NULL outside. */
int crn_gallery_world_count(void);
const char *crn_gallery_world_name(int i);
const char *crn_gallery_world_about(int i);

/** Make a scene; the caller destroys the model. CRN_ERR_ARGUMENT if there is none of that name. */
crn_status crn_gallery_world(const char *name, crn_model **model, crn_error *error);

/* --- The same scenes with other numbers, for growth curves; each fills an empty model --- */

/** A stack of unit boxes on the floor. */
typedef struct crn_gallery_stack {
    int boxes;
    double lean;       /* boxes alternately left and right by this [m] */
    double drop;       /* gap below each box [m] */
    double mass;       /* of the lowest [kg] */
    double mass_ratio; /* of the highest to the lowest; geometric between */
    bool is_from_top;  /* bodies are added from the top down */
} crn_gallery_stack;
crn_status crn_gallery_stack_of(crn_model *model, const crn_gallery_stack *stack, crn_error *error);

/** 200 small disks and a large one in a box that is shaken, ever weaker from 20 s on. */
typedef struct crn_gallery_nut {
    double dt; /* [s] */
    uint64_t seed;
    crn_scheme scheme;
} crn_gallery_nut;
#define CRN_GALLERY_NUT_SMALL  0.5 /* largest radius of the small disks [m] */
#define CRN_GALLERY_NUT_SHAKEN 50  /* the box rests from then on [s] */
crn_status crn_gallery_brazil_nut_of(crn_model *model, const crn_gallery_nut *nut, crn_error *error);

/** Spheres of radius 0.1 poured into a box of about 2.1 x 2.1 m. */
crn_status crn_gallery_pour_of(crn_model *model, int spheres, uint64_t seed, crn_error *error);

/** A box of 1 kg and 0.2 m on a slope, at rest at first. */
typedef struct crn_gallery_incline {
    bool is_planar;
    double angle;       /* of the slope [rad] */
    double heading;     /* of downhill, from x about z [rad]; the box is turned as the slope, shortest way from z up */
    double factor;      /* mu = factor tan(angle) */
    bool is_slope_last; /* bodies are added the other way round */
} crn_gallery_incline;
crn_status crn_gallery_incline_of(crn_model *model, const crn_gallery_incline *incline, crn_error *error);

/** A box of 1 kg on the floor, mu 0.5, pushed level with a force [N] at a heading from x [rad]. */
crn_status crn_gallery_push_of(crn_model *model, double force, double heading, crn_error *error);

/** A cube of 0.1 m slides over the floor at 6 m/s, mu 0.5. */
crn_status crn_gallery_launch_of(crn_model *model, double heading, crn_error *error);

/** A capsule of 45 g between two jaws on rails, pressed with a force [N] each, mu 0.7; upright, or level across the push. The
 *  jaws do not turn, so how the force spreads along the capsule is not determined: with all of it at one end the capsule
 *  swings about that end, by Coulomb's law too. */
crn_status crn_gallery_pinch_of(crn_model *model, double force, bool is_upright, crn_error *error);

/** A table of 24 kg on two rows of legs. */
typedef struct crn_gallery_table {
    int legs;         /* even, 4 to 16 */
    const int *order; /* legs in the order of their shapes; NULL: as numbered */
    bool is_floor_last;
} crn_gallery_table;
crn_status crn_gallery_table_of(crn_model *model, const crn_gallery_table *table, crn_error *error);

/** A ball of 1 kg at 1 m/s along x hits one at rest of mass_ratio kg; no friction, no weight. */
crn_status crn_gallery_two_balls_of(crn_model *model, double restitution, double mass_ratio, crn_error *error);

/** A ball whose lowest point falls from height [m]. */
crn_status crn_gallery_bounce_of(crn_model *model, double restitution, double height, crn_error *error);

/** Two boxes hang from parallel hinges and touch in 10 points when both hang straight. Both have the same inertia. */
typedef struct crn_gallery_hinged {
    double angle; /* of the left one at first, > 0: away [rad] */
    double spin;  /* of the left one at first, < 0: towards the right one [rad/s] */
    double friction, restitution;
    bool has_gravity;
} crn_gallery_hinged;
crn_status crn_gallery_hinged_boxes_of(crn_model *model, const crn_gallery_hinged *hinged, crn_error *error);

/** A chain of bars of 1 m and 1 kg, released level (planar). */
crn_status crn_gallery_pendulum_of(crn_model *model, int bars, double dt, crn_error *error);

/** A wheel of that inertia [kg m^2] on a motor that brings it to 1 rad/s in a step (planar). */
crn_status crn_gallery_flywheel_of(crn_model *model, double inertia, crn_error *error);

/** Pins of the four-bar: crank and base turn about the world's (0, 0) and base. */
typedef struct crn_gallery_four_bar {
    crn_vec3 base, crank, rocker; /* rocker: the pin between coupler and rocker */
} crn_gallery_four_bar;
crn_gallery_four_bar crn_gallery_four_bar_at(double angle); /* of the crank, from x [rad]; the scene begins at pi/2 */
crn_status crn_gallery_four_bar_of(crn_model *model, bool is_planar, crn_error *error);
crn_status crn_gallery_four_bar_parallel_of(crn_model *model, bool is_planar, crn_error *error);

/** Pins of Jansen's leg: pin is on the crank, which turns about (0, 0); pivot is fixed. */
typedef struct crn_gallery_leg {
    crn_vec3 pivot, pin, top, back, bottom, knee, foot;
} crn_gallery_leg;
crn_gallery_leg crn_gallery_leg_at(double angle); /* of the crank, from x [rad]; the scene begins at 0 */

/** The leg with its crank driven, one turn a second; load: force up on the foot [N]. The last body is the shin, its frame
 *  at `bottom`, unturned at first. */
crn_status crn_gallery_leg_of(crn_model *model, double load, crn_error *error);

/** One or two ellipses that roll on the floor (planar). */
typedef struct crn_gallery_rolling {
    int ellipses;
    bool is_reversed; /* bodies are added the other way round */
} crn_gallery_rolling;
crn_status crn_gallery_rolling_ellipse_of(crn_model *model, const crn_gallery_rolling *rolling, crn_error *error);

/** A thin rod of 1 m and 1 kg whose lower end, the left one, slides on the floor (planar). */
typedef struct crn_gallery_rod {
    double angle; /* from the floor [rad] */
    double friction;
    double speed; /* of the lower end, along x [m/s] */
    double spin;  /* [rad/s] */
} crn_gallery_rod;
crn_status crn_gallery_painleve_of(crn_model *model, const crn_gallery_rod *rod, crn_error *error);

/** A chain of ball joints over a rod; its last link has end_mass times the mass of the others. */
#define CRN_GALLERY_HOIST_LINKS 25
crn_status crn_gallery_hoist_of(crn_model *model, double end_mass, crn_error *error);

/** A chain of ball joints, level at first, that touches nothing. */
crn_status crn_gallery_chain_of(crn_model *model, int links, crn_error *error);

/** The net with each string's far end held by so many ball joints in the same place. */
crn_status crn_gallery_net_of(crn_model *model, int loops, crn_error *error);

/** Wires whose end rings hold one another, the first ring fixed. */
crn_status crn_gallery_rings_of(crn_model *model, int wires, crn_error *error);

/** A nut on a bolt M16, meshes of a thread. */
typedef struct crn_gallery_screw {
    double friction;
    double flank;                /* angle of the flanks [rad] */
    double clearance;            /* of the radii [m] */
    int bolt_around, nut_around; /* facets in a turn */
} crn_gallery_screw;

crn_gallery_screw crn_gallery_screw_default(void); /* mu 0.15, 30 degrees, 0.05 mm, 64 and 67 facets: it stays */
crn_status crn_gallery_screw_of(crn_model *model, const crn_gallery_screw *screw, crn_error *error);

/** The friction at which the nut begins to screw itself down, touching where it is steepest (upper) or least steep. */
double crn_gallery_screw_limit(const crn_gallery_screw *screw, bool is_upper);

/** Two free rings through each other, without weight. */
typedef struct crn_gallery_double {
    double radius, tube; /* of the ring's centre line and of its tube [m] */
    int around, across;  /* squares of the mesh: 3 to 64 and 3 to 16; twice around * across triangles */
    double friction;
    double spin;  /* of each, about axes of their own [rad/s] */
    double speed; /* of one against the other [m/s] */
} crn_gallery_double;
crn_gallery_double crn_gallery_double_default(void); /* what "double-rings" has: 38 rad/s, 1 m/s, 192 triangles */
crn_status crn_gallery_double_rings_of(crn_model *model, const crn_gallery_double *rings, crn_error *error);

/** A body of 27 degrees of freedom falls on the floor; dt: step [s]. */
crn_status crn_gallery_humanoid_of(crn_model *model, double dt, crn_error *error);

/** Another start for the trees of a scene: world was made from model and has not been stepped. Every joint in a tree that is not
 *  driven gets random velocities within +-speed [rad/s, m/s]. */
crn_status crn_gallery_perturb(const crn_model *model, crn_world *world, uint64_t seed, double speed);

#endif
