/* bench_survey_run.c -- worlds in child processes, so that one that crashes costs only itself. */
#define _POSIX_C_SOURCE 200809L
#include "bench_survey.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "random_world.h"

void survey_world(uint64_t seed, int steps, FILE *log, survey_result *result)
{
    crn_error error = {CRN_OK, ""};
    crn_model *model = NULL;
    memset(result, 0, sizeof *result);
    result->seed = seed;
    crn_status status = crn_model_create(NULL, &model, &error);
    if (status == CRN_OK) {
        status = crn_random_world(seed, model, &error);
    }
    if (status == CRN_OK) {
        status = crn_survey_run(model, steps, log, &result->survey, &error);
    }
    if (status != CRN_OK) {
        result->is_refused = true;
        (void)snprintf(result->survey.text, sizeof result->survey.text, "%.150s", error.text);
    }
    crn_model_destroy(model);
}

/* --- Processes: child j of n takes worlds j, j + n, ... --- */

enum { JOBS_MOST = 64 };

typedef struct child {
    pid_t process;
    int pipe; /* to read from */
} child;

static bool write_all(int to, const void *data, size_t size)
{
    const char *at = data;
    while (size > 0) {
        ssize_t written = write(to, at, size);
        if (written <= 0) {
            return false;
        }
        at += written;
        size -= (size_t)written;
    }
    return true;
}

static bool read_all(int from, void *data, size_t size)
{
    char *at = data;
    while (size > 0) {
        ssize_t got = read(from, at, size);
        if (got <= 0) {
            return false;
        }
        at += got;
        size -= (size_t)got;
    }
    return true;
}

static void run_worlds(const survey_options *options, int first, int to)
{
    survey_result result;
    for (int i = first; i < options->worlds; i += options->jobs) {
        survey_world(options->seed + (uint64_t)i, options->steps, NULL, &result);
        if (!write_all(to, &result, sizeof result)) {
            break;
        }
    }
}

static bool start(child *c, const survey_options *options, int first)
{
    int ends[2];
    if (pipe(ends) != 0) {
        return false;
    }
    (void)fflush(NULL);
    c->process = fork();
    if (c->process == 0) {
        (void)close(ends[0]);
        run_worlds(options, first, ends[1]);
        _exit(0);
    }
    (void)close(ends[1]);
    c->pipe = ends[0];
    return c->process > 0;
}

static void end(child *c)
{
    (void)close(c->pipe);
    (void)waitpid(c->process, NULL, 0);
}

bool survey_all(const survey_options *options, void (*tell)(void *user, const survey_result *result), void *user)
{
    child children[JOBS_MOST];
    survey_options mine = *options;
    bool is_fine = true;
    mine.jobs = mine.jobs < 1 ? 1 : mine.jobs > JOBS_MOST ? JOBS_MOST : mine.jobs;
    for (int i = 0; i < mine.jobs; ++i) {
        is_fine = start(&children[i], &mine, i) && is_fine;
    }
    for (int i = 0; i < mine.worlds && is_fine; ++i) {
        survey_result result;
        child *c = &children[i % mine.jobs];
        if (!read_all(c->pipe, &result, sizeof result)) { /* it crashed here: go on after this world */
            memset(&result, 0, sizeof result);
            result.seed = mine.seed + (uint64_t)i;
            result.is_crashed = true;
            end(c);
            is_fine = start(c, &mine, i + mine.jobs);
        }
        tell(user, &result);
    }
    for (int i = 0; i < mine.jobs; ++i) {
        end(&children[i]);
    }
    return is_fine;
}
