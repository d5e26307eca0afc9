// What `cairn export` writes as .glb, judged by Khronos' validator: no error, no warning; and against the CSV of the same
// recording.
//
//     node apps/viewer/tests/gltf.test.mjs [PROGRAM]      PROGRAM: build/cairn unless told; or the variable CAIRN_CLI
//
// Exit code 77: the validator or the program is absent.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import test, { after } from "node:test";
import { fileURLToPath } from "node:url";

const SKIPPED = 77;
const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, "../../..");
const program = resolve(process.argv[2] ?? process.env.CAIRN_CLI ?? join(root, "build/cairn"));
const data = process.env.CAIRN_DATA ?? resolve(root, "../shared/data");

function skip(reason) {
  console.log(`skipped: ${reason}`);
  process.exit(SKIPPED);
}

const validator = await import("gltf-validator").catch(() => skip("no gltf-validator; run 'npm ci' in apps/viewer"));
if (!existsSync(program)) skip(`no ${program}`);

const folder = mkdtempSync(join(tmpdir(), "cairn-gltf-"));
after(() => rmSync(folder, { recursive: true }));

const run = (...words) => execFileSync(program, words, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });

// --- A .glb and a CSV of a scene -------------------------------------------------------------------------------------

async function record(scene, ...options) {
  try {
    run("sim", scene, "-o", "motion.crn", ...options);
  } catch (error) {
    if (error.status !== 1) throw error; // 1: some step was not certified, the motion is there
  }
  run("export", "motion.crn", "-o", "motion.glb");
  run("export", "motion.crn", "-o", "motion.csv");
  const bytes = new Uint8Array(readFileSync(join(folder, "motion.glb")));
  const report = await validator.default.validateBytes(bytes, { maxIssues: 20, uri: "motion.glb" });
  return { bytes, report, csv: readFileSync(join(folder, "motion.csv"), "utf8") };
}

function parse(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = view.getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + length)));
  const start = 20 + length + 8;
  const width = { SCALAR: 1, VEC3: 3, VEC4: 4 };
  const floats = (index) => {
    const accessor = json.accessors[index];
    const offset = start + json.bufferViews[accessor.bufferView].byteOffset;
    return Array.from({ length: accessor.count * width[accessor.type] }, (_, i) => view.getFloat32(offset + 4 * i, true));
  };
  return { json, floats };
}

// Columns of the CSV by name; the names in these scenes need no quotes.
function columns(csv) {
  const [heading, ...rows] = csv.trim().split("\n").map((line) => line.split(","));
  return Object.fromEntries(heading.map((name, i) => [name, rows.map((row) => Number(row[i]))]));
}

function checkReport(report, { bodies }) {
  const { numErrors, numWarnings, messages } = report.issues;
  assert.deepEqual([numErrors, numWarnings], [0, 0], JSON.stringify(messages, null, 1));
  assert.equal(report.info.version, "2.0");
  assert.ok(report.info.totalTriangleCount > 0 || bodies === 0);
}

// Every track is the column of its body; a body without a track stays where its node is.
function checkMotion(bytes, csv) {
  const { json, floats } = parse(bytes);
  const column = columns(csv);
  const animation = json.animations?.[0] ?? { channels: [], samplers: [] };
  const track = new Map();
  for (const { sampler, target } of animation.channels) {
    const { input, output } = animation.samplers[sampler];
    floats(input).forEach((time, k) => assert.equal(time, Math.fround(column.time[k])));
    track.set(`${target.node} ${target.path}`, floats(output));
  }
  const bodies = json.nodes[0].children;
  bodies.forEach((node) => {
    const { name, translation, rotation } = json.nodes[node];
    column.time.forEach((_, k) => {
      const p = track.get(`${node} translation`)?.slice(3 * k, 3 * k + 3) ?? translation;
      ["x", "y", "z"].forEach((axis, i) => {
        const wanted = column[`${name}.${axis}`][k];
        assert.ok(Math.abs(p[i] - wanted) <= 6e-8 * Math.abs(wanted) + 1e-12, `${name}.${axis} in frame ${k}`);
      });
      const q = track.get(`${node} rotation`)?.slice(4 * k, 4 * k + 4) ?? rotation;
      const wanted = ["qx", "qy", "qz", "qw"].map((part) => column[`${name}.${part}`][k]);
      const dot = q.reduce((sum, value, i) => sum + value * wanted[i], 0);
      assert.ok(Math.abs(dot) > 1 - 1e-6, `${name}: rotation in frame ${k}`);
    });
  });
  return { json, track };
}

async function check(scene, ...options) {
  const { bytes, report, csv } = await record(scene, ...options);
  const { json, track } = checkMotion(bytes, csv);
  checkReport(report, { bodies: json.nodes[0].children.length });
  return { json, track };
}

// --- Scenes of the gallery -------------------------------------------------------------------------------------------

for (const name of ["hoist", "humanoid", "net"]) {
  test(`gallery:${name}`, async () => {
    const { track } = await check(`gallery:${name}`, "--time", "0.3", "--every", "5");
    assert.ok(track.size > 10);
  });
}

test("gallery:brazil-nut, a planar scene", async () => {
  const { json } = await check("gallery:brazil-nut", "--time", "0.6");
  assert.equal(json.nodes[0].rotation, undefined); // it stays as it is
});

// --- Every shape, meshes, robots -------------------------------------------------------------------------------------

const box = { points: [], triangles: [] };
for (let k = 0; k < 8; ++k) box.points.push([k & 1, (k >> 1) & 1, k >> 2]);
for (const [a, b, c, d] of [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]])
  box.triangles.push([a, b, c], [a, c, d]);

const solids = [
  { kind: "sphere", radius: 0.3 },
  { kind: "box", half: [0.2, 0.3, 0.4] },
  { kind: "capsule", radius: 0.2, half_length: 0.5 },
  { kind: "cylinder", radius: 0.2, half_length: 0.5 },
  { kind: "ellipsoid", half: [0.2, 0.3, 0.4] },
  { kind: "hull", points: box.points },
  { kind: "mesh", ...box },
];

const write = (name, scene) => writeFileSync(join(folder, name), JSON.stringify(scene));

test("a scene with every solid, a plane and a height field", async () => {
  const heights = [0, 1, 2, 3].map((i) => [0, 1, 2].map((j) => 0.1 * i * j));
  write("solids.json", {
    name: 'solids "and" grounds',
    bodies: [
      { name: "floor", kind: "fixed", shapes: [{ kind: "plane" }] },
      { name: "hill", kind: "fixed", position: [9, 9, 1], shapes: [{ kind: "height_field", spacing: [1, 1], heights }] },
      ...solids.map((shape, k) => ({ name: `solid${k}`, position: [2 * k, 0, 3], angular: [1, 2, 3], shapes: [shape] })),
      { name: "twins", position: [0, 4, 3], shapes: [solids[0], { ...solids[0], position: [0, 0, 1] }] },
    ],
  });
  const { json, track } = await check("solids.json", "--time", "1", "--every", "5");
  json.nodes[0].rotation.forEach((value, k) => assert.ok(Math.abs(value - [-Math.SQRT1_2, 0, 0, Math.SQRT1_2][k]) < 1e-15));
  assert.ok(!track.has("1 translation") && !track.has("2 translation") && track.has("3 translation"));
  const spheres = json.meshes.filter((mesh) => mesh.name === "sphere").map((mesh) => mesh.primitives[0].attributes.POSITION);
  assert.equal(new Set(spheres).size, 1); // equal shapes share their points
});

test("a planar scene with every shape", async () => {
  write("planar.json", {
    planar: true,
    bodies: [
      { name: "ground", kind: "fixed", shapes: [{ kind: "half_plane" }] },
      { name: "disk", position: [0, 2], shapes: [{ kind: "disk", radius: 0.5 }] },
      { name: "ellipse", position: [2, 2], shapes: [{ kind: "ellipse", half: [0.5, 0.3] }] },
      { name: "polygon", position: [4, 2], shapes: [{ kind: "polygon", points: [[0, 0], [1, 0], [0, 1]] }] },
      { name: "segment", position: [6, 2], shapes: [{ kind: "segment", half_length: 0.5, radius: 0.1 }] },
      { name: "bar", position: [8, 2], mass: 1, inertia: 1, shapes: [{ kind: "segment", half_length: 0.5 }] },
    ],
  });
  const { json } = await check("planar.json", "--time", "0.5", "--every", "5");
  assert.equal(json.nodes[0].rotation, undefined);
});

const mesh = join(data, "meshes/spot.obj");
test("a mesh from a file", { skip: !existsSync(mesh) && "not in CAIRN_DATA" }, async () => {
  write("mesh.json", { bodies: [{ name: "cow", shapes: [{ kind: "mesh", file: mesh }] }] });
  await check("mesh.json", "--time", "0.1");
});

for (const robot of ["kuka_iiwa/model.urdf", "bullet_simple/r2d2.urdf"]) {
  const path = join(data, "robots", robot);
  test(`the robot ${robot}`, { skip: !existsSync(path) && "not in CAIRN_DATA" }, async () => {
    await check(path, "--skip-meshes", "--time", "0.1");
  });
}
