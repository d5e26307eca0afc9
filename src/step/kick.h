/* The kick: forces, contacts and impacts act where everything is. */
#ifndef CRN_STEP_KICK_H
#define CRN_STEP_KICK_H

#include "step/ledger.h"

/* What a kick is for. */
typedef enum crn_kick_kind {
    CRN_KICK_WHOLE = 0, /* of a step */
    CRN_KICK_FIRST,     /* half a kick for what the caller has placed; all else keeps what it has */
    CRN_KICK_FIRST_ALL  /* half a kick for everything: the step has another length than the last one */
} crn_kick_kind;

/* Contacts and rows have been listed, bodies numbered. Velocities before it are those of bodies and forest.before. Where
 * contacts were missing it looks for them and solves again; rounds: how often. The account is of all that acted until the
 * moment that is shown; books.open has the rest. */
crn_status crn_step_kick(crn_stepper *stepper, double h, crn_kick_kind kind, crn_step_answer *answer,
                         crn_account *account, int *rounds, crn_error *error);

/* fresh.c: velocities that the caller has set become those that loops allow: what they lose by that is his. */
crn_status crn_step_begin_changed(crn_stepper *stepper, crn_error *error);

/* fresh.c: half a kick for what the caller has placed since the last step; for everything if this step has another length. */
crn_status crn_step_kick_first(crn_stepper *stepper, double h, crn_error *error);

#endif
