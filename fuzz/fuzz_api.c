/* Any bytes as a sequence of calls on a world: bodies, joints, sites, tendons, actuators, loads and robots come and go, ids are kept
 * when what they name is gone, numbers are ordinary or wild, calls come in any order.
 *
 * Nothing may crash, leak or read beyond its arrays; a call that fails says why; what is asked of a world that did not diverge is
 * finite. CAIRN_FUZZ_CALLS=1 prints how many calls were made, at the end. */
#include <cairn/cairn.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum { KEPT = 12, MOST_CALLS = 400, SNAPSHOT = 1 << 20 };

static unsigned long long calls_made;

static void demand(bool condition, const char *what)
{
    if (!condition) {
        fprintf(stderr, "fuzz_api: %s\n", what);
        abort();
    }
}

/* --- Arguments from bytes --- */

typedef struct feed {
    const uint8_t *at, *end;
} feed;

static unsigned next_byte(feed *f)
{
    return f->at < f->end ? *f->at++ : 0U;
}

/* Mostly ordinary, sometimes wild. */
static double next_number(feed *f)
{
    unsigned kind = next_byte(f);
    double x = ((double)next_byte(f) - 128.0) / 32.0;
    switch (kind) {
    case 250: return (double)NAN;
    case 251: return (double)INFINITY;
    case 252: return 1e300 * x;
    case 253: return 1e-300 * x;
    case 254: return 0.0;
    case 255: return 1e9 * x;
    default: return x;
    }
}

static crn_vec3 next_vector(feed *f)
{
    double x = next_number(f), y = next_number(f);
    return (crn_vec3){x, y, next_number(f)};
}

static crn_quat next_turn(feed *f)
{
    static const crn_quat turns[] = {{1, 0, 0, 0}, {0.6, 0.8, 0, 0}, {0.6, 0, 0, 0.8}, {0, 0, 1, 0}, {0, 0, 0, 0}};
    return turns[next_byte(f) % 5U];
}

static crn_pose next_pose(feed *f)
{
    crn_vec3 at = next_vector(f);
    return (crn_pose){at, next_turn(f)};
}

/* --- What there is, and was --- */

typedef struct sequence {
    feed in;
    crn_world *world;
    bool is_planar, has_diverged;
    crn_body_id body[KEPT];
    crn_joint_id joint[KEPT];
    crn_site_id site[KEPT];
    crn_load_id load[KEPT];
    crn_robot *robot;
    void *snapshot;
    size_t snapshot_size;
} sequence;

static unsigned next_place(sequence *s)
{
    return next_byte(&s->in) % KEPT;
}

/* A failure has a reason, a success none. */
static void told(crn_status status, const crn_error *error)
{
    ++calls_made;
    demand((status == CRN_OK) == (error->text[0] == '\0'), "status and message disagree");
    demand(status >= CRN_OK && status <= CRN_ERR_DIVERGED, "no such status");
}

static crn_shape_def next_shape(sequence *s, double *room)
{
    crn_shape_def def = {.kind = (crn_shape_kind)(next_byte(&s->in) % (CRN_SHAPE_KIND_COUNT + 1U))};
    def.size = (crn_vec3){fabs(next_number(&s->in)), fabs(next_number(&s->in)), fabs(next_number(&s->in))};
    def.count = (int)(next_byte(&s->in) % 9U);
    for (int i = 0; i < 3 * def.count; ++i) {
        room[i] = next_number(&s->in);
    }
    def.points = def.count > 0 ? room : NULL;
    def.rows = (int)(next_byte(&s->in) % 4U);
    def.columns = def.rows > 0 ? def.count / def.rows : 0;
    static const int triangles[] = {0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2};
    def.triangles = triangles;
    def.triangle_count = (int)(next_byte(&s->in) % 5U);
    if (def.count < 4) {
        def.triangle_count = 0;
    }
    return def;
}

static void create_body(sequence *s)
{
    static const char *const names[] = {NULL, "a", "b", "", "\033[2J"};
    double room[3 * 9];
    crn_error error;
    crn_body_def def = crn_body_def_default();
    crn_body_shape shape = crn_body_shape_default();
    unsigned kind = next_byte(&s->in);
    def.name = names[next_byte(&s->in) % 5U];
    def.kind = (crn_body_kind)(kind % 4U);
    def.pose = next_pose(&s->in);
    if (s->is_planar && kind < 128) {
        def.pose.position.z = 0.0;
        def.pose.rotation = (crn_quat){1, 0, 0, 0};
    }
    if (kind % 8U > 3U) {
        shape.shape = (crn_shape_def){.kind = s->is_planar ? CRN_SHAPE_DISK : CRN_SHAPE_SPHERE, .size = {0.5, 0, 0}};
    } else {
        shape.shape = next_shape(s, room);
    }
    def.velocity = next_byte(&s->in) > 200 ? next_vector(&s->in) : (crn_vec3){0, 0, 0};
    def.mass = next_byte(&s->in) > 200 ? next_number(&s->in) : 0.0;
    def.shape = &shape;
    def.shapes = kind == 77 ? 0 : 1;
    told(crn_body_create(s->world, &def, &s->body[next_place(s)], &error), &error);
}

static void create_joint(sequence *s)
{
    crn_error error;
    crn_joint_def def = crn_joint_def_default();
    unsigned flags = next_byte(&s->in);
    def.kind = (crn_joint_kind)(next_byte(&s->in) % (CRN_JOINT_KIND_COUNT + 1U));
    def.frame_a = next_pose(&s->in);
    def.frame_b.position = next_vector(&s->in);
    def.in_tree = (flags & 1U) != 0;
    def.as_rows = (flags & 2U) != 0;
    def.bodies_collide = (flags & 4U) != 0;
    def.length = fabs(next_number(&s->in));
    if ((flags & 8U) != 0) {
        def.axis[0].lower = next_number(&s->in);
        def.axis[0].upper = next_number(&s->in);
        def.axis[0].has_motor = (flags & 16U) != 0;
        def.axis[0].speed.value = next_number(&s->in);
        def.axis[0].stiffness = next_number(&s->in);
        def.axis[0].damping = next_number(&s->in);
        def.axis[0].follows = (int)(next_byte(&s->in) % 4U);
    }
    crn_body_id a = s->body[next_place(s)], b = s->body[next_place(s)];
    if ((flags & 32U) != 0) {
        a = (crn_body_id){0, 0};
    }
    told(crn_joint_create(s->world, &def, a, b, &s->joint[next_place(s)], &error), &error);
}

static void create_rest(sequence *s)
{
    crn_error error;
    crn_site_def site = crn_site_def_default();
    crn_load_def load = crn_load_def_default();
    crn_actuator_def actuator = crn_actuator_def_default();
    crn_tendon_def tendon = crn_tendon_def_default();
    crn_tendon_part part[2] = {crn_tendon_part_default(), crn_tendon_part_default()};
    switch (next_byte(&s->in) % 4U) {
    case 0:
        site.pose = next_pose(&s->in);
        told(crn_site_create(s->world, &site, s->body[next_place(s)], &s->site[next_place(s)], &error), &error);
        break;
    case 1:
        load.force = next_vector(&s->in);
        load.torque = next_vector(&s->in);
        load.is_local = next_byte(&s->in) > 128;
        told(crn_load_create(s->world, &load, s->body[next_place(s)], &s->load[next_place(s)], &error), &error);
        break;
    case 2:
        actuator.gain = next_number(&s->in);
        actuator.tendon = (int)(next_byte(&s->in) % 3U) - 1;
        actuator.time_constant = next_number(&s->in);
        told(crn_actuator_create(s->world, &actuator, s->joint[next_place(s)], NULL, &error), &error);
        break;
    default:
        for (int i = 0; i < 2; ++i) {
            part[i].kind = (crn_tendon_part_kind)(next_byte(&s->in) % (CRN_TENDON_PART_KIND_COUNT + 1U));
            part[i].joint = (int)(next_byte(&s->in) % 5U) - 1;
            part[i].site = (int)(next_byte(&s->in) % 5U) - 1;
            part[i].factor = next_number(&s->in);
            part[i].radius = next_number(&s->in);
        }
        tendon.part = part;
        tendon.parts = 1 + (int)(next_byte(&s->in) % 2U);
        tendon.stiffness = next_number(&s->in);
        told(crn_tendon_create(s->world, &tendon, NULL, &error), &error);
        break;
    }
}

static void destroy_something(sequence *s)
{
    crn_error error;
    switch (next_byte(&s->in) % 4U) {
    case 0: told(crn_body_destroy(s->world, s->body[next_place(s)], &error), &error); break;
    case 1: told(crn_joint_destroy(s->world, s->joint[next_place(s)], &error), &error); break;
    case 2: told(crn_site_destroy(s->world, s->site[next_place(s)], &error), &error); break;
    default: told(crn_load_destroy(s->world, s->load[next_place(s)], &error), &error); break;
    }
}

/* --- Changing and asking --- */

static void change(sequence *s)
{
    crn_body_id body = s->body[next_place(s)];
    crn_joint_id joint = s->joint[next_place(s)];
    crn_pose pose = next_pose(&s->in);
    crn_twist twist = {next_vector(&s->in), next_vector(&s->in)};
    double values[8] = {next_number(&s->in), next_number(&s->in), next_number(&s->in)};
    crn_pair_def pair = crn_pair_def_default();
    crn_error error;
    ++calls_made;
    switch (next_byte(&s->in) % 10U) {
    case 0: (void)crn_body_set_pose(s->world, body, &pose); break;
    case 1: (void)crn_body_set_velocity(s->world, body, &twist); break;
    case 2: (void)crn_body_apply_force(s->world, body, twist.angular, pose.position); break;
    case 3: (void)crn_body_apply_torque(s->world, body, pose.position); break;
    case 4: (void)crn_joint_apply_force(s->world, joint, (int)(next_byte(&s->in) % 4U) - 1, values[0]); break;
    case 5: (void)crn_joint_set_velocity(s->world, joint, values); break;
    case 6: (void)crn_joint_set_coordinate(s->world, joint, values); break;
    case 7: (void)crn_world_set_control(s->world, (int)(next_byte(&s->in) % 4U) - 1, values[0]); break;
    case 8:
        pair.friction = values[0];
        pair.collides = values[1] > 0.0;
        told(crn_world_set_pair(s->world, body, s->body[next_place(s)], &pair, &error), &error);
        break;
    default: (void)crn_body_set_motion(s->world, body, NULL, NULL); break;
    }
}

static bool is_finite_vector(crn_vec3 v)
{
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

static void ask(sequence *s)
{
    crn_body_id body = s->body[next_place(s)];
    crn_joint_id joint = s->joint[next_place(s)];
    crn_site_id site = s->site[next_place(s)];
    crn_pose pose;
    crn_twist twist;
    crn_vec3 v, w;
    crn_mat3 inertia;
    double values[16], mass;
    int count = 0;
    ++calls_made;
    if (crn_body_pose(s->world, body, &pose) == CRN_OK && !s->has_diverged) {
        demand(is_finite_vector(pose.position), "a pose is not finite");
    }
    if (crn_body_velocity(s->world, body, &twist) == CRN_OK && !s->has_diverged) {
        demand(is_finite_vector(twist.linear), "a velocity is not finite");
    }
    (void)crn_body_mass(s->world, body, &mass, &v, &inertia);
    (void)crn_body_contact_force(s->world, body, &v, &w);
    (void)crn_pair_contact_force(s->world, body, s->body[next_place(s)], &v, &w);
    (void)crn_joint_coordinate(s->world, joint, values, values + 8);
    (void)crn_joint_velocity(s->world, joint, values);
    (void)crn_joint_force(s->world, joint, &v, &w);
    (void)crn_joint_error(s->world, joint, &values[0], &values[1]);
    (void)crn_site_pose(s->world, site, &pose);
    (void)crn_site_velocity(s->world, site, &twist);
    (void)crn_tendon_length(s->world, (int)(next_byte(&s->in) % 3U) - 1, &values[0], &values[1]);
    (void)crn_actuator_force(s->world, (int)(next_byte(&s->in) % 3U) - 1, &values[0]);
    (void)crn_world_contacts(s->world, &count);
    (void)crn_contact_force_on(s->world, (int)(next_byte(&s->in) % 5U) - 1, body, &v, &w);
    (void)crn_world_events(s->world, &count);
    (void)crn_world_start_overlaps(s->world, &count);
    (void)crn_body_name(s->world, body);
    (void)crn_world_find_body(s->world, "a");
    crn_probe_def probe = {.kind = (crn_probe_kind)(next_byte(&s->in) % (CRN_PROBE_KIND_COUNT + 1U)),
                           .target = (int)(next_byte(&s->in) % 6U) - 1};
    (void)crn_world_probe(s->world, &probe, values);
}

static void query(sequence *s)
{
    crn_ray ray = {.from = next_vector(&s->in), .direction = {0, 0, -1}, .reach = 10.0};
    crn_query_filter filter = crn_query_filter_default();
    crn_query_shape met;
    crn_ray_hit hit;
    crn_mechanism_report report;
    crn_error error;
    double depth;
    ++calls_made;
    (void)crn_world_cast_ray(s->world, &ray, &filter, &met, &hit);
    (void)crn_world_overlap(s->world, &depth, NULL, NULL);
    if (crn_world_mechanisms(s->world) > 0) {
        told(crn_world_mechanism(s->world, (int)(next_byte(&s->in) % 3U) - 1, &report, &error), &error);
    }
    (void)crn_world_hash(s->world);
}

static void save_or_restore(sequence *s)
{
    crn_error error;
    if (next_byte(&s->in) < 128 || s->snapshot == NULL) {
        size_t size = crn_world_snapshot_size(s->world);
        if (size <= SNAPSHOT) {
            free(s->snapshot);
            s->snapshot = malloc(size + 1);
            s->snapshot_size = size;
            told(crn_world_save(s->world, s->snapshot, size, &error), &error);
        }
    } else {
        size_t cut = next_byte(&s->in) > 200 ? next_byte(&s->in) : 0U; /* sometimes bytes are missing or changed */
        if (next_byte(&s->in) > 220 && s->snapshot_size > 8) {
            ((unsigned char *)s->snapshot)[next_byte(&s->in) * 7U % s->snapshot_size] ^= 0x55U;
        }
        told(crn_world_restore(s->world, s->snapshot, cut < s->snapshot_size ? s->snapshot_size - cut : 0, &error),
             &error);
    }
}

static void use_robot(sequence *s)
{
    crn_error error;
    if (s->robot == NULL) {
        told(crn_robot_create(s->world, s->body[next_place(s)], &s->robot, &error), &error);
        return;
    }
    int links = crn_robot_links(s->robot);
    size_t n = (size_t)crn_robot_coordinates(s->robot) + (size_t)crn_robot_velocities(s->robot) + 8;
    double *room = calloc(n * n, sizeof *room);
    ++calls_made;
    if (room != NULL) {
        (void)crn_robot_state(s->robot, room, room + n);
        (void)crn_robot_mass_matrix(s->robot, room);
        (void)crn_robot_bias(s->robot, room);
        (void)crn_robot_gravity(s->robot, room);
        (void)crn_robot_contact_force(s->robot, room);
        (void)crn_robot_momentum(s->robot, room);
        (void)crn_robot_body(s->robot, (int)(next_byte(&s->in) % 5U) - 1);
        demand(links >= 0, "links of a robot");
    }
    free(room);
    if (next_byte(&s->in) > 128) {
        crn_robot_destroy(s->robot);
        s->robot = NULL;
    }
}

static void step(sequence *s)
{
    static const double sizes[] = {0.01, 0.001, 0.1, 0.0, -1.0};
    crn_error error;
    crn_step_stats stats;
    unsigned which = next_byte(&s->in);
    double dt = which < 240 ? sizes[which % 3U] : which < 250 ? sizes[3U + which % 2U] : next_number(&s->in);
    crn_status status = crn_world_step(s->world, dt, &stats, &error);
    told(status, &error);
    s->has_diverged = s->has_diverged || status == CRN_ERR_DIVERGED;
}

static void one_call(sequence *s)
{
    switch (next_byte(&s->in) % 16U) {
    case 0:
    case 1:
    case 2: create_body(s); break;
    case 3:
    case 4: create_joint(s); break;
    case 5: create_rest(s); break;
    case 6: destroy_something(s); break;
    case 7:
    case 8: change(s); break;
    case 9: ask(s); break;
    case 10: query(s); break;
    case 11: save_or_restore(s); break;
    case 12: use_robot(s); break;
    default: step(s); break;
    }
}

static void print_calls(void)
{
    fprintf(stderr, "fuzz_api: %llu calls\n", calls_made);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static bool is_counting;
    if (!is_counting && getenv("CAIRN_FUZZ_CALLS") != NULL) {
        (void)atexit(print_calls);
    }
    is_counting = true;
    sequence s = {.in = {bytes, bytes + size}};
    crn_world_def def = crn_world_def_default();
    crn_error error;
    unsigned flags = next_byte(&s.in);
    def.is_planar = s.is_planar = (flags & 1U) != 0;
    def.gravity = s.is_planar ? (crn_vec3){0, -9.81, 0} : (crn_vec3){0, 0, -9.81};
    def.cone = (flags & 2U) != 0 ? CRN_CONE_POLYGON : CRN_CONE_ROUND;
    def.scheme = (crn_scheme)(flags / 4U % CRN_SCHEME_COUNT);
    told(crn_world_create(&def, NULL, &s.world, &error), &error);
    for (int i = 0; i < MOST_CALLS && s.in.at < s.in.end && s.world != NULL; ++i) {
        one_call(&s);
    }
    crn_robot_destroy(s.robot);
    crn_world_destroy(s.world);
    free(s.snapshot);
    return 0;
}
