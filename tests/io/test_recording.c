/* Recordings: written and read back, cut off at every byte, every bit flipped, a program that is killed, files that are
 * none, frames that may not be, failing allocations and disks. */
#include "io/recording.h"

#include "text/bytes.h"
#include "test_allocator.h"
#include "test_support.h"

#include <math.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BODIES = 2, FRAMES = 3 };
static const char scene[] = "{\"name\": \"two bodies\"}";

/* --- A small motion: frame k has k contacts and note k --- */

static const char *const notes[FRAMES] = {NULL, "{\"not whole words\"}", "{\"a\": 1}"}; /* of 0, 19 and 8 bytes */

static crn_pose pose_of(int frame, int body)
{
    double angle = 0.1 * frame + body;
    return (crn_pose){{0.25 * frame, body, -1.0 / (3.0 + frame)}, {cos(angle), 0.0, sin(angle), -0.0}};
}

static crn_recording_contact contact_of(int frame, int i)
{
    return (crn_recording_contact){.a = i % BODIES,
                                   .b = i == 0 ? -1 : 1,
                                   .kind = i % 2 == 0 ? CRN_CONTACT_STICK : CRN_CONTACT_SLIDE,
                                   .point = {frame, i, 0.1},
                                   .normal = {0.6, 0.0, 0.8},
                                   .gap = -1e-9 * i,
                                   .impulse = {1.0 / 3.0, -5e-324, 1e300}};
}

/* Every figure has a value of its own, verdict and ledger too. */
static crn_step_stats figures_of(int frame)
{
    crn_step_stats stats = {.time = 0.05 * frame};
    for (int i = 0; i < crn_step_figure_count(); ++i) {
        const crn_step_figure *figure = crn_step_figure_at(i);
        double value = figure->kind == CRN_FIGURE_REAL    ? (frame - 1) * (i + 1) / 3.0
                       : figure->kind == CRN_FIGURE_COUNT ? 10.0 * i + frame
                                                          : frame == 1;
        assert_true(crn_step_figure_set(figure, value, &stats));
    }
    stats.verdict = frame == 1 ? CRN_VERDICT_OVERLAP : frame == 2 ? CRN_VERDICT_LAW : CRN_VERDICT_CERTIFIED;
    stats.failed = frame == 0 ? 0 : 0x80000000U + (1U << stats.verdict);
    stats.outcome = frame == 1 ? CRN_LCP_LIMIT : CRN_LCP_SOLVED;
    stats.law = frame == 2 ? CRN_LAW_CONVEX : CRN_LAW_COULOMB;
    stats.method = CRN_CONTACT_BODIES;
    stats.certificate = frame == 1 ? (double)INFINITY : 1e-17;
    return stats;
}

/* A frame and what it points to. */
typedef struct moment {
    crn_pose pose[BODIES];
    crn_recording_contact contact[FRAMES];
    crn_recording_frame frame;
} moment;

static void make_moment(moment *m, int k)
{
    for (int i = 0; i < BODIES; ++i) {
        m->pose[i] = pose_of(k, i);
    }
    for (int i = 0; i < FRAMES; ++i) {
        m->contact[i] = contact_of(k, i);
    }
    m->frame = (crn_recording_frame){.step = 5 * k,
                                     .time = 0.05 * k,
                                     .pose = m->pose,
                                     .contact = m->contact,
                                     .contacts = k,
                                     .figures = figures_of(k),
                                     .note = notes[k]};
}

static const char *scratch(const char *end, char path[64])
{
    (void)snprintf(path, 64, "test_recording_%ld.%s", (long)getpid(), end);
    return path;
}

static crn_recording_header small_header(void)
{
    return (crn_recording_header){.scene = scene, .bodies = BODIES, .dt = 0.01, .every = 5, .is_planar = true};
}

/* Write the small motion; the first thing that fails ends it. */
static crn_status write_motion(const char *path, const crn_allocator *allocator, crn_error *error)
{
    crn_recorder *recorder = NULL;
    crn_recording_header header = small_header();
    crn_status status = crn_recorder_create(path, &header, allocator, &recorder, error);
    if (status != CRN_OK) {
        assert_null(recorder);
        return status;
    }
    for (int k = 0; k < FRAMES && status == CRN_OK; ++k) {
        moment m;
        make_moment(&m, k);
        status = crn_recorder_append(recorder, &m.frame, error);
    }
    crn_error closing;
    crn_status closed = crn_recorder_close(recorder, &closing);
    return status != CRN_OK ? status : closed;
}

/* --- Comparing --- */

static bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static bool same_vec3(crn_vec3 a, crn_vec3 b)
{
    return same_bits(a.x, b.x) && same_bits(a.y, b.y) && same_bits(a.z, b.z);
}

/* The figures that the recording says it has. */
static void expect_figures(const crn_recording *recording, const crn_step_stats *a, const crn_step_stats *b)
{
    const crn_recording_header *header = crn_recording_header_of(recording);
    assert_true(header->figures > 0);
    for (int i = 0; i < header->figures; ++i) {
        const crn_step_figure *figure = header->figure[i];
        double is = crn_step_figure_get(figure, a), was = crn_step_figure_get(figure, b);
        TEST_CHECK(same_bits(is, was), "%s: %g, expected %g", figure->name, is, was);
    }
}

/* Frame k of the recording is that of the small motion, to the bit. */
static void expect_frame(crn_recording *recording, int k)
{
    crn_error error = {CRN_OK, ""};
    crn_recording_frame frame;
    moment m;
    make_moment(&m, k);
    crn_status status = crn_recording_read(recording, k, &frame, &error);
    TEST_CHECK(status == CRN_OK, "frame %d: %s", k, error.text);
    assert_int_equal(frame.step, m.frame.step);
    assert_true(same_bits(frame.time, m.frame.time));
    for (int i = 0; i < BODIES; ++i) {
        const crn_quat *q = &frame.pose[i].rotation, *p = &m.pose[i].rotation;
        assert_true(same_vec3(frame.pose[i].position, m.pose[i].position));
        assert_true(same_bits(q->w, p->w) && same_bits(q->x, p->x) && same_bits(q->y, p->y) && same_bits(q->z, p->z));
    }
    assert_int_equal(frame.contacts, k);
    for (int i = 0; i < frame.contacts; ++i) {
        const crn_recording_contact *a = &frame.contact[i], *b = &m.contact[i];
        assert_true(a->a == b->a && a->b == b->b && a->kind == b->kind && same_bits(a->gap, b->gap));
        assert_true(same_vec3(a->point, b->point) && same_vec3(a->normal, b->normal));
        assert_true(same_vec3(a->impulse, b->impulse));
    }
    expect_figures(recording, &frame.figures, &m.frame.figures);
    assert_true((frame.note == NULL) == (notes[k] == NULL));
    if (frame.note != NULL) {
        assert_string_equal(frame.note, notes[k]);
    }
}

/* --- Bytes in memory --- */

/* The file of the small motion; for free(). */
static unsigned char *motion_bytes(size_t *size)
{
    char path[64];
    crn_error error = {CRN_OK, ""};
    crn_status status = write_motion(scratch("crn", path), NULL, &error);
    TEST_CHECK(status == CRN_OK, "%s", error.text);
    crn_io_source source;
    crn_allocator hooks = crn_allocator_default();
    assert_int_equal(crn_io_load(path, &hooks, &source, &error), CRN_OK);
    (void)remove(path);
    *size = source.size;
    return (unsigned char *)(uintptr_t)source.text;
}

/* Open bytes as a file. */
static crn_status open_bytes(const unsigned char *bytes, size_t size, crn_recording **recording, crn_error *error)
{
    FILE *file = size > 0 ? fmemopen((void *)(uintptr_t)bytes, size, "rb") : fopen("/dev/null", "rb");
    assert_non_null(file);
    *recording = NULL;
    crn_clear(error);
    return crn_recording_open_file(file, "small.crn", NULL, recording, error);
}

static crn_recording_layout small_layout(void)
{
    crn_recording_layout layout;
    crn_recording_header header = small_header();
    assert_true(crn_recording_layout_of(&header, &layout));
    return layout;
}

/* Where the poses of a frame begin. */
static size_t poses_at(void)
{
    return 64 + 8 * (size_t)crn_step_figure_count();
}

/* Where a figure stands in a frame. */
static size_t figure_at(const char *name)
{
    return 64 + 8 * (size_t)(crn_step_figure_find(name) - crn_step_figure_at(0));
}

/* Bytes of header and of the first k frames. */
static size_t size_of(int k)
{
    crn_recording_layout layout = small_layout();
    size_t size = crn_recording_header_size(sizeof scene - 1, crn_recording_list(&layout, NULL, 0));
    for (int i = 0; i < k; ++i) {
        uint32_t note = notes[i] != NULL ? (uint32_t)strlen(notes[i]) : 0;
        size += (size_t)crn_recording_frame_size(&layout, (crn_recording_extent){(uint32_t)i, note});
    }
    return size;
}

/* --- Tests --- */

static void test_checksum(void **state)
{
    (void)state;
    crn_checksum_table table;
    crn_checksum_prepare(&table);
    /* The check value of CRC-32 in every catalogue of checksums, and that of its pieces. */
    assert_int_equal(crn_checksum(&table, 0, "123456789", 9), 0xCBF43926);
    for (size_t cut = 0; cut <= 9; ++cut) {
        uint32_t first = crn_checksum(&table, 0, "123456789", cut);
        assert_int_equal(crn_checksum(&table, first, &"123456789"[cut], 9 - cut), 0xCBF43926);
    }
    assert_int_equal(crn_checksum(&table, 0, "", 0), 0);
    assert_int_equal(crn_checksum(&table, 0, "The quick brown fox jumps over the lazy dog", 43), 0x414FA339);
}

static void test_round_trip(void **state)
{
    (void)state;
    char path[64];
    const char *why = NULL;
    crn_error error = {CRN_OK, ""};
    crn_recording *recording = NULL;
    assert_int_equal(write_motion(scratch("crn", path), NULL, &error), CRN_OK);
    crn_status status = crn_recording_open(path, NULL, &recording, &error);
    TEST_CHECK(status == CRN_OK, "%s", error.text);
    const crn_recording_header *header = crn_recording_header_of(recording);
    assert_string_equal(header->scene, scene);
    assert_int_equal(header->bodies, BODIES);
    assert_int_equal(header->every, 5);
    assert_true(header->dt == 0.01 && header->is_planar);
    assert_int_equal(crn_recording_frames(recording), FRAMES);
    assert_int_equal(crn_recording_ending_of(recording, &why), CRN_RECORDING_FINISHED);
    assert_string_equal(why, "");
    static const int order[] = {2, 0, 1, 1, 2, 0};
    for (size_t i = 0; i < sizeof order / sizeof order[0]; ++i) {
        expect_frame(recording, order[i]);
    }
    crn_recording_frame frame;
    assert_int_equal(crn_recording_read(recording, FRAMES, &frame, &error), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_recording_read(recording, -1, &frame, &error), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_recording_read(recording, 0, NULL, NULL), CRN_ERR_ARGUMENT);
    crn_recording_close(recording);
    crn_recording_close(NULL);
    (void)remove(path);
}

/* A sink that keeps the bytes, as long as there is room. */
typedef struct bucket {
    unsigned char bytes[1 << 14];
    size_t size, limit;
} bucket;

static bool pour(void *user, const void *bytes, size_t size)
{
    bucket *b = user;
    if (size > b->limit - b->size) {
        return false;
    }
    memcpy(b->bytes + b->size, bytes, size);
    b->size += size;
    return true;
}

/* The small motion into a bucket; the status of the first thing that failed. */
static crn_status pour_motion(bucket *b, crn_error *error)
{
    crn_recorder *recorder = NULL;
    crn_recording_header header = small_header();
    crn_status status = crn_recorder_create_into(pour, b, "bucket", &header, NULL, &recorder, error);
    for (int k = 0; k < FRAMES && status == CRN_OK; ++k) {
        moment m;
        make_moment(&m, k);
        status = crn_recorder_append(recorder, &m.frame, error);
    }
    crn_error closing;
    crn_status closed = crn_recorder_close(recorder, &closing);
    return status != CRN_OK ? status : closed;
}

/* A sink gets the bytes of a file; one that is full at any place ends the recording with whole frames. */
static void test_sink(void **state)
{
    (void)state;
    size_t size = 0;
    unsigned char *bytes = motion_bytes(&size);
    crn_error error = {CRN_OK, ""};
    bucket b = {.limit = sizeof b.bytes};
    assert_int_equal(pour_motion(&b, &error), CRN_OK);
    assert_int_equal(b.size, size);
    assert_memory_equal(b.bytes, bytes, size);
    for (int k = 0; k < FRAMES; ++k) {
        bucket full = {.limit = size_of(k) + 9};
        assert_int_equal(pour_motion(&full, &error), CRN_ERR_IO);
        assert_non_null(strstr(error.text, "bucket: cannot be written"));
        assert_int_equal(full.size, size_of(k));
        assert_memory_equal(full.bytes, bytes, full.size);
    }
    crn_recorder *recorder = NULL;
    crn_recording_header header = small_header();
    assert_int_equal(crn_recorder_create_into(NULL, NULL, NULL, &header, NULL, &recorder, &error), CRN_ERR_ARGUMENT);
    free(bytes);
}

/* Write a frame as versions 1 and 2 had it; returns its size. */
static size_t put_old_frame(const crn_recording_frame *frame, int number, const crn_recording_seal *seal,
                            unsigned char *bytes)
{
    const crn_step_stats *f = &frame->figures;
    const int counts[7] = {f->contacts, f->active,     (int)f->outcome, (int)f->law,
                           f->pivots,   f->iterations, f->is_relaxed};
    crn_recording_layout layout = {.bodies = BODIES};
    crn_recording_old_layout(&layout);
    layout.figure[7] = crn_step_figure_find("seconds"); /* a slot that nobody reads */
    size_t size = (size_t)crn_recording_frame_size(&layout, crn_recording_extent_of(frame));
    crn_recording_put_frame(frame, &layout, (uint64_t)number, seal, bytes);
    for (int i = 0; i < 7; ++i) {
        crn_put_u32(bytes + 32 + 4 * i, (uint32_t)counts[i]);
    }
    crn_recording_put_tail(seal, bytes, size);
    return size;
}

/* Files of versions 1 and 2, which have no list of figures, are read; version 1 has no notes. */
static void test_old_versions(void **state)
{
    (void)state;
    for (uint32_t version = 1; version <= 2; ++version) {
        unsigned char bytes[4096];
        crn_recording_seal seal;
        crn_recording_header header = small_header();
        crn_recording_layout none = {.bodies = BODIES};
        crn_recording_put_header(&header, &none, &seal, bytes);
        crn_put_u32(bytes + 8, version);
        size_t size = crn_recording_header_size(sizeof scene - 1, 0);
        (void)crn_recording_check_header(bytes, (const char *)bytes + 64, size - 64, "", 0, &seal);
        crn_put_u32(bytes + 60, seal.start);
        for (int k = 0; k < (int)version; ++k) {
            moment m;
            make_moment(&m, k);
            size += put_old_frame(&m.frame, k, &seal, bytes + size);
        }
        crn_recording_put_end(version, &seal, bytes + size);
        size += CRN_RECORDING_END_SIZE;

        crn_recording *recording = NULL;
        crn_recording_frame frame;
        crn_error error;
        assert_int_equal(open_bytes(bytes, size, &recording, &error), CRN_OK);
        assert_int_equal(crn_recording_ending_of(recording, NULL), CRN_RECORDING_FINISHED);
        assert_int_equal(crn_recording_header_of(recording)->figures, 14);
        assert_true(crn_recording_has(recording, "relaxed") && !crn_recording_has(recording, "verdict"));
        for (int k = 0; k < (int)version; ++k) {
            expect_frame(recording, k);
            assert_int_equal(crn_recording_read(recording, k, &frame, &error), CRN_OK);
            /* As much of the verdict as the outcome tells. */
            assert_int_equal(frame.figures.verdict, k == 1 ? CRN_VERDICT_PROBLEM : CRN_VERDICT_CERTIFIED);
        }
        crn_recording_close(recording);
    }
}

/* A file of a later build has figures that this one does not know: they are left out. So are those a header does not name. */
static void test_figures_by_name(void **state)
{
    (void)state;
    crn_error error = {CRN_OK, ""};
    crn_recorder *recorder = NULL;
    const crn_step_figure later = {"later.figure", CRN_FIGURE_REAL, false, offsetof(crn_step_stats, amount),
                                   NULL,           CRN_PARTS_LAST};
    const crn_step_figure *some[] = {crn_step_figure_find("verdict"), &later, crn_step_figure_find("ledger.friction")};
    crn_recording_header header = small_header();
    header.figure = some;
    header.figures = 3;
    bucket b = {.limit = sizeof b.bytes};
    moment m;
    make_moment(&m, 0);
    m.frame.figures.verdict = CRN_VERDICT_ENERGY;
    assert_int_equal(crn_recorder_create_into(pour, &b, NULL, &header, NULL, &recorder, &error), CRN_OK);
    assert_int_equal(crn_recorder_append(recorder, &m.frame, &error), CRN_OK);
    assert_int_equal(crn_recorder_close(recorder, &error), CRN_OK);
    crn_recording *recording = NULL;
    crn_recording_frame frame;
    assert_int_equal(open_bytes(b.bytes, b.size, &recording, &error), CRN_OK);
    assert_int_equal(crn_recording_header_of(recording)->figures, 2);
    assert_true(crn_recording_has(recording, "ledger.friction") && !crn_recording_has(recording, "later.figure"));
    assert_false(crn_recording_has(recording, NULL));
    assert_int_equal(crn_recording_read(recording, 0, &frame, &error), CRN_OK);
    assert_int_equal(frame.figures.verdict, CRN_VERDICT_ENERGY);
    assert_true(same_bits(frame.figures.ledger.friction, m.frame.figures.ledger.friction));
    assert_true(frame.figures.amount == 0.0 && frame.figures.pivots == 0);
    crn_recording_close(recording);

    some[1] = NULL;
    assert_int_equal(crn_recorder_create_into(pour, &b, NULL, &header, NULL, &recorder, &error), CRN_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, "figures: NULL, or too many"));
    header.figures = CRN_RECORDING_FIGURES + 1;
    assert_int_equal(crn_recorder_create_into(pour, &b, NULL, &header, NULL, &recorder, &error), CRN_ERR_ARGUMENT);
}

/* The bytes are what recording.h says, on every machine. */
static void test_layout(void **state)
{
    (void)state;
    size_t size = 0;
    unsigned char *bytes = motion_bytes(&size);
    static const unsigned char start[24] = {0x89, 'C', 'R', 'N', '\r', '\n', 0x1A, '\n', 3, 0, 0, 0,
                                            4,    3,   2,   1,   1,    0,    0,    0,    2, 0, 0, 0};
    assert_memory_equal(bytes, start, sizeof start);
    assert_int_equal(size, size_of(FRAMES) + CRN_RECORDING_END_SIZE);
    assert_int_equal(size % 8, 0);
    assert_memory_equal(bytes + 64, scene, sizeof scene);
    assert_memory_equal(bytes + 64 + 24, "verdict certified problem law overlap joints energy momentum\nfailed\n", 68);
    assert_memory_equal(bytes + size_of(0), "FRME", 4);
    assert_memory_equal(bytes + size_of(FRAMES), "ENDS", 4);
    assert_true(crn_get_f64(bytes + size_of(1) + poses_at()) == pose_of(1, 0).position.x);
    assert_int_equal(crn_get_u32(bytes + size_of(1) + 60), 19);
    assert_true(crn_get_f64(bytes + size_of(1) + 64) == (double)CRN_VERDICT_OVERLAP);
    assert_true(crn_get_f64(bytes + size_of(2) + figure_at("ledger.gained")) == figures_of(2).ledger.gained);
    assert_memory_equal(bytes + size_of(2) - 8 - 24, notes[1], 20);
    assert_memory_equal(bytes + size_of(3) - 8 - 8, notes[2], 8);
    free(bytes);
}

/* No body, no contact, no scene, no frame. */
static void test_empty(void **state)
{
    (void)state;
    char path[64];
    crn_error error = {CRN_OK, ""};
    for (int frames = 0; frames < 3; ++frames) {
        crn_recorder *recorder = NULL;
        crn_recording *recording = NULL;
        crn_recording_header header = {.every = 1};
        crn_recording_frame frame = {.figures = {.outcome = CRN_LCP_SOLVED}};
        assert_int_equal(crn_recorder_create(scratch("crn", path), &header, NULL, &recorder, &error), CRN_OK);
        for (int k = 0; k < frames; ++k) {
            assert_int_equal(crn_recorder_append(recorder, &frame, &error), CRN_OK);
        }
        assert_int_equal(crn_recorder_close(recorder, &error), CRN_OK);
        assert_int_equal(crn_recording_open(path, NULL, &recording, &error), CRN_OK);
        assert_int_equal(crn_recording_frames(recording), frames);
        assert_string_equal(crn_recording_header_of(recording)->scene, "");
        assert_int_equal(crn_recording_ending_of(recording, NULL), CRN_RECORDING_FINISHED);
        for (int k = 0; k < frames; ++k) {
            assert_int_equal(crn_recording_read(recording, k, &frame, &error), CRN_OK);
        }
        crn_recording_close(recording);
    }
    (void)remove(path);
}

/* Numbers with names of the writer's own, read back by name and value; a frame may leave them out. */
static void test_measures(void **state)
{
    (void)state;
    char path[64];
    crn_error error = {CRN_OK, ""};
    static const char *const name[] = {"joint.0.0", "probe.1.2"};
    crn_recording_header header = {.every = 1, .measure = name, .measures = 2};
    const double value[] = {-1.25, 1e-300};
    const crn_recording_frame frames[] = {{.figures = {.outcome = CRN_LCP_SOLVED}, .measure = value},
                                          {.figures = {.outcome = CRN_LCP_SOLVED}}};
    crn_recorder *recorder = NULL;
    assert_int_equal(crn_recorder_create(scratch("crn", path), &header, NULL, &recorder, &error), CRN_OK);
    assert_int_equal(crn_recorder_append(recorder, &frames[0], &error), CRN_OK);
    assert_int_equal(crn_recorder_append(recorder, &frames[1], &error), CRN_OK);
    crn_recording_frame wrong = frames[0];
    wrong.measure = (const double[]){0.0, NAN};
    assert_int_equal(crn_recorder_append(recorder, &wrong, &error), CRN_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, "frame 2: measures[1]: not finite"));
    assert_int_equal(crn_recorder_close(recorder, &error), CRN_OK);

    crn_recording *recording = NULL;
    crn_recording_frame frame;
    assert_int_equal(crn_recording_open(path, NULL, &recording, &error), CRN_OK);
    const crn_recording_header *read = crn_recording_header_of(recording);
    assert_int_equal(read->measures, 2);
    assert_string_equal(read->measure[0], name[0]);
    assert_string_equal(read->measure[1], name[1]);
    assert_int_equal(read->figures, crn_step_figure_count());
    assert_int_equal(crn_recording_read(recording, 0, &frame, &error), CRN_OK);
    assert_true(frame.measure[0] == value[0] && frame.measure[1] == value[1]);
    assert_int_equal(crn_recording_read(recording, 1, &frame, &error), CRN_OK);
    assert_true(frame.measure[0] == 0.0 && frame.measure[1] == 0.0);
    crn_recording_close(recording);

    static const char *const bad[] = {"a b", "", "a\n", NULL};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        header.measure = &bad[i];
        header.measures = 1;
        assert_int_equal(crn_recorder_create(path, &header, NULL, &recorder, &error), CRN_ERR_ARGUMENT);
    }
    header.measures = CRN_RECORDING_MEASURES_MAX + 1;
    assert_int_equal(crn_recorder_create(path, &header, NULL, &recorder, &error), CRN_ERR_ARGUMENT);
    (void)remove(path);
}

static void test_cut_off_at_every_byte(void **state)
{
    (void)state;
    size_t size = 0;
    unsigned char *bytes = motion_bytes(&size);
    for (size_t cut = 0; cut < size; ++cut) {
        crn_recording *recording = NULL;
        crn_error error;
        const char *why = NULL;
        crn_status status = open_bytes(bytes, cut, &recording, &error);
        if (cut < size_of(0)) {
            TEST_CHECK(status == CRN_ERR_FORMAT && recording == NULL, "%zu bytes: %s", cut, error.text);
            TEST_CHECK(strstr(error.text, cut == 0 ? "empty" : "cut off within") != NULL, "%zu bytes: %s", cut,
                       error.text);
            continue;
        }
        TEST_CHECK(status == CRN_OK, "%zu bytes: %s", cut, error.text);
        int whole = 0;
        while (whole < FRAMES && size_of(whole + 1) <= cut) {
            ++whole;
        }
        TEST_CHECK(crn_recording_frames(recording) == whole, "%zu bytes: %d frames, expected %d", cut,
                   crn_recording_frames(recording), whole);
        TEST_CHECK(crn_recording_ending_of(recording, &why) == CRN_RECORDING_CUT && why[0] != '\0', "%zu bytes: '%s'",
                   cut, why);
        for (int k = 0; k < whole; ++k) {
            expect_frame(recording, k);
        }
        crn_recording_close(recording);
    }
    free(bytes);
}

/* Whatever bit changes: the file is refused, or the frames before that place are read and the end says why. */
static void test_every_flipped_bit_is_found(void **state)
{
    (void)state;
    size_t size = 0;
    unsigned char *bytes = motion_bytes(&size);
    for (size_t bit = 0; bit < 8 * size; ++bit) {
        crn_recording *recording = NULL;
        crn_error error;
        size_t place = bit / 8;
        bytes[place] ^= (unsigned char)(1U << (bit % 8));
        crn_status status = open_bytes(bytes, size, &recording, &error);
        if (place < size_of(0)) {
            TEST_CHECK(status != CRN_OK && error.text[0] != '\0', "bit %zu: status %d", bit, status);
        } else {
            int before = 0;
            while (before < FRAMES && size_of(before + 1) <= place) {
                ++before;
            }
            const char *why = NULL;
            TEST_CHECK(status == CRN_OK, "bit %zu: %s", bit, error.text);
            TEST_CHECK(crn_recording_ending_of(recording, &why) != CRN_RECORDING_FINISHED, "bit %zu is not seen", bit);
            TEST_CHECK(why[0] != '\0' && crn_recording_frames(recording) == before, "bit %zu: %d frames, %s", bit,
                       crn_recording_frames(recording), why);
            crn_recording_close(recording);
        }
        bytes[place] ^= (unsigned char)(1U << (bit % 8));
    }
    free(bytes);
}

/* A frame left out, doubled or from another recording is found, although its own checksum is right; so are bytes behind
 * the end. */
static void test_frames_in_order(void **state)
{
    (void)state;
    size_t size = 0;
    unsigned char *bytes = motion_bytes(&size), *other = malloc(2 * size);
    size_t first = size_of(1), second = size_of(2);
    crn_recording *recording = NULL;
    crn_error error;
    const char *why = NULL;

    memcpy(other, bytes, first); /* without frame 1 */
    memcpy(other + first, bytes + second, size - second);
    assert_int_equal(open_bytes(other, size - (second - first), &recording, &error), CRN_OK);
    assert_int_equal(crn_recording_frames(recording), 1);
    assert_int_equal(crn_recording_ending_of(recording, &why), CRN_RECORDING_DAMAGED);
    TEST_CHECK(strcmp(why, "frame 1 is damaged: number: not the next one") == 0, "%s", why);
    crn_recording_close(recording);

    memcpy(other, bytes, second); /* frame 1 twice */
    memcpy(other + second, bytes + first, size - first);
    assert_int_equal(open_bytes(other, size + (second - first), &recording, &error), CRN_OK);
    assert_int_equal(crn_recording_frames(recording), 2);
    crn_recording_close(recording);

    memcpy(other, bytes, size); /* another header: dt is 0.02, and its checksum right */
    crn_recording_seal seal;
    crn_recording_header header = small_header();
    header.dt = 0.02;
    crn_recording_layout layout = small_layout();
    crn_recording_put_header(&header, &layout, &seal, other);
    assert_int_equal(open_bytes(other, size, &recording, &error), CRN_OK);
    assert_int_equal(crn_recording_frames(recording), 0);
    assert_int_equal(crn_recording_ending_of(recording, NULL), CRN_RECORDING_DAMAGED);
    crn_recording_close(recording);

    memcpy(other, bytes, size);
    memset(other + size, 0, 8);
    assert_int_equal(open_bytes(other, size + 8, &recording, &error), CRN_OK);
    assert_int_equal(crn_recording_frames(recording), FRAMES);
    assert_int_equal(crn_recording_ending_of(recording, &why), CRN_RECORDING_DAMAGED);
    assert_string_equal(why, "8 bytes follow the end mark");
    crn_recording_close(recording);
    free(other);
    free(bytes);
}

/* Content that no writer would have accepted is refused even if its checksum is right. */
static void test_sealed_nonsense(void **state)
{
    (void)state;
    const size_t poses = poses_at(), contacts = poses + 2 * 56;
    const struct {
        size_t at; /* in frame 1 */
        double value;
        const char *why;
    } cases[] = {
        {24, NAN, "time: not finite"},
        {figure_at("verdict"), 7.0, "figures: verdict: impossible"},
        {figure_at("outcome"), -1.0, "figures: outcome: impossible"},
        {figure_at("law"), 0.5, "figures: law: impossible"},
        {figure_at("failed"), 1e10, "figures: failed: impossible"},
        {figure_at("relaxed"), 2.0, "figures: relaxed: impossible"},
        {figure_at("pivots"), NAN, "figures: pivots: impossible"},
        {poses, INFINITY, "poses[0]: position: not finite"},
        {poses + 56 + 24, 5.0, "poses[1]: rotation: not a unit quaternion"},
        {contacts + 40, 2.0, "contacts[0]: normal: not a unit vector"},
        {contacts + 64, NAN, "contacts[0]: gap: not finite"},
        {contacts + 72, NAN, "contacts[0]: impulse: not finite"},
        {contacts + 96, 0.0, "note: not text"},
    };
    size_t size = 0;
    unsigned char *bytes = motion_bytes(&size), *frame = bytes + size_of(1);
    size_t frame_size = size_of(2) - size_of(1);
    unsigned char *kept = malloc(frame_size);
    memcpy(kept, frame, frame_size);
    crn_recording_seal seal;
    crn_recording_header header = small_header();
    crn_recording_layout layout = small_layout();
    unsigned char ignored[1 << 13];
    crn_recording_put_header(&header, &layout, &seal, ignored);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0] + 2; ++i) {
        const size_t places[] = {contacts, contacts + 8};
        static const char *const reasons[] = {"contacts[0]: there is no such body", "contacts[0]: kind: unknown"};
        size_t k = i - sizeof cases / sizeof cases[0];
        bool is_real = i < sizeof cases / sizeof cases[0];
        memcpy(frame, kept, frame_size);
        if (is_real) {
            crn_put_f64(frame + cases[i].at, cases[i].value);
        } else {
            crn_put_u32(frame + places[k], 77);
        }
        crn_recording_put_tail(&seal, frame, frame_size);
        crn_recording *recording = NULL;
        crn_error error;
        const char *why = NULL;
        assert_int_equal(open_bytes(bytes, size, &recording, &error), CRN_OK);
        assert_int_equal(crn_recording_frames(recording), 1);
        assert_int_equal(crn_recording_ending_of(recording, &why), CRN_RECORDING_DAMAGED);
        TEST_CHECK(strstr(why, is_real ? cases[i].why : reasons[k]) != NULL, "case %zu: %s", i, why);
        crn_recording_close(recording);
    }
    free(kept);
    free(bytes);
}

static void test_not_a_recording(void **state)
{
    (void)state;
    size_t size = 0;
    unsigned char *bytes = motion_bytes(&size);
    crn_recording *recording = NULL;
    crn_error error;

    assert_int_equal(open_bytes((const unsigned char *)"{\"kind\": \"rigid\"}", 17, &recording, &error),
                     CRN_ERR_FORMAT);
    assert_string_equal(error.text, "small.crn: not a recording");

    crn_put_u32(bytes + 8, 4);
    assert_int_equal(open_bytes(bytes, size, &recording, &error), CRN_ERR_UNSUPPORTED);
    assert_string_equal(error.text, "small.crn: a recording of version 4; this library reads versions 1 to 3");
    crn_put_u32(bytes + 8, CRN_RECORDING_VERSION);

    crn_put_u32(bytes + 12, 0x04030201); /* what a big-endian writer would leave */
    assert_int_equal(open_bytes(bytes, size, &recording, &error), CRN_ERR_UNSUPPORTED);
    assert_non_null(strstr(error.text, "big-endian"));
    crn_put_u32(bytes + 12, 0x01020304);

    /* Claims that no file can hold take no memory. */
    crn_put_u64(bytes + 40, UINT64_MAX);
    assert_int_equal(open_bytes(bytes, size, &recording, &error), CRN_ERR_FORMAT);
    crn_put_u64(bytes + 40, INT32_MAX - 8);
    assert_int_equal(open_bytes(bytes, size, &recording, &error), CRN_ERR_FORMAT);
    assert_non_null(strstr(error.text, "cut off within the scene"));
    crn_put_u64(bytes + 40, sizeof scene - 1);
    crn_put_u64(bytes + 48, UINT64_MAX);
    assert_int_equal(open_bytes(bytes, size, &recording, &error), CRN_ERR_FORMAT);
    assert_non_null(strstr(error.text, "figures: too many"));
    crn_recording_header huge = small_header();
    crn_recording_seal seal;
    huge.bodies = INT32_MAX;
    crn_recording_layout layout = small_layout();
    crn_recording_put_header(&huge, &layout, &seal, bytes);
    assert_int_equal(open_bytes(bytes, size, &recording, &error), CRN_OK);
    assert_int_equal(crn_recording_frames(recording), 0);
    assert_int_equal(crn_recording_ending_of(recording, NULL), CRN_RECORDING_CUT);
    crn_recording_close(recording);
    free(bytes);

    assert_int_equal(crn_recording_open("no-such-file.crn", NULL, &recording, &error), CRN_ERR_IO);
    assert_int_equal(crn_recording_open(".", NULL, &recording, &error), CRN_ERR_IO);
    assert_int_equal(crn_recording_open(NULL, NULL, &recording, &error), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_recording_open("x", NULL, NULL, &error), CRN_ERR_ARGUMENT);
}

/* Frames that may not be are refused with the place, and leave no trace. */
static void test_bad_frames(void **state)
{
    (void)state;
    char path[64];
    crn_error error = {CRN_OK, ""};
    crn_recorder *recorder = NULL;
    crn_recording_header header = small_header();
    assert_int_equal(crn_recorder_create(scratch("crn", path), &header, NULL, &recorder, &error), CRN_OK);
    moment m;
    for (int k = 0; k < FRAMES; ++k) {
        for (int wrong = 0; wrong < 9; ++wrong) {
            static const char *const words[] = {"poses[1]: position",
                                                "poses[0]: rotation",
                                                "time",
                                                "step",
                                                "contacts[0]",
                                                "figures",
                                                "contacts: negative",
                                                "NULL",
                                                "NULL"};
            make_moment(&m, k);
            m.frame.contacts = wrong == 6 ? -1 : 1;
            m.pose[1].position.y = wrong == 0 ? NAN : 0.0;
            m.pose[0].rotation.w = wrong == 1 ? 3.0 : m.pose[0].rotation.w;
            m.frame.time = wrong == 2 ? INFINITY : 0.0;
            m.frame.step = wrong == 3 ? -1 : 0;
            m.contact[0].a = wrong == 4 ? BODIES : 0;
            m.frame.figures.pivots = wrong == 5 ? -1 : 0;
            m.frame.pose = wrong == 7 ? NULL : m.pose;
            crn_status status = crn_recorder_append(recorder, wrong == 8 ? NULL : &m.frame, &error);
            TEST_CHECK(status == CRN_ERR_ARGUMENT && strstr(error.text, words[wrong]) != NULL, "case %d: %s", wrong,
                       error.text);
        }
        make_moment(&m, k);
        assert_int_equal(crn_recorder_append(recorder, &m.frame, &error), CRN_OK);
        assert_string_equal(error.text, "");
    }
    assert_int_equal(crn_recorder_close(recorder, &error), CRN_OK);
    crn_recording *recording = NULL;
    assert_int_equal(crn_recording_open(path, NULL, &recording, &error), CRN_OK);
    assert_int_equal(crn_recording_frames(recording), FRAMES);
    for (int k = 0; k < FRAMES; ++k) {
        expect_frame(recording, k);
    }
    crn_recording_close(recording);
    (void)remove(path);
}

static void test_bad_headers(void **state)
{
    (void)state;
    crn_error error = {CRN_OK, ""};
    crn_recorder *recorder = NULL;
    crn_recording_header header = small_header();
    header.every = 0;
    assert_int_equal(crn_recorder_create("never.crn", &header, NULL, &recorder, &error), CRN_ERR_ARGUMENT);
    header = small_header();
    header.bodies = -1;
    assert_int_equal(crn_recorder_create("never.crn", &header, NULL, &recorder, &error), CRN_ERR_ARGUMENT);
    header = small_header();
    header.dt = NAN;
    assert_int_equal(crn_recorder_create("never.crn", &header, NULL, &recorder, &error), CRN_ERR_ARGUMENT);
    header = small_header();
    assert_int_equal(crn_recorder_create(NULL, &header, NULL, &recorder, &error), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_recorder_create("never.crn", NULL, NULL, &recorder, &error), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_recorder_create("no/such/folder.crn", &header, NULL, &recorder, &error), CRN_ERR_IO);
    assert_null(recorder);
    assert_int_equal(access("never.crn", F_OK), -1);
    assert_int_equal(crn_recorder_close(NULL, &error), CRN_OK);
    assert_int_equal(crn_recorder_append(NULL, NULL, &error), CRN_ERR_ARGUMENT);
}

/* A program that is killed between two frames, its recording never closed, leaves every frame it appended in the part file, and
 * the file of the wanted name as it was. */
static void test_killed_program(void **state)
{
    (void)state;
    char path[64], part[80];
    (void)scratch("crn", path);
    (void)snprintf(part, sizeof part, "%s.part", path);
    (void)remove(path);
    (void)remove(part);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        crn_recorder *recorder = NULL;
        crn_recording_header header = small_header();
        if (crn_recorder_create(path, &header, NULL, &recorder, NULL) == CRN_OK) {
            for (int k = 0; k < FRAMES; ++k) {
                moment m;
                make_moment(&m, k);
                (void)crn_recorder_append(recorder, &m.frame, NULL);
            }
        }
        _exit(3); /* no buffer is flushed, no file closed */
    }
    int how = 0;
    assert_int_equal(waitpid(child, &how, 0), child);
    crn_recording *recording = NULL;
    crn_error error = {CRN_OK, ""};
    const char *why = NULL;
    assert_int_equal(crn_recording_open(path, NULL, &recording, &error), CRN_ERR_IO);
    TEST_CHECK(strstr(error.text, ".part has what was written") != NULL, "%s", error.text);
    crn_status status = crn_recording_open(part, NULL, &recording, &error);
    TEST_CHECK(status == CRN_OK, "%s", error.text);
    assert_int_equal(crn_recording_frames(recording), FRAMES);
    assert_int_equal(crn_recording_ending_of(recording, &why), CRN_RECORDING_CUT);
    assert_string_equal(why, "no end mark");
    expect_frame(recording, FRAMES - 1);
    crn_recording_close(recording);
    (void)remove(part);
}

/* A disk without room: the header does not fit, and a device is not removed. */
static void test_full_disk(void **state)
{
    (void)state;
    crn_recorder *recorder = NULL;
    crn_recording_header header = small_header();
    crn_error error = {CRN_OK, ""};
    if (access("/dev/full", W_OK) != 0) {
        skip();
    }
    assert_int_equal(symlink("/dev/full", "test_recording_full.crn"), 0);
    assert_int_equal(crn_recorder_create("test_recording_full.crn", &header, NULL, &recorder, &error), CRN_ERR_IO);
    TEST_CHECK(strstr(error.text, "cannot be written: ") != NULL, "%s", error.text);
    assert_null(recorder);
    (void)remove("test_recording_full.crn");
    assert_int_equal(access("/dev/full", F_OK), 0);
}

static void test_failing_allocations(void **state)
{
    (void)state;
    char path[64], csv[64];
    crn_error error = {CRN_OK, ""};
    crn_status status = CRN_ERR_MEMORY;
    long needed = 0;
    for (long fail_at = 1; status != CRN_OK; ++fail_at) {
        test_allocator counter = {.fail_at = fail_at};
        crn_allocator hooks = test_allocator_hooks(&counter);
        status = write_motion(scratch("crn", path), &hooks, &error);
        TEST_CHECK(status == CRN_OK || status == CRN_ERR_MEMORY, "allocation %ld: %s", fail_at, error.text);
        assert_int_equal(counter.live, 0);
        needed = fail_at;
    }
    assert_true(needed > 3);
    status = CRN_ERR_MEMORY;
    for (long fail_at = 1; status != CRN_OK; ++fail_at) {
        test_allocator counter = {.fail_at = fail_at};
        crn_allocator hooks = test_allocator_hooks(&counter);
        crn_recording *recording = NULL;
        status = crn_recording_open(path, &hooks, &recording, &error);
        TEST_CHECK(status == CRN_OK || (status == CRN_ERR_MEMORY && recording == NULL), "allocation %ld: %s", fail_at,
                   error.text);
        if (status == CRN_OK) {
            long calls = counter.calls;
            for (int k = 0; k < FRAMES; ++k) {
                expect_frame(recording, k);
            }
            assert_int_equal(crn_recording_write_csv(recording, scratch("csv", csv), NULL, &error), CRN_OK);
            assert_int_equal(counter.calls, calls); /* the room of the largest frame is there */
            crn_recording_close(recording);
        }
        assert_int_equal(counter.live, 0);
    }
    (void)remove(path);
    (void)remove(csv);
}

/* Heading and rows; the numbers read back to the same bits. */
static void test_csv(void **state)
{
    (void)state;
    char path[64], csv[64], line[8192];
    crn_error error = {CRN_OK, ""};
    crn_recording *recording = NULL;
    static const char *const names[BODIES] = {"a \"b\", c", NULL};
    assert_int_equal(write_motion(scratch("crn", path), NULL, &error), CRN_OK);
    assert_int_equal(crn_recording_open(path, NULL, &recording, &error), CRN_OK);
    crn_status status = crn_recording_write_csv(recording, scratch("csv", csv), names, &error);
    TEST_CHECK(status == CRN_OK, "%s", error.text);
    FILE *file = fopen(csv, "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    assert_non_null(strstr(line, "step,time,verdict,failed,amount,allowed,bodies,contacts,active,"));
    assert_non_null(strstr(line, ",part_time,\"a \"\"b\"\", c.x\",\"a \"\"b\"\", c.y\""));
    assert_non_null(strstr(line, ",body1.x,body1.y,body1.z,body1.qw,body1.qx,body1.qy,body1.qz\n"));
    for (int k = 0; k < FRAMES; ++k) {
        assert_non_null(fgets(line, sizeof line, file));
        long long step = -1;
        double time = -1.0;
        char verdict[16] = "";
        double amount = -1.0;
        assert_int_equal(sscanf(line, "%lld,%lf,%15[a-z],%*u,%lf,", &step, &time, verdict, &amount), 4);
        assert_int_equal(step, 5 * k);
        assert_true(time == 0.05 * k);
        assert_string_equal(verdict, k == 1 ? "overlap" : k == 2 ? "law" : "certified");
        assert_true(same_bits(amount, figures_of(k).amount));
        assert_non_null(strstr(line, k == 1   ? ",limit,coulomb,bodies,inf,"
                                     : k == 2 ? ",solved,convex,"
                                              : ",solved,coulomb,"));
        double last[2] = {0.0, 0.0};
        const char *end = strrchr(line, ',');
        assert_int_equal(sscanf(end, ",%lf", &last[0]), 1);
        assert_true(same_bits(last[0], pose_of(k, 1).rotation.z));
        int commas = 0;
        for (const char *c = line; *c != '\0'; ++c) {
            commas += *c == ',';
        }
        assert_int_equal(commas, 1 + crn_step_figure_count() + 7 * BODIES);
    }
    assert_null(fgets(line, sizeof line, file));
    fclose(file);
    assert_int_equal(crn_recording_write_csv(recording, "no/such/folder.csv", names, &error), CRN_ERR_IO);
    assert_int_equal(crn_recording_write_csv(recording, NULL, names, &error), CRN_ERR_ARGUMENT);

    /* A file that changes under the reader: told, and no half of a CSV is left. */
    (void)remove(csv);
    file = fopen(path, "r+b");
    assert_int_equal(fseek(file, (long)size_of(1) + 130, SEEK_SET), 0);
    fputc(0x55, file);
    fclose(file);
    assert_int_equal(crn_recording_write_csv(recording, csv, names, &error), CRN_ERR_FORMAT);
    TEST_CHECK(strstr(error.text, "frame 1 has changed") != NULL, "%s", error.text);
    assert_int_equal(access(csv, F_OK), -1);
    crn_recording_close(recording);
    (void)remove(path);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_checksum),
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_sink),
        cmocka_unit_test(test_old_versions),
        cmocka_unit_test(test_figures_by_name),
        cmocka_unit_test(test_layout),
        cmocka_unit_test(test_measures),
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_cut_off_at_every_byte),
        cmocka_unit_test(test_every_flipped_bit_is_found),
        cmocka_unit_test(test_frames_in_order),
        cmocka_unit_test(test_sealed_nonsense),
        cmocka_unit_test(test_not_a_recording),
        cmocka_unit_test(test_bad_frames),
        cmocka_unit_test(test_bad_headers),
        cmocka_unit_test(test_killed_program),
        cmocka_unit_test(test_full_disk),
        cmocka_unit_test(test_failing_allocations),
        cmocka_unit_test(test_csv),
    };
    return TEST_RUN(tests, argc, argv);
}
