/* duplicates.c -- contacts that come twice: a second point next to each, from 1e-3 m down to 1e-9 m, or the same.
 *
 * Distance by index % 8: exact duplicates, 1e-3, 1e-4, ..., 1e-9 m, in a random direction of the contact plane. By
 * index / 8 % 3 the body is a block on a surface (8 contacts in all), a cylinder in a V groove (16) or a block in a
 * corner (24). Mesh against mesh gives such points: the same corner found from two triangles  [YN08]. dof 6. */
#include "families.h"
#include "gallery_data.h"
#include "gallery_situations.h"

static const double two_pi = 6.283185307179586;

/* A point at `distance` from the spot, in its contact plane. */
static crn_gallery_spot neighbour(crn_gallery_spot spot, double distance, crn_random *random)
{
    crn_gallery_vec t1, t2;
    double angle = crn_random_uniform(random, 0.0, two_pi);
    crn_gallery_tangents(spot.normal, &t1, &t2);
    spot.point = crn_gallery_vec_add(spot.point, distance * cos(angle), t1);
    spot.point = crn_gallery_vec_add(spot.point, distance * sin(angle), t2);
    return spot;
}

crn_status crn_gallery_duplicates(int index, uint64_t seed, crn_gallery_contacts *contacts, crn_error *error)
{
    static const int situations[3] = {3, 5, 8};
    int fineness = index % 8;
    double distance = fineness == 0 ? 0.0 : pow(10.0, -2.0 - fineness);
    crn_gallery_spot spots[2 * CRN_GALLERY_SITUATION_MAX];
    crn_gallery_body body;
    int count = crn_gallery_situation(situations[index / 8 % 3], spots, &body);
    crn_random random = crn_gallery_random("duplicates", index, seed);
    for (int i = 0; i < count; ++i) {
        spots[count + i] = neighbour(spots[i], distance, &random);
    }
    crn_status status = crn_gallery_contacts_open(contacts, 1, 6, 2 * count, CRN_GALLERY_DIRECTIONS, error);
    if (status != CRN_OK) {
        return status;
    }
    crn_gallery_load_spots(contacts, &body, spots, 2 * count, crn_random_uniform(&random, 0.2, 0.6), &random);
    return CRN_OK;
}
