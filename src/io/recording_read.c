/* Reading a recording. Opening it goes through all frames once: each must have its mark, its place in the order, its
 * checksum, and content that a writer would have accepted. At the first that does not, reading ends; nothing behind it is
 * trusted, since where it begins depends on what is wrong. */
#include "io/recording.h"

#include "base/memory.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <string.h>

/* Longest part of a file name that messages show; the end of a name tells more than its start. */
enum { NAME_SHOWN = 120 };

struct crn_recording {
    crn_allocator allocator;
    FILE *file;
    char name[NAME_SHOWN + 4];
    crn_recording_header header;
    char *text;                                          /* scene, then the list of figures, each ended */
    const crn_step_figure *known[CRN_RECORDING_FIGURES]; /* figures of the frames */
    crn_recording_layout layout;
    uint64_t size;  /* of the file */
    uint64_t start; /* of the first frame */
    crn_recording_seal seal;
    uint64_t *offset; /* of each whole frame, and of what follows the last one */
    size_t offset_capacity;
    int frames;
    crn_recording_ending ending;
    char why[160];
    /* The frame that was read last. */
    unsigned char *bytes;
    crn_pose *pose;
    crn_recording_contact *contact;
    size_t bytes_capacity, pose_capacity, contact_capacity;
    double measure[CRN_RECORDING_FIGURES];
    const char *measure_name[CRN_RECORDING_FIGURES];
};

static crn_status cannot_read(const crn_recording *r, crn_error *error)
{
    return crn_fail(error, CRN_ERR_IO, "%s: cannot be read: %s", r->name,
                    errno != 0 ? strerror(errno) : "it is shorter");
}

/* Make block hold count items of item bytes and keep what it has. */
static crn_status grow(const crn_recording *r, void **block, size_t *capacity, size_t count, size_t item,
                       crn_error *error)
{
    if (count <= *capacity && *block != NULL) {
        return CRN_OK;
    }
    size_t wanted = count + count / 4 + 1; /* contacts come and go: not a new block for each */
    void *grown = wanted <= SIZE_MAX / item ? r->allocator.resize(r->allocator.user, *block, wanted * item) : NULL;
    if (grown == NULL) {
        return crn_fail(error, CRN_ERR_MEMORY, "%s: no memory for %zu items of %zu bytes", r->name, wanted, item);
    }
    *block = grown;
    *capacity = wanted;
    return CRN_OK;
}

static crn_status read_at(crn_recording *r, uint64_t offset, void *bytes, size_t size, crn_error *error)
{
    errno = 0;
    bool is_there = fseeko(r->file, (off_t)offset, SEEK_SET) == 0 && fread(bytes, 1, size, r->file) == size;
    return is_there ? CRN_OK : cannot_read(r, error);
}

/* --- Header --- */

static crn_status find_size(crn_recording *r, crn_error *error)
{
    errno = 0;
    off_t size = fseeko(r->file, 0, SEEK_END) == 0 ? ftello(r->file) : -1;
    r->size = size > 0 ? (uint64_t)size : 0;
    return size >= 0 ? CRN_OK : cannot_read(r, error);
}

/* Scene and list, each behind an end of its own. */
static crn_status read_texts(crn_recording *r, const crn_recording_start *start, size_t scene, size_t list,
                             crn_error *error)
{
    void *text = NULL;
    crn_status status = crn_io_take(&r->allocator, r->name, scene + 1 + list + 1, 1, &text, error);
    if (status != CRN_OK) {
        return status;
    }
    r->text = memset(text, 0, scene + 1 + list + 1);
    if (start->scene_size > 0) {
        status = read_at(r, CRN_RECORDING_HEADER_SIZE, r->text, scene, error);
    }
    if (status == CRN_OK && start->list_size > 0) {
        status = read_at(r, CRN_RECORDING_HEADER_SIZE + scene, r->text + scene + 1, list, error);
    }
    return status;
}

/* Which figures frames hold. */
static bool find_layout(crn_recording *r, const crn_recording_start *start, char *list)
{
    r->layout.bodies = r->header.bodies;
    if (start->version < CRN_RECORDING_LISTED) {
        crn_recording_old_layout(&r->layout);
    } else if (strlen(list) != start->list_size || !crn_recording_read_list(list, &r->layout)) {
        return false;
    }
    r->header.figure = r->known;
    r->header.figures = crn_recording_known(&r->layout, r->known);
    for (int i = 0; i < r->layout.slots; ++i) {
        if (r->layout.measure[i] != NULL) {
            r->measure_name[r->header.measures++] = r->layout.measure[i];
        }
    }
    r->header.measure = r->measure_name;
    return true;
}

/* The texts and the checksum that covers them. */
static crn_status read_scene(crn_recording *r, const unsigned char *bytes, const crn_recording_start *start,
                             crn_error *error)
{
    size_t scene = (size_t)crn_recording_filled(start->scene_size);
    size_t list = (size_t)crn_recording_filled(start->list_size);
    if (scene + list > r->size - CRN_RECORDING_HEADER_SIZE) {
        return crn_fail(error, CRN_ERR_FORMAT, "%s: cut off within the scene", r->name);
    }
    crn_status status = read_texts(r, start, scene, list, error);
    if (status != CRN_OK) {
        return status;
    }
    r->header.scene = r->text;
    r->start = CRN_RECORDING_HEADER_SIZE + scene + list;
    if (!crn_recording_check_header(bytes, r->text, scene, r->text + scene + 1, list, &r->seal)) {
        return crn_fail(error, CRN_ERR_FORMAT, "%s: the header is damaged: its checksum is wrong", r->name);
    }
    if (strlen(r->text) != start->scene_size) {
        return crn_fail(error, CRN_ERR_FORMAT, "%s: the header is damaged: the scene is not text", r->name);
    }
    if (!find_layout(r, start, r->text + scene + 1)) {
        return crn_fail(error, CRN_ERR_FORMAT, "%s: the header is damaged: it does not list its figures", r->name);
    }
    return CRN_OK;
}

static crn_status read_header(crn_recording *r, crn_error *error)
{
    unsigned char bytes[CRN_RECORDING_HEADER_SIZE] = {0};
    crn_recording_start start;
    crn_status status = find_size(r, error);
    size_t size = r->size < sizeof bytes ? (size_t)r->size : sizeof bytes;
    if (status == CRN_OK && size > 0) {
        status = read_at(r, 0, bytes, size, error);
    }
    if (status == CRN_OK) {
        status = crn_recording_get_header(bytes, size, r->name, &start, error);
    }
    if (status != CRN_OK) {
        return status;
    }
    r->header = start.header;
    return read_scene(r, bytes, &start, error);
}

/* --- Frames --- */

/* Say how the recording ends; false, which ends the search for frames. */
static bool end(crn_recording *r, crn_recording_ending ending, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

static bool end(crn_recording *r, crn_recording_ending ending, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(r->why, sizeof r->why, format, arguments);
    va_end(arguments);
    r->ending = ending;
    return false;
}

/* Read size bytes of a frame into r->bytes. */
static crn_status load_bytes(crn_recording *r, uint64_t offset, uint64_t size, crn_error *error)
{
    void *bytes = r->bytes;
    crn_status status = size <= SIZE_MAX ? CRN_OK : crn_fail(error, CRN_ERR_MEMORY, "%s: too large", r->name);
    if (status == CRN_OK) {
        status = grow(r, &bytes, &r->bytes_capacity, (size_t)size, 1, error);
        r->bytes = bytes;
    }
    return status == CRN_OK ? read_at(r, offset, r->bytes, (size_t)size, error) : status;
}

/* Read the frame of size bytes; *is_good tells whether they are one, what why not. */
static crn_status load(crn_recording *r, uint64_t offset, uint64_t size, int index, crn_recording_frame *frame,
                       bool *is_good, char what[CRN_RECORDING_WHAT], crn_error *error)
{
    crn_status status = load_bytes(r, offset, size, error);
    void *pose = r->pose, *contact = r->contact;
    *is_good = false;
    if (status != CRN_OK) {
        return status;
    }
    crn_recording_extent extent = crn_recording_get_extent(r->bytes);
    if (crn_recording_frame_size(&r->layout, extent) != size) {
        return CRN_OK; /* other bytes than when the file was opened */
    }
    status = grow(r, &pose, &r->pose_capacity, (size_t)r->header.bodies, sizeof(crn_pose), error);
    r->pose = pose;
    if (status == CRN_OK) {
        status = grow(r, &contact, &r->contact_capacity, extent.contacts, sizeof(crn_recording_contact), error);
        r->contact = contact;
    }
    if (status == CRN_OK) {
        crn_recording_room room = {r->pose, r->contact, r->measure};
        *is_good =
            crn_recording_get_frame(r->bytes, (size_t)size, &r->layout, (uint64_t)index, &r->seal, room, frame, what);
    }
    return status;
}

/* The mark at offset says that the recording ends here. */
static crn_status meet_end(crn_recording *r, uint64_t offset, crn_error *error)
{
    unsigned char bytes[CRN_RECORDING_END_SIZE];
    uint64_t left = r->size - offset;
    if (left < sizeof bytes) {
        (void)end(r, CRN_RECORDING_CUT, "the end mark is cut off");
        return CRN_OK;
    }
    crn_status status = read_at(r, offset, bytes, sizeof bytes, error);
    if (status == CRN_OK && !crn_recording_end_is_good(bytes, (uint64_t)r->frames, &r->seal)) {
        (void)end(r, CRN_RECORDING_DAMAGED, "the end mark is damaged");
    } else if (status == CRN_OK && left > sizeof bytes) {
        (void)end(r, CRN_RECORDING_DAMAGED, "%llu bytes follow the end mark",
                  (unsigned long long)(left - sizeof bytes));
    }
    return status;
}

/* The mark at offset says that a frame begins here; *goes_on: it is whole, and offset moves behind it. */
static crn_status meet_frame(crn_recording *r, uint64_t *offset, bool *goes_on, crn_error *error)
{
    unsigned char bytes[CRN_RECORDING_EXTENT_SIZE];
    uint64_t left = r->size - *offset, size = UINT64_MAX;
    crn_status status = CRN_OK;
    if (left >= sizeof bytes) {
        status = read_at(r, *offset, bytes, sizeof bytes, error);
        if (status != CRN_OK) {
            return status;
        }
        crn_recording_extent extent = crn_recording_get_extent(bytes);
        if (extent.contacts > (uint32_t)INT_MAX || extent.note > (uint32_t)INT_MAX || r->frames == INT_MAX - 1) {
            *goes_on = end(r, CRN_RECORDING_DAMAGED, "frame %d: too many", r->frames);
            return CRN_OK;
        }
        size = crn_recording_frame_size(&r->layout, extent);
    }
    if (size > left) {
        *goes_on = end(r, CRN_RECORDING_CUT, "frame %d is cut off", r->frames);
        return CRN_OK;
    }
    char what[CRN_RECORDING_WHAT] = "";
    crn_recording_frame frame;
    bool is_good = false;
    status = load(r, *offset, size, r->frames, &frame, &is_good, what, error);
    if (status != CRN_OK || !is_good) {
        *goes_on = end(r, CRN_RECORDING_DAMAGED, "frame %d is damaged: %s", r->frames, what);
        return status;
    }
    void *offsets = r->offset;
    status = grow(r, &offsets, &r->offset_capacity, 2 + 2 * (size_t)r->frames, sizeof *r->offset, error);
    r->offset = offsets;
    if (status == CRN_OK) {
        r->offset[r->frames++] = *offset;
        *offset += size;
        r->offset[r->frames] = *offset;
    }
    return status;
}

static crn_status find_frames(crn_recording *r, crn_error *error)
{
    uint64_t offset = r->start;
    crn_status status = CRN_OK;
    for (bool goes_on = true; goes_on && status == CRN_OK;) {
        unsigned char bytes[CRN_RECORDING_MARK_SIZE];
        if (r->size - offset < sizeof bytes) {
            (void)end(r, CRN_RECORDING_CUT, "%s", r->size == offset ? "no end mark" : "cut off");
            break;
        }
        status = read_at(r, offset, bytes, sizeof bytes, error);
        if (status != CRN_OK) {
            break;
        }
        switch (crn_recording_part_of(bytes)) {
        case CRN_RECORDING_FRAME: status = meet_frame(r, &offset, &goes_on, error); break;
        case CRN_RECORDING_END:
            status = meet_end(r, offset, error);
            goes_on = false;
            break;
        default: goes_on = end(r, CRN_RECORDING_DAMAGED, "frame %d is damaged: no mark", r->frames); break;
        }
    }
    return status;
}

/* --- Door --- */

crn_status crn_recording_open_file(FILE *file, const char *name, const crn_allocator *allocator,
                                   crn_recording **recording, crn_error *error)
{
    crn_allocator hooks = crn_io_allocator(allocator);
    void *block = NULL;
    crn_status status = crn_io_take(&hooks, name, 1, sizeof(crn_recording), &block, error);
    if (status != CRN_OK) {
        (void)fclose(file);
        return status;
    }
    crn_recording *made = memset(block, 0, sizeof(crn_recording));
    size_t length = strlen(name);
    bool is_long = length > NAME_SHOWN;
    (void)snprintf(made->name, sizeof made->name, "%s%s", is_long ? "..." : "",
                   is_long ? name + (length - NAME_SHOWN) : name);
    made->allocator = hooks;
    made->file = file;
    (void)setvbuf(file, NULL, _IONBF, 0); /* frames are read whole */
    status = read_header(made, error);
    if (status == CRN_OK) {
        status = find_frames(made, error);
    }
    if (status != CRN_OK) {
        crn_recording_close(made);
        return status;
    }
    *recording = made;
    return CRN_OK;
}

/* A run that was killed left its frames in the part file: say so. */
static void mention_part(const char *path, crn_error *error)
{
    char part[CRN_IO_PATH];
    int length = snprintf(part, sizeof part, "%s.part", path);
    FILE *file = length > 0 && (size_t)length < sizeof part ? fopen(part, "rb") : NULL;
    if (file != NULL) {
        (void)fclose(file);
        (void)crn_fail(error, CRN_ERR_IO, "%s: cannot be opened, but %s has what was written of it", path, part);
    }
}

crn_status crn_recording_open(const char *path, const crn_allocator *allocator, crn_recording **recording,
                              crn_error *error)
{
    crn_clear(error);
    if (path == NULL || recording == NULL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "%s: NULL", path == NULL ? "path" : "recording");
    }
    *recording = NULL;
    FILE *file = NULL;
    crn_status status = crn_io_open(path, &file, error);
    if (status != CRN_OK) {
        mention_part(path, error);
        return status;
    }
    return crn_recording_open_file(file, path, allocator, recording, error);
}

void crn_recording_close(crn_recording *recording)
{
    if (recording == NULL) {
        return;
    }
    crn_allocator hooks = recording->allocator;
    (void)fclose(recording->file);
    crn_release(&hooks, recording->text);
    crn_release(&hooks, recording->offset);
    crn_release(&hooks, recording->bytes);
    crn_release(&hooks, recording->pose);
    crn_release(&hooks, recording->contact);
    crn_release(&hooks, recording);
}

const crn_recording_header *crn_recording_header_of(const crn_recording *recording)
{
    return recording != NULL ? &recording->header : NULL;
}

bool crn_recording_has(const crn_recording *recording, const char *figure)
{
    if (recording == NULL) {
        return false;
    }
    for (int i = 0; i < recording->header.figures && figure != NULL; ++i) {
        if (strcmp(recording->known[i]->name, figure) == 0) {
            return true;
        }
    }
    return false;
}

int crn_recording_frames(const crn_recording *recording)
{
    return recording != NULL ? recording->frames : 0;
}

crn_recording_ending crn_recording_ending_of(const crn_recording *recording, const char **why)
{
    if (why != NULL) {
        *why = recording != NULL ? recording->why : "there is none";
    }
    return recording != NULL ? recording->ending : CRN_RECORDING_DAMAGED;
}

crn_status crn_recording_read(crn_recording *recording, int index, crn_recording_frame *frame, crn_error *error)
{
    crn_clear(error);
    crn_recording *r = recording;
    if (r == NULL || frame == NULL || index < 0 || index >= r->frames) {
        return r == NULL || frame == NULL
                   ? crn_fail(error, CRN_ERR_ARGUMENT, "%s: NULL", r == NULL ? "recording" : "frame")
                   : crn_fail(error, CRN_ERR_ARGUMENT, "%s: there is no frame %d of %d", r->name, index, r->frames);
    }
    char what[CRN_RECORDING_WHAT] = "";
    bool is_good = false;
    uint64_t size = r->offset[index + 1] - r->offset[index];
    crn_status status = load(r, r->offset[index], size, index, frame, &is_good, what, error);
    if (status == CRN_OK && !is_good) {
        status = crn_fail(error, CRN_ERR_FORMAT, "%s: frame %d has changed since the file was opened", r->name, index);
    }
    return status;
}
