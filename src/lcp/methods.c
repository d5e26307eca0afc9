/* The table of methods. */
#include "lcp/methods.h"

#include "lcp/active_set.h"
#include "lcp/auto.h"
#include "lcp/game.h"
#include "lcp/interior.h"
#include "lcp/lemke.h"
#include "lcp/refute.h"
#include "lcp/tnnmg.h"
#include "lcp/tridiagonal.h"
#include "lcp/yamane.h"

#include <string.h>

/* Only what the chosen method needs is laid out. */
struct crn_parts {
    crn_basis basis; /* search, murty, yamane, auto, game */
    crn_search search;
    crn_murty murty;
    crn_lemke lemke;
    crn_yamane yamane;
    crn_pgs pgs;
    crn_tridiagonal tridiagonal;
    crn_tnnmg tnnmg;
    crn_active_set active_set;
    crn_interior interior;
    crn_game game;
    crn_refute refute;
};

/* --- how each is laid out and run --- */

static void lay_auto(crn_frame *f, crn_arena *arena)
{
    crn_pgs_layout(&f->parts->pgs, &f->job, arena);
    crn_basis_layout(&f->parts->basis, &f->job, arena);
    crn_search_layout(&f->parts->search, &f->job, &f->parts->basis, arena);
    crn_murty_layout(&f->parts->murty, &f->job, &f->parts->basis, arena);
}

static crn_lcp_outcome run_auto(crn_frame *f)
{
    return crn_auto_run(&f->parts->search, &f->parts->murty, &f->parts->pgs, &f->job);
}

static void lay_search(crn_frame *f, crn_arena *arena)
{
    crn_basis_layout(&f->parts->basis, &f->job, arena);
    crn_search_layout(&f->parts->search, &f->job, &f->parts->basis, arena);
}

static crn_lcp_outcome run_search(crn_frame *f)
{
    return crn_search_run(&f->parts->search, &f->job);
}

static void lay_lemke(crn_frame *f, crn_arena *arena)
{
    crn_lemke_layout(&f->parts->lemke, &f->job, arena);
}

static crn_lcp_outcome run_lemke(crn_frame *f)
{
    return crn_lemke_run(&f->parts->lemke, &f->job);
}

static void lay_yamane(crn_frame *f, crn_arena *arena)
{
    crn_basis_layout(&f->parts->basis, &f->job, arena);
    crn_yamane_layout(&f->parts->yamane, &f->job, &f->parts->basis, arena);
}

static crn_lcp_outcome run_yamane(crn_frame *f)
{
    return crn_yamane_run(&f->parts->yamane, &f->job);
}

static void lay_murty(crn_frame *f, crn_arena *arena)
{
    crn_basis_layout(&f->parts->basis, &f->job, arena);
    crn_murty_layout(&f->parts->murty, &f->job, &f->parts->basis, arena);
}

static crn_lcp_outcome run_murty(crn_frame *f)
{
    return crn_murty_run(&f->parts->murty, &f->job);
}

static void lay_pgs(crn_frame *f, crn_arena *arena)
{
    crn_pgs_layout(&f->parts->pgs, &f->job, arena);
}

static crn_lcp_outcome run_pgs(crn_frame *f)
{
    return crn_pgs_run(&f->parts->pgs, &f->job);
}

static void lay_tridiagonal(crn_frame *f, crn_arena *arena)
{
    crn_tridiagonal_layout(&f->parts->tridiagonal, &f->job, arena);
}

static crn_lcp_outcome run_tridiagonal(crn_frame *f)
{
    return crn_tridiagonal_run(&f->parts->tridiagonal, &f->job);
}

static void lay_tnnmg(crn_frame *f, crn_arena *arena)
{
    crn_tnnmg_layout(&f->parts->tnnmg, &f->job, arena);
}

static crn_lcp_outcome run_tnnmg(crn_frame *f)
{
    return crn_tnnmg_run(&f->parts->tnnmg, &f->job);
}

static void lay_active_set(crn_frame *f, crn_arena *arena)
{
    crn_active_set_layout(&f->parts->active_set, &f->job, arena);
}

static crn_lcp_outcome run_active_set(crn_frame *f)
{
    return crn_active_set_run(&f->parts->active_set, &f->job);
}

static void lay_interior(crn_frame *f, crn_arena *arena)
{
    crn_interior_layout(&f->parts->interior, &f->job, arena);
}

static crn_lcp_outcome run_interior(crn_frame *f)
{
    return crn_interior_run(&f->parts->interior, &f->job);
}

static void lay_game(crn_frame *f, crn_arena *arena)
{
    crn_basis_layout(&f->parts->basis, &f->job, arena);
    crn_game_layout(&f->parts->game, &f->job, &f->parts->basis, arena);
}

static crn_lcp_outcome run_game(crn_frame *f)
{
    return crn_game_run(&f->parts->game, &f->job);
}

static void lay_refute(crn_frame *f, crn_arena *arena)
{
    crn_refute_layout(&f->parts->refute, &f->job, arena);
}

static crn_lcp_outcome run_refute(crn_frame *f)
{
    return crn_refute_run(&f->parts->refute, &f->job);
}

/* --- the table --- */

static const crn_method methods[CRN_LCP_METHOD_COUNT] = {
    [CRN_LCP_AUTO] = {.name = "auto",
                      .about = "by structure and size; falls through to search",
                      .layout = lay_auto,
                      .run = run_auto},
    [CRN_LCP_SEARCH] = {.name = "search",
                        .about = "Lemke on a factorised basis, with backtracking: the robust one",
                        .layout = lay_search,
                        .run = run_search},
    [CRN_LCP_LEMKE] = {.name = "lemke",
                       .about = "Lemke's method on a tableau, lowest index on ties",
                       .layout = lay_lemke,
                       .run = run_lemke},
    [CRN_LCP_LEMKE_LEX] = {.name = "lemke-lex",
                           .about = "the same with lexicographic ties",
                           .layout = lay_lemke,
                           .run = run_lemke},
    [CRN_LCP_YAMANE] = {.name = "yamane",
                        .about = "Yamane and Nakamura's pivot search as printed",
                        .layout = lay_yamane,
                        .run = run_yamane},
    [CRN_LCP_MURTY] = {.name = "murty",
                       .about = "principal pivoting, least index or blocks",
                       .layout = lay_murty,
                       .run = run_murty},
    [CRN_LCP_PGS] = {.name = "pgs", .about = "projected Gauss-Seidel / SOR", .layout = lay_pgs, .run = run_pgs},
    [CRN_LCP_TRIDIAGONAL] = {.name = "tridiagonal",
                             .about = "one elimination, where the bounds hold at one end of a line: options",
                             .is_sparse = true,
                             .needs_tridiagonal = true,
                             .layout = lay_tridiagonal,
                             .run = run_tridiagonal},
    [CRN_LCP_MULTIGRID] = {.name = "multigrid",
                           .about = "truncated Newton multigrid, symmetric sparse M: obstacles on grids",
                           .is_sparse = true,
                           .needs_symmetric = true,
                           .layout = lay_tnnmg,
                           .run = run_tnnmg},
    [CRN_LCP_ACTIVE_SET] = {.name = "active-set",
                            .about = "primal-dual active sets on sparse factors",
                            .is_sparse = true,
                            .layout = lay_active_set,
                            .run = run_active_set},
    [CRN_LCP_INTERIOR] = {.name = "interior",
                          .about = "interior points on sparse factors and a crossover, monotone M: QPs",
                          .is_sparse = true,
                          .layout = lay_interior,
                          .run = run_interior},
    [CRN_LCP_GAME] = {.name = "game",
                      .about = "Lemke and Howson's path, M = [0 C; D 0] and q < 0: bimatrix games",
                      .needs_game = true,
                      .layout = lay_game,
                      .run = run_game},
    [CRN_LCP_REFUTE] = {.name = "refute",
                        .about = "looks for a proof that there is no solution, and for nothing else",
                        .layout = lay_refute,
                        .run = run_refute},
};

const crn_method *crn_method_of(crn_lcp_method method)
{
    return (int)method >= 0 && method < CRN_LCP_METHOD_COUNT ? &methods[method] : NULL;
}

void crn_method_layout(crn_frame *frame, crn_arena *arena)
{
    crn_parts counted; /* where pieces that are only counted go */
    crn_parts *taken = CRN_TAKE(arena, crn_parts, 1);
    frame->parts = taken != NULL ? taken : &counted;
    crn_method_of(frame->job.options.method)->layout(frame, arena);
    frame->parts = taken;
}

const char *crn_lcp_method_name(crn_lcp_method method)
{
    const crn_method *known = crn_method_of(method);
    return known != NULL ? known->name : NULL;
}

const char *crn_lcp_method_about(crn_lcp_method method)
{
    const crn_method *known = crn_method_of(method);
    return known != NULL ? known->about : NULL;
}

bool crn_lcp_method_find(const char *name, crn_lcp_method *method)
{
    if (name == NULL || method == NULL) {
        return false;
    }
    for (int m = 0; m < CRN_LCP_METHOD_COUNT; ++m) {
        if (strcmp(name, methods[m].name) == 0) {
            *method = (crn_lcp_method)m;
            return true;
        }
    }
    return false;
}

crn_status crn_method_check(const crn_method *method, const crn_lcp_problem *p, const crn_structure *s,
                            crn_error *error)
{
    if (method->is_sparse && p->M != NULL) {
        return crn_fail(error, CRN_ERR_UNSUPPORTED, "method %s: M is dense, and it works on compressed columns",
                        method->name);
    }
    if (method->needs_tridiagonal && !s->is_tridiagonal) {
        return crn_fail(error, CRN_ERR_UNSUPPORTED, "method %s: M is not tridiagonal", method->name);
    }
    if (method->needs_symmetric && !s->is_symmetric) {
        return crn_fail(error, CRN_ERR_UNSUPPORTED,
                        "method %s: M is not symmetric: M(%d,%d) and M(%d,%d) differ by %.3g of their size",
                        method->name, s->row + 1, s->column + 1, s->column + 1, s->row + 1, s->asymmetry);
    }
    if (method->needs_symmetric && !s->has_positive_diagonal) {
        return crn_fail(error, CRN_ERR_UNSUPPORTED, "method %s: a diagonal entry of M is not positive", method->name);
    }
    if (method->needs_game && crn_game_order(p) == 0) {
        return crn_fail(error, CRN_ERR_UNSUPPORTED, "method %s: M is not [0 C; D 0] with q < 0 and no other bounds",
                        method->name);
    }
    return CRN_OK;
}
