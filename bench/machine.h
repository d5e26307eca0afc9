/* machine.h -- on what the figures were taken. */
#ifndef BENCH_MACHINE_H
#define BENCH_MACHINE_H

/** Model of the processor as /proc/cpuinfo names it, or "unknown"; static. */
const char *bench_machine_cpu(void);

/** Compiler and its version; static. */
const char *bench_machine_compiler(void);

#endif
