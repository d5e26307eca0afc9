/* What a solve and a step cost in C; overhead.py compares with them. Prints microseconds: an LCP of 10 (from a file of doubles, M then q),
 * a step of an empty world. */
#include <cairn/cairn.h>

#include <stdio.h>

enum { N = 10, REPEAT = 100, ROUNDS = 600 };

static double best_solve(const double *M, const double *q)
{
    double z[N], w[N], ray[N], best = 1.0;
    unsigned char basis[N];
    crn_lcp_problem problem = {.n = N, .M = M, .ld = N, .q = q};
    crn_lcp_solution solution = {.z = z, .w = w, .ray = ray, .basis = basis};
    crn_workspace workspace = {0};
    crn_lcp_result result;
    for (int k = 0; k < ROUNDS; ++k) {
        double start = crn_seconds();
        for (int i = 0; i < REPEAT; ++i) {
            (void)crn_lcp_solve(&problem, NULL, &workspace, &solution, &result, NULL);
        }
        double each = (crn_seconds() - start) / REPEAT;
        best = each < best ? each : best;
    }
    crn_workspace_free(&workspace);
    return best;
}

static double best_step(void)
{
    crn_world *world = NULL;
    crn_step_stats stats;
    double best = 1.0;
    if (crn_world_create(NULL, NULL, &world, NULL) != CRN_OK) {
        return 0.0;
    }
    for (int k = 0; k < ROUNDS; ++k) {
        double start = crn_seconds();
        for (int i = 0; i < REPEAT; ++i) {
            (void)crn_world_step(world, 0.01, &stats, NULL);
        }
        double each = (crn_seconds() - start) / REPEAT;
        best = each < best ? each : best;
    }
    crn_world_destroy(world);
    return best;
}

int main(int argc, char **argv)
{
    double numbers[N * N + N];
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    if (file == NULL || fread(numbers, sizeof numbers, 1, file) != 1) {
        return 2;
    }
    (void)fclose(file);
    printf("%.4f %.4f\n", 1e6 * best_solve(numbers, numbers + N * N), 1e6 * best_step());
    return 0;
}
