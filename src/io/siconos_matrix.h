/* The matrix block of Siconos files, in its three storages. */
#ifndef CAIRN_IO_SICONOS_MATRIX_H
#define CAIRN_IO_SICONOS_MATRIX_H

#include "io/text.h"

/** Read a square matrix block of order n into data's problem: storage 0 becomes dense, 1 and 2 compressed columns. */
crn_status crn_io_siconos_matrix(crn_io_text *text, int n, crn_lcp_data *data);

/** Storage 1: blocks with values column by column, in block rows (siconos_blocks.c). The sizes have been read. */
crn_status crn_io_siconos_blocks(crn_io_text *text, int n, crn_lcp_data *data);

/** Storage 2: what CSparse prints, entry by entry or column by column (siconos_csparse.c). The sizes have been read. */
crn_status crn_io_siconos_csparse(crn_io_text *text, int n, crn_lcp_data *data);

#endif
