/* contact_classes.c -- 14 classes of small contact problems: what makes them hard is a row of a table.
 *
 * 1 to 5 bodies in space or in the plane, 1 to 4 + 4 bodies contacts between them and the world, any normals, friction
 * polygons of 4 to 16 corners, up to three bilateral rows.
 *
 * Solvable by construction: each problem has a motion w with g_n >= mu |g_t| at every contact, g = J w + offset, and
 * B w + offset = 0 for every row without a bound. Then Coulomb's law has a solution with either cone
 * [docs/theory/bodies.md]. Classes without offsets have w = 0. */
#include <string.h>

#include "gallery_classes.h"
#include "gallery_contact.h"
#include "gallery_data.h"

enum { BODIES_MAX = 5, CONTACTS_MAX = 4 + 4 * BODIES_MAX, ROWS_MAX = 3 };

typedef struct traits {
    const char *name;
    bool is_lattice;      /* points, normals, speeds and frictions of few values, equal masses: ties abound */
    bool is_planar;       /* bodies in the plane, friction along one line */
    double repeated;      /* share of contacts that repeat an earlier one */
    double opposed;       /* share of contacts that face an earlier one from the other side */
    bool is_misaligned;   /* these two kinds are so by 1e-12 to 1e-2 */
    double mass_decades;  /* masses are 10^(+- that) */
    double friction_most; /* largest coefficient of friction */
    bool has_gaps;        /* offsets along normals, and along tangents as w makes them */
    bool has_belts;       /* surfaces move along tangents */
    bool has_rows;        /* bilateral rows, half of them with a bound */
} traits;

static const traits classes[CRN_GALLERY_CLASS_COUNT] = {
    {.name = "random", .mass_decades = 1.0, .friction_most = 2.0},
    {.name = "lattice", .is_lattice = true, .repeated = 0.1, .opposed = 0.2, .friction_most = 2.0},
    {.name = "redundant", .repeated = 0.4, .mass_decades = 1.0, .friction_most = 2.0},
    {.name = "near", .repeated = 0.4, .is_misaligned = true, .mass_decades = 1.0, .friction_most = 2.0},
    {.name = "opposed", .opposed = 0.4, .mass_decades = 1.0, .friction_most = 2.0},
    {.name = "nearly-opposed", .opposed = 0.4, .is_misaligned = true, .mass_decades = 1.0, .friction_most = 2.0},
    {.name = "masses", .mass_decades = 3.0, .friction_most = 2.0},
    {.name = "friction", .repeated = 0.1, .opposed = 0.1, .mass_decades = 1.0, .friction_most = 5.0},
    {.name = "gaps", .repeated = 0.1, .mass_decades = 1.0, .friction_most = 2.0, .has_gaps = true},
    {.name = "belts", .repeated = 0.1, .mass_decades = 1.0, .friction_most = 2.0, .has_gaps = true, .has_belts = true},
    {.name = "planar", .is_planar = true, .repeated = 0.1, .mass_decades = 1.0, .friction_most = 2.0},
    {.name = "planar-clamps",
     .is_planar = true,
     .repeated = 0.1,
     .opposed = 0.4,
     .mass_decades = 1.0,
     .friction_most = 5.0},
    {.name = "rows", .repeated = 0.1, .opposed = 0.1, .mass_decades = 1.0, .friction_most = 2.0, .has_rows = true},
    {.name = "all", .friction_most = 5.0}, /* the rest is drawn for each problem */
};

/* A problem's arrays, in one block. */
typedef struct arrays {
    crn_contact_body body[BODIES_MAX];
    crn_contact_point point[CONTACTS_MAX];
    crn_contact_row row[ROWS_MAX];
    double velocity[6 * BODIES_MAX];
    double jacobian[ROWS_MAX][2][6];
} arrays;

typedef struct maker {
    traits t;
    crn_random random;
    crn_contact_problem *problem;
    arrays *a;
    double w[BODIES_MAX][6]; /* angular, linear: the motion that shows that there is a solution; 0 without offsets */
} maker;

const char *crn_gallery_class_name(int number)
{
    return number >= 0 && number < CRN_GALLERY_CLASS_COUNT ? classes[number].name : NULL;
}

static double uniform(maker *m, double low, double high)
{
    return crn_random_uniform(&m->random, low, high);
}

static bool chance(maker *m, double share)
{
    return uniform(m, 0.0, 1.0) < share;
}

/* Uniform in (-1, 1), or one of -1, 0, 1. */
static double coordinate(maker *m)
{
    return m->t.is_lattice ? crn_random_below(&m->random, 3) - 1 : uniform(m, -1.0, 1.0);
}

/* In the unit cube, or in the plane z = 0. */
static crn_gallery_vec place(maker *m)
{
    double x = coordinate(m), y = coordinate(m);
    return crn_gallery_vec_of(x, y, m->t.is_planar ? 0.0 : coordinate(m));
}

static crn_gallery_vec direction(maker *m)
{
    const double too_short = 0.1; /* to be turned into a direction */
    crn_gallery_vec v = {0.0, 0.0, 0.0};
    while (crn_gallery_vec_dot(v, v) < too_short * too_short) {
        v = place(m);
    }
    return crn_gallery_vec_unit(v);
}

static double friction(maker *m)
{
    static const double few[4] = {0.25, 0.5, 1.0, 2.0};
    const double share_without = 0.1;
    if (chance(m, share_without)) {
        return 0.0;
    }
    return m->t.is_lattice ? few[crn_random_below(&m->random, 4)] : uniform(m, 0.0, m->t.friction_most);
}

static crn_gallery_vec vec_of(const double x[3])
{
    return crn_gallery_vec_of(x[0], x[1], x[2]);
}

static void write_vec(crn_gallery_vec v, double out[3])
{
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

/* --- bodies --- */

static void add_body(maker *m, int b)
{
    crn_contact_body *body = &m->a->body[b];
    double *v = m->a->velocity + b * (m->t.is_planar ? 3 : 6);
    *body = (crn_contact_body){.kind = m->t.is_planar ? CRN_MASS_PLANAR : CRN_MASS_RIGID,
                               .dof = m->t.is_planar ? 3 : 6,
                               .mass = crn_gallery_random_power(&m->random, -m->t.mass_decades, m->t.mass_decades),
                               .com = {3.0 * b, 0.0, 0.0}};
    for (int k = 0; k < 3; ++k) { /* any two exceed the third */
        body->inertia[4 * k] = body->mass * (m->t.is_lattice ? 1.0 : uniform(m, 0.3, 0.5));
    }
    for (int k = 0; k < body->dof; ++k) {
        v[k] = coordinate(m);
    }
    for (int k = 0; k < 6 && m->t.has_gaps; ++k) {
        bool is_in_plane = k >= 2 && k <= 4; /* w_z, v_x, v_y */
        m->w[b][k] = !m->t.is_planar || is_in_plane ? uniform(m, -1.0, 1.0) : 0.0;
    }
}

/* Velocity of body b (-1: the world) at a point in the motion w. */
static crn_gallery_vec speed_at(const maker *m, int b, crn_gallery_vec point)
{
    if (b < 0) {
        return crn_gallery_vec_of(0.0, 0.0, 0.0);
    }
    crn_gallery_vec arm = crn_gallery_vec_add(point, -1.0, vec_of(m->a->body[b].com));
    return crn_gallery_vec_add(vec_of(m->w[b] + 3), 1.0, crn_gallery_vec_cross(vec_of(m->w[b]), arm));
}

/* --- contacts --- */

/* Offsets with which w parts the contact by g_n >= mu |g_t|; half of the gaps are 0 in w. */
static void set_offsets(maker *m, crn_contact_point *p)
{
    crn_gallery_vec at = vec_of(p->position), u = speed_at(m, p->a, at);
    u = crn_gallery_vec_add(u, -1.0, speed_at(m, p->b, at));
    double gap = chance(m, 0.5) ? 0.0 : uniform(m, 0.0, 1.0), most = p->mu > gap ? gap / p->mu : 1.0;
    double angle = uniform(m, 0.0, 6.283185307179586),
           belt = m->t.has_belts ? uniform(m, 0.0, gap > 0.0 ? most : 0.0) : 0.0;
    p->offset[0] = gap - crn_gallery_vec_dot(u, vec_of(p->normal));
    p->offset[1] = belt * cos(angle) - crn_gallery_vec_dot(u, vec_of(p->t1));
    p->offset[2] = m->t.is_planar ? 0.0 : belt * sin(angle) - crn_gallery_vec_dot(u, vec_of(p->t2));
}

static void add_contact(maker *m, int a, int b, crn_gallery_vec point, crn_gallery_vec normal, double mu,
                        int directions)
{
    crn_contact_point *p = &m->a->point[m->problem->contacts++];
    crn_gallery_vec t1, t2;
    crn_gallery_tangents(normal, &t1, &t2);
    if (m->t.is_planar) {
        t1 = crn_gallery_vec_of(-normal.y, normal.x, 0.0);
        t2 = crn_gallery_vec_of(0.0, 0.0, 1.0);
    }
    *p = (crn_contact_point){.a = a, .b = b, .mu = mu, .directions = directions};
    write_vec(point, p->position);
    write_vec(normal, p->normal);
    write_vec(t1, p->t1);
    write_vec(t2, p->t2);
    if (m->t.has_gaps) {
        set_offsets(m, p);
    }
}

static void touch_anywhere(maker *m, int directions)
{
    int a = crn_random_below(&m->random, m->problem->bodies),
        b = crn_random_below(&m->random, m->problem->bodies + 1) - 1;
    crn_gallery_vec point = crn_gallery_vec_add(vec_of(m->a->body[a].com), 1.0, place(m));
    crn_gallery_vec normal = direction(m);
    add_contact(m, a, a == b ? -1 : b, point, normal, friction(m), directions);
}

/* An earlier contact once more, or against it from the other end of its line of action. */
static void touch_again(maker *m, bool is_opposed, int directions)
{
    crn_contact_point old = m->a->point[crn_random_below(&m->random, m->problem->contacts)];
    crn_gallery_vec point = vec_of(old.position), normal = vec_of(old.normal);
    if (is_opposed) {
        point = crn_gallery_vec_add(point, 1.0, normal);
        normal = crn_gallery_vec_scale(normal, -1.0);
    }
    if (m->t.is_misaligned) {
        double e = crn_gallery_random_power(&m->random, -12.0, -2.0);
        point = crn_gallery_vec_add(point, e, place(m));
        normal = crn_gallery_vec_unit(crn_gallery_vec_add(normal, e, place(m)));
    }
    add_contact(m, old.a, old.b, point, normal, is_opposed ? friction(m) : old.mu, directions);
}

static void add_contacts(maker *m)
{
    int count = 1 + crn_random_below(&m->random, 4 + 4 * m->problem->bodies);
    int directions = m->t.is_planar ? 2 : 4 + 2 * crn_random_below(&m->random, 7);
    touch_anywhere(m, directions);
    while (m->problem->contacts < count) {
        double dice = uniform(m, 0.0, 1.0);
        if (dice < m->t.repeated + m->t.opposed) {
            touch_again(m, dice >= m->t.repeated, directions);
        } else {
            touch_anywhere(m, directions);
        }
    }
}

/* --- rows --- */

static void add_row(maker *m)
{
    crn_contact_row *row = &m->a->row[m->problem->rows];
    double(*j)[6] = m->a->jacobian[m->problem->rows++];
    int a = crn_random_below(&m->random, m->problem->bodies),
        b = crn_random_below(&m->random, m->problem->bodies + 1) - 1;
    *row = (crn_contact_row){.a = a, .b = a == b ? -1 : b, .jacobian_a = j[0]};
    row->jacobian_b = row->b >= 0 ? j[1] : NULL;
    row->bound = chance(m, 0.5) ? uniform(m, 0.01, 1.0) : 0.0;
    for (int k = 0; k < m->a->body[a].dof; ++k) {
        int of_w = m->t.is_planar ? k + 2 : k;                             /* w_z, v_x, v_y are 2, 3, 4 */
        j[0][k] = coordinate(m) + (m->t.is_lattice && k == 0 ? 0.5 : 0.0); /* not all 0 */
        j[1][k] = row->b >= 0 ? coordinate(m) : 0.0;
        row->offset -= j[0][k] * m->w[a][of_w] + (row->b >= 0 ? j[1][k] * m->w[row->b][of_w] : 0.0);
    }
}

/* --- problems --- */

/* Traits of the class "all": each with chance one half. */
static void draw_traits(maker *m)
{
    m->t.is_lattice = chance(m, 0.25);
    m->t.is_planar = chance(m, 0.25);
    m->t.repeated = chance(m, 0.5) ? 0.25 : 0.0;
    m->t.opposed = chance(m, 0.5) ? 0.25 : 0.0;
    m->t.is_misaligned = chance(m, 0.5);
    m->t.mass_decades = m->t.is_lattice ? 0.0 : uniform(m, 0.0, 3.0);
    m->t.has_gaps = chance(m, 0.5);
    m->t.has_belts = m->t.has_gaps && chance(m, 0.5);
    m->t.has_rows = chance(m, 0.25);
}

crn_status crn_gallery_class_make(int number, int index, uint64_t seed, crn_gallery_contact_problem *out,
                                  crn_error *error)
{
    maker m = {.t = classes[number], .problem = &out->problem};
    if (!out->allocator.resize) {
        out->allocator = crn_allocator_default();
    }
    m.a = out->storage = out->allocator.resize(out->allocator.user, NULL, sizeof *m.a);
    if (!m.a) {
        return crn_fail(error, CRN_ERR_MEMORY, "gallery: no memory for a contact problem");
    }
    memset(m.a, 0, sizeof *m.a);
    m.random = crn_gallery_random(m.t.name, index, seed);
    if (number == CRN_GALLERY_CLASS_COUNT - 1) {
        draw_traits(&m);
    }
    out->problem = (crn_contact_problem){.bodies = 1 + crn_random_below(&m.random, BODIES_MAX),
                                         .body = m.a->body,
                                         .contact = m.a->point,
                                         .row = m.a->row,
                                         .velocity = m.a->velocity};
    for (int b = 0; b < out->problem.bodies; ++b) {
        add_body(&m, b);
    }
    for (int k = crn_random_below(&m.random, ROWS_MAX); m.t.has_rows && k >= 0; --k) {
        add_row(&m);
    }
    add_contacts(&m);
    return CRN_OK;
}
