/* Classes of defaults, and attributes of elements through them.
 *
 * <default class="c"> inside <default class="p"> makes c inherit from p; the outermost is "main". An element takes the
 * defaults of its own class, else of the nearest childclass above it, else of main. A list of numbers is filled from the
 * most general class to the element itself, each overwriting as many numbers as it gives, as in MuJoCo: with a default
 * friction="0.7" the other two coefficients keep their values. */
#include "robots/mjcf.h"

#include "base/memory.h"
#include "text/number.h"
#include "text/text.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const crn_mjcf_used = "used";

/* What messages show of a word from the file: cut, printable. */
static const char *show(const char *text, char shown[CRN_IO_WORD_SHOWN + 4])
{
    crn_io_word word = {.text = text, .length = strlen(text)};
    return crn_io_word_show(&word, shown);
}

/* --- Classes --- */

int crn_mjcf_class_find(const crn_mjcf *mjcf, const char *name)
{
    for (int i = 0; i < mjcf->classes; ++i) {
        if (strcmp(mjcf->class_at[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

/* Outermost classes of attached files stand beside main. */
static bool is_attached(const crn_mjcf *mjcf, const crn_xml_node *node)
{
    for (int i = 0; i < mjcf->attached_defaults; ++i) {
        if (mjcf->attached_default[i] == node) {
            return true;
        }
    }
    return false;
}

/* The class of a <default> below `parent` (-1: outermost), made if it is new. */
static crn_status find_or_add(crn_mjcf *mjcf, crn_xml_node *node, int parent, int *index)
{
    const char *name = crn_xml_get(node, "class");
    if (name == NULL && parent >= 0) {
        return crn_mjcf_fail(mjcf, node, CRN_ERR_FORMAT, " class: missing");
    }
    name = parent < 0 && !is_attached(mjcf, node) ? "main" : name; /* however the outermost is called */
    *index = crn_mjcf_class_find(mjcf, name);
    if (*index >= 0) {
        return mjcf->class_at[*index].parent == parent
                   ? CRN_OK
                   : crn_mjcf_fail(mjcf, node, CRN_ERR_FORMAT, " class: the name is in use inside another class");
    }
    int depth = parent < 0 ? 0 : mjcf->class_at[parent].depth + 1;
    if (depth >= CRN_MJCF_CLASS_DEPTH) {
        return crn_mjcf_fail(mjcf, node, CRN_ERR_UNSUPPORTED, "more than %d classes deep", CRN_MJCF_CLASS_DEPTH);
    }
    crn_status status = crn_mjcf_room(mjcf, node, (void **)&mjcf->class_at, &mjcf->class_places, mjcf->classes,
                                      sizeof(crn_mjcf_class), CRN_MJCF_CLASSES_MOST);
    if (status == CRN_OK) {
        *index = mjcf->classes++;
        mjcf->class_at[*index] = (crn_mjcf_class){.name = name, .parent = parent, .depth = depth};
    }
    return status;
}

static crn_status read_class(crn_mjcf *mjcf, crn_xml_node *node, int parent)
{
    int index = -1, elements = 0;
    crn_status status = find_or_add(mjcf, node, parent, &index);
    if (status != CRN_OK) {
        return status;
    }
    crn_mjcf_class *class_at = &mjcf->class_at[index];
    if (class_at->sections == CRN_MJCF_SECTION_MOST) {
        return crn_mjcf_fail(mjcf, node, CRN_ERR_UNSUPPORTED, "the class is in more than %d parts",
                             CRN_MJCF_SECTION_MOST);
    }
    class_at->section[class_at->sections++] = node;
    for (crn_xml_node *child = node->child; child != NULL && status == CRN_OK; child = child->next) {
        if (strcmp(child->name, "default") == 0) {
            status = read_class(mjcf, child, index);
        } else if (++elements > CRN_MJCF_SECTION_MOST) {
            status = crn_mjcf_fail(mjcf, child, CRN_ERR_UNSUPPORTED, "more than %d elements in a class",
                                   CRN_MJCF_SECTION_MOST);
        }
    }
    return status;
}

crn_status crn_mjcf_read_classes(crn_mjcf *mjcf)
{
    crn_xml_node *root = crn_xml_root(mjcf->file[0]);
    crn_status status =
        crn_mjcf_room(mjcf, root, (void **)&mjcf->class_at, &mjcf->class_places, 0, sizeof(crn_mjcf_class), 1);
    if (status == CRN_OK) { /* main is always there, and the first */
        mjcf->class_at[mjcf->classes++] = (crn_mjcf_class){.name = "main", .parent = -1};
    }
    for (crn_xml_node *node = NULL; status == CRN_OK && (node = crn_xml_child(root, "default", node)) != NULL;) {
        status = read_class(mjcf, node, -1);
    }
    return status;
}

/* --- Elements --- */

static bool is_among(const char *name, const char *const *names)
{
    for (; names != NULL && *names != NULL; ++names) {
        if (strcmp(name, *names) == 0) {
            return true;
        }
    }
    return false;
}

static crn_status add_owners(const crn_mjcf *mjcf, int class_index, const char *const *names, crn_mjcf_element *element)
{
    const crn_mjcf_class *class_at = &mjcf->class_at[class_index];
    crn_status status = CRN_OK;
    if (class_at->parent >= 0) {
        status = add_owners(mjcf, class_at->parent, names, element);
    }
    for (int i = 0; i < class_at->sections; ++i) {
        for (crn_xml_node *child = class_at->section[i]->child; child != NULL && status == CRN_OK;
             child = child->next) {
            if (strcmp(child->name, element->node->name) != 0 && !is_among(child->name, names)) {
                continue;
            }
            if (element->owners == CRN_MJCF_OWNERS_MOST - 1) { /* the last place is the element's own */
                return crn_mjcf_fail(mjcf, element->node, CRN_ERR_UNSUPPORTED, "more than %d defaults apply",
                                     CRN_MJCF_OWNERS_MOST - 1);
            }
            child->text = crn_mjcf_used;
            element->owner[element->owners++] = child;
        }
    }
    return status;
}

crn_status crn_mjcf_element_of(const crn_mjcf *mjcf, crn_xml_node *node, int class_index, const char *const *names,
                               crn_mjcf_element *element)
{
    element->node = node;
    element->owners = 0;
    const char *own = crn_xml_get(node, "class");
    if (own != NULL) {
        class_index = crn_mjcf_class_find(mjcf, own);
        if (class_index < 0) {
            char shown[CRN_IO_WORD_SHOWN + 4];
            return crn_mjcf_fail(mjcf, node, CRN_ERR_FORMAT, " class: there is no '%s'", show(own, shown));
        }
    }
    crn_status status = add_owners(mjcf, class_index, names, element);
    element->owner[element->owners++] = node;
    return status;
}

/* --- Attributes --- */

/* The text and who gives it. All are asked, so that all count as read. */
static const char *find_text(const crn_mjcf_element *element, const char *name, const crn_xml_node **owner)
{
    const char *found = NULL;
    for (int i = 0; i < element->owners; ++i) {
        const char *text = crn_xml_get(element->owner[i], name);
        if (text != NULL) {
            found = text;
            *owner = element->owner[i];
        }
    }
    return found;
}

const char *crn_mjcf_text(const crn_mjcf_element *element, const char *name)
{
    const crn_xml_node *owner = NULL;
    return find_text(element, name, &owner);
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* The next number of a text; false if the next word is none. *text is NULL when there is no further word. */
static bool next_number(const char **text, double *value)
{
    const char *at = *text;
    while (is_space(*at)) {
        ++at;
    }
    if (*at == '\0') {
        *text = NULL;
        return true;
    }
    size_t length = 0;
    while (at[length] != '\0' && !is_space(at[length])) {
        ++length;
    }
    *text = at + length;
    return crn_io_number_read(at, length, value) && isfinite(*value);
}

/* How many numbers, most at most, are written to `to`; -1: something else is there, or more. */
static int parse_numbers(const char *text, int most, double *to)
{
    for (int count = 0;; ++count) {
        double value = 0.0;
        if (!next_number(&text, &value)) {
            return -1;
        }
        if (text == NULL) {
            return count;
        }
        if (count == most) {
            return -1;
        }
        to[count] = value;
    }
}

static crn_status fail_numbers(const crn_mjcf *mjcf, const crn_xml_node *owner, const char *name, int least, int most,
                               const char *text)
{
    char shown[CRN_IO_WORD_SHOWN + 4], range[40];
    if (least == most) {
        (void)snprintf(range, sizeof range, "%d", most);
    } else {
        (void)snprintf(range, sizeof range, "%d to %d", least, most);
    }
    return crn_mjcf_fail(mjcf, owner, CRN_ERR_FORMAT, " %s: needs %s number%s, but is '%s'", name, range,
                         most == 1 ? "" : "s", show(text, shown));
}

crn_status crn_mjcf_numbers(const crn_mjcf *mjcf, const crn_mjcf_element *element, const char *name, int least,
                            int most, double *to, int *given)
{
    int largest = 0;
    for (int i = 0; i < element->owners; ++i) {
        const char *text = crn_xml_get(element->owner[i], name);
        if (text == NULL) {
            continue;
        }
        int count = parse_numbers(text, most, to);
        if (count < least) {
            return fail_numbers(mjcf, element->owner[i], name, least, most, text);
        }
        largest = count > largest ? count : largest;
    }
    if (given != NULL) {
        *given = largest;
    }
    return CRN_OK;
}

crn_status crn_mjcf_number(const crn_mjcf *mjcf, const crn_mjcf_element *element, const char *name, double *to)
{
    return crn_mjcf_numbers(mjcf, element, name, 1, 1, to, NULL);
}

crn_status crn_mjcf_vector(const crn_mjcf *mjcf, const crn_mjcf_element *element, const char *name, crn_vec3 *to,
                           int *given)
{
    double v[3] = {to->x, to->y, to->z};
    crn_status status = crn_mjcf_numbers(mjcf, element, name, 3, 3, v, given);
    *to = (crn_vec3){v[0], v[1], v[2]};
    return status;
}

crn_status crn_mjcf_integer(const crn_mjcf *mjcf, const crn_mjcf_element *element, const char *name, int lowest,
                            int highest, int *to)
{
    double value = *to;
    crn_status status = crn_mjcf_number(mjcf, element, name, &value);
    if (status == CRN_OK && !(value >= lowest && value <= highest && value == floor(value))) {
        return crn_mjcf_fail(mjcf, element->node, CRN_ERR_FORMAT, " %s: must be an integer of %d .. %d, but is %.9g",
                             name, lowest, highest, value);
    }
    *to = status == CRN_OK ? (int)value : *to;
    return status;
}

crn_status crn_mjcf_word(const crn_mjcf *mjcf, const crn_mjcf_element *element, const char *name,
                         const char *const *words, int *to)
{
    const crn_xml_node *owner = NULL;
    const char *text = find_text(element, name, &owner);
    if (text == NULL) {
        return CRN_OK;
    }
    for (int i = 0; words[i] != NULL; ++i) {
        if (strcmp(words[i], text) == 0) {
            *to = i;
            return CRN_OK;
        }
    }
    char shown[CRN_IO_WORD_SHOWN + 4];
    return crn_mjcf_fail(mjcf, owner, CRN_ERR_FORMAT, " %s: '%s' is unknown", name, show(text, shown));
}

crn_status crn_mjcf_flag(const crn_mjcf *mjcf, const crn_mjcf_element *element, const char *name, bool *to)
{
    static const char *const words[] = {"false", "true", NULL};
    int value = *to ? 1 : 0;
    crn_status status = crn_mjcf_word(mjcf, element, name, words, &value);
    *to = value == 1;
    return status;
}

crn_status crn_mjcf_array(const crn_mjcf *mjcf, const crn_mjcf_element *element, const char *name, double **values,
                          int *count)
{
    const crn_xml_node *owner = NULL;
    const char *text = find_text(element, name, &owner);
    *values = NULL;
    *count = 0;
    if (text == NULL) {
        return CRN_OK;
    }
    size_t most = strlen(text) / 2 + 1; /* a digit and a blank each */
    if (most > INT_MAX) {
        return crn_mjcf_fail(mjcf, owner, CRN_ERR_UNSUPPORTED, " %s: too long", name);
    }
    *values = crn_mjcf_keep(mjcf, owner, most * sizeof **values);
    if (*values == NULL) {
        return CRN_ERR_MEMORY;
    }
    int found = parse_numbers(text, (int)most, *values);
    if (found < 0) {
        char shown[CRN_IO_WORD_SHOWN + 4];
        return crn_mjcf_fail(mjcf, owner, CRN_ERR_FORMAT, " %s: holds something that is not a number: '%s'", name,
                             show(text, shown));
    }
    *count = found;
    return CRN_OK;
}

const char *crn_mjcf_name(const crn_mjcf *mjcf, crn_xml_node *node, const char *suffix)
{
    const char *name = crn_xml_get(node, "name");
    if (name == NULL || name[0] == '\0' || suffix[0] == '\0') {
        return name != NULL && name[0] == '\0' ? NULL : name;
    }
    size_t size = strlen(name) + strlen(suffix) + 1;
    char *whole = crn_mjcf_keep(mjcf, node, size);
    if (whole != NULL) {
        (void)snprintf(whole, size, "%s%s", name, suffix);
    }
    return whole; /* NULL without memory: the next request for memory says so */
}

crn_status crn_mjcf_prefixed(const crn_mjcf *mjcf, const crn_xml_node *node, const char *name, const char **whole)
{
    const char *prefix = mjcf->options->prefix != NULL ? mjcf->options->prefix : "";
    *whole = name;
    if (name == NULL || prefix[0] == '\0') {
        return CRN_OK;
    }
    size_t size = strlen(prefix) + strlen(name) + 1;
    char *text = crn_mjcf_keep(mjcf, node, size);
    if (text == NULL) {
        return CRN_ERR_MEMORY;
    }
    (void)snprintf(text, size, "%s%s", prefix, name);
    *whole = text;
    return CRN_OK;
}

crn_status crn_mjcf_range(const crn_mjcf *mjcf, const crn_mjcf_element *element, const char *limited, const char *name,
                          double range[2])
{
    static const char *const words[] = {"false", "true", "auto", NULL};
    int word = 2, given = 0;
    double read[2] = {0, 0};
    crn_status status = crn_mjcf_word(mjcf, element, limited, words, &word);
    status = status == CRN_OK ? crn_mjcf_numbers(mjcf, element, name, 2, 2, read, &given) : status;
    if (status != CRN_OK || word == 0 || (word == 2 && (given == 0 || !mjcf->set.auto_limits))) {
        return status;
    }
    if (!(read[0] < read[1])) {
        return crn_mjcf_fail(mjcf, element->node, CRN_ERR_FORMAT, " %s: %.9g must be less than %.9g", name, read[0],
                             read[1]);
    }
    range[0] = read[0];
    range[1] = read[1];
    return CRN_OK;
}
