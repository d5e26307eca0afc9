/* sections.h -- the parts of the report. Each prints its tables and verdicts. */
#ifndef BENCH_SECTIONS_H
#define BENCH_SECTIONS_H

#include "results.h"

/** One family of the section on success, printed as soon as it is done. */
void bench_print_family(const bench_results *results, int family);

/** The rest of that section: all entrants by all families, and the verdicts. */
void bench_section_success(const bench_results *results);

void bench_section_speed(const bench_results *results);

/** Solve again from the basis just found. false: a message was printed. */
bool bench_section_warm(const bench_options *options);

/** Permute and scale, and compare outcomes. false: a message was printed. */
bool bench_section_invariance(const bench_options *options);

/** Large sparse problems beside scipy. false: a message was printed. */
bool bench_section_sparse(const bench_options *options);

/** Proofs and games. false: a message was printed. */
bool bench_section_proofs(const bench_options *options);

/** Small random problems of many classes, and fresh chains, judged here. false: a message was printed. */
bool bench_section_random(const bench_options *options);

/** "met" or "NOT MET". */
const char *bench_verdict_name(bool is_met);

#endif
