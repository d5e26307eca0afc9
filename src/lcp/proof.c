/* Names and memory of proofs. */
#include "lcp/exhaust.h"
#include "lcp/prove.h"

#include <string.h>

const char *crn_proof_kind_name(crn_proof_kind kind)
{
    static const char *const names[CRN_PROOF_KIND_COUNT] = {"none",       "enclosure",         "exact",     "backward",
                                                            "infeasible", "infeasible-within", "exhausted", "motion"};
    return (int)kind >= 0 && kind < CRN_PROOF_KIND_COUNT ? names[kind] : NULL;
}

crn_proof_options crn_proof_options_default(void)
{
    return (crn_proof_options){.exact_most = 100, .enclosure_most = 1500};
}

/* --- memory --- */

void crn_proof_free(crn_proof *proof)
{
    if (proof == NULL) {
        return;
    }
    for (int b = 0; proof->number != NULL && b <= proof->k; ++b) {
        crn_release(&proof->allocator, proof->number[b]);
    }
    void *const arrays[] = {proof->basis,  proof->z, proof->radius, proof->weight, proof->inverse,
                            proof->number, proof->y, proof->size,   proof->tree};
    for (size_t a = 0; a < sizeof arrays / sizeof arrays[0]; ++a) {
        crn_release(&proof->allocator, arrays[a]);
    }
    *proof = (crn_proof){.allocator = proof->allocator};
}

bool crn_proof_begin(crn_proof *proof, crn_proof_kind kind, int n, int k)
{
    const crn_allocator *a = &proof->allocator;
    crn_proof_free(proof);
    *proof = (crn_proof){.kind = kind, .n = n, .k = k, .allocator = *a};
    if (kind == CRN_PROOF_EXHAUSTED) { /* vectors come as the leaves do */
        proof->tree = crn_allocate(a, CRN_EXHAUST_NODES, sizeof *proof->tree);
        return proof->tree != NULL;
    }
    if (kind == CRN_PROOF_INFEASIBLE) {
        proof->y = crn_allocate(a, (size_t)n, sizeof(double));
        return proof->y != NULL;
    }
    proof->z = crn_allocate(a, (size_t)n, sizeof(double));
    if (kind == CRN_PROOF_MOTION) {
        return proof->z != NULL;
    }
    proof->basis = crn_allocate(a, (size_t)n, 1);
    bool is_good = proof->z != NULL && proof->basis != NULL;
    if (kind == CRN_PROOF_ENCLOSURE) {
        proof->radius = crn_allocate(a, (size_t)n, sizeof(double));
        proof->weight = crn_allocate(a, (size_t)k, sizeof(double));
        proof->inverse = crn_allocate(a, (size_t)k * (size_t)k, sizeof(double));
        is_good = is_good && proof->radius != NULL && proof->weight != NULL && proof->inverse != NULL;
    } else if (kind == CRN_PROOF_BACKWARD) {
        proof->size = crn_allocate(a, (size_t)n, sizeof(double));
        is_good = is_good && proof->size != NULL;
    } else if (kind == CRN_PROOF_EXACT) {
        proof->number = crn_allocate(a, (size_t)k + 1, sizeof(char *));
        is_good = is_good && proof->number != NULL;
        if (proof->number != NULL) {
            memset(proof->number, 0, ((size_t)k + 1) * sizeof(char *));
        }
    }
    return is_good;
}
