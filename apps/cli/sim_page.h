/* The page of a run: made from its recording, or from one that is kept for that long only. */
#ifndef CAIRN_CLI_SIM_PAGE_H
#define CAIRN_CLI_SIM_PAGE_H

#include "folder.h"
#include "sim_request.h"

typedef struct sim_page {
    char recording[CLI_PATH_SIZE]; /* a file of the page's own; "": the run's, or no page */
    int every;                     /* steps from one frame of the page to the next; 0: no page */
    double megabytes;              /* of the page, when it is written */
} sim_page;

/* Decide where frames go and, in *every, how many steps apart they are. */
crn_status sim_page_plan(sim_page *page, const sim_request *request, double dt, int *every, crn_error *error);

/* Write the page from the recording, which is finished. */
crn_status sim_page_write(sim_page *page, const sim_request *request, const crn_model *model, crn_error *error);

/* Remove the recording of the page's own, if it has one. */
void sim_page_close(sim_page *page);

#endif
