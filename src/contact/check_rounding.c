/* What the velocities of a row are known to: rounding of the impulses' parts in it.
 *
 * Impulses are numbers with 53 bits, so the velocity that they give a row is known to 2^-53 of the sum of the parts that it is
 * made of, and no impulses have a smaller violation than that but by chance. With whitened columns x,
 *
 *     u_i = x_i'(k + sum_j x_j r_j) + offset_i,     terms_i = |x_i| sum_j |x_j| |r_j| on the bodies that i moves
 *
 * Eight tons on a decigram have terms of 1e8 U. */
#include <math.h>
#include <string.h>

#include "contact/check_parts.h"
#include "contact/natural_map.h"
#include "contact/problem.h"
#include "contact/system.h"
#include "math/vec.h"

/* Length of the longest column of a contact on one side, whitened. */
static double contact_length(const crn_measure *m, const crn_contact_point *contact, int side, double *space)
{
    int body = side == 0 ? contact->a : contact->b, columns = crn_used_columns(contact);
    const double *J = crn_contact_columns(m->problem, contact, side, space);
    int dof = m->problem->body[body].dof;
    double longest = 0.0;
    for (int j = 0; j < columns; ++j) {
        crn_mass_whiten(&m->mass[body], J + (size_t)j * (size_t)dof, m->work);
        longest = crn_max(longest, crn_dot(dof, m->work, m->work));
    }
    return sqrt(longest);
}

/* Length of an item, contact or contacts + row, on the body of one side; body -1: there is none. */
static double item_length(const crn_measure *m, int item, int side, int *body)
{
    const crn_contact_problem *problem = m->problem;
    double space[18];
    if (item < problem->contacts) {
        const crn_contact_point *contact = &problem->contact[item];
        *body = side == 0 ? contact->a : contact->b;
        return *body >= 0 ? contact_length(m, contact, side, space) : 0.0;
    }
    const double *J = crn_row_side(&problem->row[item - problem->contacts], side, body);
    if (!J) {
        *body = -1;
        return 0.0;
    }
    crn_mass_whiten(&m->mass[*body], J, m->work);
    return sqrt(crn_dot(problem->body[*body].dof, m->work, m->work));
}

/* Sum of |x_j| |r_j| on each body. */
static void fill_pushed(const crn_measure *m, const double *r, const double *l)
{
    const crn_contact_problem *problem = m->problem;
    memset(m->pushed, 0, (size_t)problem->bodies * sizeof *m->pushed);
    for (int i = 0; i < problem->contacts + problem->rows; ++i) {
        const double *f = r + 3 * (size_t)i;
        double size =
            i < problem->contacts ? sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]) : fabs(l[i - problem->contacts]);
        for (int side = 0; side < 2 && size > 0.0; ++side) {
            int body;
            double length = item_length(m, i, side, &body);
            if (body >= 0) {
                m->pushed[body] += length * size;
            }
        }
    }
}

double crn_measure_item_scale(crn_measure *m, const double *r, const double *l, int item)
{
    double terms = 0.0;
    if (!m->has_pushed) {
        fill_pushed(m, r, l);
        m->has_pushed = true;
    }
    for (int side = 0; side < 2; ++side) {
        int body;
        double length = item_length(m, item, side, &body);
        terms += body >= 0 ? length * m->pushed[body] : 0.0;
    }
    int row = item - m->problem->contacts;
    terms *= row >= 0 ? m->row_factor[row] : 1.0;
    return crn_rounding_scale(m->scale, terms);
}
