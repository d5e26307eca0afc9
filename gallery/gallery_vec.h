/* gallery_vec.h -- vectors in space, by value. */
#ifndef CAIRN_GALLERY_VEC_H
#define CAIRN_GALLERY_VEC_H

#include <math.h>

typedef struct crn_gallery_vec {
    double x, y, z;
} crn_gallery_vec;

static inline crn_gallery_vec crn_gallery_vec_of(double x, double y, double z)
{
    crn_gallery_vec v = {x, y, z};
    return v;
}

static inline crn_gallery_vec crn_gallery_vec_scale(crn_gallery_vec a, double s)
{
    return crn_gallery_vec_of(s * a.x, s * a.y, s * a.z);
}

/* a + s b */
static inline crn_gallery_vec crn_gallery_vec_add(crn_gallery_vec a, double s, crn_gallery_vec b)
{
    return crn_gallery_vec_of(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

static inline double crn_gallery_vec_dot(crn_gallery_vec a, crn_gallery_vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline crn_gallery_vec crn_gallery_vec_cross(crn_gallery_vec a, crn_gallery_vec b)
{
    return crn_gallery_vec_of(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline crn_gallery_vec crn_gallery_vec_unit(crn_gallery_vec a)
{
    return crn_gallery_vec_scale(a, 1.0 / sqrt(crn_gallery_vec_dot(a, a)));
}

#endif
