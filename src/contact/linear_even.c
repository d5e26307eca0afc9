/* Even impulses in known states: of all that make the same motion those of least norm [docs/theory/even.md].
 *
 * Which loads redundant rows may shift among them changes with the place, so even impulses change by more than the least change that keeps
 * the equations. An impact feels that: what it gives back is a share of what each contact has taken. With f_i of unit length and joints B
 * projected out of the columns, C = (1 - P_B) X f, impulses of the same motion differ by the null space of C, and
 *
 *     sigma := Q Q' sigma,        Q an orthonormal basis of the range of C' */
#include <math.h>
#include <string.h>

#include "contact/linear.h"
#include "math/vec.h"

/* Of its own length: what is left of a column beside others. Less is rounding of geometry, as for ranks. */
#define TOL_EVEN 1e-9

/* Column i of the forces, in the island's F; of a contact, those of a unit of impulse. */
static void fill_unit(crn_linear_island *k, int i)
{
    const crn_system *s = k->system;
    const crn_linear_row *row = &k->row[i];
    double *F = k->F + (size_t)i * (size_t)s->dof, one = 1.0;
    const double *f = row->item < s->contacts ? k->mode[row->item].f[row->part] : &one;
    memset(F, 0, (size_t)s->dof * sizeof *F);
    crn_linear_push(s, row->item, f, F);
    if (row->item < s->contacts) {
        crn_scal(s->dof, 1.0 / sqrt(crn_linear_dot(f, f)), F);
    }
}

/* What is left of column i beside the first `known` directions; is it one more? */
static bool add_direction(crn_linear_island *k, int i, int known)
{
    int dof = k->system->dof;
    const double *F = k->F + (size_t)i * (size_t)dof;
    double *q = k->basis + (size_t)known * (size_t)dof, whole = crn_dot(dof, F, F);
    memcpy(q, F, (size_t)dof * sizeof *q);
    for (int pass = 0; pass < 2; ++pass) { /* twice is enough */
        for (int j = 0; j < known; ++j) {
            const double *other = k->basis + (size_t)j * (size_t)dof;
            crn_axpy(dof, -crn_dot(dof, other, q), other, q);
        }
    }
    double square = crn_dot(dof, q, q);
    if (!(square > TOL_EVEN * TOL_EVEN * whole)) {
        return false;
    }
    crn_scal(dof, 1.0 / sqrt(square), q);
    return true;
}

/* Take from sigma (contacts' rows) its part along direction j of the motion; Q has those taken before. */
static void take_direction(const crn_linear_island *k, int joints, int j, int taken, double *sigma)
{
    int dof = k->system->dof, count = k->hard - joints;
    double *q = k->Q + (size_t)taken * (size_t)k->hard;
    for (int i = 0; i < count; ++i) {
        q[i] = crn_dot(dof, k->basis + (size_t)j * (size_t)dof, k->F + (size_t)(joints + i) * (size_t)dof);
    }
    for (int pass = 0; pass < 2; ++pass) {
        for (int i = 0; i < taken; ++i) {
            const double *other = k->Q + (size_t)i * (size_t)k->hard;
            crn_axpy(count, -crn_dot(count, other, q), other, q);
        }
    }
    crn_scal(count, 1.0 / sqrt(crn_dot(count, q, q)), q);
    crn_axpy(count, -crn_dot(count, q, sigma), q, sigma);
}

void crn_linear_even(crn_linear_island *k)
{
    int joints = 0, held = 0, all = 0;
    double *sigma = k->b;
    for (int i = 0; i < k->hard; ++i) { /* rows of joints come first */
        bool is_joint = k->row[i].item >= k->system->contacts;
        fill_unit(k, i);
        all += add_direction(k, i, all);
        joints += is_joint;
        held = is_joint ? all : held;
    }
    if (all - held == k->hard - joints) {
        return; /* nothing can be shifted */
    }
    for (int i = joints; i < k->hard; ++i) {
        const double *f = k->mode[k->row[i].item].f[k->row[i].part];
        sigma[i - joints] = crn_linear_dot(f, k->r + 3 * (size_t)k->row[i].item) / sqrt(crn_linear_dot(f, f));
    }
    for (int j = held; j < all; ++j) {
        take_direction(k, joints, j, j - held, sigma);
    }
    for (int i = joints; i < k->hard; ++i) { /* what is left of sigma moves nothing */
        const double *f = k->mode[k->row[i].item].f[k->row[i].part];
        crn_axpy(3, -sigma[i - joints] / sqrt(crn_linear_dot(f, f)), f, k->r + 3 * (size_t)k->row[i].item);
    }
}
