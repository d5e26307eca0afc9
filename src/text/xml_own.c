/* XML where there is no expat, as in WebAssembly: one pass over the text, without a stack of its own but the tree's.
 *
 * What expat refuses is refused here too: text that is not UTF-8, elements that are not closed in order, attributes that are
 * there twice, entities but the five of XML and characters by number, declarations of entities or outside of the file. A document
 * type without declarations is passed over; one with any is refused, which is stricter than expat. Instructions are passed over, and
 * names may have any characters beyond ASCII, which is less strict. */
#include "text/xml_grow.h"

#include "base/memory.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

enum { ATTRIBUTES_MOST = 1000 };

typedef struct parser {
    crn_xml_grower grower;
    const char *at, *end;
    int line;
    char *room; /* for names and values of an element, and for pieces of text: as long as the whole text */
    const char *pair[2 * ATTRIBUTES_MOST + 1];
} parser;

bool crn_xml_is_there(void)
{
    return true;
}

static bool fail(parser *p, const char *what)
{
    crn_xml_grow_fail(&p->grower, p->line, CRN_ERR_FORMAT, what);
    return false;
}

static bool is_good(const parser *p)
{
    return p->grower.status == CRN_OK;
}

/* --- Characters --- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool starts_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':' || (unsigned char)c >= 0x80;
}

static bool goes_on_name(char c)
{
    return starts_name(c) || (c >= '0' && c <= '9') || c == '-' || c == '.';
}

/* Does the text go on with this? */
static bool sees(const parser *p, const char *word)
{
    size_t length = strlen(word);
    return (size_t)(p->end - p->at) >= length && memcmp(p->at, word, length) == 0;
}

static void skip(parser *p, size_t count)
{
    for (; count > 0 && p->at < p->end; --count, ++p->at) {
        p->line += *p->at == '\n';
    }
}

static void skip_blanks(parser *p)
{
    while (p->at < p->end && is_blank(*p->at)) {
        skip(p, 1);
    }
}

/* Bytes of the character at text; 0: it is none of UTF-8, or none that XML allows. */
static size_t character_size(const char *text, size_t left)
{
    const unsigned char *byte = (const unsigned char *)text;
    size_t size = crn_utf8_size(text, left);
    bool is_control = size == 1 && byte[0] < 0x20 && byte[0] != '\t' && byte[0] != '\n' && byte[0] != '\r';
    bool is_none = size == 3 && byte[0] == 0xEF && byte[1] == 0xBF && byte[2] >= 0xBE;
    return is_control || is_none ? 0 : size;
}

/* Every character must be one of XML; so the rest need not look. */
static bool check_characters(parser *p)
{
    const char *start = p->at;
    while (p->at < p->end) {
        size_t size = character_size(p->at, (size_t)(p->end - p->at));
        if (size == 0) {
            return fail(p, "syntax: not a character of UTF-8 that XML allows");
        }
        skip(p, size);
    }
    p->at = start;
    p->line = 1;
    return true;
}

/* --- References --- */

/* The number of "&#38;" or "&#x26;"; 0: it is none of a character. */
static unsigned long code_of(const char *digits, const char *end)
{
    int base = 10;
    if (*digits == 'x') {
        base = 16;
        ++digits;
    }
    unsigned long code = 0;
    if (digits == end) {
        return 0;
    }
    for (; digits < end; ++digits) {
        static const char known[] = "0123456789abcdef";
        char c = *digits >= 'A' && *digits <= 'F' ? (char)(*digits - 'A' + 'a') : *digits;
        const char *found = c != '\0' ? memchr(known, c, (size_t)base) : NULL;
        if (found == NULL || code > 0x10FFFF) {
            return 0;
        }
        code = code * (unsigned long)base + (unsigned long)(found - known);
    }
    char bytes[4];
    size_t size = code <= 0x10FFFF ? (size_t)(crn_utf8_put(bytes, (unsigned)code) - bytes) : 0;
    return size > 0 && character_size(bytes, size) == size ? code : 0;
}

/* "&lt;" and its like at p->at, into *to. What they stand for is shorter than they are. */
static bool put_reference(parser *p, char **to)
{
    static const struct {
        const char *word;
        char is;
    } known[] = {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i) {
        if (sees(p, known[i].word)) {
            *(*to)++ = known[i].is;
            skip(p, strlen(known[i].word));
            return true;
        }
    }
    const char *semicolon = memchr(p->at, ';', (size_t)(p->end - p->at));
    if (!sees(p, "&#") || semicolon == NULL) {
        return fail(p, "syntax: undefined entity: only &lt; &gt; &amp; &quot; &apos; and &#N; are known");
    }
    unsigned long code = code_of(p->at + 2, semicolon);
    if (code == 0) {
        return fail(p, "syntax: a reference to an invalid character number");
    }
    *to = crn_utf8_put(*to, (unsigned)code);
    skip(p, (size_t)(semicolon - p->at) + 1);
    return true;
}

/* --- Elements --- */

/* A name at p->at into *to, ended; NULL, with a failure, if there is none. */
static const char *take_name(parser *p, char **to)
{
    if (p->at == p->end || !starts_name(*p->at)) {
        (void)fail(p, p->at == p->end ? "syntax: the file ends within an element" : "syntax: a name is expected");
        return NULL;
    }
    const char *name = *to;
    while (p->at < p->end && goes_on_name(*p->at)) {
        *(*to)++ = *p->at++;
    }
    *(*to)++ = '\0';
    return name;
}

/* A value in quotes: every blank becomes one space. */
static const char *take_value(parser *p, char **to)
{
    char quote = p->at < p->end ? *p->at : '\0';
    const char *value = *to;
    if (quote != '"' && quote != '\'') {
        (void)fail(p, "syntax: a value in quotes is expected");
        return NULL;
    }
    skip(p, 1);
    while (p->at < p->end && *p->at != quote) {
        if (*p->at == '<') {
            (void)fail(p, "syntax: '<' in the value of an attribute");
            return NULL;
        }
        if (*p->at == '&') {
            if (!put_reference(p, to)) {
                return NULL;
            }
            continue;
        }
        bool is_pair = sees(p, "\r\n");
        *(*to)++ = is_blank(*p->at) ? ' ' : *p->at;
        skip(p, is_pair ? 2 : 1);
    }
    if (p->at == p->end) {
        (void)fail(p, "syntax: a value is not closed");
        return NULL;
    }
    skip(p, 1);
    *(*to)++ = '\0';
    return value;
}

/* One attribute into the list; false: it failed. */
static bool take_attribute(parser *p, int count, char **to)
{
    const char *name = take_name(p, to);
    if (name == NULL || count == ATTRIBUTES_MOST) {
        return name != NULL && fail(p, "too many attributes");
    }
    for (int i = 0; i < count; ++i) {
        if (strcmp(p->pair[2 * i], name) == 0) {
            return fail(p, "syntax: duplicate attribute");
        }
    }
    skip_blanks(p);
    if (!sees(p, "=")) {
        return fail(p, "syntax: an attribute without a value");
    }
    skip(p, 1);
    skip_blanks(p);
    const char *value = take_value(p, to);
    p->pair[2 * count] = name;
    p->pair[2 * count + 1] = value;
    return value != NULL;
}

/* "<name a='b'>" or "<name/>", at its '<'. */
static void read_start(parser *p)
{
    int line = p->line, count = 0;
    char *to = p->room;
    skip(p, 1);
    const char *name = take_name(p, &to);
    while (is_good(p)) {
        const char *before = p->at;
        skip_blanks(p);
        if (p->at == p->end) {
            (void)fail(p, "syntax: the file ends within an element");
        } else if (*p->at == '>' || sees(p, "/>")) {
            break;
        } else if (p->at == before) {
            (void)fail(p, "syntax: a blank is expected between attributes");
        } else if (take_attribute(p, count, &to)) {
            ++count;
        }
    }
    if (!is_good(p)) {
        return;
    }
    p->pair[2 * count] = NULL;
    crn_xml_grow_start(&p->grower, line, name, p->pair);
    if (*p->at == '/') {
        skip(p, 1);
        crn_xml_grow_end(&p->grower);
    }
    skip(p, 1);
}

/* "</name>", at its '<'. */
static void read_end(parser *p)
{
    char *to = p->room;
    skip(p, 2);
    const char *name = take_name(p, &to);
    if (name == NULL) {
        return;
    }
    skip_blanks(p);
    if (!sees(p, ">")) {
        (void)fail(p, "syntax: '>' is expected");
    } else if (p->grower.open == NULL || strcmp(((const crn_xml_node *)(void *)p->grower.open)->name, name) != 0) {
        (void)fail(p, "syntax: mismatched tag");
    } else {
        crn_xml_grow_end(&p->grower);
        skip(p, 1);
    }
}

/* --- The rest --- */

/* Pass over what ends with a word; its length, -1: it does not end. */
static ptrdiff_t find(const parser *p, const char *word)
{
    size_t length = strlen(word);
    for (const char *c = p->at; c + length <= p->end; ++c) {
        if (memcmp(c, word, length) == 0) {
            return c - p->at;
        }
    }
    return -1;
}

static void pass_over(parser *p, const char *begin, const char *end, const char *what)
{
    skip(p, strlen(begin));
    ptrdiff_t length = find(p, end);
    if (length < 0) {
        (void)fail(p, what);
    } else {
        skip(p, (size_t)length + strlen(end));
    }
}

static void read_comment(parser *p)
{
    skip(p, 4);
    ptrdiff_t length = find(p, "--");
    skip(p, length > 0 ? (size_t)length : 0);
    if (!sees(p, "-->")) {
        (void)fail(p, "syntax: a comment is not closed, or has -- in it");
        return;
    }
    skip(p, 3);
}

static void read_data(parser *p)
{
    skip(p, strlen("<![CDATA["));
    ptrdiff_t length = find(p, "]]>");
    if (length < 0 || p->grower.open == NULL) {
        (void)fail(p, length < 0 ? "syntax: unclosed CDATA section" : "syntax: text outside of the root");
        return;
    }
    char *to = p->room;
    for (const char *end = p->at + length; p->at < end;) {
        bool is_pair = sees(p, "\r\n");
        *to++ = *p->at == '\r' ? '\n' : *p->at;
        skip(p, is_pair ? 2 : 1);
    }
    crn_xml_grow_text(&p->grower, p->line, p->room, (size_t)(to - p->room));
    skip(p, 3);
}

static void read_type(parser *p)
{
    ptrdiff_t length = find(p, ">");
    for (ptrdiff_t i = 0; i < length; ++i) {
        if (p->at[i] == '[' || p->at[i] == '"' || p->at[i] == '\'') {
            (void)fail(p, "the file has declarations, or declares an entity, which is not supported");
            return;
        }
    }
    if (length < 0 || p->grower.xml->root != NULL) {
        (void)fail(p, "syntax: a document type that is not closed, or not before the root");
        return;
    }
    skip(p, (size_t)length + 1);
}

static void read_text(parser *p)
{
    char *to = p->room;
    bool is_inside = p->grower.open != NULL;
    while (p->at < p->end && *p->at != '<' && is_good(p)) {
        if (!is_inside && !is_blank(*p->at)) {
            (void)fail(p, p->grower.xml->root == NULL ? "syntax: text before the root"
                                                      : "syntax: junk after document element");
        } else if (sees(p, "]]>")) {
            (void)fail(p, "syntax: ]]> in text");
        } else if (*p->at == '&') {
            (void)put_reference(p, &to);
        } else {
            bool is_pair = sees(p, "\r\n");
            *to++ = *p->at == '\r' ? '\n' : *p->at;
            skip(p, is_pair ? 2 : 1);
        }
    }
    crn_xml_grow_text(&p->grower, p->line, p->room, (size_t)(to - p->room));
}

/* "<?xml ...?>" and other instructions. Of encodings only UTF-8 is read, and what is a part of it. */
static void read_instruction(parser *p, bool is_first)
{
    bool is_declaration = sees(p, "<?xml") && p->end - p->at > 5 && (is_blank(p->at[5]) || p->at[5] == '?');
    if (is_declaration && !is_first) {
        (void)fail(p, "syntax: XML or text declaration not at start of entity");
        return;
    }
    if (p->end - p->at < 3 || !starts_name(p->at[2])) {
        (void)fail(p, "syntax: not an instruction");
        return;
    }
    pass_over(p, "<?", "?>", "syntax: an instruction is not closed");
}

static void read_next(parser *p, bool is_first)
{
    if (*p->at != '<') {
        read_text(p);
    } else if (sees(p, "<?")) {
        read_instruction(p, is_first);
    } else if (sees(p, "<!--")) {
        read_comment(p);
    } else if (sees(p, "<![CDATA[")) {
        read_data(p);
    } else if (sees(p, "<!DOCTYPE")) {
        read_type(p);
    } else if (sees(p, "</")) {
        read_end(p);
    } else if (p->grower.open == NULL && p->grower.xml->root != NULL) {
        (void)fail(p, "syntax: junk after document element");
    } else {
        read_start(p);
    }
}

static void parse(parser *p)
{
    if (sees(p, "\xEF\xBB\xBF")) { /* a mark that the text is UTF-8 */
        p->at += 3;
    }
    const char *start = p->at;
    if (!check_characters(p)) {
        return;
    }
    while (p->at < p->end && is_good(p)) {
        read_next(p, p->at == start);
    }
    if (is_good(p) && p->grower.xml->root == NULL) {
        (void)fail(p, "syntax: no element found");
    }
    if (is_good(p) && p->grower.open != NULL) {
        (void)fail(p, "syntax: the file ends before its last element does");
    }
}

crn_status crn_xml_build(crn_xml *xml, const char *text, size_t length, crn_error *error)
{
    parser *p = crn_xml_take(xml, sizeof *p);
    char *room = p != NULL ? crn_xml_take(xml, length + 2) : NULL;
    if (room == NULL) {
        return crn_fail(error, CRN_ERR_MEMORY, "%s: no memory for its XML", xml->shown);
    }
    *p = (parser){.grower = {.xml = xml, .status = CRN_OK, .error = error},
                  .at = text,
                  .end = text + length,
                  .line = 1,
                  .room = room};
    parse(p);
    return p->grower.status;
}
