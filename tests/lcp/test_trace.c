/* Traces of pivoting methods. The events are replayed by a basis of our own: sets of variables, equations solved by LAPACK.
 * A replay that is right at every exchange and ends at the answer's z shows that the trace leaves nothing out. */
#include "judge.h"

#include "gallery.h"

#include <lapacke.h>

enum { TEST_SEED = 20260811, EVENTS_MAX = 200000 };

/* --- Recording --- */

typedef struct recorded {
    int count;
    crn_lcp_event *event;
} recorded;

static void record(void *user, const crn_lcp_event *event)
{
    recorded *r = user;
    assert_true(r->count < EVENTS_MAX);
    r->event[r->count++] = *event;
}

typedef struct traced {
    recorded trace;
    crn_status status;
    crn_lcp_result result;
    double *z;
    unsigned char *basis;
} traced;

static traced solve_traced(const crn_lcp_problem *p, crn_lcp_options options)
{
    traced t = {.trace = {0, take(EVENTS_MAX, sizeof(crn_lcp_event))},
                .z = take((size_t)p->n, sizeof(double)),
                .basis = take((size_t)p->n, 1)};
    crn_workspace workspace = {0};
    crn_error error = {.status = CRN_OK};
    crn_lcp_solution solution = {.z = t.z, .basis = t.basis};
    options.trace = record;
    options.trace_user = &t.trace;
    t.status = crn_lcp_solve(p, &options, &workspace, &solution, &t.result, &error);
    TEST_CHECK(t.status == CRN_OK, "%s", error.text);
    crn_workspace_free(&workspace);
    return t;
}

static void traced_free(traced *t)
{
    free(t->trace.event);
    free(t->z);
    free(t->basis);
}

/* --- Replaying: which variables are basic, and where the z that are not stand --- */

typedef struct replay {
    int n;
    bool *is_basic;       /* 2 n + 1 */
    unsigned char *bound; /* n */
    int depth;            /* exchanges of the path on the stack */
    crn_lcp_event *stack; /* undone by BACKTRACK */
    unsigned char *was;   /* bound of the leaving z before each */
} replay;

static bool is_free_variable(const crn_lcp_problem *p, int i)
{
    return isinf(lower_of(p, i)) && isinf(upper_of(p, i));
}

static void replay_reset(replay *r, const crn_lcp_problem *p)
{
    for (int i = 0; i < r->n; ++i) {
        r->is_basic[i] = false;
        r->is_basic[r->n + i] = true;
        bool is_lower = is_free_variable(p, i) || fabs(lower_of(p, i)) <= fabs(upper_of(p, i));
        r->bound[i] = is_lower ? CRN_LCP_AT_LOWER : CRN_LCP_AT_UPPER;
    }
    r->is_basic[2 * r->n] = false;
    r->depth = 0;
}

static replay replay_new(const crn_lcp_problem *p)
{
    size_t n = (size_t)p->n;
    replay r = {.n = p->n,
                .is_basic = take(2 * n + 1, sizeof(bool)),
                .bound = take(n, 1),
                .stack = take(EVENTS_MAX, sizeof(crn_lcp_event)),
                .was = take(EVENTS_MAX, 1)};
    replay_reset(&r, p);
    return r;
}

static void replay_free(replay *r)
{
    free(r->is_basic);
    free(r->bound);
    free(r->stack);
    free(r->was);
}

/* One exchange; checks that the entering variable is out and the leaving one in. */
static void exchange(replay *r, const crn_lcp_event *e)
{
    const int n = r->n;
    assert_in_range(e->entering, 0, 2 * n);
    assert_in_range(e->leaving, 0, 2 * n);
    assert_false(r->is_basic[e->entering]);
    if (e->leaving != e->entering) {
        assert_true(r->is_basic[e->leaving]);
        r->is_basic[e->entering] = true;
        r->is_basic[e->leaving] = false;
    } else if (e->entering < n) {
        assert_int_not_equal(r->bound[e->entering], e->bound);
    }
    if (e->leaving < n) {
        r->bound[e->leaving] = (unsigned char)e->bound;
    }
}

static void take_back(replay *r)
{
    const crn_lcp_event *e = &r->stack[--r->depth];
    if (e->leaving != e->entering) {
        r->is_basic[e->entering] = false;
        r->is_basic[e->leaving] = true;
    }
    if (e->leaving < r->n) {
        r->bound[e->leaving] = r->was[r->depth];
    }
}

/* The variable that must drive after e: the complement of what left. -1 after the cover has left. */
static int complement_of(int n, int leaving)
{
    return leaving == 2 * n ? -1 : leaving < n ? leaving + n : leaving - n;
}

static void replay_event(replay *r, const crn_lcp_problem *p, const crn_lcp_event *e)
{
    switch (e->kind) {
    case CRN_LCP_RESTART: replay_reset(r, p); return;
    case CRN_LCP_BACKTRACK:
        assert_in_range(e->depth, 1, r->depth);
        while (r->depth > e->depth) {
            take_back(r);
        }
        return;
    default: break;
    }
    if (e->depth >= 0) {
        r->was[r->depth] = e->leaving < r->n ? r->bound[e->leaving] : 0;
        r->stack[r->depth++] = *e;
    }
    exchange(r, e);
}

/* At most one pair has both or none of its variables in the basis while the cover is in; none otherwise. */
static void check_almost_complementary(const replay *r)
{
    int doubles = 0, gaps = 0;
    for (int i = 0; i < r->n; ++i) {
        doubles += r->is_basic[i] && r->is_basic[r->n + i];
        gaps += !r->is_basic[i] && !r->is_basic[r->n + i];
    }
    assert_int_equal(doubles, 0);
    assert_int_equal(gaps, r->is_basic[2 * r->n] ? 1 : 0);
}

/* z of the complementary basis that the replay has reached, by LAPACK. */
static double *solve_basis(const replay *r, const crn_lcp_problem *p)
{
    const int n = r->n;
    double *A = dense_of(p), *z = take((size_t)n, sizeof *z);
    int *index = take((size_t)n, sizeof *index), k = 0;
    for (int i = 0; i < n; ++i) {
        assert_int_not_equal(r->is_basic[i], r->is_basic[n + i]);
        double bound = r->bound[i] == CRN_LCP_AT_UPPER ? upper_of(p, i) : lower_of(p, i);
        z[i] = isfinite(bound) && !r->is_basic[i] ? bound : 0.0;
        if (r->is_basic[i]) {
            index[k++] = i;
        }
    }
    double *K = take((size_t)k * (size_t)k, sizeof *K), *b = take((size_t)k, sizeof *b);
    lapack_int *pivot = take((size_t)k, sizeof *pivot);
    long double *w = slack_of(p, A, z);
    for (int a = 0; a < k; ++a) {
        b[a] = -(double)w[index[a]];
        for (int c = 0; c < k; ++c) {
            K[a + c * k] = A[index[a] + (long)index[c] * n];
        }
    }
    assert_int_equal(k > 0 ? LAPACKE_dgesv(LAPACK_COL_MAJOR, k, 1, K, k, pivot, b, k) : 0, 0);
    for (int a = 0; a < k; ++a) {
        z[index[a]] = b[a];
    }
    free(A);
    free(index);
    free(K);
    free(b);
    free(pivot);
    free(w);
    return z;
}

/* --- Checks of a whole trace --- */

/* Lemke's rule: after every pivot of the path the complement of what left comes in. */
static void check_driving(const traced *t, int n)
{
    for (int i = 1; i < t->trace.count; ++i) {
        const crn_lcp_event *before = &t->trace.event[i - 1], *e = &t->trace.event[i];
        bool is_next = e->kind == CRN_LCP_EXCHANGE && e->depth == before->depth + 1 && before->depth >= 0 &&
                       (before->kind == CRN_LCP_ENTER || before->kind == CRN_LCP_EXCHANGE) && e->ties > 0;
        if (is_next) {
            assert_int_equal(e->entering, complement_of(n, before->leaving));
        }
    }
}

static double largest(int n, const double *x)
{
    double most = 0.0;
    for (int i = 0; i < n; ++i) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

static void check_replay(const char *name, const crn_lcp_problem *p, const traced *t, bool is_murty)
{
    /* Where the scaling is bad on purpose LAPACK, which does not scale, says nothing about z; the basis is compared. */
    const double tol = strcmp(name, "bad-scale") == 0 ? INFINITY : 1e-5;
    replay r = replay_new(p);
    for (int i = 0; i < t->trace.count; ++i) {
        const crn_lcp_event *e = &t->trace.event[i];
        replay_event(&r, p, e);
        bool is_path = e->kind == CRN_LCP_ENTER || e->kind == CRN_LCP_EXCHANGE;
        if (is_path && e->depth >= 0 && !is_murty) {
            check_almost_complementary(&r);
        }
    }
    if (t->result.ending == CRN_LCP_SOLVED && t->result.nodes == 0) {
        for (int i = 0; i < p->n; ++i) {
            bool is_basic = t->basis[i] == CRN_LCP_BASIC;
            TEST_CHECK(r.is_basic[i] == is_basic && (is_basic || r.bound[i] == t->basis[i] || is_free_variable(p, i)),
                       "%s: the replay and the answer have z_%d on different sides", name, i);
        }
        double *z = solve_basis(&r, p), size = fmax(largest(p->n, t->z), 1e-300);
        for (int i = 0; i < p->n; ++i) {
            TEST_CHECK(fabs(z[i] - t->z[i]) <= tol * size, "%s: z_%d is %g, replayed %g", name, i, t->z[i], z[i]);
        }
        free(z);
    }
    replay_free(&r);
}

/* --- Random problems, all methods --- */

enum { ORDER_MAX = 12 };

/* M = B'B + skew, positive definite; bounds by kind: none, some free, boxes. */
typedef struct small {
    double M[ORDER_MAX * ORDER_MAX], q[ORDER_MAX], lower[ORDER_MAX], upper[ORDER_MAX];
    crn_lcp_problem p;
} small;

static void make_small(crn_random *random, int kind, small *s)
{
    const int n = 1 + crn_random_below(random, ORDER_MAX);
    double B[ORDER_MAX * ORDER_MAX];
    for (int i = 0; i < n * n; ++i) {
        B[i] = crn_random_normal(random);
    }
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            double sum = i == j ? 0.1 : 0.5 * (B[i + j * n] - B[j + i * n]);
            for (int k = 0; k < n; ++k) {
                sum += B[k + i * n] * B[k + j * n] / n;
            }
            s->M[i + j * n] = sum;
        }
        s->q[i] = crn_random_normal(random);
        bool is_free = kind == 1 && crn_random_below(random, 3) == 0;
        s->lower[i] = is_free ? -INFINITY : kind == 2 ? -crn_random_uniform(random, 0.0, 1.0) : 0.0;
        s->upper[i] = kind == 2 ? crn_random_uniform(random, 0.1, 1.0) : INFINITY;
    }
    s->p = (crn_lcp_problem){.n = n, .M = s->M, .ld = n, .q = s->q};
    if (kind > 0) {
        s->p.lower = s->lower;
        s->p.upper = s->upper;
    }
}

static void replays_reproduce_the_answer(void **state)
{
    (void)state;
    crn_random random = test_random("replay", TEST_SEED);
    static const crn_lcp_method methods[] = {CRN_LCP_AUTO,   CRN_LCP_SEARCH, CRN_LCP_LEMKE, CRN_LCP_LEMKE_LEX,
                                             CRN_LCP_YAMANE, CRN_LCP_MURTY,  CRN_LCP_PGS};
    int solved = 0, total = 0;
    for (int trial = 0; trial < 300; ++trial) {
        small s;
        make_small(&random, trial % 3, &s);
        for (size_t m = 0; m < sizeof methods / sizeof methods[0]; ++m) {
            crn_lcp_options options = crn_lcp_options_default(methods[m]);
            options.variant = methods[m] == CRN_LCP_MURTY && trial % 2 == 0 ? CRN_LCP_BLOCK : CRN_LCP_PLAIN;
            traced t = solve_traced(&s.p, options);
            if (methods[m] == CRN_LCP_PGS) {
                assert_int_equal(t.trace.count, 0);
            } else {
                check_replay(crn_lcp_method_name(methods[m]), &s.p, &t, methods[m] == CRN_LCP_MURTY);
                if (methods[m] != CRN_LCP_MURTY) {
                    check_driving(&t, s.p.n);
                }
                solved += t.result.outcome == CRN_LCP_SOLVED;
                ++total;
            }
            traced_free(&t);
        }
    }
    print_message("%d of %d solved\n", solved, total);
    assert_true(solved >= total * 9 / 10);
}

/* The cover of the most robust method falls to 0 at the end and is positive before. */
static void the_cover_is_positive_until_it_leaves(void **state)
{
    (void)state;
    crn_random random = test_random("cover", TEST_SEED + 1);
    for (int trial = 0; trial < 100; ++trial) {
        small s;
        make_small(&random, 0, &s);
        traced t = solve_traced(&s.p, crn_lcp_options_default(CRN_LCP_SEARCH));
        for (int i = 0; i < t.trace.count; ++i) {
            const crn_lcp_event *e = &t.trace.event[i];
            bool is_last = i == t.trace.count - 1;
            assert_int_equal(e->leaving == 2 * s.p.n, is_last);
            assert_true(is_last ? e->cover == 0.0 : e->cover > 0.0);
        }
        traced_free(&t);
    }
}

/* --- Warm starts --- */

static void a_warm_start_is_told_before_the_path(void **state)
{
    (void)state;
    crn_random random = test_random("warm", TEST_SEED + 2);
    static const crn_lcp_method methods[] = {CRN_LCP_SEARCH, CRN_LCP_LEMKE, CRN_LCP_YAMANE, CRN_LCP_MURTY};
    for (int trial = 0; trial < 200; ++trial) {
        small s;
        unsigned char start[ORDER_MAX];
        make_small(&random, trial % 2 == 0 ? 0 : 2, &s);
        for (int i = 0; i < s.p.n; ++i) {
            start[i] = (unsigned char)crn_random_below(&random, trial % 2 == 0 ? 2 : 3);
        }
        for (size_t m = 0; m < sizeof methods / sizeof methods[0]; ++m) {
            crn_lcp_options options = crn_lcp_options_default(methods[m]);
            options.start = start;
            traced t = solve_traced(&s.p, options);
            check_replay(crn_lcp_method_name(methods[m]), &s.p, &t, methods[m] == CRN_LCP_MURTY);
            traced_free(&t);
        }
    }
}

/* --- Known by hand --- */

/* M = I, q = (-1, -1): with ones as the cover both rows need z0 = 1, two ties at the beginning. z0 comes in for w_0; z_0
 * grows from 0 and drives z0 down at the same rate as w_1 rises from 0 ... w_1 = z0 - 1 = -z_0 falls: it blocks at once, no
 * tie; then z_1 comes in, and z0 leaves. */
static void ties_are_counted_as_by_hand(void **state)
{
    (void)state;
    double M[4] = {1, 0, 0, 1}, q[2] = {-1, -1};
    crn_lcp_problem p = {.n = 2, .M = M, .ld = 2, .q = q};
    static const crn_lcp_method methods[2] = {CRN_LCP_LEMKE, CRN_LCP_LEMKE_LEX};
    for (int m = 0; m < 2; ++m) {
        traced t = solve_traced(&p, crn_lcp_options_default(methods[m]));
        const crn_lcp_event *e = t.trace.event;
        assert_int_equal(t.trace.count, 3);
        assert_true(e[0].kind == CRN_LCP_ENTER && e[0].entering == 4 && e[0].leaving == 2);
        assert_true(e[0].ties == 2 && e[0].cover == 1.0 && e[0].depth == 0);
        assert_true(e[1].kind == CRN_LCP_EXCHANGE && e[1].entering == 0 && e[1].leaving == 3);
        assert_true(e[1].ties == 1 && e[1].cover == 1.0 && e[1].depth == 1);
        assert_true(e[2].kind == CRN_LCP_EXCHANGE && e[2].entering == 1 && e[2].leaving == 4);
        assert_true(e[2].ties == 1 && e[2].cover == 0.0 && e[2].depth == 2);
        traced_free(&t);
    }
}

/* M = [2 1; 1 2], q = (-5, -6) of the guide: murty brings in z_0, then z_1, both infeasible at first. */
static void principal_pivots_are_told_as_by_hand(void **state)
{
    (void)state;
    double M[4] = {2, 1, 1, 2}, q[2] = {-5, -6};
    crn_lcp_problem p = {.n = 2, .M = M, .ld = 2, .q = q};
    traced t = solve_traced(&p, crn_lcp_options_default(CRN_LCP_MURTY));
    const crn_lcp_event *e = t.trace.event;
    assert_int_equal(t.trace.count, 2);
    assert_true(e[0].entering == 0 && e[0].leaving == 2 && e[0].ties == 2 && e[0].depth == 0 && e[0].cover == 0.0);
    assert_true(e[1].entering == 1 && e[1].leaving == 3 && e[1].ties == 1 && e[1].depth == 1);
    traced_free(&t);
}

/* z in [0, 1], w = z - 3: z goes across its box, which ends with w = -2 <= 0. (yamane went on to z = 3 before, and was right
 * only because the answer is clamped to the box.) */
static void crossing_a_box_is_told(void **state)
{
    (void)state;
    double M[1] = {1}, q[1] = {-3}, lower[1] = {0}, upper[1] = {1};
    crn_lcp_problem p = {.n = 1, .M = M, .ld = 1, .q = q, .lower = lower, .upper = upper};
    static const crn_lcp_method methods[] = {CRN_LCP_SEARCH, CRN_LCP_LEMKE, CRN_LCP_YAMANE};
    for (size_t m = 0; m < sizeof methods / sizeof methods[0]; ++m) {
        traced t = solve_traced(&p, crn_lcp_options_default(methods[m]));
        const crn_lcp_event *e = t.trace.event;
        assert_int_equal(t.result.outcome, CRN_LCP_SOLVED);
        assert_int_equal(t.trace.count, 3);
        assert_true(e[0].kind == CRN_LCP_ENTER && e[0].entering == 2 && e[0].leaving == 1);
        assert_true(e[1].entering == 0 && e[1].leaving == 0 && e[1].bound == CRN_LCP_AT_UPPER);
        assert_true(e[2].entering == 1 && e[2].leaving == 2);
        traced_free(&t);
    }
}

/* w_1 = -1 + z_0, w_2 = 1 - 5e-12 - z_0 + z_1: where w_2 reaches 0 the cover is below 1e-12, which is as good as gone. z_1 takes
 * its place without a pivot, and that is told. */
static void a_cover_that_is_as_good_as_gone_leaves(void **state)
{
    (void)state;
    double M[4] = {1, -1, 0, 1}, q[2] = {-1, 1 - 5e-12};
    crn_lcp_problem p = {.n = 2, .M = M, .ld = 2, .q = q};
    int dropped = 0;
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        crn_lcp_options options = crn_lcp_options_default(CRN_LCP_SEARCH);
        options.seed = seed;
        traced t = solve_traced(&p, options);
        const crn_lcp_event *last = &t.trace.event[t.trace.count - 1];
        assert_int_equal(t.result.outcome, CRN_LCP_SOLVED);
        assert_int_equal(last->leaving, 4);
        check_replay("nearly gone", &p, &t, false);
        dropped += t.trace.count == t.result.pivots + 1;
        traced_free(&t);
    }
    print_message("%d of 20\n", dropped);
    assert_true(dropped > 0);
}

/* --- The gallery: backtracks, restarts, and the same bits --- */

static int count_kind(const traced *t, crn_lcp_event_kind kind)
{
    int count = 0;
    for (int i = 0; i < t->trace.count; ++i) {
        count += t->trace.event[i].kind == kind;
    }
    return count;
}

/* All but the seconds. (The nodes of yamane were not set where the start is the answer.) */
static void check_same_counts(const crn_lcp_result *a, const crn_lcp_result *b)
{
    assert_true(a->outcome == b->outcome && a->method == b->method && a->proof == b->proof);
    assert_memory_equal(&a->certificate.relative, &b->certificate.relative, sizeof(double));
    assert_int_equal(a->pivots, b->pivots);
    assert_int_equal(a->refactorizations, b->refactorizations);
    assert_int_equal(a->ties, b->ties);
    assert_int_equal(a->backtracks, b->backtracks);
    assert_int_equal(a->restarts, b->restarts);
    assert_int_equal(a->nodes, b->nodes);
    assert_int_equal(a->cycled, b->cycled);
}

static void check_same_bits(const crn_lcp_problem *p, const crn_lcp_options *options, const traced *t)
{
    double *z = take((size_t)p->n, sizeof *z);
    unsigned char *basis = take((size_t)p->n, 1);
    crn_workspace workspace = {0};
    crn_lcp_solution solution = {.z = z, .basis = basis};
    crn_lcp_result result;
    assert_int_equal(crn_lcp_solve(p, options, &workspace, &solution, &result, NULL), CRN_OK);
    assert_memory_equal(z, t->z, (size_t)p->n * sizeof *z);
    assert_memory_equal(basis, t->basis, (size_t)p->n);
    check_same_counts(&result, &t->result);
    crn_workspace_free(&workspace);
    free(z);
    free(basis);
}

typedef struct counts {
    int problems, pivots, ties, backtracks, restarts;
} counts;

static void follow(const char *name, const crn_lcp_problem *p, crn_lcp_method method, counts *sum)
{
    crn_lcp_options options = crn_lcp_options_default(method);
    traced t = solve_traced(p, options);
    check_same_bits(p, &options, &t);
    assert_int_equal(count_kind(&t, CRN_LCP_RESTART), t.result.restarts);
    int ties = 0;
    for (int i = 0; i < t.trace.count; ++i) {
        const crn_lcp_event *e = &t.trace.event[i];
        bool is_pivot = (e->kind == CRN_LCP_ENTER || e->kind == CRN_LCP_EXCHANGE) && e->depth >= 0;
        assert_true(!is_pivot || e->ties > 0 || method == CRN_LCP_SEARCH); /* search may repair its answer */
        ties += e->ties > 1;
    }
    if (method == CRN_LCP_SEARCH) {
        assert_int_equal(count_kind(&t, CRN_LCP_BACKTRACK), t.result.backtracks);
        assert_true(ties >= t.result.ties); /* a pivot taken again after a backtrack is told again */
    }
    if (p->n <= 60) {
        check_replay(name, p, &t, method == CRN_LCP_MURTY);
    }
    if (method != CRN_LCP_MURTY) {
        check_driving(&t, p->n);
    }
    sum->problems++;
    sum->pivots += t.result.pivots;
    sum->ties += t.result.ties;
    sum->backtracks += count_kind(&t, CRN_LCP_BACKTRACK);
    sum->restarts += t.result.restarts;
    traced_free(&t);
}

static void the_gallery_replays_and_keeps_its_bits(void **state)
{
    (void)state;
    static const crn_lcp_method methods[] = {CRN_LCP_SEARCH, CRN_LCP_LEMKE, CRN_LCP_LEMKE_LEX, CRN_LCP_YAMANE,
                                             CRN_LCP_MURTY};
    int families;
    const crn_gallery_family *family = crn_gallery_families(&families);
    for (size_t m = 0; m < sizeof methods / sizeof methods[0]; ++m) {
        counts sum = {0};
        for (int f = 0; f < families; ++f) {
            for (int index = 0; index < 6; ++index) {
                crn_lcp_data data = {.problem = {.n = 0}};
                assert_int_equal(family[f].make(index, 1, &data, NULL), CRN_OK);
                if (data.problem.n <= (methods[m] == CRN_LCP_SEARCH ? 150 : 60)) {
                    follow(family[f].name, &data.problem, methods[m], &sum);
                }
                crn_lcp_data_free(&data);
            }
        }
        print_message("%s: %d problems, %d pivots, %d ties, %d backtracks, %d restarts\n",
                      crn_lcp_method_name(methods[m]), sum.problems, sum.pivots, sum.ties, sum.backtracks,
                      sum.restarts);
        assert_int_equal(sum.backtracks > 0, methods[m] == CRN_LCP_YAMANE);
        assert_int_equal(sum.restarts > 0, methods[m] == CRN_LCP_SEARCH);
    }
}

/* Problem 15 of the bimatrix games has a path that ends on a ray after a tie: the other candidate is tried. */
static void a_backtrack_takes_the_other_candidate(void **state)
{
    (void)state;
    crn_lcp_data data = {.problem = {.n = 0}};
    assert_int_equal(crn_gallery_find("bimatrix")->make(15, 1, &data, NULL), CRN_OK);
    traced t = solve_traced(&data.problem, crn_lcp_options_default(CRN_LCP_SEARCH));
    int back = 0, first = -1;
    for (int i = 0; i < t.trace.count; ++i) {
        first = t.trace.event[i].kind == CRN_LCP_BACKTRACK ? i : first;
        back += t.trace.event[i].kind == CRN_LCP_BACKTRACK;
    }
    assert_int_equal(back, 1);
    const crn_lcp_event *again = &t.trace.event[first + 1], *before = &t.trace.event[first - 1];
    while (before->depth > t.trace.event[first].depth) {
        --before;
    }
    assert_true(before->depth == again->depth && before->ties == again->ties && before->ties > 1);
    assert_int_equal(before->entering, again->entering);
    assert_int_not_equal(before->leaving, again->leaving);
    check_replay("bimatrix 15", &data.problem, &t, false);
    traced_free(&t);
    crn_lcp_data_free(&data);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(replays_reproduce_the_answer),
        cmocka_unit_test(the_cover_is_positive_until_it_leaves),
        cmocka_unit_test(a_warm_start_is_told_before_the_path),
        cmocka_unit_test(ties_are_counted_as_by_hand),
        cmocka_unit_test(principal_pivots_are_told_as_by_hand),
        cmocka_unit_test(crossing_a_box_is_told),
        cmocka_unit_test(a_cover_that_is_as_good_as_gone_leaves),
        cmocka_unit_test(a_backtrack_takes_the_other_candidate),
        cmocka_unit_test(the_gallery_replays_and_keeps_its_bits),
    };
    return TEST_RUN(tests, argc, argv);
}
