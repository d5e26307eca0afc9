/* A row per step: its figures, and the probes of the scene. */
#include "sim_csv.h"

#include <errno.h>
#include <math.h>
#include <string.h>

/* Numbers of the longest probe. */
enum { PROBE_NUMBERS = 4 };

/* --- Probes --- */

/* How many numbers a probe has. */
static int probe_size(const crn_model *model, const crn_probe_def *probe)
{
    switch (probe->kind) {
    case CRN_PROBE_ROTATION: return crn_model_world_of(model)->is_planar ? 1 : 4;
    case CRN_PROBE_JOINT_COORDINATE: return crn_joint_kind_coordinates(crn_model_joint(model, probe->target)->kind);
    default: return 3;
    }
}

/* The part of a heading that tells number k of a probe from the others. */
static const char *part_name(const crn_probe_def *probe, int size, int k)
{
    static const char *const vector[] = {"x", "y", "z"}, *const quaternion[] = {"w", "x", "y", "z"},
                             *const coordinate[] = {"0", "1", "2"};
    if (probe->kind == CRN_PROBE_JOINT_COORDINATE) {
        return coordinate[k];
    }
    return size == 1 ? "angle" : size == 4 ? quaternion[k] : vector[k];
}

/* A heading, in quotes if it holds a comma, a quote or a line end (RFC 4180). */
static void write_name(FILE *file, const char *name, const char *part)
{
    bool is_quoted = strpbrk(name, ",\"\r\n") != NULL;
    fputs(is_quoted ? ",\"" : ",", file);
    for (const char *c = name; *c != '\0'; ++c) {
        fputs(*c == '"' ? "\"" : "", file);
        fputc(*c, file);
    }
    fprintf(file, ".%s%s", part, is_quoted ? "\"" : "");
}

static void write_probe_names(FILE *file, const crn_model *model, const crn_probe_def *probe)
{
    char made[128];
    bool is_joint = probe->kind == CRN_PROBE_JOINT_COORDINATE;
    const char *target =
        is_joint ? crn_model_joint(model, probe->target)->name : crn_model_body(model, probe->target)->name;
    if (target != NULL) {
        (void)snprintf(made, sizeof made, "%.80s.%s", target, crn_probe_kind_name(probe->kind));
    } else {
        (void)snprintf(made, sizeof made, "%s%d.%s", is_joint ? "joint" : "body", probe->target,
                       crn_probe_kind_name(probe->kind));
    }
    int size = probe_size(model, probe);
    for (int k = 0; k < size; ++k) {
        write_name(file, probe->name != NULL ? probe->name : made, part_name(probe, size, k));
    }
}

static void copy_vec3(crn_vec3 v, double values[PROBE_NUMBERS])
{
    values[0] = v.x;
    values[1] = v.y;
    values[2] = v.z;
}

/* What a probe of a body shows now. */
static void read_body_probe(const crn_model *model, const crn_world *world, const crn_probe_def *probe,
                            double values[PROBE_NUMBERS])
{
    crn_body_id body = crn_world_body(world, probe->target + 1);
    crn_pose pose = {.rotation = {.w = 1.0}};
    crn_twist velocity = {.linear = {.x = 0.0}};
    crn_vec3 force = {.x = 0.0};
    const crn_quat *q = &pose.rotation;
    switch (probe->kind) {
    case CRN_PROBE_POSITION:
        (void)crn_body_pose(world, body, &pose);
        copy_vec3(pose.position, values);
        break;
    case CRN_PROBE_ROTATION:
        (void)crn_body_pose(world, body, &pose);
        values[0] = crn_model_world_of(model)->is_planar ? 2.0 * atan2(q->z, q->w) : q->w;
        values[1] = q->x;
        values[2] = q->y;
        values[3] = q->z;
        break;
    case CRN_PROBE_CONTACT_FORCE:
        (void)crn_body_contact_force(world, body, &force, NULL);
        copy_vec3(force, values);
        break;
    default:
        (void)crn_body_velocity(world, body, &velocity);
        copy_vec3(probe->kind == CRN_PROBE_VELOCITY ? velocity.linear : velocity.angular, values);
        break;
    }
}

static void write_probe(FILE *file, const crn_model *model, const crn_world *world, const crn_probe_def *probe)
{
    double values[PROBE_NUMBERS] = {0.0}, speed[CRN_JOINT_COORDINATES_MAX];
    if (probe->kind == CRN_PROBE_JOINT_COORDINATE) {
        (void)crn_joint_coordinate(world, crn_world_joint(world, probe->target + 1), values, speed);
    } else {
        read_body_probe(model, world, probe, values);
    }
    int size = probe_size(model, probe);
    for (int k = 0; k < size; ++k) {
        fprintf(file, ",%.17g", values[k]);
    }
}

/* --- The file --- */

static crn_status cannot_write(const char *path, crn_error *error)
{
    return crn_fail(error, CRN_ERR_IO, "%s: cannot be written: %s", path, strerror(errno));
}

crn_status sim_csv_open(sim_csv *csv, const char *path, const crn_model *model, crn_error *error)
{
    *csv = (sim_csv){.path = path};
    if (path == NULL) {
        return CRN_OK;
    }
    csv->file = fopen(path, "w");
    if (csv->file == NULL) {
        return cannot_write(path, error);
    }
    fputs("step,time", csv->file);
    for (int i = 0; i < crn_step_figure_count(); ++i) {
        fprintf(csv->file, ",%s", crn_step_figure_at(i)->name);
    }
    for (int i = 0; i < crn_model_probes(model); ++i) {
        write_probe_names(csv->file, model, crn_model_probe(model, i));
    }
    fputc('\n', csv->file);
    return CRN_OK;
}

static void write_figure(FILE *file, const crn_step_figure *figure, const crn_step_stats *stats)
{
    const char *word = crn_step_figure_word(figure, stats);
    if (word != NULL) {
        fprintf(file, ",%s", word);
    } else {
        fprintf(file, ",%.17g", crn_step_figure_get(figure, stats));
    }
}

void sim_csv_row(const sim_csv *csv, const crn_model *model, const crn_world *world, int step, const crn_step_stats *s)
{
    if (csv->file == NULL) {
        return;
    }
    FILE *file = csv->file;
    fprintf(file, "%d,%.17g", step, s->time);
    for (int i = 0; i < crn_step_figure_count(); ++i) {
        write_figure(file, crn_step_figure_at(i), s);
    }
    for (int i = 0; i < crn_model_probes(model); ++i) {
        write_probe(file, model, world, crn_model_probe(model, i));
    }
    fputc('\n', file);
}

crn_status sim_csv_close(sim_csv *csv, crn_error *error)
{
    if (csv->file == NULL) {
        return CRN_OK;
    }
    bool is_good = !ferror(csv->file);
    is_good = fclose(csv->file) == 0 && is_good;
    csv->file = NULL;
    return is_good ? CRN_OK : cannot_write(csv->path, error);
}
