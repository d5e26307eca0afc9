/* COLLADA (.dae): the triangles and polygons of every <instance_geometry> of the scene, moved as its nodes say; without a scene, of every
 * geometry. Lengths are in the file's <unit>. The file's up_axis is not applied: robots' files are written for viewers that do not.
 * Looks, skins, animations and <instance_node> are left out. */
#include "robots/mesh_file.h"
#include "text/number.h"
#include "text/xml.h"

#include "math/elementary.h"
#include "math/rigid.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DEPTH_MOST = 64, INSTANCES_MOST = 10000 };

/* x -> M x + t, M column-major. */
typedef struct affine {
    double M[9], t[3];
} affine;

typedef struct dae {
    crn_mesh_reader *reader;
    crn_xml *xml;
    double unit; /* metres of 1 */
    int instances;
} dae;

static crn_status fail(const dae *d, const crn_xml_node *node, const char *what)
{
    return crn_xml_fail(d->xml, node, CRN_ERR_FORMAT, d->reader->error, "%s", what);
}

/* --- Numbers of an element --- */

static crn_io_text numbers_of(const crn_xml_node *node, crn_io_source *source)
{
    *source = (crn_io_source){.name = "", .text = node->text, .size = strlen(node->text)};
    return crn_io_text_begin(source, '\0', NULL);
}

static bool next_number(crn_io_text *text, double *value)
{
    crn_io_word word;
    return crn_io_text_word(text, &word) && crn_io_number_read(word.text, word.length, value) && isfinite(*value);
}

/* A whole number, >= 0. */
static bool next_index(crn_io_text *text, int *index)
{
    double value;
    bool is_index = next_number(text, &value) && value >= 0.0 && value <= INT_MAX && value == floor(value);
    *index = is_index ? (int)value : -1;
    return is_index;
}

static crn_status read_numbers(const dae *d, const crn_xml_node *node, int count, double *to)
{
    crn_io_source source;
    crn_io_text text = numbers_of(node, &source);
    for (int i = 0; i < count; ++i) {
        if (!next_number(&text, &to[i])) {
            return fail(d, node, "has not as many numbers as it should");
        }
    }
    return CRN_OK;
}

/* --- Places --- */

static affine product(const affine *a, const affine *b)
{
    affine c;
    for (int i = 0; i < 3; ++i) {
        c.t[i] = a->t[i];
        for (int j = 0; j < 3; ++j) {
            c.t[i] += a->M[i + 3 * j] * b->t[j];
            c.M[i + 3 * j] = a->M[i] * b->M[3 * j] + a->M[i + 3] * b->M[3 * j + 1] + a->M[i + 6] * b->M[3 * j + 2];
        }
    }
    return c;
}

static const affine identity = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}};

static void set_rotation(const double *r, affine *to)
{
    const double radian = crn_acos(-1.0) / 180.0;
    crn_vec3 axis = crn_v3_of(r);
    double length = crn_v3_length(axis);
    if (length > 0.0) {
        double half = 0.5 * radian * r[3], s = crn_sin(half) / length;
        crn_mat3 R = crn_quat_matrix((crn_quat){crn_cos(half), s * axis.x, s * axis.y, s * axis.z});
        memcpy(to->M, R.m, sizeof to->M);
    }
}

/* What one element of a node does; nothing if it is no transformation. */
static crn_status read_step(const dae *d, const crn_xml_node *node, affine *step)
{
    double v[16];
    crn_status status = CRN_OK;
    *step = identity;
    if (strcmp(node->name, "matrix") == 0) { /* by rows */
        status = read_numbers(d, node, 16, v);
        for (int i = 0; i < 3 && status == CRN_OK; ++i) {
            step->t[i] = v[4 * i + 3];
            for (int j = 0; j < 3; ++j) {
                step->M[i + 3 * j] = v[4 * i + j];
            }
        }
    } else if (strcmp(node->name, "translate") == 0) {
        status = read_numbers(d, node, 3, step->t);
    } else if (strcmp(node->name, "scale") == 0) {
        status = read_numbers(d, node, 3, v);
        for (int i = 0; i < 3 && status == CRN_OK; ++i) {
            step->M[4 * i] = v[i];
        }
    } else if (strcmp(node->name, "rotate") == 0) {
        status = read_numbers(d, node, 4, v);
        if (status == CRN_OK) {
            set_rotation(v, step);
        }
    }
    return status;
}

/* --- Geometries --- */

/* The element with this id among the descendants of a node that have this name; link: "#id". */
static crn_xml_node *find_id(const crn_xml_node *node, const char *name, const char *link)
{
    for (crn_xml_node *child = node != NULL ? node->child : NULL; child != NULL; child = child->next) {
        const char *id = crn_xml_get(child, "id");
        if (link != NULL && link[0] == '#' && id != NULL && strcmp(child->name, name) == 0 &&
            strcmp(id, link + 1) == 0) {
            return child;
        }
    }
    return NULL;
}

/* The input of that meaning; NULL: none. */
static crn_xml_node *find_input(const crn_xml_node *node, const char *meaning)
{
    for (crn_xml_node *input = NULL; (input = crn_xml_child(node, "input", input)) != NULL;) {
        const char *semantic = crn_xml_get(input, "semantic");
        if (semantic != NULL && strcmp(semantic, meaning) == 0) {
            return input;
        }
    }
    return NULL;
}

/* Points of a <vertices>, moved; how many. */
static crn_status read_points(const dae *d, const crn_xml_node *mesh, const crn_xml_node *vertices, const affine *place,
                              int *count)
{
    crn_xml_node *input = find_input(vertices, "POSITION");
    crn_xml_node *source = input != NULL ? find_id(mesh, "source", crn_xml_get(input, "source")) : NULL;
    crn_xml_node *array = source != NULL ? crn_xml_child(source, "float_array", NULL) : NULL;
    crn_status status = array != NULL ? CRN_OK : fail(d, vertices, "has no positions");
    crn_io_source words;
    crn_io_text text = array != NULL ? numbers_of(array, &words) : (crn_io_text){0};
    double p[3];
    for (*count = 0; status == CRN_OK && next_number(&text, &p[0]); ++*count) {
        if (!next_number(&text, &p[1]) || !next_number(&text, &p[2])) {
            return fail(d, array, "is not a list of points");
        }
        double moved[3];
        for (int i = 0; i < 3; ++i) {
            moved[i] = d->unit * (place->t[i] + place->M[i] * p[0] + place->M[i + 3] * p[1] + place->M[i + 6] * p[2]);
        }
        status = crn_mesh_add_point(d->reader, moved);
    }
    return status;
}

/* How the indices of a list of polygons lie: one per input offset, that of the vertex among them. */
typedef struct layout {
    int stride, at;
    int first, count; /* points of the mesh */
} layout;

static crn_status read_polygon(const dae *d, const crn_xml_node *node, const layout *l, int corners, crn_io_text *text)
{
    crn_status status = CRN_OK;
    d->reader->corners = 0;
    for (int i = 0; i < corners * l->stride && status == CRN_OK; ++i) {
        int index;
        if (!next_index(text, &index) || (i % l->stride == l->at && index >= l->count)) {
            return fail(d, node, "an index is missing, or is none of a vertex");
        }
        if (i % l->stride == l->at) {
            status = crn_mesh_add_corner(d->reader, l->first + index);
        }
    }
    char where[24];
    (void)snprintf(where, sizeof where, ":%d: <p>", node->line);
    return status == CRN_OK ? crn_mesh_add_polygon(d->reader, where) : status;
}

/* <triangles>, <polylist> (with corners by polygon) or <polygons> (one <p> each). */
static crn_status read_polygons(const dae *d, crn_xml_node *list, const layout *l)
{
    crn_xml_node *counts = crn_xml_child(list, "vcount", NULL);
    crn_io_source words, corner_words;
    crn_io_text corners = counts != NULL ? numbers_of(counts, &corner_words) : (crn_io_text){0};
    bool is_polygons = strcmp(list->name, "polygons") == 0;
    crn_status status = CRN_OK;
    for (crn_xml_node *p = NULL; status == CRN_OK && (p = crn_xml_child(list, "p", p)) != NULL;) {
        crn_io_text text = numbers_of(p, &words), look = text;
        int count = 3, index, numbers = 0;
        while (is_polygons && next_index(&look, &index)) {
            numbers++;
        }
        count = is_polygons ? numbers / l->stride : count;
        for (look = text; status == CRN_OK && next_index(&look, &index); look = text) {
            if (counts != NULL && !next_index(&corners, &count)) {
                return fail(d, counts, "has fewer numbers than there are polygons");
            }
            if (count < 3) {
                return fail(d, counts != NULL ? counts : p, "a polygon has fewer than 3 corners");
            }
            status = read_polygon(d, p, l, count, &text);
        }
    }
    return status;
}

static crn_status read_layout(const dae *d, crn_xml_node *list, layout *l)
{
    l->stride = 1;
    for (crn_xml_node *input = NULL; (input = crn_xml_child(list, "input", input)) != NULL;) {
        double offset = 0.0;
        crn_status status = crn_xml_numbers(d->xml, input, "offset", 1, &offset, NULL, d->reader->error);
        if (status != CRN_OK || !(offset >= 0.0 && offset < 100.0)) {
            return status != CRN_OK ? status : fail(d, input, " offset: must be 0 to 99");
        }
        bool is_vertex = input == find_input(list, "VERTEX");
        l->at = is_vertex ? (int)offset : l->at;
        l->stride = (int)offset + 1 > l->stride ? (int)offset + 1 : l->stride;
    }
    return CRN_OK;
}

static crn_status read_geometry(const dae *d, const crn_xml_node *geometry, const affine *place)
{
    crn_xml_node *mesh = crn_xml_child(geometry, "mesh", NULL);
    crn_status status = CRN_OK;
    for (crn_xml_node *list = mesh != NULL ? mesh->child : NULL; list != NULL && status == CRN_OK; list = list->next) {
        bool is_list = strcmp(list->name, "triangles") == 0 || strcmp(list->name, "polylist") == 0 ||
                       strcmp(list->name, "polygons") == 0;
        crn_xml_node *input = is_list ? find_input(list, "VERTEX") : NULL;
        crn_xml_node *vertices = input != NULL ? find_id(mesh, "vertices", crn_xml_get(input, "source")) : NULL;
        if (!is_list) {
            continue;
        }
        if (vertices == NULL) {
            return fail(d, list, "has no vertices");
        }
        layout l = {.first = d->reader->mesh->count};
        status = read_layout(d, list, &l);
        status = status == CRN_OK ? read_points(d, mesh, vertices, place, &l.count) : status;
        status = status == CRN_OK ? read_polygons(d, list, &l) : status;
    }
    return status;
}

/* --- The scene --- */

static crn_status read_node(dae *d, const crn_xml_node *node, const affine *above, int depth)
{
    const crn_xml_node *library = crn_xml_child(crn_xml_root(d->xml), "library_geometries", NULL);
    affine place = *above;
    crn_status status = depth < DEPTH_MOST ? CRN_OK : fail(d, node, "lies too deep");
    for (crn_xml_node *child = node->child; child != NULL && status == CRN_OK; child = child->next) {
        affine step;
        status = read_step(d, child, &step);
        place = product(&place, &step);
        if (status == CRN_OK && strcmp(child->name, "node") == 0) {
            status = read_node(d, child, &place, depth + 1);
        } else if (status == CRN_OK && strcmp(child->name, "instance_geometry") == 0) {
            crn_xml_node *geometry = find_id(library, "geometry", crn_xml_get(child, "url"));
            if (geometry == NULL || ++d->instances > INSTANCES_MOST) {
                return fail(d, child, geometry == NULL ? " url: there is no such geometry" : "are too many");
            }
            status = read_geometry(d, geometry, &place);
        }
    }
    return status;
}

static crn_status read_file(dae *d)
{
    crn_xml_node *root = crn_xml_root(d->xml);
    crn_xml_node *asset = crn_xml_child(root, "asset", NULL);
    crn_xml_node *unit = asset != NULL ? crn_xml_child(asset, "unit", NULL) : NULL;
    crn_status status = strcmp(root->name, "COLLADA") == 0 ? CRN_OK : fail(d, root, "is not <COLLADA>");
    if (status == CRN_OK && unit != NULL) {
        status = crn_xml_numbers(d->xml, unit, "meter", 1, &d->unit, NULL, d->reader->error);
    }
    const crn_xml_node *scenes = crn_xml_child(root, "library_visual_scenes", NULL);
    const crn_xml_node *scene = scenes != NULL ? crn_xml_child(scenes, "visual_scene", NULL) : NULL;
    if (status == CRN_OK && scene != NULL) {
        return read_node(d, scene, &identity, 0);
    }
    const crn_xml_node *library = crn_xml_child(root, "library_geometries", NULL);
    for (crn_xml_node *geometry = NULL;
         library != NULL && status == CRN_OK && (geometry = crn_xml_child(library, "geometry", geometry)) != NULL;) {
        status = read_geometry(d, geometry, &identity);
    }
    return status;
}

crn_status crn_mesh_read_dae(crn_mesh_reader *reader)
{
    dae d = {.reader = reader, .unit = 1.0};
    const crn_io_source *source = reader->source;
    crn_status status =
        crn_xml_parse(source->text, source->size, source->name, &reader->allocator, &d.xml, reader->error);
    if (status == CRN_OK) {
        status = read_file(&d);
        crn_xml_free(d.xml);
    }
    return status;
}
