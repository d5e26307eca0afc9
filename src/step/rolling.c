/* Which contacts roll: how far their points have come. */
#include "math/rigid.h"
#include "step/moment.h"
#include "step/parts.h"

/* Does it turn in a step by more than rounding? */
static bool is_turning(const crn_stepper *s, int body, double h)
{
    const double least = 1e-9; /* [rad]: its square is what counts, and that of 1 is */
    const crn_step_body *b = &s->body[body];
    bool is_driven = b->kind == CRN_BODY_DRIVEN;
    crn_vec3 w = is_driven ? b->next_w : crn_moment_bodies(s, CRN_BEFORE)[body].angular;
    return (b->kind == CRN_BODY_FREE || is_driven) && h * h * crn_v3_dot(w, w) > least * least;
}

bool crn_step_has_rolled(const crn_stepper *s, int i, double h, crn_vec3 *way)
{
    const double jump_most = 0.5; /* of the smaller shape: a point that jumps farther is another one */
    const crn_step_pair *pair = &s->now.pair[i];
    bool is_old = pair->match >= 0 && s->last_h > 0.0 && s->last.contact[pair->match].kind != CRN_CONTACT_OFF;
    if (!is_old || s->kick.purpose != CRN_FOR_KICK || crn_is_hart(s) || s->kick.share == 0.0) {
        return false;
    }
    if (!is_turning(s, s->shape[pair->shape_a].body, h) && !is_turning(s, s->shape[pair->shape_b].body, h)) {
        return false;
    }
    *way = crn_v3_sub(s->now.contact[i].point, s->last.contact[pair->match].point);
    return crn_v3_length(*way) <= jump_most * pair->size;
}
