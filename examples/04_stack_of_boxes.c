/* Ten boxes on the floor, a ball thrown at them: a world steps at 10 ms, each step is one complementarity problem with a
 * certificate. */
#include <cairn/world.h>
#include <stdio.h>

static crn_error error;

/* A body of one shape. */
static crn_body_id add(crn_world *world, crn_body_kind kind, crn_shape_def shape, crn_vec3 position, crn_vec3 velocity)
{
    crn_body_shape part = crn_body_shape_default(); /* mu = 0.5, 1000 kg/m^3 */
    crn_body_def def = crn_body_def_default();
    crn_body_id body = {0, 0};
    part.shape = shape;
    def.kind = kind;
    def.pose.position = position;
    def.velocity = velocity;
    def.shape = &part;
    def.shapes = 1;
    if (crn_body_create(world, &def, &body, &error) != CRN_OK) {
        fprintf(stderr, "%s\n", error.text); /* names the field: "body.mass: must be > 0" */
    }
    return body;
}

int main(void)
{
    const crn_vec3 still = {0, 0, 0};
    crn_world *world;
    if (crn_world_create(NULL, NULL, &world, &error) !=
        CRN_OK) { /* gravity (0, 0, -9.81), Coulomb's law, round cones */
        return 2;
    }
    add(world, CRN_BODY_FIXED, (crn_shape_def){.kind = CRN_SHAPE_PLANE}, still, still);
    crn_body_id top = {0, 0};
    for (int i = 0; i < 10; ++i) {
        crn_shape_def box = {.kind = CRN_SHAPE_BOX, .size = {0.5, 0.5, 0.5}}; /* half sides */
        top = add(world, CRN_BODY_FREE, box, (crn_vec3){0, 0, 0.5 + i}, still);
    }
    crn_shape_def ball = {.kind = CRN_SHAPE_SPHERE, .size = {0.4, 0, 0}};
    add(world, CRN_BODY_FREE, ball, (crn_vec3){-12, 0, 5}, (crn_vec3){60, 0, 3});

    double worst = 0.0;
    for (int k = 1; k <= 300; ++k) {
        crn_step_stats stats;
        if (crn_world_step(world, 0.01, &stats, &error) != CRN_OK) {
            fprintf(stderr, "%s\n", error.text);
            return 1;
        }
        if (stats.outcome != CRN_LCP_SOLVED) {
            return 1;
        }
        worst = stats.certificate > worst ? stats.certificate : worst;
        if (k % 50 == 0) {
            crn_pose pose;
            crn_body_pose(world, top, &pose);
            printf("t = %.1f s: %3d contacts, overlap %.0e m, energy %6.0f J, top box at (%.4f, %.4f, %.4f)\n",
                   stats.time, stats.contacts, stats.penetration, stats.kinetic + stats.potential, pose.position.x,
                   pose.position.y, pose.position.z);
        }
    }
    printf("every step certified; the worst certificate is %.0e\n", worst);
    crn_world_destroy(world);
    return 0;
}
