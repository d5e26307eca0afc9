/* The penalty of proximal steps on Coulomb's law [R76], relative to the contacts' own inverse masses: 1 is the natural step.
 *
 * A small one makes the problem of a step nearly linear and is sure to work, but moves slowly; a large one is Newton's method on the
 * problem itself. It grows by `growth` after a step that took few of Newton's, by the root of that after a moderate one, and falls after a
 * failure, from where growth begins again at its least. The constants matter little. */
#ifndef CRN_CONTACT_PROXIMAL_H
#define CRN_CONTACT_PROXIMAL_H

#include <math.h>
#include <stdbool.h>

#include "math/vec.h"

/* Newton's steps of one proximal step, and what they need not go below: |F| at this share of its first value. The anchor moves on anyway;
 * 0.1 and 0.03 take more steps, and with 0.5 some piles are lost. */
enum { CRN_PROXIMAL_MOST = 15 };
#define CRN_PROXIMAL_INNER 0.3
/* |F| must fall by this share of what the whole step promises, and a step that leaves more than the second share of it is the last: a smaller
 * penalty is then worth more than another factorisation. */
#define CRN_PROXIMAL_DESCENT 1e-4
#define CRN_PROXIMAL_SLOW    0.9

typedef struct crn_proximal {
    double rho, growth;
} crn_proximal;

static inline crn_proximal crn_proximal_from(double rho)
{
    return (crn_proximal){rho, 10.0};
}

/* Is it large enough to lead anywhere? */
static inline bool crn_proximal_goes_on(const crn_proximal *p)
{
    const double least = 1e-2;
    return p->rho >= least;
}

/* After a proximal step that took so many of Newton's. Above the most, rounding in u, times rho, is what Newton would iterate on. */
static inline void crn_proximal_steer(crn_proximal *p, bool is_good, int steps)
{
    enum { EASY = 4, MODERATE = 8 };
    const double most = 1e7, growth_most = 10.0, growth_least = 1.5, shrink = 0.2;
    if (!is_good) {
        p->rho *= shrink;
        p->growth = growth_least;
        return;
    }
    if (steps <= MODERATE) {
        p->rho = crn_min(p->rho * (steps <= EASY ? p->growth : sqrt(p->growth)), most);
    }
    p->growth = crn_min(p->growth * growth_least, growth_most);
}

#endif
