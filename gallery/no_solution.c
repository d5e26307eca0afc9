/* no_solution.c -- problems without a solution, and why.
 *
 * All but kind 6 come with a y that proves it: y_i >= 0 where w_i >= 0 is asked, any sign where w_i = 0 is;
 * (M'y)_j <= 0 for z_j >= 0, = 0 for a free z_j; q'y < 0. Then y'w = (M'y)'z + q'y < 0 for every z, so w
 * cannot have its signs. The data are whole numbers (kind 5: pairs of exactly opposite columns), so all this holds
 * without rounding.
 * Size by index / 8 % 5, kind by index % 8:
 *     kind                                                                        order
 *     0  M = B B' with B'y = 0, y = e                                             2, 3, 6, 12, 30
 *     1  the same plus a skew part, y = (e, 0)                                    2, 3, 6, 12, 30
 *     2  M = 0                                                                    1, 2, 5, 10, 30
 *     3  a row of M is <= 0 where q is < 0                                        1, 2, 5, 10, 30
 *     4  copositive-plus [A -B'; B 0] with infeasible B x >= b                    2, 3, 6, 12, 30
 *     5  a body between walls that close in on it, frictionless or with friction  2, 12, 4, 24, 6
 *     6  [0 a; 0 0] with q = (-, +), feasible but z_2 > 0 and w_2 > 0, beside a P-matrix   2, 3, 4, 5, 6
 *     7  mixed: the same equation twice with different right-hand sides           4, 5, 6, 12, 30 */
#include <math.h>

#include "families.h"
#include "gallery_bodies.h"
#include "gallery_data.h"

static double whole(crn_random *random, int low, int high)
{
    return low + crn_random_below(random, high - low + 1);
}

static double *entry(crn_lcp_data *data, int i, int j)
{
    return crn_gallery_M(data) + (size_t)i + (size_t)j * (size_t)data->problem.ld;
}

/* Leading block(size) += b b' with whole b whose first `balanced` entries add up to 0; rank times. Clears q. */
static void add_balanced_gram(crn_lcp_data *data, int size, int balanced, int rank, crn_random *random)
{
    double *b = crn_gallery_q(data);
    for (int k = 0; k < rank; ++k) {
        double sum = 0.0;
        for (int i = 0; i < size; ++i) {
            b[i] = whole(random, -2, 2);
            if (i == balanced - 1) {
                b[i] = -sum;
            }
            sum += b[i];
        }
        for (int j = 0; j < size; ++j) {
            for (int i = 0; i < size; ++i) {
                *entry(data, i, j) += b[i] * b[j];
            }
        }
    }
    for (int i = 0; i < size; ++i) {
        b[i] = 0.0;
    }
}

/* Random whole q; the entries first .. last-1 add up to -n; y is 1 there and 0 elsewhere. */
static void set_q_below_zero(crn_lcp_data *data, int first, int last, double *witness, crn_random *random)
{
    double *q = crn_gallery_q(data);
    double sum = 0.0;
    for (int i = 0; i < data->problem.n; ++i) {
        bool is_inside = i >= first && i < last;
        q[i] = whole(random, -3, 3);
        sum += is_inside ? q[i] : 0.0;
        if (witness) {
            witness[i] = is_inside ? 1.0 : 0.0;
        }
    }
    q[last - 1] -= sum + data->problem.n;
}

static void fill_semidefinite(crn_lcp_data *data, double *witness, crn_random *random)
{
    int n = data->problem.n;
    add_balanced_gram(data, n, n, n / 2, random);
    set_q_below_zero(data, 0, n, witness, random);
}

/* The skew part couples the two halves: the rows of the first half only lose by the second. */
static void fill_semidefinite_skew(crn_lcp_data *data, double *witness, crn_random *random)
{
    int n = data->problem.n, first = (n + 1) / 2;
    add_balanced_gram(data, n, first, n / 2, random);
    for (int i = 0; i < first; ++i) {
        for (int j = first; j < n; ++j) {
            double s = whole(random, 0, 3);
            *entry(data, i, j) -= s;
            *entry(data, j, i) += s;
        }
    }
    set_q_below_zero(data, 0, first, witness, random);
}

static void fill_zero(crn_lcp_data *data, double *witness, crn_random *random)
{
    set_q_below_zero(data, 0, 1, witness, random);
}

static void fill_nonpositive_row(crn_lcp_data *data, double *witness, crn_random *random)
{
    int n = data->problem.n, bad = crn_random_below(random, n);
    for (int j = 0; j < n; ++j) {
        for (int i = 0; i < n; ++i) {
            *entry(data, i, j) = i == bad ? whole(random, -3, j == bad ? -1 : 0) : whole(random, -3, 3);
        }
    }
    set_q_below_zero(data, bad, bad + 1, witness, random);
}

static void fill_copositive(crn_lcp_data *data, double *witness, crn_random *random)
{
    int n = data->problem.n, first = n / 2;
    for (int j = 0; j < first; ++j) {
        double sum = 0.0;
        for (int i = 0; i < n; ++i) {
            double value = whole(random, i == j ? 1 : 0, 3); /* A */
            if (i >= first) {                                /* B, whose columns add up to at most 0 */
                value = i == n - 1 ? -sum - value : whole(random, -2, 2);
                sum += value;
                *entry(data, j, i) = -value;
            }
            *entry(data, i, j) = value;
        }
    }
    set_q_below_zero(data, first, n, witness, random);
}

static void fill_feasible(crn_lcp_data *data, double *witness, crn_random *random)
{
    int n = data->problem.n, first = crn_random_below(random, n), second = (first + 1) % n;
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) { /* strictly diagonally dominant, apart from the rows and columns of the pair */
            bool is_apart = i == first || i == second || j == first || j == second;
            *entry(data, i, j) = is_apart ? 0.0 : i == j ? 2.0 * n : whole(random, -2, 2);
        }
        crn_gallery_q(data)[i] = whole(random, -3, 3);
        if (witness) {
            witness[i] = 0.0;
        }
    }
    *entry(data, first, second) = whole(random, 1, 3);
    crn_gallery_q(data)[first] = -whole(random, 1, 3);
    crn_gallery_q(data)[second] = whole(random, 1, 3);
}

/* [H -A'; A 0] with a third of the order equations; the last two are the same but for the right-hand side. */
static void fill_inconsistent(crn_lcp_data *data, double *witness, crn_random *random)
{
    int n = data->problem.n, variables = n - (n / 3 > 2 ? n / 3 : 2);
    add_balanced_gram(data, variables, 0, variables, random);
    for (int i = 0; i < n; ++i) {
        crn_gallery_q(data)[i] = whole(random, -3, 3);
        if (witness) {
            witness[i] = i == n - 2 ? 1.0 : i == n - 1 ? -1.0 : 0.0;
        }
        if (i >= variables) {
            crn_gallery_lower(data)[i] = -(double)INFINITY;
        }
        for (int j = 0; j < variables && i >= variables; ++j) {
            double a = i == n - 1 ? *entry(data, n - 2, j) : whole(random, -2, 2);
            *entry(data, i, j) = a;
            *entry(data, j, i) = -a;
        }
    }
    crn_gallery_q(data)[n - 1] = crn_gallery_q(data)[n - 2] + whole(random, 1, 3);
}

/* Pairs of opposite contacts on a block; both walls of the first pair come nearer. */
static void squeeze(crn_gallery_contacts *contacts, const crn_gallery_body *block, int pairs, crn_random *random)
{
    crn_gallery_place_body(contacts, 0, block);
    crn_gallery_weigh(contacts, 0, block);
    crn_gallery_push_randomly(contacts, 0, 10.0, 0.5, random);
    for (int i = 0; i < 2 * pairs; ++i) {
        int pair = i / 2;
        double side = i % 2 ? 1.0 : -1.0;
        crn_gallery_vec point = {side * 0.1, 0.05 * pair - 0.04, 0.03 - 0.02 * pair};
        double bias = i < 2 ? crn_random_uniform(random, -0.3, -0.1) : 0.0;
        crn_gallery_vec inward = {-side, 0.0, 0.0};
        crn_gallery_touching *touching = crn_gallery_touch(contacts, block, CRN_GALLERY_GROUND, 0, point, inward, 0.3);
        if (touching) {
            touching->bias[0] = bias;
        }
    }
}

static crn_status make_squeezed(int size, double *witness, crn_lcp_data *data, crn_random *random, crn_error *error)
{
    int pairs = 1 + size / 2, directions = size % 2 ? 4 : 0;
    crn_gallery_vec half = {0.1, 0.07, 0.05};
    crn_gallery_body block = crn_gallery_box(1.0, crn_gallery_vec_of(0.0, 0.0, 0.0), half);
    crn_gallery_contacts contacts = {.allocator = crn_gallery_allocator(data)};
    crn_status status = crn_gallery_contacts_open(&contacts, 1, 6, 2 * pairs, directions, error);
    if (status != CRN_OK) {
        return status;
    }
    squeeze(&contacts, &block, pairs, random);
    status = crn_gallery_contacts_assemble(&contacts, data, error);
    for (int i = 0; status == CRN_OK && witness && i < data->problem.n; ++i) {
        witness[i] = i < 2 ? 1.0 : 0.0;
    }
    return status;
}

static int order_of(int kind, int size)
{
    static const int from_two[5] = {2, 3, 6, 12, 30}, from_one[5] = {1, 2, 5, 10, 30}, saddle[5] = {4, 5, 6, 12, 30};
    switch (kind) {
    case 2:
    case 3: return from_one[size];
    case 6: return 2 + size;
    case 7: return saddle[size];
    default: return from_two[size];
    }
}

static void fill_kind(int kind, crn_lcp_data *data, double *witness, crn_random *random)
{
    switch (kind) {
    case 0: fill_semidefinite(data, witness, random); break;
    case 1: fill_semidefinite_skew(data, witness, random); break;
    case 2: fill_zero(data, witness, random); break;
    case 3: fill_nonpositive_row(data, witness, random); break;
    case 4: fill_copositive(data, witness, random); break;
    case 6: fill_feasible(data, witness, random); break;
    default: fill_inconsistent(data, witness, random); break;
    }
}

crn_status crn_gallery_no_solution(int index, uint64_t seed, double *witness, crn_lcp_data *data, crn_error *error)
{
    int kind = index % 8, size = index / 8 % 5;
    crn_random random = crn_gallery_random("no-solution", index, seed);
    if (kind == 5) {
        return make_squeezed(size, witness, data, &random, error);
    }
    crn_status status = crn_gallery_dense(data, order_of(kind, size), kind == 7, error);
    if (status == CRN_OK) {
        fill_kind(kind, data, witness, &random);
    }
    return status;
}
