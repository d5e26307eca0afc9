/* What one picture is made of. */
#include "draw_list.h"

#include <stdint.h>
#include <stdlib.h>

/* Room for one more item of this size at *block. */
static bool has_room(void **block, int count, int *room, size_t size)
{
    if (count < *room) {
        return true;
    }
    int wanted = *room < INT32_MAX / 4 ? 2 * *room + 1024 : 0;
    void *grown = wanted > 0 && (size_t)wanted <= SIZE_MAX / size ? realloc(*block, (size_t)wanted * size) : NULL;
    if (grown == NULL) {
        return false;
    }
    *block = grown;
    *room = wanted;
    return true;
}

void draw_list_clear(draw_list *list)
{
    list->vertices = list->triangles = 0;
    list->is_short = false;
}

void draw_list_free(draw_list *list)
{
    free(list->vertex);
    free(list->triangle);
    *list = (draw_list){.vertices = 0};
}

int draw_list_vertex(draw_list *list, crn_vec3 at, crn_vec3 normal)
{
    void *block = list->vertex;
    if (!has_room(&block, list->vertices, &list->vertex_room, sizeof *list->vertex)) {
        list->is_short = true;
        return -1;
    }
    list->vertex = block;
    list->vertex[list->vertices] = (draw_vertex){.at = at, .normal = normal};
    return list->vertices++;
}

void draw_list_triangle(draw_list *list, int a, int b, int c, int paint)
{
    void *block = list->triangle;
    if (a < 0 || b < 0 || c < 0 || !has_room(&block, list->triangles, &list->triangle_room, sizeof *list->triangle)) {
        list->is_short = true;
        return;
    }
    list->triangle = block;
    list->triangle[list->triangles++] = (draw_triangle){.corner = {a, b, c}, .paint = paint};
}
