/* Scenes of the gallery as worlds, stepped for a measurement. */
#include "paper_scene.h"

#include <math.h>

crn_model *scene_model(paper *p)
{
    crn_model *model = NULL;
    (void)crn_model_create(NULL, &model, &p->error);
    return model;
}

crn_world *scene_world(paper *p, crn_model *model, bool is_filled)
{
    crn_world *world = NULL;
    if (is_filled && paper_keep_scene(p, model, crn_model_name(model))) {
        (void)crn_world_create_from(model, NULL, &world, &p->error);
    }
    crn_model_destroy(model);
    return world;
}

crn_world *scene_named(paper *p, const char *name)
{
    crn_model *model = NULL;
    bool is_filled = crn_gallery_world(name, &model, &p->error) == CRN_OK;
    return scene_world(p, model, is_filled);
}

bool scene_step(paper *p, crn_world *world, double h, crn_step_stats *stats)
{
    crn_step_stats own = {0};
    stats = stats ? stats : &own;
    if (crn_world_step(world, h, stats, &p->error) != CRN_OK) {
        return false;
    }
    if (stats->outcome != CRN_LCP_SOLVED || stats->law != CRN_LAW_COULOMB || stats->is_relaxed) {
        (void)crn_fail(&p->error, CRN_ERR_UNSUPPORTED, "step to %g s: %s%s", stats->time,
                       crn_lcp_outcome_name(stats->outcome), stats->is_relaxed ? ", relaxed" : "");
        return false;
    }
    return true;
}

bool scene_run(paper *p, crn_world *world, double h, int steps)
{
    bool ok = true;
    for (int k = 0; k < steps && ok; ++k) {
        ok = scene_step(p, world, h, NULL);
    }
    return ok;
}

crn_pose scene_pose(const crn_world *world, int body)
{
    crn_pose pose = {{NAN, NAN, NAN}, {1.0, 0.0, 0.0, 0.0}}; /* stays if there is no such body: no aim is then met */
    (void)crn_body_pose(world, crn_world_body(world, body + 1), &pose);
    return pose;
}

crn_twist scene_velocity(const crn_world *world, int body)
{
    crn_twist velocity = {{NAN, NAN, NAN}, {NAN, NAN, NAN}};
    (void)crn_body_velocity(world, crn_world_body(world, body + 1), &velocity);
    return velocity;
}

double scene_coordinate(const crn_world *world, int joint)
{
    double value = NAN;
    (void)crn_joint_coordinate(world, crn_world_joint(world, joint + 1), &value, NULL);
    return value;
}

double scene_joint_error(const crn_world *world)
{
    double worst = 0.0;
    for (int i = 1; i <= crn_world_joints(world); ++i) {
        double distance = INFINITY, angle = INFINITY;
        (void)crn_joint_error(world, crn_world_joint(world, i), &distance, &angle);
        worst = fmax(worst, fmax(distance, angle));
    }
    return worst;
}

double scene_overlap(crn_world *world)
{
    double depth = INFINITY;
    (void)crn_world_overlap(world, &depth, NULL, NULL);
    return depth;
}

double scene_length(crn_vec3 v)
{
    return sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
}

double scene_distance(crn_vec3 a, crn_vec3 b)
{
    return scene_length((crn_vec3){a.x - b.x, a.y - b.y, a.z - b.z});
}
