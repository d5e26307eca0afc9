/* What the parts of the module share. */
#ifndef CAIRN_WASM_MODULE_H
#define CAIRN_WASM_MODULE_H

#include <cairn/cairn.h>

#define EXPORT(name) __attribute__((export_name(#name)))

/* Where calls that fail say why: cairn_message() reads it. The module serves one caller at a time. */
crn_error *module_error(void);

/* Let crn_seconds() stand still for a step that is too short to be timed (clock.c), and go on. */
void module_stop_clock(void);
void module_start_clock(void);

#endif
