/* Frames of a recording as bytes, and which frames there may be; recording.h has the layout. */
#include "io/recording.h"

#include "text/bytes.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* The letters FRME and ENDS. */
#define MARK_FRAME UINT32_C(0x454D5246)
#define MARK_END   UINT32_C(0x53444E45)

/* A rotation or normal whose squared length is further from 1 than this would show as a stretched shape. Rounding of any
 * writer stays far below. */
static const double unit_slack = 1e-6;

/* Where the length of the note stands in the head. */
enum { NOTE_AT = CRN_RECORDING_EXTENT_SIZE - 4 };

uint64_t crn_recording_filled(uint64_t size)
{
    return (size + 7) & ~(uint64_t)7;
}

/* Of a frame, before the poses. */
static size_t head_size(const crn_recording_layout *layout)
{
    return CRN_RECORDING_EXTENT_SIZE + (size_t)layout->slots * CRN_RECORDING_FIGURE_SIZE;
}

uint64_t crn_recording_frame_size(const crn_recording_layout *layout, crn_recording_extent extent)
{
    return head_size(layout) + (uint64_t)layout->bodies * CRN_RECORDING_POSE_SIZE +
           (uint64_t)extent.contacts * CRN_RECORDING_CONTACT_SIZE + crn_recording_filled(extent.note) +
           CRN_RECORDING_TAIL_SIZE;
}

crn_recording_extent crn_recording_extent_of(const crn_recording_frame *frame)
{
    return (crn_recording_extent){(uint32_t)frame->contacts, frame->note != NULL ? (uint32_t)strlen(frame->note) : 0};
}

crn_recording_extent crn_recording_get_extent(const unsigned char *bytes)
{
    return (crn_recording_extent){crn_get_u32(bytes + 4), crn_get_u32(bytes + NOTE_AT)};
}

crn_recording_part crn_recording_part_of(const unsigned char *bytes)
{
    uint32_t mark = crn_get_u32(bytes);
    return mark == MARK_FRAME ? CRN_RECORDING_FRAME : mark == MARK_END ? CRN_RECORDING_END : CRN_RECORDING_UNKNOWN;
}

/* --- What may be in a frame --- */

static bool is_finite(crn_vec3 v)
{
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

static bool is_unit(double squared)
{
    return fabs(squared - 1.0) <= unit_slack; /* false for NaN */
}

/* The field that is wrong, or NULL. */
static const char *pose_fault(const crn_pose *pose)
{
    const crn_quat *q = &pose->rotation;
    bool has_rotation = is_unit(q->w * q->w + q->x * q->x + q->y * q->y + q->z * q->z);
    return !is_finite(pose->position) ? "position: not finite"
           : !has_rotation            ? "rotation: not a unit quaternion"
                                      : NULL;
}

static const char *contact_fault(const crn_recording_contact *c, int bodies)
{
    const crn_vec3 *n = &c->normal;
    return c->a < -1 || c->a >= bodies || c->b < -1 || c->b >= bodies ? "there is no such body"
           : c->kind < CRN_CONTACT_OFF || c->kind > CRN_CONTACT_STICK ? "kind: unknown"
           : !is_finite(c->point)                                     ? "point: not finite"
           : !is_unit(n->x * n->x + n->y * n->y + n->z * n->z)        ? "normal: not a unit vector"
           : !isfinite(c->gap)                                        ? "gap: not finite"
           : !is_finite(c->impulse)                                   ? "impulse: not finite"
                                                                      : NULL;
}

/* Write "list[i].fault" or "fault"; false if there is one. */
static bool tell(const char *fault, const char *list, int i, char what[CRN_RECORDING_WHAT])
{
    if (fault == NULL) {
        return true;
    }
    if (i >= 0) {
        (void)snprintf(what, CRN_RECORDING_WHAT, "%s[%d]: %s", list, i, fault);
    } else {
        (void)snprintf(what, CRN_RECORDING_WHAT, "%s: %s", list, fault);
    }
    return false;
}

/* name: of the figure that is wrong, or NULL. */
static bool tell_figure(const char *name, char what[CRN_RECORDING_WHAT])
{
    if (name != NULL) {
        (void)snprintf(what, CRN_RECORDING_WHAT, "figures: %s: impossible", name);
    }
    return name == NULL;
}

bool crn_recording_frame_is_good(const crn_recording_frame *frame, const crn_recording_layout *layout,
                                 char what[CRN_RECORDING_WHAT])
{
    int bodies = layout->bodies;
    if (frame->step < 0 || !isfinite(frame->time)) {
        return tell(frame->step < 0 ? "negative" : "not finite", frame->step < 0 ? "step" : "time", -1, what);
    }
    bool is_good = tell_figure(crn_recording_figures_fault(&frame->figures), what);
    for (int i = 0; i < bodies && is_good; ++i) {
        is_good = tell(pose_fault(&frame->pose[i]), "poses", i, what);
    }
    for (int i = 0; i < frame->contacts && is_good; ++i) {
        is_good = tell(contact_fault(&frame->contact[i], bodies), "contacts", i, what);
    }
    for (int i = 0; i < layout->measures && is_good && frame->measure != NULL; ++i) {
        is_good = tell(isfinite(frame->measure[i]) ? NULL : "not finite", "measures", i, what);
    }
    return is_good;
}

/* --- Writing --- */

static void put_vec3(unsigned char *at, crn_vec3 v)
{
    crn_put_f64(at, v.x);
    crn_put_f64(at + 8, v.y);
    crn_put_f64(at + 16, v.z);
}

static void put_head(unsigned char *at, const crn_recording_frame *frame, uint64_t number)
{
    memset(at, 0, CRN_RECORDING_EXTENT_SIZE);
    crn_put_u32(at, MARK_FRAME);
    crn_put_u32(at + 4, (uint32_t)frame->contacts);
    crn_put_u64(at + 8, number);
    crn_put_u64(at + 16, (uint64_t)frame->step);
    crn_put_f64(at + 24, frame->time);
    crn_put_u32(at + NOTE_AT, crn_recording_extent_of(frame).note);
}

static void put_pose(unsigned char *at, const crn_pose *pose)
{
    put_vec3(at, pose->position);
    crn_put_f64(at + 24, pose->rotation.w);
    crn_put_f64(at + 32, pose->rotation.x);
    crn_put_f64(at + 40, pose->rotation.y);
    crn_put_f64(at + 48, pose->rotation.z);
}

static void put_contact(unsigned char *at, const crn_recording_contact *c)
{
    crn_put_u32(at, (uint32_t)c->a);
    crn_put_u32(at + 4, (uint32_t)c->b);
    crn_put_u32(at + 8, (uint32_t)c->kind);
    crn_put_u32(at + 12, 0);
    put_vec3(at + 16, c->point);
    put_vec3(at + 40, c->normal);
    crn_put_f64(at + 64, c->gap);
    put_vec3(at + 72, c->impulse);
}

void crn_recording_put_tail(const crn_recording_seal *seal, unsigned char *bytes, size_t size)
{
    unsigned char *tail = bytes + size - CRN_RECORDING_TAIL_SIZE;
    crn_put_u32(tail, crn_checksum(&seal->table, seal->start, bytes, size - CRN_RECORDING_TAIL_SIZE));
    crn_put_u32(tail + 4, 0);
}

void crn_recording_put_frame(const crn_recording_frame *frame, const crn_recording_layout *layout, uint64_t number,
                             const crn_recording_seal *seal, unsigned char *bytes)
{
    unsigned char *at = bytes + head_size(layout);
    put_head(bytes, frame, number);
    crn_recording_put_figures(layout, &frame->figures, frame->measure, bytes);
    for (int i = 0; i < layout->bodies; ++i, at += CRN_RECORDING_POSE_SIZE) {
        put_pose(at, &frame->pose[i]);
    }
    for (int i = 0; i < frame->contacts; ++i, at += CRN_RECORDING_CONTACT_SIZE) {
        put_contact(at, &frame->contact[i]);
    }
    size_t note = crn_recording_extent_of(frame).note, filled = (size_t)crn_recording_filled(note);
    if (note > 0) {
        memset(at, 0, filled);
        memcpy(at, frame->note, note);
    }
    crn_recording_put_tail(seal, bytes, (size_t)(at - bytes) + filled + CRN_RECORDING_TAIL_SIZE);
}

void crn_recording_put_end(uint64_t frames, const crn_recording_seal *seal, unsigned char *bytes)
{
    crn_put_u32(bytes, MARK_END);
    crn_put_u32(bytes + 4, 0);
    crn_put_u64(bytes + 8, frames);
    crn_recording_put_tail(seal, bytes, CRN_RECORDING_END_SIZE);
}

/* --- Reading --- */

static crn_vec3 get_vec3(const unsigned char *at)
{
    return (crn_vec3){crn_get_f64(at), crn_get_f64(at + 8), crn_get_f64(at + 16)};
}

static crn_pose get_pose(const unsigned char *at)
{
    return (crn_pose){get_vec3(at),
                      {crn_get_f64(at + 24), crn_get_f64(at + 32), crn_get_f64(at + 40), crn_get_f64(at + 48)}};
}

static crn_recording_contact get_contact(const unsigned char *at)
{
    return (crn_recording_contact){.a = crn_get_i32(at),
                                   .b = crn_get_i32(at + 4),
                                   .kind = crn_get_i32(at + 8),
                                   .point = get_vec3(at + 16),
                                   .normal = get_vec3(at + 40),
                                   .gap = crn_get_f64(at + 64),
                                   .impulse = get_vec3(at + 72)};
}

/* Do the last bytes hold the checksum of those before them? */
static bool tail_is_good(const unsigned char *bytes, size_t size, const crn_recording_seal *seal)
{
    const unsigned char *tail = bytes + size - CRN_RECORDING_TAIL_SIZE;
    uint32_t sum = crn_checksum(&seal->table, seal->start, bytes, size - CRN_RECORDING_TAIL_SIZE);
    return crn_get_u32(tail) == sum && crn_get_u32(tail + 4) == 0;
}

bool crn_recording_end_is_good(const unsigned char *bytes, uint64_t frames, const crn_recording_seal *seal)
{
    return tail_is_good(bytes, CRN_RECORDING_END_SIZE, seal) && crn_get_u64(bytes + 8) == frames;
}

/* The text behind the contacts. The checksum has been looked at, so that its place may end a text that fills its own. */
static const char *get_note(unsigned char *at, uint32_t size)
{
    at[size] = '\0';
    return size > 0 ? (const char *)at : NULL;
}

bool crn_recording_get_frame(unsigned char *bytes, size_t size, const crn_recording_layout *layout, uint64_t number,
                             const crn_recording_seal *seal, crn_recording_room room, crn_recording_frame *frame,
                             char what[CRN_RECORDING_WHAT])
{
    unsigned char *at = bytes + head_size(layout);
    if (!tail_is_good(bytes, size, seal)) {
        return tell("wrong", "checksum", -1, what);
    }
    if (crn_get_u64(bytes + 8) != number) {
        return tell("not the next one", "number", -1, what);
    }
    *frame = (crn_recording_frame){.step = (int64_t)crn_get_u64(bytes + 16),
                                   .time = crn_get_f64(bytes + 24),
                                   .pose = room.pose,
                                   .contact = room.contact,
                                   .contacts = crn_get_i32(bytes + 4),
                                   .measure = layout->measures > 0 ? room.measure : NULL};
    if (!tell_figure(crn_recording_get_figures(layout, bytes, &frame->figures, room.measure), what)) {
        return false;
    }
    for (int i = 0; i < layout->bodies; ++i, at += CRN_RECORDING_POSE_SIZE) {
        room.pose[i] = get_pose(at);
    }
    for (int i = 0; i < frame->contacts; ++i, at += CRN_RECORDING_CONTACT_SIZE) {
        room.contact[i] = get_contact(at);
    }
    uint32_t note = crn_recording_get_extent(bytes).note;
    frame->note = get_note(at, note);
    if (note > 0 && strlen(frame->note) != note) {
        return tell("not text", "note", -1, what);
    }
    return crn_recording_frame_is_good(frame, layout, what);
}
