/* Numbers and directions of random worlds. */
#include "random_parts.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

bool crn_random_chance(crn_random_scene *s, double probability)
{
    return crn_random_uniform(&s->random, 0.0, 1.0) < probability;
}

double crn_random_between(crn_random_scene *s, double low, double high)
{
    return crn_random_uniform(&s->random, low, high);
}

double crn_random_log(crn_random_scene *s, double low, double high)
{
    return exp(crn_random_uniform(&s->random, log(low), log(high)));
}

int crn_random_count(crn_random_scene *s, int low, int high)
{
    return low + crn_random_below(&s->random, high - low + 1);
}

crn_vec3 crn_random_direction(crn_random_scene *s)
{
    double angle = crn_random_between(s, -pi, pi);
    if (s->is_planar) {
        return (crn_vec3){cos(angle), sin(angle), 0.0};
    }
    double z = crn_random_between(s, -1.0, 1.0), r = sqrt(1.0 - z * z);
    return (crn_vec3){r * cos(angle), r * sin(angle), z};
}

crn_quat crn_random_turn(crn_random_scene *s)
{
    double angle = crn_random_between(s, -pi, pi);
    if (s->is_planar) {
        return (crn_quat){cos(0.5 * angle), 0.0, 0.0, sin(0.5 * angle)};
    }
    crn_quat about_z = {cos(0.5 * angle), 0.0, 0.0, sin(0.5 * angle)};
    return crn_build_multiply(crn_build_turn_z_to(crn_random_direction(s)), about_z);
}

crn_vec3 crn_random_up(const crn_random_scene *s)
{
    return s->is_planar ? (crn_vec3){0.0, 1.0, 0.0} : (crn_vec3){0.0, 0.0, 1.0};
}

crn_vec3 crn_random_axpy(crn_vec3 a, double s, crn_vec3 b)
{
    return (crn_vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

double crn_random_dot(crn_vec3 a, crn_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

double crn_random_distance(crn_vec3 a, crn_vec3 b)
{
    crn_vec3 d = crn_random_axpy(a, -1.0, b);
    return sqrt(crn_random_dot(d, d));
}

crn_vec3 crn_random_toward(crn_vec3 from, crn_vec3 to)
{
    double distance = crn_random_distance(from, to);
    crn_vec3 d = crn_random_axpy(to, -1.0, from), right = {1.0, 0.0, 0.0};
    return distance > 0.0 ? (crn_vec3){d.x / distance, d.y / distance, d.z / distance} : right;
}
