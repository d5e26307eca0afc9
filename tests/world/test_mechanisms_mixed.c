/* Trees and free bodies together: a dozen solids of all kinds, 50 g to 1 t, fall on the humanoid and, up to 0.5 kg, on the net. Heavier
 * ones make its links of 50 g whip at hundreds of rad/s: at 10 ms strings then pass through one another, at 1 ms they do not. */
#include "mechanism_case.h"

enum { SOLIDS = 12 };
static const double LIGHTEST = 0.05; /* [kg] */

static void add_solids(crn_model *model, int seed, double heaviest)
{
    static const crn_shape_kind kinds[4] = {CRN_SHAPE_SPHERE, CRN_SHAPE_BOX, CRN_SHAPE_CAPSULE, CRN_SHAPE_CYLINDER};
    crn_random random = crn_random_seed((uint64_t)seed);
    for (int i = 0; i < SOLIDS; ++i) {
        crn_body_def def = crn_body_def_default();
        crn_body_shape shape = crn_body_shape_default();
        shape.shape.kind = kinds[i % 4];
        shape.shape.size.x = crn_random_uniform(&random, 0.04, 0.12);
        shape.shape.size.y = crn_random_uniform(&random, 0.04, 0.15);
        shape.shape.size.z = crn_random_uniform(&random, 0.04, 0.1);
        shape.friction = crn_random_uniform(&random, 0.0, 1.0);
        def.mass = exp(crn_random_uniform(&random, log(LIGHTEST), log(heaviest)));
        def.pose.position.x = crn_random_uniform(&random, -0.5, 0.7);
        def.pose.position.y = crn_random_uniform(&random, -0.4, 0.4);
        def.pose.position.z = 2.0 + 0.35 * i;
        def.angular.x = crn_random_uniform(&random, -3.0, 3.0);
        def.angular.y = crn_random_uniform(&random, -3.0, 3.0);
        def.shape = &shape;
        def.shapes = 1;
        TREE_CHECK(crn_model_add_body(model, &def, NULL, error));
    }
}

static void run(const char *scene, double h, double seconds, int seed, double heaviest)
{
    mechanism m;
    char name[60];
    crn_model *model = physics_scene(scene);
    add_solids(model, seed, heaviest);
    (void)snprintf(name, sizeof name, "%s and %d solids (seed %d)", scene, SOLIDS, seed);
    mechanism_start(&m, model, name, h, 0);
    for (int k = 0; k < (int)lround(seconds / h); ++k) {
        mechanism_step(&m);
    }
    mechanism_judge(&m, true);
    mechanism_end(&m);
}

static void test_humanoid(void **state)
{
    (void)state;
    run("humanoid", 0.01, 2.0, 1, 100.0);
    run("humanoid", 0.01, 2.0, 2, 1000.0);
    run("humanoid", 0.005, 2.0, 3, 10.0);
}

static void test_net(void **state)
{
    (void)state;
    run("net", 0.01, 1.5, 1, 0.5);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_humanoid),
        cmocka_unit_test(test_net),
    };
    return TEST_RUN(tests, argc, argv);
}
