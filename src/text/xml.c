/* XML by expat. This is the only file that knows it.
 *
 * What a hostile file could use against us is refused: entities of its own (which multiply), external ones, default values
 * of attributes (which multiply too), deep nesting and too many elements. What is left takes memory in proportion to the
 * file. The tree comes from the caller's allocator; expat's own buffers come from malloc(), since its hooks carry no user
 * pointer. */
#include "text/xml_grow.h"

#include <expat.h>

#include <limits.h>

/* Bytes handed to expat at a time: its sizes are int, and it may want to double them. */
#define CHUNK_BYTES ((size_t)1 << 28)

typedef struct builder {
    XML_Parser parser;
    crn_xml_grower grower;
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

/* After a failure expat has to stop. Handlers may be called once more afterwards: the grower does nothing then. */
static void stop_if_failed(builder *b)
{
    if (b->grower.status != CRN_OK) {
        (void)XML_StopParser(b->parser, XML_FALSE);
    }
}

static void stop(builder *b, crn_status status, const char *what)
{
    crn_xml_grow_fail(&b->grower, line_of(b->parser), status, what);
    stop_if_failed(b);
}

static void XMLCALL on_start(void *user, const char *name, const char **pairs)
{
    builder *b = user;
    crn_xml_grow_start(&b->grower, line_of(b->parser), name, (const char *const *)pairs);
    stop_if_failed(b);
}

static void XMLCALL on_end(void *user, const char *name)
{
    builder *b = user;
    (void)name;
    crn_xml_grow_end(&b->grower);
}

static void XMLCALL on_text(void *user, const char *piece, int count)
{
    builder *b = user;
    crn_xml_grow_text(&b->grower, line_of(b->parser), piece, count > 0 ? (size_t)count : 0);
    stop_if_failed(b);
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
    if (b->grower.status != CRN_OK) {
        return b->grower.status;
    }
    enum XML_Error code = XML_GetErrorCode(b->parser);
    if (code == XML_ERROR_NO_MEMORY) {
        return crn_fail(b->grower.error, CRN_ERR_MEMORY, "%s: no memory for its XML", b->grower.xml->shown);
    }
    return crn_fail(b->grower.error, CRN_ERR_FORMAT, "%s:%d: syntax: %s", b->grower.xml->shown, line_of(b->parser),
                    XML_ErrorString(code));
}

crn_status crn_xml_build(crn_xml *xml, const char *text, size_t length, crn_error *error)
{
    builder b = {.parser = XML_ParserCreate(NULL), .grower = {.xml = xml, .status = CRN_OK, .error = error}};
    if (b.parser == NULL) {
        return crn_fail(error, CRN_ERR_MEMORY, "%s: no memory for its XML", xml->shown);
    }
    set_handlers(&b);
    crn_status status = CRN_OK;
    bool is_last = false;
    for (size_t at = 0; status == CRN_OK && !is_last;) {
        size_t count = length - at < CHUNK_BYTES ? length - at : CHUNK_BYTES;
        is_last = at + count == length;
        if (XML_Parse(b.parser, text + at, (int)count, is_last) != XML_STATUS_OK || b.grower.status != CRN_OK) {
            status = failure(&b);
        }
        at += count;
    }
    XML_ParserFree(b.parser);
    return status;
}
