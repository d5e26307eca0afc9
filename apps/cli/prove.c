/* cairn prove -- a proof about a problem that can be kept and checked by somebody else, and its check. */
#include "args.h"
#include "cli.h"
#include "json.h"
#include "numpy.h"

#include <cairn/cairn.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    OPTION_LOWER,
    OPTION_UPPER,
    OPTION_ANSWER,
    OPTION_EXACT,
    OPTION_MOTION,
    OPTION_OUTPUT,
    OPTION_CHECK,
    OPTION_JSON,
    OPTION_HELP,
    OPTION_COUNT
};

static const cli_option options[OPTION_COUNT] = {
    [OPTION_LOWER] = {"--lower", "FILE", "lower bounds, a Matrix Market vector; -inf allowed (default 0)"},
    [OPTION_UPPER] = {"--upper", "FILE", "upper bounds; inf allowed (default inf)"},
    [OPTION_ANSWER] = {"--answer", "FILE", "a vector z to prove instead of solving, whoever computed it"},
    [OPTION_EXACT] = {"--exact", NULL, "rational numbers before an enclosure, whatever they cost"},
    [OPTION_MOTION] = {"--motion", NULL,
                       "bound the distance to the motion of every solution: convex contacts, monotone M"},
    [OPTION_OUTPUT] = {"-o", "FILE", "write the proof (JSON)"},
    [OPTION_CHECK] = {"--check", "FILE", "check this proof instead of making one"},
    [OPTION_JSON] = {"--json", NULL, "one JSON object instead of text"},
    [OPTION_HELP] = {"--help", NULL, "this text"},
};

static int prove_run(int argc, char **argv);

const cli_command cli_prove_command = {
    .name = "prove",
    .summary = "prove an answer of a complementarity problem, or check a proof",
    .usage = "prove M.mtx q.mtx [--lower l.mtx] [--upper u.mtx] [-o PROOF.json] [OPTIONS]\n"
             "prove --check PROOF.json M.mtx q.mtx [--lower l.mtx] [--upper u.mtx]",
    .about =
        "Solve the problem, or take the answer that is given, and prove as much as can be proved: that a solution "
        "exists\n"
        "within given bounds (enclosure), that rational numbers solve it (exact), that z solves a problem whose q is "
        "nearly\n"
        "the same (backward), or that there is no solution (infeasible, exhausted). tools/check_proof.py checks the "
        "file without\n"
        "Cairn.",
    .options = options,
    .option_count = OPTION_COUNT,
    .after = "Exit codes: 0 proved, or the proof holds; 1 nothing was proved, or it does not hold; 2 bad usage or bad "
             "input.",
    .endings = "mtx npy npz json",
    .run = prove_run,
};

/* What one call works on. */
typedef struct prove_job {
    const char *files[2];
    const char *given[OPTION_COUNT];
    crn_lcp_data data;
    double *z, *ray;
    unsigned char *basis;
    crn_lcp_result result;
    crn_proof proof;
} prove_job;

/* Where the variables of a given z stand. */
static void find_basis(prove_job *job)
{
    const crn_lcp_problem *p = &job->data.problem;
    for (int i = 0; i < p->n; ++i) {
        double l = p->lower != NULL ? p->lower[i] : 0.0;
        bool is_upper = p->upper != NULL && job->z[i] == p->upper[i];
        job->basis[i] = (unsigned char)(is_upper ? CRN_LCP_AT_UPPER : CRN_LCP_BASIC);
        job->basis[i] = (unsigned char)(job->z[i] == l ? CRN_LCP_AT_LOWER : job->basis[i]);
    }
}

static crn_status load(prove_job *job, crn_error *error)
{
    crn_status status = numpy_read_problem(job->files[0], job->files[1], job->given[OPTION_LOWER],
                                           job->given[OPTION_UPPER], &job->data, error);
    if (status != CRN_OK) {
        return status;
    }
    const size_t n = (size_t)job->data.problem.n + 1;
    job->z = calloc(n, sizeof *job->z);
    job->ray = calloc(n, sizeof *job->ray);
    job->basis = calloc(n, 1);
    if (job->z == NULL || job->ray == NULL || job->basis == NULL) {
        return crn_fail(error, CRN_ERR_MEMORY, "%s: no memory for an answer of %zu numbers", job->files[0], n - 1);
    }
    return CRN_OK;
}

/* The answer to prove: computed, or given. */
static crn_status find_answer(prove_job *job, crn_error *error)
{
    const crn_lcp_problem *p = &job->data.problem;
    if (job->given[OPTION_ANSWER] != NULL) {
        crn_status status = numpy_read_vector(job->given[OPTION_ANSWER], p->n, job->z, error);
        find_basis(job);
        job->result.outcome = CRN_LCP_SOLVED; /* so it is said; the proof shows */
        return status;
    }
    crn_workspace workspace = {.data = NULL};
    crn_lcp_solution solution = {.z = job->z, .basis = job->basis, .ray = job->ray};
    crn_status status = crn_lcp_solve(p, NULL, &workspace, &solution, &job->result, error);
    crn_workspace_free(&workspace);
    return status;
}

static const char *meaning(const crn_proof *proof)
{
    switch (proof->kind) {
    case CRN_PROOF_ENCLOSURE: return "PROVED: a solution exists, within the radii of the proof about z";
    case CRN_PROOF_EXACT: return "PROVED with exact zeros: the rational numbers of the proof are a solution";
    case CRN_PROOF_BACKWARD: return "BACKWARD: z solves exactly a problem whose q differs by at most eps";
    case CRN_PROOF_INFEASIBLE: return "INFEASIBLE: no z within the bounds gives every w the sign that it needs";
    case CRN_PROOF_INFEASIBLE_WITHIN:
        return "INFEASIBLE within eps: a problem whose M differs by at most eps has no solution";
    case CRN_PROOF_EXHAUSTED:
        return "NO SOLUTION: every choice of complementary sides is refuted by a Farkas vector of its own";
    case CRN_PROOF_MOTION:
        return "MOTION: if M is monotone, (z - z*)'M(z - z*) is at most gap for every solution z*, z that of the proof";
    case CRN_PROOF_NONE: break;
    }
    return "nothing could be proved";
}

static bool has_eps(const crn_proof *proof)
{
    return proof->kind == CRN_PROOF_BACKWARD || proof->kind == CRN_PROOF_INFEASIBLE_WITHIN;
}

/* How far the z of the proof is from the one it was made for: exact numbers may be those of the same basis elsewhere. */
static double distance(const prove_job *job)
{
    double most = 0.0;
    for (int i = 0; job->proof.z != NULL && i < job->data.problem.n; ++i) {
        most = fmax(most, fabs(job->proof.z[i] - job->z[i]));
    }
    return most;
}

static void report(const prove_job *job, double seconds)
{
    const crn_proof *proof = &job->proof;
    const char *outcome = job->given[OPTION_ANSWER] != NULL ? "given" : crn_lcp_outcome_name(job->result.outcome);
    if (job->given[OPTION_JSON] == NULL) {
        printf("problem      %s: n = %d\noutcome      %s\nproof        %s\n", job->files[0], job->data.problem.n,
               outcome, meaning(proof));
        if (proof->kind == CRN_PROOF_EXACT) {
            printf("distance     %.3g from z\n", distance(job));
        }
        if (has_eps(proof)) {
            printf("eps          %.3g\n", proof->eps);
        }
        if (proof->kind == CRN_PROOF_MOTION) {
            printf("gap          %.3g: for contacts, |v - v*| is at most %.3g in the norm of the masses\n", proof->gap,
                   nextafter(sqrt(proof->gap), INFINITY));
        }
        printf("time         %.3f ms to prove\n", 1e3 * seconds);
        return;
    }
    cli_json json = cli_json_begin(stdout);
    cli_json_string(&json, "problem", job->files[0]);
    cli_json_string(&json, "outcome", outcome);
    cli_json_string(&json, "proof", crn_proof_kind_name(proof->kind));
    if (has_eps(proof)) {
        cli_json_real(&json, "eps", proof->eps);
    }
    if (proof->kind == CRN_PROOF_MOTION) {
        cli_json_real(&json, "gap", proof->gap);
    }
    if (proof->kind == CRN_PROOF_EXACT) {
        cli_json_real(&json, "distance", distance(job));
    }
    cli_json_real(&json, "time_us", 1e6 * seconds);
    cli_json_end(&json);
}

static crn_status prove(prove_job *job, bool *is_proved, crn_error *error)
{
    crn_proof_options limits = crn_proof_options_default();
    if (job->given[OPTION_EXACT] != NULL) {
        limits.is_exact_first = true;
        limits.exact_most = job->data.problem.n;
    }
    limits.is_motion = job->given[OPTION_MOTION] != NULL;
    crn_status status = find_answer(job, error);
    crn_lcp_solution answer = {.z = job->z, .basis = job->basis, .ray = job->ray};
    const double begin = crn_seconds();
    if (status == CRN_OK) {
        status = crn_lcp_prove(&job->data.problem, job->result.outcome, &answer, &limits, &job->proof, error);
    }
    const double seconds = crn_seconds() - begin;
    *is_proved = job->proof.kind != CRN_PROOF_NONE;
    if (status == CRN_OK && *is_proved && job->given[OPTION_OUTPUT] != NULL) {
        status = crn_io_write_proof(job->given[OPTION_OUTPUT], &job->proof, error);
    }
    if (status == CRN_OK) {
        report(job, seconds);
    }
    return status;
}

static crn_status check(prove_job *job, bool *holds, crn_error *error)
{
    crn_status status = crn_io_read_proof(job->given[OPTION_CHECK], NULL, &job->proof, error);
    if (status == CRN_OK) {
        status = crn_proof_check(&job->data.problem, &job->proof, holds, error);
    }
    if (status == CRN_OK && job->given[OPTION_JSON] != NULL) {
        cli_json json = cli_json_begin(stdout);
        cli_json_bool(&json, "holds", *holds);
        cli_json_string(&json, "proof", crn_proof_kind_name(job->proof.kind));
        cli_json_string(&json, "reason", *holds ? "" : error->text);
        cli_json_end(&json);
    } else if (status == CRN_OK) {
        printf("%s: %s\n", *holds ? "yes" : "no", *holds ? meaning(&job->proof) : error->text);
    }
    return status;
}

static int prove_run(int argc, char **argv)
{
    prove_job job = {.files = {NULL}};
    cli_args args = {.command = "prove",
                     .options = options,
                     .option_count = OPTION_COUNT,
                     .given = job.given,
                     .files = job.files,
                     .file_limit = 2};
    if (!cli_args_read(&args, argc, argv)) {
        return CLI_BAD;
    }
    if (args.file_count != 2) {
        return cli_fail("prove: a problem is two files, M.mtx and q.mtx; try 'cairn prove --help'");
    }
    crn_error error = {.status = CRN_OK};
    bool is_good = false;
    crn_status status = load(&job, &error);
    if (status == CRN_OK) {
        status = job.given[OPTION_CHECK] != NULL ? check(&job, &is_good, &error) : prove(&job, &is_good, &error);
    }
    int code = is_good ? CLI_DONE : CLI_NO;
    if (status != CRN_OK) {
        code = cli_fail("%s", error.text);
    }
    crn_lcp_data_free(&job.data);
    crn_proof_free(&job.proof);
    free(job.z);
    free(job.ray);
    free(job.basis);
    return code;
}
