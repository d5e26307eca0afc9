/* watch_rings.c -- are two rings through each other?
 *
 * The linking number of two closed curves (Gauss) is the number of times one goes through a surface that the other bounds, with
 * sign. Of circles the surface is a disk: circle a meets the plane of b in two points at most; it is linked with b if just one
 * of them is within b's radius. The number is that of tangent . normal there. */
#include "build_tree.h"
#include "watch.h"

#include <math.h>

static double dot(crn_vec3 a, crn_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

int crn_gallery_linking(const crn_pose *a, double radius_a, const crn_pose *b, double radius_b)
{
    crn_pose seen = crn_build_compose(crn_build_invert(*b), *a); /* a in b's frame; b's plane is z = 0 */
    crn_vec3 x = crn_build_rotate(seen.rotation, (crn_vec3){1.0, 0.0, 0.0});
    crn_vec3 y = crn_build_rotate(seen.rotation, (crn_vec3){0.0, 1.0, 0.0});
    /* a: p = c + R (x cos s + y sin s); its height is 0 where cos(s - phase) = -c_z / (R steep) */
    double steep = hypot(x.z, y.z), phase = atan2(y.z, x.z);
    double cosine = steep > 0.0 ? -seen.position.z / (radius_a * steep) : 2.0;
    if (!(fabs(cosine) < 1.0)) {
        return 0;
    }
    int number = 0;
    for (int side = -1; side <= 1; side += 2) {
        double s = phase + side * acos(cosine), c = radius_a * cos(s), d = radius_a * sin(s);
        crn_vec3 p = {seen.position.x + c * x.x + d * y.x, seen.position.y + c * x.y + d * y.y, 0.0};
        if (dot(p, p) < radius_b * radius_b) {
            number += c * y.z - d * x.z > 0.0 ? 1 : -1; /* the tangent is (-x sin s + y cos s) */
        }
    }
    return number;
}

void crn_gallery_rings_look(crn_gallery_watch *w, bool is_first)
{
    bool has_changed = false;
    w->linked = 0;
    for (int i = 0; i < w->rings; ++i) {
        for (int j = 0; j < i; ++j) {
            crn_pose a, b;
            (void)crn_body_pose(w->world, crn_world_body(w->world, w->ring[i] + 1), &a);
            (void)crn_body_pose(w->world, crn_world_body(w->world, w->ring[j] + 1), &b);
            signed char number = (signed char)crn_gallery_linking(&a, w->ring_radius[i], &b, w->ring_radius[j]);
            signed char *known = &w->link[i * w->rings + j];
            has_changed = has_changed || (!is_first && *known != number);
            *known = is_first ? number : *known;
            w->linked += number != 0;
        }
    }
    w->linked_start = is_first ? w->linked : w->linked_start;
    w->links_changed += has_changed;
}
