/* chain.c -- a chain of 25 revolute joints lying on the ground, 25 to 60 contacts  [YN08].
 *
 * Contacts by index % 4: 30, 40, 50, 60; from index DRAWN_FROM on any number between FEWEST and MOST. By index / 4 % 2 the first link is free (dof 31) or hinged to the world (dof
 * 25). The links are bars along their own x axis; joint axes alternate between the vertical and the bar's own y axis.
 * The chain lies flat with random bends, so all contact points have the same height. Velocities are generalised: for a
 * free base its angular and linear velocity, then the joint rates. Joint-space inertia H = sum over links of J' I J. */
#include <string.h>

#include "families.h"
#include "gallery_bodies.h"
#include "gallery_data.h"

enum { JOINTS = 25, LINKS_MAX = JOINTS + 1, DOF_MAX = JOINTS + 6 };
enum { DRAWN_FROM = 16, FEWEST = 25, MOST = 60 };

static const double two_pi = 6.283185307179586;
static const double link_length = 0.1; /* [m] */
static const double half_side = 0.01;  /* of a link's square cross-section [m] */
static const double link_mass = 0.2;   /* [kg] */

/* Link l starts at joint[l] in direction forward[l]; sideways[l] is its own y axis; its z axis is the world's. */
typedef struct chain {
    bool is_free;
    int links, dof;
    crn_gallery_vec joint[LINKS_MAX], forward[LINKS_MAX], sideways[LINKS_MAX];
} chain;

static chain lay_chain(bool is_free, crn_random *random)
{
    chain c = {.is_free = is_free, .links = is_free ? JOINTS + 1 : JOINTS, .dof = is_free ? JOINTS + 6 : JOINTS};
    double heading = crn_random_uniform(random, 0.0, two_pi);
    crn_gallery_vec end = {0.0, 0.0, half_side};
    for (int l = 0; l < c.links; ++l) {
        if (l % 2 == 0) { /* the joints about y stay straight: the chain lies flat */
            heading += crn_random_uniform(random, -0.4, 0.4);
        }
        c.joint[l] = end;
        c.forward[l] = crn_gallery_vec_of(cos(heading), sin(heading), 0.0);
        c.sideways[l] = crn_gallery_vec_of(-sin(heading), cos(heading), 0.0);
        end = crn_gallery_vec_add(end, link_length, c.forward[l]);
    }
    return c;
}

/* Joint j turns link `moved` and all that follow it. */
static int moved_link(const chain *c, int j)
{
    return c->is_free ? j + 1 : j;
}

static crn_gallery_vec joint_axis(const chain *c, int j)
{
    int l = moved_link(c, j);
    return l % 2 == 0 ? crn_gallery_vec_of(0.0, 0.0, 1.0) : c->sideways[l];
}

/* Columns of the angular velocity of link l and of the velocity of its point, one per degree of freedom. */
static void point_jacobian(const chain *c, int l, crn_gallery_vec point, crn_gallery_vec *angular,
                           crn_gallery_vec *linear)
{
    crn_gallery_vec zero = {0.0, 0.0, 0.0};
    int base = c->is_free ? 6 : 0;
    for (int i = 0; i < base; ++i) { /* the free base: w, then the velocity of the first joint's point */
        crn_gallery_vec axis = {i % 3 == 0, i % 3 == 1, i % 3 == 2};
        crn_gallery_vec arm = crn_gallery_vec_add(point, -1.0, c->joint[0]);
        angular[i] = i < 3 ? axis : zero;
        linear[i] = i < 3 ? crn_gallery_vec_cross(axis, arm) : axis;
    }
    for (int j = 0; j < JOINTS; ++j) {
        bool moves = moved_link(c, j) <= l;
        crn_gallery_vec axis = joint_axis(c, j);
        crn_gallery_vec arm = crn_gallery_vec_add(point, -1.0, c->joint[moved_link(c, j)]);
        angular[base + j] = moves ? axis : zero;
        linear[base + j] = moves ? crn_gallery_vec_cross(axis, arm) : zero;
    }
}

/* Inertia of a bar about its centre, applied to an angular velocity. */
static crn_gallery_vec bar_inertia(const chain *c, int l, crn_gallery_vec w)
{
    double a = half_side, b = 0.5 * link_length;
    double thin = link_mass * 2.0 * a * a / 3.0, thick = link_mass * (a * a + b * b) / 3.0;
    double along = crn_gallery_vec_dot(w, c->forward[l]);
    return crn_gallery_vec_add(crn_gallery_vec_scale(w, thick), (thin - thick) * along, c->forward[l]);
}

/* H += J' I J and momentum += h J' (weight) for one link. */
static void add_link(crn_gallery_contacts *contacts, const chain *c, int l)
{
    crn_gallery_vec angular[DOF_MAX], linear[DOF_MAX];
    double *mass = crn_gallery_contacts_mass(contacts, 0);
    crn_gallery_vec centre = crn_gallery_vec_add(c->joint[l], 0.5 * link_length, c->forward[l]);
    point_jacobian(c, l, centre, angular, linear);
    for (int j = 0; j < c->dof; ++j) {
        crn_gallery_vec turned = bar_inertia(c, l, angular[j]);
        for (int i = 0; i <= j; ++i) {
            double entry =
                crn_gallery_vec_dot(angular[i], turned) + link_mass * crn_gallery_vec_dot(linear[i], linear[j]);
            mass[i + j * c->dof] += entry;
            mass[j + i * c->dof] += i == j ? 0.0 : entry;
        }
        contacts->momentum[j] -= crn_gallery_step * crn_gallery_gravity * link_mass * linear[j].z;
    }
}

/* momentum += H v + h tau with random joint rates and torques: the chain is being dragged. */
static void drag(crn_gallery_contacts *contacts, const chain *c, crn_random *random)
{
    const double *mass = crn_gallery_contacts_mass(contacts, 0);
    for (int j = 0; j < c->dof; ++j) {
        double rate = 0.05 * crn_random_normal(random);
        contacts->momentum[j] += crn_gallery_step * 0.05 * crn_random_normal(random);
        for (int i = 0; i < c->dof; ++i) {
            contacts->momentum[i] += mass[i + j * c->dof] * rate;
        }
    }
}

/* Contact number i of `count`: the links take turns; a link's points are the corners of its lower face. */
static void touch_ground(crn_gallery_contacts *contacts, const chain *c, int i, double friction)
{
    crn_gallery_vec angular[DOF_MAX], linear[DOF_MAX];
    int l = i % c->links;
    int corner = (i / c->links + l) % 4;
    double along = corner & 1 ? 0.95 * link_length : 0.05 * link_length;
    double across = corner & 2 ? half_side : -half_side;
    crn_gallery_vec point = crn_gallery_vec_add(c->joint[l], along, c->forward[l]);
    point = crn_gallery_vec_add(point, across, c->sideways[l]);
    point.z -= half_side;
    point_jacobian(c, l, point, angular, linear);
    crn_gallery_vec up = {0.0, 0.0, 1.0}; /* tangents x and y */
    if (!crn_gallery_contacts_add(contacts, CRN_GALLERY_GROUND, 0, point, up, friction)) {
        return;
    }
    double *columns = crn_gallery_contacts_columns(contacts, contacts->count - 1, 1);
    for (int j = 0; j < c->dof; ++j) {
        columns[j] = linear[j].z;
        columns[c->dof + j] = linear[j].x;
        columns[2 * c->dof + j] = linear[j].y;
    }
}

crn_status crn_gallery_chain(int index, uint64_t seed, crn_gallery_contacts *contacts, crn_error *error)
{
    crn_random random = crn_gallery_random("chain", index, seed);
    const int count =
        index < DRAWN_FROM ? 30 + 10 * (index % 4) : FEWEST + crn_random_below(&random, MOST - FEWEST + 1);
    chain c = lay_chain(index / 4 % 2 == 0, &random);
    crn_status status = crn_gallery_contacts_open(contacts, 1, c.dof, count, CRN_GALLERY_DIRECTIONS, error);
    if (status != CRN_OK) {
        return status;
    }
    for (int l = 0; l < c.links; ++l) {
        add_link(contacts, &c, l);
    }
    drag(contacts, &c, &random);
    double friction = crn_random_uniform(&random, 0.2, 0.6);
    for (int i = 0; i < count; ++i) {
        touch_ground(contacts, &c, i, friction);
    }
    return CRN_OK;
}
