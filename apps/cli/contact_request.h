/* What the user of `cairn contact` asked for. */
#ifndef CAIRN_CLI_CONTACT_REQUEST_H
#define CAIRN_CLI_CONTACT_REQUEST_H

#include <cairn/cairn.h>

typedef struct contact_request {
    const char *file;                                    /* the problem */
    const char *batch;                                   /* list of problems, instead of file */
    const char *output;                                  /* where z goes, or NULL */
    const char *export_json, *export_fclib, *export_lcp; /* where the problem goes, or NULL */
    bool is_local_export;                                /* FCLIB in local form */
    crn_siconos_friction kind;                           /* of .dat files */
    crn_contact_options options;
    bool has_tol;                /* --tol was given: for friction files too, which have another default */
    const char *not_for_cones;   /* an option that was given and that friction files cannot follow, or NULL */
    int repeat;                  /* solves per problem; the median of their times is told */
    bool has_trace;              /* tell every change of a contact's state */
    bool is_json, is_uniqueness; /* uniqueness also in JSON; text always has it */
} contact_request;

/* Read the command line; false after a message. */
bool contact_request_read(contact_request *request, int argc, char **argv);

/* Read the command line and do what it says. */
int contact_run(int argc, char **argv);

/* Names as the options take them; NULL if there is none. */
const char *contact_cone_name(crn_contact_cone cone);
const char *contact_law_name(crn_contact_law law);

#endif
