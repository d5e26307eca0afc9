/* Any bytes as a small problem, solved by any method.
 *
 * Nothing may crash, leak or write beyond its arrays; z is finite whatever the outcome; and "solved" must be confirmed
 * by a certificate of its own. */
#include <cairn/lcp.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Largest order. Small, so that exponential methods end. */
enum { MOST = 8 };

static void demand(bool condition)
{
    if (!condition) {
        abort();
    }
}

/* Bytes that have not been used yet; zeros follow. */
typedef struct feed {
    const uint8_t *at, *end;
} feed;

static unsigned next_byte(feed *f)
{
    return f->at < f->end ? *f->at++ : 0U;
}

/* How numbers are made from bytes. */
typedef enum number_kind { SMALL_INTEGERS, WIDE_SCALES, ANY_BITS } number_kind;

static double next_number(feed *f, number_kind kind)
{
    double small = (double)next_byte(f) - 128.0;
    if (kind == SMALL_INTEGERS) {
        return small / 16.0;
    }
    if (kind == WIDE_SCALES) {
        return ldexp(small, (int)next_byte(f) / 2 - 64);
    }
    uint64_t bits = 0;
    for (int i = 0; i < 8; ++i) {
        bits = bits << 8 | next_byte(f);
    }
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* A problem and the arrays it points to. */
typedef struct sample {
    crn_lcp_problem problem;
    double M[MOST * MOST], q[MOST], lower[MOST], upper[MOST], value[MOST * MOST];
    int start[MOST + 1], row[MOST * MOST];
    unsigned char basis[MOST];
} sample;

/* Replace the dense matrix by its entries that are not zero. */
static void make_sparse(sample *s)
{
    int n = s->problem.n, count = 0;
    for (int j = 0; j < n; ++j) {
        s->start[j] = count;
        for (int i = 0; i < n; ++i) {
            if (s->M[i + j * MOST] != 0.0) {
                s->row[count] = i;
                s->value[count++] = s->M[i + j * MOST];
            }
        }
    }
    s->start[n] = count;
    s->problem.M = NULL;
    s->problem.start = s->start;
    s->problem.row = s->row;
    s->problem.value = s->value;
}

static void make_bounds(feed *f, sample *s, number_kind kind)
{
    for (int i = 0; i < s->problem.n; ++i) {
        unsigned shape = next_byte(f);
        s->lower[i] = shape & 1U ? -INFINITY : next_number(f, kind);
        s->upper[i] = shape & 2U ? INFINITY : shape & 4U ? s->lower[i] : s->lower[i] + fabs(next_number(f, kind));
    }
    s->problem.lower = s->lower;
    s->problem.upper = s->upper;
}

static void make_problem(feed *f, sample *s)
{
    unsigned flags = next_byte(f);
    number_kind kind = (number_kind)(flags % 3U);
    s->problem = (crn_lcp_problem){.n = (int)(next_byte(f) % (MOST + 1)), .M = s->M, .ld = MOST, .q = s->q};
    for (int j = 0; j < s->problem.n; ++j) {
        for (int i = 0; i < s->problem.n; ++i) {
            s->M[i + j * MOST] = next_number(f, kind);
        }
        s->q[j] = next_number(f, kind);
    }
    if (flags & 16U) {
        make_sparse(s);
    }
    if (flags & 32U) {
        make_bounds(f, s, kind);
    }
}

static crn_lcp_options make_options(feed *f, sample *s)
{
    crn_lcp_options options = crn_lcp_options_default((crn_lcp_method)(next_byte(f) % CRN_LCP_METHOD_COUNT));
    unsigned flags = next_byte(f);
    options.variant = (crn_lcp_variant)(flags % 3U);
    options.max_pivots = flags & 16U ? (int)next_byte(f) : 0;
    options.seed = next_byte(f);
    if (flags & 32U) {
        for (int i = 0; i < s->problem.n; ++i) {
            s->basis[i] = (unsigned char)(next_byte(f) % 3U);
        }
        options.start = s->basis;
    }
    return options;
}

static void check_answer(const sample *s, const crn_lcp_options *options, const double *z, const crn_lcp_result *result,
                         crn_workspace *workspace)
{
    for (int i = 0; i < s->problem.n; ++i) {
        demand(isfinite(z[i]));
    }
    if (result->outcome == CRN_LCP_SOLVED) {
        crn_lcp_certificate certificate;
        demand(crn_lcp_certify(&s->problem, z, workspace, &certificate, NULL) == CRN_OK);
        demand(certificate.relative <= options->tol);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    feed f = {.at = bytes, .end = bytes + size};
    sample s = {.problem = {.n = 0}};
    make_problem(&f, &s);
    crn_lcp_options options = make_options(&f, &s);

    /* Arrays of exactly n, so that the sanitizer sees a step beyond them. */
    size_t n = (size_t)s.problem.n;
    double *z = calloc(n + (n == 0), sizeof(double));
    unsigned char *basis = calloc(n + (n == 0), 1);
    crn_workspace workspace = {.data = NULL};
    crn_lcp_result result;
    crn_lcp_solution solution = {.z = z, .basis = basis};
    if (z != NULL && basis != NULL &&
        crn_lcp_solve(&s.problem, &options, &workspace, &solution, &result, NULL) == CRN_OK) {
        check_answer(&s, &options, z, &result, &workspace);
    }
    crn_workspace_free(&workspace);
    free(z);
    free(basis);
    return 0;
}
