/* `cairn solve --game` and `cairn solve --qp`: other people's shapes of problem. */
#ifndef CAIRN_CLI_SOLVE_FORMS_H
#define CAIRN_CLI_SOLVE_FORMS_H

#include "solve_request.h"

/* Payoff matrices A and B of two players: an equilibrium. Returns the exit code. */
int solve_game(const solve_request *request);

/* P, q, A, l, u of a quadratic programme: x and the multipliers. Returns the exit code. */
int solve_qp(const solve_request *request);

#endif
