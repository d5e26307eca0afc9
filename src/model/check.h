/* Checking definitions: a list of statements, of which the first that fails leaves its message.
 *
 * Messages name a field as scene files do: "bodies[3].shapes[0].radius: must be > 0, but is -1". */
#ifndef CRN_MODEL_CHECK_H
#define CRN_MODEL_CHECK_H

#include "model/model_room.h"

/* How far a quaternion or axis may be from unit, and a rotation of a planar world from one about z, before it counts as a
 * mistake: seven printed digits are near enough. What passes is made exact when the model copies it. */
#define CRN_UNIT_TOLERANCE 1e-6

/* How far an inertia may be from symmetric, relative to its largest entry: nine printed digits. */
#define CRN_SYMMETRY_TOLERANCE 1e-8

/* By how much of the trace one principal moment may be larger than the sum of the two others: two printed digits, as files of
 * robots have them. What is beyond is a mistake (moments swapped, or of the wrong point), and motion by it would be that of
 * nothing. */
#define CRN_INERTIA_SLACK 1e-2

typedef struct crn_check {
    const char *where; /* begins each message; "": nothing */
    bool is_planar;
    crn_status status; /* CRN_OK until something fails */
    crn_error *error;
} crn_check;

/* A check of a definition that may be NULL. */
crn_check crn_check_begin(const void *def, const char *where, bool is_planar, crn_error *error);

/* Was the definition made by the function of this name? Without it fields that are new, or not thought of, would be 0. */
void crn_check_made(crn_check *check, uint32_t cookie, const char *maker);

/* Longest name of a part, "bodies[3].shapes[0]". */
enum { CRN_CHECK_WHERE = 128 };

/* "where.list[index]" into name; index < 0: "where.list". The part's status begins as the whole's. */
crn_check crn_check_part(const crn_check *whole, const char *list, int index, char name[CRN_CHECK_WHERE]);

/* Fail, unless something failed before. */
void crn_check_fail(crn_check *check, const char *field, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

void crn_check_finite(crn_check *check, const char *field, double value);
void crn_check_positive(crn_check *check, const char *field, double value);
void crn_check_not_negative(crn_check *check, const char *field, double value);
void crn_check_not_negative_or_infinite(crn_check *check, const char *field, double value);

void crn_check_vector(crn_check *check, const char *field, crn_vec3 value);

/* A vector that lies in the plane z = 0, or along z, if the world is planar. */
void crn_check_in_plane(crn_check *check, const char *field, crn_vec3 value);
void crn_check_along_z(crn_check *check, const char *field, crn_vec3 value);

void crn_check_unit(crn_check *check, const char *field, crn_vec3 value);

/* Unit; about z if is_about_z. */
void crn_check_rotation(crn_check *check, const char *field, crn_quat value, bool is_about_z);

/* Position in the plane, rotation about z, if the world is planar. */
void crn_check_pose(crn_check *check, const crn_pose *pose);

void crn_check_profile(crn_check *check, const char *field, const crn_profile *profile);

/* A name that may be NULL: not empty, UTF-8. */
void crn_check_name(crn_check *check, const char *field, const char *name);

/* A shape on a body of this kind (check_shape.c). */
void crn_check_shape(crn_check *check, const crn_body_shape *shape, bool is_free);

/* What a key may name. */
typedef struct crn_key_owner {
    const crn_body_def *body;
    const crn_joint_def *joint;
    int bodies, joints, actuators;
    bool is_planar;
} crn_key_owner;

/* A key of a model (check_key.c). */
crn_status crn_key_def_check(const crn_key_owner *owner, const crn_key_def *def, const char *where, crn_error *error);

/* Is the profile 0 at all times? */
bool crn_profile_is_zero(const crn_profile *profile);

/* Does a solid of this kind have mass? Planes and height fields have none. */
bool crn_shape_kind_has_mass(crn_shape_kind kind);

#endif
