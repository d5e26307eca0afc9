// Box2D 3 from npm (wasm, single precision, plane).
import { importFile, main, refuse, versionOf } from "./plain.mjs";

const SETTINGS = ["4 substeps", "50 substeps, contacts at 240 Hz"];
const FAR = 200, DEEP = 5; // half sides of the box that a half-plane is [m]

async function make(scene, setting) {
    const b2 = await (await importFile("box2d3-wasm", "build/dist/es/compat/Box2D.compat.mjs")).default();
    const vec = (v) => { const made = new b2.b2Vec2(); made.Set?.(v[0], v[1]); made.x = v[0]; made.y = v[1]; return made; };
    const def = b2.b2DefaultWorldDef();
    def.gravity = vec(scene.gravity);
    def.enableSleep = false;
    if (setting === 1) {
        def.contactHertz = 240;
    }
    const world = b2.b2CreateWorld(def);
    const turned = (angle, v) => [Math.cos(angle) * v[0] - Math.sin(angle) * v[1], Math.sin(angle) * v[0] + Math.cos(angle) * v[1]];
    const addShape = (body, of, s) => {
        const d = b2.b2DefaultShapeDef();
        d.material.friction = of.friction;
        d.material.restitution = of.restitution;
        d.density = 1;
        const at = vec(s.position ?? [0, 0]);
        if (s.kind === "disk") {
            const circle = new b2.b2Circle();
            circle.center = at;
            circle.radius = s.radius;
            b2.b2CreateCircleShape(body, d, circle);
        } else if (s.kind === "polygon") {
            const [x, y] = s.points[2];
            b2.b2CreatePolygonShape(body, d, b2.b2MakeOffsetBox(x, y, at, b2.b2MakeRot(0)));
        } else if (s.kind === "half_plane") {
            b2.b2CreatePolygonShape(body, d, b2.b2MakeOffsetBox(FAR, DEEP, vec([0, -DEEP]), b2.b2MakeRot(0)));
        } else {
            refuse("no " + s.kind);
        }
    };
    const bodies = {};
    for (const of of scene.bodies) {
        const d = b2.b2DefaultBodyDef(), isFree = of.kind === "free";
        d.type = isFree ? b2.b2BodyType.b2_dynamicBody : b2.b2BodyType.b2_staticBody;
        d.position = vec(of.position);
        d.rotation = b2.b2MakeRot(of.angle);
        d.enableSleep = false;
        d.allowFastRotation = true;
        if (isFree) {
            d.linearVelocity = vec(of.velocity ?? [0, 0]);
            d.angularVelocity = of.angular ?? 0;
        }
        const body = b2.b2CreateBody(world, d);
        of.shapes.forEach((s) => addShape(body, of, s));
        if (isFree) {
            const mass = new b2.b2MassData();
            mass.mass = of.mass;
            mass.center = vec([0, 0]);
            mass.rotationalInertia = of.inertia;
            b2.b2Body_SetMassData(body, mass);
        }
        bodies[of.name] = body;
    }
    const ground = b2.b2CreateBody(world, b2.b2DefaultBodyDef());
    const frame = (name, point, angle) => {
        const of = name === "world" ? { position: [0, 0], angle: 0 } : scene.bodies.find((b) => b.name === name);
        const made = new b2.b2Transform();
        made.p = vec(turned(-of.angle, [point[0] - of.position[0], point[1] - of.position[1]]));
        made.q = b2.b2MakeRot(angle - of.angle);
        return made;
    };
    for (const j of scene.joints) {
        const kinds = { hinge: "Revolute", ball: "Revolute", slider: "Prismatic", fixed: "Weld" };
        const d = b2["b2Default" + kinds[j.kind] + "JointDef"]();
        const angle = j.kind === "slider" ? Math.atan2(j.axis[1], j.axis[0]) : 0;
        d.base.bodyIdA = bodies[j.a] ?? ground;
        d.base.bodyIdB = bodies[j.b] ?? ground;
        d.base.localFrameA = frame(j.a, j.point, angle);
        d.base.localFrameB = frame(j.b, j.point, angle);
        b2["b2Create" + kinds[j.kind] + "Joint"](world, d);
    }
    const free = scene.bodies.filter((b) => b.kind === "free").map((b) => bodies[b.name]);
    return {
        step() {
            for (const l of scene.loads) {
                b2.b2Body_ApplyForceToCenter(bodies[l.body], vec(l.force), true);
            }
            b2.b2World_Step(world, scene.dt, setting === 1 ? 50 : 4);
        },
        states: () => free.map((b) => {
            const p = b2.b2Body_GetPosition(b), q = b2.b2Body_GetRotation(b), v = b2.b2Body_GetLinearVelocity(b);
            const half = 0.5 * Math.atan2(q.s, q.c);
            return [p.x, p.y, 0, Math.cos(half), 0, 0, Math.sin(half), v.x, v.y, 0, 0, 0, b2.b2Body_GetAngularVelocity(b)];
        }),
    };
}

await main("Box2D 3", versionOf("box2d3-wasm"), SETTINGS, make);
