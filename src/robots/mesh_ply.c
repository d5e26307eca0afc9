/* PLY: a header that says which elements follow and which properties each has, then the elements one after another.
 *
 *   ply / format ascii 1.0 / element vertex 8 / property float x ... / element face 12
 *   / property list uchar int vertex_indices / end_header
 *
 * Of the vertices x, y, z are taken, of the faces vertex_indices (or vertex_index); all other elements and properties are
 * skipped. Formats: ascii, binary_little_endian and binary_big_endian. */
#include "robots/mesh_file.h"

#include "text/bytes.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_ELEMENTS = 16, MOST_PROPERTIES = 64 };

typedef enum type { I8, U8, I16, U16, I32, U32, F32, F64, NO_TYPE } type;
static const char *const type_names[2][8] = {
    {"char", "uchar", "short", "ushort", "int", "uint", "float", "double"},
    {"int8", "uint8", "int16", "uint16", "int32", "uint32", "float32", "float64"}};
static const int type_size[NO_TYPE + 1] = {1, 1, 2, 2, 4, 4, 4, 8, 0};

/* What a property is for. */
typedef enum role { SKIPPED, X, Y, Z, CORNERS } role;

typedef struct property {
    type kind, counter; /* counter: of a list; NO_TYPE: a single value */
    role role;
} property;

typedef enum element_kind { OTHER, VERTEX, FACE } element_kind;

typedef struct element {
    element_kind kind;
    int count, properties;
    property property[MOST_PROPERTIES];
} element;

typedef enum format { ASCII, LITTLE, BIG } format;

typedef struct ply {
    crn_mesh_reader *reader;
    crn_io_text text; /* position, in binary files too; line is 0 behind the header of those */
    format format;
    element element[MOST_ELEMENTS];
    int elements;
} ply;

/* "FILE:LINE: ..." or, in binary files, "FILE: byte 123: ...". */
static crn_status fail_here(const ply *p, const char *what)
{
    if (p->format == ASCII) {
        return crn_io_text_fail(&p->text, p->text.line, "element", "%s", what);
    }
    char at[32];
    (void)snprintf(at, sizeof at, "byte %zu", (size_t)(p->text.at - p->reader->source->text));
    return crn_io_text_fail(&p->text, 0, at, "%s", what);
}

/* --- Header --- */

static type type_of(const crn_io_word *word)
{
    for (int k = 0; k < 16; ++k) {
        if (crn_io_word_is(word, type_names[k / 8][k % 8])) {
            return (type)(k % 8);
        }
    }
    return NO_TYPE;
}

static crn_status read_format(ply *p, int line)
{
    crn_io_word word;
    bool is_there = crn_io_text_more_on_line(&p->text) && crn_io_text_word(&p->text, &word);
    if (is_there && crn_io_word_is(&word, "ascii")) {
        p->format = ASCII;
    } else if (is_there && crn_io_word_is(&word, "binary_little_endian")) {
        p->format = LITTLE;
    } else if (is_there && crn_io_word_is(&word, "binary_big_endian")) {
        p->format = BIG;
    } else {
        return crn_io_text_fail(&p->text, line, "format", "must be ascii, binary_little_endian or binary_big_endian");
    }
    return CRN_OK;
}

static crn_status read_element(ply *p, int line)
{
    crn_io_word word;
    if (p->elements == MOST_ELEMENTS) {
        return crn_io_text_fail(&p->text, line, "element", "more than %d of them", (int)MOST_ELEMENTS);
    }
    if (!crn_io_text_more_on_line(&p->text) || !crn_io_text_word(&p->text, &word) ||
        !crn_io_text_more_on_line(&p->text)) {
        return crn_io_text_fail(&p->text, line, "element", "a name and a number are needed");
    }
    element *e = &p->element[p->elements++];
    *e = (element){.kind = crn_io_word_is(&word, "vertex") ? VERTEX : crn_io_word_is(&word, "face") ? FACE : OTHER};
    return crn_io_text_int(&p->text, "element", 0, INT_MAX, &e->count);
}

static role role_of(const element *e, const crn_io_word *name, bool is_list)
{
    if (e->kind == FACE && is_list) {
        return crn_io_word_is(name, "vertex_indices") || crn_io_word_is(name, "vertex_index") ? CORNERS : SKIPPED;
    }
    if (e->kind == VERTEX && !is_list) {
        return crn_io_word_is(name, "x") ? X : crn_io_word_is(name, "y") ? Y : crn_io_word_is(name, "z") ? Z : SKIPPED;
    }
    return SKIPPED;
}

/* "property TYPE NAME" or "property list COUNTER TYPE NAME" */
static crn_status read_property(ply *p, int line)
{
    element *e = p->elements > 0 ? &p->element[p->elements - 1] : NULL;
    crn_io_word word[4];
    int words = 0;
    while (words < 4 && crn_io_text_more_on_line(&p->text) && crn_io_text_word(&p->text, &word[words])) {
        words++;
    }
    bool is_list = words == 4 && crn_io_word_is(&word[0], "list");
    if (e == NULL || e->properties == MOST_PROPERTIES || (!is_list && words != 2)) {
        return crn_io_text_fail(&p->text, line, "property", "%s",
                                e == NULL                          ? "before any element"
                                : e->properties == MOST_PROPERTIES ? "more than 64 of one element"
                                                                   : "must be 'TYPE NAME' or 'list TYPE TYPE NAME'");
    }
    property *made = &e->property[e->properties++];
    made->counter = is_list ? type_of(&word[1]) : NO_TYPE;
    made->kind = type_of(&word[is_list ? 2 : 0]);
    made->role = role_of(e, &word[is_list ? 3 : 1], is_list);
    if (made->kind == NO_TYPE || (is_list && made->counter == NO_TYPE)) {
        char seen[CRN_IO_WORD_SHOWN + 4];
        const crn_io_word *wrong = &word[!is_list ? 0 : made->counter == NO_TYPE ? 1 : 2];
        return crn_io_text_fail(&p->text, line, "property", "'%s' is not a type", crn_io_word_show(wrong, seen));
    }
    return CRN_OK;
}

static crn_status read_header(ply *p)
{
    crn_io_word word;
    crn_status status = CRN_OK;
    bool has_format = false;
    (void)crn_io_text_rest_of_line(&p->text); /* ply */
    while (status == CRN_OK) {
        if (!crn_io_text_word(&p->text, &word)) {
            return crn_io_text_fail(&p->text, p->text.line, "end_header", "missing: the file ends here");
        }
        bool is_end = crn_io_word_is(&word, "end_header");
        if (crn_io_word_is(&word, "format")) {
            has_format = true;
            status = read_format(p, word.line);
        } else if (crn_io_word_is(&word, "element")) {
            status = read_element(p, word.line);
        } else if (crn_io_word_is(&word, "property")) {
            status = read_property(p, word.line);
        } else if (!is_end && !crn_io_word_is(&word, "comment") && !crn_io_word_is(&word, "obj_info")) {
            char seen[CRN_IO_WORD_SHOWN + 4];
            status = crn_io_text_fail(&p->text, word.line, "header", "'%s' is not a word of PLY",
                                      crn_io_word_show(&word, seen));
        }
        if (is_end && !has_format) {
            status = crn_io_text_fail(&p->text, word.line, "format", "missing");
        }
        if (is_end && status == CRN_OK) {
            /* the data begin right behind the line's end */
            p->text.at += p->text.at < p->text.end && *p->text.at == '\r' ? 1 : 0;
            p->text.line += p->text.at < p->text.end && *p->text.at == '\n' ? 1 : 0;
            p->text.at += p->text.at < p->text.end && *p->text.at == '\n' ? 1 : 0;
            return CRN_OK;
        }
        (void)crn_io_text_rest_of_line(&p->text);
    }
    return status;
}

/* --- Values --- */

/* Straight-line: one case per type. The bytes are in the order of the file; turned, lowest first. */
static double value_of(type kind, const unsigned char *b)
{
    switch (kind) {
    case I8: return b[0] < 128 ? b[0] : b[0] - 256;
    case U8: return b[0];
    case I16: return b[1] < 128 ? b[0] + 256 * b[1] : b[0] + 256 * b[1] - 65536;
    case U16: return b[0] + 256 * b[1];
    case I32: return crn_get_i32(b);
    case U32: return crn_get_u32(b);
    case F32: return (double)crn_mesh_get_f32(b);
    case F64: return crn_get_f64(b);
    case NO_TYPE: break;
    }
    return 0.0;
}

static crn_status read_value(ply *p, type kind, double *value)
{
    if (p->format == ASCII) {
        return crn_io_text_real(&p->text, "element", CRN_IO_MAY_BE_INFINITE, value);
    }
    size_t size = (size_t)type_size[kind];
    if ((size_t)(p->text.end - p->text.at) < size) {
        return fail_here(p, "the file ends here");
    }
    unsigned char bytes[8] = {0};
    for (size_t k = 0; k < size; ++k) {
        bytes[p->format == LITTLE ? k : size - 1 - k] = (unsigned char)p->text.at[k];
    }
    p->text.at += size;
    *value = value_of(kind, bytes);
    return CRN_OK;
}

static crn_status read_corner(ply *p, double value)
{
    if (!(value >= 0.0 && value < p->reader->mesh->count && value == floor(value))) {
        return fail_here(p, "a corner of a face is not a vertex");
    }
    return crn_mesh_add_corner(p->reader, (int)value);
}

static crn_status read_list(ply *p, const property *prop)
{
    double count = 0.0, value = 0.0;
    crn_status status = read_value(p, prop->counter, &count);
    if (status == CRN_OK && !(count >= 0.0 && count <= INT_MAX && count == floor(count))) {
        status = fail_here(p, "the length of a list is not a number of items");
    }
    for (double k = 0.0; k < count && status == CRN_OK; k += 1.0) {
        status = read_value(p, prop->kind, &value);
        if (status == CRN_OK && prop->role == CORNERS) {
            status = read_corner(p, value);
        }
    }
    return status;
}

/* --- Elements --- */

static crn_status end_item(ply *p, const element *e, const double point[3])
{
    if (e->kind == VERTEX) {
        bool is_finite = isfinite(point[0]) && isfinite(point[1]) && isfinite(point[2]);
        return is_finite ? crn_mesh_add_point(p->reader, point) : fail_here(p, "a vertex is not finite");
    }
    if (e->kind == FACE) {
        return p->reader->corners >= 3 ? crn_mesh_add_polygon(p->reader, "")
                                       : fail_here(p, "a face has fewer than 3 corners");
    }
    return CRN_OK;
}

static crn_status read_item(ply *p, const element *e)
{
    double point[3] = {0.0, 0.0, 0.0};
    crn_status status = CRN_OK;
    p->reader->corners = 0;
    for (int k = 0; k < e->properties && status == CRN_OK; ++k) {
        const property *prop = &e->property[k];
        if (prop->counter != NO_TYPE) {
            status = read_list(p, prop);
            continue;
        }
        double value = 0.0;
        status = read_value(p, prop->kind, &value);
        if (prop->role >= X && prop->role <= Z) {
            point[prop->role - X] = value;
        }
    }
    return status == CRN_OK ? end_item(p, e, point) : status;
}

/* Vertices before faces, each once, with what is needed; elements without properties have nothing to read. */
static crn_status check_elements(ply *p)
{
    int seen[3] = {0, 0, 0}, roles[5] = {0};
    for (int k = 0; k < p->elements; ++k) {
        const element *e = &p->element[k];
        seen[e->kind]++;
        if (e->kind == FACE && seen[VERTEX] == 0) {
            return crn_io_text_fail(&p->text, 0, "element face", "before the vertices");
        }
        for (int i = 0; i < e->properties; ++i) {
            roles[e->property[i].role]++;
        }
    }
    for (int k = VERTEX; k <= FACE; ++k) {
        if (seen[k] != 1) {
            return crn_io_text_fail(&p->text, 0, k == VERTEX ? "element vertex" : "element face", "must be there once");
        }
    }
    static const char *const name[5] = {"", "x", "y", "z", "vertex_indices"};
    for (int k = X; k <= CORNERS; ++k) {
        if (roles[k] != 1) {
            return crn_io_text_fail(&p->text, 0, name[k], "must be there once");
        }
    }
    return CRN_OK;
}

crn_status crn_mesh_read_ply(crn_mesh_reader *reader)
{
    ply p = {.reader = reader, .text = crn_io_text_begin(reader->source, '\0', reader->error)};
    crn_status status = read_header(&p);
    status = status == CRN_OK ? check_elements(&p) : status;
    for (int k = 0; k < p.elements && status == CRN_OK; ++k) {
        const element *e = &p.element[k];
        for (int i = 0; i < e->count && e->properties > 0 && status == CRN_OK; ++i) {
            status = read_item(&p, e);
        }
    }
    return status;
}
