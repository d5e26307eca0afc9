/* Assemblies in builds without OpenMP: on one thread. */
#include "tree/assembly_parts.h"

void crn_assembly_sweep(crn_assembly *s, const crn_assembly_input *in, int threads)
{
    (void)threads;
    crn_assembly_sweep_alone(s, in);
}
