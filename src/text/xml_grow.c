/* The tree of an XML text, element by element. Memory is in proportion to the text, depth and number of elements are bounded. */
#include "text/xml_grow.h"

#include <stdio.h>
#include <string.h>

/* A node and the room of its text. */
typedef struct crn_xml_element {
    crn_xml_node node; /* first: a node of the tree is an element */
    crn_xml_node *last;
    char *text;
    size_t length, capacity; /* of text, without and with its '\0' */
} element;

void crn_xml_grow_fail(crn_xml_grower *g, int line, crn_status status, const char *what)
{
    if (g->status == CRN_OK) {
        g->status = crn_fail(g->error, status, "%s:%d: %s", g->xml->shown, line, what);
    }
}

static void *take(crn_xml_grower *g, int line, size_t bytes)
{
    void *piece = crn_xml_take(g->xml, bytes);
    if (piece == NULL) {
        crn_xml_grow_fail(g, line, CRN_ERR_MEMORY, "no memory for more elements");
    }
    return piece;
}

static const char *copy_string(crn_xml_grower *g, int line, const char *string)
{
    size_t size = strlen(string) + 1;
    char *copy = take(g, line, size);
    return copy != NULL ? memcpy(copy, string, size) : NULL;
}

static bool copy_attributes(crn_xml_grower *g, crn_xml_node *node, const char *const *pairs)
{
    int count = 0;
    while (pairs[2 * count] != NULL) {
        ++count;
    }
    if (count == 0) {
        return true;
    }
    node->attribute = take(g, node->line, (size_t)count * sizeof *node->attribute);
    for (int i = 0; i < count && g->status == CRN_OK; ++i) {
        node->attribute[i] = (crn_xml_attribute){.name = copy_string(g, node->line, pairs[2 * i])};
        node->attribute[i].value = g->status == CRN_OK ? copy_string(g, node->line, pairs[2 * i + 1]) : NULL;
    }
    node->attributes = count;
    return g->status == CRN_OK;
}

static void link_node(crn_xml_grower *g, element *child)
{
    element *parent = g->open;
    if (parent == NULL) {
        g->xml->root = &child->node;
        return;
    }
    child->node.parent = &parent->node;
    if (parent->last == NULL) {
        parent->node.child = &child->node;
    } else {
        parent->last->next = &child->node;
    }
    parent->last = &child->node;
}

/* May there be one element more? */
static bool has_room(crn_xml_grower *g, int line)
{
    char what[80];
    if (g->depth == CRN_XML_DEPTH_MOST) {
        (void)snprintf(what, sizeof what, "elements are nested more than %d deep", CRN_XML_DEPTH_MOST);
        crn_xml_grow_fail(g, line, CRN_ERR_FORMAT, what);
        return false;
    }
    if (g->xml->nodes == CRN_XML_NODES_MOST) {
        (void)snprintf(what, sizeof what, "more than %d elements", CRN_XML_NODES_MOST);
        crn_xml_grow_fail(g, line, CRN_ERR_FORMAT, what);
        return false;
    }
    return true;
}

void crn_xml_grow_start(crn_xml_grower *g, int line, const char *name, const char *const *pairs)
{
    if (g->status != CRN_OK || !has_room(g, line)) {
        return;
    }
    element *child = take(g, line, sizeof *child);
    if (child == NULL) {
        return;
    }
    *child = (element){.node = {.text = "", .line = line}};
    child->node.name = copy_string(g, line, name);
    if (child->node.name == NULL || !copy_attributes(g, &child->node, pairs)) {
        return;
    }
    link_node(g, child);
    g->open = child;
    ++g->depth;
    ++g->xml->nodes;
}

/* The room doubles, so that the pieces together cost what they are long. */
void crn_xml_grow_text(crn_xml_grower *g, int line, const char *piece, size_t count)
{
    if (g->status != CRN_OK || g->open == NULL || count == 0) {
        return;
    }
    element *owner = g->open;
    size_t needed = owner->length + count + 1;
    if (needed > owner->capacity) {
        size_t capacity = needed > 2 * owner->capacity ? needed : 2 * owner->capacity;
        char *text = take(g, line, capacity);
        if (text == NULL) {
            return;
        }
        memcpy(text, owner->node.text, owner->length);
        owner->text = text;
        owner->node.text = text;
        owner->capacity = capacity;
    }
    memcpy(owner->text + owner->length, piece, count);
    owner->length += count;
    owner->text[owner->length] = '\0';
}

void crn_xml_grow_end(crn_xml_grower *g)
{
    if (g->status == CRN_OK) {
        g->open = (element *)(void *)g->open->node.parent;
        --g->depth;
    }
}
