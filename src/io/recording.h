/* The bytes of a recording. All numbers are little-endian, whatever the machine, and every part begins at a multiple of 8
 * bytes, so that a program may look at the doubles in place.
 *
 *     header     64 bytes: magic 8, version u32, byte order mark u32, flags u32, bodies u32, dt f64, every u32, 0 u32,
 *                scene bytes u64, list bytes u64, 0 u32, checksum u32 (of the 60 bytes before it, scene and list with zeros)
 *                scene: JSON text, filled up with zeros to a multiple of 8
 *                list: a line for each figure of a frame, filled up in the same way: its name, then the names of its values
 *                if they have some: "verdict certified problem law overlap joints energy momentum". What else is measured
 *                has a line too: "measure." and its name
 *     frame      64 bytes: mark u32, contacts u32, number u64 (0, 1, ... in the file), step i64, time f64, 28 bytes 0,
 *                bytes of the note u32
 *                8 bytes a figure, in the order of the list: f64, whatever its kind
 *                56 bytes a body: position x, y, z, rotation w, x, y, z
 *                96 bytes a contact: a, b, kind, 0 (i32), point, normal, gap, impulse (10 f64)
 *                note: JSON text, filled up with zeros to a multiple of 8
 *                checksum u32, 0 u32
 *     end        24 bytes: mark u32, 0 u32, frames u64, checksum u32, 0 u32
 *
 * A figure that this build does not know is left out when it is read. Versions 1 (without notes) and 2 have no list: the 28
 * bytes are 7 i32 (contacts, active, outcome, law, pivots, iterations, relaxed), and 8 f64 follow (certificate, penetration,
 * penetration_mean, joint_error, kinetic, potential, seconds, 0).
 *
 * The checksums of frames and end continue that of the header, so that bytes of another recording are never taken for
 * this one's. */
#ifndef CAIRN_IO_RECORDING_H
#define CAIRN_IO_RECORDING_H

#include "io/checksum.h"
#include "io/io_room.h"

#include <stdio.h>

enum {
    CRN_RECORDING_VERSION = 3,
    CRN_RECORDING_OLDEST = 1, /* version that can be read */
    CRN_RECORDING_LISTED = 3, /* the first version with a list of figures */
    CRN_RECORDING_HEADER_SIZE = 64,
    CRN_RECORDING_FIGURE_SIZE = 8,
    CRN_RECORDING_POSE_SIZE = 56,
    CRN_RECORDING_CONTACT_SIZE = 96,
    CRN_RECORDING_TAIL_SIZE = 8, /* of a frame and of the end */
    CRN_RECORDING_END_SIZE = 24,
    CRN_RECORDING_MARK_SIZE = 8,      /* of a frame or of the end: mark and a count */
    CRN_RECORDING_EXTENT_SIZE = 64,   /* of a frame's head, before the figures: tells how long the frame is */
    CRN_RECORDING_FIGURES = 1024,     /* more are not taken, measures included; there are about 70 without them */
    CRN_RECORDING_LIST_SIZE = 1 << 17 /* bytes of a list of figures at most */
};

/** What the next bytes are. */
typedef enum crn_recording_part { CRN_RECORDING_FRAME, CRN_RECORDING_END, CRN_RECORDING_UNKNOWN } crn_recording_part;

/** Room for a sentence on what is wrong with a frame. */
enum { CRN_RECORDING_WHAT = 96 };

/** Checksums within one recording. */
typedef struct crn_recording_seal {
    crn_checksum_table table;
    uint32_t start; /* the header's, which those of frames continue */
} crn_recording_seal;

/** What all frames of a recording have in common. */
typedef struct crn_recording_layout {
    int bodies;
    int slots;                                            /* f64 of figures and measures in a frame */
    const crn_step_figure *figure[CRN_RECORDING_FIGURES]; /* of each slot; NULL: a measure, or not known */
    const char *measure[CRN_RECORDING_FIGURES];           /* name of each slot that is a measure; else NULL */
    int measures;                                         /* how many slots are */
    bool is_old;                                          /* version 1 or 2: counts stand before the slots */
} crn_recording_layout;

/* --- Header --- */

/** A header without its texts: what its first CRN_RECORDING_HEADER_SIZE bytes say. */
typedef struct crn_recording_start {
    crn_recording_header header; /* scene and figures are left to the caller */
    uint32_t version;
    uint64_t scene_size, list_size; /* bytes of the texts that follow, each filled up with zeros */
} crn_recording_start;

/** Bytes of a header with its texts. */
size_t crn_recording_header_size(size_t scene_size, size_t list_size);

/** The figures that a header asks for; false if they are too many or one is NULL. */
bool crn_recording_layout_of(const crn_recording_header *header, crn_recording_layout *layout);

/** Are there no more measures than may be, each with a name? */
bool crn_recording_measures_are_good(const crn_recording_header *header);

/** The list of figures as text, as far as there is room (list NULL: none); returns its length. */
size_t crn_recording_list(const crn_recording_layout *layout, char *list, size_t room);

/** Find the figures of a list; those that are not known are NULL. False if there are too many. Names of measures lead into the
 *  list, each ended there by '\0'. */
bool crn_recording_read_list(char *list, crn_recording_layout *layout);

/** What files without a list have. */
void crn_recording_old_layout(crn_recording_layout *layout);

/** Figures that frames of this layout hold and that are known, at most CRN_RECORDING_FIGURES; returns how many. */
int crn_recording_known(const crn_recording_layout *layout, const crn_step_figure **figure);

/** Write header, scene and list to bytes; prepares the seal. */
void crn_recording_put_header(const crn_recording_header *header, const crn_recording_layout *layout,
                              crn_recording_seal *seal, unsigned char *bytes);

/** Read the first CRN_RECORDING_HEADER_SIZE bytes, or size if there are fewer; name: of the file. */
crn_status crn_recording_get_header(const unsigned char *bytes, size_t size, const char *name,
                                    crn_recording_start *start, crn_error *error);

/** Is the checksum that of header, scene and list? Prepares the seal. Sizes are with their zeros. */
bool crn_recording_check_header(const unsigned char *bytes, const char *scene, size_t scene_size, const char *list,
                                size_t list_size, crn_recording_seal *seal);

/* --- Frames --- */

/** What makes frames of one recording differ in length. */
typedef struct crn_recording_extent {
    uint32_t contacts;
    uint32_t note; /* bytes of its text */
} crn_recording_extent;

/** Bytes of a frame. */
uint64_t crn_recording_frame_size(const crn_recording_layout *layout, crn_recording_extent extent);

/** What the next CRN_RECORDING_MARK_SIZE bytes begin. */
crn_recording_part crn_recording_part_of(const unsigned char *bytes);

/** The extent of a frame: of one that is to be written, and of the first CRN_RECORDING_EXTENT_SIZE bytes of one. */
crn_recording_extent crn_recording_extent_of(const crn_recording_frame *frame);
crn_recording_extent crn_recording_get_extent(const unsigned char *bytes);

/** size filled up to a multiple of 8. */
uint64_t crn_recording_filled(uint64_t size);

/** May this frame be in a recording of that layout? If not, what says why: "poses[3]: not finite". */
bool crn_recording_frame_is_good(const crn_recording_frame *frame, const crn_recording_layout *layout,
                                 char what[CRN_RECORDING_WHAT]);

/** Name of the figure that has a value which it cannot have; NULL: none has. */
const char *crn_recording_figures_fault(const crn_step_stats *figures);

/** Figures and measures (NULL: all 0) to and from the bytes of a frame; getting them returns the name of the first figure with an
 *  impossible value, or NULL. */
void crn_recording_put_figures(const crn_recording_layout *layout, const crn_step_stats *figures, const double *measure,
                               unsigned char *bytes);
const char *crn_recording_get_figures(const crn_recording_layout *layout, const unsigned char *bytes,
                                      crn_step_stats *figures, double *measure);

/** Write a good frame to bytes. */
void crn_recording_put_frame(const crn_recording_frame *frame, const crn_recording_layout *layout, uint64_t number,
                             const crn_recording_seal *seal, unsigned char *bytes);

/** Where the parts of a frame that is read go. */
typedef struct crn_recording_room {
    crn_pose *pose;
    crn_recording_contact *contact;
    double *measure;
} crn_recording_room;

/** Read a frame of size bytes, as its extent says; its parts go to the room given, which frame points to, as it
 *  does to the note in bytes, which the call ends with '\0'. False, with a reason, if the bytes are not what was written. */
bool crn_recording_get_frame(unsigned char *bytes, size_t size, const crn_recording_layout *layout, uint64_t number,
                             const crn_recording_seal *seal, crn_recording_room room, crn_recording_frame *frame,
                             char what[CRN_RECORDING_WHAT]);

/** Write and check the end mark of a recording of so many frames. */
void crn_recording_put_end(uint64_t frames, const crn_recording_seal *seal, unsigned char *bytes);
bool crn_recording_end_is_good(const unsigned char *bytes, uint64_t frames, const crn_recording_seal *seal);

/** Put the right checksum below the last CRN_RECORDING_TAIL_SIZE of size bytes of a frame or end. */
void crn_recording_put_tail(const crn_recording_seal *seal, unsigned char *bytes, size_t size);

/* --- For tests and the fuzz target --- */

/** As crn_recording_open(), from an open file, which the recording closes; on failure too. name: what messages call it. */
crn_status crn_recording_open_file(FILE *file, const char *name, const crn_allocator *allocator,
                                   crn_recording **recording, crn_error *error);

#endif
