/* The door of this room: everything that moves, by index, and the step that moves it [docs/theory/stepping.md].
 *
 *     scene     bodies, shapes, joints, loads, trees as they are built
 *     state     poses and velocities; the forest of trees has coordinates
 *     problem   contacts, limits and rows of the kick at hand, and its answer
 *     report    ledger and verdict
 *
 * The world above gives ids to bodies and checks what comes from outside; here everything is valid. */
#ifndef CRN_STEP_ROOM_H
#define CRN_STEP_ROOM_H

#include <cairn/step.h>

#include "collide/collide_room.h"
#include "tree/tree_room.h"

/* What the problem at hand is for. */
typedef enum crn_step_purpose {
    CRN_FOR_KICK = 0, /* velocities after forces */
    CRN_FOR_IMPACT,   /* velocities after a collision: no forces, what touches has no gap; impact.c */
    CRN_FOR_POSITIONS /* displacements that undo overlap and open loops: trees_repair.c */
} crn_step_purpose;

/* A body where the step began: what a failed step takes back. */
typedef struct crn_body_begin {
    crn_pose pose; /* of the centre of mass */
    crn_vec3 w, v, shown_w, shown_v;
    double rest, worked, owed;
    int asleep;
    bool is_fresh;
} crn_body_begin;

/* What becomes of overlap that repairs cannot undo. */
typedef enum crn_step_overlap {
    CRN_OVERLAP_PARTS = 0, /* it is undone */
    CRN_OVERLAP_STAYS,     /* it becomes no deeper */
    CRN_OVERLAP_YIELDS     /* joints and loops close, however deep that makes it */
} crn_step_overlap;

/* A body in repairs: trees_repair.c. */
typedef struct crn_body_repair {
    crn_pose pose;            /* where they began, ... */
    crn_vec3 w;               /* ... and its velocity there */
    double off, off_then;     /* worst error that they see at it, now and where they began [m, rad] */
    bool is_open;             /* what joins it to others is off */
    crn_step_overlap overlap; /* of it with others */
} crn_body_repair;

typedef struct crn_step_body {
    crn_body_id id; /* index1 = 0: the slot is empty */
    crn_body_kind kind;
    crn_rigid rigid;
    crn_vec3 com; /* in the body's frame */
    double linear_damping, angular_damping, gravity_scale;
    double radius;          /* of all shapes about the centre of mass; infinite shapes do not count */
    double turn_radius;     /* the same, but of round shapes only how far their centre is off: turning does no more */
    crn_vec3 force, torque; /* from the caller, for the next step */
    crn_vec3 acted_force, acted_torque; /* the same of the last step */
    crn_vec3 load_force, load_torque;   /* the same with loads: of the step at hand */
    crn_motion motion;                  /* driven: tables belong to the world */
    crn_pose start;                     /* driven: pose of the body's frame at t = 0 */
    crn_motion_function function;
    void *function_user;
    crn_vec3 next_w, next_v; /* velocity that moves it over the step; driven: known, free: found */
    crn_vec3 end_w, end_v;   /* driven: velocity before the step */
    int at;                  /* its index in the problem; -1: moved by nothing, or known */
    double rest;             /* how long it has been at rest [s] */
    int asleep;              /* 0: awake; else 1 + the lowest body of the group that fell asleep together */
    int tree, link;          /* 1 + the tree that it is a link of, 0: none; which link */
    bool is_fresh;           /* placed by the caller, no force has acted since */
    crn_vec3 shown_w,
        shown_v; /* at the moment of the last kick: half of its forces and all of its impacts have acted */
    crn_body_begin begin;
    crn_body_repair repair;
    bool is_pushed;   /* by a contact in the kick at hand */
    bool is_hasty;    /* it moves by more than margins had room for [detect.c] */
    bool is_propped;  /* something that stands still pushed it in the first kick of the step */
    double springs;   /* a link: what the springs of its joint hold where the ledger looked last */
    double energy;    /* where the step began, as shown, with that of its joint in a tree */
    double worked[2]; /* by what is outside of all bodies: since then; after the moment of the kick at hand */
    double owed;      /* part of a gain that could not be taken out: the next step does */
    double gain;      /* of energy since the step began, beyond that work */
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
    bool is_known;   /* it was there in the last kick */
} crn_step_shape;

typedef struct crn_step_joint {
    bool is_used;
    bool is_link; /* in a tree now: b is a link and a its parent; chosen by trees_plant.c */
    uint32_t generation;
    int a, b; /* bodies; -1: the world */
    crn_joint_def def;
    crn_frame frame_a, frame_b; /* of the joint, in the frames of the centres of mass (a = -1: in the world) */
    double last[CRN_JOINT_COORDINATES_MAX];       /* coordinates at the beginning of the last step, turns counted */
    double last_begin[CRN_JOINT_COORDINATES_MAX]; /* the same where the step began */
    double limit[2 * CRN_JOINT_COORDINATES_MAX];  /* impulses of lower and upper limits in the last step */
    bool gives_way;       /* its motor without bound has contradicted loops: it is a row since, not a given motion */
    bool is_contradicted; /* it does so where the step at hand ends */
    crn_vec3 arm;         /* from b's centre of mass to the joint on b, where the last step began */
    double force[CRN_JOINT_COORDINATES_MAX];          /* from the caller, for the next step */
    double acted[CRN_JOINT_COORDINATES_MAX];          /* the same of the last step */
    double control_force[CRN_JOINT_COORDINATES_MAX];  /* of actuators, until they change it ... */
    double control_target[CRN_JOINT_COORDINATES_MAX]; /* ... and by how much they move the targets of springs */
    double tendon_force[CRN_JOINT_COORDINATES_MAX];   /* of actuators of tendons, in the kick at hand */
    bool is_servo[CRN_JOINT_COORDINATES_MAX]; /* actuators move the target: the spring is a motor and holds no energy */
    double
        play; /* of a loop that was open by more than its clearance at the start: by how much, in loop sizes; else 0 */
} crn_step_joint;

/* One part of a tendon: crn_tendon_part, with places seen from the centres of mass. */
typedef struct crn_step_tendon_part {
    crn_tendon_part_kind kind;
    int joint, coordinate;
    double factor;
    int body;        /* of a site, sphere or cylinder; -1: the world */
    crn_frame local; /* of it, in the frame of the centre of mass (body = -1: in the world) */
    double radius;
    bool has_side;
    int side_body;
    crn_vec3 side; /* in the frame of side_body's centre of mass */
} crn_step_tendon_part;

/* How the length of a tendon changes with one thing that it moves. */
typedef struct crn_step_pull {
    int body;            /* -1: a joint in a tree, else row tells: */
    double row[6];       /* dL = row . (w, v of the centre of mass) */
    int joint, velocity; /* dL = factor u */
    double factor;
} crn_step_pull;

enum { CRN_TENDON_PULLS = 3 }; /* of a part, at most: a ball joint has as many */

/* A tendon: tendons.h. */
typedef struct crn_step_tendon {
    bool is_used;
    crn_tendon_def def; /* its parts are: */
    crn_step_tendon_part *part;
    crn_step_pull *pull; /* where everything is */
    int pulls;
    double length;
    double control_force, control_target; /* of actuators, until they change it */
    double limit[2];                      /* impulses of lower and upper limit in the last step */
    int mechanism;                        /* that it is in; -1: it moves nothing */
    int slack;                            /* of its spring and damper: place among the mechanism's velocities */
} crn_step_tendon;

/* A tree in joint coordinates: its links are bodies. */
typedef struct crn_step_tree {
    crn_tree *tree;
    int mechanism;
    int base;                 /* the body that carries it, fixed or driven; -1: the world */
    int link;                 /* first of its links, ... */
    int q, u, w;              /* ... coordinates, velocities, whitened velocities among those of all trees */
    bool is_floating;         /* its root is free */
    bool has_rotors;          /* some joint has an armature */
    bool is_pushed;           /* a force is applied to some joint of it in the kick at hand */
    double carried[6];        /* velocity of a driven base: angular, linear at the world's origin */
    double carried_before[6]; /* the same before the last kick */
    double carried_begin[12]; /* both where the step began */
} crn_step_tree;

/* What the motion around a loop is seen from, to tell how fast its pins move. */
typedef enum crn_loop_origin {
    CRN_LOOP_FROM_WORLD, /* both sides stand on it */
    CRN_LOOP_FROM_LINK,  /* the link where both ways to the root meet */
    CRN_LOOP_FROM_EACH   /* floating trees: either side is seen from where the other one closes the loop */
} crn_loop_origin;

/* A joint that closes a loop, or whose coordinates follow others. */
typedef struct crn_step_loop {
    int joint;
    crn_loop_origin origin;
    int meeting;      /* CRN_LOOP_FROM_LINK: link of its tree */
    double size;      /* half of the way round [m]; of the model's frames, not of a pose */
    int first, count; /* its rows among those of the mechanism */
} crn_step_loop;

/* A joint that is open by so much that its clearance may end within a step: a contact without friction, numbered after
 * contacts and limits. */
typedef struct crn_step_stop {
    int mechanism, loop; /* loop: among those of all mechanisms */
    double gap;     /* left of the clearance, in loop sizes; along loose directions as they count [loops_stops.c] */
    double excess;  /* by how much the clearance is passed [m]; <= 0: it is not */
    double length;  /* of its column, which is scaled to 1; 0: it is held where it is, and not in the problem */
    double impulse; /* of the last kick [of the scaled column] */
} crn_step_stop;

/* How the loops of a mechanism close at the present place: docs/theory/trees.md, section 5. Rows are in loop sizes. A direction
 * is a motion of energy 1/2, and how it opens the rows. Held ones come first, then loose ones. */
typedef struct crn_step_closure {
    bool is_current; /* belongs to the present place */
    double
        wide; /* the least pivot that opens the loops far faster than it must, asked in this part of the drift; 0: none */
    bool is_turned;  /* directions are combinations of rows; else they are the rows themselves, in the order below */
    int rows, most;  /* now; at most */
    int held, loose; /* directions; all others are null */
    double *Y;       /* rows x velocities: whitened columns */
    double *Q;       /* rows x velocities: orthonormal basis of held directions; columns Y w of loose ones */
    double *W;       /* directions x rows: is_turned: w, unit; else R of Y = Q R, rows in their own order */
    double *T;       /* directions x directions: Y (held) = Q T, upper triangle by rows */
    double *error;   /* of each row: what it is off */
    double *given;   /* of each row: its speed by given motions */
    double *unit;    /* of each row: what 1 is in metres or radians */
    double *open;    /* of each row: what is open of the clearance */
    double *weighed; /* ... along loose directions 1/share times what it is */
    double *share;   /* of each direction: share of the clearance that it has; held: 0 */
    double *scratch; /* rows of them */
    uint64_t *trees; /* of each row: bits of the trees that it moves; of more than 64 trees several share a bit */
    int *order;      /* of rows, as they were taken */
    int *is_angle;   /* of each row: it is in radians */
    double worst;    /* largest error of a held direction [m, rad] */
    double opening, clearance; /* of the joint that has used up most of its clearance [m]: how much is open, may be */
    double misfit, misfit_allowed; /* largest error that no motion closes [m, rad]; its clearance */
    int tightest;                  /* the joint of opening and clearance: loop of the mechanism; -1: none */
} crn_step_closure;

/* What a mechanism takes from one step to the next, beside coordinates and velocities. */
typedef struct crn_step_kept {
    bool is_fresh;   /* no force has acted since the caller changed it */
    bool is_touched; /* something else pushed it at the last kick or in a repair since */
} crn_step_kept;

/* Trees that loops connect: one body of the problem. Loops are taken out: velocities and columns are projected. */
typedef struct crn_step_mechanism {
    int tree, trees;
    int loop, loops; /* joints that close loops, or make a coordinate follow another */
    int w, whitened; /* first whitened velocity, how many, those of tendons' slack at their end */
    crn_step_closure closure;
    bool has_factor;      /* the factor of its trees is that of the present place, without springs */
    const double *placed; /* coordinates that its trees are placed at: those of the forest, or the middle of a drift */
    double drift_time;    /* within a drift: since its beginning, where driven bodies are [s] */
    int at;               /* the problem's body; -1: asleep */
    int dof;              /* its velocities in the problem: fewer than whitened where it is touched in few places */
    int compressed;       /* first number of the basis of these in stepper->compress */
    bool is_driven;       /* part of the motion is given: energy may come in */
    bool is_stiff;        /* has springs or dampers */
    bool has_springs;     /* that hold energy, maybe */
    bool is_drifted;      /* it was awake at the last drift */
    bool is_unheld;       /* nothing but contacts acts on it from outside */
    int drifts;           /* parts of the last drift */
    crn_step_kept kept, begin; /* begin: where the step began */
    uint64_t alike;            /* hash of what it consists of: trees_keep.c */
    double momentum[6];        /* floating alone: at the beginning of the drift, about the world's origin */
    struct {
        int pushing; /* rows, limits and stops */
        double motors, passive;
    } worked; /* work of its joints in a leg of the ledger; 0 between them */
} crn_step_mechanism;

/* All trees of a world; arrays are cut from one block. */
typedef struct crn_step_forest {
    bool is_stale; /* joints have changed */
    int trees, mechanisms, loops, links, coordinates, velocities, whitened;
    crn_step_tree *tree;
    crn_step_mechanism *mechanism;
    int *body, *joint; /* of each link; joint -1: the root floats */
    crn_step_loop *loop;
    crn_step_stop *stop; /* room for one per loop */
    int stops;
    double *q, *u;  /* coordinates; velocities after the last kick */
    double *before; /* velocities before it */
    double *solved; /* after it, by forces alone: u may have been slowed */
    double *q_begin, *u_begin, *before_begin, *shown_begin, *solved_begin; /* where the step began */
    double *middle;        /* coordinates at the middle of a part of the drift */
    double *q_sum, *u_sum; /* Runge-Kutta: what the stages add up to */
    double *V, *known;     /* velocities of links about their tree's origin, 6 each; the part of them that is given */
    double *moment;        /* velocities at the moments of a kick, moment.h: 5 times all of them */
    double *shown;         /* velocities at the moment of the last kick */
    double *carry;         /* 12 per link: velocity of the centre of mass, and of the rotation matrix; trees_drift.c */
    double *rotor;         /* one per velocity: what armature carries */
    double *p, *force, *extra; /* scratch: 6 per link; one per velocity; one per velocity */
    double *inertia;           /* one per velocity: trees_kick.c, where there are springs or dampers */
    double *nu, *shift;        /* whitened velocities; the part of them that loops give */
    double *loop_u, *loop_V;   /* scratch of loops: velocities; 6 per link */
    void *memory;
} crn_step_forest;

/* What a link takes from one planting of trees to the next (trees_keep.c). Without holes: equal states have equal bytes. */
typedef struct crn_step_link_state {
    uint32_t body;                /* generation of its id; 0: it was no link */
    uint32_t generation;          /* of the joint above it */
    int32_t joint;                /* 1 + that joint; 0: it floated, -1: the joint is gone */
    int16_t is_fresh, is_touched; /* kept of its mechanism, ... */
    uint64_t alike;               /* ... and what that consisted of */
    double q[CRN_JOINT_FREEDOM_MAX + 1];
    double u[CRN_JOINT_FREEDOM_MAX], before[CRN_JOINT_FREEDOM_MAX], shown[CRN_JOINT_FREEDOM_MAX];
    double carried[6], carried_before[6]; /* of its tree */
} crn_step_link_state;

typedef struct crn_step_load {
    bool is_used;
    uint32_t generation;
    crn_load_def def;
} crn_step_load;

/* What a contact point is between, for sorting and matching. */
typedef struct crn_step_pair {
    int shape_a, shape_b;
    int corner; /* of the contact's state, to start from */
    int match;  /* the same contact among those of the last step; -1: none */
    double restitution;
    double recovery;    /* overlap is undone no faster [m/s] */
    double band;        /* gaps smaller than this are 0 [m] */
    double size;        /* of the smaller shape [m] */
    crn_vec3 start;     /* impulse that the next step starts from, world axes [N s] */
    int64_t has_stayed; /* both shapes stand where they stood: the contact is that of the last kick */
    int64_t waited;     /* steps since its impulse was solved for: in all of them the start was the answer */
} crn_step_pair;

/* A pair of shapes that may meet although it is farther apart than the margin by its speeds before the step, or was left out. */
typedef struct crn_step_wider {
    int shape_a, shape_b;
    double margin;
} crn_step_wider;

/* One bilateral or bounded row of the problem. */
typedef struct crn_step_row {
    int joint;
    crn_joint_row row;
    double offset;    /* [1/s of the value] */
    double bound;     /* largest impulse; 0: none */
    int held;         /* which of the rows that hold the joint; -1: motor or friction */
    int velocity;     /* in a tree: which velocity of the joint; -1: by the row */
    bool is_friction; /* of the joint: else a motor, or what is held */
    int tendon;       /* 1 + the tendon that it is of, instead of a joint; 0: none */
    double scale;     /* of a tendon: the row is this times the tendon's rate */
} crn_step_row;

/* A limit of a joint in the problem: contact number `contacts` + its index. */
typedef struct crn_step_limit {
    int joint, slot; /* slot: 2 coordinate, + 1 for the upper limit */
    crn_joint_row row;
    double gap;
    bool in_tree; /* the joint is in a tree: row is not used */
    int tendon;   /* 1 + the tendon that it is of, instead of a joint; 0: none */
} crn_step_limit;

/* Contacts of a step: the points, sorted by shapes and key, and what they are between. */
typedef struct crn_step_contacts {
    crn_contact *contact;
    int contacts, capacity;
    crn_step_pair *pair;
    int pair_capacity;
} crn_step_contacts;

/* The contacts of one pair of shapes: seams.c. */
typedef struct crn_step_group {
    int first, count; /* contacts */
    int shape_a, shape_b, body_a, body_b;
    int lowest;          /* contact */
    double gap;          /* of it */
    crn_vec3 normal;     /* of the first */
    double tolerance;    /* lower steps are none */
    bool has_one_normal; /* all contacts */
    bool may_turn;       /* both shapes are convex and one has edges: other directions may be as good */
    bool is_clear;       /* but none is */
    bool is_left_out;    /* neighbours keep the pair apart as well */
} crn_step_group;

typedef struct crn_step_seams {
    crn_step_group *group;
    int *start, *of_body; /* groups of free body i: of_body[start[i]] .. */
    int groups, group_capacity, start_capacity, of_body_capacity;
} crn_step_seams;

/* The part of the problem that is solved: lazy.c. */
typedef struct crn_step_lazy {
    bool *is_in; /* by contact of the whole problem */
    int *index;  /* of the contacts of the part in the whole */
    int *first;  /* by body: place of its velocities */
    crn_contact_point *point;
    double *impulse, *u, *start_impulse, *start_u;
    crn_contact_state *state, *start;
    int is_in_capacity, index_capacity, first_capacity, point_capacity, impulse_capacity, u_capacity,
        start_impulse_capacity, start_u_capacity, state_capacity, start_capacity;
} crn_step_lazy;

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

/* Friction rows of a contact in decompression: the first of them (-1: none), and the direction of its friction. */
typedef struct crn_impact_friction {
    int row;
    double along[2];
} crn_impact_friction;

/* Scratch of impact.c, per contact point of the problem. */
typedef struct crn_step_impact {
    double fastest;      /* speed of the fastest collision [m/s] */
    int rows;            /* of the impact: those without bound */
    double *restitution; /* of contacts that collide; else 0 */
    double *first;       /* 3 each: impulses of the kick as if nothing bounced */
    double *pushed;      /* of the kick without what collides */
    double *pushed_row;  /* the same of rows */
    double *row;         /* of the whole impact, and after it: of rows without bound */
    double *after_row;
    int *kept;          /* rows without bound: which of the kick's they are */
    double *compressed; /* c */
    double *impulse;    /* of the whole impact */
    double *largest;    /* ebar, per body of the problem */
    int *group;         /* union-find of these */
    bool *touches;
    bool *is_hit; /* closes faster than forces do in a step, with or without restitution */
    crn_impact_friction *friction;
    double *jacobian; /* of friction rows */
    int restitution_capacity, first_capacity, pushed_capacity, pushed_row_capacity, row_capacity, after_row_capacity,
        kept_capacity, compressed_capacity, impulse_capacity, largest_capacity, group_capacity, touches_capacity,
        is_hit_capacity, friction_capacity, jacobian_capacity;
} crn_step_impact;

/* Work by cause [J], and impulse from outside, of some part of a step: ledger.c. */
typedef struct crn_account {
    double gravity, loads, motors, driven, friction, impact, damping, springs, clamp;
    double scale;           /* the largest energy moved to and fro */
    crn_vec3 impulse, turn; /* linear [N s]; angular about the origin [N m s] */
    double push, twist;     /* the same as sums of sizes: what they are to be compared with */
} crn_account;

/* Momentum of all that nothing holds: linear, angular about the origin; and the sums of their sizes. */
typedef struct crn_momentum {
    crn_vec3 linear, angular;
    double linear_scale, angular_scale;
} crn_momentum;

/* The ledger's state: what a step goes on from, and where it has come. */
typedef struct crn_step_books {
    crn_account open;      /* work and impulse of the second half of the last kick */
    crn_account next;      /* of that of the kick at hand */
    double gained;         /* since the beginning: energy beyond that of the start and all work done */
    double excused;        /* gains of this step that are the caller's: what was placed where it cannot stay */
    int parting;           /* the caller has placed something where it cannot stay: so many steps more may raise it */
    double total;          /* energy where the step began, as shown */
    double springs;        /* of it: of springs */
    double kinetic;        /* after the last kick; then after the drift */
    double potential;      /* where the last kick was; then after the drift; then after repairs */
    bool is_closed;        /* total and momentum are those of the last step's end; no change by the caller since */
    crn_momentum momentum; /* where the step began, as shown */
    crn_momentum drifted;  /* after the drift */
} crn_step_books;

/* The problem and its answer, in arrays that only grow. */
/* What the answer changed of the start in an island: record_start.c. */
typedef struct crn_step_change {
    double change, largest; /* largest change of an impulse, largest impulse [N s] */
    int64_t waited;         /* longest that one of its contacts has waited */
} crn_step_change;

typedef struct crn_step_problem {
    crn_contact_problem problem;
    crn_contact_options options;
    crn_contact_body *body;
    int *body_of;       /* the stepper's body, of those before the first mechanism */
    int rigid;          /* bodies of the problem that are rigid bodies of their own; mechanisms follow */
    bool is_positional; /* displacements are unknown, not velocities */
    int *group;         /* solve.c: of bodies that contacts and rows connect */
    crn_contact_point *point;
    crn_contact_row *row;
    double *velocity;                            /* free */
    double *found, *impulse, *u, *row_impulse;   /* solution */
    double *start_impulse, *start_u, *start_row; /* warm start */
    crn_contact_state *state, *start;
    bool is_start_kept;      /* the start was the answer */
    int *island;             /* bodies: union-find, where the answer is not the start */
    crn_step_change *change; /* bodies: of the island with this root */
    double *jacobian;        /* of limits and rows */
    int body_capacity, body_of_capacity, point_capacity, row_capacity, velocity_capacity, found_capacity,
        impulse_capacity, u_capacity, row_impulse_capacity, start_impulse_capacity, start_u_capacity,
        start_row_capacity, state_capacity, start_capacity, island_capacity, change_capacity, jacobian_capacity,
        group_capacity;
    crn_workspace workspace;
} crn_step_problem;

/* What holds between two bodies: detect.c, crn_step_set_rule(). */
typedef struct crn_step_rule {
    int64_t code;  /* the two bodies, the lower first */
    bool is_given; /* by the caller; else by a joint */
    bool collides;
    double friction, restitution; /* < 0: by the shapes */
} crn_step_rule;

/* A pair of shapes that a kick had contacts of. */
typedef struct crn_step_known {
    int64_t code; /* the two shapes, the lower first */
    double depth; /* of their deepest overlap then [m], >= 0 */
} crn_step_known;

/* How contacts are found: detect.c. */
typedef struct crn_step_finder {
    crn_broad broad;
    crn_broad_item *item; /* one per shape slot in use */
    int *item_shape;
    int item_capacity, item_shape_capacity;
    crn_collide_scratch scratch;
    crn_touch *touch; /* of one pair */
    int touch_count, touch_capacity;
    crn_step_wider *wider; /* pairs of shapes whose margin was too small, or that must not be left out */
    int wider_count, wider_capacity;
    crn_step_known *known; /* pairs of shapes that the last kick had contacts of, sorted by code */
    int known_count, known_capacity;
    crn_step_known *known_begin; /* the same where the step began */
    int known_begin_count, known_begin_capacity;
    crn_step_rule *given; /* as the caller gave them */
    int given_count, given_capacity;
    crn_step_rule *rule; /* all, those of joints too, sorted by code */
    int rule_count, rule_capacity;
    bool is_joined_stale; /* joints or given changed: rule and has_loops must be made again */
} crn_step_finder;

/* Groups of bodies whose energy is held from above: clamp.c. */
typedef struct crn_step_clamp {
    struct crn_clamp_group *group;
    int *of; /* whose each body is: union-find */
    int group_capacity, of_capacity;
} crn_step_clamp;

/* The kick at hand. */
typedef struct crn_step_at_hand {
    double time;              /* how long forces act [s] */
    double share;             /* of it before the moment that is shown: 1/2; 0 in a first kick */
    bool is_for_all;          /* not only for what the caller has placed */
    crn_step_purpose purpose; /* of the problem */
} crn_step_at_hand;

/* With a branch, gaps down to this overlap count as they are: of the smaller shape, of limits [rad, m]. Differences move less. */
#define CRN_BRANCH_OVERLAP 1e-3

/* The choices of a step, recorded or replayed: branch.h. */
typedef struct crn_step_branch crn_step_branch;

/* Its derivative as linear maps: chain.h. */
typedef struct crn_step_chain crn_step_chain;

typedef struct crn_stepper {
    crn_allocator allocator;
    crn_world_def def;
    double time;
    int64_t steps;

    crn_step_body *body;
    crn_step_shape *shape;
    crn_step_joint *joint;
    crn_step_load *load;
    crn_step_tendon *tendon;
    int bodies, shapes, joints, loads, tendons; /* slots in use or empty */
    int body_capacity, shape_capacity, joint_capacity, load_capacity, tendon_capacity;
    bool has_loops; /* joints close loops: what they hold may be redundant */

    crn_step_finder find;
    crn_step_seams seams;
    crn_step_lazy lazy;

    crn_step_contacts now, last; /* last: of the step before, with impulses, to start from */
    crn_step_contacts round;     /* of this kick's problem before contacts were added to it; empty: none was solved */
    crn_step_limit *limit;
    crn_step_row *row;
    int limits, rows, limit_capacity, row_capacity;
    double *last_row; /* row impulses of the step before */
    int last_rows, last_row_capacity;
    double *closing; /* repair.c: impulses along the step's rows that closed its joints */
    int closing_capacity;
    crn_step_impact impact;
    crn_step_clamp clamp;
    crn_twist *moment; /* velocities of bodies at the moments of a kick: moment.h */
    int moment_capacity;
    crn_step_books books, books_begin;
    crn_step_at_hand kick;
    crn_step_problem problem;
    crn_step_solver solver; /* the caller's; NULL: door 2 */
    void *solver_user;
    crn_step_branch *branch; /* the step is differentiated: branch.h; else NULL */
    crn_step_fit fit;

    crn_step_forest forest;
    crn_step_link_state *link_state; /* per body, while no trees stand: for the next planting */
    int link_states, link_state_capacity;
    double last_h;       /* of the last kick; 0: none */
    bool is_jammed;      /* the last repair had to leave overlap or a passed limit */
    bool may_be_refused; /* this step, if its problem is not solved: then a shorter one follows */
    double *compress;    /* trees_compress.c: bases of what contacts see of mechanisms */
    double *column;      /* scratch: whitened, of one row */
    int compress_capacity, column_capacity;

    crn_contact_event *event;
    int events, event_capacity;
    int *group; /* repairs, sleeping: union-find of bodies */
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

/* Trees of the joints that are in one, if joints have changed. Mechanisms that did not change go on to the last bit; of others
 * coordinates are those of the poses of bodies, which are then put exactly where the coordinates say, and velocities the
 * nearest ones that the joints allow. */
crn_status crn_step_plant(crn_stepper *stepper, crn_error *error);
void crn_step_fell(crn_stepper *stepper); /* free all trees; their bodies are no links, and trees are stale */

/* What the next planting would keep of a body while trees are stale; all 0: nothing. */
crn_step_link_state crn_step_link_state_of(const crn_stepper *stepper, int body);

/* Velocity of a tree as the caller sees it: the mean of those before and after the kick; Euler's is the one it moved with. */
double crn_step_shown(const crn_stepper *stepper, int velocity);

/* The caller changed the body, or what it stood on: it goes on from what is shown, with half a kick. A link takes its whole
 * mechanism along. */
void crn_step_freshen(crn_stepper *stepper, int body);
/* The same where other forces act from now on, and nothing else was changed: the books go on. */
void crn_step_renew(crn_stepper *stepper, int body);

/* Poses and velocities of links from the coordinates and velocities of their trees. */
void crn_step_place_links(crn_stepper *stepper);

/* How the loops of mechanisms are held now. Only mechanisms with loops count. */
int crn_step_looped(const crn_stepper *stepper);
void crn_step_report_mechanism(crn_stepper *stepper, int which, crn_mechanism_report *report, int *body, int *joint);

/* Force and torque about the joint's origin that a joint of a mechanism exerted on b in the last step of h. */
void crn_step_mechanism_force(crn_stepper *stepper, int joint, double h, crn_vec3 *force, crn_vec3 *torque);

/* Acceleration of a free body in the last step, of h: angular, and of its centre of mass; gravity and all forces included. */
void crn_step_acceleration(crn_stepper *stepper, int body, double h, crn_twist *acceleration);

/* As what a joint is in a tree; joint < 0: none, its body is a root. In a planar world it turns about z and moves in the plane
 * only: by other freedoms, in which nothing but rounding moves it, a chain that is pushed together leaves the plane in a hundred steps. */
crn_joint_kind crn_step_link_kind(const crn_stepper *stepper, int joint);

/* The tree, the link and the first velocity of a joint that is in a tree; false if it is not. */
bool crn_step_joint_link(const crn_stepper *stepper, int joint, const crn_step_tree **tree, int *link);

/* Length and pulls of a tendon where everything is (tendons.c); and its rate, as shown. */
void crn_tendon_place(const crn_stepper *stepper, crn_step_tendon *tendon);
double crn_tendon_shown_speed(const crn_stepper *stepper, const crn_step_tendon *tendon);

/* Does it pass the body or the joint? */
bool crn_tendon_passes(const crn_step_tendon *tendon, int body, int joint);

/* Find contacts at the present poses into stepper->now, for steps of h. */
crn_status crn_step_detect(crn_stepper *stepper, double h, crn_error *error);

/* What holds between two bodies from now on; def NULL: what joints and shapes say. False without memory. */
bool crn_step_set_rule(crn_stepper *stepper, int a, int b, const crn_pair_def *def);

/* The rule that was given for them; NULL if none was. */
const crn_step_rule *crn_step_given_rule(const crn_stepper *stepper, int a, int b);

/* Forget the rules of a body. */
void crn_step_drop_rules(crn_stepper *stepper, int body);

/* A step of the caller's, or a part of one. */
typedef struct crn_step_part {
    unsigned
        refused; /* verdicts with which it is not taken: bits (1u << verdict). Not if unsolved: solvers give up sooner */
    bool is_later; /* not the first part: events are added, what the caller pushes with goes on */
} crn_step_part;

/* One step. On failure nothing has moved; nor if its verdict is refused: stats tell what it would have been. */
crn_status crn_step_advance(crn_stepper *stepper, double h, const crn_step_part *part, crn_step_stats *stats,
                            bool *is_taken, crn_error *error);

/* Motors without bound that loops could not follow in the last step, taken or refused, are given motions no longer: they become
 * rows, which give way. Trees are stale then. */
void crn_step_release_motors(crn_stepper *stepper);

/* Add the figures of a part of a step to those of the parts before it; sum->parts is 0 if there is none. */
void crn_step_stats_add(const crn_step_stats *part, crn_step_stats *sum);

/* Wake the body and all that fell asleep with it. */
void crn_step_wake(crn_stepper *stepper, int body);
void crn_step_wake_all(crn_stepper *stepper);

void crn_step_free(crn_stepper *stepper);

#include "step/branch.h"
#include "step/chain.h"

#endif
