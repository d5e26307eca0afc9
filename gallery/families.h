/* families.h -- the make functions behind the table of gallery.c. Sizes by index are told where each is defined. */
#ifndef CAIRN_GALLERY_FAMILIES_H
#define CAIRN_GALLERY_FAMILIES_H

#include <cairn/io.h>

#include "gallery_contact.h"

typedef crn_status crn_gallery_make_fn(int index, uint64_t seed, crn_lcp_data *data, crn_error *error);
typedef crn_status crn_gallery_witness_fn(int index, uint64_t seed, double *witness, crn_lcp_data *data,
                                          crn_error *error);

/* Fills a list of contacts (zero but for its allocator). On failure the list holds nothing. */
typedef crn_status crn_gallery_list_fn(int index, uint64_t seed, crn_gallery_contacts *contacts, crn_error *error);

crn_gallery_list_fn crn_gallery_peg;            /* peg.c */
crn_gallery_list_fn crn_gallery_single;         /* single.c */
crn_gallery_list_fn crn_gallery_stacks;         /* stacks.c */
crn_gallery_list_fn crn_gallery_stacks_tall;    /* stacks.c */
crn_gallery_list_fn crn_gallery_mass_ratio;     /* stacks.c */
crn_gallery_list_fn crn_gallery_frames;         /* frames.c */
crn_gallery_list_fn crn_gallery_chain;          /* chain.c */
crn_gallery_list_fn crn_gallery_humanoid;       /* humanoid.c */
crn_gallery_list_fn crn_gallery_duplicates;     /* duplicates.c */
crn_gallery_list_fn crn_gallery_contact_random; /* contact_random.c */

crn_gallery_make_fn crn_gallery_bimatrix; /* bimatrix.c */

/** Fill a list, let it out as an LCP. */
crn_status crn_gallery_make_assembled(crn_gallery_list_fn *fill, int index, uint64_t seed, crn_lcp_data *data,
                                      crn_error *error);

/* These accept witness = NULL. */
crn_gallery_witness_fn crn_gallery_random_p;    /* random_p.c */
crn_gallery_witness_fn crn_gallery_psd_lowrank; /* psd_lowrank.c */
crn_gallery_witness_fn crn_gallery_copositive;  /* copositive.c */
crn_gallery_witness_fn crn_gallery_qp;          /* qp.c */
crn_gallery_witness_fn crn_gallery_murty_exp;   /* exponential.c */
crn_gallery_witness_fn crn_gallery_fathi_exp;   /* exponential.c */
crn_gallery_witness_fn crn_gallery_textbook;    /* textbook.c */
crn_gallery_witness_fn crn_gallery_mixed;       /* mixed.c */
crn_gallery_witness_fn crn_gallery_box_bounds;  /* box_bounds.c */
crn_gallery_witness_fn crn_gallery_tiny;        /* tiny.c */
crn_gallery_witness_fn crn_gallery_no_solution; /* no_solution.c */
crn_gallery_make_fn crn_gallery_bad_scale;      /* bad_scale.c */

#endif
