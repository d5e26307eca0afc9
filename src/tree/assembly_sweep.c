/* Assembly-disassembly: one node after another, up to the root of the schedule and down again. */
#include "tree/assembly_parts.h"

#include <string.h>

void crn_assembly_up(crn_assembly *s, const crn_assembly_input *in, int node)
{
    switch (s->node[node].kind) {
    case CRN_ASSEMBLY_GRAIN: crn_assembly_grain_up(s, in, &s->node[node]); break;
    case CRN_ASSEMBLY_HANG: crn_assembly_hang_up(s, &s->node[node]); break;
    case CRN_ASSEMBLY_BESIDE: crn_assembly_beside_up(s, &s->node[node]); break;
    }
}

void crn_assembly_down(crn_assembly *s, const crn_assembly_input *in, int node)
{
    switch (s->node[node].kind) {
    case CRN_ASSEMBLY_GRAIN: crn_assembly_grain_down(s, in, &s->node[node]); break;
    case CRN_ASSEMBLY_HANG: crn_assembly_hang_down(s, &s->node[node]); break;
    case CRN_ASSEMBLY_BESIDE: crn_assembly_beside_down(s, &s->node[node]); break;
    }
}

void crn_assembly_sweep_alone(crn_assembly *s, const crn_assembly_input *in)
{
    for (int n = 0; n < s->nodes; ++n) {
        crn_assembly_up(s, in, n);
    }
    if (in->acceleration != NULL) {
        crn_assembly_begin_down(s);
        for (int n = s->nodes - 1; n >= 0; --n) {
            crn_assembly_down(s, in, n);
        }
    }
}

void crn_assembly_begin_down(crn_assembly *s)
{
    crn_assembly_node *root = &s->node[s->nodes - 1];
    memset(root->a_in, 0, 6 * sizeof *root->a_in);
    memset(root->g, 0, 6 * (size_t)root->ports * sizeof *root->g);
}
