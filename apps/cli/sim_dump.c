/* Writing the contact problem of a step that was not solved. */
#include "sim_dump.h"

#include <stdio.h>

/* A scene that is never solved would fill the disk. */
enum { MOST_DUMPS = 20 };

/* Write the problem to dump->path; a failure is kept for the report, the run goes on. */
static void write_problem(sim_dump *dump, const crn_world *world, double dt)
{
    const crn_contact_problem *problem = crn_world_problem(world);
    crn_error error = {.status = CRN_OK};
    if (problem == NULL || problem->bodies == 0) {
        (void)crn_fail(&error, CRN_ERR_ARGUMENT, "the step got no further than its forces: it has no problem");
    } else {
        crn_contact_data data = {.problem = *problem, .h = dt};
        (void)crn_io_write_contact_json(dump->path, &data, NULL, &error);
    }
    if (error.status != CRN_OK) {
        dump->error = error;
        dump->path[0] = '\0';
        return;
    }
    ++dump->written;
}

/* FOLDER/step-000012.json; false, with the reason kept, if there can be no such folder. */
static bool name_in_folder(sim_dump *dump, int step)
{
    char name[32];
    (void)snprintf(name, sizeof name, "step-%06d.json", step);
    (void)cli_folder_path(dump->folder, name, dump->path);
    if (cli_folder_make(dump->folder, &dump->error) != CRN_OK) {
        dump->path[0] = '\0';
        return false;
    }
    return true;
}

void sim_dump_unsolved(sim_dump *dump, const crn_world *world, double dt, int step)
{
    if (dump->folder != NULL && dump->written < MOST_DUMPS && name_in_folder(dump, step)) {
        write_problem(dump, world, dt);
    }
}

void sim_dump_diverged(sim_dump *dump, const crn_world *world, double dt, int step)
{
    if (dump->folder != NULL) {
        if (!name_in_folder(dump, step)) {
            return;
        }
    } else {
        (void)snprintf(dump->path, sizeof dump->path, "%s", "cairn-dump.json");
        if (dump->output != NULL) {
            (void)snprintf(dump->path, sizeof dump->path, "%.4000s-dump.json", dump->output);
        }
    }
    write_problem(dump, world, dt);
}
