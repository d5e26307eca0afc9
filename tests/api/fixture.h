/* Good arguments for every public call: a small world, its model, a robot, a recording and so on. */
#ifndef CAIRN_TESTS_API_FIXTURE_H
#define CAIRN_TESTS_API_FIXTURE_H

#include <cairn/cairn.h>

enum { FIXTURE_ROOM = 1 << 15, FIXTURE_PARAMETERS = 12 };

typedef struct fixture {
    crn_world *world;
    crn_model *model;
    crn_robot *robot;
    crn_tree *tree;
    crn_batch *batch;
    crn_shape *shape;
    crn_recording *recording;
    crn_recorder *recorder;
    crn_assembly *assembly;
    crn_contact_session *session;
    crn_contact_linear *linear;
    crn_tape *tape;
    crn_world_linear *world_linear;
    crn_world_def *world_def, own_world_def;
    crn_body_def *body_def, own_body_def;
    crn_joint_def *joint_def, own_joint_def;
    crn_shape_def *shape_def, own_shape_def;
    crn_link_def *link_def, own_link_def;
    crn_contact_problem *contact_problem;
    crn_contact_solution *contact_solution, own_contact_solution;
    crn_lcp_problem *lcp_problem, own_lcp_problem;
    crn_lcp_solution *lcp_solution, own_lcp_solution;
    const crn_step_figure *figure;
    crn_contact_data contact_data;
    crn_workspace workspace, linear_workspace;
    crn_body_id body;
    crn_joint_id joint;
    crn_site_id site;
    crn_load_id load;
    char text_path[64];
    double numbers[4];
    void *pointers[8];
    _Alignas(16) unsigned char room[FIXTURE_ROOM * FIXTURE_PARAMETERS]; /* zeros: outputs, and inputs that may be 0 */
} fixture;

typedef struct fixture_call {
    const char *name;
    void (*run)(fixture *g, int which);
    int parameters;
    const char *parameter[FIXTURE_PARAMETERS];
} fixture_call;

extern const fixture_call fixture_calls[];
extern const int fixture_call_count;

/* Everything there is; what cannot be made ends the program with a message. */
fixture *fixture_create(void);

bool fixture_sink(void *user, const void *bytes, size_t size);

#endif
