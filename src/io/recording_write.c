/* Writing a recording, frame by frame, into a sink. A file is a sink that hands each frame to the system in one write, so
 * that a program that dies leaves whole frames behind, and at most one that is cut off: in the part file of its output, which is
 * kept when writing fails. */
#include "io/output.h"
#include "io/recording.h"

#include "base/memory.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <string.h>

struct crn_recorder {
    crn_allocator allocator;
    crn_io_sink sink;
    void *user;
    crn_io_output output; /* of the sink write_file; not open: the sink is the caller's */
    char *path;           /* or another name for messages */
    crn_recording_layout layout;
    uint64_t frames;
    unsigned char *bytes; /* of the frame on its way */
    size_t capacity;
    bool has_failed; /* part of a frame may be written: nothing may follow */
    crn_recording_seal seal;
};

/* Release everything; the file is closed already. */
static void discard(crn_recorder *recorder)
{
    crn_allocator hooks = recorder->allocator;
    crn_release(&hooks, recorder->path);
    crn_release(&hooks, recorder->bytes);
    crn_release(&hooks, recorder);
}

static crn_status cannot_write(const crn_recorder *recorder, crn_error *error)
{
    const char *reason = errno != 0 ? strerror(errno) : "unknown reason";
    bool has_frames = recorder->output.file != NULL && recorder->frames > 0;
    return crn_fail(error, CRN_ERR_IO,
                    has_frames ? "%s: cannot be written: %s; its frames so far are in %s" : "%s: cannot be written: %s",
                    recorder->path, reason, recorder->output.part);
}

/* Room for size bytes; what was there is lost. */
static crn_status make_room(crn_recorder *recorder, uint64_t size, crn_error *error)
{
    if (size <= recorder->capacity) {
        return CRN_OK;
    }
    void *bytes = NULL;
    uint64_t wanted = size + size / 4; /* contacts come and go: not a new block for each */
    crn_status status = wanted > SIZE_MAX
                            ? crn_fail(error, CRN_ERR_MEMORY, "%s: a frame is too large", recorder->path)
                            : crn_io_take(&recorder->allocator, recorder->path, (size_t)wanted, 1, &bytes, error);
    if (status == CRN_OK) {
        crn_release(&recorder->allocator, recorder->bytes);
        recorder->bytes = bytes;
        recorder->capacity = (size_t)wanted;
    }
    return status;
}

/* The sink that is a file. */
static bool write_file(void *user, const void *bytes, size_t size)
{
    return fwrite(bytes, 1, size, user) == size && fflush(user) == 0;
}

/* Hand over the first size bytes of the buffer. */
static crn_status flush(crn_recorder *recorder, size_t size, crn_error *error)
{
    errno = 0;
    if (!recorder->sink(recorder->user, recorder->bytes, size)) {
        recorder->has_failed = true;
        return cannot_write(recorder, error);
    }
    return CRN_OK;
}

/* Also finds the layout. */
static crn_status check_header(const char *path, const crn_recording_header *header, crn_recording_layout *layout,
                               crn_error *error)
{
    if (path == NULL || header == NULL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "%s: NULL", path == NULL ? "path" : "header");
    }
    const char *wrong = header->bodies < 0                          ? "bodies: negative"
                        : header->every < 1                         ? "every: must be >= 1"
                        : !isfinite(header->dt) || header->dt < 0.0 ? "dt: must be >= 0 and finite"
                        : header->scene != NULL && strlen(header->scene) > (size_t)INT_MAX ? "scene: too long"
                        : !crn_recording_measures_are_good(header) ? "measures: too many, or without a name"
                        : !crn_recording_layout_of(header, layout) ? "figures: NULL, or too many"
                                                                   : NULL;
    return wrong == NULL ? CRN_OK : crn_fail(error, CRN_ERR_ARGUMENT, "%s: %s", path, wrong);
}

/* Everything but the file. */
static crn_status prepare(const char *path, const crn_recording_header *header, crn_recorder *recorder,
                          size_t *header_size, crn_error *error)
{
    void *copy = NULL;
    size_t length = strlen(path) + 1;
    crn_status status = crn_io_take(&recorder->allocator, path, length, 1, &copy, error);
    if (status != CRN_OK) {
        return status;
    }
    recorder->path = memcpy(copy, path, length);
    *header_size = crn_recording_header_size(header->scene != NULL ? strlen(header->scene) : 0,
                                             crn_recording_list(&recorder->layout, NULL, 0));
    status = make_room(recorder, *header_size, error);
    if (status == CRN_OK) {
        crn_recording_put_header(header, &recorder->layout, &recorder->seal, recorder->bytes);
    }
    return status;
}

static crn_status open_file(crn_recorder *recorder, crn_error *error)
{
    crn_status status = crn_io_output_open(&recorder->output, recorder->path, error);
    if (status == CRN_OK) {
        recorder->sink = write_file;
        recorder->user = recorder->output.file;
        (void)setvbuf(recorder->output.file, NULL, _IONBF, 0); /* the buffer is ours */
    }
    return status;
}

/* Open the file unless there is a sink, and write the header; a file that cannot take its header is removed again. */
static crn_status begin(crn_recorder *recorder, size_t header_size, crn_error *error)
{
    crn_status status = recorder->sink == NULL ? open_file(recorder, error) : CRN_OK;
    if (status != CRN_OK) {
        return status;
    }
    status = flush(recorder, header_size, error);
    if (status != CRN_OK && recorder->output.file != NULL) {
        (void)crn_io_output_close(&recorder->output, status, error);
    }
    return status;
}

/* sink NULL: into the file at path. */
static crn_status create(crn_io_sink sink, void *user, const char *path, const crn_recording_header *header,
                         const crn_allocator *allocator, crn_recorder **recorder, crn_error *error)
{
    crn_clear(error);
    if (recorder == NULL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "recorder: NULL");
    }
    *recorder = NULL;
    crn_recording_layout layout;
    crn_status status = check_header(path, header, &layout, error);
    if (status != CRN_OK) {
        return status;
    }
    crn_allocator hooks = crn_io_allocator(allocator);
    void *block = NULL;
    status = crn_io_take(&hooks, path, 1, sizeof(crn_recorder), &block, error);
    if (status != CRN_OK) {
        return status;
    }
    crn_recorder *made = memset(block, 0, sizeof(crn_recorder));
    made->allocator = hooks;
    made->sink = sink;
    made->user = user;
    made->layout = layout;
    size_t header_size = 0;
    status = prepare(path, header, made, &header_size, error);
    if (status == CRN_OK) {
        status = begin(made, header_size, error);
    }
    if (status != CRN_OK) {
        discard(made);
        return status;
    }
    *recorder = made;
    return CRN_OK;
}

crn_status crn_recorder_create(const char *path, const crn_recording_header *header, const crn_allocator *allocator,
                               crn_recorder **recorder, crn_error *error)
{
    return create(NULL, NULL, path, header, allocator, recorder, error);
}

crn_status crn_recorder_create_into(crn_io_sink sink, void *user, const char *name, const crn_recording_header *header,
                                    const crn_allocator *allocator, crn_recorder **recorder, crn_error *error)
{
    if (sink == NULL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "sink: NULL");
    }
    return create(sink, user, name != NULL ? name : "recording", header, allocator, recorder, error);
}

static crn_status check_frame(const crn_recorder *recorder, const crn_recording_frame *frame, crn_error *error)
{
    char what[CRN_RECORDING_WHAT];
    if (frame == NULL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "%s: frame: NULL", recorder->path);
    }
    if (frame->contacts < 0 || (frame->contact == NULL && frame->contacts > 0) ||
        (frame->pose == NULL && recorder->layout.bodies > 0)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "%s: frame: %s", recorder->path,
                        frame->contacts < 0 ? "contacts: negative" : "a list is NULL");
    }
    if (frame->note != NULL && strlen(frame->note) > (size_t)INT_MAX) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "%s: frame: note: too long", recorder->path);
    }
    if (!crn_recording_frame_is_good(frame, &recorder->layout, what)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "%s: frame %llu: %s", recorder->path,
                        (unsigned long long)recorder->frames, what);
    }
    return CRN_OK;
}

crn_status crn_recorder_append(crn_recorder *recorder, const crn_recording_frame *frame, crn_error *error)
{
    crn_clear(error);
    if (recorder == NULL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "recorder: NULL");
    }
    if (recorder->has_failed) {
        return crn_fail(error, CRN_ERR_IO, "%s: an earlier frame could not be written", recorder->path);
    }
    crn_status status = check_frame(recorder, frame, error);
    if (status != CRN_OK) {
        return status;
    }
    uint64_t size = crn_recording_frame_size(&recorder->layout, crn_recording_extent_of(frame));
    status = make_room(recorder, size, error);
    if (status == CRN_OK) {
        crn_recording_put_frame(frame, &recorder->layout, recorder->frames, &recorder->seal, recorder->bytes);
        status = flush(recorder, (size_t)size, error);
    }
    recorder->frames += status == CRN_OK;
    return status;
}

crn_status crn_recorder_close(crn_recorder *recorder, crn_error *error)
{
    crn_clear(error);
    if (recorder == NULL) {
        return CRN_OK;
    }
    crn_status status = CRN_OK;
    if (!recorder->has_failed) {
        /* The header took more room than this. */
        crn_recording_put_end(recorder->frames, &recorder->seal, recorder->bytes);
        status = flush(recorder, CRN_RECORDING_END_SIZE, error);
    }
    if (recorder->has_failed) {
        crn_io_output_keep(&recorder->output);
    } else if (recorder->output.file != NULL) {
        status = crn_io_output_place(&recorder->output, error);
    }
    discard(recorder);
    return status;
}
