/* cairn info -- version, build and methods; or what a scene or robot consists of. */
#include "args.h"
#include "cli.h"
#include "info.h"
#include "info_scene.h"
#include "json.h"
#include "web_page.h"

#include <cairn/cairn.h>

#include <stdio.h>

enum { OPTION_JSON, OPTION_HELP, OPTION_COUNT };

static const cli_option options[OPTION_COUNT] = {
    [OPTION_JSON] = {"--json", NULL, "one JSON object"},
    [OPTION_HELP] = {"--help", NULL, "this text"},
};

static const char *const build_features[] = {
#ifdef NDEBUG
    "assertions off",
#else
    "assertions on",
#endif
#ifdef __OPTIMIZE__
    "optimised",
#else
    "not optimised",
#endif
#if defined(__AVX512F__)
    "avx512",
#elif defined(__AVX2__)
    "avx2",
#endif
#ifdef __SANITIZE_ADDRESS__
    "address sanitizer",
#endif
    "matrix-market",
    "siconos",
};
enum { BUILD_FEATURES = sizeof build_features / sizeof build_features[0], MOST_FEATURES = BUILD_FEATURES + 6 };

/* All features: those of the compilation, and the formats that depend on libraries. Returns how many. */
static int find_features(const char *features[MOST_FEATURES])
{
    int count = 0;
    while (count < BUILD_FEATURES) {
        features[count] = build_features[count];
        ++count;
    }
    if (crn_io_has_json()) {
        features[count++] = "contact-json";
    }
    if (crn_io_has_fclib()) {
        features[count++] = "fclib";
    }
    if (crn_io_has_xml()) {
        features[count++] = "urdf";
        features[count++] = "mjcf";
    }
    if (crn_proof_has_exact()) {
        features[count++] = "exact-proofs";
    }
    if (web_page_supported(NULL) == CRN_OK) {
        features[count++] = "page";
    }
    return count;
}

static void print_json(const char *const *methods, const char *const *contact_methods)
{
    const char *features[MOST_FEATURES];
    int count = find_features(features);
    cli_json json = cli_json_begin(stdout);
    cli_json_string(&json, "version", crn_version());
    cli_json_string(&json, "compiler", cli_info_compiler());
    cli_json_int(&json, "c_standard", __STDC_VERSION__);
    cli_json_int(&json, "pointer_bits", 8 * (int)sizeof(void *));
    cli_json_strings(&json, "features", count, features);
    cli_json_strings(&json, "methods", CRN_LCP_METHOD_COUNT, methods);
    cli_json_strings(&json, "contact_methods", CRN_CONTACT_METHOD_COUNT, contact_methods);
    cli_json_end(&json);
}

static void print_list(const char *label, int count, const char *const *names)
{
    printf("%-10s", label);
    for (int i = 0; i < count; ++i) {
        printf("%s%s", i == 0 ? "" : ", ", names[i]);
    }
    printf("\n");
}

static int run(int argc, char **argv)
{
    const char *given[OPTION_COUNT] = {NULL};
    const char *scene = NULL;
    cli_args args = {.command = "info",
                     .options = options,
                     .option_count = OPTION_COUNT,
                     .given = given,
                     .files = &scene,
                     .file_limit = 1};
    if (!cli_args_read(&args, argc, argv)) {
        return CLI_BAD;
    }
    if (scene != NULL) {
        return info_scene(scene, given[OPTION_JSON] != NULL);
    }
    const char *methods[CRN_LCP_METHOD_COUNT];
    for (int i = 0; i < CRN_LCP_METHOD_COUNT; ++i) {
        methods[i] = crn_lcp_method_name((crn_lcp_method)i);
    }
    const char *contact_methods[CRN_CONTACT_METHOD_COUNT];
    for (int i = 0; i < CRN_CONTACT_METHOD_COUNT; ++i) {
        contact_methods[i] = crn_contact_method_name((crn_contact_method)i);
    }
    if (given[OPTION_JSON] != NULL) {
        print_json(methods, contact_methods);
        return CLI_DONE;
    }
    printf("%-10s%s\n%-10s%s\n", "version", crn_version(), "compiler", cli_info_compiler());
    printf("%-10sC %ld, %d-bit pointers\n", "language", __STDC_VERSION__ / 100, 8 * (int)sizeof(void *));
    const char *features[MOST_FEATURES];
    int feature_count = find_features(features);
    print_list("features", feature_count, features);
    print_list("methods", CRN_LCP_METHOD_COUNT, methods);
    print_list("contact", CRN_CONTACT_METHOD_COUNT, contact_methods);
    return CLI_DONE;
}

const cli_command cli_info_command = {
    .name = "info",
    .summary = "version, build and methods; what a scene or robot consists of",
    .usage = "info [SCENE] [--json]",
    .about = "Version, build and methods. With SCENE, a file or gallery:NAME as for 'cairn sim': its bodies as a tree, "
             "joints,\n"
             "sites, actuators, keys and what is measured, by name.",
    .endings = "json urdf xml mjcf",
    .options = options,
    .option_count = OPTION_COUNT,
    .run = run,
};
