/* <pair>: two geoms that touch whatever their bits, and bodies between them, say, with a friction of their own.
 *
 * Masks. A geom that is in pairs has a class of its own among the masks (mjcf_contact.c), shared with those that have the same
 * bits and the same partners; so masks hold exactly what the file says.
 *
 * Bodies. What filters keep apart, and friction, is of two bodies in our models: all geoms of both follow the first pair of
 * them, and a warning says so where that makes a difference. */
#include "robots/mjcf.h"

#include <string.h>

/* --- Geoms of pairs --- */

static bool is_named(const crn_xml_node *node, const char *field, const char *name)
{
    const char *other = crn_xml_look(node, field);
    return other != NULL && strcmp(other, name) == 0;
}

bool crn_mjcf_is_paired(const crn_mjcf *mjcf, const crn_xml_node *geom)
{
    const char *name = crn_xml_look(geom, "name");
    crn_xml_node *root = crn_xml_root(mjcf->file[0]);
    bool is_any = false;
    for (crn_xml_node *contact = NULL; name != NULL && (contact = crn_xml_child(root, "contact", contact)) != NULL;) {
        for (crn_xml_node *node = NULL; (node = crn_xml_child(contact, "pair", node)) != NULL;) {
            is_any = is_any || is_named(node, "geom1", name) || is_named(node, "geom2", name);
        }
    }
    return is_any;
}

bool crn_mjcf_are_paired(const crn_mjcf *mjcf, int a, int b)
{
    for (int i = 0; i < mjcf->touches; ++i) {
        const int *geom = mjcf->touch[i].geom;
        if ((geom[0] == a && geom[1] == b) || (geom[0] == b && geom[1] == a)) {
            return true;
        }
    }
    return false;
}

/* --- Reading --- */

static int find_geom(const crn_mjcf *mjcf, const char *name)
{
    for (int i = 0; i < mjcf->geoms; ++i) {
        if (is_named(mjcf->geom[i].node, "name", name)) {
            (void)crn_xml_get(mjcf->geom[i].node, "name"); /* it was asked for */
            return i;
        }
    }
    return -1;
}

static crn_status read_friction(crn_mjcf *mjcf, const crn_mjcf_element *element, double *mu)
{
    double friction[5] = {1.0, 1.0, 0.005, 0.0001, 0.0001};
    int condim = 3, given = 0;
    crn_status status = crn_mjcf_numbers(mjcf, element, "friction", 1, 5, friction, &given);
    status = status == CRN_OK ? crn_mjcf_integer(mjcf, element, "condim", 1, 6, &condim) : status;
    if (status == CRN_OK && !(friction[0] >= 0.0)) {
        status =
            crn_mjcf_fail(mjcf, element->node, CRN_ERR_FORMAT, " friction: must be >= 0, but is %.9g", friction[0]);
    }
    if (status == CRN_OK && condim > 3) {
        crn_mjcf_warn(mjcf, element->node, "condim",
                      " condim: %d: torsional and rolling friction are not supported, taken as 3", condim);
    }
    if (status == CRN_OK && given > 1 && friction[1] != friction[0]) {
        crn_mjcf_warn(mjcf, element->node, "friction", " friction: two directions: not supported, %.9g counts for both",
                      friction[0]);
    }
    *mu = condim == 1 ? 0.0 : friction[0];
    return status;
}

static crn_status read_pair(crn_mjcf *mjcf, crn_xml_node *node)
{
    static const char *const field[2] = {"geom1", "geom2"};
    crn_mjcf_touch touch = {.node = node};
    crn_mjcf_element element;
    crn_status status = crn_mjcf_element_of(mjcf, node, 0, NULL, &element);
    status = status == CRN_OK ? read_friction(mjcf, &element, &touch.friction) : status;
    for (int k = 0; k < 2 && status == CRN_OK; ++k) {
        const char *name = crn_mjcf_text(&element, field[k]);
        touch.geom[k] = name != NULL ? find_geom(mjcf, name) : -1;
        if (touch.geom[k] < 0) {
            status = crn_mjcf_fail(mjcf, node, CRN_ERR_FORMAT, " %s: %s%.40s", field[k],
                                   name != NULL ? "there is no geom " : "missing", name != NULL ? name : "");
        }
    }
    if (status == CRN_OK && !mjcf->set.no_contact && touch.geom[0] != touch.geom[1]) {
        status = crn_mjcf_room(mjcf, node, (void **)&mjcf->touch, &mjcf->touch_places, mjcf->touches,
                               sizeof *mjcf->touch, CRN_MJCF_EXCLUDED_MOST);
        if (status == CRN_OK) {
            mjcf->touch[mjcf->touches++] = touch;
        }
    }
    return status;
}

crn_status crn_mjcf_read_pairs(crn_mjcf *mjcf)
{
    crn_status status = CRN_OK;
    crn_xml_node *root = crn_xml_root(mjcf->file[0]);
    for (crn_xml_node *contact = NULL; (contact = crn_xml_child(root, "contact", contact)) != NULL;) {
        for (crn_xml_node *node = NULL; status == CRN_OK && (node = crn_xml_child(contact, "pair", node)) != NULL;) {
            status = read_pair(mjcf, node);
        }
    }
    return status;
}

/* --- Bodies of pairs --- */

static bool is_of(const crn_mjcf *mjcf, const crn_mjcf_touch *touch, int a, int b)
{
    int one = mjcf->geom[touch->geom[0]].body, two = mjcf->geom[touch->geom[1]].body;
    return (one == a && two == b) || (one == b && two == a);
}

bool crn_mjcf_touch_asked(const crn_mjcf *mjcf, int a, int b)
{
    for (int i = 0; i < mjcf->touches; ++i) {
        if (is_of(mjcf, &mjcf->touch[i], a, b)) {
            return true;
        }
    }
    return false;
}

/* Do all geoms of two bodies that can touch have pairs with this friction? */
static bool is_whole(const crn_mjcf *mjcf, const crn_mjcf_touch *touch)
{
    const crn_mjcf_body *a = &mjcf->body[mjcf->geom[touch->geom[0]].body];
    const crn_mjcf_body *b = &mjcf->body[mjcf->geom[touch->geom[1]].body];
    for (int i = a->first_geom; i < a->first_geom + a->geoms; ++i) {
        for (int k = b->first_geom; k < b->first_geom + b->geoms; ++k) {
            const crn_body_shape *s = &mjcf->geom[i].shape, *t = &mjcf->geom[k].shape;
            bool can = mjcf->geom[i].is_shape && mjcf->geom[k].is_shape && (s->group & t->mask) != 0;
            if (can && !crn_mjcf_are_paired(mjcf, i, k)) {
                return false;
            }
        }
    }
    for (int i = 0; i < mjcf->touches; ++i) {
        const crn_mjcf_touch *other = &mjcf->touch[i];
        bool is_same = is_of(mjcf, other, mjcf->geom[touch->geom[0]].body, mjcf->geom[touch->geom[1]].body);
        if (is_same && other->friction != touch->friction) {
            return false;
        }
    }
    return true;
}

static crn_status add_pair(crn_mjcf *mjcf, int index)
{
    const crn_mjcf_touch *touch = &mjcf->touch[index];
    int a = mjcf->geom[touch->geom[0]].body, b = mjcf->geom[touch->geom[1]].body;
    crn_pair_def def = crn_pair_def_default();
    crn_error reason = {.status = CRN_OK};
    def.a = mjcf->body[a].index;
    def.b = mjcf->body[b].index;
    def.friction = touch->friction;
    bool is_there = def.a >= 0 && def.b >= 0 && def.a != def.b && !(mjcf->body[a].is_static && mjcf->body[b].is_static);
    for (int i = 0; i < index && is_there; ++i) {
        is_there = !is_of(mjcf, &mjcf->touch[i], a, b); /* by the first */
    }
    if (!is_there) {
        return CRN_OK;
    }
    if (!is_whole(mjcf, touch)) {
        crn_mjcf_warn(mjcf, touch->node, "friction",
                      " friction: is that of all geoms of both bodies, which touch each other too");
    }
    return crn_model_add_pair(mjcf->model, &def, NULL, &reason) == CRN_OK ? CRN_OK
                                                                          : crn_mjcf_blame(mjcf, touch->node, &reason);
}

crn_status crn_mjcf_add_pairs(crn_mjcf *mjcf)
{
    crn_status status = CRN_OK;
    for (int i = 0; i < mjcf->touches && status == CRN_OK; ++i) {
        status = add_pair(mjcf, i);
    }
    return status;
}
