# cairn_machine_options: what the C compiler needs on the machine it compiles for.
include(CheckCSourceCompiles)

# gcc (11.3, 12.2) for s390x branches on a condition code that nothing has set. A loop that counts down to `first` and asks
# `n > first` is cut in two at -O3 (-fsplit-loops); whether the second part runs is decided by the comparison that ends the first,
# and turning that end into "count and branch" (brct) drops the comparison:
#
#     void sum_up(double *p, const double *S, const int *order, const int *parent, int first, int end)
#     {
#         for (int n = end - 1; n >= first; --n) {
#             p[order[n]] += S[order[n]];
#             if (n > first) {
#                 p[parent[order[n]]] -= p[order[n]];
#             }
#         }
#     }
#
# leaves out n = first or not, by the sign of the last p: crn_assembly_grain_down() did.
check_c_source_compiles("#if !defined(__s390__) || !defined(__GNUC__) || defined(__clang__)
#error another compiler or machine
#endif
int main(void) { return 0; }" cairn_is_gcc_for_s390)
set(cairn_machine_options "")
if(cairn_is_gcc_for_s390)
    set(cairn_machine_options -fno-branch-count-reg)
endif()
