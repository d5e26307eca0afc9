/* Nothing that was not written is read: worlds go the same way, to the last bit, whatever their memory held before. All scenes of
 * the gallery, and a loop with a string, whose slack no tree writes. */
#include "tree_case.h"

#include <stdlib.h>
#include <string.h>

#include "gallery_worlds.h"

enum { STEPS = 3, HEADER = 32 };

/* Blocks that begin as a byte repeated, and keep their size in front. */
static void *resize(void *user, void *block, size_t bytes)
{
    unsigned char *old = block ? (unsigned char *)block - HEADER : NULL, *memory = malloc(bytes + HEADER);
    size_t had = 0;
    if (!memory) {
        return NULL;
    }
    memset(memory + HEADER, *(unsigned char *)user, bytes);
    memcpy(memory, &bytes, sizeof bytes);
    if (old) {
        memcpy(&had, old, sizeof had);
        memcpy(memory + HEADER, block, had < bytes ? had : bytes);
        free(old);
    }
    return memory + HEADER;
}

static void release(void *user, void *block)
{
    (void)user;
    free(block ? (unsigned char *)block - HEADER : NULL);
}

static crn_world *world_of(const crn_model *model, unsigned char *byte)
{
    crn_allocator allocator = {resize, release, byte};
    crn_world *world = NULL;
    TREE_CHECK(crn_world_create_from(model, &allocator, &world, error));
    return world;
}

/* Steps both worlds; poses and velocities must agree. The first is filled with 0, the second with NaN. */
static void check_same(const char *name, const crn_model *model)
{
    unsigned char zero = 0x00, ones = 0xff;
    crn_world *world[2] = {world_of(model, &zero), world_of(model, &ones)};
    for (int step = 0; step < STEPS; ++step) {
        crn_status status[2];
        crn_step_stats stats;
        for (int k = 0; k < 2; ++k) {
            status[k] = crn_world_step(world[k], crn_world_definition(world[k])->dt, &stats, NULL);
        }
        assert_int_equal(status[0], status[1]);
    }
    for (int i = 1; i <= crn_world_bodies(world[0]); ++i) {
        crn_pose pose[2];
        crn_twist twist[2];
        for (int k = 0; k < 2; ++k) {
            crn_body_id body = crn_world_body(world[k], i);
            assert_int_equal(crn_body_pose(world[k], body, &pose[k]), CRN_OK);
            assert_int_equal(crn_body_velocity(world[k], body, &twist[k]), CRN_OK);
        }
        TEST_CHECK(memcmp(&pose[0], &pose[1], sizeof *pose) == 0 && memcmp(&twist[0], &twist[1], sizeof *twist) == 0,
                   "%s: body %d goes by what its memory held", name, i);
    }
    crn_world_destroy(world[0]);
    crn_world_destroy(world[1]);
}

static void test_gallery(void **state)
{
    (void)state;
    for (int i = 0; i < crn_gallery_world_count(); ++i) {
        crn_model *model = NULL;
        TREE_CHECK(crn_gallery_world(crn_gallery_world_name(i), &model, error));
        check_same(crn_gallery_world_name(i), model);
        crn_model_destroy(model);
    }
}

/* Two sliders side by side, welded to one another, and a string with a spring. */
static void test_string_on_loop(void **state)
{
    (void)state;
    crn_model *model = tree_model(tree_down);
    crn_tendon_part part[2] = {crn_tendon_part_default(), crn_tendon_part_default()};
    int body[2];
    for (int i = 0; i < 3; ++i) {
        crn_joint_def joint = crn_joint_def_default();
        joint.kind = CRN_JOINT_SLIDER;
        joint.frame_a.position.x = i;
        if (i < 2) {
            body[i] = tree_body(model, joint.frame_a, 1.0 + i, tree_diagonal(0.1, 0.1, 0.1));
            joint.b = body[i];
        } else {
            joint.kind = CRN_JOINT_FIXED;
            joint.a = body[0];
            joint.b = body[1];
            joint.frame_a.position.x = 1.0;
        }
        tree_add(model, &joint);
    }
    for (int i = 0; i < 2; ++i) {
        crn_site_def site = crn_site_def_default();
        site.body = body[i];
        site.pose.position.z = i;
        part[i].kind = CRN_TENDON_SITE;
        TREE_CHECK(crn_model_add_site(model, &site, &part[i].site, error));
    }
    crn_tendon_def string = crn_tendon_def_default();
    string.stiffness = 10.0;
    string.part = part;
    string.parts = 2;
    TREE_CHECK(crn_model_add_tendon(model, &string, NULL, error));
    check_same("string on a loop", model);
    crn_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_gallery), cmocka_unit_test(test_string_on_loop)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
