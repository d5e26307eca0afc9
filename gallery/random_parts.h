/* random_parts.h -- parts of the random worlds. Not for users of the gallery. */
#ifndef CAIRN_GALLERY_RANDOM_PARTS_H
#define CAIRN_GALLERY_RANDOM_PARTS_H

#include "build_tree.h"

enum {
    CRN_RANDOM_SOLIDS = 32,    /* free bodies, at most */
    CRN_RANDOM_SHAPES = 3,     /* of a body, at most */
    CRN_RANDOM_POINTS = 72,    /* of a shape: a ring has 12 x 6 */
    CRN_RANDOM_TRIANGLES = 144 /* of a ring */
};

/** A shape with the memory that its definition leads to, so never copied. */
typedef struct crn_random_shape {
    crn_body_shape def;
    double points[3 * CRN_RANDOM_POINTS];
    int triangles[3 * CRN_RANDOM_TRIANGLES];
} crn_random_shape;

/** A free body: made first, then placed, then added to the model. */
typedef struct crn_random_solid {
    crn_random_shape shape[CRN_RANDOM_SHAPES];
    int shapes;
    int body; /* index in the model */
    double mass;
    crn_pose pose;
} crn_random_solid;

/** How joints are held: as the library chooses, all in trees, all as rows, each by itself. */
typedef enum crn_random_hold { CRN_HOLD_CHOSEN, CRN_HOLD_TREE, CRN_HOLD_ROWS, CRN_HOLD_MIXED } crn_random_hold;

/** A world while it is made. */
typedef struct crn_random_scene {
    crn_build b;
    crn_random random;
    bool is_planar;
    double size;                  /* typical radius of a body [m] */
    double speed, spin;           /* largest at the start [m/s], [rad/s] */
    double mass_low, mass_high;   /* [kg] */
    double friction;              /* of all shapes; < 0: each its own */
    double restitution;           /* likewise */
    bool has_ground, has_walls;   /* ground up to height 0; walls at -wall and wall */
    double wall;                  /* [m] */
    bool has_overlaps;            /* bodies may begin in overlap */
    bool has_motors, has_springs; /* joints may have them */
    double doubled;               /* share of joints that are there twice */
    double tilt;                  /* of the axes of four-bars out of their normal [rad] */
    bool is_aloof;                /* links of mechanisms do not touch one another */
    crn_random_hold hold;
    int last_link; /* 1 + the last joint that is in a tree and has one coordinate; 0: none */
    crn_random_solid solid[CRN_RANDOM_SOLIDS];
    int solids;
} crn_random_scene;

/* --- Numbers: random_numbers.c --- */

bool crn_random_chance(crn_random_scene *s, double probability);
double crn_random_between(crn_random_scene *s, double low, double high);
double crn_random_log(crn_random_scene *s, double low, double high); /* uniform in the logarithm */
int crn_random_count(crn_random_scene *s, int low, int high);        /* low .. high */
crn_vec3 crn_random_direction(crn_random_scene *s);                  /* unit; planar: in the plane */
crn_quat crn_random_turn(crn_random_scene *s);                       /* planar: about z */
crn_vec3 crn_random_up(const crn_random_scene *s);                   /* against gravity: z, planar y */
crn_vec3 crn_random_axpy(crn_vec3 a, double s, crn_vec3 b);          /* a + s b */
double crn_random_dot(crn_vec3 a, crn_vec3 b);
crn_vec3 crn_random_toward(crn_vec3 from, crn_vec3 to); /* unit */
double crn_random_distance(crn_vec3 a, crn_vec3 b);

/* --- Shapes: random_shapes.c --- */

/** Give a shape the material of the world. */
void crn_random_material(crn_random_scene *s, crn_body_shape *shape);

/** A solid of any kind, of one shape or some; NULL if there are too many. */
crn_random_solid *crn_random_any(crn_random_scene *s);
crn_random_solid *crn_random_block(crn_random_scene *s); /* flat below and above: for stacks */
crn_random_solid *crn_random_round(crn_random_scene *s); /* something that rolls */
crn_random_solid *crn_random_bar(crn_random_scene *s);   /* 5 to 30 times as long as thick */

/** A bar from p to q, in place. */
crn_random_solid *crn_random_rod(crn_random_scene *s, crn_vec3 p, crn_vec3 q);

/** How far the solid reaches from its origin along a unit vector. */
double crn_random_reach(const crn_random_solid *solid, crn_vec3 along);

/** A random shape for a mechanism: its links do not touch one another if the scene says so. */
void crn_random_keep_apart(crn_random_solid *solid, uint32_t group, uint32_t mask);

/* --- Places: random_place.c --- */

/** Beside another solid, or on the ground if there is none: apart by a gap (< 0: overlap) along a unit vector. */
void crn_random_put_beside(const crn_random_scene *s, crn_random_solid *solid, const crn_random_solid *other,
                           crn_vec3 along, double gap);

/** Is there a plane between it and every other solid but one (NULL: none), and is it above the ground, within the walls? */
bool crn_random_is_clear(const crn_random_scene *s, const crn_random_solid *solid, const crn_random_solid *but);

/** Anywhere near the others and clear of them, or not, if the scene has overlaps. */
void crn_random_put_near(crn_random_scene *s, crn_random_solid *solid);

/** Above all others. */
void crn_random_put_above(const crn_random_scene *s, crn_random_solid *solid, double gap);

/** Add it to the model, with velocity and spin of the world's. Index of the body. */
int crn_random_add(crn_random_scene *s, crn_random_solid *solid, crn_vec3 velocity);
crn_vec3 crn_random_velocity(crn_random_scene *s); /* any, up to the world's speed */

/* --- Joints and mechanisms: random_joints.c, random_mechanisms.c --- */

/** Join bodies a (-1: the world) and the solid b, where they are, by any joint at a point. is_link: b has no joint yet. */
void crn_random_join(crn_random_scene *s, int a, const crn_random_solid *b, crn_vec3 point, bool is_link);

/** The same by a kind of joint. */
void crn_random_join_by(crn_random_scene *s, crn_joint_kind kind, int a, const crn_random_solid *b, crn_pose at,
                        bool is_link);

/** Links on links; the first one on the world at a point, or floating if there is none (NULL). */
void crn_random_grow(crn_random_scene *s, int links, const crn_vec3 *anchor);

void crn_random_four_bar(crn_random_scene *s);
void crn_random_bridge(crn_random_scene *s); /* a chain that hangs at both ends */

/* --- Grounds and what drives: random_grounds.c --- */

void crn_random_ground(crn_random_scene *s);
void crn_random_paddle(crn_random_scene *s); /* a driven body */
void crn_random_loads(crn_random_scene *s);

#endif
