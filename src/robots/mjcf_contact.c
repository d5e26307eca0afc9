/* Who touches whom.
 *
 * Masks. Geoms 1 and 2 of MuJoCo collide if (contype1 & conaffinity2) | (contype2 & conaffinity1); shapes of ours if
 * group1 & mask2 and group2 & mask1. Each pair (contype, conaffinity) of the file, and of those each set of partners by <pair>
 * (mjcf_pair.c), gets a bit of its own as group, and the bits of all that it collides with as mask: MuJoCo's rule is
 * symmetric, so both conditions hold together, exactly. Bits of shapes that are in the model already are not used; all that
 * is not of this file collides.
 *
 * Filters. Bodies without joints are welded to their parents. Geoms within a weld do not touch, nor do geoms of a weld and
 * of its parent's weld, unless that is the world. Joints keep their two bodies apart; the other pairs get a joint of kind
 * free outside of trees, which does only that. So do pairs of <exclude>. */
#include "robots/mjcf.h"

#include "base/memory.h"
#include "math/rigid.h"

/* --- Masks --- */

enum { BITS = 32 };

typedef struct mask_class {
    int geom; /* the first of it */
    uint32_t bit, mask;
} mask_class;

static bool collide(const crn_mjcf *mjcf, const mask_class *x, const mask_class *y)
{
    const crn_mjcf_geom *a = &mjcf->geom[x->geom], *b = &mjcf->geom[y->geom];
    return ((a->contype & b->conaffinity) | (b->contype & a->conaffinity)) != 0 ||
           (a->is_paired && b->is_paired && crn_mjcf_are_paired(mjcf, x->geom, y->geom));
}

/* Have two geoms pairs with the same others? */
static bool have_same_partners(const crn_mjcf *mjcf, int a, int b)
{
    bool is_same = true;
    for (int i = 0; i < mjcf->touches && is_same; ++i) {
        const int *geom = mjcf->touch[i].geom;
        for (int k = 0; k < 2; ++k) {
            is_same = is_same && crn_mjcf_are_paired(mjcf, a, geom[k]) == crn_mjcf_are_paired(mjcf, b, geom[k]);
        }
    }
    return is_same;
}

/* Bits that shapes of the model use, but for those that use all. */
static uint32_t used_bits(const crn_model *model)
{
    uint32_t used = 0;
    for (int i = 0; i < crn_model_bodies(model); ++i) {
        const crn_body_def *body = crn_model_body(model, i);
        for (int k = 0; k < body->shapes; ++k) {
            used |= body->shape[k].group != UINT32_MAX ? body->shape[k].group : 0;
        }
    }
    return used;
}

static int find_class(const crn_mjcf *mjcf, const mask_class *list, int count, int index)
{
    const crn_mjcf_geom *geom = &mjcf->geom[index];
    for (int i = 0; i < count; ++i) {
        const crn_mjcf_geom *first = &mjcf->geom[list[i].geom];
        if (first->contype == geom->contype && first->conaffinity == geom->conaffinity &&
            first->is_paired == geom->is_paired &&
            (!geom->is_paired || have_same_partners(mjcf, list[i].geom, index))) {
            return i;
        }
    }
    return -1;
}

/* Classes of the file with a bit each, in the order of the geoms; returns their number. */
static int list_classes(crn_mjcf *mjcf, mask_class list[BITS], uint32_t *rest)
{
    uint32_t used = used_bits(mjcf->model);
    int count = 0, bit = 0;
    *rest = 0;
    for (int i = 0; i < mjcf->geoms; ++i) {
        const crn_mjcf_geom *geom = &mjcf->geom[i];
        if (!geom->is_shape || find_class(mjcf, list, count, i) >= 0) {
            continue;
        }
        while (bit < BITS && (used >> bit & 1u) != 0) {
            ++bit;
        }
        if (bit == BITS) { /* the others collide with everything */
            *rest = 1u << (BITS - 1);
            crn_mjcf_warn(mjcf, geom->node, "contype",
                          " contype: no bit is left for this pair of contype and conaffinity, it collides with all");
            break;
        }
        list[count++] = (mask_class){i, 1u << bit, 0};
        ++bit;
    }
    return count;
}

crn_status crn_mjcf_set_masks(crn_mjcf *mjcf)
{
    mask_class list[BITS];
    uint32_t rest = 0, all = 0;
    int count = list_classes(mjcf, list, &rest);
    for (int i = 0; i < count; ++i) {
        all |= list[i].bit;
    }
    for (int i = 0; i < count; ++i) {
        list[i].mask = ~all | rest;
        for (int j = 0; j < count; ++j) {
            list[i].mask |= collide(mjcf, &list[i], &list[j]) ? list[j].bit : 0;
        }
    }
    for (int i = 0; i < mjcf->geoms; ++i) {
        crn_mjcf_geom *geom = &mjcf->geom[i];
        int k = geom->is_shape ? find_class(mjcf, list, count, i) : -1;
        geom->shape.group = k >= 0 ? list[k].bit : rest;
        geom->shape.mask = k >= 0 ? list[k].mask : UINT32_MAX;
    }
    return CRN_OK;
}

/* --- Filters --- */

static bool could_touch(const crn_mjcf_body *a, const crn_mjcf_body *b)
{
    return a->index >= 0 && b->index >= 0 && !(a->is_static && b->is_static) && (a->group & b->mask) != 0 &&
           (b->group & a->mask) != 0;
}

static bool is_jointed(const crn_mjcf_body *a, const crn_mjcf_body *b)
{
    return (a->above >= 0 && a->above == b->index) || (b->above >= 0 && b->above == a->index);
}

/* The weld that a weld hangs on; -1: the world, which filters nothing. */
static int parent_weld(const crn_mjcf *mjcf, int weld)
{
    int parent = mjcf->body[weld].parent;
    int above = parent > 0 ? mjcf->body[parent].weld : 0;
    return above == 0 || mjcf->set.no_parent_filter ? -1 : above;
}

static bool is_filtered(const crn_mjcf *mjcf, int i, int j)
{
    int a = mjcf->body[i].weld, b = mjcf->body[j].weld;
    if (a == 0 && b == 0) {
        return true;
    }
    return a == b || (a != 0 && parent_weld(mjcf, a) == b) || (b != 0 && parent_weld(mjcf, b) == a);
}

static crn_status exclude(crn_mjcf *mjcf, const crn_xml_node *node, int i, int j, int *count)
{
    crn_joint_def def = crn_joint_def_default();
    crn_error reason = {.status = CRN_OK};
    const crn_mjcf_body *a = &mjcf->body[i], *b = &mjcf->body[j];
    if (!could_touch(a, b) || is_jointed(a, b) || crn_mjcf_touch_asked(mjcf, i, j)) {
        return CRN_OK;
    }
    if (++*count > CRN_MJCF_EXCLUDED_MOST) {
        return crn_mjcf_fail(mjcf, node, CRN_ERR_UNSUPPORTED, "more than %d pairs of bodies that must not touch",
                             CRN_MJCF_EXCLUDED_MOST);
    }
    def.kind = CRN_JOINT_FREE;
    def.a = a->index;
    def.b = b->index;
    return crn_model_add_joint(mjcf->model, &def, NULL, &reason) == CRN_OK ? CRN_OK
                                                                           : crn_mjcf_blame(mjcf, node, &reason);
}

/* Bodies with shapes, those of a weld next to each other: first[w] .. first[w + 1] of order are those of weld w. */
static void sort_by_weld(const crn_mjcf *mjcf, int *first, int *order)
{
    for (int i = 0; i <= mjcf->bodies; ++i) {
        first[i] = 0;
    }
    for (int i = 0; i < mjcf->bodies; ++i) {
        first[mjcf->body[i].weld + 1] += mjcf->body[i].shapes > 0 ? 1 : 0;
    }
    for (int i = 0; i < mjcf->bodies; ++i) {
        first[i + 1] += first[i];
    }
    for (int i = mjcf->bodies - 1; i >= 0; --i) { /* from behind: first[w + 1] moves down to where w begins */
        if (mjcf->body[i].shapes > 0) {
            order[--first[mjcf->body[i].weld + 1]] = i;
        }
    }
    for (int i = 0; i < mjcf->bodies; ++i) {
        first[i] = first[i + 1];
    }
    first[mjcf->bodies] = 0;
    for (int i = 0; i < mjcf->bodies; ++i) {
        first[mjcf->bodies] += mjcf->body[i].shapes > 0 ? 1 : 0;
    }
}

static crn_status exclude_weld(crn_mjcf *mjcf, int weld, const int *first, const int *order, int *count)
{
    int above = parent_weld(mjcf, weld);
    crn_status status = CRN_OK;
    for (int k = first[weld]; k < first[weld + 1]; ++k) {
        int body = order[k];
        for (int l = first[weld]; l < k && status == CRN_OK; ++l) {
            status = exclude(mjcf, mjcf->body[body].node, order[l], body, count);
        }
        for (int l = above < 0 ? 0 : first[above]; above >= 0 && l < first[above + 1] && status == CRN_OK; ++l) {
            status = exclude(mjcf, mjcf->body[body].node, order[l], body, count);
        }
    }
    return status;
}

static crn_status exclude_all(crn_mjcf *mjcf, const int *first, const int *order)
{
    int count = 0;
    crn_status status = CRN_OK;
    for (int i = 1; i < mjcf->bodies && status == CRN_OK; ++i) {
        status = mjcf->body[i].weld == i ? exclude_weld(mjcf, i, first, order, &count) : CRN_OK;
    }
    for (int i = 0; i < mjcf->pairs && status == CRN_OK; ++i) {
        const crn_mjcf_pair *pair = &mjcf->pair[i];
        status = is_filtered(mjcf, pair->a, pair->b) ? CRN_OK : exclude(mjcf, pair->node, pair->a, pair->b, &count);
    }
    return status;
}

crn_status crn_mjcf_add_excludes(crn_mjcf *mjcf)
{
    int *first = crn_allocate(&mjcf->allocator, (size_t)mjcf->bodies + 1, sizeof(int));
    int *order = crn_allocate(&mjcf->allocator, (size_t)mjcf->bodies, sizeof(int));
    crn_status status = CRN_OK;
    if (first != NULL && order != NULL) {
        sort_by_weld(mjcf, first, order);
        status = exclude_all(mjcf, first, order);
    } else {
        status = crn_mjcf_fail(mjcf, mjcf->body[0].node, CRN_ERR_MEMORY, "no memory");
    }
    crn_release(&mjcf->allocator, first);
    crn_release(&mjcf->allocator, order);
    return status;
}

/* --- <exclude> --- */

static crn_status read_exclude(crn_mjcf *mjcf, crn_xml_node *node)
{
    static const char *const field[2] = {"body1", "body2"};
    int body[2];
    for (int k = 0; k < 2; ++k) {
        const char *name = crn_xml_get(node, field[k]);
        body[k] = name != NULL ? crn_mjcf_find_body(mjcf, name) : -1;
        if (body[k] < 0) {
            return crn_mjcf_fail(mjcf, node, CRN_ERR_FORMAT, " %s: %s%.40s", field[k],
                                 name != NULL ? "there is no body " : "missing", name != NULL ? name : "");
        }
    }
    crn_status status = crn_mjcf_room(mjcf, node, (void **)&mjcf->pair, &mjcf->pair_places, mjcf->pairs,
                                      sizeof *mjcf->pair, CRN_MJCF_EXCLUDED_MOST);
    if (status == CRN_OK && body[0] != body[1]) {
        mjcf->pair[mjcf->pairs++] = (crn_mjcf_pair){node, body[0], body[1]};
    }
    return status;
}

crn_status crn_mjcf_read_excludes(crn_mjcf *mjcf)
{
    crn_status status = CRN_OK;
    crn_xml_node *root = crn_xml_root(mjcf->file[0]);
    for (crn_xml_node *contact = NULL; (contact = crn_xml_child(root, "contact", contact)) != NULL;) {
        for (crn_xml_node *node = NULL; status == CRN_OK && (node = crn_xml_child(contact, "exclude", node)) != NULL;) {
            status = read_exclude(mjcf, node);
        }
    }
    return status;
}
