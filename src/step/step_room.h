/* The door of this room: everything that moves, by index, and the step that moves it.
 *
 *     v_f   = v + h M^-1 f                                 free motion
 *     Phi   at q: contacts within the margin               detect.c
 *     M (v+ - v_f) = sum J'r + B'l,  0 <= n v+ + Phi/h complementary to r_n >= 0, friction, joints + Theta/h
 *                                                          one complementarity problem, build.c, solve.c  [HA03 eq. 2.11]
 *     q+    = q + h v+                                     step.c
 *
 * The world above gives ids to bodies and checks what comes from outside; here everything is valid. */
#ifndef CRN_STEP_ROOM_H
#define CRN_STEP_ROOM_H

#include <cairn/step.h>

#include "collide/collide_room.h"
#include "tree/tree_room.h"

typedef struct crn_step_body {
    crn_body_id id; /* index1 = 0: the slot is empty */
    crn_body_kind kind;
    crn_rigid rigid;
    crn_vec3 com; /* in the body's frame */
    double linear_damping, angular_damping, gravity_scale;
    double radius;          /* of all shapes about the centre of mass; infinite shapes do not count */
    double turn_radius;     /* the same, but of round shapes only how far their centre is off: turning does no more */
    crn_vec3 force, torque; /* from the caller, for the next step */
    crn_vec3 load_force, load_torque; /* the same with loads: of the step at hand */
    crn_motion motion;                /* driven: tables belong to the world */
    crn_pose start;                   /* driven: pose of the body's frame at t = 0 */
    crn_motion_function function;
    void *function_user;
    crn_vec3 next_w, next_v; /* velocity that moves it over the step; driven: known, free: found */
    crn_vec3 end_w, end_v;   /* velocity after the step: another than next if something bounced; driven: before it */
    crn_pose begin;          /* of the centre of mass, where the step began */
    int at;                  /* its index in the problem; -1: moved by nothing, or known */
    double rest;             /* how long it has been at rest [s] */
    int asleep;              /* 0: awake; else 1 + the lowest body of the group that fell asleep together */
    double begin_rest;       /* both as they were where the step began */
    int begin_asleep;
} crn_step_body;

typedef struct crn_step_shape {
    int body;         /* -1: the slot is empty */
    int index;        /* among the body's shapes */
    crn_shape *shape; /* owned */
    crn_frame local;  /* in the frame of the centre of mass */
    double friction, restitution;
    uint32_t group, mask;
    double reach;    /* distance from the centre of mass of its farthest point; infinite for planes */
    crn_frame frame; /* in the world, at the beginning of the step */
} crn_step_shape;

typedef struct crn_step_joint {
    bool is_used;
    uint32_t generation;
    int a, b; /* bodies; -1: the world */
    crn_joint_def def;
    crn_frame frame_a, frame_b; /* of the joint, in the frames of the centres of mass (a = -1: in the world) */
    double last[CRN_JOINT_COORDINATES_MAX];      /* coordinates at the beginning of the last step, turns counted */
    double limit[2 * CRN_JOINT_COORDINATES_MAX]; /* impulses of lower and upper limits in the last step */
    crn_vec3 arm; /* from b's centre of mass to the joint on b, where the last step began */
} crn_step_joint;

typedef struct crn_step_load {
    bool is_used;
    uint32_t generation;
    crn_load_def def;
} crn_step_load;

/* What a contact point is between, for sorting and matching. */
typedef struct crn_step_pair {
    int shape_a, shape_b;
    int corner; /* of the contact's state, to start from */
    int spare;  /* 0: without holes, equal states have equal bytes */
    double restitution;
    double recovery; /* overlap is undone no faster [m/s] */
    double band;     /* gaps smaller than this are 0 [m] */
    crn_vec3 start;  /* impulse that the next step starts from, world axes [N s] */
} crn_step_pair;

/* One bilateral or bounded row of the problem. */
typedef struct crn_step_row {
    int joint;
    crn_joint_row row;
    double offset; /* [1/s of the value] */
    double bound;  /* largest impulse; 0: none */
    int held;      /* which of the rows that hold the joint; -1: motor or friction */
} crn_step_row;

/* A limit of a joint in the problem: contact number `contacts` + its index. */
typedef struct crn_step_limit {
    int joint, slot; /* slot: 2 coordinate, + 1 for the upper limit */
    crn_joint_row row;
    double gap;
} crn_step_limit;

/* Contacts of a step: the points, sorted by shapes and key, and what they are between. */
typedef struct crn_step_contacts {
    crn_contact *contact;
    int contacts, capacity;
    crn_step_pair *pair;
    int pair_capacity;
} crn_step_contacts;

/* Scratch of fit.c: rows in whitened coordinates, vectors over rows and over velocities (6 per body of the problem). */
typedef struct crn_step_fit {
    double *column;                                    /* 12 per row: a, then b */
    double *value, *residual, *image, *impulse, *push; /* per row */
    double *root;                                      /* per body: factor of its inertia */
    double *motion, *gradient, *direction;             /* 6 per body */
    crn_step_row *row;                                 /* repair.c: what joints hold */
    int column_capacity, value_capacity, residual_capacity, image_capacity, impulse_capacity, push_capacity,
        root_capacity, motion_capacity, gradient_capacity, direction_capacity, row_capacity;
} crn_step_fit;

/* The problem and its answer, in arrays that only grow. */
typedef struct crn_step_problem {
    crn_contact_problem problem;
    crn_contact_options options;
    crn_contact_body *body;
    int *body_of; /* the stepper's body */
    crn_contact_point *point;
    crn_contact_row *row;
    double *velocity;                            /* free */
    double *found, *impulse, *u, *row_impulse;   /* solution */
    double *start_impulse, *start_u, *start_row; /* warm start */
    crn_contact_state *state, *start;
    double *jacobian; /* of limits and rows */
    int body_capacity, body_of_capacity, point_capacity, row_capacity, velocity_capacity, found_capacity,
        impulse_capacity, u_capacity, row_impulse_capacity, start_impulse_capacity, start_u_capacity,
        start_row_capacity, state_capacity, start_capacity, jacobian_capacity;
    crn_workspace workspace;
} crn_step_problem;

typedef struct crn_stepper {
    crn_allocator allocator;
    crn_world_def def;
    double time;
    int64_t steps;

    crn_step_body *body;
    crn_step_shape *shape;
    crn_step_joint *joint;
    crn_step_load *load;
    int bodies, shapes, joints, loads; /* slots in use or empty */
    int body_capacity, shape_capacity, joint_capacity, load_capacity;
    bool is_joined_stale; /* joints changed: the list of joined pairs and has_loops must be made again */
    bool has_loops;       /* joints close loops: what they hold may be redundant */

    crn_broad broad;
    crn_broad_item *item; /* one per shape slot in use */
    int *item_shape;
    int item_capacity, item_shape_capacity;
    crn_touch *touch; /* of one pair */
    int touch_capacity;
    int64_t *joined; /* pairs of bodies that joints keep from touching, sorted */
    int joined_count, joined_capacity;

    crn_step_contacts now, last; /* last: of the step before, with impulses, to start from */
    crn_step_limit *limit;
    crn_step_row *row;
    int limits, rows, limit_capacity, row_capacity;
    double *last_row; /* row impulses of the step before */
    int last_rows, last_row_capacity;
    double *closing; /* repair.c: impulses along the step's rows that closed its joints */
    int closing_capacity;
    crn_step_problem problem;
    crn_step_fit fit;
    double *bounce; /* restitution: impulses of the compression */
    int bounce_capacity;

    crn_contact_event *event;
    int events, event_capacity;
    int *group; /* sleeping: union-find of bodies */
    int group_capacity;
} crn_stepper;

/* Poses, velocities and derived things of a body that was placed: call after changing pose or velocity. */
void crn_step_placed(crn_stepper *stepper, int body);

/* Pose of a driven body's frame at a time. */
crn_pose crn_step_driven_pose(const crn_step_body *body, double time);

/* Pose of the body's own frame, and the other way round. */
crn_pose crn_step_body_pose(const crn_step_body *body);
void crn_step_set_body_pose(crn_step_body *body, const crn_pose *pose);

/* Both frames of a joint in the world, and the centres of mass. */
crn_joint_sides crn_step_joint_sides(const crn_stepper *stepper, const crn_step_joint *joint);

/* Value and speed of the joint's coordinates; either may be NULL. */
void crn_step_joint_coordinates(const crn_stepper *stepper, const crn_step_joint *joint, double *value, double *speed);

/* Largest error of what the joint holds: distance [m], angle [rad]. */
void crn_step_joint_error(const crn_stepper *stepper, const crn_step_joint *joint, double *distance, double *angle);

/* Find contacts at the present poses into stepper->now, for steps of h. */
crn_status crn_step_detect(crn_stepper *stepper, double h, crn_error *error);

/* One step. On failure nothing has moved. */
crn_status crn_step_advance(crn_stepper *stepper, double h, crn_step_stats *stats, crn_error *error);

/* Wake the body and all that fell asleep with it. */
void crn_step_wake(crn_stepper *stepper, int body);
void crn_step_wake_all(crn_stepper *stepper);

void crn_step_free(crn_stepper *stepper);

#endif
