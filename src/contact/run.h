/* What a solver of one island tells its driver. */
#ifndef CRN_CONTACT_RUN_H
#define CRN_CONTACT_RUN_H

#include <cairn/contact.h>

typedef struct crn_run {
    crn_lcp_outcome outcome; /* as the solver sees it; the driver judges by the certificate */
    crn_contact_law law;
    int pivots, iterations, refactorizations, restarts;
    bool is_warm;
    bool has_solution; /* not solved; but some motion parts all contacts, which proves that there is a solution */
} crn_run;

#endif
