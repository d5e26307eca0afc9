/* The command line of `cairn solve`. */
#include "solve_request.h"

#include "args.h"
#include "cli.h"

#include <float.h>
#include <limits.h>
#include <stddef.h>
#include <string.h>

enum {
    OPTION_METHOD,
    OPTION_VARIANT,
    OPTION_LOWER,
    OPTION_UPPER,
    OPTION_KIND,
    OPTION_GAME,
    OPTION_QP,
    OPTION_BATCH,
    OPTION_TOL,
    OPTION_TIE,
    OPTION_EPSILON,
    OPTION_ERROR_MAX,
    OPTION_OMEGA,
    OPTION_MAX_PIVOTS,
    OPTION_SEED,
    OPTION_TIME,
    OPTION_REPEAT,
    OPTION_START,
    OPTION_OUTPUT,
    OPTION_BASIS_OUT,
    OPTION_DUMP,
    OPTION_TRACE,
    OPTION_JSON,
    OPTION_HELP,
    OPTION_COUNT
};

static const cli_option options[OPTION_COUNT] = {
    [OPTION_METHOD] = {"--method", "NAME", "how to solve (default auto); see the list below"},
    [OPTION_VARIANT] = {"--variant", "NAME", "plain; authors (yamane's own order); block (murty)"},
    [OPTION_LOWER] = {"--lower", "FILE", "lower bounds, a Matrix Market vector; -inf allowed (default 0)"},
    [OPTION_UPPER] = {"--upper", "FILE", "upper bounds; inf allowed (default inf)"},
    [OPTION_KIND] = {"--kind", "NAME", "what a .dat file holds: lcp, box, mlcp (default: found out)"},
    [OPTION_GAME] = {"--game", NULL, "the files are payoff matrices A and B of two players: find an equilibrium"},
    [OPTION_QP] = {"--qp", NULL, "the files are P q A l u: minimise x'Px/2 + q'x subject to l <= A x <= u"},
    [OPTION_BATCH] = {"--batch", "LIST", "solve every problem of a list: a pair or a .dat file per line"},
    [OPTION_TOL] = {"--tol", "X", "largest relative certificate that counts as solved"},
    [OPTION_TIE] = {"--tie", "X", "lemke-lex: ratios this near to the least are ties"},
    [OPTION_EPSILON] = {"--epsilon", "X", "yamane: how far below zero q' may fall"},
    [OPTION_ERROR_MAX] = {"--error-max", "X", "yamane: largest error of a node"},
    [OPTION_OMEGA] = {"--omega", "X", "pgs: relaxation, between 0 and 2"},
    [OPTION_MAX_PIVOTS] = {"--max-pivots", "N", "pivots (pgs: sweeps; yamane: nodes); 0: the method's own bound"},
    [OPTION_SEED] = {"--seed", "N", "search: seed of the covering vectors"},
    [OPTION_TIME] = {"--time-limit", "X", "seconds, after which the best point so far is told as limit; 0: none"},
    [OPTION_REPEAT] = {"--repeat", "N", "solve N times and tell the median time"},
    [OPTION_START] = {"--start", "FILE", "warm start: a vector of 0 (at lower), 1 (basic), 2 (at upper)"},
    [OPTION_OUTPUT] = {"-o", "FILE", "write z, if solved: .npy, or Matrix Market"},
    [OPTION_BASIS_OUT] = {"--basis-out", "FILE", "write the basis, fit for --start, if solved"},
    [OPTION_DUMP] = {"--dump", "DIR", "write problems that were not solved, and how to replay them"},
    [OPTION_TRACE] = {"--trace", NULL, "tell every pivot: what entered, what left, ties, backtracks"},
    [OPTION_JSON] = {"--json", NULL, "one JSON object instead of text"},
    [OPTION_HELP] = {"--help", NULL, "this text"},
};

static const char *const variants[] = {
    [CRN_LCP_PLAIN] = "plain", [CRN_LCP_AUTHORS_ORDER] = "authors", [CRN_LCP_BLOCK] = "block"};
enum { VARIANT_COUNT = sizeof variants / sizeof variants[0] };

static const char *const kinds[] = {
    [CRN_SICONOS_ANY] = "any", [CRN_SICONOS_LCP] = "lcp", [CRN_SICONOS_BOX] = "box", [CRN_SICONOS_MLCP] = "mlcp"};
enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };

static const char *variant_name(int i)
{
    return i < VARIANT_COUNT ? variants[i] : NULL;
}

static const char *kind_name(int i)
{
    return i < KIND_COUNT ? kinds[i] : NULL;
}

static const char *method_name(int i)
{
    return crn_lcp_method_name((crn_lcp_method)i);
}

static const char *method_about(int i)
{
    return crn_lcp_method_about((crn_lcp_method)i);
}

static const cli_names names[] = {
    {.option = "--method", .name = method_name, .title = "methods", .about = method_about},
    {.option = "--variant", .name = variant_name},
    {.option = "--kind", .name = kind_name},
};

const cli_command cli_solve_command = {
    .name = "solve",
    .summary = "solve linear complementarity problems, with a certificate",
    .usage = "solve M.mtx q.mtx [--lower l.mtx] [--upper u.mtx] [OPTIONS]\n"
             "solve FILE.dat [--kind lcp|box|mlcp] [OPTIONS]\n"
             "solve --batch LIST [OPTIONS]\n"
             "solve --game A.mtx B.mtx [OPTIONS]\n"
             "solve --qp P.mtx q.mtx A.mtx l.mtx u.mtx [-o x.mtx] [OPTIONS]",
    .about = "Find z within its bounds (0 and inf unless given) with w = M z + q >= 0 where z is at its lower bound,\n"
             "<= 0 at its upper one, and 0 between. M is a Matrix Market array (dense) or coordinate (sparse) file, a "
             "NumPy\n"
             "array (.npy) or a matrix by scipy.sparse.save_npz() (.npz); vectors are .mtx or .npy; .dat\n"
             "files are those of Siconos. A batch prints one JSON line per problem. A file named - is standard input.",
    .options = options,
    .option_count = OPTION_COUNT,
    .names = names,
    .name_count = sizeof names / sizeof names[0],
    .after = "Exit codes: 0 solved, 1 not solved, 2 bad usage or bad input.",
    .endings = "mtx dat npy npz",
    .run = solve_run,
};

const char *solve_variant_name(crn_lcp_variant variant)
{
    return variants[variant];
}

/* The options of the solver: the defaults of the method, then what was given. */
static bool read_solver_options(const cli_args *args, crn_lcp_options *solver)
{
    int method = CRN_LCP_AUTO;
    if (!cli_args_name(args, OPTION_METHOD, method_name, &method)) {
        return false;
    }
    *solver = crn_lcp_options_default((crn_lcp_method)method);
    int variant = (int)solver->variant;
    bool is_good = cli_args_name(args, OPTION_VARIANT, variant_name, &variant) &&
                   cli_args_real(args, OPTION_TOL, DBL_MIN, 1.0, &solver->tol) &&
                   cli_args_real(args, OPTION_TIE, 0.0, DBL_MAX, &solver->tie_width) &&
                   cli_args_real(args, OPTION_EPSILON, 0.0, DBL_MAX, &solver->epsilon) &&
                   cli_args_real(args, OPTION_ERROR_MAX, 0.0, DBL_MAX, &solver->error_max) &&
                   cli_args_real(args, OPTION_OMEGA, DBL_MIN, 2.0 - DBL_EPSILON, &solver->relaxation) &&
                   cli_args_real(args, OPTION_TIME, 0.0, DBL_MAX, &solver->time_limit) &&
                   cli_args_int(args, OPTION_MAX_PIVOTS, 0, INT_MAX, &solver->max_pivots) &&
                   cli_args_seed(args, OPTION_SEED, &solver->seed);
    solver->variant = (crn_lcp_variant)variant;
    return is_good;
}

/* The same for a game or a programme. */
static bool check_form(const solve_request *r, const char *const *given)
{
    static const int others[] = {OPTION_LOWER, OPTION_UPPER, OPTION_KIND,   OPTION_BATCH,    OPTION_START,
                                 OPTION_DUMP,  OPTION_TRACE, OPTION_REPEAT, OPTION_BASIS_OUT};
    const char *form = r->is_game ? "--game" : "--qp";
    if (r->is_game && r->is_qp) {
        (void)cli_fail("solve: --game does not go with --qp");
        return false;
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i) {
        if (given[others[i]] != NULL) {
            (void)cli_fail("solve: %s does not go with %s", options[others[i]].name, form);
            return false;
        }
    }
    const int needed = r->is_game ? 2 : 5;
    if (r->file_count != needed) {
        (void)cli_fail("solve: %s needs %d files, %s", form, needed, r->is_game ? "A and B" : "P, q, A, l and u");
    }
    return r->file_count == needed;
}

/* Options that make no sense together; false after a message. */
static bool check_combination(const solve_request *r, const char *const *given)
{
    if (r->is_game || r->is_qp) {
        return check_form(r, given);
    }
    if (r->batch != NULL) {
        static const int single[] = {OPTION_LOWER, OPTION_UPPER, OPTION_START, OPTION_OUTPUT, OPTION_BASIS_OUT};
        for (size_t i = 0; i < sizeof single / sizeof single[0]; ++i) {
            if (given[single[i]] != NULL) {
                (void)cli_fail("solve: %s does not go with --batch", options[single[i]].name);
                return false;
            }
        }
        if (r->file_count > 0) {
            (void)cli_fail("solve: '%s' does not go with --batch", r->files[0]);
        }
        return r->file_count == 0;
    }
    if (r->file_count > 2) {
        (void)cli_fail("solve: unexpected argument '%s'", r->files[2]);
        return false;
    }
    if (r->file_count == 0) {
        (void)cli_fail("solve: no problem given; try 'cairn solve --help'");
        return false;
    }
    if (r->file_count == 1 && (r->lower != NULL || r->upper != NULL)) {
        (void)cli_fail("solve: --lower and --upper go with M.mtx q.mtx, not with a .dat file");
        return false;
    }
    if (r->file_count == 2 && given[OPTION_KIND] != NULL) {
        (void)cli_fail("solve: --kind goes with a .dat file, not with M.mtx q.mtx");
        return false;
    }
    return true;
}

bool solve_request_read(solve_request *request, int argc, char **argv)
{
    const char *given[OPTION_COUNT] = {NULL};
    *request = (solve_request){.repeat = 1};
    cli_args args = {.command = "solve",
                     .options = options,
                     .option_count = OPTION_COUNT,
                     .given = given,
                     .files = request->files,
                     .file_limit = 5};
    if (!cli_args_read(&args, argc, argv)) {
        return false;
    }
    request->file_count = args.file_count;
    for (int i = 0; i < request->file_count; ++i) {
        request->files[i] = strcmp(request->files[i], "-") == 0 ? "/dev/stdin" : request->files[i];
    }
    request->is_game = given[OPTION_GAME] != NULL;
    request->is_qp = given[OPTION_QP] != NULL;
    request->batch = given[OPTION_BATCH];
    request->lower = given[OPTION_LOWER];
    request->upper = given[OPTION_UPPER];
    request->start = given[OPTION_START];
    request->output = given[OPTION_OUTPUT];
    request->basis_output = given[OPTION_BASIS_OUT];
    request->dump = given[OPTION_DUMP];
    request->has_trace = given[OPTION_TRACE] != NULL;
    request->is_json = given[OPTION_JSON] != NULL;
    int kind = CRN_SICONOS_ANY;
    bool is_good = check_combination(request, given) && read_solver_options(&args, &request->options) &&
                   cli_args_name(&args, OPTION_KIND, kind_name, &kind) &&
                   cli_args_int(&args, OPTION_REPEAT, 1, 1000000, &request->repeat);
    request->kind = (crn_siconos_kind)kind;
    return is_good;
}
