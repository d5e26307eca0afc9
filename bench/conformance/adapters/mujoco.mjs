// MuJoCo from npm (wasm).
import { execFileSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { importFile, inverse, main, turn, versionOf } from "./plain.mjs";

const mjcf = join(dirname(fileURLToPath(import.meta.url)), "mjcf.py");

async function make(scene, setting, path) {
    const mujoco = await (await importFile("@mujoco/mujoco", "mujoco.js")).default();
    const xml = execFileSync("python3", [mjcf, path, String(setting)], { encoding: "utf8" });
    const model = mujoco.MjModel.from_xml_string(xml);
    const data = new mujoco.MjData(model);
    const id = (name) => mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY.value, name);
    const bodies = scene.bodies.filter((b) => b.kind === "free");
    const free = bodies.map((b) => id(b.name));
    const scales = scene.bodies.filter((b) => b.name.startsWith("scale")).map((b) => id(b.name));
    const pushes = scene.loads.map((l) => [id(l.body), l.force]);
    bodies.forEach((b, k) => {
        if (b.velocity || b.angular) {
            const spin = turn(inverse(b.rotation), b.angular ?? [0, 0, 0]);
            [...(b.velocity ?? [0, 0, 0]), ...spin].forEach((v, i) => { data.qvel[model.body_dofadr[free[k]] + i] = v; });
        }
    });
    const refresh = () => {
        mujoco.mj_kinematics(model, data);
        mujoco.mj_comPos(model, data);
        mujoco.mj_comVel(model, data);
    };
    const state = (i) => {
        const of = (a, n, k) => Array.from(a.slice(n * k, n * k + n));
        const p = of(data.xpos, 3, i), cvel = of(data.cvel, 6, i), c = of(data.subtree_com, 3, model.body_rootid[i]);
        const w = cvel.slice(0, 3), r = p.map((x, k) => x - c[k]);
        const v = [cvel[3] + w[1] * r[2] - w[2] * r[1], cvel[4] + w[2] * r[0] - w[0] * r[2], cvel[5] + w[0] * r[1] - w[1] * r[0]];
        return [...p, ...of(data.xquat, 4, i), ...v, ...w];
    };
    const force = new mujoco.DoubleBuffer(6);
    const loads = () => {
        const sums = new Map(scales.map((s) => [s, 0]));
        for (let k = 0; k < data.ncon && scales.length > 0; ++k) {
            const c = data.contact.get(k);
            mujoco.mj_contactForce(model, data, k, force);
            for (const body of [model.geom_bodyid[c.geom1], model.geom_bodyid[c.geom2]]) {
                if (sums.has(body)) {
                    sums.set(body, sums.get(body) + Math.abs(force.GetView()[0] * c.frame[2]));
                }
            }
        }
        return [...sums.values()];
    };
    refresh();
    return {
        step() {
            for (const [body, f] of pushes) {
                f.forEach((x, i) => { data.xfrc_applied[6 * body + i] = x; });
            }
            mujoco.mj_step(model, data);
        },
        states() { refresh(); return free.map(state); },
        loads,
    };
}

await main("MuJoCo 3", versionOf("@mujoco/mujoco"), ["Newton, pyramid", "elliptic, impratio 10, noslip 10; RK4 where nothing is fixed"], make);
