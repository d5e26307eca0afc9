/* The remainder of the bytes, as a polynomial over GF(2) times x^32, modulo
 *
 *     x^32 + x^26 + x^23 + x^22 + x^16 + x^12 + x^11 + x^10 + x^8 + x^7 + x^5 + x^4 + x^2 + x + 1
 *
 * with bits in reflected order and complemented before and after: CRC-32 of ISO 3309. It finds every change of up to 32
 * neighbouring bits. Eight bytes are taken at a time [KB08]: table k holds the remainders of a byte with k zero bytes behind
 * it, so that the eight look-ups do not wait for each other. */
#include "io/checksum.h"

/* The polynomial above without x^32, lowest power in the highest bit. */
#define POLYNOMIAL UINT32_C(0xEDB88320)

void crn_checksum_prepare(crn_checksum_table *table)
{
    for (uint32_t byte = 0; byte < 256; ++byte) {
        uint32_t rest = byte;
        for (int bit = 0; bit < 8; ++bit) {
            rest = (rest >> 1) ^ ((rest & 1U) != 0 ? POLYNOMIAL : 0U);
        }
        table->of[0][byte] = rest;
    }
    for (int k = 1; k < CRN_CHECKSUM_SLICES; ++k) {
        for (uint32_t byte = 0; byte < 256; ++byte) {
            uint32_t rest = table->of[k - 1][byte];
            table->of[k][byte] = (rest >> 8) ^ table->of[0][rest & 0xFFU];
        }
    }
}

uint32_t crn_checksum(const crn_checksum_table *table, uint32_t before, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    uint32_t rest = ~before;
    for (; size >= CRN_CHECKSUM_SLICES; size -= CRN_CHECKSUM_SLICES, at += CRN_CHECKSUM_SLICES) {
        uint32_t first =
            rest ^ ((uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24);
        rest = table->of[7][first & 0xFFU] ^ table->of[6][(first >> 8) & 0xFFU] ^ table->of[5][(first >> 16) & 0xFFU] ^
               table->of[4][first >> 24] ^ table->of[3][at[4]] ^ table->of[2][at[5]] ^ table->of[1][at[6]] ^
               table->of[0][at[7]];
    }
    for (; size > 0; --size) {
        rest = (rest >> 8) ^ table->of[0][(rest ^ *at++) & 0xFFU];
    }
    return ~rest;
}
