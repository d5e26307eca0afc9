/* Loops that do not fit exactly: linkages whose axes are tilted, that are closed by more than it takes, that pass poses where
 * their cranks are in line, and joints that are all rows.
 *
 * What fits within the clearance moves as the planar linkage does; what does not jams there and is told. Energy is counted
 * from the start, where everything rests, and is never above it. */
#include "test_allocator.h"
#include "tree_case.h"

static const double clearance = 3e-4; /* of the loop's size: the default */
static const double gain_most = 1e-9; /* of the energy that a motion moves to and fro */

/* --- Four bars --- */

typedef struct linkage {
    crn_vec3 ground, crank, coupler,
        rocker;  /* pins: crank on the ground, crank and coupler, coupler and rocker, rocker on it */
    double tilt; /* of two axes [rad] */
    crn_joint_kind closed_by;
    int times; /* that the loop is said */
    bool as_rows;
} linkage;

static linkage usual_linkage(double tilt)
{
    return (linkage){.ground = {0, 0, 1},
                     .crank = {0.1, 0, 1.2},
                     .coupler = {0.6, 0, 1.3},
                     .rocker = {0.5, 0, 1},
                     .tilt = tilt,
                     .closed_by = CRN_JOINT_BALL,
                     .times = 1};
}

static void join(crn_model *model, const linkage *l, crn_joint_kind kind, int a, int b, crn_vec3 point, crn_vec3 axis)
{
    crn_joint_def def = tree_joint(model, kind, a, b, point, crn_v3_unit(axis));
    def.in_tree = false;
    def.as_rows = l->as_rows;
    tree_add(model, &def);
}

/* Joints: 0 crank, 1 coupler, 2 rocker; then what closes the loop. */
static crn_model *linkage_model(const linkage *l)
{
    crn_model *model = tree_model(tree_down);
    int crank = tree_rod(model, l->ground, l->crank, 2.0 * physics_distance(l->ground, l->crank));
    int coupler = tree_rod(model, l->crank, l->coupler, 2.0 * physics_distance(l->crank, l->coupler));
    int rocker = tree_rod(model, l->rocker, l->coupler, 2.0 * physics_distance(l->rocker, l->coupler));
    join(model, l, CRN_JOINT_HINGE, -1, crank, l->ground, tree_y);
    join(model, l, CRN_JOINT_HINGE, crank, coupler, l->crank, (crn_vec3){l->tilt, 1.0, 0.0});
    join(model, l, CRN_JOINT_HINGE, -1, rocker, l->rocker, (crn_vec3){0.0, 1.0, l->tilt});
    for (int i = 0; i < l->times; ++i) {
        join(model, l, l->closed_by, coupler, rocker, l->coupler, tree_y);
    }
    return model;
}

/* Half of the way round. */
static double linkage_size(const linkage *l)
{
    return 0.5 * (physics_distance(l->ground, l->crank) + physics_distance(l->crank, l->coupler) +
                  physics_distance(l->coupler, l->rocker) + physics_distance(l->rocker, l->ground));
}

/* --- A run --- */

typedef struct run {
    crn_world *world;
    double start, highest, lowest; /* energy [J] */
    double moved;                  /* largest kinetic energy [J] */
    double turned;                 /* largest angle of joint 0 [rad] */
    double used;                   /* most that was open, of the clearance */
    double error;                  /* of what is held */
    int steps;
    crn_step_stats last;
} run;

static double rest_energy(const crn_world *world)
{
    double sum = 0.0, mass;
    for (int i = 0; i < crn_world_bodies(world); ++i) {
        assert_int_equal(crn_body_mass(world, crn_world_body(world, i + 1), &mass, NULL, NULL), CRN_OK);
        sum += mass * PHYSICS_G * physics_pose(world, i).position.z;
    }
    return sum;
}

static run run_begin(crn_model *model)
{
    run r = {.world = physics_world(model)};
    r.start = r.highest = r.lowest = rest_energy(r.world);
    return r;
}

static void run_for(run *r, double h, double seconds)
{
    for (int k = 0; k < (int)lround(seconds / h); ++k, ++r->steps) {
        r->last = tree_step(r->world, h);
        double energy = r->last.kinetic + r->last.potential;
        r->highest = fmax(r->highest, energy);
        r->lowest = fmin(r->lowest, energy);
        r->moved = fmax(r->moved, r->last.kinetic);
        r->turned = fmax(r->turned, fabs(tree_coordinate(r->world, 0)));
        r->error = fmax(r->error, r->last.loop_error);
        if (r->last.loop_clearance > 0.0) {
            r->used = fmax(r->used, r->last.loop_opening / r->last.loop_clearance);
        }
    }
}

/* Energy never above the start, held directions closed, joints within the clearance. */
static void run_judge(const run *r, const char *name)
{
    physics_at_most(name, "energy above the start, of what moves", (r->highest - r->start) / r->moved, gain_most);
    physics_at_most(name, "error of what is held [m, rad]", r->error, 1e-6);
    physics_at_most(name, "opened, of the clearance", r->used, 1.01);
}

static crn_mechanism_report report_of(crn_world *world)
{
    crn_mechanism_report report;
    assert_int_equal(crn_world_mechanisms(world), 1);
    TREE_CHECK(crn_world_mechanism(world, 0, &report, error));
    return report;
}

/* --- Tilted axes --- */

static double swung(const linkage *l, double h, const char *name, bool *is_jammed)
{
    run r = run_begin(linkage_model(l));
    run_for(&r, h, 3.0);
    run_judge(&r, name);
    double angle = tree_coordinate(r.world, 0);
    crn_mechanism_report report = report_of(r.world);
    *is_jammed = report.is_jammed;
    physics_figure(name, "clearance of the loop [m]", report.clearance, clearance * linkage_size(l), 1e-12);
    print_message("%s: %d rows, %d held, %d loose, %d null; opened %.3g of the clearance, lost %.3g J of %.3g\n", name,
                  report.rows, report.held, report.loose, report.none, r.used, r.start - r.lowest, r.moved);
    crn_world_destroy(r.world);
    return angle;
}

/* Stood for ever at every tilt: the row across the plane was compared with its own length, 1e-9. */
static void check_tilts(crn_joint_kind closed_by, int times, double h, double within)
{
    linkage l = usual_linkage(0.0);
    char name[80];
    bool is_jammed;
    l.closed_by = closed_by;
    l.times = times;
    (void)snprintf(name, sizeof name, "four-bar, %s %d times, h %g", crn_joint_kind_name(closed_by), times, h);
    double planar = swung(&l, h, name, &is_jammed);
    assert_true(!is_jammed && fabs(planar) > 0.5);
    const double small[] = {1e-9, 1e-6, 1e-4}, large[] = {1e-3, 1e-2};
    for (int i = 0; i < 3; ++i) {
        (void)snprintf(name, sizeof name, "four-bar, %s %d times, tilt %g, h %g", crn_joint_kind_name(closed_by), times,
                       small[i], h);
        l.tilt = small[i];
        physics_figure(name, "angle [rad]", swung(&l, h, name, &is_jammed), planar, within);
        assert_false(is_jammed);
    }
    for (int i = 0; i < 2; ++i) {
        (void)snprintf(name, sizeof name, "four-bar, %s %d times, tilt %g, h %g", crn_joint_kind_name(closed_by), times,
                       large[i], h);
        l.tilt = large[i];
        (void)swung(&l, h, name, &is_jammed);
        assert_true(is_jammed);
    }
}

static void test_tilted_four_bars(void **state)
{
    (void)state;
    check_tilts(CRN_JOINT_BALL, 1, 0.001, 1e-4);
    check_tilts(CRN_JOINT_BALL, 1, 0.01, 1e-4);
    check_tilts(CRN_JOINT_BALL, 2, 0.001, 1e-4);
}

static void test_hinge_closed(void **state)
{
    (void)state;
    check_tilts(CRN_JOINT_HINGE, 1, 0.001, 1e-3);
}

/* More clearance lets it pass; none at all holds it where it is. */
static void test_clearance_is_a_setting(void **state)
{
    (void)state;
    linkage l = usual_linkage(1e-3);
    crn_model *model = linkage_model(&l);
    crn_model_world(model)->loop_clearance = 2e-3;
    run r = run_begin(model);
    run_for(&r, 0.001, 3.0);
    run_judge(&r, "tilt 1e-3, clearance 2e-3");
    bool is_jammed;
    linkage flat = usual_linkage(0.0);
    physics_figure("tilt 1e-3, clearance 2e-3", "angle [rad]", tree_coordinate(r.world, 0),
                   swung(&flat, 0.001, "tilt 0", &is_jammed), 2e-3);
    crn_world_destroy(r.world);
    l.tilt = 1e-6;
    model = linkage_model(&l);
    crn_model_world(model)->loop_clearance = -1.0;
    r = run_begin(model);
    run_for(&r, 0.001, 0.5);
    physics_at_most("tilt 1e-6, no clearance", "angle [rad]", fabs(tree_coordinate(r.world, 0)), 1e-3);
    assert_int_equal(r.last.loop_held, 3);
    crn_world_destroy(r.world);
}

static double uniform(unsigned *seed, double from, double to)
{
    *seed = *seed * 1664525u + 1013904223u;
    return from + (to - from) * (*seed >> 8) / 16777216.0;
}

static linkage random_linkage(unsigned *seed)
{
    linkage l = usual_linkage(0.0);
    double ground = uniform(seed, 0.3, 0.7), crank = uniform(seed, 0.1, 0.25), angle = uniform(seed, 0.2, 2.8);
    double coupler = uniform(seed, 0.5, 0.8), rocker = uniform(seed, 0.4, 0.7);
    l.crank = (crn_vec3){crank * cos(angle), 0.0, 1.0 + crank * sin(angle)};
    l.rocker = (crn_vec3){ground, 0.0, 1.0};
    double apart = physics_distance(l.crank, l.rocker);
    double along = 0.5 * (apart + (coupler * coupler - rocker * rocker) / apart);
    double across = sqrt(fmax(coupler * coupler - along * along, 1e-3));
    crn_vec3 way = crn_v3_scale(1.0 / apart, crn_v3_sub(l.rocker, l.crank)), up = {-way.z, 0.0, way.x};
    l.coupler = crn_v3_axpy(crn_v3_axpy(l.crank, along, way), across, up);
    const double tilts[] = {0.0, 1e-9, 1e-6, 1e-4, 1e-3, 1e-2};
    l.tilt = tilts[(int)uniform(seed, 0.0, 5.999)];
    l.times = uniform(seed, 0.0, 1.0) < 0.5 ? 1 : 2;
    return l;
}

/* How far the crank gets in a second. */
static double random_run(const linkage *l, double h, const char *name)
{
    run r = run_begin(linkage_model(l));
    run_for(&r, h, 1.0);
    run_judge(&r, name);
    crn_world_destroy(r.world);
    return r.turned;
}

static void test_random_four_bars(void **state)
{
    (void)state;
    const double fits = 1e-4, steps[] = {0.01, 0.001};
    unsigned seed = 20261116;
    for (int i = 0; i < 80; ++i) {
        char name[80];
        linkage l = random_linkage(&seed), flat = l;
        double h = steps[i % 2];
        flat.tilt = 0.0;
        (void)snprintf(name, sizeof name, "random four-bar %d, tilt %g, h %g", i, l.tilt, h);
        double turned = random_run(&l, h, name), planar = random_run(&flat, h, name);
        if (l.tilt <= fits) {
            physics_figure(name, "crank turned by [rad]", turned, planar, 1e-3 + 1e-3 * planar);
        } else {
            physics_at_most(name, "crank turned, short of 1 mrad by [rad]", 1e-3 - turned, 0.0);
        }
    }
}

/* --- Closed by other joints --- */

/* A crank and a rod whose far end slides along x on the ground: the slider closes the loop (5 rows, 2 needed). */
static crn_model *slider_crank_model(double tilt)
{
    crn_model *model = tree_model(tree_down);
    linkage l = {0};
    crn_vec3 foot = {0, 0, 0}, pin = {0.1, 0, 0.15}, end = {0.6, 0, 0};
    int crank = tree_rod(model, foot, pin, 0.4), rod = tree_rod(model, pin, end, 1.0);
    int block = tree_body(model, (crn_pose){end, {1, 0, 0, 0}}, 0.5, tree_diagonal(1e-3, 1e-3, 1e-3));
    join(model, &l, CRN_JOINT_HINGE, -1, crank, foot, tree_y);
    join(model, &l, CRN_JOINT_HINGE, crank, rod, pin, (crn_vec3){tilt, 1.0, 0.0});
    join(model, &l, CRN_JOINT_HINGE, rod, block, end, (crn_vec3){0.0, 1.0, tilt});
    join(model, &l, CRN_JOINT_SLIDER, -1, block, end, tree_x);
    return model;
}

/* The four-bar with its coupler in two halves that are welded together (6 rows, 3 needed). */
static crn_model *welded_model(double tilt)
{
    crn_model *model = tree_model(tree_down);
    linkage l = usual_linkage(tilt);
    crn_vec3 middle = crn_v3_scale(0.5, crn_v3_add(l.crank, l.coupler));
    int crank = tree_rod(model, l.ground, l.crank, 0.4), near = tree_rod(model, l.crank, middle, 0.5);
    int rocker = tree_rod(model, l.rocker, l.coupler, 0.6), far = tree_rod(model, l.coupler, middle, 0.5);
    join(model, &l, CRN_JOINT_HINGE, -1, crank, l.ground, tree_y);
    join(model, &l, CRN_JOINT_HINGE, crank, near, l.crank, (crn_vec3){tilt, 1.0, 0.0});
    join(model, &l, CRN_JOINT_HINGE, -1, rocker, l.rocker, (crn_vec3){0.0, 1.0, tilt});
    join(model, &l, CRN_JOINT_HINGE, rocker, far, l.coupler, tree_y);
    join(model, &l, CRN_JOINT_FIXED, near, far, middle, tree_z);
    return model;
}

static void check_closed(const char *name, crn_model *(*make)(double tilt), int rows, int needed)
{
    const double tilts[] = {0.0, 1e-9, 1e-6, 1e-4};
    double planar = 0.0;
    for (int i = 0; i < 4; ++i) {
        run r = run_begin(make(tilts[i]));
        run_for(&r, 0.001, 2.0);
        run_judge(&r, name);
        double angle = tree_coordinate(r.world, 0);
        planar = i == 0 ? angle : planar;
        physics_figure(name, "angle [rad]", angle, planar, 1e-3);
        assert_int_equal(r.last.loop_rows, rows);
        assert_int_equal(r.last.loop_held, needed);
        assert_true(r.turned > 0.3);
        crn_world_destroy(r.world);
    }
}

static void test_closed_by_others(void **state)
{
    (void)state;
    check_closed("slider crank", slider_crank_model, 5, 2);
    check_closed("welded coupler", welded_model, 6, 3);
}

/* --- Cranks in line --- */

/* Cranks of 0.2 m side by side, `count` of them, that carry a bar; they fall from 80 degrees and pass the line. */
static crn_model *cranks_model(int count, int times)
{
    const double length = 0.2, apart = 0.3, angle = 80.0 * PHYSICS_PI / 180.0;
    crn_vec3 arm = {length * sin(angle), 0.0, length * cos(angle)};
    crn_model *model = tree_model(tree_down);
    crn_vec3 far = {apart * (count - 1), 0.0, 0.0};
    int bar = tree_rod(model, arm, crn_v3_add(arm, far), 1.0);
    for (int i = 0; i < count; ++i) {
        crn_vec3 foot = {apart * i, 0.0, 0.0}, head = crn_v3_add(foot, arm);
        int crank = tree_rod(model, foot, head, 0.5);
        tree_join(model, CRN_JOINT_HINGE, -1, crank, foot, tree_y);
        for (int k = 0; k < (i == 0 ? 1 : times); ++k) {
            crn_joint_def def = tree_joint(model, CRN_JOINT_HINGE, crank, bar, head, tree_y);
            def.in_tree = i == 0;
            tree_add(model, &def);
        }
    }
    return model;
}

static double spread(const crn_world *world, int count, int times)
{
    double worst = 0.0;
    for (int i = 1; i < count; ++i) {
        double other = tree_coordinate(world, 2 + (i - 1) * (1 + times));
        worst = fmax(worst, fabs(other - tree_coordinate(world, 0)));
    }
    return worst;
}

static void check_cranks(int count, int times, double h, double lost_most, double spread_most)
{
    char name[80];
    (void)snprintf(name, sizeof name, "%d cranks, loops said %d times, h %g", count, times, h);
    run r = run_begin(cranks_model(count, times));
    double worst = 0.0, far = 0.0;
    for (int k = 0; k < 20; ++k) {
        run_for(&r, h, 0.1);
        worst = fmax(worst, spread(r.world, count, times));
        far = fmax(far, fabs(tree_coordinate(r.world, 0)));
    }
    run_judge(&r, name);
    physics_at_most(name, "cranks, not parallel by [rad]", worst, spread_most);
    physics_at_most(name, "energy lost, of what moved", (r.start - r.last.kinetic - r.last.potential) / r.moved,
                    lost_most);
    assert_true(far > 0.2);
    crn_world_destroy(r.world);
}

static void test_cranks_in_line(void **state)
{
    (void)state;
    check_cranks(2, 1, 0.01, 0.5, 0.05);
    check_cranks(2, 1, 0.001, 0.05, 0.01);
    check_cranks(2, 1, 0.0001, 0.01, 0.005);
    check_cranks(4, 1, 0.01, 0.9, 0.05);
    check_cranks(4, 1, 0.001, 0.2, 0.01);
    check_cranks(4, 2, 0.001, 0.2, 0.01);
}

/* --- Joints that are all rows --- */

/* A zigzag of hinges from the origin, in trees or as rows. */
static crn_model *zigzag_model(int links, bool as_rows)
{
    crn_model *model = tree_model(tree_down);
    linkage l = {.as_rows = as_rows};
    crn_vec3 at = {0, 0, 0};
    for (int i = 0; i < links; ++i) {
        crn_vec3 end = {at.x + 0.1 * cos(0.3), 0.0, at.z + (i % 2 == 0 ? 0.1 : -0.1) * sin(0.3)};
        int rod = tree_rod(model, at, end, 0.1);
        join(model, &l, CRN_JOINT_HINGE, rod - 1, rod, at, tree_y);
        at = end;
    }
    return model;
}

/* Largest distance of bodies of the same chain in trees and as rows, after 0.3 s. */
static double rows_apart(int links, double h)
{
    run tree = run_begin(zigzag_model(links, false)), rows = run_begin(zigzag_model(links, true));
    run_for(&tree, h, 0.3);
    run_for(&rows, h, 0.3);
    assert_int_equal(rows.last.loop_held, 5 * links);
    assert_int_equal(rows.last.loop_rows, 5 * links);
    run_judge(&rows, "zigzag as rows");
    double worst = 0.0;
    for (int i = 0; i < links; ++i) {
        worst =
            fmax(worst, physics_distance(physics_pose(tree.world, i).position, physics_pose(rows.world, i).position));
    }
    crn_world_destroy(tree.world);
    crn_world_destroy(rows.world);
    return worst;
}

static void test_rows_are_trees(void **state)
{
    (void)state;
    for (int links = 5; links <= 20; links += 15) {
        double coarse = rows_apart(links, 0.004), fine = rows_apart(links, 0.001);
        print_message("%d hinges: rows and tree are apart by %.3g m at 4 ms, %.3g m at 1 ms\n", links, coarse, fine);
        physics_at_most("hinges as rows", "apart from the tree at 1 ms [m]", fine, 1e-3);
        physics_at_most("hinges as rows", "apart at 1 ms, of that at 4 ms", fine / coarse, 1.0 / 8.0); /* h^2: 1/16 */
    }
}

/* Rods on joints of all kinds, one after another. */
static crn_model *kinds_model(bool as_rows)
{
    static const crn_joint_kind kind[] = {CRN_JOINT_HINGE,  CRN_JOINT_BALL,      CRN_JOINT_FIXED,
                                          CRN_JOINT_SLIDER, CRN_JOINT_UNIVERSAL, CRN_JOINT_HINGE};
    crn_model *model = tree_model(tree_down);
    linkage l = {.as_rows = as_rows};
    crn_vec3 at = {0, 0, 0};
    for (int i = 0; i < 6; ++i) {
        crn_vec3 end = {at.x + 0.1, 0.03 * (i % 3 - 1), at.z - 0.05};
        int rod = tree_rod(model, at, end, 0.1 + 0.1 * i);
        join(model, &l, kind[i], rod - 1, rod, at, (crn_vec3){0.1, 1.0, 0.2});
        at = end;
    }
    return model;
}

static double kinds_apart(double h)
{
    run tree = run_begin(kinds_model(false)), rows = run_begin(kinds_model(true));
    run_for(&tree, h, 0.2);
    run_for(&rows, h, 0.2);
    run_judge(&rows, "all kinds as rows");
    assert_int_equal(rows.last.loop_rows, rows.last.loop_held);
    double worst = 0.0;
    for (int i = 0; i < 6; ++i) {
        worst =
            fmax(worst, physics_distance(physics_pose(tree.world, i).position, physics_pose(rows.world, i).position));
    }
    crn_world_destroy(tree.world);
    crn_world_destroy(rows.world);
    return worst;
}

static void test_all_kinds_of_rows(void **state)
{
    (void)state;
    double coarse = kinds_apart(0.004), fine = kinds_apart(0.001);
    print_message("all kinds: rows and tree are apart by %.3g m at 4 ms, %.3g m at 1 ms\n", coarse, fine);
    physics_at_most("all kinds as rows", "apart from the tree at 1 ms [m]", fine, 1e-4);
    physics_at_most("all kinds as rows", "apart at 1 ms, of that at 4 ms", fine / coarse, 1.0 / 8.0);
}

static void test_four_bar_of_rows(void **state)
{
    (void)state;
    linkage l = usual_linkage(0.0);
    bool is_jammed;
    double tree = swung(&l, 0.001, "four-bar", &is_jammed);
    l.as_rows = true;
    for (int i = 0; i < 3; ++i) {
        const double tilts[] = {0.0, 1e-6, 1e-4};
        l.tilt = tilts[i];
        run r = run_begin(linkage_model(&l));
        run_for(&r, 0.001, 3.0);
        run_judge(&r, "four-bar of rows");
        physics_figure("four-bar of rows", "angle [rad]", tree_coordinate(r.world, 0), tree, 0.02);
        crn_world_destroy(r.world);
    }
}

/* A disk on a stick that stands on a ball joint of rows: it precesses at the rate of the heavy top, found from
 * (I1 cos - ...) W^2 - I3 w3 W + m g d = 0. */
static double precession(double h, double *expected)
{
    const double m = 1.0, d = 0.3, I1 = 0.005625, I3 = 0.01125, tilt = 0.6, spin = 200.0;
    double across = I1 + m * d * d, b = I3 * spin;
    double W = (b - sqrt(b * b - 4.0 * across * cos(tilt) * m * PHYSICS_G * d)) / (2.0 * across * cos(tilt));
    crn_model *model = tree_model(tree_down);
    crn_vec3 axis = {sin(tilt), 0.0, cos(tilt)}, at = crn_v3_scale(d, axis);
    crn_body_def def = crn_body_def_default();
    /* w = W z + s axis with spin = w . axis: s = spin - W cos */
    crn_vec3 w = crn_v3_axpy(crn_v3(0, 0, W), spin - W * cos(tilt), axis);
    def.pose = (crn_pose){at, tree_turn_to(axis)};
    def.mass = m;
    def.inertia = tree_diagonal(I1, I1, I3);
    def.angular = w;
    def.velocity = crn_v3_cross(w, at);
    int top = -1;
    TREE_CHECK(crn_model_add_body(model, &def, &top, error));
    linkage l = {.as_rows = true};
    join(model, &l, CRN_JOINT_BALL, -1, top, tree_nothing, tree_z);
    crn_world *world = physics_world(model);
    double turned = 0.0, last = 0.0;
    int steps = (int)lround(2.0 / h);
    for (int k = 0; k < steps; ++k) {
        (void)tree_step(world, h);
        crn_vec3 p = physics_pose(world, top).position;
        double angle = atan2(p.y, p.x);
        turned += remainder(angle - last, 2.0 * PHYSICS_PI);
        last = angle;
    }
    crn_world_destroy(world);
    *expected = W;
    return turned / (steps * h);
}

static void test_top_of_rows(void **state)
{
    (void)state;
    const double steps[] = {0.01, 0.005, 0.001};
    for (int i = 0; i < 3; ++i) {
        double expected, found = precession(steps[i], &expected);
        char name[40];
        (void)snprintf(name, sizeof name, "top on rows, h %g", steps[i]);
        physics_figure(name, "precession [rad/s]", found, expected, 0.01 * expected);
    }
}

/* --- Forces --- */

/* A loop said twice: each half of the force, and together what holds the rocker up; was divided by rounding. */
static void test_forces_of_doubled_loops(void **state)
{
    (void)state;
    double whole[3], sum[3] = {0, 0, 0};
    for (int times = 1; times <= 2; ++times) {
        linkage l = usual_linkage(times == 1 ? 0.0 : 1e-9);
        l.times = times;
        run r = run_begin(linkage_model(&l));
        run_for(&r, 0.001, 0.2);
        for (int i = 0; i < times; ++i) {
            crn_vec3 force, torque;
            assert_int_equal(crn_joint_force(r.world, crn_world_joint(r.world, 4 + i), &force, &torque), CRN_OK);
            double share = crn_v3_length(force) / (times == 1 ? 1.0 : crn_v3_length(crn_v3_of(whole)));
            physics_figure("doubled loop", "share of the force", times == 1 ? 1.0 : share, 1.0 / times, 1e-6);
            crn_v3_to(times == 1 ? force : crn_v3_add(force, crn_v3_of(sum)), times == 1 ? whole : sum);
        }
        crn_world_destroy(r.world);
    }
    physics_at_most("doubled loop", "force, off by [N]", physics_distance(crn_v3_of(whole), crn_v3_of(sum)), 1e-6);
    assert_true(crn_v3_length(crn_v3_of(whole)) > 0.1);
}

/* --- Limits that loops hold --- */

/* A ball on a link of fixed length, and beside it on a rope of that length: the rope is taut and pushes nothing, as the link
 * holds. Its impulse was what rounding left of its row made it, 1e15 N s, and so was its work. */
static crn_model *link_and_rope(double length, double speed)
{
    crn_model *model = tree_model(tree_down);
    crn_body_def ball = crn_body_def_default();
    int body = -1;
    ball.pose.position = crn_v3(0.8 * length, 0, 1.0 - 0.6 * length);
    ball.mass = 1.0;
    ball.inertia = tree_diagonal(0.02, 0.02, 0.03);
    ball.velocity = crn_v3(0.6 * speed, speed, 0.8 * speed);
    ball.angular = crn_v3(1, 2, 3);
    TREE_CHECK(crn_model_add_body(model, &ball, &body, error));
    for (int i = 0; i < 2; ++i) {
        crn_joint_def def = tree_joint(model, CRN_JOINT_DISTANCE, -1, body, crn_v3(0, 0, 1), tree_y);
        def.frame_b.position = crn_v3(0, 0, 0);
        def.in_tree = false;
        def.length = length;
        if (i == 1) {
            def.axis[0].lower = 0.5 * length;
            def.axis[0].upper = length;
        }
        tree_add(model, &def);
    }
    return model;
}

static void test_limits_that_loops_hold(void **state)
{
    (void)state;
    const double lengths[] = {0.017, 0.3, 2.0}, speeds[] = {0.0, 0.1, 3.0};
    for (int i = 0; i < 9; ++i) {
        run r = run_begin(link_and_rope(lengths[i / 3], speeds[i % 3]));
        for (int k = 0; k < 200; ++k) {
            run_for(&r, 0.001, 0.001);
            assert_int_equal(r.last.verdict, CRN_VERDICT_CERTIFIED);
        }
        crn_world_destroy(r.world);
    }
}

/* --- What does not fit --- */

/* A second ball 1 mm beside the first: no motion closes both. It is told, and the linkage moves all the same. */
static void test_misfit_is_told(void **state)
{
    (void)state;
    linkage l = usual_linkage(0.0);
    crn_model *model = linkage_model(&l);
    crn_joint_def def = *crn_model_joint(model, 3);
    def.frame_b.position = crn_v3_add(def.frame_b.position, crn_v3(1e-3, 0, 0));
    tree_add(model, &def);
    run r = run_begin(model);
    run_for(&r, 0.001, 1.0);
    crn_mechanism_report report = report_of(r.world);
    physics_figure("balls 1 mm apart", "misfit of a row [m]", report.misfit, 0.45e-3, 0.15e-3); /* each by half of it */
    assert_true(report.misfit > report.misfit_allowed);
    physics_at_most("balls 1 mm apart", "opened, of the clearance", r.used, 1.01);
    assert_true(fabs(tree_coordinate(r.world, 0)) > 0.1);
    crn_world_destroy(r.world);
}

/* --- Snapshots, memory --- */

/* A linkage that comes to its stop is brought back in another world: the same bits, with stops and what was misfitting. */
static void test_snapshot_at_a_stop(void **state)
{
    (void)state;
    linkage l = usual_linkage(1e-3);
    crn_world *world = physics_world(linkage_model(&l)), *other = physics_world(linkage_model(&l));
    for (int k = 0; k < 130; ++k) {
        (void)tree_step(world, 0.001);
    }
    size_t size = crn_world_snapshot_size(world);
    void *data = malloc(size);
    assert_non_null(data);
    TREE_CHECK(crn_world_save(world, data, size, error));
    TREE_CHECK(crn_world_restore(other, data, size, error));
    for (int k = 0; k < 300; ++k) {
        (void)tree_step(world, 0.001);
        (void)tree_step(other, 0.001);
        assert_true(crn_world_hash(world) == crn_world_hash(other));
    }
    free(data);
    crn_world_destroy(world);
    crn_world_destroy(other);
}

/* Steps take no memory, also where directions are turned and stops push. */
static void test_steps_take_no_memory(void **state)
{
    (void)state;
    for (int i = 0; i < 2; ++i) {
        linkage l = usual_linkage(1e-3);
        crn_model *model = i == 0 ? linkage_model(&l) : zigzag_model(5, true);
        test_allocator counter = {0};
        crn_allocator hooks = test_allocator_hooks(&counter);
        crn_world *world = NULL;
        TREE_CHECK(crn_world_create_from(model, &hooks, &world, error));
        long calls = 0;
        for (int k = 0; k < 600; ++k) {
            (void)tree_step(world, 0.001);
            calls = k == 300 ? counter.calls : calls;
        }
        assert_int_equal(counter.calls, calls);
        crn_world_destroy(world);
        assert_int_equal(counter.live, 0);
        crn_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tilted_four_bars),        cmocka_unit_test(test_hinge_closed),
        cmocka_unit_test(test_clearance_is_a_setting),  cmocka_unit_test(test_random_four_bars),
        cmocka_unit_test(test_cranks_in_line),          cmocka_unit_test(test_rows_are_trees),
        cmocka_unit_test(test_four_bar_of_rows),        cmocka_unit_test(test_top_of_rows),
        cmocka_unit_test(test_forces_of_doubled_loops), cmocka_unit_test(test_limits_that_loops_hold),
        cmocka_unit_test(test_misfit_is_told),          cmocka_unit_test(test_closed_by_others),
        cmocka_unit_test(test_all_kinds_of_rows),       cmocka_unit_test(test_snapshot_at_a_stop),
        cmocka_unit_test(test_steps_take_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
