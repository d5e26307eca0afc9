/* Every field that a scene file may have. Reader and writer go by these tables; tests hold docs/scene.schema.json and
 * docs/guide/scenes.md against them. */
#include "io/scene.h"

_Static_assert(sizeof(crn_scheme) == sizeof(int) && sizeof(crn_contact_cone) == sizeof(int) &&
                   sizeof(crn_contact_method) == sizeof(int) && sizeof(crn_friction_rule) == sizeof(int) &&
                   sizeof(crn_body_kind) == sizeof(int) && sizeof(crn_shape_kind) == sizeof(int) &&
                   sizeof(crn_joint_kind) == sizeof(int) && sizeof(crn_probe_kind) == sizeof(int) &&
                   sizeof(crn_integrator) == sizeof(int),
               "enumerations are read and written as int");

/* --- Names of enumerations, NULL behind the last --- */

static const char *scheme_name(int at)
{
    return crn_scheme_name((crn_scheme)at);
}

static const char *cone_name(int at)
{
    return at == CRN_CONE_POLYGON ? "polygon" : at == CRN_CONE_ROUND ? "round" : NULL;
}

static const char *method_name(int at)
{
    return crn_contact_method_name((crn_contact_method)at);
}

static const char *rule_name(int at)
{
    return crn_friction_rule_name((crn_friction_rule)at);
}

static const char *integrator_name(int at)
{
    return crn_integrator_name((crn_integrator)at);
}

static const char *body_kind_name(int at)
{
    return crn_body_kind_name((crn_body_kind)at);
}

static const char *shape_kind_name(int at)
{
    return crn_shape_kind_name((crn_shape_kind)at);
}

static const char *joint_kind_name(int at)
{
    return crn_joint_kind_name((crn_joint_kind)at);
}

static const char *probe_kind_name(int at)
{
    return crn_probe_kind_name((crn_probe_kind)at);
}

static const char *tendon_part_name(int at)
{
    return crn_tendon_part_kind_name((crn_tendon_part_kind)at);
}

/* --- Tables --- */

/* clang-format off */

#define REMARK {"comment", CRN_SCENE_REMARK, 0, NULL}
#define OTHER(key) {key, CRN_SCENE_OTHER, 0, NULL}

#define W(member) offsetof(crn_world_def, member)
static const crn_scene_field file_fields[] = {
    {"$schema", CRN_SCENE_REMARK, 0, NULL}, REMARK,
    OTHER("name"),
    {"planar", CRN_SCENE_BOOL, W(is_planar), NULL},
    {"gravity", CRN_SCENE_VECTOR, W(gravity), NULL},
    {"dt", CRN_SCENE_REAL, W(dt), NULL},
    {"duration", CRN_SCENE_REAL, W(duration), NULL},
    OTHER("solver"), OTHER("materials"), OTHER("bodies"), OTHER("models"), OTHER("joints"), OTHER("sites"), OTHER("tendons"), OTHER("actuators"), OTHER("keys"), OTHER("pairs"), OTHER("loads"), OTHER("measure"),
};

static const crn_scene_field solver_fields[] = {
    REMARK,
    {"scheme", CRN_SCENE_NAME, W(scheme), scheme_name},
    {"stabilised", CRN_SCENE_NOT, W(is_unstabilised), NULL},
    {"cone", CRN_SCENE_NAME, W(cone), cone_name},
    {"directions", CRN_SCENE_INT, W(directions), NULL},
    {"method", CRN_SCENE_NAME, W(method), method_name},
    {"tol", CRN_SCENE_REAL, W(tol), NULL},
    {"even", CRN_SCENE_BOOL, W(even), NULL},
    {"margin", CRN_SCENE_REAL, W(margin), NULL},
    {"friction_rule", CRN_SCENE_NAME, W(friction_rule), rule_name},
    {"restitution_speed", CRN_SCENE_EXTENDED, W(restitution_speed), NULL},
    {"recovery_speed", CRN_SCENE_EXTENDED, W(recovery_speed), NULL},
    {"joint_tolerance", CRN_SCENE_REAL, W(joint_tolerance), NULL},
    {"reduce_distance", CRN_SCENE_REAL, W(reduce_distance), NULL},
    {"sleep_time", CRN_SCENE_REAL, W(sleep_time), NULL},
    {"sleep_speed", CRN_SCENE_REAL, W(sleep_speed), NULL},
    {"integrator", CRN_SCENE_NAME, W(integrator), integrator_name},
    {"drift_turn", CRN_SCENE_REAL, W(drift_turn), NULL},
    {"repair_tolerance", CRN_SCENE_REAL, W(repair_tolerance), NULL},
    {"loop_clearance", CRN_SCENE_REAL, W(loop_clearance), NULL},
    {"clamped", CRN_SCENE_NOT, W(is_unclamped), NULL},
};

#define S(member) offsetof(crn_body_shape, member)
static const crn_scene_field material_fields[] = {
    REMARK,
    {"friction", CRN_SCENE_REAL, S(friction), NULL},
    {"restitution", CRN_SCENE_REAL, S(restitution), NULL},
    {"density", CRN_SCENE_REAL, S(density), NULL},
};

static const crn_scene_field surface_fields[] = {
    {"friction", CRN_SCENE_REAL, S(friction), NULL},
    {"restitution", CRN_SCENE_REAL, S(restitution), NULL},
    {"density", CRN_SCENE_REAL, S(density), NULL},
    {"group", CRN_SCENE_BITS, S(group), NULL},
    {"mask", CRN_SCENE_BITS, S(mask), NULL},
};

#define B(member) offsetof(crn_body_def, member)
static const crn_scene_field body_fields[] = {
    REMARK,
    {"name", CRN_SCENE_STRING, B(name), NULL},
    {"kind", CRN_SCENE_NAME, B(kind), body_kind_name},
    OTHER("position"), OTHER("rotation"), OTHER("angle"), OTHER("axis_angle"),
    {"velocity", CRN_SCENE_VECTOR, B(velocity), NULL},
    {"angular", CRN_SCENE_SPIN, B(angular), NULL},
    {"mass", CRN_SCENE_REAL, B(mass), NULL},
    {"com", CRN_SCENE_VECTOR, B(com), NULL},
    OTHER("inertia"),
    {"linear_damping", CRN_SCENE_REAL, B(linear_damping), NULL},
    {"angular_damping", CRN_SCENE_REAL, B(angular_damping), NULL},
    {"gravity_scale", CRN_SCENE_REAL, B(gravity_scale), NULL},
    {"massless", CRN_SCENE_BOOL, B(is_massless), NULL},
    OTHER("motion"), OTHER("shapes"), OTHER("pictures"),
    /* of all shapes that do not say otherwise */
    OTHER("material"), OTHER("friction"), OTHER("restitution"), OTHER("density"), OTHER("group"), OTHER("mask"),
};

static const crn_scene_field shape_fields[] = {
    REMARK,
    {"kind", CRN_SCENE_NAME, S(shape.kind), shape_kind_name},
    OTHER("radius"), OTHER("half"), OTHER("half_length"), OTHER("points"), OTHER("spacing"), OTHER("heights"),
    OTHER("triangles"), OTHER("file"), OTHER("scale"),
    OTHER("position"), OTHER("rotation"), OTHER("angle"), OTHER("axis_angle"), OTHER("material"),
    {"friction", CRN_SCENE_REAL, S(friction), NULL},
    {"restitution", CRN_SCENE_REAL, S(restitution), NULL},
    {"density", CRN_SCENE_REAL, S(density), NULL},
    {"group", CRN_SCENE_BITS, S(group), NULL},
    {"mask", CRN_SCENE_BITS, S(mask), NULL},
    OTHER("color"),
};

#define M(member) offsetof(crn_motion, member)
static const crn_scene_field motion_fields[] = {
    REMARK,
    {"x", CRN_SCENE_PROFILE, M(x), NULL},
    {"y", CRN_SCENE_PROFILE, M(y), NULL},
    {"z", CRN_SCENE_PROFILE, M(z), NULL},
    {"axis", CRN_SCENE_AXIS, M(axis), NULL},
    {"angle", CRN_SCENE_PROFILE, M(angle), NULL},
};

#define P(member) offsetof(crn_profile, member)
static const crn_scene_field wave_fields[] = {
    REMARK,
    {"value", CRN_SCENE_REAL, P(value), NULL},
    {"amplitude", CRN_SCENE_REAL, P(amplitude), NULL},
    {"frequency", CRN_SCENE_REAL, P(frequency), NULL},
    {"phase", CRN_SCENE_REAL, P(phase), NULL},
    OTHER("times"), OTHER("values"),
};

#define J(member) offsetof(crn_joint_def, member)
static const crn_scene_field joint_fields[] = {
    REMARK,
    {"name", CRN_SCENE_STRING, J(name), NULL},
    {"kind", CRN_SCENE_NAME, J(kind), joint_kind_name},
    OTHER("a"), OTHER("b"), OTHER("point"), OTHER("axis"), OTHER("frame_a"), OTHER("frame_b"),
    {"length", CRN_SCENE_REAL, J(length), NULL},
    OTHER("limits"), OTHER("motor"), OTHER("friction"), OTHER("force"), OTHER("spring"), OTHER("armature"),
    OTHER("follows"), OTHER("axes"),
    {"in_tree", CRN_SCENE_BOOL, J(in_tree), NULL},
    {"in_tree", CRN_SCENE_NOT, J(as_rows), NULL}, /* false, written out, is a wish too; missing: as the graph allows */
    {"collide", CRN_SCENE_BOOL, J(bodies_collide), NULL},
};

static const crn_scene_field frame_fields[] = {
    REMARK, OTHER("position"), OTHER("rotation"), OTHER("angle"), OTHER("axis_angle"),
};

#define A(member) offsetof(crn_joint_axis, member)
static const crn_scene_field coordinate_fields[] = {
    REMARK, OTHER("limits"), OTHER("motor"),
    {"friction", CRN_SCENE_REAL, A(friction), NULL},
    {"force", CRN_SCENE_PROFILE, A(force), NULL},
    OTHER("spring"),
    {"armature", CRN_SCENE_REAL, A(armature), NULL},
    OTHER("follows"),
};

static const crn_scene_field motor_fields[] = {
    REMARK,
    {"speed", CRN_SCENE_PROFILE, A(speed), NULL},
    {"target", CRN_SCENE_PROFILE, A(target), NULL},
    {"servo", CRN_SCENE_BOOL, A(is_servo), NULL},
    {"max_force", CRN_SCENE_EXTENDED, A(max_force), NULL},
    {"enabled", CRN_SCENE_BOOL, A(has_motor), NULL},
};

static const crn_scene_field spring_fields[] = {
    REMARK,
    {"stiffness", CRN_SCENE_REAL, A(stiffness), NULL},
    {"damping", CRN_SCENE_REAL, A(damping), NULL},
    {"limit", CRN_SCENE_REAL, A(spring_limit), NULL},
    {"target", CRN_SCENE_PROFILE, A(target), NULL},
};

static const crn_scene_field follows_fields[] = {
    REMARK, OTHER("joint"),
    {"ratio", CRN_SCENE_REAL, A(ratio), NULL},
    {"shift", CRN_SCENE_REAL, A(shift), NULL},
};

static const crn_scene_field site_fields[] = {
    REMARK,
    {"name", CRN_SCENE_STRING, offsetof(crn_site_def, name), NULL},
    {"zone", CRN_SCENE_NAME, offsetof(crn_site_def, zone), shape_kind_name},
    {"zone_size", CRN_SCENE_AXIS, offsetof(crn_site_def, zone_size), NULL},
    OTHER("body"), OTHER("position"), OTHER("rotation"), OTHER("angle"), OTHER("axis_angle"),
};

#define T(member) offsetof(crn_tendon_def, member)
static const crn_scene_field tendon_fields[] = {
    REMARK,
    {"name", CRN_SCENE_STRING, T(name), NULL},
    OTHER("parts"), OTHER("limits"),
    {"stiffness", CRN_SCENE_REAL, T(stiffness), NULL},
    OTHER("rest"),
    {"damping", CRN_SCENE_REAL, T(damping), NULL},
    {"limit", CRN_SCENE_REAL, T(spring_limit), NULL},
    {"friction", CRN_SCENE_REAL, T(friction), NULL},
};

#define TP(member) offsetof(crn_tendon_part, member)
static const crn_scene_field tendon_part_fields[] = {
    REMARK,
    {"kind", CRN_SCENE_NAME, TP(kind), tendon_part_name},
    OTHER("joint"),
    {"coordinate", CRN_SCENE_INT, TP(coordinate), NULL},
    {"factor", CRN_SCENE_REAL, TP(factor), NULL},
    OTHER("site"), OTHER("body"), OTHER("position"), OTHER("rotation"), OTHER("angle"), OTHER("axis_angle"),
    {"radius", CRN_SCENE_REAL, TP(radius), NULL},
    OTHER("side"),
};

#define C(member) offsetof(crn_actuator_def, member)
static const crn_scene_field actuator_fields[] = {
    REMARK,
    {"name", CRN_SCENE_STRING, C(name), NULL},
    OTHER("joint"), OTHER("tendon"),
    {"coordinate", CRN_SCENE_INT, C(coordinate), NULL},
    {"gain", CRN_SCENE_REAL, C(gain), NULL},
    {"moves_target", CRN_SCENE_BOOL, C(moves_target), NULL},
    {"lower", CRN_SCENE_EXTENDED, C(lower), NULL},
    {"upper", CRN_SCENE_EXTENDED, C(upper), NULL},
    {"force_lower", CRN_SCENE_EXTENDED, C(force_lower), NULL},
    {"force_upper", CRN_SCENE_EXTENDED, C(force_upper), NULL},
    {"time_constant", CRN_SCENE_REAL, C(time_constant), NULL},
    {"control", CRN_SCENE_REAL, C(control), NULL},
};

static const crn_scene_field key_fields[] = {
    REMARK,
    {"name", CRN_SCENE_STRING, offsetof(crn_key_def, name), NULL},
    OTHER("states"), OTHER("controls"),
};

static const crn_scene_field state_fields[] = {
    REMARK, OTHER("joint"), OTHER("body"), OTHER("q"), OTHER("u"),
};

static const crn_scene_field pair_fields[] = {
    REMARK, OTHER("a"), OTHER("b"),
    {"collide", CRN_SCENE_BOOL, offsetof(crn_pair_def, collides), NULL},
    {"friction", CRN_SCENE_REAL, offsetof(crn_pair_def, friction), NULL},
    {"restitution", CRN_SCENE_REAL, offsetof(crn_pair_def, restitution), NULL},
};

#define L(member) offsetof(crn_load_def, member)
static const crn_scene_field load_fields[] = {
    REMARK,
    {"name", CRN_SCENE_STRING, L(name), NULL},
    OTHER("body"),
    {"force", CRN_SCENE_VECTOR, L(force), NULL},
    {"torque", CRN_SCENE_SPIN, L(torque), NULL},
    {"point", CRN_SCENE_VECTOR, L(point), NULL},
    {"local", CRN_SCENE_BOOL, L(is_local), NULL},
    {"factor", CRN_SCENE_PROFILE, L(factor), NULL},
    {"from", CRN_SCENE_EXTENDED, L(from), NULL},
    {"until", CRN_SCENE_EXTENDED, L(until), NULL},
};

static const crn_scene_field probe_fields[] = {
    REMARK,
    {"name", CRN_SCENE_STRING, offsetof(crn_probe_def, name), NULL},
    {"kind", CRN_SCENE_NAME, offsetof(crn_probe_def, kind), probe_kind_name},
    OTHER("body"), OTHER("joint"), OTHER("site"), OTHER("actuator"), OTHER("tendon"), OTHER("coordinate"),
};

#define OBJECT(name, table) {name, table, (int)(sizeof(table) / sizeof((table)[0]))}
#define R(member) offsetof(crn_robot_options, member)
static const crn_scene_field robot_fields[] = {
    REMARK, OTHER("file"), OTHER("position"), OTHER("rotation"), OTHER("axis_angle"),
    {"prefix", CRN_SCENE_STRING, R(prefix), NULL},
    {"fixed", CRN_SCENE_BOOL, R(is_fixed), NULL},
    {"self_collision", CRN_SCENE_BOOL, R(self_collision), NULL},
    {"friction", CRN_SCENE_REAL, R(friction), NULL},
    OTHER("packages"),
    {"skip_missing_meshes", CRN_SCENE_BOOL, R(skip_missing_meshes), NULL},
};

static const crn_scene_object objects[CRN_SCENE_PARTS] = {
    OBJECT("scene", file_fields),     OBJECT("solver", solver_fields), OBJECT("material", material_fields),
    OBJECT("body", body_fields),      OBJECT("shape", shape_fields),   OBJECT("motion", motion_fields),
    OBJECT("profile", wave_fields),   OBJECT("joint", joint_fields),   OBJECT("frame", frame_fields),
    OBJECT("coordinate", coordinate_fields), OBJECT("motor", motor_fields), OBJECT("spring", spring_fields),
    OBJECT("follows", follows_fields), OBJECT("site", site_fields), OBJECT("tendon", tendon_fields), OBJECT("tendon_part", tendon_part_fields), OBJECT("actuator", actuator_fields), OBJECT("key", key_fields), OBJECT("state", state_fields), OBJECT("pair", pair_fields), OBJECT("load", load_fields), OBJECT("probe", probe_fields), OBJECT("model", robot_fields),
    OBJECT(NULL, surface_fields),
};

/* clang-format on */

const crn_scene_object *crn_scene_object_of(crn_scene_part part)
{
    return &objects[part];
}
