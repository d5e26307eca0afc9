/* Wheels: links that turn about a principal axis through their centre of mass and carry nothing that turns with them.
 *
 * A link on a hinge is one if the hinge's axis is such, a link without a joint above if those of the hinges that hang on it are;
 * all hinges on it must be about that axis. Then nothing but its own turning depends on the hinge's angle. */
#include "tree/tree_room.h"

#include "math/rigid.h"

/* How far the axis may pass from the centre of mass, relative to the radius of gyration; and be off a principal direction. */
static const double WHEEL_SLACK = 1e-9;

typedef struct line {
    crn_vec3 point, along;
} line;

static line axis_of(const crn_frame *joint)
{
    return (line){joint->position, crn_m3_column(&joint->rotation, 2)};
}

static double distance_to(const line *l, crn_vec3 p)
{
    return crn_v3_length(crn_v3_cross(crn_v3_sub(p, l->point), l->along));
}

/* Radius of gyration: what distances on a link are compared with. */
static double size_of(const crn_link *link)
{
    const double *I = link->inertia.m;
    return sqrt((I[0] + I[4] + I[8]) / link->mass);
}

static bool is_principal(const crn_link *link, const line *l)
{
    const double *I = link->inertia.m;
    crn_vec3 momentum = crn_m3_times(&link->inertia, l->along), centre = {0, 0, 0};
    return distance_to(l, centre) <= WHEEL_SLACK * size_of(link) &&
           crn_v3_length(crn_v3_cross(momentum, l->along)) <= WHEEL_SLACK * (I[0] + I[4] + I[8]);
}

static bool is_same(const line *a, const line *b, double size)
{
    return distance_to(a, b->point) <= WHEEL_SLACK * size &&
           crn_v3_length(crn_v3_cross(a->along, b->along)) <= WHEEL_SLACK;
}

/* The axis about which link i may turn alone; false: there is none, or several. */
static bool find_axis(const crn_tree *tree, int i, line *axis)
{
    bool is_found = tree->link[i].kind == CRN_JOINT_HINGE;
    if (!is_found && tree->link[i].kind != CRN_JOINT_FREE) {
        return false;
    }
    *axis = axis_of(&tree->link[i].frame_b);
    for (int k = i + 1; k < tree->links; ++k) {
        if (tree->link[k].parent == i) {
            line other = axis_of(&tree->link[k].frame_a);
            if (tree->link[k].kind != CRN_JOINT_HINGE ||
                (is_found && !is_same(axis, &other, size_of(&tree->link[i])))) {
                return false;
            }
            *axis = other;
            is_found = true;
        }
    }
    return is_found;
}

void crn_tree_find_wheels(crn_tree *tree)
{
    for (int i = 0; i < tree->links; ++i) {
        line axis;
        tree->link[i].is_wheel = find_axis(tree, i, &axis) && is_principal(&tree->link[i], &axis);
    }
}
