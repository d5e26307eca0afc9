/* What a ray has left of itself after a shape was cut out along it; what types of shapes are made of for rays: see ray.c. */
#ifndef CRN_COLLIDE_RAY_H
#define CRN_COLLIDE_RAY_H

#include "collide/shape.h"

/* The part of a ray inside what was cut out so far, and the normal where it enters. */
struct crn_cut {
    crn_vec3 from, along; /* in the shape's frame */
    double enter, leave;  /* enter > leave: nothing is left */
    crn_vec3 normal;      /* not unit; 0: the ray begins inside */
};

static inline crn_vec3 crn_cut_at(const crn_cut *c, double t)
{
    return crn_v3_axpy(c->from, t, c->along);
}

static inline void crn_cut_nothing(crn_cut *c)
{
    c->leave = -1.0;
}

/* n'x <= d */
void crn_cut_half_space(crn_cut *c, crn_vec3 n, double d);

/* |n'x| <= half */
void crn_cut_slab(crn_cut *c, crn_vec3 n, double half);

/* x'Dx <= e about centre; D has at most one negative entry, then z < centre.z counts (one nappe of a cone, e = 0). */
void crn_cut_quadric(crn_cut *c, crn_vec3 D, double e, crn_vec3 centre);

/* Of a union: take what is met first. Begin with *best = a cut of which nothing is left. */
void crn_cut_first(crn_cut *best, const crn_cut *part);

/* A triangle, nearer than what was met before: then enter and leave are where. */
void crn_cut_triangle(crn_cut *best, crn_vec3 a, crn_vec3 b, crn_vec3 c);

/* After the triangles: nothing is left if none was met. before: what they began with. */
void crn_cut_need_triangle(crn_cut *best, const crn_cut *before);

#endif
