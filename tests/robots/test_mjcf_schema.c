/* Every element and attribute of MuJoCo's schema is read, warned about or refused; none is dropped in silence. mjcf_names.txt has
 * their names (tools/mjcf_schema.py), mjcf_schema.h a file for each element and values of attributes; other attributes get the value 1.
 *
 * An attribute is refused if the file with it is an error, told if a warning is new with it, and read if a wrong value is an error, or
 * if the model that comes out is another one. Elements are judged in the same way. What is in an element that is left out as a whole is
 * told with it; so is a word that the line of pictures, or of the solver, has already. */
#include "mjcf_case.h"
#include "mjcf_schema.h"

#include "io/io_room.h"

enum { ENTRIES = sizeof mjcf_schema / sizeof *mjcf_schema, TEXT = 4096 };

typedef enum fate { READ, TOLD, REFUSED, SILENT, FATES } fate;
static const char *const fate_name[] = {"read", "warned", "refused", "silent"};

/* What reading a file gave. */
typedef struct outcome {
    crn_status status;
    mjcf_warnings warnings;
    char *scene; /* the model, written out; NULL: none */
} outcome;

static outcome read_file(const char *text)
{
    outcome o = {.warnings = {.count = 0}};
    crn_robot_options options = crn_robot_options_default();
    crn_model *model = NULL;
    crn_error error;
    options.skip_missing_meshes = true;
    options.warn = mjcf_warn;
    options.user = &o.warnings;
    assert_int_equal(crn_model_create(NULL, &model, NULL), CRN_OK);
    o.status = crn_io_read_mjcf_text(text, strlen(text), "m.xml", &options, model, &error);
    if (o.status == CRN_OK) {
        assert_int_equal(crn_io_write_scene_text(model, NULL, &o.scene, NULL, NULL), CRN_OK);
    }
    crn_model_destroy(model);
    return o;
}

/* The file of an entry with one attribute more, or with an element that it does not know (element NULL: without it). */
static outcome read_entry(const mjcf_entry *entry, bool has_element, const char *name, const char *value)
{
    char element[TEXT] = "", text[2 * TEXT];
    char more[200] = "";
    if (name != NULL) {
        (void)snprintf(more, sizeof more, "%s='%s'", name, value);
    }
    if (has_element) {
        int size = snprintf(element, sizeof element, "<%s %s %s>%s</%s>", entry->element, entry->needs, more,
                            entry->inside != NULL ? entry->inside : "", entry->element);
        assert_true(size > 0 && (size_t)size < sizeof element);
    }
    const char *at = strstr(entry->context, "%s");
    assert_non_null(at);
    int size = snprintf(text, sizeof text, "%.*s%s%s", (int)(at - entry->context), entry->context, element, at + 2);
    assert_true(size > 0 && (size_t)size < sizeof text);
    return read_file(text);
}

static void drop(outcome *o)
{
    free(o->scene);
}

/* What with does beyond without; wrong: the same with a value that nothing allows (NULL: there is none). */
static fate judge(const outcome *without, const outcome *with, const outcome *wrong)
{
    if (with->status != CRN_OK) {
        return REFUSED;
    }
    if (strcmp(with->warnings.text, without->warnings.text) != 0) {
        return TOLD;
    }
    bool is_other = without->scene == NULL || strcmp(with->scene, without->scene) != 0;
    return is_other || (wrong != NULL && wrong->status != CRN_OK) ? READ : SILENT;
}

/* Do warnings say that <name> is left out as a whole? */
static bool is_left_out(const mjcf_warnings *warnings, const char *name)
{
    assert_true(strlen(name) < 60);
    char alone[120], listed[120];
    (void)snprintf(alone, sizeof alone, "<%s>: not supported, left out\n", name);
    (void)snprintf(listed, sizeof listed, " <%s>", name);
    const char *at = strstr(warnings->text, listed);
    bool is_listed = at != NULL && strchr(",\n", at[strlen(listed)]) != NULL;
    return is_listed || strstr(warnings->text, alone) != NULL;
}

/* Is the attribute in the line of pictures, or of the solver? */
static bool is_listed(const mjcf_warnings *warnings, const char *name)
{
    char word[80];
    assert_true(strlen(name) < 60);
    (void)snprintf(word, sizeof word, " %.60s", name);
    for (const char *line = warnings->text; (line = strstr(line, "<mujoco>: ")) != NULL; ++line) {
        for (const char *at = line; (at = strstr(at, word)) != NULL && at < strchr(line, '\n'); ++at) {
            if (strchr(",\n", at[strlen(word)]) != NULL && strchr(",:", at[-1]) != NULL) {
                return true;
            }
        }
    }
    return false;
}

/* The element that the entry's stands in, "" if none: what is open where the context has its %s. */
static void parent_of(const mjcf_entry *entry, char name[40])
{
    char open[20][40];
    int depth = 0;
    const char *at = entry->context, *end = strstr(at, "%s");
    for (at = strchr(at, '<'); at != NULL && at < end; at = strchr(at + 1, '<')) {
        const char *close = strchr(at, '>');
        if (at[1] == '/') {
            --depth;
        } else if (close[-1] != '/') {
            assert_true(depth < 20);
            (void)snprintf(open[depth++], sizeof open[0], "%.*s", (int)strcspn(at + 1, " >"), at + 1);
        }
    }
    (void)snprintf(name, 40, "%s", depth > 0 ? open[depth - 1] : "");
}

static bool is_told_as_whole(const mjcf_entry *entry, const outcome *o)
{
    char parent[40];
    parent_of(entry, parent);
    return is_left_out(&o->warnings, entry->element) || (parent[0] != '\0' && is_left_out(&o->warnings, parent));
}

static fate judge_attribute(const mjcf_entry *entry, const char *name, const char *value)
{
    outcome without = read_entry(entry, true, NULL, NULL), with = read_entry(entry, true, name, value);
    outcome wrong = read_entry(entry, true, name, "@@");
    fate f = judge(&without, &with, &wrong);
    f = f == SILENT && (is_told_as_whole(entry, &with) || is_listed(&with.warnings, name)) ? TOLD : f;
    drop(&without);
    drop(&with);
    drop(&wrong);
    return f;
}

static fate judge_element(const mjcf_entry *entry)
{
    outcome without = read_entry(entry, false, NULL, NULL), with = read_entry(entry, true, NULL, NULL);
    fate f = judge(&without, &with, NULL);
    f = f == SILENT && is_told_as_whole(entry, &with) ? TOLD : f;
    drop(&without);
    drop(&with);
    return f;
}

static void count_fate(int counts[FATES], fate f, const char *element, const char *attribute)
{
    counts[f]++;
    if (f == SILENT) {
        print_message("silent: <%s> %s\n", element, attribute);
    }
}

/* Elements that mean something only by what is in them: settings, an empty class of defaults, sections. */
static bool says_nothing(const mjcf_entry *entry)
{
    static const char *const names[] = {"mujoco",  "compiler", "option", "flag",     "default",  "frame", "asset",
                                        "contact", "equality", "tendon", "actuator", "keyframe", "sensor"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        if (strcmp(entry->element, names[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* --- The walk --- */

/* The entry of an element in a parent of that name; the world is a body. NULL: none. */
static const mjcf_entry *find_entry(const char *parent, const char *element)
{
    for (int i = 0; i < ENTRIES; ++i) {
        char found[40];
        parent_of(&mjcf_schema[i], found);
        bool is_body = strcmp(found, "worldbody") == 0 && strcmp(parent, "body") == 0;
        bool is_world =
            strcmp(found, "worldbody") == 0 && strcmp(parent, "mujoco") == 0 && strcmp(element, "body") == 0;
        if (strcmp(mjcf_schema[i].element, element) == 0 && (strcmp(found, parent) == 0 || is_body || is_world)) {
            return &mjcf_schema[i];
        }
    }
    return NULL;
}

/* Some entry of that element, wherever it stands. */
static const mjcf_entry *find_anywhere(const char *element)
{
    for (int i = 0; i < ENTRIES; ++i) {
        if (strcmp(mjcf_schema[i].element, element) == 0) {
            return &mjcf_schema[i];
        }
    }
    return NULL;
}

/* Take an attribute (NULL: none) out of those that the entry needs; its value replaces the other one. */
static void take_out(mjcf_entry *entry, const char *name, char needs[TEXT], char value[200])
{
    char word[60];
    (void)snprintf(word, sizeof word, "%.50s='", name != NULL ? name : "");
    const char *at = strstr(entry->needs, word);
    if (at == NULL || (at != entry->needs && at[-1] != ' ')) {
        return;
    }
    const char *from = at + strlen(word), *to = strchr(from, '\'');
    (void)snprintf(value, 200, "%.*s", (int)(to - from), from);
    (void)snprintf(needs, TEXT, "%.*s%s", (int)(at - entry->needs), entry->needs, to + 1);
    entry->needs = needs;
}

/* An element of <default>, in the file of an element that asks for it and does not give that attribute (NULL: any) itself. */
static mjcf_entry default_entry(const char *element, const char *attribute, char context[TEXT])
{
    bool is_any = strcmp(element, "tendon") == 0 || strcmp(element, "equality") == 0;
    const char *user = strcmp(element, "tendon") == 0 ? "fixed" : is_any ? "weld" : element;
    const mjcf_entry *use = find_anywhere(user);
    if (use == NULL) { /* nothing asks */
        (void)snprintf(context, TEXT, "<mujoco><default>%%s</default><worldbody/></mujoco>");
        return (mjcf_entry){context, element, "", "", NULL};
    }
    static char needs[TEXT];
    char value[200];
    mjcf_entry asks = *use;
    take_out(&asks, attribute, needs, value);
    const char *at = strstr(use->context, "%s"), *behind = "<mujoco>";
    int size = snprintf(context, TEXT, "<mujoco><default>%%s</default>%.*s<%s %s>%s</%s>%s",
                        (int)(at - use->context - (int)strlen(behind)), use->context + strlen(behind), use->element,
                        asks.needs, use->inside != NULL ? use->inside : "", use->element, at + 2);
    assert_true(size > 0 && size < TEXT);
    return (mjcf_entry){context, element, "", use->attributes, NULL};
}

/* An element that has no file of its own: in its parent's, or in that of a left-out grandparent. */
static mjcf_entry inner_entry(const char *parent, const char *element, char context[TEXT])
{
    const mjcf_entry *outer = find_anywhere(parent);
    if (outer == NULL) {
        (void)snprintf(context, TEXT, "<mujoco><%s>%%s</%s><worldbody/></mujoco>", parent, parent);
    } else {
        const char *at = strstr(outer->context, "%s");
        int size = snprintf(context, TEXT, "%.*s<%s %s>%%s</%s>%s", (int)(at - outer->context), outer->context,
                            outer->element, outer->needs, outer->element, at + 2);
        assert_true(size > 0 && size < TEXT);
    }
    return (mjcf_entry){context, element, "", "", NULL};
}

/* The entry for PARENT/ELEMENT and one of its attributes (NULL: none); context is room for it. */
static mjcf_entry entry_of(const char *place, const char *attribute, char context[TEXT])
{
    char parent[40] = "";
    const char *slash = strchr(place, '/'), *element = slash != NULL ? slash + 1 : place;
    (void)snprintf(parent, sizeof parent, "%.*s", slash != NULL ? (int)(slash - place) : 0, place);
    const mjcf_entry *known = find_entry(parent, element);
    if (known != NULL) {
        return *known;
    }
    return strcmp(parent, "default") == 0 ? default_entry(element, attribute, context)
                                          : inner_entry(parent, element, context);
}

/* The value that an entry has for an attribute, else 1. */
static void value_of(const mjcf_entry *entry, const char *name, char value[200])
{
    size_t length = strlen(name);
    (void)snprintf(value, 200, "1");
    for (const char *at = entry->attributes; at != NULL && *at != '\0'; at += strcspn(at, "|"), at += *at == '|') {
        if (strncmp(at, name, length) == 0 && at[length] == '=') {
            at += length + 1;
            (void)snprintf(value, 200, "%.*s", (int)strcspn(at, "|"), at);
            return;
        }
    }
}

static void walk_line(char *line, int elements[FATES], int attributes[FATES])
{
    static char context[TEXT], needs[TEXT];
    char *rest = NULL, *place = strtok_r(line, " \n", &rest), *name;
    if (place == NULL) {
        return;
    }
    mjcf_entry entry = entry_of(place, NULL, context);
    if (!says_nothing(&entry) && strncmp(place, "default/", 8) != 0) {
        count_fate(elements, judge_element(&entry), place, "");
    }
    while ((name = strtok_r(NULL, " \n", &rest)) != NULL) {
        mjcf_entry without = entry_of(place, name, context);
        char value[200];
        value_of(&without, name, value);
        take_out(&without, name, needs, value);
        count_fate(attributes, judge_attribute(&without, name, value), place, name);
    }
}

static void test_walk(void **state)
{
    (void)state;
    int elements[FATES] = {0}, attributes[FATES] = {0};
    static char line[TEXT];
    FILE *file = fopen(CAIRN_SOURCE_DIR "/tests/robots/mjcf_names.txt", "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        walk_line(line, elements, attributes);
    }
    (void)fclose(file);
    for (int f = 0; f < FATES; ++f) {
        print_message("%s: %d elements, %d attributes\n", fate_name[f], elements[f], attributes[f]);
    }
    assert_int_equal(elements[SILENT] + attributes[SILENT], 0);
    assert_true(attributes[READ] > 100 && attributes[TOLD] > 100); /* the walk sees both */
}

/* Whatever the table has is in the schema, so that it is walked. */
static void test_names(void **state)
{
    (void)state;
    static char line[TEXT];
    for (int i = 0; i < ENTRIES; ++i) {
        char parent[40], place[100];
        parent_of(&mjcf_schema[i], parent);
        bool is_world = strcmp(parent, "worldbody") == 0;
        bool is_body = is_world && strcmp(mjcf_schema[i].element, "body") == 0;
        (void)snprintf(place, sizeof place, "%s%s%s ",
                       is_body    ? "mujoco"
                       : is_world ? "body"
                                  : parent,
                       parent[0] != '\0' ? "/" : "", mjcf_schema[i].element);
        FILE *file = fopen(CAIRN_SOURCE_DIR "/tests/robots/mjcf_names.txt", "r");
        bool is_found = false;
        while (fgets(line, sizeof line, file) != NULL) {
            line[strcspn(line, "\n")] = ' ';
            is_found = is_found || strncmp(line, place, strlen(place)) == 0;
        }
        (void)fclose(file);
        if (!is_found) {
            fail_msg("not in the schema: %s", place);
        }
    }
}

/* The walk can fail: what is silent is found, and so are the other fates. */
static void test_judge(void **state)
{
    (void)state;
    outcome plain = {.scene = (char *)(uintptr_t) "a"}, same = plain, other = {.scene = (char *)(uintptr_t) "b"};
    outcome refused = {.status = CRN_ERR_FORMAT}, told = plain;
    (void)snprintf(told.warnings.text, sizeof told.warnings.text, "m.xml: left out");
    assert_int_equal(judge(&plain, &same, &same), SILENT);
    assert_int_equal(judge(&plain, &same, &refused), READ);
    assert_int_equal(judge(&plain, &other, &same), READ);
    assert_int_equal(judge(&plain, &told, &told), TOLD);
    assert_int_equal(judge(&plain, &refused, &refused), REFUSED);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_walk), cmocka_unit_test(test_names),
                                       cmocka_unit_test(test_judge)};
    return TEST_RUN(tests, argc, argv);
}
