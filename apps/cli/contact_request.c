/* The command line of `cairn contact`. */
#include "contact_request.h"

#include "args.h"
#include "cli.h"

#include <float.h>
#include <limits.h>
#include <stddef.h>

enum {
    OPTION_METHOD,
    OPTION_CONE,
    OPTION_LAW,
    OPTION_EVEN,
    OPTION_FRICTIONLESS,
    OPTION_KIND,
    OPTION_BATCH,
    OPTION_TOL,
    OPTION_MAX_PIVOTS,
    OPTION_SEED,
    OPTION_REPEAT,
    OPTION_OUTPUT,
    OPTION_EXPORT_JSON,
    OPTION_EXPORT_FCLIB,
    OPTION_FORM,
    OPTION_EXPORT_LCP,
    OPTION_UNIQUENESS,
    OPTION_TRACE,
    OPTION_JSON,
    OPTION_HELP,
    OPTION_COUNT
};

static const cli_option options[OPTION_COUNT] = {
    [OPTION_METHOD] = {"--method", "NAME", "how to solve (default auto); see the list below"},
    [OPTION_CONE] = {"--cone", "NAME", "polygon (default: d corners) or round"},
    [OPTION_LAW] = {"--law", "NAME", "coulomb (default) or convex (round cones only)"},
    [OPTION_EVEN] = {"--even", NULL, "of all impulses with the same motion the most evenly distributed"},
    [OPTION_FRICTIONLESS] = {"--frictionless-first", NULL, "solve without friction first and start from there"},
    [OPTION_KIND] = {"--kind", "NAME", "what a .dat file holds: local, global (default: found out)"},
    [OPTION_BATCH] = {"--batch", "LIST", "solve every problem of a list: a file per line"},
    [OPTION_TOL] = {"--tol", "X", "largest relative certificate that counts as solved"},
    [OPTION_MAX_PIVOTS] = {"--max-pivots", "N", "pivots or steps; 0: the method's own bound"},
    [OPTION_SEED] = {"--seed", "N", "seed of the random shifts"},
    [OPTION_REPEAT] = {"--repeat", "N", "solve N times and tell the median time"},
    [OPTION_OUTPUT] = {"-o", "FILE", "write z as Matrix Market, if solved"},
    [OPTION_EXPORT_JSON] = {"--export-json", "FILE", "write the problem as contact JSON"},
    [OPTION_EXPORT_FCLIB] = {"--export-fclib", "FILE", "write the problem as an FCLIB file (HDF5)"},
    [OPTION_FORM] = {"--form", "NAME", "of --export-fclib: global (default, where there is one) or local"},
    [OPTION_EXPORT_LCP] = {"--export-lcp", "DIR", "write the assembled problem as M.mtx and q.mtx"},
    [OPTION_UNIQUENESS] = {"--uniqueness", NULL, "tell in JSON too what the problem determines"},
    [OPTION_TRACE] = {"--trace", NULL, "tell every pivot of the method states: which contact changed its state"},
    [OPTION_JSON] = {"--json", NULL, "one JSON object instead of text"},
    [OPTION_HELP] = {"--help", NULL, "this text"},
};

static const char *const cones[] = {[CRN_CONE_POLYGON] = "polygon", [CRN_CONE_ROUND] = "round"};
static const char *const laws[] = {[CRN_LAW_COULOMB] = "coulomb", [CRN_LAW_CONVEX] = "convex"};
static const char *const kinds[] = {[CRN_SICONOS_FRICTION_ANY] = "any",
                                    [CRN_SICONOS_FRICTION_LOCAL] = "local",
                                    [CRN_SICONOS_FRICTION_GLOBAL] = "global"};
static const char *const forms[] = {"global", "local"};
static const char *const methods[CRN_CONTACT_METHOD_COUNT] = {
    [CRN_CONTACT_AUTO] = "by size of each island",
    [CRN_CONTACT_STATES] = "Lemke's path on contact states: the fast and sure one",
    [CRN_CONTACT_STRUCTURAL] = "Lloyd's structural Lemke",
    [CRN_CONTACT_REDUCED] = "Lloyd's reduced Lemke",
    [CRN_CONTACT_BODIES] = "Newton and interior point on bodies, for large islands and round cones",
};

const char *contact_cone_name(crn_contact_cone cone)
{
    return (unsigned)cone < sizeof cones / sizeof cones[0] ? cones[cone] : NULL;
}

const char *contact_law_name(crn_contact_law law)
{
    return (unsigned)law < sizeof laws / sizeof laws[0] ? laws[law] : NULL;
}

static const char *cone_name(int i)
{
    return contact_cone_name((crn_contact_cone)i);
}

static const char *law_name(int i)
{
    return contact_law_name((crn_contact_law)i);
}

static const char *kind_name(int i)
{
    return (unsigned)i < sizeof kinds / sizeof kinds[0] ? kinds[i] : NULL;
}

static const char *form_name(int i)
{
    return (unsigned)i < sizeof forms / sizeof forms[0] ? forms[i] : NULL;
}

static const char *method_name(int i)
{
    return crn_contact_method_name((crn_contact_method)i);
}

static const char *method_about(int i)
{
    return methods[i];
}

static const cli_names names[] = {
    {.option = "--method", .name = method_name, .title = "methods", .about = method_about},
    {.option = "--cone", .name = cone_name},
    {.option = "--law", .name = law_name},
    {.option = "--kind", .name = kind_name},
    {.option = "--form", .name = form_name},
};

const cli_command cli_contact_command = {
    .name = "contact",
    .summary = "solve contact problems with friction, without forming a matrix",
    .usage = "contact PROBLEM [OPTIONS]\n"
             "contact --batch LIST [OPTIONS]",
    .about =
        "Find the impulses of contacts with Coulomb friction. PROBLEM is contact JSON (bodies and contact points, or\n"
        "a mass matrix and a Jacobian), an FCLIB file (HDF5) or a friction problem of Siconos (.dat); the last two\n"
        "have round cones. A batch prints one JSON line per problem.",
    .options = options,
    .option_count = OPTION_COUNT,
    .names = names,
    .name_count = sizeof names / sizeof names[0],
    .after = "Exit codes: 0 solved, 1 not solved, 2 bad usage or bad input.",
    .endings = "json hdf5 dat",
    .run = contact_run,
};

static bool read_solver_options(const cli_args *args, contact_request *request)
{
    crn_contact_options *solver = &request->options;
    *solver = crn_contact_options_default();
    int method = (int)solver->method, cone = (int)solver->cone, law = (int)solver->law;
    bool is_good = cli_args_name(args, OPTION_METHOD, method_name, &method) &&
                   cli_args_name(args, OPTION_CONE, cone_name, &cone) &&
                   cli_args_name(args, OPTION_LAW, law_name, &law) &&
                   cli_args_real(args, OPTION_TOL, DBL_MIN, 1.0, &solver->tol) &&
                   cli_args_int(args, OPTION_MAX_PIVOTS, 0, INT_MAX, &solver->max_pivots) &&
                   cli_args_seed(args, OPTION_SEED, &solver->seed);
    solver->method = (crn_contact_method)method;
    solver->cone = (crn_contact_cone)cone;
    solver->law = (crn_contact_law)law;
    solver->even = args->given[OPTION_EVEN] != NULL;
    solver->frictionless_first = args->given[OPTION_FRICTIONLESS] != NULL;
    request->has_tol = args->given[OPTION_TOL] != NULL;
    return is_good;
}

/* Friction files have round cones, Coulomb's law and one solver: what was asked for that they cannot follow. */
static const char *refused_by_cones(const contact_request *r, const char *const *given)
{
    if (given[OPTION_CONE] != NULL && r->options.cone == CRN_CONE_POLYGON) {
        return "--cone polygon";
    }
    if (r->options.law != CRN_LAW_COULOMB) {
        return "--law convex";
    }
    if (r->options.method != CRN_CONTACT_AUTO) {
        return "--method";
    }
    static const int others[] = {OPTION_EVEN, OPTION_FRICTIONLESS, OPTION_EXPORT_JSON, OPTION_EXPORT_LCP, OPTION_TRACE};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i) {
        if (given[others[i]] != NULL) {
            return options[others[i]].name;
        }
    }
    return NULL;
}

/* Options that make no sense together; false after a message. */
static bool check_combination(const contact_request *r, const char *const *given)
{
    static const int single[] = {OPTION_OUTPUT, OPTION_EXPORT_JSON, OPTION_EXPORT_FCLIB, OPTION_EXPORT_LCP};
    for (size_t i = 0; r->batch != NULL && i < sizeof single / sizeof single[0]; ++i) {
        if (given[single[i]] != NULL) {
            (void)cli_fail("contact: %s does not go with --batch", options[single[i]].name);
            return false;
        }
    }
    if (r->batch != NULL && r->file != NULL) {
        (void)cli_fail("contact: '%s' does not go with --batch", r->file);
        return false;
    }
    if (r->batch == NULL && r->file == NULL) {
        (void)cli_fail("contact: no problem given; try 'cairn contact --help'");
        return false;
    }
    if (given[OPTION_FORM] != NULL && r->export_fclib == NULL) {
        (void)cli_fail("contact: --form goes with --export-fclib");
        return false;
    }
    if (r->options.law == CRN_LAW_CONVEX && r->options.cone != CRN_CONE_ROUND) {
        (void)cli_fail("contact: --law convex goes with --cone round");
        return false;
    }
    return true;
}

bool contact_request_read(contact_request *request, int argc, char **argv)
{
    const char *given[OPTION_COUNT] = {NULL};
    *request = (contact_request){.repeat = 1};
    cli_args args = {.command = "contact",
                     .options = options,
                     .option_count = OPTION_COUNT,
                     .given = given,
                     .files = &request->file,
                     .file_limit = 1};
    if (!cli_args_read(&args, argc, argv)) {
        return false;
    }
    request->batch = given[OPTION_BATCH];
    request->output = given[OPTION_OUTPUT];
    request->export_json = given[OPTION_EXPORT_JSON];
    request->export_fclib = given[OPTION_EXPORT_FCLIB];
    request->export_lcp = given[OPTION_EXPORT_LCP];
    request->has_trace = given[OPTION_TRACE] != NULL;
    request->is_json = given[OPTION_JSON] != NULL || request->batch != NULL;
    request->is_uniqueness = given[OPTION_UNIQUENESS] != NULL;
    int kind = CRN_SICONOS_FRICTION_ANY, form = 0;
    bool is_good = read_solver_options(&args, request) && check_combination(request, given) &&
                   cli_args_name(&args, OPTION_KIND, kind_name, &kind) &&
                   cli_args_name(&args, OPTION_FORM, form_name, &form) &&
                   cli_args_int(&args, OPTION_REPEAT, 1, 1000000, &request->repeat);
    request->kind = (crn_siconos_friction)kind;
    request->is_local_export = form == 1;
    request->not_for_cones = refused_by_cones(request, given);
    return is_good;
}
