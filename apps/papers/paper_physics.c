/* cairn-papers physics: scenes whose right answer mechanics knows, each a row of its own. One that fails does not stop the others. */
#include "paper_physics.h"

#include <stdarg.h>

static const physics_group *const groups[] = {&physics_friction, &physics_support, &physics_hits, &physics_joints};
enum { GROUPS = sizeof groups / sizeof groups[0] };

bool physics_got(physics_answer *answer, bool is_right, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(answer->got, sizeof answer->got, format, arguments);
    va_end(arguments);
    answer->is_right = is_right;
    return true;
}

static void measure_case(paper *p, const physics_case *c)
{
    physics_answer answer = {false, ""};
    paper_published(p, c->scene, c->right);
    if (c->measure(p, &answer)) {
        paper_aim(p, answer.is_right, c->what, c->aim, "%s", answer.got);
    } else {
        paper_failed(p, c->what, c->aim);
    }
    paper_step(p);
}

bool paper_physics(paper *p)
{
    int total = 0;
    for (int g = 0; g < GROUPS; ++g) {
        total += groups[g]->count;
    }
    paper_steps(p, total);
    for (int g = 0; g < GROUPS; ++g) {
        paper_how(p, groups[g]->how);
        for (int i = 0; i < groups[g]->count; ++i) {
            measure_case(p, &groups[g]->cases[i]);
        }
    }
    cli_page_heading(&p->report, "Friction in motion");
    bool has_friction = physics_plot_friction(p);
    cli_page_heading(&p->report, "Energy of a mechanism");
    return physics_plot_joints(p) && has_friction;
}
