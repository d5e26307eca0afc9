// The same from C++: a block on a floor is stepped, and stays where it is.
#include <cairn/cairn.h>

#include <cmath>
#include <cstdio>
#include <cstring>

namespace
{

crn_body_id add(crn_world *world, crn_body_kind kind, crn_shape_kind shape, double half, double height)
{
    crn_body_shape part = crn_body_shape_default();
    part.shape.kind = shape;
    part.shape.size = crn_vec3{half, half, half};
    crn_body_def def = crn_body_def_default();
    def.kind = kind;
    def.pose.position.z = height;
    def.shape = &part;
    def.shapes = 1;
    crn_body_id body = {0, 0};
    crn_error error;
    if (crn_body_create(world, &def, &body, &error) != CRN_OK) {
        std::fprintf(stderr, "client: %s\n", error.text);
    }
    return body;
}

} // namespace

int main(int argc, char **argv)
{
    if (argc > 1 && std::strcmp(argv[1], crn_version()) != 0) {
        std::fprintf(stderr, "client: the package says version %s\n", argv[1]);
        return 1;
    }
    crn_world *world = nullptr;
    crn_error error;
    if (crn_world_create(nullptr, nullptr, &world, &error) != CRN_OK) {
        std::fprintf(stderr, "client: %s\n", error.text);
        return 1;
    }
    add(world, CRN_BODY_FIXED, CRN_SHAPE_PLANE, 0.0, 0.0);
    crn_body_id block = add(world, CRN_BODY_FREE, CRN_SHAPE_BOX, 0.5, 0.5);
    bool is_solved = true;
    for (int step = 0; step < 100 && is_solved; ++step) {
        crn_step_stats stats;
        is_solved = crn_world_step(world, 0.01, &stats, &error) == CRN_OK && stats.outcome == CRN_LCP_SOLVED;
    }
    crn_pose pose = crn_pose();
    crn_body_pose(world, block, &pose);
    crn_world_destroy(world);
    std::printf("client: C++, the block is at z = %.17g\n", pose.position.z);
    return is_solved && std::fabs(pose.position.z - 0.5) < 1e-6 ? 0 : 1;
}
