/* gallery_situations.h -- one body touching the fixed world: the ten situations behind `single` and `duplicates`. */
#ifndef CAIRN_GALLERY_SITUATIONS_H
#define CAIRN_GALLERY_SITUATIONS_H

#include "gallery_bodies.h"

enum {
    CRN_GALLERY_SITUATION_COUNT = 10,
    CRN_GALLERY_SITUATION_MAX = 16 /* most contacts of a situation */
};

typedef struct crn_gallery_spot {
    crn_gallery_vec point, normal; /* world; the unit normal points into the body */
} crn_gallery_spot;

/** Situation 0..9 in the order of situations.c; writes its spots and its body, returns how many contacts there are. */
int crn_gallery_situation(int which, crn_gallery_spot spots[CRN_GALLERY_SITUATION_MAX], crn_gallery_body *body);

/** The contacts of one body with the world, under gravity and a random wrench and with a small velocity. */
void crn_gallery_load_spots(crn_gallery_contacts *contacts, const crn_gallery_body *body, const crn_gallery_spot *spots,
                            int count, double friction, crn_random *random);

#endif
