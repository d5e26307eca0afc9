/* Sums of products without rounding: a number as a list of doubles that do not overlap, smallest first  [S97 s2]. */
#ifndef CRN_MATH_EXACT_SUM_H
#define CRN_MATH_EXACT_SUM_H

#include <stdbool.h>

enum { CRN_EXACT_PARTS = 64 }; /* 2100 bits of range at 53 a part, and some to spare */

typedef struct crn_exact_sum {
    double part[CRN_EXACT_PARTS];
    int count;
    bool is_lost; /* a product under- or overflowed, or there were too many parts: the value means nothing */
} crn_exact_sum;

void crn_exact_add(crn_exact_sum *sum, double x);

/* sum += a b */
void crn_exact_add_product(crn_exact_sum *sum, double a, double b);

/* sum += a (other) */
void crn_exact_add_scaled(crn_exact_sum *sum, double a, const crn_exact_sum *other);

/* -1, 0 or 1. */
int crn_exact_sign(const crn_exact_sum *sum);

/* The sum rounded, to within one unit in the last place. */
double crn_exact_value(const crn_exact_sum *sum);

#endif
