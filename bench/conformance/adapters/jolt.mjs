// Jolt from npm (wasm, single precision).
import { across, importFile, main, product, refuse, slab, versionOf } from "./plain.mjs";

const SETTINGS = ["10 velocity, 2 position steps", "100 velocity, 20 position steps, slop 1e-5, speculative 1e-3"];
const ALONG_Z = [Math.SQRT1_2, Math.SQRT1_2, 0, 0]; // Jolt's capsules and cylinders are along y
const FIXED = 0, MOVING = 1;

function layers(Jolt, settings) {
    const pairs = new Jolt.ObjectLayerPairFilterTable(2);
    pairs.EnableCollision(FIXED, MOVING);
    pairs.EnableCollision(MOVING, MOVING);
    const broad = new Jolt.BroadPhaseLayerInterfaceTable(2, 2);
    broad.MapObjectToBroadPhaseLayer(FIXED, new Jolt.BroadPhaseLayer(0));
    broad.MapObjectToBroadPhaseLayer(MOVING, new Jolt.BroadPhaseLayer(1));
    settings.mObjectLayerPairFilter = pairs;
    settings.mBroadPhaseLayerInterface = broad;
    settings.mObjectVsBroadPhaseLayerFilter = new Jolt.ObjectVsBroadPhaseLayerFilterTable(broad, 2, pairs, 2);
}

async function make(scene, setting) {
    const Jolt = await (await importFile("jolt-physics", "dist/jolt-physics.wasm-compat.js")).default();
    const vec = (v) => new Jolt.Vec3(...v), rvec = (v) => new Jolt.RVec3(...v), quat = (q) => new Jolt.Quat(q[1], q[2], q[3], q[0]);
    const joltSettings = new Jolt.JoltSettings();
    joltSettings.mMaxWorkerThreads = 1;
    layers(Jolt, joltSettings);
    const jolt = new Jolt.JoltInterface(joltSettings);
    const system = jolt.GetPhysicsSystem(), physics = system.GetPhysicsSettings();
    if (setting === 1) {
        physics.mNumVelocitySteps = 100;
        physics.mNumPositionSteps = 20;
        physics.mPenetrationSlop = 1e-5;
        physics.mSpeculativeContactDistance = 1e-3;
    }
    system.SetPhysicsSettings(physics);
    system.SetGravity(vec(scene.gravity));
    const bodyInterface = system.GetBodyInterface();

    const shapeOf = (s) => {
        switch (s.kind) {
        case "box": return new Jolt.BoxShapeSettings(vec(s.half), 0);
        case "sphere": return new Jolt.SphereShapeSettings(s.radius);
        case "capsule": return new Jolt.CapsuleShapeSettings(s.half_length, s.radius);
        case "cylinder": return new Jolt.CylinderShapeSettings(s.half_length, s.radius, 0);
        default: return refuse("no " + s.kind);
        }
    };
    const isRound = (s) => s.kind === "capsule" || s.kind === "cylinder";
    const whole = (shapes) => {
        if (shapes.length === 1 && !shapes[0].rotation && !shapes[0].position && !isRound(shapes[0])) {
            return shapeOf(shapes[0]);
        }
        const compound = new Jolt.StaticCompoundShapeSettings();
        for (const s of shapes) {
            const q = s.rotation ?? [1, 0, 0, 0];
            compound.AddShapeShapeSettings(vec(s.position ?? [0, 0, 0]), quat(isRound(s) ? product(q, ALONG_Z) : q), shapeOf(s), 0);
        }
        return compound;
    };
    // Jolt moves a compound's origin to its centre of mass: put it back.
    const centred = (settings) => {
        const shape = settings.Create().Get(), c = shape.GetCenterOfMass();
        const away = [-c.GetX(), -c.GetY(), -c.GetZ()];
        return Math.hypot(...away) > 1e-9 ? new Jolt.OffsetCenterOfMassShapeSettings(vec(away), settings).Create().Get() : shape;
    };
    const filter = new Jolt.GroupFilterTable(scene.bodies.length + 1);
    const bodies = {}, place = {};
    scene.bodies.forEach((given, index) => {
        const of = given.shapes[0].kind === "plane" ? slab(given) : given;
        const isFree = of.kind === "free";
        const settings = new Jolt.BodyCreationSettings(centred(whole(of.shapes)), rvec(of.position), quat(of.rotation),
            isFree ? Jolt.EMotionType_Dynamic : Jolt.EMotionType_Static, isFree ? MOVING : FIXED);
        settings.mFriction = of.friction; // a pair has the geometric mean
        settings.mRestitution = of.restitution;
        settings.mAllowSleeping = false;
        settings.mLinearDamping = settings.mAngularDamping = 0;
        settings.mMaxAngularVelocity = 1e4;
        settings.mApplyGyroscopicForce = true;
        if (isFree) {
            settings.mOverrideMassProperties = Jolt.EOverrideMassProperties_MassAndInertiaProvided;
            settings.mMassPropertiesOverride.mMass = of.mass;
            settings.mMassPropertiesOverride.mInertia = Jolt.Mat44.prototype.sScaleVec3(vec(of.inertia));
            settings.mLinearVelocity = vec(of.velocity ?? [0, 0, 0]);
            settings.mAngularVelocity = vec(of.angular ?? [0, 0, 0]);
        }
        settings.mCollisionGroup.SetGroupFilter(filter);
        settings.mCollisionGroup.SetGroupID(0);
        settings.mCollisionGroup.SetSubGroupID(index);
        place[of.name] = index;
        bodies[of.name] = bodyInterface.CreateBody(settings);
        bodyInterface.AddBody(bodies[of.name].GetID(), Jolt.EActivation_Activate);
    });
    const partner = (name) => bodies[name] ?? Jolt.Body.prototype.sFixedToWorld;
    for (const j of scene.joints) {
        let s = null;
        if (j.kind === "hinge") {
            s = new Jolt.HingeConstraintSettings();
            s.mHingeAxis1 = s.mHingeAxis2 = vec(j.axis);
            s.mNormalAxis1 = s.mNormalAxis2 = vec(across(j.axis));
        } else if (j.kind === "slider") {
            s = new Jolt.SliderConstraintSettings();
            s.mSliderAxis1 = s.mSliderAxis2 = vec(j.axis);
            s.mNormalAxis1 = s.mNormalAxis2 = vec(across(j.axis));
        } else {
            s = j.kind === "ball" ? new Jolt.PointConstraintSettings() : new Jolt.FixedConstraintSettings();
        }
        s.mPoint1 = s.mPoint2 = rvec(j.point);
        system.AddConstraint(s.Create(partner(j.a), partner(j.b)));
        if (j.a in place && j.b in place) {
            filter.DisableCollision(place[j.a], place[j.b]);
        }
    }
    const free = scene.bodies.filter((b) => b.kind === "free").map((b) => bodies[b.name]);
    return {
        step() {
            for (const l of scene.loads) {
                bodyInterface.AddForce(bodies[l.body].GetID(), vec(l.force), Jolt.EActivation_Activate);
            }
            jolt.Step(scene.dt, 1);
        },
        states: () => free.map((b) => {
            const p = b.GetCenterOfMassPosition(), q = b.GetRotation(), v = b.GetLinearVelocity(), w = b.GetAngularVelocity();
            return [p.GetX(), p.GetY(), p.GetZ(), q.GetW(), q.GetX(), q.GetY(), q.GetZ(), v.GetX(), v.GetY(), v.GetZ(), w.GetX(),
                w.GetY(), w.GetZ()];
        }),
    };
}

await main("Jolt", versionOf("jolt-physics"), SETTINGS, make);
