// What adapters for node share: reading a plain scene, frames, printing samples, refusing.
import { createRequire } from "node:module";
import { readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const REFUSED = 3;

// This engine, or its adapter, cannot be given the scene.
export function refuse(why) {
    console.error(why);
    process.exit(REFUSED);
}

export const modules = join(process.argv[2], "node_modules");
export const versionOf = (name) => JSON.parse(readFileSync(join(modules, name, "package.json"), "utf8")).version;
export const importFile = (...path) => import(pathToFileURL(join(modules, ...path)).href);
export const fileOf = (...path) => join(modules, ...path);
export const require = createRequire(import.meta.url);

// --- Quaternions are w, x, y, z ---

export const inverse = (q) => [q[0], -q[1], -q[2], -q[3]];

export function product(a, b) {
    return [
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    ];
}

export function turn([w, x, y, z], v) {
    const t = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])];
    return [v[0] + w * t[0] + y * t[2] - z * t[1], v[1] + w * t[1] + z * t[0] - x * t[2], v[2] + w * t[2] + x * t[1] - y * t[0]];
}

const add = (a, b) => a.map((x, i) => x + b[i]);
const subtract = (a, b) => a.map((x, i) => x - b[i]);
const scaled = (a, s) => a.map((x) => x * s);
const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);

// Shortest turn of the x axis onto a unit axis.
export function turnXTo(axis) {
    const w = 1 + axis[0];
    if (w < 1e-12) {
        return [0, 0, 1, 0];
    }
    const q = [w, 0, -axis[2], axis[1]];
    return scaled(q, 1 / Math.sqrt(dot(q, q)));
}

// A unit vector across an axis.
export function across(axis) {
    const other = Math.abs(axis[0]) < 0.7 ? [1, 0, 0] : [0, 1, 0];
    const v = subtract(other, scaled(axis, dot(axis, other)));
    return scaled(v, 1 / Math.sqrt(dot(v, v)));
}

const WORLD = { name: "world", position: [0, 0, 0], rotation: [1, 0, 0, 0] };

// A point, an axis, a turn of the world in the frame that a body has at the start.
export const into = (body, point) => turn(inverse(body.rotation), subtract(point, body.position));
export const axisInto = (body, axis) => turn(inverse(body.rotation), axis);
export const turnInto = (body, q) => product(inverse(body.rotation), q);
export const bodyOf = (scene, name) => (name === "world" ? WORLD : scene.bodies.find((b) => b.name === name));

// Planes as slabs for engines without planes: half sides, and the centre below the surface.
export const SLAB = [50, 50, 2];
export function slab(body) {
    return { ...body, shapes: [{ kind: "box", half: SLAB }], position: add(body.position, turn(body.rotation, [0, 0, -SLAB[2]])) };
}

// --- Running ---

// All of it, also into a pipe: process.stdout may still hold some when the process ends.
function put(value) {
    let rest = Buffer.from(JSON.stringify(value) + "\n");
    while (rest.length > 0) {
        try {
            rest = rest.subarray(writeSync(1, rest));
        } catch (error) {
            if (error.code !== "EAGAIN") {
                throw error;
            }
        }
    }
}

function print(world, t, scene) {
    const loads = world.loads ? world.loads() : [];
    const states = world.states();
    put({ t, s: states, load: loads });
}

function run(world, scene, steps, every) {
    let seconds = 0;
    print(world, 0, scene);
    for (let k = 1; k <= steps; ++k) {
        const begin = process.cpuUsage();
        world.step();
        const used = process.cpuUsage(begin);
        seconds += 1e-6 * (used.user + used.system);
        if (k % every === 0 || k === steps) {
            print(world, k * scene.dt, scene);
        }
    }
    put({ seconds, complaints: world.complaints ? world.complaints() : 0 });
}

// make(scene, setting) returns an object with step(), states() and perhaps loads(), complaints().
export async function main(name, version, settings, make) {
    if (process.argv[3] === "--version") {
        console.log([name, version, ...settings].join("\t"));
        return;
    }
    const [setting, path, steps, every] = process.argv.slice(3);
    const scene = JSON.parse(readFileSync(path, "utf8"));
    run(await make(scene, Number(setting), path), scene, Number(steps), Number(every));
    process.exit(0); // engines with threads would linger
}
