/* Cholesky factorisation within the profile of a matrix  [GVL s4.3]: nothing fills outside of it. Bodies keep the
 * island's order, in which stacks and chains have a narrow profile. */
#include "contact/even_profile.h"

#include <math.h>
#include <string.h>

#include "math/vec.h"

/* An upper bound of the entries: contacts one after another between the same bodies count once. */
static size_t count_entries(const crn_system *s)
{
    size_t n = (size_t)s->dof, full = n * (n + 1) / 2, total = 0;
    int before[2] = {-1, -1};
    for (int b = 0; b < s->bodies; ++b) {
        size_t dof = (size_t)(s->body_start[b + 1] - s->body_start[b]);
        total += dof * dof;
    }
    for (int i = 0; i < s->contacts && total < full; ++i) {
        const crn_piece *piece = s->piece + s->piece_start[i];
        if (s->piece_start[i + 1] - s->piece_start[i] < 2 ||
            (piece[0].body == before[0] && piece[1].body == before[1])) {
            continue;
        }
        const crn_piece *low = piece[0].first < piece[1].first ? &piece[0] : &piece[1];
        const crn_piece *high = low == &piece[0] ? &piece[1] : &piece[0];
        total += (size_t)high->dof * (size_t)(high->first - low->first);
        before[0] = piece[0].body;
        before[1] = piece[1].body;
    }
    return s->rows > 0 || total > full ? full : total;
}

void crn_profile_layout(crn_profile *profile, const crn_system *system, crn_arena *arena)
{
    profile->n = system->dof;
    profile->entries = count_entries(system);
    profile->first = CRN_TAKE(arena, int, system->dof);
    profile->start = CRN_TAKE(arena, ptrdiff_t, system->dof);
    profile->a = CRN_TAKE(arena, double, profile->entries);
}

/* Rows of piece `of` begin no later than those of piece `with`. */
static void reach(crn_profile *profile, const crn_piece *of, const crn_piece *with)
{
    for (int i = of->first; i < of->first + of->dof; ++i) {
        profile->first[i] = with->first < profile->first[i] ? with->first : profile->first[i];
    }
}

void crn_profile_start(crn_profile *profile, const crn_system *s)
{
    for (int b = 0; b < s->bodies; ++b) {
        for (int i = s->body_start[b]; i < s->body_start[b + 1]; ++i) {
            profile->first[i] = s->rows > 0 ? 0 : s->body_start[b];
        }
    }
    for (int i = 0; i < s->contacts; ++i) {
        const crn_piece *piece = s->piece + s->piece_start[i];
        if (s->piece_start[i + 1] - s->piece_start[i] == 2) {
            reach(profile, &piece[0], &piece[1]);
            reach(profile, &piece[1], &piece[0]);
        }
    }
    ptrdiff_t at = 0;
    for (int i = 0; i < profile->n; ++i) {
        profile->start[i] = at - profile->first[i];
        at += i - profile->first[i] + 1;
    }
    crn_profile_clear(profile);
}

void crn_profile_clear(crn_profile *profile)
{
    if (profile->entries) {
        memset(profile->a, 0, profile->entries * sizeof *profile->a);
    }
}

void crn_profile_add(crn_profile *profile, const crn_piece *p, const crn_piece *q, const double *S)
{
    const double *x = p->x, *y = q->x;
    int m = p->dof, n = q->dof;
    for (int i = 0; i < m; ++i) {
        double c[3] = {S[0] * x[i] + S[1] * x[m + i] + S[2] * x[2 * m + i],
                       S[1] * x[i] + S[3] * x[m + i] + S[4] * x[2 * m + i],
                       S[2] * x[i] + S[4] * x[m + i] + S[5] * x[2 * m + i]};
        if (c[0] == 0.0 && c[1] == 0.0 && c[2] == 0.0) {
            continue;
        }
        double *row = profile->a + profile->start[p->first + i] + q->first;
        int last = p == q ? i + 1 : n;
        for (int j = 0; j < last; ++j) {
            row[j] += c[0] * y[j] + c[1] * y[n + j] + c[2] * y[2 * n + j];
        }
    }
}

bool crn_profile_factor(crn_profile *profile)
{
    for (int i = 0; i < profile->n; ++i) {
        double *row = profile->a + profile->start[i];
        int first = profile->first[i];
        for (int j = first; j < i; ++j) {
            const double *other = profile->a + profile->start[j];
            int from = profile->first[j] > first ? profile->first[j] : first;
            row[j] = (row[j] - crn_dot(j - from, row + from, other + from)) / other[j];
        }
        double pivot = row[i] - crn_dot(i - first, row + first, row + first);
        if (!(pivot > 0.0) || !isfinite(pivot)) {
            return false;
        }
        row[i] = sqrt(pivot);
    }
    return true;
}

void crn_profile_solve(const crn_profile *profile, double *x)
{
    for (int i = 0; i < profile->n; ++i) {
        const double *row = profile->a + profile->start[i];
        int first = profile->first[i];
        x[i] = (x[i] - crn_dot(i - first, row + first, x + first)) / row[i];
    }
    for (int i = profile->n; i-- > 0;) {
        const double *row = profile->a + profile->start[i];
        int first = profile->first[i];
        x[i] /= row[i];
        crn_axpy(i - first, -x[i], row + first, x + first);
    }
}
