/* From where a picture is seen, and what lies where on it. */
#include "draw_camera.h"

draw_camera draw_camera_along(crn_vec3 forward, int width, int height)
{
    draw_camera camera = {.width = width, .height = height, .forward = unit(forward), .scale = 1.0, .range = 1.0};
    crn_vec3 up = fabs(camera.forward.z) > 0.999 ? vec(0.0, 1.0, 0.0) : vec(0.0, 0.0, 1.0);
    camera.right = unit(cross(camera.forward, up));
    camera.up = cross(camera.right, camera.forward);
    return camera;
}

/* Largest value of (a right + b up - c forward) . p over all points of the balls. */
static double reach(const draw_camera *camera, double a, double b, double c, const draw_point *points, int count)
{
    crn_vec3 way = along(along(scaled(camera->right, a), b, camera->up), -c, camera->forward);
    double largest = -INFINITY, size = length(way);
    for (int i = 0; i < count; ++i) {
        largest = greater(largest, dot(way, points[i].at) + size * points[i].radius);
    }
    return count > 0 ? largest : 0.0;
}

/* A point with coordinates (x, y, z) along right, up and backwards is on the picture if |x - e.x| <= t (e.z - z), and
 * likewise y. So e.z t + e.x must reach the largest x + t z, and e.z t - e.x the largest t z - x: with both, e.x and the least
 * e.z are known. */
void draw_camera_fit(draw_camera *camera, const draw_point *points, int count, double field, double margin)
{
    double half_y = tan(0.5 * field), half_x = half_y * camera->width / camera->height;
    double tx = half_x * (1.0 - 2.0 * margin), ty = half_y * (1.0 - 2.0 * margin);
    double right = reach(camera, 1.0, 0.0, tx, points, count), left = reach(camera, -1.0, 0.0, tx, points, count);
    double up = reach(camera, 0.0, 1.0, ty, points, count), down = reach(camera, 0.0, -1.0, ty, points, count);
    double back = fmax(0.5 * (right + left) / tx, 0.5 * (up + down) / ty);
    double front = reach(camera, 0.0, 0.0, 1.0, points, count);
    double size = fmax(fmax(right + left, up + down), 1e-6);
    back = fmax(back, front + 0.05 * size);
    camera->eye = along(along(scaled(camera->right, 0.5 * (right - left)), 0.5 * (up - down), camera->up), -back,
                        camera->forward);
    camera->close = 0.2 * fmax(back - front, 0.01 * size);
    camera->scale = 0.5 * camera->height / half_y;
    camera->is_parallel = false;
}

void draw_camera_fit_parallel(draw_camera *camera, const draw_point *points, int count, double margin)
{
    double right = reach(camera, 1.0, 0.0, 0.0, points, count), left = reach(camera, -1.0, 0.0, 0.0, points, count);
    double up = reach(camera, 0.0, 1.0, 0.0, points, count), down = reach(camera, 0.0, -1.0, 0.0, points, count);
    double front = reach(camera, 0.0, 0.0, 1.0, points, count), behind = reach(camera, 0.0, 0.0, -1.0, points, count);
    double wide = fmax(right + left, 1e-9), high = fmax(up + down, 1e-9), deep = fmax(front + behind, 1e-9);
    double share = 1.0 - 2.0 * margin;
    camera->scale = fmin(share * camera->width / wide, share * camera->height / high);
    /* A tenth of the depth stays free on both sides. */
    camera->eye = along(along(scaled(camera->right, 0.5 * (right - left)), 0.5 * (up - down), camera->up),
                        -(front + 0.1 * deep), camera->forward);
    camera->range = 1.2 * deep;
    camera->is_parallel = true;
}

static double depth_of(const draw_camera *camera, const draw_vertex *v)
{
    return dot(sub(v->at, camera->eye), camera->forward);
}

static void project(const draw_camera *camera, draw_vertex *v)
{
    crn_vec3 d = sub(v->at, camera->eye);
    double depth = dot(d, camera->forward), scale = camera->is_parallel ? camera->scale : camera->scale / depth;
    v->x = 0.5 * camera->width + scale * dot(d, camera->right);
    v->y = 0.5 * camera->height - scale * dot(d, camera->up);
    v->near = camera->is_parallel ? 1.0 - depth / camera->range : camera->close / depth;
}

/* A new vertex where the edge from a to b meets the depth `close`. */
static int cut_edge(const draw_camera *camera, draw_list *list, int a, int b)
{
    draw_vertex p = list->vertex[a], q = list->vertex[b];
    double from = depth_of(camera, &p), to = depth_of(camera, &q), t = (camera->close - from) / (to - from);
    int added = draw_list_vertex(list, mixed(p.at, q.at, t), unit(mixed(p.normal, q.normal, t)));
    if (added >= 0) {
        project(camera, &list->vertex[added]);
    }
    return added;
}

/* Replace a triangle that reaches behind `close` by what is left of it: nothing, one or two. */
static void cut_triangle(const draw_camera *camera, draw_list *list, int which)
{
    draw_triangle whole = list->triangle[which];
    int kept[4], count = 0;
    for (int i = 0; i < 3; ++i) {
        int a = whole.corner[i], b = whole.corner[(i + 1) % 3];
        bool is_a = depth_of(camera, &list->vertex[a]) >= camera->close;
        bool is_b = depth_of(camera, &list->vertex[b]) >= camera->close;
        if (is_a) {
            kept[count++] = a;
        }
        if (is_a != is_b) {
            kept[count++] = cut_edge(camera, list, a, b);
        }
    }
    for (int i = 0; i < 3; ++i) { /* nothing left: a point */
        list->triangle[which].corner[i] = count >= 3 ? (kept[i] >= 0 ? kept[i] : kept[0]) : whole.corner[0];
    }
    if (count == 4) {
        draw_list_triangle(list, kept[0], kept[2], kept[3], whole.paint);
    }
}

void draw_camera_project(const draw_camera *camera, draw_list *list)
{
    for (int i = 0; i < list->vertices; ++i) {
        project(camera, &list->vertex[i]);
    }
    int count = camera->is_parallel ? 0 : list->triangles;
    for (int i = 0; i < count; ++i) {
        const int *corner = list->triangle[i].corner;
        bool is_whole = true;
        for (int k = 0; k < 3; ++k) {
            double near = list->vertex[corner[k]].near;
            is_whole = is_whole && near > 0.0 && near <= 1.0;
        }
        if (!is_whole) {
            cut_triangle(camera, list, i);
        }
    }
}

crn_vec3 draw_camera_ray(const draw_camera *camera, double x, double y)
{
    double right = (x - 0.5 * camera->width) / camera->scale, up = (0.5 * camera->height - y) / camera->scale;
    return along(along(camera->forward, right, camera->right), up, camera->up);
}
