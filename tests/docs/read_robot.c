/* docs/guide/robots.md and mjcf.md: a pendulum read into a model. */
#include <cairn/io.h>
#include <stdio.h>

static void print_line(void *user, const char *text)
{
    (void)user;
    puts(text);
}

int main(void)
{
    crn_model *model;
    crn_error error = {.status = CRN_OK};
    if (crn_model_create(NULL, &model, &error) != CRN_OK) {
        return 2;
    }
    /* FRAGMENT */
    int bodies = crn_model_bodies(model), joints = crn_model_joints(model);
    if (status != CRN_OK) {
        fprintf(stderr, "%s\n", error.text);
    }
    crn_model_destroy(model);
    return status == CRN_OK && bodies == 2 && joints == 1 ? 0 : 1;
}
