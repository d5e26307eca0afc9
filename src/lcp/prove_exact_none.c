/* Rational numbers in builds without GMP: none. */
#include "lcp/prove.h"

bool crn_proof_has_exact(void)
{
    return false;
}

bool crn_exact_solve(const crn_prover *prover, crn_proof *proof)
{
    (void)prover;
    (void)proof;
    return false;
}

bool crn_exact_holds(const crn_prover *prover, const crn_proof *proof, crn_error *error)
{
    (void)prover;
    (void)proof;
    (void)crn_fail(error, CRN_OK, "rational numbers are not in this build, which has no GMP");
    return false;
}
