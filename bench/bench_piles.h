/* bench_piles.h -- small simulators that meet the solver with the problems of a time stepper: disks and spheres among
 * walls, stacks of boxes. Contacts are closed-form, positions are corrected by gap / h  [HA03]. */
#ifndef BENCH_PILES_H
#define BENCH_PILES_H

#include <cairn/contact.h>

/* --- One step's problem, filled by a scene --- */

typedef struct pile_step {
    int bodies, dof; /* dof of all bodies */
    crn_contact_body *body;
    double *velocity; /* dof: the free velocity once a scene has filled the step */
    double *motion;   /* dof: the answer */
    int contacts, room;
    crn_contact_point *point;
    double *jacobian; /* planar scenes: 18 numbers per contact */
    uint64_t *key;    /* tells the contact in the next step */
    double *gap;
    double *impulse, *contact_velocity; /* 3 per contact */
    crn_contact_state *state;
} pile_step;

/* Shapes and poses of bench_piles_solids.c. */
typedef struct pile_solids pile_solids;

/* One scene. */
typedef struct pile_scene pile_scene;
struct pile_scene {
    const char *name;
    double h, time;
    crn_contact_law law;
    bool is_cold; /* no warm starts */
    pile_step step;
    void (*fill)(pile_scene *scene); /* contacts, free velocity */
    void (*move)(pile_scene *scene); /* positions by the solved velocity */
    /* Balls: disks in the plane (dim 2) or spheres */
    int dim;
    double *position, *radius,
        *factor;            /* dim per body; 1; the mass factor of a disk, 9 per body, density of a solid, 1 */
    double low[3], high[3]; /* walls; high[dim - 1] is open */
    double gravity, amplitude, frequency, mu, margin;
    int *order; /* balls by position along the first axis */
    /* Boxes */
    double *frame, *spot; /* 12 per body: axes as columns, centre; 6 per contact: points on the upper and lower box */
    /* Boxes, spheres, capsules */
    pile_solids *solids;
};

/* The scenes; false if there is no memory. */
bool pile_make_nut(pile_scene *scene, double h, uint64_t seed);
bool pile_make_wall(pile_scene *scene, int disks, uint64_t seed);
bool pile_make_pour(pile_scene *scene, int spheres, double ratio, uint64_t seed); /* densities 1000 and 1000 ratio */
bool pile_make_solids(pile_scene *scene, int bodies, int kinds,
                      uint64_t seed); /* boxes; 3 kinds: spheres, capsules too */
bool pile_make_stack(pile_scene *scene, int boxes, double lean, uint64_t seed);
void pile_free(pile_scene *scene);
void pile_free_solids(pile_scene *scene);

/* Two tangents of a unit normal. */
void pile_tangents(const double *normal, double *t1, double *t2);

/* Add a contact without geometry; room has been made by the scene. */
crn_contact_point *pile_add(pile_step *step, int a, int b, uint64_t key, double gap);

/* Memory for so many bodies and contacts. */
bool pile_step_make(pile_step *step, int bodies, int dof, int contacts);

#endif
