/* An order of contacts that their data decide, not the caller. */
#ifndef CRN_CONTACT_CANONICAL_H
#define CRN_CONTACT_CANONICAL_H

#include <cairn/contact.h>

/* Contacts in the order given; 0 is the canonical order, and every larger number another one made from that. */
enum { CRN_ORDER_GIVEN = -1 };

/* order = all contacts, sorted by bodies, then by place, normal and the rest of their data; with turn > 0 shuffled after that.
 * Contacts that are alike in everything keep the caller's order, which then makes no difference. scratch: as long as order. */
void crn_canonical_order(const crn_contact_problem *problem, int turn, int *order, int *scratch);

#endif
