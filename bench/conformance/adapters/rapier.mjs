// Rapier from npm, the deterministic build (wasm, single precision).
import { axisInto, bodyOf, importFile, into, main, product, refuse, slab, turnInto, versionOf } from "./plain.mjs";

const PACKAGE = "@dimforge/rapier3d-deterministic-compat";
const SETTINGS = ["4 solver iterations", "50 solver iterations, 4 internal, contacts at 120 Hz"];
const ALONG_Z = [Math.SQRT1_2, Math.SQRT1_2, 0, 0]; // Rapier's capsules and cylinders are along y

const vec = (v) => ({ x: v[0], y: v[1], z: v[2] });
const quat = (q) => ({ w: q[0], x: q[1], y: q[2], z: q[3] });

async function make(scene, setting) {
    const module = await importFile(PACKAGE, "dist/rapier.mjs").catch(() => importFile(PACKAGE, "rapier.es.js"));
    const RAPIER = module.default?.init ? module.default : module;
    await RAPIER.init();
    const world = new RAPIER.World(vec(scene.gravity));
    world.timestep = scene.dt;
    if (setting === 1) {
        world.integrationParameters.numSolverIterations = 50;
        world.integrationParameters.numInternalPgsIterations = 4;
        world.integrationParameters.contact_natural_frequency = 120;
    }
    const collider = (shape) => {
        switch (shape.kind) {
        case "box": return RAPIER.ColliderDesc.cuboid(...shape.half);
        case "sphere": return RAPIER.ColliderDesc.ball(shape.radius);
        case "capsule": return RAPIER.ColliderDesc.capsule(shape.half_length, shape.radius);
        case "cylinder": return RAPIER.ColliderDesc.cylinder(shape.half_length, shape.radius);
        default: return refuse("no " + shape.kind);
        }
    };
    const addShape = (body, of, shape) => {
        const isRound = shape.kind === "capsule" || shape.kind === "cylinder";
        const q = shape.rotation ?? [1, 0, 0, 0];
        const desc = collider(shape).setFriction(of.friction).setRestitution(of.restitution).setDensity(0)
            .setTranslation(...(shape.position ?? [0, 0, 0])).setRotation(quat(isRound ? product(q, ALONG_Z) : q));
        return world.createCollider(desc, body);
    };
    const bodies = {}, colliders = {};
    for (const given of scene.bodies) {
        const of = given.shapes[0].kind === "plane" ? slab(given) : given;
        const isFree = of.kind === "free";
        const desc = (isFree ? RAPIER.RigidBodyDesc.dynamic() : RAPIER.RigidBodyDesc.fixed())
            .setTranslation(...of.position).setRotation(quat(of.rotation)).setCanSleep(false);
        if (isFree) {
            desc.setAdditionalMassProperties(of.mass, vec([0, 0, 0]), vec(of.inertia), quat([1, 0, 0, 0]));
            desc.setLinvel(...(of.velocity ?? [0, 0, 0])).setAngvel(vec(of.angular ?? [0, 0, 0]));
        }
        bodies[of.name] = world.createRigidBody(desc);
        colliders[of.name] = of.shapes.map((s) => addShape(bodies[of.name], of, s));
    }
    let ground = null;
    const partner = (name) => bodies[name] ?? (ground ??= world.createRigidBody(RAPIER.RigidBodyDesc.fixed()));
    for (const j of scene.joints) {
        const a = bodyOf(scene, j.a), b = bodyOf(scene, j.b);
        const pa = vec(into(a, j.point)), pb = vec(into(b, j.point));
        let data = null;
        if (j.kind === "ball") {
            data = RAPIER.JointData.spherical(pa, pb);
        } else if (j.kind === "fixed") {
            data = RAPIER.JointData.fixed(pa, quat(turnInto(a, [1, 0, 0, 0])), pb, quat(turnInto(b, [1, 0, 0, 0])));
        } else if (JSON.stringify(a.rotation) !== JSON.stringify(b.rotation)) {
            refuse("hinges and sliders between bodies that are turned at the start: the interface takes one axis for both");
        } else {
            const axis = vec(axisInto(a, j.axis));
            data = j.kind === "hinge" ? RAPIER.JointData.revolute(pa, pb, axis) : RAPIER.JointData.prismatic(pa, pb, axis);
        }
        world.createImpulseJoint(data, partner(j.a), partner(j.b), true).setContactsEnabled(false);
    }
    const free = scene.bodies.filter((b) => b.kind === "free").map((b) => bodies[b.name]);
    const scales = scene.bodies.filter((b) => b.name.startsWith("scale")).map((b) => colliders[b.name][0]);
    const loadOf = (scale) => {
        let sum = 0;
        world.contactPairsWith(scale, (other) => {
            world.contactPair(scale, other, (manifold) => {
                for (let k = 0; k < manifold.numContacts(); ++k) {
                    sum += Math.abs(manifold.contactImpulse(k) * manifold.normal().z) / scene.dt;
                }
            });
        });
        return sum;
    };
    return {
        step() {
            for (const l of scene.loads) {
                bodies[l.body].resetForces(true);
                bodies[l.body].addForce(vec(l.force), true);
            }
            world.step();
        },
        states: () => free.map((b) => {
            const p = b.translation(), q = b.rotation(), v = b.linvel(), w = b.angvel();
            return [p.x, p.y, p.z, q.w, q.x, q.y, q.z, v.x, v.y, v.z, w.x, w.y, w.z];
        }),
        loads: () => scales.map(loadOf),
    };
}

await main("Rapier", versionOf(PACKAGE), SETTINGS, make);
