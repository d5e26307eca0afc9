/* cairn/world.h -- door 3: bodies, joints, contact and friction in motion.
 *
 * A step drifts, then kicks: bodies move without forces, overlap and open loops are undone by moving positions, and where they
 * then are, forces and one complementarity problem change their velocities. Contacts, impulses and energy belong to the poses at
 * the end of the step; velocities are those at the moment itself, when half of the last forces have acted. A step tells whether
 * it is certified (crn_step_stats.verdict), and where its energy went.
 *
 * Joints make trees wherever they close no loop: these are exact. What a joint of a tree would close is held as a loop. A push
 * acts at the end of the step: half of its effect shows at once, the rest in the next step.
 *
 * Bodies and joints are ids passed by value; {0} is null; a stale id is detected, not followed. Worlds share nothing; one
 * thread at a time per world. A step takes no memory once it has met as many contacts before. A world that is NULL has no
 * bodies and no joints: calls return CRN_ERR_ARGUMENT, 0, NULL or false. */
#ifndef CAIRN_WORLD_H
#define CAIRN_WORLD_H

#include <cairn/contact.h>
#include <cairn/model.h>
#include <cairn/step.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Bodies in motion. */
typedef struct crn_world crn_world;

/** A joint of a world; {0} is none. */
typedef struct crn_joint_id {
    int32_t index1; /* 1, 2, ...; 0: null */
    uint32_t generation;
} crn_joint_id;

/** A load of a world; {0} is none. */
typedef struct crn_load_id {
    int32_t index1; /* 1, 2, ...; 0: null */
    uint32_t generation;
} crn_load_id;

/** A site of a world, a frame fixed to a body; {0} is none. */
typedef struct crn_site_id {
    int32_t index1; /* 1, 2, ...; 0: null */
    uint32_t generation;
} crn_site_id;

/** Largest numbers that a world takes: positions and joint coordinates [m, rad], speeds [m/s, rad/s], forces [N, N m]. A
 *  call that is given more, NaN, infinity or a NULL that it needs returns CRN_ERR_ARGUMENT and changes nothing. */
#define CRN_WORLD_POSITION_MOST 1e12
#define CRN_WORLD_SPEED_MOST    1e9
#define CRN_WORLD_FORCE_MOST    1e18

/* --- Life --- */

/** An empty world. def NULL: defaults; allocator NULL: the default one. */
CRN_API crn_status crn_world_create(const crn_world_def *def, const crn_allocator *allocator, crn_world **world,
                                    crn_error *error);

/** A world with all that a model describes: body i has index1 = i + 1, and so on. The model is not needed afterwards. */
CRN_API crn_status crn_world_create_from(const crn_model *model, const crn_allocator *allocator, crn_world **world,
                                         crn_error *error);
CRN_API void crn_world_destroy(crn_world *world); /* NULL is fine */

/** How it is stepped; valid as long as the world. */
CRN_API const crn_world_def *crn_world_definition(const crn_world *world);

/** Change scheme, tolerances and the like between steps; is_planar must stay. */
CRN_API crn_status crn_world_configure(crn_world *world, const crn_world_def *def, crn_error *error);

/* --- Bodies --- */

/** Add a body; the definition is copied. The message names the field. */
CRN_API crn_status crn_body_create(crn_world *world, const crn_body_def *def, crn_body_id *body, crn_error *error);
CRN_API crn_status crn_body_destroy(crn_world *world, crn_body_id body,
                                    crn_error *error);                    /* and its joints and loads */
CRN_API bool crn_body_is_valid(const crn_world *world, crn_body_id body); /* false if null or stale */
CRN_API int crn_world_bodies(const crn_world *world);                     /* slots: ids have index1 <= this */
CRN_API crn_body_id crn_world_body(const crn_world *world, int index1);   /* null if the slot is empty */

/** By the name of its definition: the first one, null if there is none. The name, valid as long as the body: NULL if it has none. */
CRN_API crn_body_id crn_world_find_body(const crn_world *world, const char *name);
CRN_API const char *crn_body_name(const crn_world *world, crn_body_id body);

/** Where a body is, how it moves, what it weighs. Of a tree only a root that floats can be put or set in motion so; only
 *  free bodies have a velocity to set. */
CRN_API crn_status crn_body_pose(const crn_world *world, crn_body_id body, crn_pose *pose); /* of the body's frame */
CRN_API crn_status crn_body_set_pose(crn_world *world, crn_body_id body, const crn_pose *pose);
CRN_API crn_status crn_body_velocity(const crn_world *world, crn_body_id body, crn_twist *velocity); /* of the com */
CRN_API crn_status crn_body_set_velocity(crn_world *world, crn_body_id body, const crn_twist *velocity);
CRN_API crn_status crn_body_mass(const crn_world *world, crn_body_id body, double *mass, crn_vec3 *com,
                                 crn_mat3 *inertia); /* com in the body's frame; inertia about it, body axes */

/** Add to the force (world axes, at a world point) that acts during the next step, and only then: also if that step fails
 *  with CRN_ERR_DIVERGED. */
CRN_API crn_status crn_body_apply_force(crn_world *world, crn_body_id body, crn_vec3 force, crn_vec3 point);
CRN_API crn_status crn_body_apply_torque(crn_world *world, crn_body_id body, crn_vec3 torque);

/** Sum of all contact forces on the body in the last step, and their torque about its centre of mass. */
CRN_API crn_status crn_body_contact_force(const crn_world *world, crn_body_id body, crn_vec3 *force, crn_vec3 *torque);

/** The same of the contacts between two bodies: force on a from b, torque about a's centre of mass. */
CRN_API crn_status crn_pair_contact_force(const crn_world *world, crn_body_id a, crn_body_id b, crn_vec3 *force,
                                          crn_vec3 *torque);

/** A pointer of yours that stays with the body. */
CRN_API crn_status crn_body_set_user(crn_world *world, crn_body_id body, void *user);
CRN_API void *crn_body_user(const crn_world *world, crn_body_id body); /* NULL for a stale id */

/** Another motion for a driven body. NULL: back to the definition's. */
CRN_API crn_status crn_body_set_motion(crn_world *world, crn_body_id body, crn_motion_function motion, void *user);

/* --- Joints and loads --- */

/** def->a and def->b are ignored: a and b, which differ, are given by id; null is the world. */
CRN_API crn_status crn_joint_create(crn_world *world, const crn_joint_def *def, crn_body_id a, crn_body_id b,
                                    crn_joint_id *joint, crn_error *error);
CRN_API crn_status crn_joint_destroy(crn_world *world, crn_joint_id joint, crn_error *error);
CRN_API bool crn_joint_is_valid(const crn_world *world, crn_joint_id joint);
CRN_API int crn_world_joints(const crn_world *world);
CRN_API crn_joint_id crn_world_joint(const crn_world *world, int index1);
CRN_API crn_joint_id crn_world_find_joint(const crn_world *world, const char *name); /* as crn_world_find_body() */
CRN_API const char *crn_joint_name(const crn_world *world, crn_joint_id joint);

/** Coordinates and their speeds, either of which may be NULL; how many is told by crn_joint_kind_coordinates(). */
CRN_API crn_status crn_joint_coordinate(const crn_world *world, crn_joint_id joint, double *value, double *speed);

/** Force and torque that the joint (motor, limits and friction included) exerted on b in the last step; torque about the
 *  joint's origin on b. */
CRN_API crn_status crn_joint_force(const crn_world *world, crn_joint_id joint, crn_vec3 *force, crn_vec3 *torque);

/** How far the joint is from holding: distance [m] and angle [rad], either of which may be NULL. */
CRN_API crn_status crn_joint_error(const crn_world *world, crn_joint_id joint, double *distance, double *angle);

/** Change limits, motor, friction of one coordinate. */
CRN_API crn_status crn_joint_set_axis(crn_world *world, crn_joint_id joint, int coordinate, const crn_joint_axis *axis,
                                      crn_error *error);

/** Add to the force along a coordinate (torque of a hinge) that acts in the next step, and only then. */
CRN_API crn_status crn_joint_apply_force(crn_world *world, crn_joint_id joint, int coordinate, double force);

/** Velocities of a joint in a tree: as many as crn_joint_kind_freedom() says, in the order of tree.h. Setting them moves all
 *  that hangs on the joint. */
CRN_API crn_status crn_joint_velocity(const crn_world *world, crn_joint_id joint, double *velocity);
CRN_API crn_status crn_joint_set_velocity(crn_world *world, crn_joint_id joint, const double *velocity);

/** Put the coordinates of a joint in a tree (not of a ball or free joint) where they should be; what hangs on it follows. */
CRN_API crn_status crn_joint_set_coordinate(crn_world *world, crn_joint_id joint, const double *value);

/* --- Sites --- */

/** Fix a frame to a body; {0}: to the world. def->body is ignored. It goes with the body when that is destroyed. */
CRN_API crn_status crn_site_create(crn_world *world, const crn_site_def *def, crn_body_id body, crn_site_id *site,
                                   crn_error *error);
CRN_API crn_status crn_site_destroy(crn_world *world, crn_site_id site, crn_error *error);
CRN_API bool crn_site_is_valid(const crn_world *world, crn_site_id site);
CRN_API int crn_world_sites(const crn_world *world);
CRN_API crn_site_id crn_world_site(const crn_world *world, int index1);
CRN_API crn_site_id crn_world_find_site(const crn_world *world, const char *name); /* as crn_world_find_body() */
CRN_API const char *crn_site_name(const crn_world *world, crn_site_id site);

/** The body that it is fixed to (null: the world), and its pose there. Either may be NULL. With these crn_robot_jacobian() is the
 *  site's: crn_robot_jacobian(robot, body, pose.position, J). */
CRN_API crn_status crn_site_frame(const crn_world *world, crn_site_id site, crn_body_id *body, crn_pose *pose);

/** Where it is in the world, and the velocity of its origin, world axes. */
CRN_API crn_status crn_site_pose(const crn_world *world, crn_site_id site, crn_pose *pose);
CRN_API crn_status crn_site_velocity(const crn_world *world, crn_site_id site, crn_twist *velocity);

/* --- Tendons --- */

/** Add a tendon; bodies, joints and sites of its parts are those of the world by index (index1 - 1 of their ids). index: 0, 1, ... It is gone with
 *  any body or joint that it passes. Not in worlds with the integrator hart. */
CRN_API crn_status crn_tendon_create(crn_world *world, const crn_tendon_def *def, int *index, crn_error *error);
CRN_API int crn_world_tendons(const crn_world *world);                       /* how many there are or were */
CRN_API int crn_world_find_tendon(const crn_world *world, const char *name); /* -1 if there is none */
CRN_API const char *crn_tendon_name(const crn_world *world, int index);      /* NULL if it has none */

/** Its length now, and its rate; either may be NULL. CRN_ERR_ARGUMENT if it is gone. */
CRN_API crn_status crn_tendon_length(const crn_world *world, int index, double *length, double *speed);

/* --- Actuators and controls --- */

/** Add an actuator to a joint, which def->joint does not tell here, or, if joint is null, to the tendon def->tendon; index: 0, 1, ... It stays as
 *  long as the world; without its joint or tendon it does nothing. */
CRN_API crn_status crn_actuator_create(crn_world *world, const crn_actuator_def *def, crn_joint_id joint, int *index,
                                       crn_error *error);
CRN_API int crn_world_actuators(const crn_world *world);                       /* how many there are */
CRN_API int crn_world_find_actuator(const crn_world *world, const char *name); /* -1 if there is none */
CRN_API const char *crn_actuator_name(const crn_world *world, int index);      /* NULL if it has none */
CRN_API crn_joint_id crn_actuator_joint(const crn_world *world, int index); /* null if it is gone, or drives a tendon */

/** Controls of all actuators from now on, one each; those beyond an actuator's limits are taken as the limits. */
CRN_API crn_status crn_world_set_controls(crn_world *world, const double *control);

/** The same of one actuator. */
CRN_API crn_status crn_world_set_control(crn_world *world, int index, double control);

/** The controls that act, one each. */
CRN_API crn_status crn_world_controls(const crn_world *world, double *control);

/** Put the world into the state of a key of the model that it was made from, or of one built alike: joints, bodies that float,
 *  controls. Loops that this opens are closed by the next step. Not in worlds with the integrator hart, nor with links on driven
 *  bodies. */
CRN_API crn_status crn_world_set_key(crn_world *world, const crn_key_def *key, crn_error *error);

/** Force along the coordinate that an actuator's control makes now: gain a of crn_actuator_def. What a spring whose target it moves
 *  adds, and dampers, are not part of it. */
CRN_API crn_status crn_actuator_force(const crn_world *world, int index, double *force);

/* --- Measuring --- */

/** What a probe shows now, up to CRN_PROBE_NUMBERS_MAX numbers; returns how many. Its target is an index of the model that the world was
 *  made from. 0: the world has no such body, joint, site, actuator or tendon. */
CRN_API int crn_world_probe(const crn_world *world, const crn_probe_def *probe, double *values);

/** What all probes of the model that the world was made from show now: values as crn_model_probe_first() lays them out; of those whose
 *  target is gone 0. */
CRN_API crn_status crn_world_measure(const crn_world *world, const crn_model *model, double *values);

/* --- Pairs of bodies --- */

/** What holds between two bodies from now on: do their shapes touch, with which friction and restitution; def->a and def->b are
 *  ignored. NULL: what joints and shapes say again. Neighbours, bodies that a joint joins without bodies_collide, do not
 *  touch unless a pair says that they do. */
CRN_API crn_status crn_world_set_pair(crn_world *world, crn_body_id a, crn_body_id b, const crn_pair_def *def,
                                      crn_error *error);

/** What was said about two bodies, by crn_world_set_pair(), the model or crn_world_create_from(); false if nothing was. def may
 *  be NULL; its a and b are set to -1. */
CRN_API bool crn_world_pair(const crn_world *world, crn_body_id a, crn_body_id b, crn_pair_def *def);

/** Two bodies of one mechanism that overlapped where the model puts them by more than a thousandth of the smaller. If it is more than a
 *  hundredth, and no more than two joints lie between them, they are kept from touching from the start on (crn_world_set_pair()
 *  lets them touch again); otherwise, or if the model has a pair for them, they are listed only. */
typedef struct crn_start_overlap {
    crn_body_id a, b;
    double depth;     /* [m] */
    int joints;       /* between them; 3: three or more */
    bool is_excluded; /* do they not touch for that? */
} crn_start_overlap;

/** Those that crn_world_create_from() found, in the order of bodies; valid as long as the world. */
CRN_API const crn_start_overlap *crn_world_start_overlaps(const crn_world *world, int *count);

/** Put a load on a body, which def->body does not tell here; take it off again. */
CRN_API crn_status crn_load_create(crn_world *world, const crn_load_def *def, crn_body_id body, crn_load_id *load,
                                   crn_error *error);
CRN_API crn_status crn_load_destroy(crn_world *world, crn_load_id load, crn_error *error);

/* --- Stepping --- */

/** Advance by dt. A step whose problem is not solved still moves by the best impulses found and says so in stats. If the
 *  motion is not finite (a diverging force), returns CRN_ERR_DIVERGED, names the body and leaves the world as it was, but for
 *  the forces that were applied for this step: they are dropped. After any other failure (memory, a solver of yours) they are
 *  still there, and the step can be tried again. stats, error may be NULL. */
CRN_API crn_status crn_world_step(crn_world *world, double dt, crn_step_stats *stats, crn_error *error);

/** Time since the beginning [s]. */
CRN_API double crn_world_time(const crn_world *world);

/** Overlaps now: find contacts at the present positions without stepping. penetration: the deepest, >= 0; a and b: the bodies
 *  (null: none). Each may be NULL. */
CRN_API crn_status crn_world_overlap(crn_world *world, double *penetration, crn_body_id *a, crn_body_id *b);

/* --- Questions about where things are now; cost grows with the number of shapes --- */

/** Which shapes are asked: those of a body's shape with group & mask, but not of the body `except` (null: of all). */
typedef struct crn_query_filter {
    uint32_t mask; /* all bits: every shape */
    crn_body_id except;
} crn_query_filter;

CRN_API crn_query_filter crn_query_filter_default(void); /* every shape of every body */

/** A body's shape that a question found. */
typedef struct crn_query_shape {
    crn_body_id body;
    int shape; /* of the body's definition */
} crn_query_shape;

/** The first thing that a ray meets. filter NULL: the default. hit->distance <= ray->reach. Returns false, and a null body, if
 *  there is none or the ray is nonsense (not finite, direction 0); the direction is made unit. */
CRN_API bool crn_world_cast_ray(const crn_world *world, const crn_ray *ray, const crn_query_filter *filter,
                                crn_query_shape *met, crn_ray_hit *hit);

/** How near a shape of the world is to a shape that was asked about. */
typedef struct crn_query_near {
    crn_query_shape found;
    double gap;        /* [m]; negative: they overlap by that */
    crn_vec3 on_own;   /* the point of the shape that was asked about, world [m] */
    crn_vec3 on_found; /* that of the one found */
    crn_vec3 normal;   /* unit, out of the one found */
} crn_query_near;

/** All shapes of the world no farther than reach (>= 0) from a shape at a pose, the nearest or deepest first: reach 0 tells what it
 *  overlaps, a large one what is nearest. Writes at most capacity of them. Returns how many there are; -1: nonsense or no memory. */
CRN_API int crn_world_near(const crn_world *world, const crn_shape *shape, const crn_pose *pose, double reach,
                           const crn_query_filter *filter, crn_query_near *near, int capacity);

/** Mechanisms that have loops, now; and how the loops of one of them (0, 1, ...) are held. */
CRN_API int crn_world_mechanisms(crn_world *world);
CRN_API crn_status crn_world_mechanism(crn_world *world, int index, crn_mechanism_report *report, crn_error *error);

/** View of the last step's contacts; valid until the next call that changes the world. NULL and count 0 without a world. */
CRN_API const crn_contact *crn_world_contacts(const crn_world *world, int *count);

/** Force on a named body at contact number `contact` of crn_world_contacts(), world axes [N]: its mean over the last step,
 *  friction included. point: where it acts, world [m]. Either may be NULL. The sign does not depend on which body is a.
 *  CRN_ERR_ARGUMENT if there is no such contact, or if it is not one of the body. */
CRN_API crn_status crn_contact_force_on(const crn_world *world, int contact, crn_body_id body, crn_vec3 *force,
                                        crn_vec3 *point);

/** Pairs that began or ceased to push each other in the last step; valid likewise. */
CRN_API const crn_contact_event *crn_world_events(const crn_world *world, int *count);

/** The complementarity problem of the last step, to be looked at, written (crn_io_write_contact_json) or solved again;
 *  NULL before the first step. Valid until the next call that changes the world. */
CRN_API const crn_contact_problem *crn_world_problem(const crn_world *world);

/** Let another solver find the impulses of each step from now on; NULL: the library again. Certificates are then its own. */
CRN_API crn_status crn_world_set_solver(crn_world *world, crn_step_solver solver, void *user);

/* --- The same bits again --- */

/** Bytes of a snapshot now. */
CRN_API size_t crn_world_snapshot_size(const crn_world *world);

/** Write the state of motion (poses, velocities, joint turns, warm start, time; not definitions) to data. */
CRN_API crn_status crn_world_save(const crn_world *world, void *data, size_t size, crn_error *error);

/** Bring back a state saved from this world, or from one built alike: what follows is the same to the last bit. */
CRN_API crn_status crn_world_restore(crn_world *world, const void *data, size_t size, crn_error *error);

/** Hash of poses, velocities and time: equal for equal bits. */
CRN_API uint64_t crn_world_hash(const crn_world *world);

#ifdef __cplusplus
}
#endif
#endif
