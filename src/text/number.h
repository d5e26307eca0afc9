/* Numbers as text, always with a point, whatever locale the host program has set. */
#ifndef CAIRN_TEXT_NUMBER_H
#define CAIRN_TEXT_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

/** Room for any formatted number. */
enum { CRN_IO_NUMBER_SIZE = 40 };

/** Read length characters as a decimal number, "inf" or "nan" (any case, with sign). False if they are none. */
bool crn_io_number_read(const char *text, size_t length, double *value);

/** Write 17 significant digits, "inf", "-inf" or "nan"; reading them gives the same bits (of a number). */
void crn_io_number_write(double value, char text[CRN_IO_NUMBER_SIZE]);

#endif
