/* Gauss-Seidel on Coulomb's law: contact after contact takes the impulse that obeys the law while all others are held.
 *
 * With the contact's own response W = X_i'X_i, u(r') = u + W (r' - r), the local problem is solved by a few rounds of
 *
 *     r_n := max(0, r_n - u_n/W_nn),   r_t := r_t - u_t/w clipped to the disk mu r_n,   w = trace of W_tt,
 *
 * each using the other's latest u. Slow (soft modes of stacks), but it does not diverge; Newton ends what it begins. */
#include "contact/body_coulomb.h"

#include <math.h>
#include <string.h>

#include "contact/body_cone.h"
#include "math/block_kernel.h"
#include "math/simd.h"
#include "math/vec.h"

enum { LOCAL_ROUNDS = 3 };
static const double LOCAL_STOP = 1e-3; /* change of the impulse in a round, as a share of that in the first */

/* W = X'X of the contact's three columns, column-major */
static void response(int height, const double *x, double *W)
{
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j <= i; ++j) {
            W[i + 3 * j] = W[j + 3 * i] = crn_dot(height, x + (long)i * height, x + (long)j * height);
        }
    }
}

/* One local problem: change r and u by what it asks for. */
CRN_KERNEL void solve_local(double mu, const double *W, double *r, double *u)
{
    double across = W[4] + W[8], first = 0.0;
    for (int round = 0; round < LOCAL_ROUNDS; ++round) {
        double normal = W[0] > 0.0 ? crn_max(0.0, r[0] - u[0] / W[0]) : r[0], d0 = normal - r[0];
        double t[3] = {normal, r[1], r[2]}, p[3];
        if (across > 0.0) {
            t[1] -= (u[1] + W[1] * d0) / across;
            t[2] -= (u[2] + W[2] * d0) / across;
        }
        (void)crn_cone_clip(mu, t, p);
        double d[3] = {d0, p[1] - r[1], p[2] - r[2]}, change = fabs(d[0]) + fabs(d[1]) + fabs(d[2]);
        for (int j = 0; j < 3; ++j) {
            u[j] += W[j] * d[0] + W[j + 3] * d[1] + W[j + 6] * d[2];
            r[j] += d[j];
        }
        first = round == 0 ? change : first;
        if (change <= LOCAL_STOP * first) {
            return;
        }
    }
}

/* The contact's turn: v is the stacked velocity of its bodies. */
CRN_KERNEL void sweep_contact(int height, double mu, const double *W, const double *offset, const double *restrict x,
                              double *r, double *restrict v)
{
    double old[3] = {r[0], r[1], r[2]}, u[3];
    for (int j = 0; j < 3; ++j) {
        const double *restrict column = x + (long)j * height;
        double s0 = 0.0, s1 = 0.0;
        int l = 0;
        for (; l + 2 <= height; l += 2) {
            s0 += column[l] * v[l];
            s1 += column[l + 1] * v[l + 1];
        }
        u[j] = offset[j] + (l < height ? s0 + column[l] * v[l] : s0) + s1;
    }
    solve_local(mu, W, r, u);
    double d0 = r[0] - old[0], d1 = r[1] - old[1], d2 = r[2] - old[2];
    if (d0 != 0.0 || d1 != 0.0 || d2 != 0.0) {
        for (int l = 0; l < height; ++l) {
            v[l] += d0 * x[l] + d1 * x[l + height] + d2 * x[l + 2 * height];
        }
    }
}

CRN_KERNEL void sweep_contacts(const crn_bodies *b, int height, const crn_body_group *group, double *v)
{
    const double *x = b->system.x + group->x;
    for (int c = group->contact; c < group->contact + group->contacts; ++c, x += 3 * (long)height) {
        sweep_contact(height, b->system.mu[c], b->A + 9 * (long)c, b->offset + 3 * (long)c, x, b->r + 3 * (long)c, v);
    }
}

static void sweep_rows(const crn_bodies *b, const crn_body_group *group, double *v)
{
    const crn_body_system *s = &b->system;
    const double *x = s->x + group->x + 3 * (size_t)group->height * (size_t)group->contacts;
    for (int c = group->row; c < group->row + group->rows; ++c, x += group->height) {
        int i = 3 * s->contacts + c;
        double change = -(b->offset[i] + crn_dot(group->height, x, v)) / s->delta[s->contacts + c], p;
        change = crn_row_clip(s->bound[c], b->r[i] + change, &p) ? change : p - b->r[i];
        b->r[i] = p;
        crn_axpy(group->height, change, x, v);
    }
}

CRN_KERNEL void sweep_group(const crn_bodies *b, const crn_body_group *group)
{
    const crn_body_system *s = &b->system;
    double *v = s->stack;
    for (int p = 0; p < group->parts; ++p) {
        const crn_body_part *part = &s->part[group->part + p];
        for (int l = 0; l < part->dof; ++l) {
            v[part->at + l] = b->v[part->first + l];
        }
    }
    switch (group->height) {
    case 12: sweep_contacts(b, 12, group, v); break;
    case 6: sweep_contacts(b, 6, group, v); break;
    default: sweep_contacts(b, group->height, group, v); break;
    }
    if (group->rows > 0) {
        sweep_rows(b, group, v);
    }
    for (int p = 0; p < group->parts; ++p) {
        const crn_body_part *part = &s->part[group->part + p];
        for (int l = 0; l < part->dof; ++l) {
            b->v[part->first + l] = v[part->at + l];
        }
    }
}

CRN_CLONES static void sweep_all(const crn_bodies *b)
{
    for (int g = 0; g < b->system.groups; ++g) {
        sweep_group(b, &b->system.group[g]);
    }
}

void crn_body_sweep(crn_bodies *b, int sweeps)
{
    const crn_body_system *s = &b->system;
    for (int g = 0; g < s->groups; ++g) {
        const crn_body_group *group = &s->group[g];
        const double *x = s->x + group->x;
        for (int c = group->contact; c < group->contact + group->contacts; ++c, x += 3 * (long)group->height) {
            response(group->height, x, b->A + 9 * (long)c);
        }
    }
    crn_body_push(s, s->k, b->r, b->v);
    for (int k = 0; k < sweeps; ++k) {
        sweep_all(b);
    }
    b->sweeps += sweeps;
}
