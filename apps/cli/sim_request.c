/* The command line of `cairn sim`. */
#include "sim_request.h"

#include "args.h"
#include "cli.h"
#include "contact_request.h"

#include "gallery_worlds.h"

#include <float.h>
#include <limits.h>
#include <string.h>

enum {
    OPTION_DT,
    OPTION_TIME,
    OPTION_SCHEME,
    OPTION_METHOD,
    OPTION_CONE,
    OPTION_CLEARANCE,
    OPTION_OUTPUT,
    OPTION_CSV,
    OPTION_HTML,
    OPTION_LIVE,
    OPTION_NOTES,
    OPTION_EVERY,
    OPTION_STRICT,
    OPTION_DUMP,
    OPTION_WRITE,
    OPTION_FIXED,
    OPTION_NO_FLOOR,
    OPTION_SELF_COLLISION,
    OPTION_SKIP_MESHES,
    OPTION_PACKAGES,
    OPTION_KEY,
    OPTION_CONTROL,
    OPTION_SET,
    OPTION_LIST,
    OPTION_JSON,
    OPTION_HELP,
    OPTION_COUNT
};

static const cli_option options[OPTION_COUNT] = {
    [OPTION_DT] = {"--dt", "H", "time step [s] (default: the scene's)"},
    [OPTION_TIME] = {"--time", "T", "length of the run [s] (default: the scene's)"},
    [OPTION_SCHEME] = {"--scheme", "NAME", "coulomb, convex or plain (default: the scene's)"},
    [OPTION_METHOD] = {"--method", "NAME", "how contacts are solved, as for 'cairn contact'"},
    [OPTION_CONE] = {"--cone", "NAME", "polygon or round (default: the scene's)"},
    [OPTION_CLEARANCE] = {"--clearance", "G",
                          "play of loops that do not fit, of their size (default: the scene's; < 0: none)"},
    [OPTION_OUTPUT] = {"-o", "FILE", "write a recording (.crn)"},
    [OPTION_CSV] = {"--csv", "FILE", "write a row per step: its figures and the scene's probes"},
    [OPTION_HTML] = {"--html", "FILE", "write a page that plays the motion in any browser"},
    [OPTION_LIVE] = {"--live", NULL, "the page begins with the simulation itself, to be touched, not with the film"},
    [OPTION_NOTES] = {"--notes", NULL, "recordings tell of each frame how its problem is solved; pages always do"},
    [OPTION_EVERY] = {"--every", "N", "record every Nth step only; with --json, tell the trajectory at these steps"},
    [OPTION_STRICT] =
        {"--strict", NULL,
         "refuse a scene whose bodies overlap deeply at the start, and robots of which something is left out"},
    [OPTION_DUMP] = {"--dump", "FOLDER", "write the contact problem of each step that is not solved (20 at most)"},
    [OPTION_WRITE] = {"--write", "FILE", "write the scene as JSON and stop"},
    [OPTION_FIXED] = {"--fixed", NULL, "robots: weld the root to the world"},
    [OPTION_NO_FLOOR] = {"--no-floor", NULL, "robots: no floor below one that floats"},
    [OPTION_SELF_COLLISION] = {"--self-collision", NULL, "robots: links touch each other"},
    [OPTION_SKIP_MESHES] = {"--skip-meshes", NULL, "robots: leave out shapes whose mesh is missing"},
    [OPTION_PACKAGES] = {"--packages", "FOLDER", "robots: what package://NAME/ stands for"},
    [OPTION_KEY] = {"--key", "NAME", "start from this key of the scene"},
    [OPTION_CONTROL] = {"--ctrl", "NAME=VALUE",
                        "control of an actuator, by name or number; several with commas between them"},
    [OPTION_SET] = {"--set", "PLACE=VALUE",
                    "change a value of the scene: bodies.box.mass=2; several with commas between them"},
    [OPTION_LIST] = {"--list", NULL, "list the scenes of the gallery"},
    [OPTION_JSON] = {"--json", NULL, "one JSON object instead of text"},
    [OPTION_HELP] = {"--help", NULL, "this text"},
};

/* Longest run and largest step [s]; beyond them somebody has mistyped. */
static const double longest = 1e9;

static const char *scheme_name(int i)
{
    return crn_scheme_name((crn_scheme)i);
}

static const char *method_name(int i)
{
    return crn_contact_method_name((crn_contact_method)i);
}

static const char *cone_name(int i)
{
    return contact_cone_name((crn_contact_cone)i);
}

static const cli_names names[] = {
    {.prefix = "gallery:", .name = crn_gallery_world_name},
    {.option = "--scheme", .name = scheme_name},
    {.option = "--method", .name = method_name},
    {.option = "--cone", .name = cone_name},
};

const cli_command cli_sim_command = {
    .name = "sim",
    .summary = "simulate a scene of bodies, joints, contact and friction",
    .usage = "sim SCENE [OPTIONS]\n"
             "sim --list",
    .about = "Simulate bodies, joints, contact and friction, one certified complementarity problem per step. SCENE is\n"
             "scene JSON, a robot (.urdf, or MJCF as .xml or .mjcf), or gallery:NAME for a scene of the gallery.",
    .options = options,
    .option_count = OPTION_COUNT,
    .names = names,
    .name_count = sizeof names / sizeof names[0],
    .after =
        "Exit codes: 0 every step was solved, 1 some step was not or the motion diverged, 2 bad usage or bad input.",
    .endings = "json urdf xml mjcf",
    .run = sim_command_run,
};

static bool read_names(const cli_args *args, sim_request *request)
{
    return cli_args_name(args, OPTION_SCHEME, scheme_name, &request->scheme) &&
           cli_args_name(args, OPTION_METHOD, method_name, &request->method) &&
           cli_args_name(args, OPTION_CONE, cone_name, &request->cone);
}

/* Options that make no sense together; false after a message. */
static bool check_combination(const sim_request *r, const char *const *given)
{
    if (r->is_list ? r->scene != NULL : r->scene == NULL) {
        (void)cli_fail(r->is_list ? "sim: '%s' does not go with --list" : "sim: no scene given; try 'cairn sim --help'",
                       r->is_list ? r->scene : "");
        return false;
    }
    static const int of_a_run[] = {OPTION_OUTPUT, OPTION_CSV,    OPTION_HTML, OPTION_LIVE, OPTION_NOTES,
                                   OPTION_EVERY,  OPTION_STRICT, OPTION_DUMP, OPTION_KEY,  OPTION_CONTROL};
    for (size_t i = 0; i < sizeof of_a_run / sizeof of_a_run[0]; ++i) {
        if (given[of_a_run[i]] != NULL && (r->write != NULL || r->is_list)) {
            (void)cli_fail("sim: %s does not go with %s", options[of_a_run[i]].name, r->is_list ? "--list" : "--write");
            return false;
        }
    }
    if (r->is_live && r->page == NULL) {
        (void)cli_fail("sim: --live is for pages: give --html FILE");
        return false;
    }
    static const int of_robots[] = {OPTION_FIXED, OPTION_NO_FLOOR, OPTION_SELF_COLLISION, OPTION_SKIP_MESHES,
                                    OPTION_PACKAGES};
    for (size_t i = 0; i < sizeof of_robots / sizeof of_robots[0]; ++i) {
        if (given[of_robots[i]] != NULL && (r->is_list || !crn_file_is_robot(r->scene))) {
            (void)cli_fail("sim: %s is for robots: files that end with " CRN_FILE_ROBOT_ENDINGS,
                           options[of_robots[i]].name);
            return false;
        }
    }
    return true;
}

bool sim_request_read(sim_request *request, int argc, char **argv)
{
    const char *given[OPTION_COUNT] = {NULL};
    *request = (sim_request){.scheme = -1, .method = -1, .cone = -1};
    cli_args args = {.command = "sim",
                     .options = options,
                     .option_count = OPTION_COUNT,
                     .given = given,
                     .files = &request->scene,
                     .file_limit = 1};
    if (!cli_args_read(&args, argc, argv)) {
        return false;
    }
    request->output = given[OPTION_OUTPUT];
    request->csv = given[OPTION_CSV];
    request->page = given[OPTION_HTML];
    request->is_live = given[OPTION_LIVE] != NULL;
    request->has_notes = given[OPTION_NOTES] != NULL;
    request->write = given[OPTION_WRITE];
    request->dump = given[OPTION_DUMP];
    request->is_json = given[OPTION_JSON] != NULL;
    request->is_strict = given[OPTION_STRICT] != NULL;
    request->is_list = given[OPTION_LIST] != NULL;
    request->is_fixed = given[OPTION_FIXED] != NULL;
    request->no_floor = given[OPTION_NO_FLOOR] != NULL;
    request->self_collision = given[OPTION_SELF_COLLISION] != NULL;
    request->skip_meshes = given[OPTION_SKIP_MESHES] != NULL;
    request->packages = given[OPTION_PACKAGES];
    request->key = given[OPTION_KEY];
    request->controls = given[OPTION_CONTROL];
    request->changes = given[OPTION_SET];
    bool is_good = read_names(&args, request) && cli_args_real(&args, OPTION_DT, DBL_MIN, longest, &request->dt) &&
                   cli_args_real(&args, OPTION_TIME, DBL_MIN, longest, &request->time) &&
                   cli_args_real(&args, OPTION_CLEARANCE, -1.0, 1.0, &request->clearance) &&
                   cli_args_int(&args, OPTION_EVERY, 1, INT_MAX, &request->every) && check_combination(request, given);
    return is_good;
}

void sim_request_apply(const sim_request *request, crn_world_def *def)
{
    def->dt = request->dt > 0.0 ? request->dt : def->dt;
    def->duration = request->time > 0.0 ? request->time : def->duration;
    def->scheme = request->scheme >= 0 ? (crn_scheme)request->scheme : def->scheme;
    def->method = request->method >= 0 ? (crn_contact_method)request->method : def->method;
    def->loop_clearance = request->clearance != 0.0 ? request->clearance : def->loop_clearance;
    def->cone = request->cone >= 0 ? (crn_contact_cone)request->cone : def->cone;
}
