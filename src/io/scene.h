/* Scene files: tables of their fields, and the parts of reader and writer.
 *
 *   scene_fields.c  which fields each object has: the one source for reader, writer, schema and guide
 *   scene_value.c   reading fields of simple types by these tables; names, profiles, poses
 *   scene_body.c    materials, bodies and shapes
 *   scene_mesh.c    meshes, in the scene or in a file of their own
 *   scene_joint.c   joints
 *   scene_robot.c   robots from files of their own
 *   scene_key.c     keys
 *   scene_read.c    the whole file, solver, loads, what to measure
 *   scene_out.c     a text that grows, and writing fields by the tables
 *   scene_write.c   the whole file
 */
#ifndef CAIRN_IO_SCENE_H
#define CAIRN_IO_SCENE_H

#include <cairn/model.h>

#include "io/json.h"

/* --- Fields (scene_fields.c) --- */

/** How a field is read and written. */
typedef enum crn_scene_type {
    CRN_SCENE_OTHER = 0, /* by a function of its own */
    CRN_SCENE_REMARK,    /* a string that means nothing */
    CRN_SCENE_REAL,
    CRN_SCENE_EXTENDED, /* a number, "inf" or "-inf" */
    CRN_SCENE_INT,
    CRN_SCENE_BITS, /* uint32_t */
    CRN_SCENE_BOOL,
    CRN_SCENE_NOT, /* bool, the other way round */
    CRN_SCENE_STRING,
    CRN_SCENE_VECTOR, /* 3 numbers; 2 in planar scenes */
    CRN_SCENE_SPIN,   /* 3 numbers; 1 in planar scenes, about z */
    CRN_SCENE_AXIS,   /* 3 numbers always */
    CRN_SCENE_PROFILE,
    CRN_SCENE_NAME /* an enumeration, of the size of int */
} crn_scene_type;

typedef struct crn_scene_field {
    const char *key;
    crn_scene_type type;
    size_t offset;               /* in the definition that the object describes */
    const char *(*name)(int at); /* of an enumeration's values; NULL behind the last */
} crn_scene_field;

typedef enum crn_scene_part {
    CRN_SCENE_FILE = 0,    /* crn_world_def */
    CRN_SCENE_SOLVER,      /* crn_world_def */
    CRN_SCENE_MATERIAL,    /* crn_body_shape */
    CRN_SCENE_BODY,        /* crn_body_def */
    CRN_SCENE_SHAPE,       /* crn_body_shape */
    CRN_SCENE_MOTION,      /* crn_motion */
    CRN_SCENE_WAVE,        /* crn_profile */
    CRN_SCENE_JOINT,       /* crn_joint_def */
    CRN_SCENE_FRAME,       /* crn_pose */
    CRN_SCENE_COORDINATE,  /* crn_joint_axis */
    CRN_SCENE_MOTOR,       /* crn_joint_axis */
    CRN_SCENE_SPRING,      /* crn_joint_axis */
    CRN_SCENE_FOLLOWS,     /* crn_joint_axis */
    CRN_SCENE_SITE,        /* crn_site_def */
    CRN_SCENE_TENDON,      /* crn_tendon_def */
    CRN_SCENE_TENDON_PART, /* crn_tendon_part */
    CRN_SCENE_ACTUATOR,    /* crn_actuator_def */
    CRN_SCENE_KEY,         /* crn_key_def */
    CRN_SCENE_STATE,       /* crn_key_state */
    CRN_SCENE_PAIR,        /* crn_pair_def */
    CRN_SCENE_LOAD,        /* crn_load_def */
    CRN_SCENE_PROBE,       /* crn_probe_def */
    CRN_SCENE_ROBOT,       /* crn_robot_options */
    CRN_SCENE_SURFACE,     /* crn_body_shape: what a body may say for all its shapes; no object of its own */
    CRN_SCENE_PARTS
} crn_scene_part;

/** Most fields of an object. */
enum { CRN_SCENE_FIELDS_MAX = 32 };

typedef struct crn_scene_object {
    const char *name; /* in the schema's $defs; "scene": the schema itself; NULL: none */
    const crn_scene_field *field;
    int fields;
} crn_scene_object;

const crn_scene_object *crn_scene_object_of(crn_scene_part part);

/* --- Reading --- */

/** How far an axis may be from unit: six printed digits are near enough. What is longer or shorter is a mistake. */
#define CRN_SCENE_UNIT_TOLERANCE 1e-6

typedef struct crn_scene_reader {
    const crn_io_source *source;
    crn_allocator allocator;
    crn_model *model;
    crn_json_place root;
    bool is_planar;
    int first_joint;     /* of the file's own: place in the model of joints[0] */
    int first_site;      /* the same of sites[0], ... */
    int first_tendon;    /* ... of tendons[0], ... */
    int first_actuator;  /* ... of actuators[0], ... */
    int first_key;       /* ... of keys[0] */
    crn_io_warning warn; /* of robots; may be NULL */
    void *user;
    void *scratch; /* list of blocks that the definition being read points to */
    crn_error *error;
} crn_scene_reader;

/** Memory until crn_scene_drop(). */
crn_status crn_scene_take(crn_scene_reader *reader, size_t count, size_t size, void **memory);
void crn_scene_drop(crn_scene_reader *reader);

/** Is it an object with fields of this part only? */
crn_status crn_scene_open(const crn_json_place *object, crn_scene_part part);

/** Read the fields of simple types that are there into a definition. */
crn_status crn_scene_fill(crn_scene_reader *reader, const crn_json_place *object, crn_scene_part part, void *def);

/** position, and rotation, angle or axis_angle. */
crn_status crn_scene_pose(crn_scene_reader *reader, const crn_json_place *object, crn_pose *pose);

/** An array of 3 numbers; of 2 in planar scenes. */
crn_status crn_scene_vector(const crn_scene_reader *reader, const crn_json_place *place, crn_vec3 *value);

crn_status crn_scene_extended(const crn_json_place *place, double *value);

/** A value of an enumeration by name, which must be there. */
crn_status crn_scene_name(const crn_json_place *place, const char *(*name)(int at), int *value);

/** A body, joint, site, tendon or actuator by name or index. has_world: "world" and -1 are allowed, and meant if it is absent. */
crn_status crn_scene_body_reference(const crn_scene_reader *reader, const crn_json_place *place, bool has_world,
                                    int *index);
crn_status crn_scene_joint_reference(const crn_scene_reader *reader, const crn_json_place *place, int *index);
crn_status crn_scene_site_reference(const crn_scene_reader *reader, const crn_json_place *place, int *index);
crn_status crn_scene_tendon_reference(const crn_scene_reader *reader, const crn_json_place *place, int *index);
crn_status crn_scene_actuator_reference(const crn_scene_reader *reader, const crn_json_place *place, int *index);

/** One of tendons: scene_tendon.c. */
crn_status crn_scene_read_tendon(crn_scene_reader *reader, const crn_json_place *place);

/** A failure of the model's checks, at its line: message "bodies[3].mass: ..." . */
crn_status crn_scene_blame(const crn_scene_reader *reader, const crn_error *reason, const char *prefix);

/** An array of rows of the same length, as points one after another, or as heights, column-major. columns 0: as many as
 *  the first row has. */
crn_status crn_scene_rows(crn_scene_reader *reader, const crn_json_place *place, int columns, bool is_field,
                          crn_shape_def *shape);

/** Points and triangles of a mesh, or those of its file. */
crn_status crn_scene_read_mesh(crn_scene_reader *reader, const crn_json_place *object, crn_shape_def *shape);

crn_status crn_scene_read_materials(crn_scene_reader *reader);
crn_status crn_scene_read_body(crn_scene_reader *reader, const crn_json_place *place);
crn_status crn_scene_read_joint(crn_scene_reader *reader, const crn_json_place *place);

/** An entry of `keys`. */
crn_status crn_scene_read_key(crn_scene_reader *reader, const crn_json_place *place);

/** An entry of `models`. */
crn_status crn_scene_read_robot(crn_scene_reader *reader, const crn_json_place *place);

/* --- Writing --- */

/** A text that grows. */
typedef struct crn_scene_out {
    crn_allocator allocator;
    char *text;
    size_t length, capacity;
    bool is_full;   /* no memory: nothing is added any more */
    bool is_first;  /* the next member is the first of its object */
    bool is_planar; /* vectors of the plane have 2 numbers */
} crn_scene_out;

void crn_scene_put(crn_scene_out *out, const char *text);
void crn_scene_put_real(crn_scene_out *out, double value);
void crn_scene_put_reals(crn_scene_out *out, const double *values, size_t count);
void crn_scene_put_string(crn_scene_out *out, const char *text);

/** '{' and '}'; between them crn_scene_key() and a value each time. */
void crn_scene_begin(crn_scene_out *out);
void crn_scene_end(crn_scene_out *out);
void crn_scene_key(crn_scene_out *out, const char *key);

/** All fields of simple types whose bits differ from those of plain. */
void crn_scene_put_fields(crn_scene_out *out, crn_scene_part part, const void *def, const void *plain);

/** Are the numbers the same to the bit? 0 and -0 are not. */
bool crn_scene_same_bits(const double *a, const double *b, size_t count);

bool crn_scene_same_profile(const crn_profile *a, const crn_profile *b);

#endif
