/* Farkas: impulses r in K and l with X r + B l = 0 and offset'r + row_offset'l < 0 show that no v has all u_i in K* and the
 * rows at 0, for 0 <= sum u_i'r_i = v'(X r + B l) + offset'r + row_offset'l would be negative. With g = X r + B l not exactly
 * 0 the same line says: a solution would need |v| >= -(offset'r + ...)/|g|, in units of energy. The proof is accepted when
 * that is beyond reason.
 *
 * Coulomb's law only asks u_n >= 0: there, r must be normal impulses alone. Rows with bounds ask nothing of the motion: their
 * part is 0.
 *
 * Where rays come from: without a solution the proximal method moves v to the least violation and r, for ever, by rho
 * times that violation. The last change of r tends to a ray. */
#include "contact/body_ray.h"

#include <math.h>
#include <string.h>

#include "contact/body_check.h"
#include "math/vec.h"

/* Speeds this many times those of the free motion are beyond reason. */
static const double BEYOND = 1e6;

/* A whitened speed to compare with: of the free motion, and of bodies that move their contacts at U. */
static double usual_speed(const crn_bodies *b)
{
    const crn_body_system *s = &b->system;
    double square = crn_dot(s->dof, s->k, s->k);
    for (int i = 0; i < s->bodies; ++i) {
        double speed = s->reach[i] > 0.0 ? b->scale / s->reach[i] : 0.0;
        square += speed * speed;
    }
    return sqrt(square);
}

bool crn_body_ray(crn_bodies *b, crn_contact_law law)
{
    const crn_body_system *s = &b->system;
    for (int c = 0; law == CRN_LAW_COULOMB && c < s->contacts; ++c) {
        b->ray[3 * c + 1] = b->ray[3 * c + 2] = 0.0;
    }
    for (int c = 0; c < s->rows; ++c) {
        double *l = &b->ray[3 * s->contacts + c];
        *l = s->bound[c] < INFINITY ? 0.0 : *l;
    }
    crn_body_project(b, b->ray);
    double largest = crn_max_abs(s->length, b->ray);
    if (!(largest > 0.0 && largest < INFINITY)) {
        memset(b->ray, 0, (size_t)s->length * sizeof *b->ray);
        return false;
    }
    crn_scal(s->length, 1.0 / largest, b->ray);
    crn_body_push(s, NULL, b->ray, b->step);
    double g = sqrt(crn_dot(s->dof, b->step, b->step)), value = crn_dot(s->length, s->offset, b->ray);
    if (value < 0.0 && -value > BEYOND * g * usual_speed(b)) {
        return true;
    }
    memset(b->ray, 0, (size_t)s->length * sizeof *b->ray);
    return false;
}
