/* How far one contact is from its law. */
#ifndef CRN_CONTACT_NATURAL_MAP_H
#define CRN_CONTACT_NATURAL_MAP_H

#include <cairn/contact.h>

/* The regular polygon of the contact judged before; zero to begin with. The angles of the same one are not computed again. */
typedef struct crn_map_polygon {
    int directions;
    double cos_half, sin_half; /* of half the angle between corners, pi / d */
    double cos_step, sin_step; /* of the whole */
} crn_map_polygon;

/* Columns that the contact's law looks at: n; n and t1; or all three. */
static inline int crn_used_columns(const crn_contact_point *contact)
{
    if (contact->mu == 0.0 || contact->directions == 0) {
        return 1;
    }
    return contact->directions == 2 ? 2 : 3;
}

/* |e|^2 of a contact with impulse r and velocity w = u / delta. A NaN in r or w_n may get lost in comparisons: the caller
 * looks for it. */
double crn_natural_square(crn_contact_cone cone, crn_contact_law law, crn_map_polygon *polygon,
                          const crn_contact_point *contact, const double *r, const double *w);

#endif
