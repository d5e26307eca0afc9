/* The canonical order of contacts.
 *
 * Where redundant contacts slide, Coulomb's law leaves the motion open: the normals of a box on four corners have rank 3, but the
 * sliding forces n + mu t have rank 4, so that the loads decide about friction's torque. A path of pivots then takes one of many
 * motions, and which one depends on the order in which it looks at contacts. Sorted by their data, contacts are looked at in
 * the same order whatever the caller's, and the motion is the same.
 *
 * Paths that fail in one order often succeed in another: of 41 problems with round cones that were open in their first order (of
 * 302,400), thirty were solved in one of five others. These are made from the canonical one: they do not see the caller's either. */
#include "contact/canonical.h"

#include <string.h>

/* -1, 0 or 1 as the first numbers that differ do. */
static int compare_numbers(const double *a, const double *b, int count)
{
    for (int i = 0; i < count; ++i) {
        if (a[i] != b[i]) {
            return a[i] < b[i] ? -1 : 1;
        }
    }
    return 0;
}

/* Columns of one side; those without come first. */
static int compare_columns(const crn_contact_problem *p, int body, const double *a, const double *b)
{
    if (body < 0 || a == b) {
        return 0;
    }
    if (a == NULL || b == NULL) {
        return a == NULL ? -1 : 1;
    }
    return compare_numbers(a, b, 3 * p->body[body].dof);
}

static int compare_contacts(const crn_contact_problem *p, int i, int j)
{
    const crn_contact_point *a = &p->contact[i], *b = &p->contact[j];
    if (a->a != b->a) {
        return a->a < b->a ? -1 : 1;
    }
    if (a->b != b->b) {
        return a->b < b->b ? -1 : 1;
    }
    int result = compare_numbers(a->position, b->position, 3);
    result = result ? result : compare_numbers(a->normal, b->normal, 3);
    result = result ? result : compare_numbers(a->offset, b->offset, 3);
    result = result ? result : compare_numbers(&a->mu, &b->mu, 1);
    result = result ? result : compare_numbers(a->t1, b->t1, 3);
    result = result ? result : compare_numbers(a->t2, b->t2, 3);
    result = result ? result : a->directions - b->directions;
    result = result ? result : compare_columns(p, a->a, a->jacobian_a, b->jacobian_a);
    return result ? result : compare_columns(p, a->b, a->jacobian_b, b->jacobian_b);
}

/* Merge two sorted runs; equal ones come from the first. */
static void merge(const crn_contact_problem *p, const int *first, int count, const int *second, int other, int *to)
{
    while (count > 0 && other > 0) {
        bool is_first = compare_contacts(p, *first, *second) <= 0;
        *to++ = is_first ? *first++ : *second++;
        count -= is_first;
        other -= !is_first;
    }
    memcpy(to, first, (size_t)count * sizeof *to);
    memcpy(to + count, second, (size_t)other * sizeof *to);
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

static void sort(const crn_contact_problem *p, int *order, int *scratch)
{
    const int n = p->contacts;
    for (int run = 1; run < n; run *= 2) {
        for (int i = 0; i < n; i += 2 * run) {
            int count = smaller(run, n - i);
            merge(p, order + i, count, order + i + count, smaller(run, n - i - count), scratch + i);
        }
        memcpy(order, scratch, (size_t)n * sizeof *order);
    }
}

static void shuffle(int n, uint64_t seed, int *order)
{
    crn_random random = crn_random_seed(seed);
    for (int i = n - 1; i > 0; --i) {
        int k = crn_random_below(&random, i + 1), held = order[i];
        order[i] = order[k];
        order[k] = held;
    }
}

static bool is_sorted(const crn_contact_problem *p)
{
    for (int i = 1; i < p->contacts; ++i) {
        if (compare_contacts(p, i - 1, i) > 0) {
            return false;
        }
    }
    return true;
}

void crn_canonical_order(const crn_contact_problem *problem, int turn, int *order, int *scratch)
{
    for (int i = 0; i < problem->contacts; ++i) {
        order[i] = i;
    }
    if (turn != CRN_ORDER_GIVEN && !is_sorted(problem)) {
        sort(problem, order, scratch);
    }
    if (turn > 0) {
        shuffle(problem->contacts, (uint64_t)turn, order);
    }
}
