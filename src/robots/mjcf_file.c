/* Files of a model: the first one, and those that <include> puts in the place where it stands.
 *
 * What an <include> brings is linked into the list of elements that it stood in; `parent` of those elements still leads to
 * the root of their own file, so that messages find file and line. A file is included once at most: that ends loops and
 * keeps files from multiplying. Paths are relative to the file that includes. */
#include "robots/mjcf.h"

#include "base/memory.h"
#include "text/xml_tree.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* --- Messages --- */

static const crn_xml *file_of(const crn_mjcf *mjcf, const crn_xml_node *node)
{
    while (node->parent != NULL) {
        node = node->parent;
    }
    for (int i = 0; i < mjcf->files; ++i) {
        if (crn_xml_root(mjcf->file[i]) == node) {
            return mjcf->file[i];
        }
    }
    return mjcf->file[0];
}

crn_status crn_mjcf_fail(const crn_mjcf *mjcf, const crn_xml_node *node, crn_status status, const char *format, ...)
{
    char what[200];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return crn_xml_fail(file_of(mjcf, node), node, status, mjcf->error, "%s", what);
}

crn_status crn_mjcf_blame(const crn_mjcf *mjcf, const crn_xml_node *node, const crn_error *reason)
{
    crn_status status = reason->status == CRN_ERR_ARGUMENT ? CRN_ERR_FORMAT : reason->status;
    return crn_mjcf_fail(mjcf, node, status, "%s", reason->text);
}

void crn_mjcf_warn(crn_mjcf *mjcf, const crn_xml_node *node, const char *key, const char *format, ...)
{
    char what[200];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    crn_robot_warn(&mjcf->warnings, file_of(mjcf, node), node, node->name, key, "%s", what);
}

void crn_mjcf_note(crn_mjcf *mjcf, const crn_xml_node *node, const char *key, const char *what)
{
    crn_robot_note(&mjcf->warnings, file_of(mjcf, node), node, node->name, key, what);
}

/* --- Memory --- */

void *crn_mjcf_keep(const crn_mjcf *mjcf, const crn_xml_node *node, size_t bytes)
{
    void *piece = crn_xml_take(mjcf->file[0], bytes);
    if (piece == NULL) {
        (void)crn_mjcf_fail(mjcf, node, CRN_ERR_MEMORY, "no memory");
    }
    return piece;
}

crn_status crn_mjcf_room(const crn_mjcf *mjcf, const crn_xml_node *node, void **list, int *places, int count,
                         size_t size, int most)
{
    if (count >= most) {
        return crn_mjcf_fail(mjcf, node, CRN_ERR_UNSUPPORTED, "more than %d of them", most);
    }
    if (!crn_reserve(&mjcf->allocator, list, places, count + 1, size)) {
        return crn_mjcf_fail(mjcf, node, CRN_ERR_MEMORY, "no memory");
    }
    return CRN_OK;
}

/* --- Paths --- */

static bool is_absolute(const char *path)
{
    return path[0] == '/' || path[0] == '\\' || (path[0] != '\0' && path[1] == ':');
}

static size_t folder_length(const char *path)
{
    size_t length = strlen(path);
    while (length > 0 && path[length - 1] != '/' && path[length - 1] != '\\') {
        --length;
    }
    return length;
}

crn_status crn_mjcf_path(const crn_mjcf *mjcf, const crn_xml_node *node, const char *folder, const char *file,
                         char path[CRN_MJCF_PATH])
{
    const char *beside = is_absolute(file) || is_absolute(folder) ? "" : mjcf->folder;
    const char *inside = is_absolute(file) ? "" : folder;
    size_t length = strlen(inside);
    const char *slash = length > 0 && inside[length - 1] != '/' ? "/" : "";
    int size = snprintf(path, CRN_MJCF_PATH, "%s%s%s%s", beside, inside, slash, file);
    if (size < 0 || size >= CRN_MJCF_PATH) {
        return crn_mjcf_fail(mjcf, node, CRN_ERR_FORMAT, " file: the path is longer than %d bytes", CRN_MJCF_PATH - 1);
    }
    return CRN_OK;
}

/* --- Including --- */

static crn_status add_file(crn_mjcf *mjcf, const crn_xml_node *node, const char *path)
{
    for (int i = mjcf->first_of_part; i < mjcf->files; ++i) {
        if (strcmp(crn_xml_name(mjcf->file[i]), path) == 0) {
            return crn_mjcf_fail(mjcf, node, CRN_ERR_FORMAT, " file: '%.80s' is part of the model already", path);
        }
    }
    if (mjcf->files == CRN_MJCF_FILES_MOST) {
        return crn_mjcf_fail(mjcf, node, CRN_ERR_UNSUPPORTED, "more than %d files", CRN_MJCF_FILES_MOST);
    }
    if (crn_robot_is_special(path)) {
        return crn_mjcf_fail(mjcf, node, CRN_ERR_FORMAT, " file: '%.80s' is a folder, a pipe or a device", path);
    }
    crn_error reason = {.status = CRN_OK};
    crn_status status = crn_xml_read(path, &mjcf->allocator, &mjcf->file[mjcf->files], &reason);
    if (status == CRN_ERR_IO) { /* the name is wrong: that is a matter of this file */
        return crn_mjcf_fail(mjcf, node, status, "%s", reason.text);
    }
    if (status != CRN_OK) {
        return crn_fail(mjcf->error, status, "%s", reason.text);
    }
    mjcf->files++;
    return CRN_OK;
}

/* Beside the file that includes it; else beside the first one, where older versions of MuJoCo look. */
static crn_status find_included(const crn_mjcf *mjcf, const crn_xml_node *node, const char *file,
                                char path[CRN_MJCF_PATH])
{
    const char *own = crn_xml_name(file_of(mjcf, node));
    size_t folder = folder_length(own);
    int size = snprintf(path, CRN_MJCF_PATH, "%.*s%s", is_absolute(file) ? 0 : (int)folder, own, file);
    bool is_found = size > 0 && size < CRN_MJCF_PATH && crn_robot_is_file(path);
    return is_found ? CRN_OK : crn_mjcf_path(mjcf, node, "", file, path);
}

/* Put what the file holds in the place of *link, an <include>. */
static crn_status include(crn_mjcf *mjcf, crn_xml_node **link)
{
    crn_xml_node *node = *link;
    const char *file = crn_xml_get(node, "file");
    char path[CRN_MJCF_PATH];
    if (file == NULL) {
        return crn_mjcf_fail(mjcf, node, CRN_ERR_FORMAT, " file: missing");
    }
    crn_status status = find_included(mjcf, node, file, path);
    if (status == CRN_OK) {
        status = add_file(mjcf, node, path);
    }
    if (status != CRN_OK) {
        return status;
    }
    crn_xml_node *root = crn_xml_root(mjcf->file[mjcf->files - 1]);
    *link = node->next;
    if (root->child != NULL) {
        crn_xml_node *last = root->child;
        while (last->next != NULL) {
            last = last->next;
        }
        last->next = node->next;
        *link = root->child;
    }
    return CRN_OK;
}

/* depth: of node. Included files may nest deeper together than one may. */
static crn_status include_all(crn_mjcf *mjcf, crn_xml_node *node, int depth)
{
    if (depth > CRN_XML_DEPTH_MOST) {
        return crn_mjcf_fail(mjcf, node, CRN_ERR_FORMAT, "elements are nested more than %d deep", CRN_XML_DEPTH_MOST);
    }
    crn_status status = CRN_OK;
    for (crn_xml_node **link = &node->child; *link != NULL && status == CRN_OK;) {
        if (strcmp((*link)->name, "include") == 0) {
            status = include(mjcf, link); /* *link is what comes next now */
        } else {
            status = include_all(mjcf, *link, depth + 1);
            link = &(*link)->next;
        }
    }
    return status;
}

/* --- Attaching --- */

crn_status crn_mjcf_add_attached(crn_mjcf *mjcf, crn_xml_node *model, const crn_xml_node *attach, crn_xml **xml)
{
    const char *file = crn_xml_get(model, "file");
    char path[CRN_MJCF_PATH];
    if (file == NULL) {
        return crn_mjcf_fail(mjcf, model, CRN_ERR_FORMAT, " file: missing");
    }
    int outer = mjcf->first_of_part;
    mjcf->first_of_part = mjcf->files; /* what it includes may be part of the model already */
    crn_status status = find_included(mjcf, model, file, path);
    status = status == CRN_OK ? add_file(mjcf, model, path) : status;
    if (status != CRN_OK) {
        return status;
    }
    *xml = mjcf->file[mjcf->files - 1];
    crn_xml_node *root = crn_xml_root(*xml);
    if (strcmp(root->name, "mujoco") != 0) {
        return crn_mjcf_fail(mjcf, root, CRN_ERR_FORMAT, "the file begins with this, but MJCF begins with <mujoco>");
    }
    size_t skip = strncmp(path, mjcf->folder, strlen(mjcf->folder)) == 0 ? strlen(mjcf->folder) : 0;
    size_t length = folder_length(path) - skip;
    char *folder = crn_mjcf_keep(mjcf, model, length + 1);
    if (folder == NULL) {
        return CRN_ERR_MEMORY;
    }
    memcpy(folder, path + skip, length);
    folder[length] = '\0';
    mjcf->attached[mjcf->attachments++] = (crn_mjcf_attached){attach, root, folder};
    status = include_all(mjcf, root, 1);
    mjcf->first_of_part = outer;
    return status;
}

/* --- The first file --- */

crn_status crn_mjcf_open(crn_mjcf *mjcf, const char *text, size_t length, const char *path)
{
    size_t folder = folder_length(path);
    if (folder >= sizeof mjcf->folder) {
        return crn_fail(mjcf->error, CRN_ERR_ARGUMENT, "path: longer than %d bytes", CRN_MJCF_PATH - 1);
    }
    memcpy(mjcf->folder, path, folder);
    mjcf->folder[folder] = '\0';
    crn_status status = text == NULL ? crn_xml_read(path, &mjcf->allocator, &mjcf->file[0], mjcf->error)
                                     : crn_xml_parse(text, length, path, &mjcf->allocator, &mjcf->file[0], mjcf->error);
    if (status != CRN_OK) {
        return status;
    }
    mjcf->files = 1;
    crn_xml_node *root = crn_xml_root(mjcf->file[0]);
    if (strcmp(root->name, "mujoco") != 0) {
        return crn_mjcf_fail(mjcf, root, CRN_ERR_FORMAT, "the file begins with this, but MJCF begins with <mujoco>");
    }
    return include_all(mjcf, root, 1);
}

void crn_mjcf_close(crn_mjcf *mjcf)
{
    crn_release(&mjcf->allocator, mjcf->class_at);
    crn_release(&mjcf->allocator, mjcf->mesh);
    crn_release(&mjcf->allocator, mjcf->body);
    crn_release(&mjcf->allocator, mjcf->joint);
    crn_release(&mjcf->allocator, mjcf->geom);
    crn_release(&mjcf->allocator, mjcf->site);
    crn_release(&mjcf->allocator, mjcf->loop);
    crn_release(&mjcf->allocator, mjcf->tendon);
    crn_release(&mjcf->allocator, mjcf->actuator);
    crn_release(&mjcf->allocator, mjcf->pair);
    crn_release(&mjcf->allocator, mjcf->touch);
    for (int i = mjcf->files - 1; i >= 0; --i) {
        crn_xml_free(mjcf->file[i]);
    }
}
