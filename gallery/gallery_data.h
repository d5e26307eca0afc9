/* gallery_data.h -- what every family needs: arrays for a dense problem, its own random stream, planted solutions. */
#ifndef CAIRN_GALLERY_DATA_H
#define CAIRN_GALLERY_DATA_H

#include <cairn/base.h>
#include <cairn/io.h>

/** Places in crn_lcp_data.storage. */
enum {
    CRN_GALLERY_SLOT_M = 0, /* dense M, or start of a sparse one */
    CRN_GALLERY_SLOT_ROW = 1,
    CRN_GALLERY_SLOT_VALUE = 2,
    CRN_GALLERY_SLOT_Q = 3,
    CRN_GALLERY_SLOT_LOWER = 4,
    CRN_GALLERY_SLOT_UPPER = 5
};

/** The random stream of one problem: different for each family, index and seed. */
crn_random crn_gallery_random(const char *family, int index, uint64_t seed);

/** 10 to a power that is uniform in [low, high). */
double crn_gallery_random_power(crn_random *random, double low, double high);

/** Settle the allocator of data (the default one if none is set). */
crn_allocator crn_gallery_allocator(crn_lcp_data *data);

/** Take `bytes` (at least one) into a slot of data. NULL: no memory; data keeps what it had. */
void *crn_gallery_take(crn_lcp_data *data, int slot, size_t bytes);

/** Give data a dense problem of order n with M = 0 and q = 0; with bounds 0 and +inf if is_bounded.
 *  On failure data holds nothing. */
crn_status crn_gallery_dense(crn_lcp_data *data, int n, bool is_bounded, crn_error *error);

/* The writable arrays of a dense problem; column j of M starts at M + j*ld. */
double *crn_gallery_M(const crn_lcp_data *data);
double *crn_gallery_q(const crn_lcp_data *data);
double *crn_gallery_lower(const crn_lcp_data *data);
double *crn_gallery_upper(const crn_lcp_data *data);

/** Set one entry of M. */
void crn_gallery_set(crn_lcp_data *data, int i, int j, double value);

/** Block(first.., first.., size) of M += scale * (b1 b1' + ... + b_rank b_rank') with normal random b.
 *  Uses q as scratch and leaves it 0, so it comes before q is set. */
void crn_gallery_add_gram(crn_lcp_data *data, int first, int size, int rank, double scale, crn_random *random);

/** Block(first.., first.., size) of M += S with S = -S' random, entries in (-scale, scale). */
void crn_gallery_add_skew(crn_lcp_data *data, int first, int size, double scale, crn_random *random);

/** Set q = w - M z for a random complementary pair z, w >= 0, so that z is a solution. M must be complete, q zero.
 *  @param degenerate share of the indices with z_i = w_i = 0
 *  @param witness    where z goes; may be NULL */
void crn_gallery_plant(crn_lcp_data *data, double degenerate, double *witness, crn_random *random);

/** q -= M(:,j) z: what a planted z_j contributes. */
void crn_gallery_plant_one(crn_lcp_data *data, int j, double z, double w, double *witness);

/* M = Gram matrix of full rank / n + skew + 0.1 I: positive definite, not symmetric. */
void crn_gallery_fill_definite(crn_lcp_data *data, crn_random *random);

#endif
