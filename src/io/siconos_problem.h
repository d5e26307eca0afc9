/* The kinds of problems in Siconos files. Each reader begins at the start of the text and fills data. */
#ifndef CAIRN_IO_SICONOS_PROBLEM_H
#define CAIRN_IO_SICONOS_PROBLEM_H

#include "text/text.h"

/** The mixed problem: equalities with free variables, and complementarity pairs (siconos_mlcp.c). */
crn_status crn_io_siconos_mlcp(crn_io_text *text, crn_lcp_data *data);

#endif
