// PhysX from npm (wasm, single precision).
import { readFileSync } from "node:fs";
import { bodyOf, fileOf, importFile, into, main, product, refuse, slab, turnInto, turnXTo, versionOf } from "./plain.mjs";

const SETTINGS = ["PGS, 4 position and 1 velocity iterations", "TGS, 64 and 4 iterations, strong friction"];
const X_TO_Z = [Math.SQRT1_2, 0, -Math.SQRT1_2, 0]; // PhysX's capsules are along x
const SIDES = 128; // of a cylinder, which PhysX has not: a hull

// The package is built for browsers and says no to node: it sees a window and no process until it is ready.
async function load() {
    const wasmBinary = readFileSync(fileOf("physx-js-webidl", "physx-js-webidl.wasm"));
    const create = (await importFile("physx-js-webidl", "physx-js-webidl.mjs")).default;
    const { process } = globalThis;
    globalThis.window = globalThis;
    globalThis.process = undefined;
    try {
        return await create({ wasmBinary });
    } finally {
        globalThis.process = process;
    }
}

async function make(scene, setting) {
    const PX = await load();
    const top = PX.PxTopLevelFunctions.prototype;
    const foundation = top.CreateFoundation(top.PHYSICS_VERSION, new PX.PxDefaultAllocator(), new PX.PxDefaultErrorCallback());
    const scale = new PX.PxTolerancesScale();
    const physics = top.CreatePhysics(top.PHYSICS_VERSION, foundation, scale);
    top.InitExtensions(physics);
    const vec = (v) => new PX.PxVec3(...v), pose = (p, q) => new PX.PxTransform(vec(p), new PX.PxQuat(q[1], q[2], q[3], q[0]));
    const desc = new PX.PxSceneDesc(scale);
    desc.gravity = vec(scene.gravity);
    desc.cpuDispatcher = top.DefaultCpuDispatcherCreate(0);
    desc.filterShader = top.DefaultFilterShader();
    desc.bounceThresholdVelocity = 0.1;
    if (setting === 1) {
        desc.solverType = PX.PxSolverTypeEnum.eTGS;
    }
    const world = physics.createScene(desc);
    const of0 = scene.bodies[0];
    const material = physics.createMaterial(of0.friction, of0.friction, of0.restitution);
    if (setting === 1 && PX.PxMaterialFlagEnum?.eIMPROVED_PATCH_FRICTION !== undefined) {
        material.setFlag(PX.PxMaterialFlagEnum.eIMPROVED_PATCH_FRICTION, true);
    }
    const flags = new PX.PxShapeFlags(PX.PxShapeFlagEnum.eSIMULATION_SHAPE | PX.PxShapeFlagEnum.eSCENE_QUERY_SHAPE);
    const hull = (s) => {
        const points = new PX.PxArray_PxVec3(2 * SIDES);
        for (let k = 0; k < 2 * SIDES; ++k) {
            const a = 2 * Math.PI * (k % SIDES) / SIDES, z = k < SIDES ? -s.half_length : s.half_length;
            points.set(k, vec([s.radius * Math.cos(a), s.radius * Math.sin(a), z]));
        }
        const d = new PX.PxConvexMeshDesc();
        d.points.count = 2 * SIDES;
        d.points.stride = 12;
        d.points.data = points.begin();
        d.flags = new PX.PxConvexFlags(PX.PxConvexFlagEnum.eCOMPUTE_CONVEX);
        const params = new PX.PxCookingParams(scale);
        return new PX.PxConvexMeshGeometry(top.CreateConvexMesh(params, d));
    };
    const geometry = (s) => {
        switch (s.kind) {
        case "box": return new PX.PxBoxGeometry(...s.half);
        case "sphere": return new PX.PxSphereGeometry(s.radius);
        case "capsule": return new PX.PxCapsuleGeometry(s.radius, s.half_length);
        case "cylinder": return hull(s);
        default: return refuse("no " + s.kind);
        }
    };
    const addShapes = (actor, of) => {
        for (const s of of.shapes) {
            const shape = physics.createShape(geometry(s), material, true, flags);
            const q = s.rotation ?? [1, 0, 0, 0];
            shape.setLocalPose(pose(s.position ?? [0, 0, 0], s.kind === "capsule" ? product(q, X_TO_Z) : q));
            shape.setSimulationFilterData(new PX.PxFilterData(1, 1, 0, 0));
            if (setting === 1) {
                shape.setRestOffset(0);
            }
            actor.attachShape(shape);
        }
    };
    const bodies = {};
    for (const given of scene.bodies) {
        const of = given.shapes[0].kind === "plane" ? slab(given) : given;
        const isFree = of.kind === "free";
        const at = pose(of.position, of.rotation);
        const actor = isFree ? physics.createRigidDynamic(at) : physics.createRigidStatic(at);
        addShapes(actor, of);
        if (isFree) {
            actor.setMass(of.mass);
            actor.setMassSpaceInertiaTensor(vec(of.inertia));
            actor.setCMassLocalPose(pose([0, 0, 0], [1, 0, 0, 0]));
            actor.setLinearDamping(0);
            actor.setAngularDamping(0);
            actor.setMaxAngularVelocity(1e4);
            actor.setMaxDepenetrationVelocity?.(1e10);
            actor.setSleepThreshold(0);
            actor.setStabilizationThreshold(0);
            actor.setRigidBodyFlag(PX.PxRigidBodyFlagEnum.eENABLE_GYROSCOPIC_FORCES, true);
            if (setting === 1) {
                actor.setSolverIterationCounts(64, 4);
            }
        }
        world.addActor(actor);
        if (isFree) {
            actor.setLinearVelocity(vec(of.velocity ?? [0, 0, 0]));
            actor.setAngularVelocity(vec(of.angular ?? [0, 0, 0]));
        }
        bodies[of.name] = actor;
    }
    const ground = physics.createRigidStatic(pose([0, 0, 0], [1, 0, 0, 0]));
    world.addActor(ground);
    const partner = (name) => bodies[name] ?? ground;
    for (const j of scene.joints) {
        const axis = j.axis ? turnXTo(j.axis) : [1, 0, 0, 0];
        const frame = (body) => pose(into(body, j.point), turnInto(body, axis));
        const joint = top.D6JointCreate(physics, partner(j.a), frame(bodyOf(scene, j.a)), partner(j.b), frame(bodyOf(scene, j.b)));
        const E = PX.PxD6AxisEnum, free = { ball: [E.eTWIST, E.eSWING1, E.eSWING2], hinge: [E.eTWIST], slider: [E.eX], fixed: [] };
        for (const a of free[j.kind]) {
            joint.setMotion(a, PX.PxD6MotionEnum.eFREE);
        }
    }
    const free = scene.bodies.filter((b) => b.kind === "free").map((b) => bodies[b.name]);
    return {
        step() {
            for (const l of scene.loads) {
                bodies[l.body].addForce(vec(l.force));
            }
            world.simulate(scene.dt);
            world.fetchResults(true);
        },
        states: () => free.map((b) => {
            const at = b.getGlobalPose(), p = at.p, q = at.q;
            const state = [p.x, p.y, p.z, q.w, q.x, q.y, q.z];
            const v = b.getLinearVelocity();
            state.push(v.x, v.y, v.z);
            const w = b.getAngularVelocity();
            return [...state, w.x, w.y, w.z];
        }),
    };
}

await main("PhysX", versionOf("physx-js-webidl"), SETTINGS, make);
