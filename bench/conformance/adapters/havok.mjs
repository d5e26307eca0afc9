// Havok from npm (wasm, single precision). It offers no settings of its solver: the best is the same, told of its step.
import { readFileSync } from "node:fs";
import { across, axisInto, bodyOf, fileOf, importFile, into, main, refuse, slab, turn, versionOf } from "./plain.mjs";

const SETTINGS = ["as delivered", "told of the step (ideal step time)"];
const far = 1e9; // mass properties are given; no speed limit

const hq = (q) => [q[1], q[2], q[3], q[0]]; // x, y, z, w

async function make(scene, setting) {
    const create = (await importFile("@babylonjs/havok", "lib/esm/HavokPhysics_es.js")).default;
    const hk = await create({ wasmBinary: readFileSync(fileOf("@babylonjs/havok", "lib/esm/HavokPhysics.wasm")) });
    const ok = ([result, value]) => (result === hk.Result.RESULT_OK ? value : refuse("Havok says no"));
    const world = ok(hk.HP_World_Create());
    hk.HP_World_SetGravity(world, scene.gravity);
    hk.HP_World_SetSpeedLimit(world, far, far);
    if (setting === 1) {
        hk.HP_World_SetIdealStepTime(world, scene.dt);
    }
    const shapeOf = (s, of) => {
        const at = s.position ?? [0, 0, 0], q = s.rotation ?? [1, 0, 0, 0];
        const end = (sign) => turn(q, [0, 0, sign * s.half_length]).map((x, i) => x + at[i]);
        let made = null;
        switch (s.kind) {
        case "box": made = ok(hk.HP_Shape_CreateBox(at, hq(q), s.half.map((x) => 2 * x))); break;
        case "sphere": made = ok(hk.HP_Shape_CreateSphere(at, s.radius)); break;
        case "capsule": made = ok(hk.HP_Shape_CreateCapsule(end(-1), end(1), s.radius)); break;
        case "cylinder": made = ok(hk.HP_Shape_CreateCylinder(end(-1), end(1), s.radius)); break;
        default: refuse("no " + s.kind);
        }
        const mean = hk.MaterialCombine.MINIMUM;
        hk.HP_Shape_SetMaterial(made, [of.friction, of.friction, of.restitution, mean, mean]);
        return made;
    };
    const whole = (of) => {
        if (of.shapes.length === 1) {
            return shapeOf(of.shapes[0], of);
        }
        const all = ok(hk.HP_Shape_CreateContainer());
        for (const s of of.shapes) {
            hk.HP_Shape_AddChild(all, shapeOf(s, of), [[0, 0, 0], [0, 0, 0, 1], [1, 1, 1]]);
        }
        return all;
    };
    const addBody = (of) => {
        const body = ok(hk.HP_Body_Create());
        const isFree = of.kind === "free";
        if (of.shapes.length > 0) {
            hk.HP_Body_SetShape(body, whole(of));
        }
        hk.HP_Body_SetMotionType(body, isFree ? hk.MotionType.DYNAMIC : hk.MotionType.STATIC);
        if (isFree) {
            hk.HP_Body_SetMassProperties(body, [[0, 0, 0], of.mass, of.inertia.map((i) => i / of.mass), [0, 0, 0, 1]]);
            hk.HP_Body_SetLinearDamping(body, 0);
            hk.HP_Body_SetAngularDamping(body, 0);
            hk.HP_Body_SetActivationControl(body, hk.ActivationControl.ALWAYS_ACTIVE);
        }
        hk.HP_Body_SetQTransform(body, [of.position, hq(of.rotation)]);
        hk.HP_World_AddBody(world, body, false);
        if (isFree) {
            hk.HP_Body_SetLinearVelocity(body, of.velocity ?? [0, 0, 0]);
            hk.HP_Body_SetAngularVelocity(body, of.angular ?? [0, 0, 0]);
        }
        return body;
    };
    const bodies = {};
    for (const given of scene.bodies) {
        bodies[given.name] = addBody(given.shapes[0].kind === "plane" ? slab(given) : given);
    }
    let ground = null;
    const partner = (name) => bodies[name] ?? (ground ??= addBody({ kind: "fixed", shapes: [], position: [0, 0, 0], rotation: [1, 0, 0, 0] }));
    const A = hk.ConstraintAxis;
    const held = { ball: [A.LINEAR_X, A.LINEAR_Y, A.LINEAR_Z], hinge: [A.LINEAR_X, A.LINEAR_Y, A.LINEAR_Z, A.ANGULAR_Y, A.ANGULAR_Z],
        slider: [A.LINEAR_Y, A.LINEAR_Z, A.ANGULAR_X, A.ANGULAR_Y, A.ANGULAR_Z],
        fixed: [A.LINEAR_X, A.LINEAR_Y, A.LINEAR_Z, A.ANGULAR_X, A.ANGULAR_Y, A.ANGULAR_Z] };
    for (const j of scene.joints) {
        const made = ok(hk.HP_Constraint_Create());
        const axis = j.axis ?? [1, 0, 0];
        hk.HP_Constraint_SetParentBody(made, partner(j.a));
        hk.HP_Constraint_SetChildBody(made, partner(j.b));
        const frame = (body) => [into(body, j.point), axisInto(body, axis), axisInto(body, across(axis))];
        hk.HP_Constraint_SetAnchorInParent(made, ...frame(bodyOf(scene, j.a)));
        hk.HP_Constraint_SetAnchorInChild(made, ...frame(bodyOf(scene, j.b)));
        for (const a of held[j.kind]) {
            hk.HP_Constraint_SetAxisMode(made, a, hk.ConstraintAxisLimitMode.LOCKED);
        }
        hk.HP_Constraint_SetCollisionsEnabled(made, 0);
        hk.HP_Constraint_SetEnabled(made, 1);
    }
    const free = scene.bodies.filter((b) => b.kind === "free").map((b) => bodies[b.name]);
    return {
        step() {
            for (const l of scene.loads) {
                const at = ok(hk.HP_Body_GetPosition(bodies[l.body]));
                hk.HP_Body_ApplyImpulse(bodies[l.body], at, l.force.map((f) => f * scene.dt));
            }
            hk.HP_World_Step(world, scene.dt);
        },
        states: () => free.map((b) => {
            const [p, q] = ok(hk.HP_Body_GetQTransform(b));
            return [...p, q[3], q[0], q[1], q[2], ...ok(hk.HP_Body_GetLinearVelocity(b)), ...ok(hk.HP_Body_GetAngularVelocity(b))];
        }),
    };
}

await main("Havok", versionOf("@babylonjs/havok"), SETTINGS, make);
