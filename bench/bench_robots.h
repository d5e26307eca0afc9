/* bench_robots.h -- robots of others, dropped on a floor: load a file, step it, take its figures. */
#ifndef BENCH_ROBOTS_H
#define BENCH_ROBOTS_H

#include <cairn/model.h>
#include <cairn/world.h>

#include <stdio.h>

/* --- Files: bench_robots_load.c --- */

enum { ROBOT_NAME = 96, ROBOT_PATH = 1024 };

/** A file of the collection. */
typedef struct robot_file {
    char name[ROBOT_NAME]; /* folder and file: "nao/nao.urdf" */
    char path[ROBOT_PATH];
} robot_file;

/** All URDF and MJCF files below folder, and the mesh that is dropped too, by name. Count; -1: no memory. To be freed. */
int robot_list(const char *folder, robot_file **files);

/** A spring of a joint. */
typedef struct robot_spring {
    crn_joint_id joint;
    int coordinate;
    double stiffness, target;
} robot_spring;

/** A shape of a body, once more. */
typedef struct robot_shape {
    crn_shape *shape;
    crn_frame local; /* in the body's frame */
} robot_shape;

/** A robot above its floor, ready to be stepped. */
typedef struct robot_scene {
    crn_world *world;
    robot_shape *shape; /* of all bodies, one body after another; to count contacts */
    int shapes, *first_shape;
    crn_body_id *moving; /* bodies that are free */
    robot_spring *spring;
    int springs;
    int bodies, freedom; /* of them; their degrees of freedom */
    int warnings;        /* of the reader */
    char warning[160];   /* the first of them */
    double mass;         /* of what moves [kg] */
    double weight;       /* [N] */
    double height;       /* of the centre of mass above the lowest point of all [m] */
    bool is_held;        /* has a base that does not move: swings and does not fall */
    bool has_floor;      /* a plane of the file's own, which then is the floor */
} robot_scene;

/** How a robot begins. */
typedef struct robot_start {
    double drop;         /* height of fall [m] */
    uint64_t turn;       /* seed of a random orientation; 0: as the file says, and so where the file has a floor */
    bool self_collision; /* URDF: links touch one another */
} robot_start;

/** Read a file and put a floor under its lowest point, unless the file has one. */
crn_status robot_load(const robot_file *file, const robot_start *start, robot_scene *scene, crn_error *error);
void robot_free(robot_scene *scene);

/* --- Contacts: bench_robots_contacts.c --- */

/** Sums over some looks. */
typedef struct robot_contacts {
    double pairs, candidates,
        merged;              /* pairs of shapes that have contacts; what they have within 1 cm; of that, 1 mm apart */
    double contacts, active; /* given to the solver; with an impulse */
    int looks;
} robot_contacts;

crn_status robot_make_shapes(const crn_model *model, robot_scene *scene, crn_error *error);
void robot_free_shapes(robot_scene *scene);
void robot_count_contacts(const robot_scene *scene, robot_contacts *sum);

/* --- Motion: bench_robots_drop.c --- */

typedef struct robot_options {
    double dt, seconds;
    bool are_contacts_counted; /* over the last second */
    const char *dump; /* problems without a solution by Coulomb's law go to files that begin so; NULL: nowhere */
    bool is_traced;   /* print steps that are not solved, and a line every 100 */
} robot_options;

/** What a motion was like. */
typedef struct robot_figures {
    int steps;
    int unsolved, relaxed,
        convex; /* steps without a solution; with rows relaxed; by the convex law instead of Coulomb's */
    bool is_finite;
    double certificate; /* the worst */
    double penetration; /* the deepest [m] */
    double gain;        /* energy above that at the start, the largest, of weight times height */
    double rise;        /* the same above the least energy of two steps before */
    double clamped;     /* energy taken out of drifts, of weight times height */
    double force;       /* mean of the vertical contact force over the last second, of the weight */
    double speed;       /* sqrt(2 K / m) over the last second, the largest [m/s] */
    double seconds;     /* processor time */
    double slowest;     /* step [s] */
    double contacts, pivots, iterations, repairs; /* means */
    int contacts_most;
    robot_contacts counted;
    crn_contact_method method; /* of the last step with contacts */
} robot_figures;

crn_status robot_drop(const robot_file *file, robot_scene *scene, const robot_options *options, robot_figures *figures,
                      crn_error *error);

/* --- Beside MuJoCo: bench_robots_peers.c --- */

/** Was the program built with MuJoCo? */
bool robot_has_peers(void);

/** Print microseconds per step of an MJCF file in both; as a line of csv too, unless that is NULL. */
void robot_print_comparison_heading(FILE *csv);
void robot_compare(const robot_file *file, FILE *csv);

#endif
