/* Which friction rule the world gets, and which coefficient each shape. A contact of MuJoCo has
 *
 *     condim, mu = those of the geom with the higher priority, else the larger of both; condim 1: mu = 0
 *
 * and one of ours rule(mu_a, mu_b), the rule being one for all. So each way below is tried on all pairs of materials that
 * can meet, and the one by which the fewest pairs differ is taken; if some differ, a warning says so. Contacts with what
 * does not move count more: what a robot stands on matters more than how its links rub. */
#include "robots/mjcf.h"
#include "math/elementary.h"

#include <math.h>

/* Materials beyond which nothing is tried: MAX is MuJoCo's own rule for all of condim > 1. */
enum { MATERIALS_MOST = 64 };

/* What a difference at a contact with the surroundings counts, in differences between links. */
enum { SURROUNDINGS_WEIGHT = 100 };

typedef struct material {
    double mu;
    bool is_smooth; /* condim 1 */
    int priority;
    uint32_t group, mask;
    bool is_static;
    int body;        /* of its first geom; -1: of several */
    double assigned; /* what the way that is tried makes of it */
} material;

/* What a geom of condim 1 gets. */
typedef enum smooth_value { ZERO, OWN, OWN_IF_LARGER } smooth_value;

typedef struct way {
    crn_friction_rule rule;
    smooth_value smooth;
} way;

static const way ways[] = {{CRN_FRICTION_MAX, ZERO},
                           {CRN_FRICTION_MAX, OWN_IF_LARGER},
                           {CRN_FRICTION_MAX, OWN},
                           {CRN_FRICTION_MIN, ZERO},
                           {CRN_FRICTION_GEOMETRIC, ZERO}};

static bool is_same(const material *m, const crn_mjcf_geom *geom, bool is_static)
{
    return m->mu == geom->shape.friction && m->is_smooth == (geom->condim == 1) && m->priority == geom->priority &&
           m->group == geom->shape.group && m->mask == geom->shape.mask && m->is_static == is_static;
}

/* Returns their number; -1: more than there is room for. */
static int list_materials(const crn_mjcf *mjcf, material list[MATERIALS_MOST])
{
    int count = 0;
    for (int i = 0; i < mjcf->geoms; ++i) {
        const crn_mjcf_geom *geom = &mjcf->geom[i];
        bool is_static = mjcf->body[geom->body].is_static;
        int k = 0;
        if (!geom->is_shape) {
            continue;
        }
        while (k < count && !is_same(&list[k], geom, is_static)) {
            ++k;
        }
        if (k < count) {
            list[k].body = list[k].body == geom->body ? geom->body : -1;
            continue;
        }
        if (count == MATERIALS_MOST) {
            return -1;
        }
        list[count++] = (material){.mu = geom->shape.friction,
                                   .is_smooth = geom->condim == 1,
                                   .priority = geom->priority,
                                   .group = geom->shape.group,
                                   .mask = geom->shape.mask,
                                   .is_static = is_static,
                                   .body = geom->body};
    }
    return count;
}

static bool can_meet(const material *a, const material *b)
{
    bool is_one_body = a->body >= 0 && a->body == b->body;
    return !(a->is_static && b->is_static) && !is_one_body && (a->group & b->mask) != 0 && (b->group & a->mask) != 0;
}

static double expected(const material *a, const material *b)
{
    const material *chosen = a->priority > b->priority ? a : b->priority > a->priority ? b : NULL;
    if (chosen != NULL) {
        return chosen->is_smooth ? 0.0 : chosen->mu;
    }
    return a->is_smooth && b->is_smooth ? 0.0 : crn_fmax(a->mu, b->mu);
}

static double by_rule(crn_friction_rule rule, double a, double b)
{
    return rule == CRN_FRICTION_MAX ? crn_fmax(a, b) : rule == CRN_FRICTION_MIN ? crn_fmin(a, b) : sqrt(a * b);
}

/* Does it meet something rough that is less rough than its own coefficient? Then 0 would lose that. */
static bool is_larger(const material *list, int count, const material *m)
{
    for (int i = 0; i < count; ++i) {
        if (!list[i].is_smooth && list[i].mu < m->mu && can_meet(m, &list[i])) {
            return true;
        }
    }
    return false;
}

static void assign(material *list, int count, smooth_value smooth)
{
    for (int i = 0; i < count; ++i) {
        bool is_own =
            !list[i].is_smooth || smooth == OWN || (smooth == OWN_IF_LARGER && is_larger(list, count, &list[i]));
        list[i].assigned = is_own ? list[i].mu : 0.0;
    }
}

/* How much the way differs. */
static int count_differences(const material *list, int count, crn_friction_rule rule)
{
    int sum = 0;
    for (int i = 0; i < count; ++i) {
        for (int j = i; j < count; ++j) {
            if (!can_meet(&list[i], &list[j])) {
                continue;
            }
            double is = by_rule(rule, list[i].assigned, list[j].assigned);
            bool differs = fabs(is - expected(&list[i], &list[j])) > 1e-12 * is; /* rounding of the root */
            sum += !differs ? 0 : list[i].is_static || list[j].is_static ? SURROUNDINGS_WEIGHT : 1;
        }
    }
    return sum;
}

static void apply(crn_mjcf *mjcf, const material *list, int count)
{
    for (int i = 0; i < mjcf->geoms; ++i) {
        crn_mjcf_geom *geom = &mjcf->geom[i];
        bool is_static = mjcf->body[geom->body].is_static;
        for (int k = 0; k < count && geom->is_shape; ++k) {
            if (is_same(&list[k], geom, is_static)) {
                geom->shape.friction = list[k].assigned;
                break;
            }
        }
    }
}

void crn_mjcf_set_friction(crn_mjcf *mjcf)
{
    material list[MATERIALS_MOST];
    crn_world_def *world = crn_model_world(mjcf->model);
    int count = list_materials(mjcf, list), best = -1, least = 0;
    if (mjcf->is_first) {
        world->friction_rule = CRN_FRICTION_MAX;
    }
    for (size_t i = 0; i < sizeof ways / sizeof *ways && count > 0; ++i) {
        if (!mjcf->is_first && ways[i].rule != world->friction_rule) {
            continue;
        }
        assign(list, count, ways[i].smooth);
        int differences = count_differences(list, count, ways[i].rule);
        if (best < 0 || differences < least) {
            best = (int)i;
            least = differences;
        }
    }
    if (best >= 0) {
        world->friction_rule = mjcf->is_first ? ways[best].rule : world->friction_rule;
        assign(list, count, ways[best].smooth);
        apply(mjcf, list, count);
    }
    if (least > 0 || count < 0) {
        crn_mjcf_warn(
            mjcf, mjcf->body[0].node, "friction",
            "friction, condim and priority of its geoms do not fit one rule: some contacts have another friction");
    }
}
