/* Problems of the papers as files, for other solvers and for `cairn solve`, `cairn contact`, `cairn sim`. */
#include "paper.h"

#include <cairn/io.h>

enum { PATH_SIZE = 1200 };

/* PROBLEMS/NAME-0001-label ENDING; labels may have spaces. */
static const char *next_path(const paper *p, const char *label, const char *ending, char path[PATH_SIZE])
{
    int length = snprintf(path, PATH_SIZE, "%s/", p->problems);
    (void)snprintf(path + length, (size_t)(PATH_SIZE - length), "%s-%04d-%s%s", p->name, p->problem_count, label,
                   ending);
    for (char *c = path + length; *c != '\0'; ++c) {
        *c = *c == ' ' || *c == ',' || *c == '/' ? '-' : *c;
    }
    return path;
}

bool paper_keep_contact(paper *p, const crn_contact_problem *problem, const char *label)
{
    char path[PATH_SIZE];
    crn_contact_data data = {.problem = *problem};
    if (!p->problems) {
        return true;
    }
    ++p->problem_count;
    return crn_io_write_contact_json(next_path(p, label, ".json", path), &data, NULL, &p->error) == CRN_OK;
}

bool paper_keep_lcp(paper *p, const crn_lcp_problem *problem, const char *label)
{
    char path[PATH_SIZE];
    if (!p->problems) {
        return true;
    }
    ++p->problem_count;
    return crn_io_write_matrix(next_path(p, label, "-M.mtx", path), problem, &p->error) == CRN_OK &&
           crn_io_write_vector(next_path(p, label, "-q.mtx", path), problem->n, problem->q, &p->error) == CRN_OK;
}

bool paper_keep_scene(paper *p, const crn_model *model, const char *label)
{
    char path[PATH_SIZE];
    if (!p->problems) {
        return true;
    }
    ++p->problem_count;
    return crn_io_write_scene(next_path(p, label, ".json", path), model, &p->error) == CRN_OK;
}
