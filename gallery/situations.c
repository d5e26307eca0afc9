/* situations.c -- ten situations of one body, after those of  [L05 s5.4].
 *
 *     which  contacts  situation
 *       0       1      block standing on a vertex, not below its centre
 *       1       2      block standing on an edge
 *       2       3      tripod
 *       3       4      face on a surface
 *       4       6      face on a face: their overlap is a hexagon
 *       5       8      cylinder lying in a V groove, four points on each line
 *       6       9      ball in the rim of a hole: all normals meet in its centre
 *       7      10      block in a groove: four points below, three on each side
 *       8      12      block in a corner: four points on three faces
 *       9      16      block in a hole: four points on four faces
 */
#include "gallery_situations.h"

static const double two_pi = 6.283185307179586;
static const crn_gallery_vec half = {0.1, 0.07, 0.05}; /* half extents of the block [m] */
static const crn_gallery_vec origin = {0.0, 0.0, 0.0};

typedef struct spot_list {
    crn_gallery_spot *spots;
    int count;
} spot_list;

static void put(spot_list *list, double x, double y, double z, crn_gallery_vec normal)
{
    crn_gallery_spot spot = {{x, y, z}, normal};
    list->spots[list->count++] = spot;
}

/* The four corners of the block's face whose outward normal is -normal. */
static void put_face(spot_list *list, crn_gallery_vec normal)
{
    for (int corner = 0; corner < 4; ++corner) {
        double a = corner & 1 ? 1.0 : -1.0;
        double b = corner & 2 ? 1.0 : -1.0;
        double x = normal.x != 0.0 ? -normal.x : a;
        double y = normal.y != 0.0 ? -normal.y : normal.x != 0.0 ? a : b;
        double z = normal.z != 0.0 ? -normal.z : b;
        put(list, x * half.x, y * half.y, z * half.z, normal);
    }
}

static const crn_gallery_vec up = {0.0, 0.0, 1.0};
static const crn_gallery_vec along_x = {1.0, 0.0, 0.0};
static const crn_gallery_vec along_y = {0.0, 1.0, 0.0};
static const crn_gallery_vec against_x = {-1.0, 0.0, 0.0};
static const crn_gallery_vec against_y = {0.0, -1.0, 0.0};

static void put_vertex(spot_list *list)
{
    put(list, 0.03, -0.02, -0.1, up);
}

static void put_edge(spot_list *list)
{
    put(list, -0.1, 0.01, -0.08, up);
    put(list, 0.1, 0.01, -0.08, up);
}

static void put_tripod(spot_list *list)
{
    put(list, 0.1, 0.0, -0.1, up);
    put(list, -0.06, 0.08, -0.1, up);
    put(list, -0.05, -0.09, -0.1, up);
}

/* A square of half width 0.07 with two opposite corners cut off. */
static void put_hexagon(spot_list *list)
{
    static const double corners[6][2] = {{0.07, 0.02},   {0.02, 0.07},   {-0.07, 0.07},
                                         {-0.07, -0.02}, {-0.02, -0.07}, {0.07, -0.07}};
    for (int i = 0; i < 6; ++i) {
        put(list, corners[i][0], corners[i][1], -half.z, up);
    }
}

/* Cylinder of radius 0.05 and length 0.2 along y in a groove of 90 degrees. */
static void put_v_groove(spot_list *list)
{
    const double radius = 0.05, cosine = 0.7071067811865476;
    for (int i = 0; i < 8; ++i) {
        int place = i / 2;
        double side = i & 1 ? 1.0 : -1.0;
        double y = -0.1 + 0.2 * place / 3.0;
        crn_gallery_vec normal = {-side * cosine, 0.0, cosine};
        put(list, -radius * normal.x, y, -radius * normal.z, normal);
    }
}

/* Ball of radius 0.1; the rim is seen from its centre at 36.87 degrees from below: sine 0.6, cosine 0.8. */
static void put_rim(spot_list *list)
{
    const double radius = 0.1;
    for (int i = 0; i < 9; ++i) {
        double angle = two_pi * i / 9.0;
        crn_gallery_vec normal = {-0.6 * cos(angle), -0.6 * sin(angle), 0.8};
        put(list, -radius * normal.x, -radius * normal.y, -radius * normal.z, normal);
    }
}

static void put_groove(spot_list *list)
{
    put_face(list, up);
    for (int side = 0; side < 2; ++side) {
        double y = side ? half.y : -half.y;
        crn_gallery_vec normal = side ? against_y : along_y;
        put(list, -half.x, y, -half.z, normal);
        put(list, half.x, y, -half.z, normal);
        put(list, 0.0, y, half.z, normal);
    }
}

static void put_corner(spot_list *list)
{
    put_face(list, up);
    put_face(list, along_x);
    put_face(list, along_y);
}

static void put_hole(spot_list *list)
{
    put_face(list, along_x);
    put_face(list, against_x);
    put_face(list, along_y);
    put_face(list, against_y);
}

static crn_gallery_body body_of(int which)
{
    switch (which) {
    case 0:
    case 1:
    case 2: /* a cube's inertia is the same about all axes, so it may stand on a vertex or an edge */
        return crn_gallery_box(1.0, origin, crn_gallery_vec_of(0.06, 0.06, 0.06));
    case 5: { /* the axis is y: exchange y and z */
        crn_gallery_body body = crn_gallery_cylinder(1.0, origin, 0.05, 0.2);
        body.inertia = crn_gallery_vec_of(body.inertia.x, body.inertia.z, body.inertia.y);
        return body;
    }
    case 6: { /* ball: 2/5 m r^2 */ crn_gallery_body body = {1.0, origin, {0.004, 0.004, 0.004}}; return body;
    }
    default: return crn_gallery_box(1.0, origin, half);
    }
}

int crn_gallery_situation(int which, crn_gallery_spot spots[CRN_GALLERY_SITUATION_MAX], crn_gallery_body *body)
{
    spot_list list = {spots, 0};
    switch (which) {
    case 0: put_vertex(&list); break;
    case 1: put_edge(&list); break;
    case 2: put_tripod(&list); break;
    case 3: put_face(&list, up); break;
    case 4: put_hexagon(&list); break;
    case 5: put_v_groove(&list); break;
    case 6: put_rim(&list); break;
    case 7: put_groove(&list); break;
    case 8: put_corner(&list); break;
    default: put_hole(&list); break;
    }
    *body = body_of(which);
    return list.count;
}

void crn_gallery_load_spots(crn_gallery_contacts *contacts, const crn_gallery_body *body, const crn_gallery_spot *spots,
                            int count, double friction, crn_random *random)
{
    crn_gallery_place_body(contacts, 0, body);
    crn_gallery_weigh(contacts, 0, body);
    crn_gallery_push_randomly(contacts, 0, 10.0, 0.5, random);
    crn_gallery_move_randomly(contacts, 0, body, 0.01, 0.1, random);
    for (int i = 0; i < count; ++i) {
        crn_gallery_touch(contacts, body, CRN_GALLERY_GROUND, 0, spots[i].point, spots[i].normal, friction);
    }
}
