/* XML by expat. This is the only file that knows it.
 *
 * What a hostile file could use against us is refused: entities of its own (which multiply), external ones, default values
 * of attributes (which multiply too), deep nesting and too many elements. What is left takes memory in proportion to the
 * file. The tree comes from the caller's allocator; expat's own buffers come from malloc(), since its hooks carry no user
 * pointer. */
#include "text/xml_tree.h"

#include <expat.h>

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* Bytes handed to expat at a time: its sizes are int, and it may want to double them. */
#define CHUNK_BYTES ((size_t)1 << 28)

/* A node and the room of its text. */
typedef struct element {
    crn_xml_node node; /* first: a node of the tree is an element */
    crn_xml_node *last;
    char *text;
    size_t length, capacity; /* of text, without and with its '\0' */
} element;

typedef struct builder {
    XML_Parser parser;
    crn_xml *xml;
    element *open; /* the innermost element that has not ended; NULL: none */
    int depth;
    crn_status status; /* the first failure of a handler */
    crn_error *error;
} builder;

bool crn_xml_is_there(void)
{
    return true;
}

static int line_of(XML_Parser parser)
{
    XML_Size line = XML_GetCurrentLineNumber(parser);
    return line < INT_MAX ? (int)line : INT_MAX;
}

/* Fail and make expat stop. Handlers may be called once more afterwards: they look at the status. */
static void stop(builder *b, crn_status status, const char *what)
{
    if (b->status == CRN_OK) {
        b->status = crn_fail(b->error, status, "%s:%d: %s", b->xml->shown, line_of(b->parser), what);
        (void)XML_StopParser(b->parser, XML_FALSE);
    }
}

static void *take(builder *b, size_t bytes)
{
    void *piece = crn_xml_take(b->xml, bytes);
    if (piece == NULL) {
        stop(b, CRN_ERR_MEMORY, "no memory for more elements");
    }
    return piece;
}

static const char *copy_string(builder *b, const char *string)
{
    size_t size = strlen(string) + 1;
    char *copy = take(b, size);
    return copy != NULL ? memcpy(copy, string, size) : NULL;
}

/* Names and values come in pairs, NULL after the last. */
static bool copy_attributes(builder *b, crn_xml_node *node, const char **pairs)
{
    int count = 0;
    while (pairs[2 * count] != NULL) {
        ++count;
    }
    if (count == 0) {
        return true;
    }
    node->attribute = take(b, (size_t)count * sizeof *node->attribute);
    for (int i = 0; i < count && b->status == CRN_OK; ++i) {
        node->attribute[i] = (crn_xml_attribute){.name = copy_string(b, pairs[2 * i])};
        node->attribute[i].value = b->status == CRN_OK ? copy_string(b, pairs[2 * i + 1]) : NULL;
    }
    node->attributes = count;
    return b->status == CRN_OK;
}

static void link_node(builder *b, element *child)
{
    element *parent = b->open;
    if (parent == NULL) {
        b->xml->root = &child->node;
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

static void XMLCALL on_start(void *user, const char *name, const char **pairs)
{
    builder *b = user;
    if (b->status != CRN_OK) {
        return;
    }
    char what[80];
    if (b->depth == CRN_XML_DEPTH_MOST) {
        (void)snprintf(what, sizeof what, "elements are nested more than %d deep", CRN_XML_DEPTH_MOST);
        stop(b, CRN_ERR_FORMAT, what);
        return;
    }
    if (b->xml->nodes == CRN_XML_NODES_MOST) {
        (void)snprintf(what, sizeof what, "more than %d elements", CRN_XML_NODES_MOST);
        stop(b, CRN_ERR_FORMAT, what);
        return;
    }
    element *child = take(b, sizeof *child);
    if (child == NULL) {
        return;
    }
    *child = (element){.node = {.text = "", .line = line_of(b->parser)}};
    child->node.name = copy_string(b, name);
    if (child->node.name == NULL || !copy_attributes(b, &child->node, pairs)) {
        return;
    }
    link_node(b, child);
    b->open = child;
    ++b->depth;
    ++b->xml->nodes;
}

static void XMLCALL on_end(void *user, const char *name)
{
    builder *b = user;
    (void)name;
    if (b->status == CRN_OK) {
        b->open = (element *)(void *)b->open->node.parent;
        --b->depth;
    }
}

/* Character data comes in pieces: the room doubles, so that the pieces together cost what they are long. */
static void XMLCALL on_text(void *user, const char *piece, int count)
{
    builder *b = user;
    if (b->status != CRN_OK || b->open == NULL || count <= 0) {
        return;
    }
    element *owner = b->open;
    size_t needed = owner->length + (size_t)count + 1;
    if (needed > owner->capacity) {
        size_t capacity = needed > 2 * owner->capacity ? needed : 2 * owner->capacity;
        char *text = take(b, capacity);
        if (text == NULL) {
            return;
        }
        memcpy(text, owner->node.text, owner->length);
        owner->text = text;
        owner->node.text = text;
        owner->capacity = capacity;
    }
    memcpy(owner->text + owner->length, piece, (size_t)count);
    owner->length += (size_t)count;
    owner->text[owner->length] = '\0';
}

/* --- What is refused --- */

static void XMLCALL on_entity(void *user, const char *name, int is_parameter, const char *value, int length,
                              const char *base, const char *system, const char *public, const char *notation)
{
    (void)name;
    (void)is_parameter;
    (void)value;
    (void)length;
    (void)base;
    (void)system;
    (void)public;
    (void)notation;
    stop(user, CRN_ERR_FORMAT,
         "the file declares an entity: only &lt; &gt; &amp; &quot; &apos; and &#N; are supported");
}

/* With declarations elsewhere, expat would drop unknown entities from attributes and say nothing. */
static int XMLCALL on_outside(void *user)
{
    stop(user, CRN_ERR_FORMAT, "the file has declarations outside of it, which are not supported");
    return XML_STATUS_ERROR;
}

static void XMLCALL on_attribute_list(void *user, const char *element_name, const char *name, const char *type,
                                      const char *value, int is_required)
{
    (void)element_name;
    (void)name;
    (void)type;
    (void)is_required;
    if (value != NULL) {
        stop(user, CRN_ERR_FORMAT, "the file declares a default for an attribute, which is not supported");
    }
}

/* --- The whole text --- */

static void set_handlers(builder *b)
{
    XML_SetUserData(b->parser, b);
    XML_SetElementHandler(b->parser, on_start, on_end);
    XML_SetCharacterDataHandler(b->parser, on_text);
    XML_SetEntityDeclHandler(b->parser, on_entity);
    XML_SetNotStandaloneHandler(b->parser, on_outside);
    XML_SetAttlistDeclHandler(b->parser, on_attribute_list);
}

static crn_status failure(builder *b)
{
    if (b->status != CRN_OK) {
        return b->status;
    }
    enum XML_Error code = XML_GetErrorCode(b->parser);
    if (code == XML_ERROR_NO_MEMORY) {
        return crn_fail(b->error, CRN_ERR_MEMORY, "%s: no memory for its XML", b->xml->shown);
    }
    return crn_fail(b->error, CRN_ERR_FORMAT, "%s:%d: syntax: %s", b->xml->shown, line_of(b->parser),
                    XML_ErrorString(code));
}

crn_status crn_xml_build(crn_xml *xml, const char *text, size_t length, crn_error *error)
{
    builder b = {.parser = XML_ParserCreate(NULL), .xml = xml, .status = CRN_OK, .error = error};
    if (b.parser == NULL) {
        return crn_fail(error, CRN_ERR_MEMORY, "%s: no memory for its XML", xml->shown);
    }
    set_handlers(&b);
    crn_status status = CRN_OK;
    bool is_last = false;
    for (size_t at = 0; status == CRN_OK && !is_last;) {
        size_t count = length - at < CHUNK_BYTES ? length - at : CHUNK_BYTES;
        is_last = at + count == length;
        if (XML_Parse(b.parser, text + at, (int)count, is_last) != XML_STATUS_OK || b.status != CRN_OK) {
            status = failure(&b);
        }
        at += count;
    }
    XML_ParserFree(b.parser);
    return status;
}
