/* What the files of a linearisation share. */
#ifndef CRN_CONTACT_LINEARIZE_H
#define CRN_CONTACT_LINEARIZE_H

#include "contact/check.h"
#include "contact/linear.h"

/* Where a contact or row of the problem is. */
typedef struct crn_item_place {
    int island, item; /* -1: in none, its bodies cannot be moved; item: contact there, or contacts + row */
} crn_item_place;

struct crn_contact_linear {
    crn_compiled compiled;
    crn_measure measure;
    crn_linear_island *island; /* one per island */
    crn_contact_branch *branch;
    int contacts;          /* of the problem, which may be another by the time that this is a neighbour's */
    crn_item_place *place; /* contacts, then rows */
    int *item;             /* the same number: scratch */
    crn_linearize_report report;
    double *impulse, *row_impulse, *velocity, *u; /* the solution made exact, caller's order */
    double *first, *second;                       /* dof, of one body or island each: scratch */
};

/* As crn_contact_linearize(); is_dense: large islands have dense factors, too. */
crn_status crn_linearize(const crn_contact_problem *problem, const crn_linearize_options *options, bool is_dense,
                         const double *impulse, const double *row_impulse, crn_workspace *workspace,
                         crn_contact_linear **linear, crn_linearize_report *report, crn_error *error);

/* The change of an island with a change of the data: dy in x, rho, and in dr and right the changes of impulses and contact velocities. word: NULL, not judged. */
void crn_linearize_island(crn_contact_linear *linear, int island, const crn_contact_change_in *in,
                          crn_gradient_word *word);

/* What crn_linearize_island() found, in the caller's order. */
void crn_linearize_tell(crn_contact_linear *linear, int island, const crn_contact_change_in *in,
                        const crn_contact_change_out *out);

crn_status crn_linearize_check_products(const crn_contact_linear *linear, const void *in, const void *out,
                                        crn_error *error);

/* Bodies that touch nothing. */
void crn_linearize_loose(crn_contact_linear *linear, const crn_contact_change_in *in,
                         const crn_contact_change_out *out);

/* Memory and compiled islands, is_dense: large ones, too, with dense factors; the scales of an island whose impulses are known; branches and solution of an island as it is, kept; the report, but for the residual, once all are. */
crn_status crn_linearize_open(const crn_contact_problem *problem, bool is_dense, crn_workspace *workspace,
                              crn_contact_linear **linear, crn_error *error);
void crn_linearize_scales(const crn_linearize_options *options, crn_linear_island *island);
void crn_linearize_keep(crn_contact_linear *linear, int island);
void crn_linearize_sum_up(crn_contact_linear *linear);

#endif
