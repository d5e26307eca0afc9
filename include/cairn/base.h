/* cairn/base.h -- what every door shares: status and message, allocator hooks, workspace, random numbers, clock.
 *
 * The library keeps no global state, prints nothing and never ends the process. */
#ifndef CAIRN_BASE_H
#define CAIRN_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Marks what the shared libraries export. On Windows, define CAIRN_SHARED to use the DLLs, and CAIRN_BUILD besides to make them. */
#if defined(_WIN32) && defined(CAIRN_SHARED) && defined(CAIRN_BUILD)
#define CRN_API __declspec(dllexport)
#elif defined(_WIN32) && defined(CAIRN_SHARED)
#define CRN_API __declspec(dllimport)
#elif defined(__GNUC__) && !defined(_WIN32)
#define CRN_API __attribute__((visibility("default")))
#else
#define CRN_API
#endif

/* --- Version: of these headers, and of the library that runs. While the major number is 0, a minor one may change calls and
 * layouts, and the name of the shared library changes with it (libcairn.so.0.2). --- */

#define CRN_VERSION_MAJOR 0
#define CRN_VERSION_MINOR 2
#define CRN_VERSION_PATCH 0
/** Of these headers, to be compared: 10000 major + 100 minor + patch. */
#define CRN_VERSION (10000 * CRN_VERSION_MAJOR + 100 * CRN_VERSION_MINOR + CRN_VERSION_PATCH)

/** Version of the library that runs as "major.minor.patch"; the string is static. */
CRN_API const char *crn_version(void);

/** The same as a number, as CRN_VERSION. */
CRN_API int crn_version_number(void);

/* --- Status: was the call well made? What the mathematics said is an outcome, told elsewhere. --- */

/** Was the call well made? */
typedef enum crn_status {
    CRN_OK = 0,
    CRN_ERR_ARGUMENT,    /* a value of the caller's is not allowed; the message names it */
    CRN_ERR_MEMORY,      /* the allocator said no, or the size does not fit into size_t */
    CRN_ERR_WORKSPACE,   /* a fixed workspace is too small */
    CRN_ERR_UNSUPPORTED, /* well-formed, but not something this function does */
    CRN_ERR_IO,          /* a file could not be opened, read or written */
    CRN_ERR_FORMAT,      /* a file's content is wrong; the message names file, line and field */
    CRN_ERR_DIVERGED     /* a motion is not finite or absurdly fast; the message names the body */
} crn_status;

/** Short lower-case name of a status, "ok", "argument", ...; the string is static. */
CRN_API const char *crn_status_name(crn_status status);

/** Where a function leaves the reason of its failure. On CRN_OK the text is empty. */
typedef struct crn_error {
    crn_status status;
    char text[256]; /* one line, ends with '\0', cut if longer */
} crn_error;

/** No failure: status CRN_OK, empty text. error may be NULL. */
CRN_API void crn_clear(crn_error *error);

/** Copy text so that a terminal does not obey it: control characters become \x1b and the like. At most size bytes with the '\0',
 *  cut if longer; returns the length. Messages in crn_error are made so. NULL is an empty text. */
CRN_API size_t crn_show(const char *text, char *shown, size_t size);

/** Write a printf-style message into error (which may be NULL) and return status. */
CRN_API crn_status crn_fail(crn_error *error, crn_status status, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/** How far a name is from what was typed: letters to insert, delete or change; 1 if the name begins so; at most 63, which
 *  is what names of more letters get. For "did you mean" in messages. */
CRN_API int crn_name_distance(const char *typed, const char *name);

/* --- Memory --- */

/** Allocator hooks. resize behaves like realloc (block NULL: allocate); release like free. */
typedef struct crn_allocator {
    void *(*resize)(void *user, void *block, size_t bytes);
    void (*release)(void *user, void *block);
    void *user;
} crn_allocator;

/** The C library's realloc and free. */
CRN_API crn_allocator crn_allocator_default(void);

/** Scratch memory of a solver. Zero-initialise it (or call one of the two functions below), hand it to any number of
 *  solves one after another, free it at the end. It grows on demand; a solve no larger than an earlier one takes no
 *  memory. One workspace serves one thread at a time. */
typedef struct crn_workspace {
    crn_allocator allocator; /* all NULL: the default allocator */
    void *data;
    size_t size;   /* bytes at data */
    bool is_fixed; /* the caller owns data; growing is an error */
} crn_workspace;

/** An empty workspace that grows through allocator. */
CRN_API crn_workspace crn_workspace_with(crn_allocator allocator);

/** A workspace on the caller's memory, which must outlive it and is never freed by it. */
CRN_API crn_workspace crn_workspace_fixed(void *data, size_t size);

/** Release what the workspace took; it is empty and usable again. NULL is fine. */
CRN_API void crn_workspace_free(crn_workspace *workspace);

/* --- Random numbers: xoshiro256** seeded by splitmix64; the same seed gives the same numbers everywhere --- */

/** A source of random numbers; a copy of it gives the same numbers again. */
typedef struct crn_random {
    uint64_t state[4];
} crn_random;

CRN_API crn_random crn_random_seed(uint64_t seed);                              /* any seed is good, 0 too */
CRN_API uint64_t crn_random_bits(crn_random *random);                           /* 64 uniform bits */
CRN_API double crn_random_uniform(crn_random *random, double low, double high); /* in [low, high) */
CRN_API double crn_random_normal(crn_random *random);                           /* mean 0, deviation 1 */
CRN_API int crn_random_below(crn_random *random, int count);                    /* in 0 .. count-1 */

/** Seconds on a monotonic clock with an arbitrary origin. */
CRN_API double crn_seconds(void);

#ifdef __cplusplus
}
#endif
#endif
