/* CRC-32 of bytes: what zlib, PNG and Ethernet use. */
#ifndef CAIRN_IO_CHECKSUM_H
#define CAIRN_IO_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/** Bytes taken at a time, each with a table of its own. */
enum { CRN_CHECKSUM_SLICES = 8 };

/** Tables; computed once by whoever needs checksums, since the library keeps no global state. */
typedef struct crn_checksum_table {
    uint32_t of[CRN_CHECKSUM_SLICES][256];
} crn_checksum_table;

void crn_checksum_prepare(crn_checksum_table *table);

/** Checksum of size bytes that follow others with the checksum `before` (0: none do). */
uint32_t crn_checksum(const crn_checksum_table *table, uint32_t before, const void *bytes, size_t size);

#endif
