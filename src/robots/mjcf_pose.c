/* Positions and orientations of elements. An orientation is written in one of five ways:
 *
 *     quat       (w, x, y, z), made unit
 *     axisangle  axis, then angle
 *     xyaxes     x, then y, which is made orthogonal to x; z = x cross y
 *     zaxis      the shortest turn of z into it
 *     euler      three turns in the order of <compiler eulerseq>: lower case about axes that turn along, upper case about
 *                axes that stay
 */
#include "robots/mjcf.h"

#include "math/elementary.h"
#include "math/rigid.h"

/* Square of a sine below which a direction is opposite to z, or two axes are parallel: rounding alone gives 1e-32. */
static const double PARALLEL_BELOW = 1e-24;

/* --- Rotations --- */

crn_quat crn_mjcf_turn_z(crn_vec3 direction)
{
    crn_vec3 d = crn_v3_unit(direction);
    crn_vec3 axis = crn_v3_cross(crn_v3(0, 0, 1), d);
    double square = crn_v3_dot(axis, axis);
    if (square <= PARALLEL_BELOW) {
        return d.z > 0.0 ? (crn_quat){1, 0, 0, 0} : (crn_quat){0, 1, 0, 0};
    }
    double sine = sqrt(square), angle = crn_atan2(sine, d.z);
    return crn_quat_exp(crn_v3_scale(angle / sine, axis));
}

crn_quat crn_mjcf_turn_axes(crn_vec3 x, crn_vec3 y, crn_vec3 z)
{
    /* 4 w^2, 4 x^2, ...: the largest is at least 1 */
    double square[4] = {1.0 + x.x + y.y + z.z, 1.0 + x.x - y.y - z.z, 1.0 - x.x + y.y - z.z, 1.0 - x.x - y.y + z.z};
    int k = 0;
    for (int i = 1; i < 4; ++i) {
        k = square[i] > square[k] ? i : k;
    }
    double s = square[k], a = y.z - z.y, b = z.x - x.z, c = x.y - y.x;
    double d = x.y + y.x, e = x.z + z.x, f = y.z + z.y;
    crn_quat q = k == 0   ? (crn_quat){s, a, b, c}
                 : k == 1 ? (crn_quat){a, s, d, e}
                 : k == 2 ? (crn_quat){b, d, s, f}
                          : (crn_quat){c, e, f, s};
    return crn_quat_unit(q);
}

crn_pose crn_mjcf_inverse(const crn_pose *pose)
{
    crn_quat back = crn_quat_conjugate(pose->rotation);
    return (crn_pose){crn_v3_scale(-1.0, crn_quat_turn(back, pose->position)), back};
}

/* --- Ways to write them --- */

static crn_status from_quat(const crn_mjcf *mjcf, const crn_mjcf_element *element, const double *v, crn_quat *rotation)
{
    double largest = crn_fmax(crn_fmax(fabs(v[0]), fabs(v[1])), crn_fmax(fabs(v[2]), fabs(v[3])));
    if (largest == 0.0) {
        return crn_mjcf_fail(mjcf, element->node, CRN_ERR_FORMAT, " quat: must not be 0");
    }
    /* by the largest first: squares neither vanish nor overflow */
    *rotation = crn_quat_unit((crn_quat){v[0] / largest, v[1] / largest, v[2] / largest, v[3] / largest});
    return CRN_OK;
}

/* Unit vector of three numbers; false: they are 0. */
static bool direction_of(const double *v, crn_vec3 *unit)
{
    double largest = crn_fmax(crn_fmax(fabs(v[0]), fabs(v[1])), fabs(v[2]));
    if (largest == 0.0) {
        return false;
    }
    *unit = crn_v3_unit(crn_v3(v[0] / largest, v[1] / largest, v[2] / largest));
    return true;
}

static crn_status from_axis_angle(const crn_mjcf *mjcf, const crn_mjcf_element *element, const double *v,
                                  crn_quat *rotation)
{
    crn_vec3 axis;
    if (!direction_of(v, &axis)) {
        return crn_mjcf_fail(mjcf, element->node, CRN_ERR_FORMAT, " axisangle: the axis must not be 0");
    }
    *rotation = crn_quat_unit(crn_quat_exp(crn_v3_scale(v[3] * mjcf->set.angle, axis)));
    return CRN_OK;
}

static crn_status from_axes(const crn_mjcf *mjcf, const crn_mjcf_element *element, const double *v, crn_quat *rotation)
{
    crn_vec3 x, y;
    bool is_good = direction_of(v, &x) && direction_of(v + 3, &y);
    if (is_good) {
        y = crn_v3_axpy(y, -crn_v3_dot(x, y), x);
        is_good = crn_v3_dot(y, y) > PARALLEL_BELOW;
    }
    if (!is_good) {
        return crn_mjcf_fail(mjcf, element->node, CRN_ERR_FORMAT,
                             " xyaxes: must be two directions that are not parallel");
    }
    y = crn_v3_unit(y);
    *rotation = crn_mjcf_turn_axes(x, y, crn_v3_cross(x, y));
    return CRN_OK;
}

static crn_status from_z_axis(const crn_mjcf *mjcf, const crn_mjcf_element *element, const double *v,
                              crn_quat *rotation)
{
    crn_vec3 z;
    if (!direction_of(v, &z)) {
        return crn_mjcf_fail(mjcf, element->node, CRN_ERR_FORMAT, " zaxis: must not be 0");
    }
    *rotation = crn_mjcf_turn_z(z);
    return CRN_OK;
}

static crn_status from_euler(const crn_mjcf *mjcf, const crn_mjcf_element *element, const double *v, crn_quat *rotation)
{
    (void)element;
    crn_quat q = {1, 0, 0, 0};
    for (int i = 0; i < 3; ++i) {
        char c = mjcf->set.euler[i];
        double angle = v[i] * mjcf->set.angle;
        crn_quat turn = c == 'x' || c == 'X'   ? crn_quat_exp(crn_v3(angle, 0, 0))
                        : c == 'y' || c == 'Y' ? crn_quat_exp(crn_v3(0, angle, 0))
                                               : crn_quat_exp(crn_v3(0, 0, angle));
        q = c >= 'a' ? crn_quat_product(q, turn) : crn_quat_product(turn, q);
    }
    *rotation = crn_quat_unit(q);
    return CRN_OK;
}

crn_status crn_mjcf_read_euler(const crn_mjcf *mjcf, const crn_mjcf_element *element, crn_quat *rotation)
{
    double v[3] = {0, 0, 0};
    crn_status status = crn_mjcf_numbers(mjcf, element, "euler", 3, 3, v, NULL);
    return status == CRN_OK ? from_euler(mjcf, element, v, rotation) : status;
}

typedef struct way {
    const char *name;
    int count;
    crn_status (*read)(const crn_mjcf *mjcf, const crn_mjcf_element *element, const double *v, crn_quat *rotation);
} way;

static const way ways[] = {{"quat", 4, from_quat},
                           {"axisangle", 4, from_axis_angle},
                           {"xyaxes", 6, from_axes},
                           {"zaxis", 3, from_z_axis},
                           {"euler", 3, from_euler}};

/* The others override quat, of which defaults may have one; two others contradict each other. */
static crn_status read_rotation(const crn_mjcf *mjcf, const crn_mjcf_element *element, crn_quat *rotation)
{
    const way *chosen = NULL;
    double values[6];
    for (size_t i = 0; i < sizeof ways / sizeof *ways; ++i) {
        double v[6] = {0};
        int given = 0;
        crn_status status = crn_mjcf_numbers(mjcf, element, ways[i].name, ways[i].count, ways[i].count, v, &given);
        if (status != CRN_OK) {
            return status;
        }
        if (given == 0) {
            continue;
        }
        if (chosen != NULL && chosen != &ways[0]) {
            return crn_mjcf_fail(mjcf, element->node, CRN_ERR_FORMAT, "has both %s and %s", chosen->name, ways[i].name);
        }
        chosen = &ways[i];
        for (int k = 0; k < 6; ++k) {
            values[k] = v[k];
        }
    }
    return chosen != NULL ? chosen->read(mjcf, element, values, rotation) : CRN_OK;
}

crn_status crn_mjcf_read_pose(const crn_mjcf *mjcf, const crn_mjcf_element *element, crn_pose *pose, bool *has_position)
{
    int given = 0;
    *pose = crn_pose_identity();
    crn_status status = crn_mjcf_vector(mjcf, element, "pos", &pose->position, &given);
    if (has_position != NULL) {
        *has_position = given > 0;
    }
    return status == CRN_OK ? read_rotation(mjcf, element, &pose->rotation) : status;
}

/* --- In a body --- */

crn_pose crn_mjcf_in_body(const crn_mjcf *mjcf, int body, const crn_pose *frame, const crn_pose *read)
{
    crn_pose left = *frame;
    if (mjcf->set.is_global) { /* the world of the file is the pose of the robot's root in ours */
        crn_pose place = crn_mjcf_inverse(&mjcf->body[body].place);
        left = crn_pose_product(&place, &mjcf->body[0].place);
    }
    crn_pose pose = crn_pose_product(&left, read);
    pose.rotation = crn_quat_unit(pose.rotation);
    return pose;
}

void crn_mjcf_in_model(const crn_mjcf *mjcf, int body, const crn_pose *pose, int *index, crn_pose *to)
{
    const crn_mjcf_body *at = &mjcf->body[body];
    *index = at->is_static ? -1 : at->index;
    *to = *pose;
    if (at->is_static) {
        *to = crn_pose_product(&at->place, pose);
        to->rotation = crn_quat_unit(to->rotation);
    }
}
