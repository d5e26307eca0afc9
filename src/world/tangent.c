/* Changes of a world's state: how many numbers, whose they are, moving by them. */
#include <string.h>

#include "world/gradient.h"

int crn_world_tangent(crn_world *w)
{
    return w && crn_step_plant(&w->stepper, NULL) == CRN_OK ? crn_tangent_size(&w->stepper) : 0;
}

crn_status crn_body_tangent(crn_world *w, crn_body_id body, int *first, int *count)
{
    int i = crn_world_body_index(w, body);
    if (i < 0 || !first || !count || crn_step_plant(&w->stepper, NULL) != CRN_OK) {
        return CRN_ERR_ARGUMENT;
    }
    int at = crn_tangent_body(&w->stepper, i, count);
    *first = at < 0 ? 0 : at;
    return CRN_OK;
}

crn_status crn_joint_tangent(crn_world *w, crn_joint_id joint, int *first, int *count)
{
    int i = crn_world_joint_index(w, joint);
    if (i < 0 || !first || !count || crn_step_plant(&w->stepper, NULL) != CRN_OK) {
        return CRN_ERR_ARGUMENT;
    }
    int at = crn_tangent_joint(&w->stepper, i, count);
    *first = at < 0 ? 0 : at;
    return CRN_OK;
}

crn_status crn_world_move(crn_world *w, double by, const double *dq, const double *dv, crn_error *error)
{
    int n = crn_world_tangent(w);
    crn_clear(error);
    if (!w || !crn_world_are_within(&by, 1, CRN_WORLD_POSITION_MOST) ||
        (dq && !crn_world_are_within(dq, n, CRN_WORLD_POSITION_MOST)) ||
        (dv && !crn_world_are_within(dv, n, CRN_WORLD_SPEED_MOST))) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "world is NULL, or a change is not finite or too large");
    }
    crn_stepper *s = &w->stepper;
    for (int i = 0; i < s->bodies; ++i) {
        if (s->body[i].id.index1 != 0 && s->body[i].kind == CRN_BODY_FREE) {
            crn_step_freshen(s, i);
            crn_step_wake(s, i);
        }
    }
    crn_tangent_move(s, by, dq, dv);
    return CRN_OK;
}

crn_status crn_world_change_since(crn_world *w, const void *snapshot, size_t size, double *dq, double *dv,
                                  crn_error *error)
{
    int n = crn_world_tangent(w);
    crn_clear(error);
    if (!w || !snapshot) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "world or snapshot is NULL");
    }
    crn_stepper *s = &w->stepper;
    size_t own = crn_world_snapshot_size(w);
    unsigned char *now = crn_allocate(&s->allocator, own, 1);
    double *place = crn_allocate(&s->allocator, (size_t)crn_tangent_places(s), sizeof *place);
    double *then = crn_allocate(&s->allocator, (size_t)n + 1, sizeof *then);
    crn_status status = now && place && then ? CRN_OK : crn_fail(error, CRN_ERR_MEMORY, "world: out of memory");
    status = status == CRN_OK ? crn_world_save(w, now, own, error) : status;
    status = status == CRN_OK ? crn_world_restore(w, snapshot, size, error) : status;
    if (status == CRN_OK) {
        crn_tangent_keep(s, place);
        crn_tangent_velocities(s, then, NULL);
        status = crn_world_restore(w, now, own, error);
    }
    if (status == CRN_OK && dq) {
        crn_tangent_since(s, place, dq);
    }
    if (status == CRN_OK && dv) {
        crn_tangent_velocities(s, dv, NULL);
        for (int i = 0; i < n; ++i) {
            dv[i] -= then[i];
        }
    }
    crn_release(&s->allocator, now);
    crn_release(&s->allocator, place);
    crn_release(&s->allocator, then);
    return status;
}
