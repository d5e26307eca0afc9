/* One frame's LCP by each method of [YN08 tables 1, 2].
 *
 * The world's problem has impulses [N s] and velocities [m/s]; the paper's has forces [YN08 eq. 14 to 16, eq. 25]. Its tolerances Delta, epsilon and
 * e_max are in these units, so columns of impulses are multiplied by h. A method's answer is judged by the certificate of the LCP it was
 * given: the largest | min(z, w) | must not exceed e_max; certified to 1e-9 is counted beside it. */
#include "paper_yamane.h"

#include "paper_measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double e_max = 1e-3, epsilon = 1e-3; /* the paper's [N, m/s] */
static const double strict = 1e-9;                /* ours, relative */
enum { NODES_MAX = 8000 }; /* of the searches of the paper, which may go broad; beyond is counted as a cycle */

const char *const yamane_kind_name[YAMANE_KINDS] = {"lemke",
                                                    "lemke-lex, D = 0",
                                                    "lemke-lex, D = 1e-10",
                                                    "lemke-lex, D = 1e-8",
                                                    "lemke-lex, D = 1e-6",
                                                    "lemke-lex, D = 1e-4",
                                                    "yamane, as printed",
                                                    "yamane, authors' order",
                                                    "search",
                                                    "contact states"};

/* --- Memory --- */

static bool grow(yamane_lcp *lcp, int n, crn_error *error)
{
    enum { SQUARES = 2, VECTORS = 14, BYTES = 3 };
    size_t order = (size_t)(n > lcp->order_capacity ? 3 * n / 2 : lcp->order_capacity);
    if (n > lcp->order_capacity) {
        free(lcp->memory);
        free(lcp->bytes);
        lcp->memory = malloc((SQUARES * order * order + VECTORS * order) * sizeof *lcp->memory);
        lcp->bytes = malloc(BYTES * order);
        lcp->order_capacity = lcp->memory && lcp->bytes ? (int)order : 0;
    }
    if (!lcp->memory || !lcp->bytes) {
        (void)crn_fail(error, CRN_ERR_MEMORY, "out of memory");
        return false;
    }
    double *next = lcp->memory, **square[SQUARES] = {&lcp->M, &lcp->small_M};
    double **vector[] = {&lcp->q,       &lcp->lower,       &lcp->upper,       &lcp->z,       &lcp->w,     &lcp->small_q,
                         &lcp->small_z, &lcp->small_lower, &lcp->small_upper, &lcp->impulse, &lcp->speed, &lcp->row};
    for (int i = 0; i < SQUARES; ++i, next += order * order) {
        *square[i] = next;
    }
    for (size_t i = 0; i < sizeof vector / sizeof vector[0]; ++i, next += order) {
        *vector[i] = next;
    }
    lcp->start = lcp->bytes;
    lcp->basis = lcp->bytes + order;
    lcp->small_basis = lcp->bytes + 2 * order;
    return true;
}

void yamane_lcp_free(yamane_lcp *lcp)
{
    crn_workspace_free(&lcp->work);
    free(lcp->memory);
    free(lcp->bytes);
    *lcp = (yamane_lcp){.n = 0};
}

/* --- Assembling --- */

/* Where the cones' lambda are: velocities; all other variables are impulses (theta, phi, a bilateral row's). */
typedef struct span {
    int begin, end;
} span;

static span lambda_of(const crn_contact_problem *problem)
{
    int friction = 0, cones = 0;
    for (int k = 0; k < problem->contacts; ++k) {
        friction += problem->contact[k].directions;
        cones += problem->contact[k].directions > 0;
    }
    int begin = problem->contacts + friction;
    return (span){begin, begin + cones};
}

static double unit_of(span lambda, int i, double h)
{
    return i >= lambda.begin && i < lambda.end ? 1.0 : h;
}

/* The frictionless LCP: the rows and columns of theta and of the bilateral rows. */
static void take_small(yamane_lcp *lcp, int rows)
{
    const int n = lcp->n, m = lcp->contacts + rows, skip = n - m;
    lcp->small_n = m;
    for (int j = 0; j < m; ++j) {
        int from_j = j < lcp->contacts ? j : j + skip;
        for (int i = 0; i < m; ++i) {
            int from_i = i < lcp->contacts ? i : i + skip;
            lcp->small_M[i + (long)j * m] = lcp->M[from_i + (long)from_j * n];
        }
        lcp->small_q[j] = lcp->q[from_j];
        lcp->small_lower[j] = lcp->lower[from_j];
        lcp->small_upper[j] = lcp->upper[from_j];
    }
}

bool yamane_lcp_load(yamane_lcp *lcp, const crn_contact_problem *problem, double h, crn_error *error)
{
    const int n = crn_contact_lcp_size(problem), need = 3 * problem->contacts + problem->rows;
    if (!grow(lcp, n > need ? n : need, error)) {
        return false;
    }
    lcp->n = n;
    lcp->contacts = problem->contacts;
    lcp->h = h;
    if (crn_contact_assemble(problem, &lcp->work, lcp->M, lcp->q, NULL, error) != CRN_OK ||
        crn_contact_lcp_bounds(problem, lcp->lower, lcp->upper, error) != CRN_OK) {
        return false;
    }
    span lambda = lambda_of(problem);
    for (int j = 0; j < n; ++j) { /* the cones' own rows, mu theta - E'phi, are the same in forces */
        double unit = unit_of(lambda, j, h);
        lcp->lower[j] /= unit;
        lcp->upper[j] /= unit;
        for (int i = 0; i < n; ++i) {
            bool is_cone = i >= lambda.begin && i < lambda.end;
            lcp->M[i + (long)j * n] *= is_cone ? 1.0 : unit;
        }
    }
    take_small(lcp, problem->rows);
    return true;
}

/* --- Solving --- */

static crn_lcp_options options_of(yamane_kind kind)
{
    static const crn_lcp_method method[YAMANE_KINDS] = {
        CRN_LCP_LEMKE,     CRN_LCP_LEMKE_LEX, CRN_LCP_LEMKE_LEX, CRN_LCP_LEMKE_LEX, CRN_LCP_LEMKE_LEX,
        CRN_LCP_LEMKE_LEX, CRN_LCP_YAMANE,    CRN_LCP_YAMANE,    CRN_LCP_SEARCH,    CRN_LCP_SEARCH};
    static const double width[YAMANE_KINDS] = {0.0, 0.0, 1e-10, 1e-8, 1e-6, 1e-4, 0.0, 0.0, 0.0, 0.0};
    crn_lcp_options options = crn_lcp_options_default(method[kind]);
    if (method[kind] == CRN_LCP_LEMKE_LEX) {
        options.tie_width = width[kind];
    } else if (method[kind] == CRN_LCP_YAMANE) {
        options.variant = kind == YAMANE_AUTHORS ? CRN_LCP_AUTHORS_ORDER : CRN_LCP_PLAIN;
        options.epsilon = epsilon;
        options.error_max = e_max;
        options.max_pivots = NODES_MAX;
    }
    return options;
}

/* In the paper's words; a method that ended by its own path is judged by its point. */
static yamane_verdict verdict_of(crn_lcp_outcome outcome, bool cycled, const crn_lcp_certificate *certificate)
{
    if (outcome == CRN_LCP_LIMIT || (cycled && outcome != CRN_LCP_SOLVED)) {
        return YAMANE_CYCLE;
    }
    if (outcome == CRN_LCP_SOLVED || outcome == CRN_LCP_STALLED) {
        return certificate->absolute <= e_max ? YAMANE_SUCCESS : YAMANE_ERROR;
    }
    return outcome == CRN_LCP_SINGULAR ? YAMANE_ERROR : YAMANE_NO_SOLUTION;
}

void yamane_start_cold(yamane_lcp *lcp)
{
    for (int i = 0; i < lcp->n; ++i) {
        lcp->start[i] = (unsigned char)(isinf(lcp->lower[i]) ? CRN_LCP_BASIC : CRN_LCP_AT_LOWER);
    }
}

bool yamane_start(yamane_lcp *lcp, yamane_kind kind, crn_error *error)
{
    const int m = lcp->small_n, skip = lcp->n - m;
    crn_lcp_problem problem = {
        .n = m, .M = lcp->small_M, .ld = m, .q = lcp->small_q, .lower = lcp->small_lower, .upper = lcp->small_upper};
    crn_lcp_options options = options_of(kind);
    crn_lcp_solution solution = {.z = lcp->small_z, .basis = lcp->small_basis};
    crn_lcp_result result;
    yamane_start_cold(lcp);
    if (crn_lcp_solve(&problem, &options, &lcp->work, &solution, &result, error) != CRN_OK ||
        verdict_of(result.ending, result.cycled, &result.certificate) != YAMANE_SUCCESS) {
        return false;
    }
    for (int i = 0; i < m; ++i) {
        lcp->start[i < lcp->contacts ? i : i + skip] = lcp->small_basis[i];
    }
    return true;
}

/* Door 2 on the problem itself, its answer as a point of the LCP. */
static bool solve_states(yamane_lcp *lcp, const crn_contact_problem *problem, bool is_warm, yamane_try *answer,
                         crn_lcp_outcome *outcome, crn_error *error)
{
    crn_contact_options options = crn_contact_options_default();
    crn_contact_solution solution = {.impulse = lcp->impulse, .contact_velocity = lcp->speed, .row_impulse = lcp->row};
    crn_contact_result result;
    options.method = CRN_CONTACT_STATES;
    options.cone = CRN_CONE_POLYGON;
    options.frictionless_first = is_warm;
    double begin = paper_thread_seconds();
    crn_status status = crn_contact_solve(problem, &options, &lcp->work, &solution, &result, error);
    answer->seconds = paper_thread_seconds() - begin;
    if (status != CRN_OK || crn_contact_to_lcp(problem, lcp->impulse, lcp->speed, lcp->row, lcp->z, error) != CRN_OK) {
        return false;
    }
    for (int i = 0; i < lcp->n; ++i) {
        lcp->z[i] /= unit_of(lambda_of(problem), i, lcp->h);
    }
    answer->pivots = result.pivots;
    *outcome = result.outcome;
    return true;
}

static bool solve_assembled(yamane_lcp *lcp, const crn_lcp_problem *problem, yamane_kind kind, bool is_warm,
                            yamane_try *answer, crn_lcp_result *result, crn_error *error)
{
    crn_lcp_options options = options_of(kind);
    crn_lcp_solution solution = {.z = lcp->z, .w = lcp->w, .basis = lcp->basis};
    options.start = is_warm ? lcp->start : NULL;
    double begin = paper_thread_seconds();
    crn_status status = crn_lcp_solve(problem, &options, &lcp->work, &solution, result, error);
    answer->seconds = paper_thread_seconds() - begin;
    answer->pivots = result->pivots;
    return status == CRN_OK;
}

bool yamane_solve(yamane_lcp *lcp, const crn_contact_problem *contact, yamane_kind kind, bool is_warm,
                  yamane_try *answer, crn_error *error)
{
    crn_lcp_problem problem = {
        .n = lcp->n, .M = lcp->M, .ld = lcp->n, .q = lcp->q, .lower = lcp->lower, .upper = lcp->upper};
    crn_lcp_result result = {0};
    crn_lcp_certificate certificate;
    *answer = (yamane_try){0};
    bool ok = kind == YAMANE_STATES ? solve_states(lcp, contact, is_warm, answer, &result.ending, error)
                                    : solve_assembled(lcp, &problem, kind, is_warm, answer, &result, error);
    if (!ok || crn_lcp_certify(&problem, lcp->z, &lcp->work, &certificate, error) != CRN_OK) {
        return false;
    }
    answer->verdict = verdict_of(result.ending, result.cycled, &certificate);
    answer->relative = certificate.relative;
    answer->is_strict = answer->verdict == YAMANE_SUCCESS && certificate.relative <= strict;
    return true;
}

int yamane_failures(const yamane_tally *tally)
{
    return tally->frames - tally->verdict[YAMANE_SUCCESS];
}

double yamane_mean_ms(const yamane_tally *tally)
{
    return tally->frames > 0 ? 1e3 * tally->seconds / tally->frames : (double)NAN;
}

void yamane_count(yamane_tally *tally, const yamane_try *answer)
{
    tally->frames++;
    tally->verdict[answer->verdict]++;
    tally->strict += answer->is_strict;
    tally->worst = answer->verdict == YAMANE_SUCCESS ? fmax(tally->worst, answer->relative) : tally->worst;
    tally->pivots += answer->pivots;
    tally->seconds += answer->seconds;
}
