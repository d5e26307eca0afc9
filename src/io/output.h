/* Inside of a file on its way (cairn/io.h, crn_io_output): where it goes and where it grows. */
#ifndef CAIRN_IO_OUTPUT_H
#define CAIRN_IO_OUTPUT_H

#include "io/io_room.h"

/** Put the file in its place; a part file that cannot get there is left. */
crn_status crn_io_output_place(crn_io_output *output, crn_error *error);

/** Leave the part file where it is, closed: what is in it can be read. The file of the wanted name stays as it was. */
void crn_io_output_keep(crn_io_output *output);

#endif
