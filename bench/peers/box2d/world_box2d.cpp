/* world_box2d.cpp -- planar scenes in Box2D, single precision. Objects live until the process ends. */
#include "../world_peer.h"

#include <cmath>
#include <vector>

#include <box2d/box2d.h>

namespace
{

struct World {
    explicit World(b2Vec2 gravity) : box2d(gravity)
    {
    }
    b2World box2d;
    std::vector<b2Body *> free, driven, all;
    b2Body *ground = nullptr;
    std::vector<b2Vec2> start;
    float h = 0.0f;
    int velocity_iterations = 8, position_iterations = 3; /* what the manual suggests */
};

b2Vec2 vector(const double *a)
{
    return {static_cast<float>(a[0]), static_cast<float>(a[1])};
}

float angle(const double *q)
{
    return static_cast<float>(2.0 * std::atan2(q[3], q[0]));
}

/* A half side without the skin; of thin solids half is kept, and the rest of the skin is outside. */
float without_skin(double half)
{
    const auto side = static_cast<float>(half);
    return side - std::fmin(b2_polygonRadius, 0.5f * side);
}

/* Polygons have a skin of b2_polygonRadius outside their corners: it is part of the solid here. */
void add_solid(b2Body *body, const bench_plain_body &of, const bench_plain_part &part)
{
    const double *size = part.size;
    b2CircleShape circle;
    b2PolygonShape polygon;
    b2FixtureDef fixture;
    if (part.solid == BENCH_PLAIN_BALL) {
        circle.m_p = vector(part.position);
        circle.m_radius = static_cast<float>(size[0]);
        fixture.shape = &circle;
    } else {
        polygon.SetAsBox(without_skin(size[0]), without_skin(size[1]), vector(part.position), angle(part.rotation));
        fixture.shape = &polygon;
    }
    fixture.friction = static_cast<float>(of.mu);
    fixture.restitution = static_cast<float>(of.restitution);
    fixture.density = 1.0f;
    body->CreateFixture(&fixture);
}

void add_body(World &w, const bench_plain_body &of)
{
    b2BodyDef def;
    def.type = of.kind == BENCH_PLAIN_FREE     ? b2_dynamicBody
               : of.kind == BENCH_PLAIN_DRIVEN ? b2_kinematicBody
                                               : b2_staticBody;
    def.position = vector(of.solid == BENCH_PLAIN_PLANE ? of.slab : of.position);
    def.angle = angle(of.rotation);
    b2Body *body = w.box2d.CreateBody(&def);
    for (int k = 0; k < of.parts; ++k) {
        add_solid(body, of, of.part[k]);
    }
    w.all.push_back(body);
    if (of.kind == BENCH_PLAIN_FREE) {
        body->SetLinearVelocity(vector(of.velocity));
        body->SetAngularVelocity(static_cast<float>(of.angular[2]));
        b2MassData mass{static_cast<float>(of.mass), b2Vec2(0.0f, 0.0f), static_cast<float>(of.inertia[2])};
        body->SetMassData(&mass);
        w.free.push_back(body);
    } else if (of.kind == BENCH_PLAIN_DRIVEN) {
        w.driven.push_back(body);
        w.start.push_back(def.position);
    }
}

void add_joint(World &w, const bench_plain_joint &of)
{
    b2Body *a = of.a < 0 ? w.ground : w.all[static_cast<std::size_t>(of.a)];
    b2Body *b = of.b < 0 ? w.ground : w.all[static_cast<std::size_t>(of.b)];
    b2RevoluteJointDef revolute;
    b2PrismaticJointDef prismatic;
    b2WeldJointDef weld;
    revolute.Initialize(a, b, vector(of.point));
    prismatic.Initialize(a, b, vector(of.point), vector(of.axis));
    weld.Initialize(a, b, vector(of.point));
    const b2JointDef *def = of.kind == BENCH_LINK_SLIDER  ? static_cast<b2JointDef *>(&prismatic)
                            : of.kind == BENCH_LINK_FIXED ? static_cast<b2JointDef *>(&weld)
                                                          : static_cast<b2JointDef *>(&revolute);
    w.box2d.CreateJoint(def);
}

void *create(const bench_plain_scene *scene, int setting)
{
    auto *w = new World(vector(scene->gravity));
    w->h = static_cast<float>(scene->h);
    w->box2d.SetAllowSleeping(false);
    if (setting == 1) {
        w->velocity_iterations = w->position_iterations = 50;
    }
    for (int i = 0; i < scene->count; ++i) {
        add_body(*w, scene->body[i]);
    }
    b2BodyDef ground;
    w->ground = w->box2d.CreateBody(&ground);
    for (int i = 0; i < scene->joints; ++i) {
        add_joint(*w, scene->joint[i]);
    }
    return w;
}

void step(void *data, const double from[3], const double to[3])
{
    auto &w = *static_cast<World *>(data);
    (void)from;
    for (std::size_t k = 0; k < w.driven.size(); ++k) {
        const b2Vec2 way = w.start[k] + vector(to) - w.driven[k]->GetPosition();
        w.driven[k]->SetLinearVelocity((1.0f / w.h) * way);
    }
    w.box2d.Step(w.h, w.velocity_iterations, w.position_iterations);
}

void state(void *data, int body, bench_plain_state *out)
{
    const b2Body &b = *static_cast<World *>(data)->free[static_cast<std::size_t>(body)];
    const double turn = static_cast<double>(b.GetAngle());
    *out = {};
    out->position[0] = static_cast<double>(b.GetPosition().x);
    out->position[1] = static_cast<double>(b.GetPosition().y);
    out->velocity[0] = static_cast<double>(b.GetLinearVelocity().x);
    out->velocity[1] = static_cast<double>(b.GetLinearVelocity().y);
    out->angular[2] = static_cast<double>(b.GetAngularVelocity());
    out->rotation[0] = std::cos(0.5 * turn);
    out->rotation[3] = std::sin(0.5 * turn);
}

void push(void *data, int body, const double force[3])
{
    static_cast<World *>(data)->free[static_cast<std::size_t>(body)]->ApplyForceToCenter(vector(force), true);
}

} // namespace

const bench_world_peer bench_world_box2d = {"Box2D",
                                            BENCH_BOX2D_VERSION,
                                            {"8 and 3 it.", "50 and 50 it."},
                                            BENCH_TAKES_PLANAR | BENCH_TAKES_DISKS,
                                            create,
                                            step,
                                            state,
                                            nullptr,
                                            push,
                                            nullptr};
