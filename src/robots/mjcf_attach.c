/* <attach model body prefix>: a body of another file (<asset><model>) in the place of the element; without `body`, all of its world.
 *
 * The other file is read anew for each <attach>, and all its names get the prefix. <attach> becomes a <frame> with what is attached in
 * it. Defaults of the file are classes of their own, which inherit nothing from those of the first file. They, the assets, and what of its
 * contacts, equalities, tendons, actuators and sensors names only what came along, go behind the sections of the file that attaches. Its
 * <compiler> counts for its bodies (mjcf_settings.c). Keyframes, options and pictures stay behind, which is told. */
#include "robots/mjcf.h"

#include "text/xml_tree.h"

#include <stdio.h>
#include <string.h>

/* Attributes that are names or lead to one, and those of them that lead to what may not have come along. */
static const char NAMES[] =
    " name class childclass joint joint1 joint2 jointinparent body body1 body2 geom geom1 geom2 site site1 site2 "
    "sidesite cranksite slidersite refsite tendon tendon1 tendon2 actuator mesh hfield material texture objname "
    "refname model camera target ";
static const char LEADS[] =
    " joint joint1 joint2 jointinparent body body1 body2 geom geom1 geom2 site site1 site2 sidesite cranksite "
    "slidersite refsite tendon tendon1 tendon2 actuator objname refname ";

/* One <attach> at work. */
typedef struct attachment {
    crn_mjcf *mjcf;
    crn_xml *xml; /* the file that is attached */
    crn_xml_node *root;
    crn_xml_node *to;   /* root of the file that attaches */
    crn_xml_node *node; /* <attach>, then <frame> */
    const char *prefix;
    const char *main; /* its outermost class, as it is called now */
} attachment;

/* Is " name " in a list of words? */
static bool is_in(const char *words, const char *name)
{
    char word[40];
    int size = snprintf(word, sizeof word, " %s ", name);
    return size > 0 && (size_t)size < sizeof word && strstr(words, word) != NULL;
}

/* --- Names --- */

/* prefix and name, as long as the file lives; NULL after a message. */
static const char *prefixed(const attachment *a, const crn_xml_node *node, const char *name, size_t length)
{
    size_t before = strlen(a->prefix);
    char *whole = crn_mjcf_keep(a->mjcf, node, before + length + 1);
    if (whole != NULL) {
        memcpy(whole, a->prefix, before);
        memcpy(whole + before, name, length);
        whole[before + length] = '\0';
    }
    return whole;
}

/* Give the element an attribute that it does not have. */
static crn_status add_attribute(const attachment *a, crn_xml_node *node, const char *name, const char *value)
{
    size_t count = (size_t)node->attributes;
    crn_xml_attribute *list = value != NULL ? crn_mjcf_keep(a->mjcf, node, (count + 1) * sizeof *list) : NULL;
    if (list == NULL) {
        return CRN_ERR_MEMORY;
    }
    if (count > 0) {
        memcpy(list, node->attribute, count * sizeof *list);
    }
    list[count] = (crn_xml_attribute){name, value, false};
    node->attribute = list;
    node->attributes++;
    return CRN_OK;
}

/* A mesh without a name is called as its file is. */
static crn_status name_asset(const attachment *a, crn_xml_node *node)
{
    bool is_asset = strcmp(node->name, "mesh") == 0 || strcmp(node->name, "hfield") == 0;
    const char *file = crn_xml_look(node, "file");
    if (!is_asset || file == NULL || crn_xml_look(node, "name") != NULL) {
        return CRN_OK;
    }
    const char *slash = strrchr(file, '/'), *begin = slash != NULL ? slash + 1 : file, *dot = strrchr(begin, '.');
    size_t length = dot != NULL ? (size_t)(dot - begin) : strlen(begin);
    char *stem = crn_mjcf_keep(a->mjcf, node, length + 1);
    if (stem == NULL) {
        return CRN_ERR_MEMORY;
    }
    memcpy(stem, begin, length);
    stem[length] = '\0';
    return add_attribute(a, node, "name", stem);
}

/* The prefix before all names below a node, itself included. */
static crn_status rename_all(const attachment *a, crn_xml_node *node)
{
    crn_status status = name_asset(a, node);
    for (int i = 0; i < node->attributes && status == CRN_OK; ++i) {
        crn_xml_attribute *attribute = &node->attribute[i];
        bool is_world = strncmp(attribute->name, "body", 4) == 0 && strcmp(attribute->value, "world") == 0;
        if (is_in(NAMES, attribute->name) && attribute->value[0] != '\0' && !is_world) {
            attribute->value = prefixed(a, node, attribute->value, strlen(attribute->value));
            status = attribute->value != NULL ? CRN_OK : CRN_ERR_MEMORY;
        }
    }
    for (crn_xml_node *child = node->child; child != NULL && status == CRN_OK; child = child->next) {
        status = rename_all(a, child);
    }
    return status;
}

/* An element of that name (NULL: any) called `value` below a node; NULL: none, or a hostile file that makes us look for ever. */
static crn_xml_node *find_below(crn_mjcf *mjcf, crn_xml_node *node, const char *name, const char *value)
{
    for (crn_xml_node *child = node->child; child != NULL; child = child->next) {
        if (++mjcf->looks > CRN_MJCF_LOOKS_MOST) {
            return NULL;
        }
        const char *own = crn_xml_look(child, "name");
        bool is_kind = name == NULL || strcmp(child->name, name) == 0;
        crn_xml_node *found =
            is_kind && own != NULL && strcmp(own, value) == 0 ? child : find_below(mjcf, child, name, value);
        if (found != NULL) {
            return found;
        }
    }
    return NULL;
}

/* --- Sections --- */

static void append(crn_xml_node *parent, crn_xml_node *node)
{
    crn_xml_node **link = &parent->child;
    while (*link != NULL) {
        link = &(*link)->next;
    }
    node->next = NULL;
    *link = node;
}

/* Does an element, or what is in it, lead to something that stayed behind? */
static bool leads_out(const attachment *a, const crn_xml_node *node)
{
    for (int i = 0; i < node->attributes; ++i) {
        const crn_xml_attribute *attribute = &node->attribute[i];
        bool is_world = strncmp(attribute->name, "body", 4) == 0 && strcmp(attribute->value, "world") == 0;
        if (is_in(LEADS, attribute->name) && !is_world &&
            find_below(a->mjcf, a->node, NULL, attribute->value) == NULL &&
            find_below(a->mjcf, a->to, NULL, attribute->value) == NULL) {
            return true;
        }
    }
    for (const crn_xml_node *child = node->child; child != NULL; child = child->next) {
        if (leads_out(a, child)) {
            return true;
        }
    }
    return false;
}

/* Move a section behind those of the file that attaches, without what leads out. */
static crn_status move_section(const attachment *a, crn_xml_node *section)
{
    crn_status status = CRN_OK;
    bool has_classes = strcmp(section->name, "sensor") != 0;
    crn_xml_node **link = &section->child;
    crn_xml_node *rest = section->child;
    section->child = NULL;
    append(a->to, section);
    while (rest != NULL && status == CRN_OK) {
        crn_xml_node *node = rest;
        rest = node->next;
        if (leads_out(a, node)) {
            crn_mjcf_warn(a->mjcf, node, "attached", "names what is not attached, and is left out");
            continue;
        }
        bool is_plain = !has_classes || strcmp(node->name, "exclude") == 0 || crn_xml_look(node, "class") != NULL;
        status = is_plain ? CRN_OK : add_attribute(a, node, "class", a->main);
        node->next = NULL;
        *link = node;
        link = &node->next;
    }
    return status;
}

/* Meshes without a class are of the file's own outermost one. */
static crn_status move_assets(const attachment *a, crn_xml_node *section)
{
    crn_status status = CRN_OK;
    for (crn_xml_node *node = NULL; status == CRN_OK && (node = crn_xml_child(section, "mesh", node)) != NULL;) {
        status = crn_xml_look(node, "class") == NULL ? add_attribute(a, node, "class", a->main) : CRN_OK;
    }
    append(a->to, section);
    return status;
}

static crn_status move_default(const attachment *a, crn_xml_node *section)
{
    crn_mjcf *mjcf = a->mjcf;
    if (mjcf->attached_defaults == CRN_MJCF_FILES_MOST) {
        return crn_mjcf_fail(mjcf, section, CRN_ERR_UNSUPPORTED, "more than %d of attached files", CRN_MJCF_FILES_MOST);
    }
    mjcf->attached_default[mjcf->attached_defaults++] = section;
    append(a->to, section);
    return crn_xml_look(section, "class") == NULL ? add_attribute(a, section, "class", a->main) : CRN_OK;
}

/* All sections of that name. */
static crn_status move_named(const attachment *a, const char *name,
                             crn_status (*move)(const attachment *a, crn_xml_node *section))
{
    crn_status status = CRN_OK;
    for (crn_xml_node **link = &a->root->child; *link != NULL && status == CRN_OK;) {
        crn_xml_node *section = *link;
        if (strcmp(section->name, name) != 0) {
            link = &section->next;
            continue;
        }
        *link = section->next;
        status = move(a, section);
    }
    return status;
}

/* In the order in which they name each other. */
static crn_status move_sections(const attachment *a)
{
    static const char *const names[] = {"contact", "tendon", "equality", "actuator", "sensor"};
    crn_status status = move_named(a, "default", move_default);
    status = status == CRN_OK ? move_named(a, "asset", move_assets) : status;
    for (size_t i = 0; i < sizeof names / sizeof *names && status == CRN_OK; ++i) {
        status = move_named(a, names[i], move_section);
    }
    for (const crn_xml_node *left = a->root->child; left != NULL && status == CRN_OK; left = left->next) {
        if (strcmp(left->name, "worldbody") != 0 && strcmp(left->name, "compiler") != 0) {
            crn_mjcf_warn(a->mjcf, left, "attached", "of an attached file: has no effect");
        }
    }
    return status;
}

/* --- Bodies --- */

static int height_of(const crn_xml_node *node)
{
    int most = 0;
    for (const crn_xml_node *child = node->child; child != NULL; child = child->next) {
        int height = height_of(child);
        most = height > most ? height : most;
    }
    return most + 1;
}

/* The class of elements in `parent` that give none: the next childclass above; else the outermost. */
static const char *class_around(const attachment *a, const crn_xml_node *parent)
{
    for (; parent != NULL; parent = parent->parent) {
        const char *name = crn_xml_look(parent, "childclass");
        if (name != NULL) {
            return name;
        }
    }
    return a->main;
}

/* <attach> becomes a frame with the body in it, or with all that is in the world. */
static crn_status move_bodies(attachment *a, const char *body, int depth)
{
    crn_xml_node *world = NULL, *found = NULL;
    a->node->name = "frame";
    a->node->child = NULL;
    a->node->attributes = 0;
    const char *around = a->main;
    while ((world = crn_xml_child(a->root, "worldbody", world)) != NULL) {
        found = body != NULL && found == NULL ? find_below(a->mjcf, world, "body", body) : found;
        for (crn_xml_node *rest = world->child; body == NULL && rest != NULL;) {
            crn_xml_node *node = rest;
            rest = node->next;
            append(a->node, node);
        }
    }
    if (body != NULL && found == NULL) {
        return crn_mjcf_fail(a->mjcf, a->node, CRN_ERR_FORMAT, " body: the file has no body '%.60s'", body);
    }
    if (found != NULL) {
        around = class_around(a, found->parent);
        append(a->node, found); /* and what followed it stays behind */
    }
    if (depth + height_of(a->node) > CRN_XML_DEPTH_MOST) {
        return crn_mjcf_fail(a->mjcf, a->node, CRN_ERR_FORMAT, "elements are nested more than %d deep",
                             CRN_XML_DEPTH_MOST);
    }
    return add_attribute(a, a->node, "childclass", around);
}

/* --- All of it --- */

/* <model> of that name among the assets of a file. */
static crn_xml_node *find_model(const crn_xml_node *root, const char *name)
{
    for (crn_xml_node *assets = NULL; (assets = crn_xml_child(root, "asset", assets)) != NULL;) {
        for (crn_xml_node *model = NULL; (model = crn_xml_child(assets, "model", model)) != NULL;) {
            const char *own = crn_xml_get(model, "name");
            if (own != NULL && strcmp(own, name) == 0) {
                return model;
            }
        }
    }
    return NULL;
}

/* The outermost class: an empty one if the file has no defaults. */
static crn_status find_main(attachment *a)
{
    const crn_xml_node *first = crn_xml_child(a->root, "default", NULL);
    const char *name = first != NULL ? crn_xml_look(first, "class") : NULL;
    a->main = name != NULL ? name : prefixed(a, a->root, "main", strlen("main"));
    if (first != NULL || a->main == NULL) {
        return a->main != NULL ? CRN_OK : CRN_ERR_MEMORY;
    }
    crn_xml_node *empty = crn_mjcf_keep(a->mjcf, a->root, sizeof *empty);
    if (empty == NULL) {
        return CRN_ERR_MEMORY;
    }
    *empty = (crn_xml_node){.name = "default", .text = "", .line = a->root->line, .parent = a->root};
    append(a->root, empty);
    return CRN_OK;
}

static crn_status attach(crn_mjcf *mjcf, crn_xml_node *to, crn_xml_node *node, int depth)
{
    const char *name = crn_xml_get(node, "model"), *prefix = crn_xml_get(node, "prefix");
    const char *body = crn_xml_get(node, "body");
    attachment a = {.mjcf = mjcf, .to = to, .node = node, .prefix = prefix != NULL ? prefix : ""};
    if (name == NULL || crn_xml_get(node, "frame") != NULL) {
        return name == NULL ? crn_mjcf_fail(mjcf, node, CRN_ERR_FORMAT, " model: missing")
                            : crn_mjcf_fail(mjcf, node, CRN_ERR_UNSUPPORTED, " frame: not supported");
    }
    crn_xml_node *model = find_model(to, name);
    if (model == NULL) {
        return crn_mjcf_fail(mjcf, node, CRN_ERR_FORMAT, " model: there is no '%.60s'", name);
    }
    crn_status status = crn_mjcf_add_attached(mjcf, model, node, &a.xml);
    if (status != CRN_OK) {
        return status;
    }
    a.root = crn_xml_root(a.xml);
    status = crn_mjcf_attach_all(mjcf, a.root, a.root, 1);
    status = status == CRN_OK ? rename_all(&a, a.root) : status;
    status = status == CRN_OK ? find_main(&a) : status;
    const char *wanted = status == CRN_OK && body != NULL ? prefixed(&a, node, body, strlen(body)) : NULL;
    if (status == CRN_OK && body != NULL && wanted == NULL) {
        status = CRN_ERR_MEMORY;
    }
    status = status == CRN_OK ? move_bodies(&a, wanted, depth) : status;
    return status == CRN_OK ? move_sections(&a) : status;
}

crn_status crn_mjcf_attach_all(crn_mjcf *mjcf, crn_xml_node *root, crn_xml_node *node, int depth)
{
    crn_status status = CRN_OK;
    for (crn_xml_node *child = node->child; child != NULL && status == CRN_OK; child = child->next) {
        bool is_attach = strcmp(child->name, "attach") == 0;
        status = is_attach ? attach(mjcf, root, child, depth) : crn_mjcf_attach_all(mjcf, root, child, depth + 1);
    }
    return status;
}
