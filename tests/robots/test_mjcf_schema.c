/* Every element and attribute of MuJoCo's schema is read, warned about or refused; none is dropped in silence.
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

/* The element that the entry's stands in, "" if that is not at its beginning. */
static void parent_of(const mjcf_entry *entry, char name[40])
{
    const char *at = strstr(entry->context, "%s"), *begin = at;
    while (begin > entry->context && *begin != '<') {
        --begin;
    }
    bool is_parent = *begin == '<' && begin[1] != '/' && at[-1] == '>';
    (void)snprintf(name, 40, "%.*s", is_parent ? (int)(at - begin) - 2 : 0, begin + 1);
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

/* Elements that mean something only by their attributes: settings, an empty class of defaults. */
static bool says_nothing(const mjcf_entry *entry)
{
    static const char *const names[] = {"mujoco", "compiler", "option", "flag", "default", "frame"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        if (strcmp(entry->element, names[i]) == 0) {
            return true;
        }
    }
    return false;
}

static void test_walk(void **state)
{
    (void)state;
    int elements[FATES] = {0}, attributes[FATES] = {0};
    for (int i = 0; i < ENTRIES; ++i) {
        const mjcf_entry *entry = &mjcf_schema[i];
        if (!says_nothing(entry)) {
            count_fate(elements, judge_element(entry), entry->element, "");
        }
        char list[TEXT];
        assert_true(strlen(entry->attributes) < sizeof list);
        (void)snprintf(list, sizeof list, "%s", entry->attributes);
        for (char *at = list; *at != '\0';) {
            char *end = at + strcspn(at, "|"), *next = *end == '|' ? end + 1 : end;
            *end = '\0';
            char *value = strchr(at, '=');
            assert_non_null(value);
            *value++ = '\0';
            count_fate(attributes, judge_attribute(entry, at, value), entry->element, at);
            at = next;
        }
    }
    for (int f = 0; f < FATES; ++f) {
        print_message("%s: %d elements, %d attributes\n", fate_name[f], elements[f], attributes[f]);
    }
    assert_int_equal(elements[SILENT] + attributes[SILENT], 0);
    assert_true(attributes[READ] > 100 && attributes[TOLD] > 100); /* the walk sees both */
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_walk), cmocka_unit_test(test_judge)};
    return TEST_RUN(tests, argc, argv);
}
