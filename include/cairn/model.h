/* cairn/model.h -- a scene as plain data: bodies, joints, loads, what to measure, how to step.
 *
 * The same definitions serve crn_body_create() and friends (world.h), the scene files (io.h) and the gallery. A model is
 * a list of them that owns all it refers to. Every definition comes from its default function; then fields are changed. */
#ifndef CAIRN_MODEL_H
#define CAIRN_MODEL_H

#include <cairn/base.h>
#include <cairn/collide.h>
#include <cairn/contact.h>
#include <cairn/linalg.h>
#include <cairn/tree.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- A number over time --- */

/** value + amplitude sin(2 pi frequency t + phase), or a table: linear between its times, constant outside. All 0: 0. */
typedef struct crn_profile {
    double value;
    double amplitude;
    double frequency;     /* [Hz] */
    double phase;         /* [rad] */
    const double *times;  /* count >= 1 of them, increasing [s]; NULL: no table */
    const double *values; /* count of them, added to the rest */
    int count;
} crn_profile;

/** Its value at a time [s]. */
CRN_API double crn_profile_at(const crn_profile *profile, double time);

/* --- Bodies --- */

/** What moves a body. */
typedef enum crn_body_kind {
    CRN_BODY_FREE = 0, /* moves by forces */
    CRN_BODY_FIXED,    /* never moves */
    CRN_BODY_DRIVEN    /* moves as its motion says, whatever pushes it */
} crn_body_kind;
#define CRN_BODY_KIND_COUNT 3 /* how many there are */

CRN_API const char *crn_body_kind_name(crn_body_kind kind);             /* "free", "fixed", "driven"; NULL if none */
CRN_API bool crn_body_kind_find(const char *name, crn_body_kind *kind); /* false if there is none of that name */

/** A shape on a body. */
typedef struct crn_body_shape {
    crn_shape_def shape;
    crn_pose pose;        /* in the body's frame */
    double friction;      /* mu of a pair: see crn_world_def.friction_rule */
    double restitution;   /* e of a pair: the larger of both, 0 to 1 */
    double density;       /* [kg/m^3], planar [kg/m^2]; used where the body's mass is not given */
    uint32_t group, mask; /* a and b collide if a.group & b.mask and b.group & a.mask */
    crn_vec3 color;       /* for pages: red, green, blue of 0 to 1; a red < 0, the default: the page chooses */
} crn_body_shape;

/** Prescribed motion of a driven body, relative to its pose at t = 0. */
typedef struct crn_motion {
    crn_profile x, y, z; /* displacement, world axes [m] */
    crn_vec3 axis;       /* of the turn, world axes, unit; about the body's origin */
    crn_profile angle;   /* [rad] */
} crn_motion;

/** A rigid body. */
typedef struct crn_body_def {
    const char *name; /* may be NULL */
    crn_body_kind kind;
    crn_pose pose;     /* of the body's frame */
    crn_vec3 velocity; /* of the centre of mass [m/s] */
    crn_vec3 angular;  /* [rad/s], world axes */
    double mass;       /* [kg]; 0: by density of the shapes */
    crn_vec3 com;      /* centre of mass in the body's frame; used if mass > 0 */
    crn_mat3 inertia;  /* about com, body axes; all 0: the shapes' distribution, scaled to mass; planar: entry (2,2).
                          Symmetric, positive definite, and no principal moment larger than the sum of the two others
                          (1 % of the trace is let pass: files have few digits) */
    double linear_damping;  /* [1/s]: slows by this share per second, implicit */
    double angular_damping; /* [1/s] */
    double gravity_scale;   /* 1: falls; 0: does not */
    crn_motion motion;      /* driven bodies */
    const crn_body_shape *shape;
    int shapes;
    void *user;       /* yours; not written to files */
    bool is_massless; /* a link without mass and shapes between joints of a tree: free, and b of a joint in a tree */
    const crn_body_shape
        *picture; /* what pages show instead of the shapes, if there are any; pictures neither touch nor weigh */
    int pictures;
    uint32_t cookie; /* set by crn_body_def_default(): one that was not made there is refused */
} crn_body_def;

CRN_API crn_body_def crn_body_def_default(void);     /* free, at the origin, gravity_scale 1 */
CRN_API crn_body_shape crn_body_shape_default(void); /* unit sphere, mu 0.5, e 0, density 1000, all groups, no color */

/* --- Joints --- */

/** Limits, motor and friction of one coordinate. */
typedef struct crn_joint_axis {
    double lower, upper; /* limits [rad or m]; lower > upper, the default: none */
    bool has_motor;      /* drive the coordinate's speed to motor_speed ... */
    crn_profile speed;   /* [rad/s or m/s] */
    crn_profile target;  /* ... or, if is_servo, its value to target */
    bool is_servo;       /* reach target within one step as far as the force allows */
    double max_force;    /* of the motor [N m or N]; infinite: as large as it takes */
    double friction;     /* of the joint: largest friction torque or force [N m or N], >= 0 */
    crn_profile force;   /* applied torque or force over time [N m or N] */
    /* The following are for joints of trees (in_tree). A ball joint has no coordinate: axis[0] counts for all its turns. */
    double stiffness;    /* spring towards target [N m/rad or N/m]; implicit, so that it may be as stiff as you like */
    double damping;      /* [N m s/rad or N s/m]; implicit. With stiffness: a PD controller */
    double spring_limit; /* largest force of spring and damper together; 0: none */
    double armature;     /* inertia of the motor, seen at the joint [kg m^2 or kg] */
    int follows; /* 1 + index of the joint whose coordinate 0 this one follows; 0: none. Held as a loop is: ... */
    double ratio, shift; /* ... value = ratio * that + shift */
} crn_joint_axis;

/** A joint between two bodies, or between a body and the world. */
typedef struct crn_joint_def {
    const char *name; /* may be NULL */
    crn_joint_kind kind;
    int a, b;         /* bodies of a model by index; -1: the world */
    crn_pose frame_a; /* joint frame in the body frame of a (a = -1: in the world) */
    crn_pose frame_b; /* the same of b */
    double length;    /* distance joints without limits: held at this [m] */
    crn_joint_axis axis[CRN_JOINT_COORDINATES_MAX];
    bool bodies_collide; /* do the shapes of a and b touch each other? default: no */
    bool in_tree; /* b is a link of a tree and a its parent: coordinates instead of rows, so that the joint is exact.
                            b is free and in one such joint only; joints in a tree make no loop; any kind but distance.
                            A tree without a joint to the world or to a body that is not free floats.
                            Joints are put into trees as far as they make no loop also where this is false ... */
    bool as_rows; /* ... unless this says no: rows between bodies, each with coordinates of its own */
    void *user;
    uint32_t cookie; /* set by crn_joint_def_default(): one that was not made there is refused */
} crn_joint_def;

CRN_API crn_joint_def crn_joint_def_default(void); /* fixed, identity frames, no limits, bodies -1 */

/* --- Sites --- */

/** A frame fixed to a body: a tool, a foot, a camera. It weighs nothing and touches nothing. */
typedef struct crn_site_def {
    const char *name; /* may be NULL */
    int body;         /* of a model by index; -1: the world */
    crn_pose pose;    /* in the body's frame */
    crn_shape_kind
        zone;           /* where it feels contacts (CRN_PROBE_TOUCH): sphere, capsule, cylinder, ellipsoid or box ... */
    crn_vec3 zone_size; /* ... of this size, as crn_shape_def has it, about its origin; 0: all of the body */
    uint32_t cookie;    /* set by crn_site_def_default(): one that was not made there is refused */
} crn_site_def;

CRN_API crn_site_def crn_site_def_default(void); /* at the world's origin, feels all of its body */

/* --- Tendons --- */

/** What a tendon's length is made of. */
typedef enum crn_tendon_part_kind {
    CRN_TENDON_JOINT =
        0,           /* factor times a coordinate of a joint in a tree, of a ball joint the angle [rad] of its turn; all
                             parts are of this kind, or none is */
    CRN_TENDON_SITE, /* it passes a site: the path begins and ends at one */
    CRN_TENDON_SPHERE,   /* between two sites: it goes round a sphere that is in its way */
    CRN_TENDON_CYLINDER, /* the same of an endless cylinder along z of its pose */
    CRN_TENDON_PULLEY    /* the path ends, and begins anew: lengths behind it count 1/factor, until the next one */
} crn_tendon_part_kind;
#define CRN_TENDON_PART_KIND_COUNT 5 /* how many there are */

CRN_API const char *crn_tendon_part_kind_name(crn_tendon_part_kind kind); /* "joint", "site", ...; NULL if none */
CRN_API bool crn_tendon_part_kind_find(const char *name, crn_tendon_part_kind *kind); /* false if there is none */

/** One part of a tendon, in the order of the path. */
typedef struct crn_tendon_part {
    crn_tendon_part_kind kind;
    int joint, coordinate; /* of a model by index; in a tree */
    double factor;         /* of the coordinate, or of a pulley: > 0 */
    int site;              /* of a model by index */
    int body;              /* of a sphere or cylinder; -1: the world */
    crn_pose pose;         /* of it, in the body's frame */
    double radius;         /* of it [m], > 0 */
    int side; /* 1 + the site on whose side it goes round, which must be outside; 0: by the shorter way, only if it is in the way */
} crn_tendon_part;

/** A string over joints, or through sites: its length L, and what acts along it. Forces are > 0 where they lengthen it. What it
 *  connects is one mechanism. Its spring and damper are implicit, as those of joints are. */
typedef struct crn_tendon_def {
    const char *name; /* may be NULL */
    const crn_tendon_part *part;
    int parts;           /* at least 1; of paths 2 sites from pulley to pulley */
    double lower, upper; /* limits of L [m or rad]; lower > upper, the default: none */
    double stiffness;    /* [N/m or N m/rad] of a spring, which ... */
    double rest_lower,
        rest_upper; /* ... pushes nothing between these lengths; lower > upper, the default: its length at the start */
    double damping; /* [N s/m or N m s/rad] */
    double spring_limit; /* largest force of spring and damper together; 0: none */
    double friction;     /* largest force of friction along it, >= 0 */
    uint32_t cookie;     /* set by crn_tendon_def_default(): one that was not made there is refused */
} crn_tendon_def;

CRN_API crn_tendon_part crn_tendon_part_default(void); /* joint -1, factor 1 */
CRN_API crn_tendon_def crn_tendon_def_default(void);   /* no limits, nothing acts */

/* --- Actuators --- */

/** What turns a control, a number of the caller's, into a force along a coordinate of a joint, or along a tendon:
 *
 *      force = gain a,    time_constant a' = control - a    (a = control if time_constant is 0)
 *
 *  or, if it moves the target of the coordinate's spring, that of a target moved by gain a / stiffness: the same force, but within
 *  spring_limit together with the spring. A motor has the former, a servo the latter. */
typedef struct crn_actuator_def {
    const char *name;                /* may be NULL */
    int joint;                       /* of a model by index; in a tree. Or, if that is -1, ... */
    int coordinate;                  /* of the joint */
    int tendon;                      /* ... the tendon that it acts along; default -1 */
    double gain;                     /* [N m or N per unit of control] */
    bool moves_target;               /* of the coordinate's spring, whose stiffness is then > 0 */
    double lower, upper;             /* controls beyond are taken as these; default: infinite */
    double force_lower, force_upper; /* of gain a, unless it moves the target; default: infinite */
    double time_constant;            /* [s], >= 0 */
    double control;                  /* at the start; it is clamped too */
    uint32_t cookie;                 /* set by crn_actuator_def_default(): one that was not made there is refused */
} crn_actuator_def;

CRN_API crn_actuator_def crn_actuator_def_default(void); /* gain 1, no limits, control 0 */

/* --- Keys --- */

/** Coordinates and velocities of a joint in a tree, or of a body that floats, in the order of tree.h; a body that floats has those of
 *  a free joint of its frame to the world's (planar worlds: of a planar one). */
typedef struct crn_key_state {
    int joint;                           /* in a tree; -1: of a body */
    int body;                            /* that floats; -1: of a joint */
    double q[CRN_JOINT_FREEDOM_MAX + 1]; /* quaternions need not be unit */
    double u[CRN_JOINT_FREEDOM_MAX];
} crn_key_state;

/** A state of motion with a name, to start from: crn_world_set_key(). */
typedef struct crn_key_def {
    const char *name; /* may be NULL */
    const crn_key_state *state;
    int states;            /* what has none stays as it is */
    const double *control; /* of the first actuators, one each */
    int controls;
} crn_key_def;

/* --- Pairs of bodies --- */

/** What holds between two bodies, whatever joints and shapes say. */
typedef struct crn_pair_def {
    int a, b;           /* bodies of a model by index */
    bool collides;      /* do their shapes touch each other? True also lets bodies touch that a joint keeps apart */
    double friction;    /* mu between them; < 0: by the shapes and crn_world_def.friction_rule */
    double restitution; /* e between them, 0 to 1; < 0: by the shapes */
    uint32_t cookie;    /* set by crn_pair_def_default(): one that was not made there is refused */
} crn_pair_def;

CRN_API crn_pair_def crn_pair_def_default(void); /* collides, friction and restitution by the shapes */

/* --- Loads and probes --- */

/** A force and torque on a body over time. */
typedef struct crn_load_def {
    const char *name; /* may be NULL */
    int body;
    crn_vec3 force;     /* [N] */
    crn_vec3 torque;    /* [N m] */
    crn_vec3 point;     /* where the force acts, in the body's frame [m] */
    bool is_local;      /* force and torque turn with the body */
    crn_profile factor; /* multiplies both; default: the constant 1 */
    double from, until; /* acts at from <= t < until [s]; default: always */
    uint32_t cookie;    /* set by crn_load_def_default(): one that was not made there is refused */
} crn_load_def;

CRN_API crn_load_def crn_load_def_default(void); /* no force, always, with factor 1 */

/** What can be measured. A sensor of a robot is a probe. */
typedef enum crn_probe_kind {
    CRN_PROBE_POSITION = 0,     /* of the body's frame: 3 numbers */
    CRN_PROBE_ROTATION,         /* of a body, quaternion: 4 numbers; planar: the angle, 1 number */
    CRN_PROBE_VELOCITY,         /* of a body's centre of mass: 3 */
    CRN_PROBE_ANGULAR,          /* angular velocity of a body: 3 */
    CRN_PROBE_CONTACT_FORCE,    /* sum of all contact forces on the body: 3 */
    CRN_PROBE_JOINT_COORDINATE, /* of a joint: as many as it has, or one of them */
    CRN_PROBE_JOINT_SPEED,      /* their rates */
    CRN_PROBE_ACTUATOR_FORCE,   /* that an actuator's control makes, crn_actuator_force(): 1 */
    CRN_PROBE_SITE_POSITION,    /* of a site: 3 */
    CRN_PROBE_SITE_ROTATION,    /* of a site, quaternion: 4 */
    CRN_PROBE_SITE_VELOCITY,    /* of a site's origin, world axes: 3 */
    CRN_PROBE_SITE_ANGULAR,     /* angular velocity of a site, world axes: 3 */
    CRN_PROBE_VELOCIMETER,      /* velocity of a site's origin along its own axes: 3 */
    CRN_PROBE_GYRO,             /* angular velocity of a site along its own axes: 3 */
    CRN_PROBE_RANGE, /* from a site along its z to the first thing that is not its own body [m], -1: nothing is there: 1 */
    CRN_PROBE_FORCE,  /* that what is above the joint of a site's body exerts on it, along the site's axes [N]: 3 */
    CRN_PROBE_TORQUE, /* the same, about the site's origin [N m]: 3 */
    CRN_PROBE_TENDON_LENGTH, /* of a tendon [m or rad]: 1 */
    CRN_PROBE_TENDON_SPEED,  /* its rate: 1 */
    CRN_PROBE_ACCELEROMETER, /* acceleration of a site's origin, less that of gravity, along its own axes, in the last step: 3 */
    CRN_PROBE_SUBTREE_CENTRE,   /* centre of mass of a body and all that hangs on it in its tree: 3 */
    CRN_PROBE_SUBTREE_VELOCITY, /* its velocity: 3 */
    CRN_PROBE_TOUCH, /* sum of the normal forces [N] of contacts of a site's body, from whose points the ray along the normal out of
                         the body meets the site's zone: 1 */
    CRN_PROBE_SITE_X, /* axes of a site in the world, unit: 3 */
    CRN_PROBE_SITE_Y,
    CRN_PROBE_SITE_Z
} crn_probe_kind;
#define CRN_PROBE_KIND_COUNT  26 /* how many there are */
#define CRN_PROBE_NUMBERS_MAX 4  /* of any kind */

CRN_API const char *crn_probe_kind_name(crn_probe_kind kind);             /* "position", ..., "site_z"; NULL if none */
CRN_API bool crn_probe_kind_find(const char *name, crn_probe_kind *kind); /* false if there is none of that name */

/** What a kind is measured of. */
typedef enum crn_probe_target {
    CRN_PROBE_OF_BODY = 0,
    CRN_PROBE_OF_JOINT,
    CRN_PROBE_OF_SITE,
    CRN_PROBE_OF_ACTUATOR,
    CRN_PROBE_OF_TENDON
} crn_probe_target;
#define CRN_PROBE_TARGET_COUNT 5 /* how many there are */

CRN_API crn_probe_target crn_probe_kind_target(crn_probe_kind kind);
CRN_API const char *crn_probe_target_name(crn_probe_target target); /* "body", "joint", ..., "tendon" */

/** Something to be measured in every step. */
typedef struct crn_probe_def {
    const char *name; /* column heading; may be NULL */
    crn_probe_kind kind;
    int target; /* body, joint, site, actuator or tendon */
    int only;   /* of joints: 1 + the coordinate that is measured; 0: all of them */
} crn_probe_def;

/* --- How to step --- */

/** How bodies are stepped. */
typedef enum crn_scheme {
    CRN_SCHEME_COULOMB = 0, /* [HA03 eq. 2.9]: Coulomb's law */
    CRN_SCHEME_CONVEX,      /* [HA03 eq. 2.10]: the optimisation scheme; lifts what slides by h mu |u_t| */
    CRN_SCHEME_PLAIN /* Stewart-Trinkle, Anitescu-Potra: (2.9), gaps enter only while positive, nothing is repaired */
} crn_scheme;
#define CRN_SCHEME_COUNT 3 /* how many there are */

CRN_API const char *crn_scheme_name(crn_scheme scheme);             /* "coulomb", "convex", "plain"; NULL if none */
CRN_API bool crn_scheme_find(const char *name, crn_scheme *scheme); /* false if there is none of that name */

/** The mu of a pair from those of both shapes. */
typedef enum crn_friction_rule {
    CRN_FRICTION_GEOMETRIC = 0, /* sqrt(mu_a mu_b) */
    CRN_FRICTION_MIN,
    CRN_FRICTION_MAX
} crn_friction_rule;
#define CRN_FRICTION_RULE_COUNT 3 /* how many there are */

CRN_API const char *crn_friction_rule_name(crn_friction_rule rule); /* "geometric", "min", "max"; NULL if none */
CRN_API bool crn_friction_rule_find(const char *name, crn_friction_rule *rule); /* false if there is none */

/** The order of a step: how positions and velocities go on. */
typedef enum crn_integrator {
    CRN_INTEGRATOR_REFLECT = 0, /* drift, then kick: flight exact, joints exact, second order; the default */
    CRN_INTEGRATOR_EULER,       /* semi-implicit Euler in joint coordinates, Coriolis forces explicit [YN08] */
    CRN_INTEGRATOR_RK4,         /* Runge-Kutta of fourth order, a contact problem per stage [YN08] */
    CRN_INTEGRATOR_HART         /* kick, then drift, joints as rows, overlap undone by speed [HA03]: for comparison */
} crn_integrator;
#define CRN_INTEGRATOR_COUNT 4 /* how many there are */

CRN_API const char *crn_integrator_name(
    crn_integrator integrator); /* "reflect", "euler", "rk4", "hart"; NULL if none */
CRN_API bool crn_integrator_find(const char *name, crn_integrator *integrator); /* false if there is none */

/** How a world is stepped. */
typedef struct crn_world_def {
    bool is_planar;   /* bodies move in the plane z = 0: 3 degrees of freedom */
    crn_vec3 gravity; /* [m/s^2]; default (0, 0, -9.81); planar scenes set (0, -9.81, 0) */
    double dt;        /* suggested step [s] */
    double duration;  /* suggested length of a run [s] */
    crn_scheme scheme;
    bool is_unstabilised;      /* Upsilon = Delta = 0 in [HA03 eq. 2.11]: drift is not corrected */
    crn_contact_cone cone;     /* default round */
    int directions;            /* polygon cones: corners; even, >= 4; default 8; planar worlds always have 2 */
    crn_contact_method method; /* default auto */
    double tol;                /* of the certificate; 0: door 2's default */
    bool even;                 /* most evenly distributed impulses (solves more) */
    double margin; /* contacts within this gap take part [m]; 0: by the pair's speed (1.2 h (|v| + |w| r + g h)) */
    crn_friction_rule friction_rule;
    double restitution_speed; /* slower contacts do not bounce [m/s]; 0: 2 |g| h */
    double recovery_speed;    /* overlap is undone no faster [m/s]; 0: pair's speed plus sqrt(|g| size); see docs */
    double joint_tolerance;   /* after a step joints are closed to this [m, rad]; 0: as the step leaves them, O(h^2) */
    double reduce_distance;   /* merge contact points nearer than this [m]; 0: keep all */
    double sleep_time;        /* islands at rest this long are not stepped until touched [s]; 0: never sleep */
    double sleep_speed;       /* at rest: no point faster than this [m/s] */
    crn_integrator integrator;
    bool is_unclamped;       /* let the energy that the error of the time step gains stand instead of taking it out */
    double drift_turn;       /* trees: no link turns farther in a part of the drift [rad]; 0: 0.25 */
    double repair_tolerance; /* trees: overlap and loops are repaired to this after a step [m, rad]; 0: 1e-7 */
    double loop_clearance; /* trees: play of loops in directions that hardly open them, as a share of each loop's size;
                                0: 3e-4; < 0: none, rigid, so that linkages whose axes are not quite parallel lock */
    uint32_t cookie;       /* set by crn_world_def_default(): one that was not made there is refused */
} crn_world_def;

CRN_API crn_world_def crn_world_def_default(void); /* spatial, Coulomb's law, round cones, drift corrected */

/* --- A model: lists of definitions, deep copies --- */

/** A scene that owns all it refers to. */
typedef struct crn_model crn_model;

/** An empty model with a default world. allocator NULL: the default one. */
CRN_API crn_status crn_model_create(const crn_allocator *allocator, crn_model **model, crn_error *error);
CRN_API void crn_model_destroy(crn_model *model); /* NULL is fine */

CRN_API crn_world_def *crn_model_world(crn_model *model);                /* to be read and changed */
CRN_API const crn_world_def *crn_model_world_of(const crn_model *model); /* the same, to be read */
CRN_API crn_status crn_model_set_name(crn_model *model, const char *name, crn_error *error); /* name is copied */
CRN_API const char *crn_model_name(const crn_model *model);                                  /* "" if none was set */

/** Check a definition and append a copy of it and all it points to (not `user`). index (may be NULL): its place.
 *  The message names the field: "bodies[3].mass: must be > 0". Names of bodies differ, as do those of joints, of sites, of
 *  tendons, of actuators and of keys. Copies are
 *  settled: quaternions and axes that are nearly unit are made so, what the kind does not use is set to its default. */
CRN_API crn_status crn_model_add_body(crn_model *model, const crn_body_def *def, int *index, crn_error *error);
CRN_API crn_status crn_model_add_joint(crn_model *model, const crn_joint_def *def, int *index, crn_error *error);
CRN_API crn_status crn_model_add_site(crn_model *model, const crn_site_def *def, int *index, crn_error *error);
CRN_API crn_status crn_model_add_tendon(crn_model *model, const crn_tendon_def *def, int *index, crn_error *error);
CRN_API crn_status crn_model_add_actuator(crn_model *model, const crn_actuator_def *def, int *index, crn_error *error);
CRN_API crn_status crn_model_add_key(crn_model *model, const crn_key_def *def, int *index, crn_error *error);
CRN_API crn_status crn_model_add_pair(crn_model *model, const crn_pair_def *def, int *index, crn_error *error);
CRN_API crn_status crn_model_add_load(crn_model *model, const crn_load_def *def, int *index, crn_error *error);
CRN_API crn_status crn_model_add_probe(crn_model *model, const crn_probe_def *def, int *index, crn_error *error);

/** How many there are. */
CRN_API int crn_model_bodies(const crn_model *model);
CRN_API int crn_model_joints(const crn_model *model);
CRN_API int crn_model_sites(const crn_model *model);
CRN_API int crn_model_tendons(const crn_model *model);
CRN_API int crn_model_actuators(const crn_model *model);
CRN_API int crn_model_keys(const crn_model *model);
CRN_API int crn_model_pairs(const crn_model *model);
CRN_API int crn_model_loads(const crn_model *model);
CRN_API int crn_model_probes(const crn_model *model);
/** Definitions by index; NULL outside. Valid until the model changes. */
CRN_API const crn_body_def *crn_model_body(const crn_model *model, int index);
CRN_API const crn_joint_def *crn_model_joint(const crn_model *model, int index);
CRN_API const crn_site_def *crn_model_site(const crn_model *model, int index);
CRN_API const crn_tendon_def *crn_model_tendon(const crn_model *model, int index);
CRN_API const crn_actuator_def *crn_model_actuator(const crn_model *model, int index);
CRN_API const crn_key_def *crn_model_key(const crn_model *model, int index);
CRN_API const crn_pair_def *crn_model_pair(const crn_model *model, int index);
CRN_API const crn_load_def *crn_model_load(const crn_model *model, int index);
CRN_API const crn_probe_def *crn_model_probe(const crn_model *model, int index);

/** Numbers of a probe, and where they begin among those of all probes, one after another: the layout of crn_world_measure(). The second
 *  of crn_model_probes() is their number in all. -1 outside. */
CRN_API int crn_model_probe_size(const crn_model *model, int probe);
CRN_API int crn_model_probe_first(const crn_model *model, int probe);

/** Index of the body, joint, site, tendon, actuator, key or probe of that name; -1 if there is none. */
CRN_API int crn_model_find_body(const crn_model *model, const char *name);
CRN_API int crn_model_find_joint(const crn_model *model, const char *name);
CRN_API int crn_model_find_site(const crn_model *model, const char *name);
CRN_API int crn_model_find_tendon(const crn_model *model, const char *name);
CRN_API int crn_model_find_actuator(const crn_model *model, const char *name);
CRN_API int crn_model_find_key(const crn_model *model, const char *name);
CRN_API int crn_model_find_probe(const crn_model *model, const char *name); /* the first: they may share one */

/** The tree of links that holds a free body, as joints in trees make it, for the functions of tree.h: link k is body
 *  body_of_link[k] (may be NULL; release it through allocator: NULL, by free()). A body at the top that no such joint holds
 *  floats: link 0 with a free joint to the world, both frames those of the bodies. Bodies that are not free stand where their
 *  pose is. Mass and inertia are those that a world gives them: from the shapes where the definition has none. Armature
 *  is part of the tree; loops, limits, motors, springs, friction and loads are not. */
CRN_API crn_status crn_model_tree(const crn_model *model, int body, const crn_allocator *allocator, crn_tree **tree,
                                  int **body_of_link, crn_error *error);

/** Checks that adding makes, for definitions that stand alone; `where` begins the message ("body", "bodies[3]"). */
CRN_API crn_status crn_body_def_check(const crn_body_def *def, bool is_planar, const char *where, crn_error *error);
CRN_API crn_status crn_joint_def_check(const crn_joint_def *def, bool is_planar, const char *where, crn_error *error);
CRN_API crn_status crn_site_def_check(const crn_site_def *def, bool is_planar, const char *where, crn_error *error);
CRN_API crn_status crn_tendon_def_check(const crn_tendon_def *def, bool is_planar, const char *where, crn_error *error);
CRN_API crn_status crn_actuator_def_check(const crn_actuator_def *def, const crn_joint_def *joint,
                                          const crn_tendon_def *tendon, const char *where,
                                          crn_error *error); /* the joint or tendon that it drives; the other NULL */
CRN_API crn_status crn_pair_def_check(const crn_pair_def *def, const char *where, crn_error *error);
CRN_API crn_status crn_load_def_check(const crn_load_def *def, const char *where, crn_error *error);
CRN_API crn_status crn_world_def_check(const crn_world_def *def, const char *where, crn_error *error);

#ifdef __cplusplus
}
#endif
#endif
