/* MJCF, the robot files of MuJoCo, into a model.
 *
 *   mjcf.c           the whole file: sections in their order
 *   mjcf_file.c      files, <include>, messages with file and line, warnings once by name
 *   mjcf_attach.c    <attach>: bodies of other files
 *   mjcf_rest.c      warnings about what nobody read
 *   mjcf_class.c     classes of defaults, attributes of an element through them
 *   mjcf_pose.c      positions and the five ways to write an orientation
 *   mjcf_settings.c  <compiler> and <option>
 *   mjcf_mesh.c      <mesh>: points of its hull, mass
 *   mjcf_body.c      bodies nested in bodies, <frame>, <replicate>: into lists
 *   mjcf_joint.c     one joint
 *   mjcf_site.c      sites
 *   mjcf_geom.c      one geom: shape, mass, friction
 *   mjcf_mass.c      mass and inertia of bodies
 *   mjcf_contact.c   who touches whom: masks and filters
 *   mjcf_friction.c  friction: the rule of the world
 *   mjcf_equality.c  loops and coupled joints
 *   mjcf_actuator.c  actuators: springs and dampers of joints, and what a control adds
 *   mjcf_chain.c     joints of one body as a chain of ours
 *   mjcf_key.c       keyframes
 *   mjcf_sensor.c    sensors as probes
 *   mjcf_build.c     the lists into the model
 *
 * The file is read into lists of bodies, joints and geoms first, because what a body becomes depends on what comes later in
 * the file (masks on all geoms, springs on actuators, chains on equalities). docs/guide/mjcf.md says what is supported. */
#ifndef CRN_ROBOTS_MJCF_H
#define CRN_ROBOTS_MJCF_H

#include "robots/robot.h"
#include "text/source.h"
#include "text/xml.h"

/* What a hostile file could multiply is bounded. */
enum {
    CRN_MJCF_FILES_MOST = 64,        /* included ones and the first */
    CRN_MJCF_BODIES_MOST = 20000,    /* after replication, as the next ones; a model looks for names one by one */
    CRN_MJCF_JOINTS_MOST = 20000,    /* the same of actuators */
    CRN_MJCF_GEOMS_MOST = 100000,    /* the same of sites */
    CRN_MJCF_VISITS_MOST = 4000000,  /* elements of all kinds, also of those that are not read: lights */
    CRN_MJCF_LOOKS_MOST = 100000000, /* at elements, for what attached ones name */
    CRN_MJCF_MESHES_MOST = 10000,
    CRN_MJCF_LOOPS_MOST = 10000, /* the same of keys */
    CRN_MJCF_CLASSES_MOST = 4096,
    CRN_MJCF_CLASS_DEPTH = 32,
    CRN_MJCF_SECTION_MOST = 64,     /* elements in a class, and parts that a class is written in */
    CRN_MJCF_OWNERS_MOST = 256,     /* elements that may give an attribute: those of its classes, and itself */
    CRN_MJCF_EXCLUDED_MOST = 50000, /* pairs that must not touch */
    CRN_MJCF_PATH = 4096
};

/* --- Settings --- */

typedef enum crn_mjcf_inertia {
    CRN_MJCF_INERTIA_GIVEN = 0,
    CRN_MJCF_INERTIA_GEOMS,
    CRN_MJCF_INERTIA_AUTO
} crn_mjcf_inertia;

typedef struct crn_mjcf_settings {
    double angle; /* radians in a unit of the file */
    bool is_global;
    bool auto_limits;
    bool strip_path;
    bool balance_inertia;
    bool exact_mesh; /* mass of meshes: of the solid, where they do not say otherwise */
    bool no_parent_filter;
    bool no_clamp;                                                                                /* of controls */
    bool no_contact, no_equality, no_limit, no_friction_loss, no_spring, no_damper, no_actuation; /* <flag> */
    char euler[4];                                                                                /* "xyz" */
    const char *folder;                                                                           /* of meshes, "" */
    crn_mjcf_inertia inertia;
    double group[2]; /* geoms of these groups give mass */
    double bound_mass, bound_inertia;
    double total_mass; /* <= 0: as it is */
} crn_mjcf_settings;

/* --- Elements and their defaults --- */

typedef struct crn_mjcf_class {
    const char *name;
    int parent; /* -1: none */
    int depth;
    crn_xml_node *section[CRN_MJCF_SECTION_MOST]; /* <default> elements of the class */
    int sections;
} crn_mjcf_class;

/* An element and the defaults that stand behind it, the most general first, itself last. */
typedef struct crn_mjcf_element {
    crn_xml_node *node;
    crn_xml_node *owner[CRN_MJCF_OWNERS_MOST];
    int owners;
} crn_mjcf_element;

/* --- What a file holds --- */

typedef struct crn_mjcf_mesh {
    const char *name;
    crn_xml_node *node;
    bool is_read, is_missing;
    crn_mesh_data data;       /* points, scaled and placed; triangles may be none */
    crn_mass_properties mass; /* of density 1 */
} crn_mjcf_mesh;

typedef enum crn_mjcf_joint_kind {
    CRN_MJCF_FREE = 0,
    CRN_MJCF_BALL,
    CRN_MJCF_SLIDE,
    CRN_MJCF_HINGE
} crn_mjcf_joint_kind;

typedef struct crn_mjcf_joint {
    crn_xml_node *node;
    const char *name; /* NULL: none */
    crn_mjcf_joint_kind kind;
    int body;
    crn_vec3 position, direction; /* in the body's frame; direction is unit */
    double ref;                   /* coordinate at the start [rad or m] */
    crn_joint_axis axis;          /* limits, spring, damper, armature, friction, force */
    double turns;                 /* MuJoCo's coordinate less ours: whole turns [rad] */
    double turn_limit;            /* of a ball joint: largest angle of its turn [rad]; 0: none */
    double force_limit;           /* of all actuators together; infinite: none */
    double actuator_limit;        /* sum of the actuators' own limits; infinite: none */
    bool is_actuated;             /* by a spring or damper with ctrl = 0 */
    bool is_leader;               /* others follow it: must be coordinate 0 of its joint */
    int joint, coordinate;        /* in the model; joint -1: not yet */
} crn_mjcf_joint;

typedef struct crn_mjcf_geom {
    crn_xml_node *node;
    int body;
    crn_body_shape shape;     /* group and mask: see crn_mjcf_set_masks() */
    crn_mass_properties mass; /* in the body's frame */
    uint32_t contype, conaffinity;
    int condim, priority;
    int mesh;       /* -1: none */
    bool is_shape;  /* takes part in contacts */
    bool is_paired; /* by <pair>, whatever its bits */
} crn_mjcf_geom;

typedef struct crn_mjcf_site {
    crn_xml_node *node;
    const char *name; /* NULL: none */
    int body;
    crn_pose pose; /* in the body */
    crn_shape_kind zone;
    crn_vec3 zone_size;
    int index; /* in the model */
} crn_mjcf_site;

typedef struct crn_mjcf_body {
    crn_xml_node *node; /* NULL: the world */
    const char *name;   /* NULL: none */
    int parent;         /* -1: this is the world */
    crn_pose pose;      /* in the parent, at the start */
    crn_pose place;     /* in the world, at the start */
    int first_joint, joints, first_geom, geoms;
    bool is_static, is_floating;
    int weld;  /* first body that this one is rigidly part of; itself if it has joints */
    int heavy; /* of the first body of a weld: 1 + the first of it that has mass; 0: none */
    bool has_inertial;
    crn_mass_properties mass; /* in the body's frame */
    double gravity_scale;     /* 1 - gravcomp */
    uint32_t group, mask;     /* of all its shapes together */
    int shapes;
    int index; /* in the model; -1: it has none */
    int above; /* the body in the model that its last joint hangs on; -1: none */
} crn_mjcf_body;

typedef enum crn_mjcf_loop_kind { CRN_MJCF_CONNECT = 0, CRN_MJCF_WELD, CRN_MJCF_COUPLE } crn_mjcf_loop_kind;

typedef struct crn_mjcf_loop {
    crn_xml_node *node;
    const char *name;
    crn_mjcf_loop_kind kind;
    int a, b;                  /* bodies, or joints of a couple: a follows b */
    crn_pose frame_a, frame_b; /* in the bodies */
    double ratio, shift;       /* of a couple */
} crn_mjcf_loop;

typedef struct crn_mjcf_tendon {
    crn_xml_node *node;
    const char *name;      /* NULL: none */
    crn_tendon_def def;    /* all but name; joints, sites and bodies of its parts are those of the file */
    crn_tendon_part *part; /* the same as in def */
    double turns;          /* MuJoCo's length less ours: of whole turns of joints */
    bool is_sprung;        /* by itself, not by an actuator */
    int index;             /* in the model */
} crn_mjcf_tendon;

typedef struct crn_mjcf_actuator {
    crn_xml_node *node;
    const char *name;     /* NULL: none */
    int joint, tendon;    /* one of them; -1: the other */
    int control;          /* which of the file's: some are left out */
    crn_actuator_def def; /* all but name, joint and coordinate */
    int index;            /* in the model */
} crn_mjcf_actuator;

typedef struct crn_mjcf_pair {
    crn_xml_node *node;
    int a, b;
} crn_mjcf_pair;

/* <pair>: two geoms that touch. */
typedef struct crn_mjcf_touch {
    crn_xml_node *node;
    int geom[2];
    double friction;
} crn_mjcf_touch;

/* A frame that was an <attach>. */
typedef struct crn_mjcf_attached {
    const crn_xml_node *node;
    crn_xml_node *root; /* of the file that it brought */
    const char *folder; /* of that file: relative to that of the first one, or absolute */
} crn_mjcf_attached;

typedef struct crn_mjcf {
    const crn_robot_options *options;
    crn_allocator allocator;
    crn_model *model;
    crn_error *error;
    bool is_first; /* the model was empty */

    crn_xml *file[CRN_MJCF_FILES_MOST];
    int files;
    int first_of_part;          /* among them: a file is included once at most from here on */
    char folder[CRN_MJCF_PATH]; /* of the first file, with its last '/', or "" */
    crn_mjcf_attached attached[CRN_MJCF_FILES_MOST];
    int attachments;
    const crn_xml_node *attached_default[CRN_MJCF_FILES_MOST]; /* outermost <default> of attached files */
    int attached_defaults;
    int looks;
    crn_robot_warnings warnings;

    crn_mjcf_settings set;
    crn_mjcf_class *class_at;
    int classes, class_places;
    crn_mjcf_mesh *mesh;
    int meshes, mesh_places;
    crn_mjcf_body *body;
    int bodies, body_places;
    int visits; /* of elements in bodies, copies included */
    crn_mjcf_joint *joint;
    int joints, joint_places;
    bool has_free_names; /* a free joint has a name: nothing of ours could have it */
    crn_mjcf_geom *geom;
    int geoms, geom_places;
    crn_mjcf_site *site;
    int sites, site_places;
    crn_mjcf_loop *loop;
    int loops, loop_places;
    crn_mjcf_tendon *tendon;
    int tendons, tendon_places;
    crn_mjcf_actuator *actuator;
    int actuators, actuator_places;
    int controls;        /* of the file */
    crn_mjcf_pair *pair; /* <exclude> */
    int pairs, pair_places;
    crn_mjcf_touch *touch;
    int touches, touch_places;
} crn_mjcf;

/* --- Files and messages (mjcf_file.c) --- */

/* Read the first file, from memory (text) or from its path, and put in what it includes. */
crn_status crn_mjcf_open(crn_mjcf *mjcf, const char *text, size_t length, const char *path);
void crn_mjcf_close(crn_mjcf *mjcf);

/* Read the file of a <model> for an <attach>, with what it includes, and note which frame it will be. */
crn_status crn_mjcf_add_attached(crn_mjcf *mjcf, crn_xml_node *model, const crn_xml_node *attach, crn_xml **xml);

/* Put bodies of other files in the place of each <attach> below a node of the file with that root (mjcf_attach.c). */
crn_status crn_mjcf_attach_all(crn_mjcf *mjcf, crn_xml_node *root, crn_xml_node *node, int depth);

/* "file:line: <element>: message" of the file that the node is from. */
crn_status crn_mjcf_fail(const crn_mjcf *mjcf, const crn_xml_node *node, crn_status status, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 4, 5)))
#endif
    ;

/* A failure of another part of the library, blamed on the node. */
crn_status crn_mjcf_blame(const crn_mjcf *mjcf, const crn_xml_node *node, const crn_error *reason);

/* The same to options->warn, once for each kind of element and key, which must live as long as the files. */
void crn_mjcf_warn(crn_mjcf *mjcf, const crn_xml_node *node, const char *key, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 4, 5)))
#endif
    ;

/* The same about what does not change how the robot moves. */
void crn_mjcf_note(crn_mjcf *mjcf, const crn_xml_node *node, const char *key, const char *what);

/* Warn about elements and attributes that nobody read (mjcf_rest.c). */
void crn_mjcf_warn_rest(crn_mjcf *mjcf);

/* A file's path: as it is if absolute, else in `folder` beside the first file. */
crn_status crn_mjcf_path(const crn_mjcf *mjcf, const crn_xml_node *node, const char *folder, const char *file,
                         char path[CRN_MJCF_PATH]);

/* Memory of length bytes that lives as long as the files; NULL, with the message, if there is none. */
void *crn_mjcf_keep(const crn_mjcf *mjcf, const crn_xml_node *node, size_t bytes);

/* Room for one more in a list; the new item is not counted yet. */
crn_status crn_mjcf_room(const crn_mjcf *mjcf, const crn_xml_node *node, void **list, int *places, int count,
                         size_t size, int most);

/* --- Classes and attributes (mjcf_class.c) --- */

crn_status crn_mjcf_read_classes(crn_mjcf *mjcf);

/* Index of the class of that name; -1: none. */
int crn_mjcf_class_find(const crn_mjcf *mjcf, const char *name);

/* The element with its defaults: those of its own class, else of `class_index`. names (may be NULL): other elements whose
 * defaults count too, NULL at the end. */
crn_status crn_mjcf_element_of(const crn_mjcf *mjcf, crn_xml_node *node, int class_index, const char *const *names,
                               crn_mjcf_element *element);

/* The attribute as text; NULL: neither the element nor its defaults have it. */
const char *crn_mjcf_text(const crn_mjcf_element *element, const char *name);

/* From least to most numbers; those that are not given keep what `to` holds. given (may be NULL): the most that anyone
 * gives, 0: nobody has the attribute. */
crn_status crn_mjcf_numbers(const crn_mjcf *mjcf, const crn_mjcf_element *element, const char *name, int least,
                            int most, double *to, int *given);
crn_status crn_mjcf_number(const crn_mjcf *mjcf, const crn_mjcf_element *element, const char *name, double *to);
crn_status crn_mjcf_vector(const crn_mjcf *mjcf, const crn_mjcf_element *element, const char *name, crn_vec3 *to,
                           int *given);
crn_status crn_mjcf_integer(const crn_mjcf *mjcf, const crn_mjcf_element *element, const char *name, int lowest,
                            int highest, int *to);

/* One of some words, NULL at the end; `to` stays if nobody has the attribute. */
crn_status crn_mjcf_word(const crn_mjcf *mjcf, const crn_mjcf_element *element, const char *name,
                         const char *const *words, int *to);
crn_status crn_mjcf_flag(const crn_mjcf *mjcf, const crn_mjcf_element *element, const char *name, bool *to);

/* A range that counts if `limited` says so, or if it is given and limited is auto; else `range` stays. */
crn_status crn_mjcf_range(const crn_mjcf *mjcf, const crn_mjcf_element *element, const char *limited, const char *name,
                          double range[2]);

/* All numbers of an attribute, however many, into memory that lives as long as the files. */
crn_status crn_mjcf_array(const crn_mjcf *mjcf, const crn_mjcf_element *element, const char *name, double **values,
                          int *count);

/* Defaults that some element has asked: the text of elements means nothing in MJCF, so it serves as the mark. */
extern const char *const crn_mjcf_used;

/* --- Poses (mjcf_pose.c) --- */

/* Rotation that turns z into a direction, which need not be unit, on the shortest way. */
crn_quat crn_mjcf_turn_z(crn_vec3 direction);
crn_quat crn_mjcf_turn_axes(crn_vec3 x, crn_vec3 y, crn_vec3 z); /* right-handed and orthonormal */
crn_pose crn_mjcf_inverse(const crn_pose *pose);

/* pos and orientation (quat, axisangle, xyaxes, zaxis, euler) of an element. */
crn_status crn_mjcf_read_pose(const crn_mjcf *mjcf, const crn_mjcf_element *element, crn_pose *pose,
                              bool *has_position);
crn_status crn_mjcf_read_euler(const crn_mjcf *mjcf, const crn_mjcf_element *element, crn_quat *rotation);

/* --- The parts --- */

crn_status crn_mjcf_read_settings(crn_mjcf *mjcf); /* also of the model's world */
/* Settings by which what is in a frame is read: those of its file if it was an <attach>, else as they are. */
crn_status crn_mjcf_enter_frame(crn_mjcf *mjcf, const crn_xml_node *frame);
crn_status crn_mjcf_read_meshes(crn_mjcf *mjcf);
/* Points and mass of a mesh, read when first needed. is_missing of it may be set instead. */
crn_status crn_mjcf_need_mesh(crn_mjcf *mjcf, int index);
void crn_mjcf_free_meshes(crn_mjcf *mjcf);

crn_status crn_mjcf_read_bodies(crn_mjcf *mjcf);
/* frame: of the element's surroundings in the body. */
crn_status crn_mjcf_read_joint(crn_mjcf *mjcf, crn_xml_node *node, int class_index, int body, const crn_pose *frame,
                               const char *suffix);
crn_status crn_mjcf_read_geom(crn_mjcf *mjcf, crn_xml_node *node, int class_index, int body, const crn_pose *frame);
/* The height field of a geom; *is_known false: it is left out, with a warning. */
crn_status crn_mjcf_read_field(crn_mjcf *mjcf, const crn_mjcf_element *geom, crn_shape_def *shape, bool *is_known);
/* Poses of sites; of their shapes nothing is kept. */
crn_status crn_mjcf_read_site(crn_mjcf *mjcf, crn_xml_node *node, int class_index, int body, const crn_pose *frame,
                              const char *suffix);
crn_status crn_mjcf_add_sites(crn_mjcf *mjcf);
int crn_mjcf_find_site(const crn_mjcf *mjcf, const char *name);
/* The element's pose in its body: in local coordinates, or of a file with global ones. */
crn_pose crn_mjcf_in_body(const crn_mjcf *mjcf, int body, const crn_pose *frame, const crn_pose *read);
const char *crn_mjcf_name(const crn_mjcf *mjcf, crn_xml_node *node, const char *suffix);

crn_status crn_mjcf_read_inertial(crn_mjcf *mjcf, crn_xml_node *node, int body, const crn_pose *frame);
crn_status crn_mjcf_set_masses(crn_mjcf *mjcf);
void crn_mjcf_add_mass(crn_mass_properties *sum, const crn_mass_properties *part);
crn_mass_properties crn_mjcf_place_mass(const crn_mass_properties *mass, const crn_pose *pose);

crn_status crn_mjcf_read_excludes(crn_mjcf *mjcf);
crn_status crn_mjcf_set_masks(crn_mjcf *mjcf);
void crn_mjcf_set_friction(crn_mjcf *mjcf);
crn_status crn_mjcf_add_excludes(crn_mjcf *mjcf);

/* <pair>, and what it is in the model. Is a geom of the file in one; do two geoms have one; do two bodies, by their geoms? */
crn_status crn_mjcf_read_pairs(crn_mjcf *mjcf);
crn_status crn_mjcf_add_pairs(crn_mjcf *mjcf);
bool crn_mjcf_is_paired(const crn_mjcf *mjcf, const crn_xml_node *geom);
bool crn_mjcf_are_paired(const crn_mjcf *mjcf, int a, int b);
bool crn_mjcf_touch_asked(const crn_mjcf *mjcf, int a, int b);

crn_status crn_mjcf_read_equalities(crn_mjcf *mjcf);
/* <tendon>, and what it is in the model, when joints and sites are there. */
crn_status crn_mjcf_read_tendons(crn_mjcf *mjcf);
crn_status crn_mjcf_add_tendons(crn_mjcf *mjcf);
int crn_mjcf_find_tendon(const crn_mjcf *mjcf, const char *name);

crn_status crn_mjcf_read_actuators(crn_mjcf *mjcf);
crn_status crn_mjcf_add_actuators(crn_mjcf *mjcf);

/* <key>, when bodies, joints and actuators are in the model. */
crn_status crn_mjcf_add_keys(crn_mjcf *mjcf);

/* <sensor>, when sites and actuators are in the model too. */
crn_status crn_mjcf_add_sensors(crn_mjcf *mjcf);

/* prefix and name; NULL if there is no name (mjcf_class.c). */
crn_status crn_mjcf_prefixed(const crn_mjcf *mjcf, const crn_xml_node *node, const char *name, const char **whole);

/* Where something of a body is in the model: on its body there, or in the world if it has none. */
void crn_mjcf_in_model(const crn_mjcf *mjcf, int body, const crn_pose *pose, int *index, crn_pose *to);

/* Body or joint of that name; -1: none. */
int crn_mjcf_find_body(const crn_mjcf *mjcf, const char *name);
int crn_mjcf_find_joint(const crn_mjcf *mjcf, const char *name);

/* How many of a body's joints from `first` on make one joint of ours, and that joint without bodies; frame_a is in the
 * body's frame too. coordinate: of each of them. */
int crn_mjcf_chain_next(const crn_mjcf *mjcf, int first, int last, crn_joint_def *def, int coordinate[3]);

crn_status crn_mjcf_build(crn_mjcf *mjcf);

#endif
