/* What the parts of the module share. */
#ifndef CAIRN_WASM_MODULE_H
#define CAIRN_WASM_MODULE_H

#include <cairn/cairn.h>

#define EXPORT(name) __attribute__((export_name(#name)))

/* Where calls that fail say why: cairn_message() reads it. The module serves one caller at a time. */
crn_error *module_error(void);

#endif
