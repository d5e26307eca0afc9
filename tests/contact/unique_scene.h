/* Random scenes whose motion is known to be unique, to be compared between solvers and starts. */
#ifndef CRN_TEST_CONTACT_UNIQUE_SCENE_H
#define CRN_TEST_CONTACT_UNIQUE_SCENE_H

#include "scene.h"
#include "solving.h"

/* Same motion as the mixed LCP of door 1. */
static inline void check_same_as_lcp(const char *name, const crn_contact_problem *p, const motion *m)
{
    double *v = (double *)take((size_t)crn_contact_dof(p), sizeof *v);
    TEST_CHECK(motion_by_lcp(p, v), "%s: door 1 finds no solution", name);
    double apart = motion_distance(p, m->v, v);
    TEST_CHECK(apart <= 1e-9, "%s: %g from the motion of door 1", name, apart);
    free(v);
}

static inline void clear_offsets(scene *s)
{
    for (int i = 0; i < s->p.contacts; ++i) {
        memset(s->contact[i].offset, 0, sizeof s->contact[i].offset);
    }
    for (int i = 0; i < s->p.rows; ++i) {
        s->row[i].offset = 0.0;
    }
}

/* Two solutions with motions v and v + dv have |dv|^2 <= sum mu |dtheta| |du_t| in the norm of energy: the normal parts
 * of dr'du are not positive, and the friction parts at most mu |dtheta| |du_t| since the support function of the polygon
 * has the Lipschitz constant 1. If the columns are independent, with singular values from a to b, then |dr| <= |dv|/a and
 * |du| <= b |dv|: for mu < a/b the motion is unique. Returns a/b. */
static inline double uniqueness_bound(const scene *s)
{
    int n = 3 * s->p.contacts;
    double *G = test_doubles((size_t)(n * n)), *w = test_doubles((size_t)n);
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            G[i + j * n] = scene_gram(s, s->J + (size_t)i * (size_t)s->dof, s->J + (size_t)j * (size_t)s->dof);
        }
    }
    assert_int_equal(LAPACKE_dsyev(LAPACK_COL_MAJOR, 'N', 'L', n, G, n, w), 0);
    double bound = w[0] > 1e-6 * w[n - 1] ? sqrt(w[0] / w[n - 1]) : 0.0;
    free(G);
    free(w);
    return bound;
}

/* Bodies with few contacts and a friction that makes the motion unique; NULL if the columns are too dependent. */
static inline scene *unique_scene(crn_random *random, int t)
{
    int bodies = 2 + t % 4;
    scene *s = scene_random(random, bodies, 1 + crn_random_below(random, bodies + 1), 0, t % 2 == 1);
    clear_offsets(s);
    double bound = uniqueness_bound(s);
    for (int i = 0; i < s->p.contacts; ++i) {
        s->contact[i].mu *= 0.6 * bound; /* scene_contact() has mu up to 1.5 */
    }
    if (bound > 0.0) {
        return s;
    }
    scene_free(s);
    return NULL;
}

#endif
