/* gallery_stack.h -- square blocks in layers, for `stacks`, `stacks-tall` and `mass-ratio`. */
#ifndef CAIRN_GALLERY_STACK_H
#define CAIRN_GALLERY_STACK_H

#include "gallery_bodies.h"

enum {
    CRN_GALLERY_NOTHING = -2, /* no second supporter */
    CRN_GALLERY_BLOCKS_MAX = 400,
    CRN_GALLERY_OVERLAP_MAX = 8 /* vertices of the overlap of two squares */
};

typedef struct crn_gallery_block {
    double x;       /* of its centre, in widths of a block */
    int layer;      /* 0 lies on the ground */
    bool is_turned; /* by 45 degrees about the vertical: its overlap with an unturned block has eight vertices */
    int under[2];   /* what it lies on: blocks, CRN_GALLERY_GROUND, CRN_GALLERY_NOTHING */
    double mass;    /* [kg] */
} crn_gallery_block;

/** Blocks at rest under gravity with a random wrench on the last one. Each block is shifted a little at
 *  random, so the vertices of an overlap belong to both blocks. Contacts: 4 per pair, 8 if one of them is turned. */
crn_status crn_gallery_make_stack(const crn_gallery_block *blocks, int count, crn_random *random,
                                  crn_gallery_contacts *contacts, crn_error *error);

#endif
