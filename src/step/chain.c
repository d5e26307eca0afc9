/* The chain of a step's linear maps: what is covered, and where it ends: chain.h. */
#include "base/memory.h"
#include "math/rigid.h"
#include "step/chain_tree.h"

enum { SIX = 6 };

/* --- What is covered --- */

static bool is_any_load(const crn_stepper *s)
{
    bool any = false;
    for (int i = 0; i < s->loads; ++i) {
        any = any || s->load[i].is_used;
    }
    return any;
}

static crn_status no_memory(crn_error *error)
{
    return crn_fail(error, CRN_ERR_MEMORY, "world: out of memory for derivatives");
}

#define RESERVE(field, count) \
    crn_reserve(&s->allocator, (void **)&chain->field, &chain->field##_capacity, (count), sizeof *chain->field)

crn_status crn_chain_begin(crn_step_chain *chain, crn_stepper *s, double h, crn_error *error)
{
    bool is_round = s->def.cone == CRN_CONE_ROUND || s->def.is_planar; /* corners of polygons turn with the slip */
    int square = 0;
    chain->stepper = s;
    chain->h = h;
    chain->kicks = chain->bodies = 0;
    chain->trees = s->forest.trees;
    chain->velocities = s->forest.velocities;
    chain->kick_is_first = false;
    chain->is_covered =
        is_round && s->def.integrator == CRN_INTEGRATOR_REFLECT && !is_any_load(s) && crn_chain_covers_trees(s);
    for (int i = 0; i < chain->trees && chain->is_covered; ++i) {
        int n = s->forest.tree[i].tree->velocities;
        square += 4 * n * n;
    }
    return RESERVE(tree_drift, square) && RESERVE(tree_speed, chain->velocities) ? CRN_OK : no_memory(error);
}

void crn_chain_note_drift(crn_step_chain *chain)
{
    crn_copy_numbers(chain->tree_speed, chain->stepper->forest.u, chain->velocities);
}

void crn_chain_free(crn_step_chain *chain)
{
    if (!chain->stepper) {
        return;
    }
    const crn_allocator *allocator = &chain->stepper->allocator;
    for (int i = 0; i < 2; ++i) {
        crn_chain_kick *kick = &chain->kick[i];
        void *all[] = {kick->problem_body, kick->point, kick->velocity, kick->found, kick->impulse, kick->body,
                       kick->contact,      kick->row,   kick->limit,    kick->tree,  kick->link,    kick->number};
        for (size_t k = 0; k < sizeof all / sizeof *all; ++k) {
            crn_release(allocator, all[k]);
        }
        crn_workspace_free(&kick->workspace);
    }
    crn_release(allocator, chain->drift);
    crn_release(allocator, chain->tree_drift);
    crn_release(allocator, chain->tree_speed);
    crn_release(allocator, chain->number);
}

/* --- The end of the step --- */

/* Velocities are those of the problem: nothing was clamped. */
static bool is_as_solved(const crn_stepper *s)
{
    bool is_same = true;
    for (int i = 0; i < s->problem.rigid; ++i) {
        const crn_step_body *body = &s->body[s->problem.body_of[i]];
        crn_vec3 w, v;
        crn_step_found(s, s->problem.found, i, &w, &v);
        is_same = is_same && crn_v3_is_same(w, body->rigid.w) && crn_v3_is_same(v, body->rigid.v);
    }
    for (int i = 0; i < s->forest.velocities; ++i) {
        is_same = is_same && s->forest.u[i] == s->forest.solved[i];
    }
    return is_same;
}

/* Vectors at work: three of the state, four of the problem's velocities, six of rigid bodies and links, one of contacts. */
static int numbers_at_work(const crn_step_chain *chain)
{
    int bodies = SIX * chain->bodies, contacts = 0, links = 0;
    for (int i = 0; i < chain->kicks; ++i) {
        contacts = chain->kick[i].problem.contacts > contacts ? chain->kick[i].problem.contacts : contacts;
        links = chain->kick[i].links > links ? chain->kick[i].links : links;
    }
    return 7 * (bodies + chain->velocities) + 6 * (bodies + SIX * links) + 3 * contacts;
}

crn_status crn_chain_end(crn_step_chain *chain, crn_error *error)
{
    crn_stepper *s = chain->stepper;
    chain->bodies = s->problem.rigid;
    chain->is_covered = chain->is_covered && chain->kicks > 0 && !chain->kick_is_first && is_as_solved(s);
    chain->is_covered = chain->is_covered && crn_chain_drift_trees(chain);
    return RESERVE(number, numbers_at_work(chain)) ? CRN_OK : no_memory(error);
}
