/* Numbers as little-endian bytes, on any machine. Compilers make one move of each. */
#ifndef CAIRN_TEXT_BYTES_H
#define CAIRN_TEXT_BYTES_H

#include <stdint.h>
#include <string.h>

static inline void crn_put_u32(unsigned char *at, uint32_t value)
{
    at[0] = (unsigned char)(value & 0xFFU);
    at[1] = (unsigned char)((value >> 8) & 0xFFU);
    at[2] = (unsigned char)((value >> 16) & 0xFFU);
    at[3] = (unsigned char)(value >> 24);
}

static inline void crn_put_u64(unsigned char *at, uint64_t value)
{
    crn_put_u32(at, (uint32_t)(value & UINT32_MAX));
    crn_put_u32(at + 4, (uint32_t)(value >> 32));
}

static inline void crn_put_f64(unsigned char *at, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    crn_put_u64(at, bits);
}

static inline uint32_t crn_get_u32(const unsigned char *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static inline uint64_t crn_get_u64(const unsigned char *at)
{
    return (uint64_t)crn_get_u32(at) | (uint64_t)crn_get_u32(at + 4) << 32;
}

static inline double crn_get_f64(const unsigned char *at)
{
    uint64_t bits = crn_get_u64(at);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Two's complement, as the bytes have it. */
static inline int crn_get_i32(const unsigned char *at)
{
    uint32_t bits = crn_get_u32(at);
    int32_t value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

#endif
