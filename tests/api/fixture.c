/* Good arguments for every public call. */
#include "fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char scene[] =
    "{\"gravity\": [0, 0, -9.81], \"dt\": 0.01, \"duration\": 1, \"bodies\": ["
    "{\"name\": \"floor\", \"kind\": \"fixed\", \"shapes\": [{\"kind\": \"plane\"}]},"
    "{\"name\": \"box\", \"position\": [0, 0, 0.5], \"mass\": 1, \"shapes\": [{\"kind\": \"box\", \"half\": [0.5, 0.5, "
    "0.5]}]},"
    "{\"name\": \"arm\", \"position\": [3, 0, 2], \"mass\": 1, \"shapes\": [{\"kind\": \"capsule\", \"radius\": 0.1, "
    "\"half_length\": 0.5}]}],"
    "\"joints\": [{\"name\": \"hinge\", \"kind\": \"hinge\", \"a\": -1, \"b\": \"arm\", \"frame_b\": {\"position\": "
    "[0, 0, 0.5]}, "
    "\"in_tree\": true}],"
    "\"sites\": [{\"name\": \"tip\", \"body\": \"arm\", \"position\": [0, 0, -0.5]}],"
    "\"loads\": [{\"body\": \"box\", \"force\": [1, 0, 0]}]}";

static const char contact[] =
    "{\"kind\": \"rigid\", \"h\": 0.01, \"d\": 4, \"bodies\": [{\"mass\": 1, \"inertia_world\": "
    "[[1,0,0],[0,1,0],[0,0,1]],"
    " \"com\": [0,0,0], \"velocity\": [0,0,-1,0,0,0]}], \"contacts\": [{\"a\": 0, \"b\": -1, \"point\": [0,0,-1], "
    "\"normal\": [0,0,1],"
    " \"t1\": [1,0,0], \"t2\": [0,1,0], \"mu\": 0.5, \"gap\": 0}], \"wrench\": [[0,0,-9.81,0,0,0]]}";

static void need(crn_status status, const char *what, const crn_error *error)
{
    if (status != CRN_OK) {
        fprintf(stderr, "fixture: %s: %s: %s\n", what, crn_status_name(status), error->text);
        exit(2);
    }
}

bool fixture_sink(void *user, const void *bytes, size_t size)
{
    (void)user;
    (void)bytes;
    (void)size;
    return true;
}

static void make_world(fixture *g)
{
    crn_error error = {CRN_OK, ""};
    need(crn_io_read_scene_text(scene, strlen(scene), NULL, NULL, &g->model, &error), "scene", &error);
    need(crn_world_create_from(g->model, NULL, &g->world, &error), "world", &error);
    need(crn_world_step(g->world, 0.01, NULL, &error), "step", &error);
    g->body = crn_world_find_body(g->world, "box");
    g->joint = crn_world_find_joint(g->world, "hinge");
    g->site = crn_world_find_site(g->world, "tip");
    g->load = (crn_load_id){1, 1};
    need(crn_robot_create(g->world, crn_world_find_body(g->world, "arm"), &g->robot, &error), "robot", &error);
    g->tree = crn_robot_tree(g->robot);
    const crn_model *models[1] = {g->model};
    crn_batch_def def = {.model = models, .models = 1, .worlds = 2, .threads = 1};
    need(crn_batch_create(&def, NULL, &g->batch, &error), "batch", &error);
    need(crn_tape_create(g->world, NULL, 1, 1, &g->tape, &error), "tape", &error);
    need(crn_world_linear_create(g->world, 0.01, NULL, &g->world_linear, NULL, &error), "linear step", &error);
    g->own_world_def = *crn_world_definition(g->world);
    g->world_def = &g->own_world_def;
}

static void make_definitions(fixture *g)
{
    crn_error error = {CRN_OK, ""};
    static crn_body_shape shapes[1];
    g->own_shape_def = (crn_shape_def){.kind = CRN_SHAPE_SPHERE, .size = {0.5, 0.0, 0.0}};
    g->shape_def = &g->own_shape_def;
    need(crn_shape_create(g->shape_def, NULL, &g->shape, &error), "shape", &error);
    g->own_body_def = crn_body_def_default();
    shapes[0] = crn_body_shape_default();
    shapes[0].shape = g->own_shape_def;
    g->own_body_def.shape = shapes;
    g->own_body_def.shapes = 1;
    g->body_def = &g->own_body_def;
    g->own_joint_def = crn_joint_def_default();
    g->joint_def = &g->own_joint_def;
    g->own_link_def = crn_link_def_default();
    g->own_link_def.mass = 1.0;
    g->link_def = &g->own_link_def;
    g->figure = crn_step_figure_at(0);
}

static void make_problems(fixture *g)
{
    static const double M[4] = {2, 1, 1, 2}, q[2] = {-5, -6};
    static double z[2], impulse[3], velocity[6];
    crn_error error = {CRN_OK, ""};
    g->own_lcp_problem = (crn_lcp_problem){.n = 2, .ld = 2, .M = M, .q = q};
    g->lcp_problem = &g->own_lcp_problem;
    g->own_lcp_solution = (crn_lcp_solution){.z = z};
    g->lcp_solution = &g->own_lcp_solution;
    (void)snprintf(g->text_path, sizeof g->text_path, "api_fixture.json");
    FILE *file = fopen(g->text_path, "w");
    if (file == NULL || fputs(contact, file) < 0 || fclose(file) != 0) {
        exit(2);
    }
    need(crn_io_read_contact_json(g->text_path, NULL, &g->contact_data, &error), "contact", &error);
    g->contact_problem = &g->contact_data.problem;
    g->own_contact_solution = (crn_contact_solution){.impulse = impulse, .velocity = velocity};
    g->contact_solution = &g->own_contact_solution;
    need(crn_contact_solve(g->contact_problem, NULL, &g->workspace, g->contact_solution, NULL, &error), "solve",
         &error);
    need(crn_contact_linearize(g->contact_problem, NULL, impulse, NULL, &g->linear_workspace, &g->linear, NULL, &error),
         "derivatives", &error);
    need(crn_contact_prepare(g->contact_problem, NULL, &g->workspace, &g->session, &error), "session", &error);
}

static void make_recording(fixture *g)
{
    crn_error error = {CRN_OK, ""};
    crn_pose poses[2] = {{.rotation = {1, 0, 0, 0}}, {.rotation = {1, 0, 0, 0}}};
    crn_recording_header header = {.bodies = 2, .every = 1, .dt = 0.01};
    crn_recording_frame frame = {.pose = poses, .figures = {.outcome = CRN_LCP_SOLVED}};
    crn_recorder *recorder = NULL;
    need(crn_recorder_create("api_fixture.crn", &header, NULL, &recorder, &error), "recorder", &error);
    need(crn_recorder_append(recorder, &frame, &error), "frame", &error);
    need(crn_recorder_close(recorder, &error), "closing", &error);
    need(crn_recording_open("api_fixture.crn", NULL, &g->recording, &error), "recording", &error);
    need(crn_recorder_create_into(fixture_sink, NULL, NULL, &header, NULL, &g->recorder, &error), "recorder", &error);
}

fixture *fixture_create(void)
{
    static fixture all;
    fixture *g = &all;
    int handle[1] = {0};
    crn_error error = {CRN_OK, ""};
    make_world(g);
    make_definitions(g);
    make_problems(g);
    make_recording(g);
    need(crn_assembly_create(g->tree, handle, 1, NULL, &g->assembly, &error), "assembly", &error);
    return g;
}
