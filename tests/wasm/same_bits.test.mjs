// The same bits everywhere: 20 scenes of the gallery, 300 steps each, by the program, by the program on a processor without fused
// multiply-adds (as glibc's tunables make believe), by WebAssembly in node and in Chromium. One hash each.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { findBrowser, launch } from "../../apps/viewer/tests/support/browser.mjs";
import { loaderText } from "../../apps/viewer/tests/support/loader.mjs";
import { load } from "../../bindings/wasm/package/cairn.mjs";

const STEPS = 300;
const SCENES = ["box-on-floor", "disk-on-table", "ellipse", "stack-10", "stack-30", "stack-masses", "incline-slide", "push-move", "launch",
                "pinch", "table-8", "hinged-boxes", "double-pendulum", "rope", "tumbling", "four-bar", "leg", "rolling-ellipse", "painleve",
                "humanoid"];
const PLAIN = { GLIBC_TUNABLES: "glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2,-AVX,-SSE4_2,-SSE4_1" };
const cli = process.env.CAIRN_CLI, wasm = readFileSync(process.env.CAIRN_WASM);
const folder = mkdtempSync(join(tmpdir(), "cairn-bits-"));
const scenes = new Map(); // name: text
const wanted = new Map(); // name: hash
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

/** The program's hash; it exits with 1 where a step is not certified. */
function hashOf(file, dt, environment = {}) {
  const options = ["sim", file, "--time", String(STEPS * dt), "--json"];
  try {
    return JSON.parse(execFileSync(cli, options, { env: { ...process.env, ...environment } })).hash;
  } catch (error) {
    return JSON.parse(error.stdout).hash;
  }
}

before(() => {
  for (const name of SCENES) {
    const file = join(folder, `${name}.json`);
    execFileSync(cli, ["sim", `gallery:${name}`, "--write", file]);
    scenes.set(name, readFileSync(file, "utf8"));
    const dt = JSON.parse(scenes.get(name)).dt ?? 0.01;
    wanted.set(name, hashOf(file, dt));
    assert.equal(hashOf(file, dt, PLAIN), wanted.get(name), `${name} without fused multiply-adds`);
  }
});

test("node has the program's bits", async () => {
  const cairn = await load(wasm);
  for (const [name, scene] of scenes) {
    const world = cairn.open(scene, { every: 2 * STEPS });
    assert.equal(world.step(STEPS), STEPS);
    assert.equal(world.hash, wanted.get(name), name);
    world.close();
  }
});

test("Chromium has the program's bits", { skip: !findBrowser() && "no Chromium" }, async () => {
  const browser = await launch();
  after(() => browser.close());
  const page = await browser.newPage();
  const loader = loaderText();
  const found = await page.evaluate(async ({ loader, bytes, scenes, steps }) => {
    const { load } = await import(URL.createObjectURL(new Blob([loader], { type: "text/javascript" })));
    const cairn = await load(Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0)));
    return scenes.map(([name, scene]) => {
      const world = cairn.open(scene, { every: 2 * steps });
      world.step(steps);
      return [name, world.hash];
    });
  }, { loader, bytes: wasm.toString("base64"), scenes: [...scenes], steps: STEPS });
  assert.deepEqual(found, [...wanted]);
});

test("a scene with other settings goes on where it was; a bad one says why and changes nothing", async () => {
  const cairn = await load(wasm), scene = JSON.parse(scenes.get("incline-slide")), world = cairn.open(scene);
  world.step(50);
  const { hash, time } = world;
  world.change(scene); // the same settings: nothing changes
  assert.equal(world.hash, hash);
  world.step(50);
  const other = cairn.open(scene);
  other.step(100);
  assert.equal(world.hash, other.hash);
  assert.throws(() => world.change({ ...scene, dt: -1 }), /dt/);
  assert.throws(() => cairn.open('{"bodies": [{"mas": 1}]}'), /scene:1: bodies\[0\].*did you mean 'mass'/);
  assert.throws(() => cairn.open("{"), /syntax/);
  assert.throws(() => cairn.open('{"name": "a", "name": "b"}'), /duplicate/);
  assert.throws(() => cairn.open("[".repeat(100000)), /deep/);
  assert.throws(() => cairn.open('{"dt": 1e999}'), /syntax/);
  assert.equal(world.hash, other.hash);
  assert.ok(time > 0);
});

test("a setting that changes energy is the reader's doing: steps stay certified", async () => {
  const arm = (target) => ({ bodies: [{ mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, -0.5], shapes: [] }],
    joints: [{ kind: "hinge", a: -1, b: 0, in_tree: true, point: [0, 0, 0], axis: [0, 1, 0], spring: { stiffness: 40, damping: 8, target } }] });
  const cairn = await load(wasm), world = cairn.open(arm(0));
  for (const scene of [arm(0.5), { ...arm(-0.5), gravity: [0, 0, -20] }, { ...arm(-0.5), gravity: [3, 0, 9], dt: 0.004 }]) {
    world.change(scene);
    for (let i = 0; i < 100; ++i) {
      world.step();
      assert.equal(world.verdict, "certified", `step ${world.steps}`);
    }
  }
});

test("a complementarity problem is solved, and one without solution is told", async () => {
  const cairn = await load(wasm);
  const { outcome, z, certificate } = cairn.solveLcp([[2, 1], [1, 2]], [-5, -6]); // M z + q = 0
  assert.equal(outcome, "solved");
  assert.ok(Math.hypot(z[0] - 4 / 3, z[1] - 7 / 3) < 1e-14 && certificate < 1e-12);
  assert.equal(cairn.solveLcp([[0]], [-1]).outcome, "infeasible");
  assert.deepEqual(cairn.solveLcp([], []).z, []);
  assert.throws(() => cairn.solveLcp([[NaN]], [1]), /finite/);
});

const BALL = { kind: "rigid", h: 0.01, d: 8, // docs/guide/contact-files.md
  bodies: [{ mass: 1, inertia_world: [[1, 0, 0], [0, 1, 0], [0, 0, 1]], com: [0, 0, 0.5], velocity: [0, 0, 0, 0, 0, 0] }],
  contacts: [{ a: 0, b: -1, point: [0, 0, 0], normal: [0, 0, 1], t1: [1, 0, 0], t2: [0, 1, 0], mu: 0.3, gap: 0 }],
  wrench: [[0, 0, -9.81, 0, 0, 0]] };

test("a contact problem is solved: a ball's weight, and one that is pushed aside slides", async () => {
  const cairn = await load(wasm), rest = cairn.solveContact(BALL);
  assert.equal(rest.outcome, "solved");
  assert.ok(Math.abs(rest.impulse[0][0] - 0.0981) < 1e-12 && rest.certificate < 1e-9 && rest.velocity.length === 6);
  const wrench = [[10, 0, -9.81, 0, 0, 0]], bodies = [{ ...BALL.bodies[0], inertia_world: [[1e9, 0, 0], [0, 1e9, 0], [0, 0, 1e9]] }];
  for (const round of [false, true]) { // 10 N against 0.3 x 9.81 N: it slides with the rest
    const { impulse: [[n, t1, t2]], velocity, kind, law } = cairn.solveContact(JSON.stringify({ ...BALL, bodies, wrench }), { round });
    assert.ok(Math.abs(n - 0.0981) < 1e-9 && Math.abs(t1 + 0.3 * 0.0981) < 1e-9 && Math.abs(t2) < 1e-9);
    assert.ok(Math.abs(velocity[3] - (0.1 - 0.3 * 0.0981)) < 1e-9);
    assert.deepEqual([kind, law], [["slide"], "coulomb"]);
  }
  assert.throws(() => cairn.solveContact('{"kind": "rigid", "bodis": []}'), /bodi/);
  assert.throws(() => cairn.solveContact("{"), /syntax/);
});

test("robots are read as the program reads them, meshes from files beside them", async () => {
  const cairn = await load(wasm), urdf = (mesh) => `<robot name="r"><link name="base"><inertial><mass value="2"/><origin xyz="0 0 0"/>
    <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial><collision><geometry>${mesh}</geometry></collision></link></robot>`;
  const tetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  const robot = cairn.readRobot({ "a.urdf": urdf('<mesh filename="package://r/meshes/t.obj"/>'), "t.obj": tetrahedron }, "a.urdf");
  assert.deepEqual(robot.warnings, []);
  assert.deepEqual(robot.scene.bodies.map((body) => body.name), ["base", "floor"]);
  const world = cairn.open(robot.scene);
  world.step(10);
  assert.equal(world.verdict, "certified");
  const without = cairn.readRobot({ "a.urdf": urdf('<mesh filename="package://r/meshes/t.obj"/>') }, "a.urdf");
  assert.match(without.warnings.join(), /a\.urdf:2: <mesh>.*t\.obj/);
  const file = join(folder, "b.urdf");
  writeFileSync(file, urdf('<box size="1 1 1"/>'));
  execFileSync(cli, ["sim", file, "--write", join(folder, "b.json")]);
  const { scene } = cairn.readRobot({ "b.urdf": readFileSync(file) }, "b.urdf");
  assert.deepEqual(scene, JSON.parse(readFileSync(join(folder, "b.json"), "utf8")));
  assert.throws(() => cairn.readRobot({ "a.urdf": "<robot><link></robot>" }, "a.urdf"), /^Error: a\.urdf:1: syntax: mismatched tag/);
  assert.throws(() => cairn.readRobot({ "a.xml": "<html/>" }, "a.xml"), /neither <robot>/);
  assert.throws(() => cairn.readRobot({}, "a.xml"), /a\.xml: cannot be opened/);
});

test("a hand pulls no harder than it may, and every step stays certified or says why", async () => {
  const cairn = await load(wasm), world = cairn.open(scenes.get("box-on-floor"));
  assert.equal(world.grab(0, [0, 0, 0]), false); // the floor
  assert.equal(world.grab(1, [0.1, 0, 0.1]), true);
  world.pull([1e6, 0, 0]); // a thousand kilometres away at once
  for (let i = 0; i < 100; ++i) {
    world.step();
    assert.ok(world.force <= 1.0001 * world.forceMost);
  }
  world.letGo();
  world.step(10);
  assert.equal(world.force, 0);
});
