/* bench_piles_scenes.c -- piles as worlds. */
#include "bench_piles.h"

#include <math.h>

#include "build.h"
#include "gallery_worlds.h"

/* A box without a lid: floor at z = 0, walls at x, y = 0 and side. */
static void add_box(crn_build *b, double side)
{
    crn_body_shape plane[5] = {crn_build_plane(b, (crn_vec3){0, 0, 0}, (crn_vec3){0, 0, 1}),
                               crn_build_plane(b, (crn_vec3){0, 0, 0}, (crn_vec3){1, 0, 0}),
                               crn_build_plane(b, (crn_vec3){side, 0, 0}, (crn_vec3){-1, 0, 0}),
                               crn_build_plane(b, (crn_vec3){0, 0, 0}, (crn_vec3){0, 1, 0}),
                               crn_build_plane(b, (crn_vec3){0, side, 0}, (crn_vec3){0, -1, 0})};
    crn_build_fixed(b, "box", plane, 5);
}

static crn_vec3 random_vector(crn_random *random, double most)
{
    double x = crn_random_uniform(random, -most, most), y = crn_random_uniform(random, -most, most);
    return (crn_vec3){x, y, crn_random_uniform(random, -most, most)};
}

/* The i-th place of a lattice that fills the box in layers, a little off. */
static crn_vec3 place(int i, int across, double apart, double layer, crn_random *random)
{
    crn_vec3 off = random_vector(random, 2e-3);
    return (crn_vec3){apart * (i % across + 0.5) + off.x, apart * (i / across % across + 0.5) + off.y,
                      layer * (i / (across * across) + 1)};
}

static void add_thrown(crn_build *b, const crn_body_shape *shape, crn_vec3 at, crn_quat turned, crn_random *random)
{
    crn_body_def def = crn_body_def_default();
    def.shape = shape;
    def.shapes = 1;
    def.pose = (crn_pose){at, turned};
    def.velocity = random_vector(random, 0.3);
    crn_build_add(b, &def);
}

crn_status pile_pour(crn_model *model, int spheres, double ratio, uint64_t seed, crn_error *error)
{
    const double radius = 0.1, apart = 0.23, side = 2.0 * sqrt(spheres / 1000.0);
    crn_build b = crn_build_begin(model, error);
    crn_random random = crn_random_seed(seed);
    crn_build_world(&b, false, 0.01, 4.0);
    add_box(&b, side);
    for (int i = 0; i < spheres; ++i) {
        b.density = i % 2 ? 1000.0 * ratio : 1000.0;
        crn_body_shape ball = crn_build_sphere(&b, radius * crn_random_uniform(&random, 0.9, 1.1));
        add_thrown(&b, &ball, place(i, (int)(side / apart), apart, 0.3, &random), (crn_quat){1, 0, 0, 0}, &random);
    }
    return b.status;
}

crn_status pile_solids(crn_model *model, int bodies, bool is_mixed, uint64_t seed, crn_error *error)
{
    const double apart = 0.3;
    int across = (int)ceil(sqrt(bodies / 6.0));
    crn_build b = crn_build_begin(model, error);
    crn_random random = crn_random_seed(seed);
    crn_build_world(&b, false, 0.01, 4.0);
    add_box(&b, apart * across);
    crn_body_shape kind[3] = {crn_build_box(&b, 0.1, 0.08, 0.06), crn_build_sphere(&b, 0.09),
                              crn_build_capsule(&b, 0.06, 0.07)};
    for (int i = 0; i < bodies; ++i) {
        crn_vec3 n = random_vector(&random, 1.0), at = place(i, across, apart, apart, &random);
        double length = sqrt(n.x * n.x + n.y * n.y + n.z * n.z);
        n = (crn_vec3){n.x / length, n.y / length, n.z / length};
        add_thrown(&b, &kind[is_mixed ? i % 3 : 0], at, crn_build_turn_z_to(n), &random);
    }
    return b.status;
}

/* Disks of nearly one size in a hexagonal packing, with gaps of up to a thousandth, that settle between two walls. */
crn_status pile_wall(crn_model *model, int disks, uint64_t seed, crn_error *error)
{
    const double quarter = acos(0.0);
    int across = (int)sqrt(0.5 * disks);
    crn_build b = crn_build_begin(model, error);
    crn_random random = crn_random_seed(seed);
    crn_build_world(&b, true, 0.01, 0.2);
    crn_body_shape side[3] = {crn_build_half_plane(&b, (crn_vec3){0, 0, 0}, 0.0),
                              crn_build_half_plane(&b, (crn_vec3){0, 0, 0}, -quarter),
                              crn_build_half_plane(&b, (crn_vec3){2.0 * across + 1.0, 0, 0}, quarter)};
    crn_build_fixed(&b, "walls", side, 3);
    for (int i = 0; i < disks; ++i) {
        int row = i / across, column = i % across;
        crn_vec3 at = {1.0 + 2.0 * column + row % 2, 1.0 + sqrt(3.0) * row, 0.0};
        crn_build_body(&b, NULL, crn_build_disk(&b, crn_random_uniform(&random, 0.999, 1.0)), 0.0, at);
    }
    return b.status;
}
