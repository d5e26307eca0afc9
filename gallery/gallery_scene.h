/* gallery_scene.h -- scenes of any size, for growth curves and pictures, in three forms.
 *
 * A scene function fills a list of contacts; an outlet makes a problem of it:
 *
 *     crn_gallery_contacts list = {0};
 *     status = crn_gallery_tower(40, seed, &list, &error);
 *     if (status == CRN_OK) status = crn_gallery_contacts_whitened(&list, &problem, &error);
 */
#ifndef CAIRN_GALLERY_SCENE_H
#define CAIRN_GALLERY_SCENE_H

#include "gallery_contact.h"

/* --- Scenes. On failure the list holds nothing. --- */

/** One column of 1 to CRN_GALLERY_BLOCKS_MAX equal blocks, four contacts each, at rest, a random wrench on the top one. */
crn_status crn_gallery_tower(int blocks, uint64_t seed, crn_gallery_contacts *contacts, crn_error *error);

/** Peg in a hole with any even number of contacts >= 2, round or square. */
crn_status crn_gallery_peg_of(int count, bool is_square, uint64_t seed, crn_gallery_contacts *contacts,
                              crn_error *error);

/** A frictionless frame under a vertical load. */
typedef struct crn_gallery_frame {
    int legs;        /* >= 1 */
    bool is_regular; /* the feet form a regular polygon of radius 0.5 m, or an irregular one near it */
    double load_x;   /* where the load's line of action meets the ground [m] */
    double load_y;
    double impulse; /* of the load, downward [N s] */
} crn_gallery_frame;
crn_status crn_gallery_frame_of(const crn_gallery_frame *frame, uint64_t seed, crn_gallery_contacts *contacts,
                                crn_error *error);

/** Problem `index` of contact-random, its repeated contacts misaligned by e (see contact_random.c; the family: e = 0). */
crn_status crn_gallery_contact_random_of(int index, uint64_t seed, double e, crn_gallery_contacts *contacts,
                                         crn_error *error);

#endif
