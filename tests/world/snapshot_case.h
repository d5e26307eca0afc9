/* A world's state as bytes. */
#ifndef SNAPSHOT_CASE_H
#define SNAPSHOT_CASE_H

#include <cairn/world.h>

#include "test_support.h"

typedef struct snapshot {
    unsigned char *data;
    size_t size;
} snapshot;

static inline snapshot take(const crn_world *world)
{
    snapshot shot = {.size = crn_world_snapshot_size(world)};
    crn_error error;
    shot.data = malloc(shot.size);
    assert_non_null(shot.data);
    TEST_CHECK(crn_world_save(world, shot.data, shot.size, &error) == CRN_OK, "%s", error.text);
    return shot;
}

#endif
