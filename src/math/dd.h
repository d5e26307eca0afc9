/* Double-double arithmetic: a sum high + low carries about 106 bits  [ORO05 s2, s3].
 * Exact as long as nothing overflows; contraction must be off. */
#ifndef CRN_MATH_DD_H
#define CRN_MATH_DD_H

typedef struct crn_dd {
    double high, low;
} crn_dd;

/* a + b exactly (Knuth)  [ORO05 alg. 3.1] */
static inline crn_dd crn_two_sum(double a, double b)
{
    double s = a + b;
    double t = s - a;
    return (crn_dd){s, (a - (s - t)) + (b - t)};
}

/* a * b exactly (Dekker, Veltkamp)  [ORO05 alg. 3.2, alg. 3.3]: no fused multiply-add, so the same on every machine */
static inline crn_dd crn_two_product(double a, double b)
{
    const double splitter = 134217729.0; /* 2^27 + 1 */
    double p = a * b;
    double ca = splitter * a, cb = splitter * b;
    double ah = ca - (ca - a), bh = cb - (cb - b);
    double al = a - ah, bl = b - bh;
    return (crn_dd){p, al * bl - (((p - ah * bh) - al * bh) - ah * bl)};
}

/* sum += a * b with the rounding errors of both kept in low (Dot2, [ORO05 alg. 5.3]) */
static inline void crn_dd_add_product(crn_dd *sum, double a, double b)
{
    crn_dd p = crn_two_product(a, b);
    crn_dd s = crn_two_sum(sum->high, p.high);
    sum->high = s.high;
    sum->low += s.low + p.low;
}

/* high[i], low[i] += a x[i] for a whole column: the rows of a matrix-vector product, one Dot2 each. */
void crn_dd_axpy(int n, double a, const double *x, double *high, double *low);

/* The same, and size[i] += |a x[i]| (a plain sum). */
void crn_dd_axpy_sized(int n, double a, const double *x, double *high, double *low, double *size);

#endif
