/* Any bytes as a recording.
 *
 * Bit 0 of the first byte tells whether the checksums in the rest are made right, so that what they guard is reached too.
 * Nothing may crash, leak or take more memory than the file is long; a failure leaves a message of one line; and every
 * frame that is read must be one that a recorder accepts. */
#include "io/recording.h"

#include "text/bytes.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void demand(bool condition)
{
    if (!condition) {
        abort();
    }
}

/* What frames hold, if the file is long enough to say so. */
static bool find_layout(const unsigned char *bytes, size_t size, const crn_recording_start *start,
                        crn_recording_layout *layout)
{
    char list[CRN_RECORDING_LIST_SIZE + 1] = "";
    *layout = (crn_recording_layout){.bodies = start->header.bodies};
    if (crn_recording_header_size((size_t)start->scene_size, (size_t)start->list_size) > size) {
        return false;
    }
    if (start->version < CRN_RECORDING_LISTED) {
        crn_recording_old_layout(layout);
        return true;
    }
    size_t first = crn_recording_header_size((size_t)start->scene_size, 0);
    memcpy(list, bytes + first, (size_t)start->list_size);
    return crn_recording_read_list(list, layout);
}

/* Make the checksums of header, frames and end right, as far as the sizes that the bytes claim allow. */
static void repair(unsigned char *bytes, size_t size)
{
    crn_recording_start start;
    crn_recording_seal seal;
    crn_recording_layout layout;
    if (crn_recording_get_header(bytes, size, "x", &start, NULL) != CRN_OK ||
        !find_layout(bytes, size, &start, &layout)) {
        return;
    }
    size_t offset = crn_recording_header_size((size_t)start.scene_size, (size_t)start.list_size);
    (void)crn_recording_check_header(bytes, (const char *)bytes + CRN_RECORDING_HEADER_SIZE,
                                     offset - CRN_RECORDING_HEADER_SIZE, "", 0, &seal);
    crn_put_u32(bytes + CRN_RECORDING_HEADER_SIZE - 4, seal.start);
    for (uint64_t number = 0; size - offset >= CRN_RECORDING_MARK_SIZE; ++number) {
        crn_recording_part part = crn_recording_part_of(bytes + offset);
        uint64_t length = CRN_RECORDING_END_SIZE;
        if (part == CRN_RECORDING_FRAME && size - offset >= CRN_RECORDING_EXTENT_SIZE) {
            length = crn_recording_frame_size(&layout, crn_recording_get_extent(bytes + offset));
        }
        if (part == CRN_RECORDING_UNKNOWN || length > size - offset) {
            return;
        }
        crn_put_u64(bytes + offset + 8, number);
        crn_recording_put_tail(&seal, bytes + offset, (size_t)length);
        offset += (size_t)length;
    }
}

/* Read all frames, last first; each must be good. */
static void read_frames(crn_recording *recording)
{
    crn_recording_layout layout;
    demand(crn_recording_layout_of(crn_recording_header_of(recording), &layout));
    for (int i = crn_recording_frames(recording) - 1; i >= 0; --i) {
        crn_recording_frame frame;
        char what[CRN_RECORDING_WHAT];
        demand(crn_recording_read(recording, i, &frame, NULL) == CRN_OK);
        demand(crn_recording_frame_is_good(&frame, &layout, what));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size < 2) {
        return 0;
    }
    unsigned char *copy = malloc(size - 1);
    demand(copy != NULL);
    memcpy(copy, bytes + 1, size - 1);
    if ((bytes[0] & 1U) != 0) {
        repair(copy, size - 1);
    }
    FILE *file = fmemopen(copy, size - 1, "rb");
    demand(file != NULL);
    crn_recording *recording = NULL;
    crn_error error = {.status = CRN_OK};
    crn_status status = crn_recording_open_file(file, "p.crn", NULL, &recording, &error);
    if (status == CRN_OK) {
        const char *why = NULL;
        crn_recording_ending ending = crn_recording_ending_of(recording, &why);
        demand((ending == CRN_RECORDING_FINISHED) == (why[0] == '\0') && strchr(why, '\n') == NULL);
        read_frames(recording);
    } else {
        demand(error.status == status && recording == NULL);
        demand(error.text[0] != '\0' && strchr(error.text, '\n') == NULL);
    }
    crn_recording_close(recording);
    free(copy);
    return 0;
}
