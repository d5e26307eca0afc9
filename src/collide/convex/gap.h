/* The signed gap of two convex solids and the direction in which it is measured. */
#ifndef CRN_COLLIDE_GAP_H
#define CRN_COLLIDE_GAP_H

#include "collide/convex/solid.h"

/* A point w = a - b of the difference of two cores; vertices as crn_solid_support() tells them. */
typedef struct crn_difference {
    crn_vec3 w, a, b;
    int vertex_a, vertex_b;
} crn_difference;

/* The point of core a - core b least far along n: its height n'w is s(n) of the cores. Looks for vertices from those in
 * *point on, which must be set. */
void crn_difference_along(const crn_solid *a, const crn_solid *b, crn_vec3 n, crn_difference *point);

/* Up to four such points and the weights with which they make the point nearest to the origin. */
typedef struct crn_simplex {
    crn_difference point[4];
    double weight[4];
    int count;
} crn_simplex;

typedef struct crn_gap {
    crn_vec3 normal;        /* unit, out of b into a */
    double gap;             /* s(normal), radii taken off */
    crn_vec3 on_a, on_b;    /* points of the cores that face each other, near enough for the place of a contact */
    int vertex_a, vertex_b; /* of polyhedra: the farthest ones along it */
} crn_gap;

/* Both solids have points inside, but for points and segments of which one may be given.
 * False: the gap is larger than reach. */
bool crn_gap_find(const crn_solid *a, const crn_solid *b, double reach, crn_gap *gap);

/* --- Its parts --- */

/* Lengths below this part of the size of the cores are rounding of coordinates, or soon will be: no direction is taken from
 * them. */
#define CRN_GAP_TOUCH 1e-10

static inline double crn_gap_size(const crn_solid *a, const crn_solid *b)
{
    return a->extent + b->extent;
}

/* Do both consist of vertices? Then a search ends after finitely many steps. */
static inline bool crn_gap_is_polyhedral(const crn_solid *a, const crn_solid *b)
{
    return a->kind != CRN_CORE_DRUM && a->kind != CRN_CORE_SMOOTH && b->kind != CRN_CORE_DRUM &&
           b->kind != CRN_CORE_SMOOTH;
}

typedef enum crn_gjk_answer { CRN_GJK_FAR, CRN_GJK_APART, CRN_GJK_MEET } crn_gjk_answer;

/* Are the cores farther apart than reach, apart, or closer than rounding? In the last two cases the simplex is what the
 * search ended with; gap is set if apart. */
crn_gjk_answer crn_gjk(const crn_solid *a, const crn_solid *b, double reach, crn_simplex *simplex, crn_gap *gap);

/* After a polish of cores that are apart: go on from the simplex until its distance and what the normal separates agree, and set
 * the points. True if another direction is better: it is then the normal, to be polished again. */
bool crn_gjk_confirm(const crn_solid *a, const crn_solid *b, crn_simplex *simplex, crn_gap *gap);

/* The same for cores that meet: the shallowest way out. */
void crn_epa(const crn_solid *a, const crn_solid *b, const crn_simplex *start, crn_gap *gap);

/* Improve gap->normal, which is near a maximum of s, and set gap->gap. */
void crn_gap_polish(const crn_solid *a, const crn_solid *b, crn_gap *gap);

#endif
