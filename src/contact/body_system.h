/* The system in the form that the body-level solvers run on.
 *
 * Contacts and bilateral rows of the same bodies form a group. The columns of a group are stacked: one column holds the
 * parts of all its bodies, in the order of elimination, without gaps. A stack of boxes has groups of height 12 with four
 * contacts each, so the block that a pair of bodies adds to the matrix is summed up in one place before it is stored.
 *
 * "Item vectors" have three numbers (n, t1, t2) per contact, then one per row, both in the order of groups. Velocities
 * are in the order of places (math/block_pattern.h). Columns that do nothing (t1 and t2 without friction, t2 of contacts
 * with friction along t1 only) are stored as 0, and so are their offsets: the cone in three dimensions then gives the
 * half-line and the plane cone by itself. */
#ifndef CRN_CONTACT_BODY_SYSTEM_H
#define CRN_CONTACT_BODY_SYSTEM_H

#include "contact/system.h"
#include "math/block_cholesky.h"

typedef struct crn_body_part {
    int place; /* of the body in the order of elimination */
    int first; /* its first velocity there */
    int dof;
    int at; /* first row in the stacked columns */
} crn_body_part;

typedef struct crn_body_group {
    int height;            /* rows of a stacked column */
    int part, parts;       /* first part, number of them; places increasing */
    int contact, contacts; /* items, in the order of groups */
    int row, rows;
    size_t x;    /* first entry of the columns: 3 per contact, then 1 per row */
    size_t pair; /* first of the targets: parts (p, q), p >= q, p-major */
} crn_body_group;

/* Where a block of the matrix is stored. */
typedef struct crn_body_target {
    size_t at; /* in the lower (or upper) values */
    int ld;
} crn_body_target;

typedef struct crn_body_system {
    int dof, bodies, contacts, rows;
    int length; /* of item vectors: 3 contacts + rows */
    int groups;
    crn_body_group *group;
    crn_body_part *part;
    crn_body_target *target;
    int *contact_of, *row_of; /* the system's index of each contact and row */
    int height_most;
    /* Values */
    double *x;              /* stacked columns */
    double *mu;             /* contacts */
    unsigned char *columns; /* contacts: columns that take part, 1, 2 or 3 */
    double *delta;          /* contacts + rows: inverse masses, 1 where the columns are 0 */
    double *reach;          /* bodies: largest contact speed per whitened speed */
    double *bound;          /* rows: largest impulse, infinite for most */
    double *row_factor;     /* rows: brings each to the length of the longest normal, as the certificate does */
    int bounded;            /* rows with a finite one */
    double *offset;         /* length: as given, but 0 in columns that do nothing */
    double *k;              /* dof */
    double *stack;          /* scratch: three vectors, and columns of the highest group */
    crn_block_pattern pattern;
    /* Structure at work */
    int *graph_start, *graph_node, *group_of, *item_group, *item_next, *list, *bucket;
} crn_body_system;

/* Take memory and, if the arena has memory, find groups and the pattern of the factor. */
void crn_body_system_layout(crn_body_system *b, const crn_system *system, crn_arena *arena);

/* Columns, friction, inverse masses: again when these change. */
void crn_body_system_load(crn_body_system *b, const crn_system *system);

/* Free velocity and offsets: again for every solve. */
void crn_body_system_begin(crn_body_system *b, const crn_system *system);

/* Item vectors from the system's order and back. */
void crn_body_items_in(const crn_body_system *b, const double *r, const double *l, double *items);
void crn_body_items_out(const crn_body_system *b, const double *items, double *r, double *l);

/* u = X'v + offset; offset NULL: none */
void crn_body_slip(const crn_body_system *b, const double *v, const double *offset, double *u);

/* v = base + X z; base NULL: 0. base may be v. */
void crn_body_push(const crn_body_system *b, const double *base, const double *z, double *v);

/* matrix = I + sum X A X' with symmetric A: six numbers (nn, n1, n2, 11, 12, 22) per contact, one per row. */
void crn_body_assemble(const crn_body_system *b, const double *A, const double *row, crn_block_matrix *matrix);

/* The same with unsymmetric A, nine numbers per contact, column-major; fills both triangles. */
void crn_body_assemble_unsymmetric(const crn_body_system *b, const double *A, const double *row,
                                   crn_block_matrix *matrix);

/* max over bodies of reach |v|: the largest speed that v gives a contact, roughly. */
double crn_body_speed(const crn_body_system *b, const double *v);

#endif
