// Live pages: every control driven, and the physics checked from the page's own numbers.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { launch, openPage } from "./support/browser.mjs";
import { cliPage, picturePath } from "./support/files.mjs";

const MU = 0.5, G = 9.81;
const BLOCK = { name: "block <b>on</b> a slope", solver: {}, bodies: [
  { name: "ground", kind: "fixed", shapes: [{ kind: "plane", friction: MU }] },
  { name: "<img src=x onerror=alert(1)>", mass: 1, position: [0, 0, 0.1], shapes: [{ kind: "box", half: [0.1, 0.1, 0.1], friction: MU }] }] };
const file = cliPage(BLOCK, { time: 1 });
if (!readFileSync(file, "utf8").includes('id="cairn-wasm"')) {
  console.log("skipped: the program has no solver for pages");
  process.exit(77);
}
let browser;

before(async () => { browser = await launch(); });
after(() => browser.close());

/** Open a page, go live, do something with it, and see that it said nothing on the console and asked for nothing. */
async function live(action, path = file, size = { width: 800, height: 560 }) {
  const { page, messages, requests, close } = await openPage(browser, path, size);
  try {
    await page.getByRole("button", { name: "Live", exact: true }).click();
    await page.waitForFunction(() => document.documentElement.dataset.live === "true");
    await action(page);
    assert.deepEqual(messages, []);
    assert.deepEqual(requests, []);
  } finally {
    await close();
  }
}

/** Move a slider or choose. */
const set = (page, id, value) => page.evaluate(([id, value]) => {
  const input = document.querySelector(`[data-setting="${id}"]`);
  input.value = String(value);
  input.dispatchEvent(new Event(input.tagName === "SELECT" ? "change" : "input", { bubbles: true }));
}, [id, value]);

/** Simulate until so many seconds have passed, as fast as it goes. */
const simulate = (page, seconds) => page.evaluate((seconds) => new Promise((resolve) => {
  const { player, session } = cairn, until = player.end + seconds;
  player.pause();
  session.listen({ frames: () => { if (player.end >= until - 1e-9) resolve(); } });
  session.demand(until);
}), seconds);

/** Of the last frames: time, position of the block. */
const track = (page, count) => page.evaluate((count) => {
  const { recording } = cairn, out = new Float64Array(7), list = [];
  for (let i = recording.frames - count; i < recording.frames; ++i) { recording.pose(i, 1, out); list.push([recording.times[i], out[0], out[1], out[2]]); }
  return list;
}, count);

const allCertified = (page) => page.evaluate(() => {
  const { recording } = cairn;
  for (let i = 1; i < recording.frames; ++i) if (recording.figure(i, "verdict") !== 0) return `frame ${i}: verdict ${recording.figure(i, "verdict")}`;
  return "";
});

test("the block rests below the angle of friction and slides above it, to a tenth of a degree, as g (sin - mu cos)", () => live(async (page) => {
  const limit = Math.atan(MU) * 180 / Math.PI;
  await set(page, "tilt", limit - 0.05);
  await simulate(page, 2);
  const [first, last] = [(await track(page, 60))[0], (await track(page, 1))[0]];
  assert.ok(Math.abs(last[1] - first[1]) < 1e-12, `creeps by ${last[1] - first[1]} m`);
  await set(page, "tilt", limit + 0.05);
  await simulate(page, 2);
  const path = await track(page, 80), angle = await page.evaluate(() => Number(document.querySelector('[data-setting="tilt"]').value)) * Math.PI / 180;
  const h = path[1][0] - path[0][0], a = (path[79][1] - path[78][1] - path[1][1] + path[0][1]) / h / (path[78][0] - path[0][0]);
  const right = G * (Math.sin(angle) - MU * Math.cos(angle));
  assert.ok(right > 0 && Math.abs(a - right) < 1e-6 * G, `a = ${a}, not ${right}`);
  assert.equal(await allCertified(page), "");
  await page.screenshot({ path: picturePath("live-slope.png") });
}));

test("a body that moves alone stays in the picture, until the reader chooses a view", () => live(async (page) => {
  const seen = () => page.evaluate(async () => {
    cairn.player.seek(cairn.player.end);
    for (let i = 0; i < 3; ++i) await new Promise(requestAnimationFrame);
    return Math.max(...cairn.stage.project(cairn.stage.bodyMatrix(1).slice(12, 15)).slice(0, 2).map(Math.abs));
  });
  await set(page, "tilt", 40);
  await simulate(page, 4);
  assert.ok((await track(page, 1))[0][1] > 5, "it slides far");
  const place = await seen();
  assert.ok(place < 0.95, `it is seen at ${place}`);
  const box = await page.locator("canvas").first().boundingBox();
  await page.mouse.move(box.x + 20, box.y + box.height - 20);
  await page.mouse.down({ button: "right" });
  await page.mouse.move(box.x + 40, box.y + box.height - 40);
  await page.mouse.up({ button: "right" });
  await simulate(page, 4);
  assert.ok(await seen() > 1, "the view stays");
}));

test("untouched, the page has the program's bits", () => live(async (page) => {
  await page.evaluate(() => cairn.player.pause());
  const end = await page.evaluate(() => cairn.player.end);
  await simulate(page, 1 - end > 0 ? 1 - end : 0.02);
  const { hash, time } = await page.evaluate(() => ({ hash: cairn.session.hash, time: cairn.player.end }));
  const cli = process.env.CAIRN_CLI, told = execFileSync(cli, ["sim", "gallery:hinged-boxes", "--time", String(time), "--json"]);
  assert.equal(hash, JSON.parse(told).hash);
}, cliPage("gallery:hinged-boxes", { time: 1 })));

test("a dragged block follows the hand; the spring is drawn, its force told; the certificate stays honest", () => live(async (page) => {
  const box = await page.locator("canvas").first().boundingBox();
  const place = await page.evaluate(() => cairn.stage.project([0, 0, 0.1]));
  const x = box.x + (1 + place[0]) / 2 * box.width, y = box.y + (1 - place[1]) / 2 * box.height;
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let i = 1; i <= 8; ++i) { await page.mouse.move(x + 4 * i, y - 20 * i); await page.waitForTimeout(30); }
  await page.waitForTimeout(1500);
  const { spring, force, label } = await page.evaluate(() => ({ spring: cairn.stage.spring, force: cairn.session.force, label: document.querySelector(".spring-label").textContent }));
  assert.ok(spring && Math.hypot(...spring.grip.map((g, i) => g - spring.target[i])) < 0.2, "the grip is near the hand");
  assert.ok(Math.abs(force - G) < 0.3 * G && / N$/.test(label), `a hanging block of 1 kg weighs 9.81 N, not ${force} (${label})`);
  await page.screenshot({ path: picturePath("live-drag.png") });
  for (let i = 0; i < 6; ++i) { await page.mouse.move(box.x + (i % 2 ? box.width - 5 : 5), box.y + 40); await page.waitForTimeout(40); } // as fast as a hand can
  assert.ok(await page.evaluate(() => cairn.session.force) < 300);
  await page.mouse.up();
  await page.waitForFunction(() => cairn.stage.spring === null);
  assert.equal(await allCertified(page), "");
}));

test("pause, step, scrub back, play on, reset, push", () => live(async (page) => {
  await page.waitForFunction(() => cairn.recording.frames > 20);
  await page.locator('[data-act="play"]').click();
  await page.waitForTimeout(300);
  const frames = await page.evaluate(() => { cairn.player.seek(cairn.player.end); return cairn.recording.frames; });
  await page.locator('[data-act="forward"]').click();
  await page.waitForFunction((frames) => cairn.recording.frames === frames + 1 && cairn.player.frame === frames, frames);
  await page.locator('[data-act="back"]').click();
  assert.equal(await page.evaluate(() => cairn.player.frame), frames - 1);
  await page.locator('input[aria-label="Time"]').fill("0.1");
  assert.ok(Math.abs(await page.evaluate(() => cairn.player.time) - 0.1) < 1e-9);
  await page.locator('[data-act="play"]').click();
  await page.waitForFunction((frames) => cairn.recording.frames > frames + 5, frames); // the film to its end, then on
  await page.locator('[data-act="reset"]').click();
  await page.waitForFunction(() => cairn.player.start === 0 && cairn.player.end < 0.5);
  const place = await page.evaluate(() => cairn.stage.project([0, 0, 0.1])), box = await page.locator("canvas").first().boundingBox();
  await page.mouse.click(box.x + (1 + place[0]) / 2 * box.width, box.y + (1 - place[1]) / 2 * box.height);
  await page.locator('[data-act="push"]').click();
  await page.waitForTimeout(700);
  const [last] = await track(page, 1), way = Math.hypot(last[1], last[2]), right = 1 / (2 * MU * G); // v = 1 m/s
  assert.ok(Math.abs(way - right) < 0.1 * right, `slid ${way} m, not ${right}`);
  assert.equal(await page.locator(".body-card img, h1 b").count(), 0); // names stay text
}));

test("every setting comes into force without stopping the motion, and the scene is saved as it is", () => live(async (page) => {
  for (const [id, value] of [["friction", 0], ["tilt", 10], ["heading", 90], ["gravity", 5], ["restitution", 0.5], ["dt", Math.log10(0.005)], ["scheme", "convex"]]) {
    await set(page, id, value);
    await simulate(page, 0.1);
  }
  const [[, , y0], [, , y1]] = await track(page, 2);
  assert.ok(y1 > y0, "downhill is +y now");
  assert.equal(await allCertified(page), "");
  const saved = page.waitForEvent("download");
  await page.locator('[data-act="save-scene"]').click();
  const scene = JSON.parse(readFileSync(await (await saved).path(), "utf8"));
  assert.ok(Math.abs(Math.hypot(...scene.gravity) - 5) < 1e-9 && scene.gravity[1] > 0 && scene.solver.scheme === "convex");
  assert.deepEqual([scene.bodies[1].shapes[0].friction, scene.bodies[1].shapes[0].restitution], [0, 0.5]);
  for (const name of ["Plots", "Solver", "Display", "Live"]) await page.getByRole("button", { name, exact: true }).click();
  await page.getByRole("button", { name: "Solver", exact: true }).click();
  await simulate(page, 0.1);
  await page.evaluate(() => cairn.player.seek(cairn.player.end));
  await page.waitForFunction(() => /Pivot sequence/.test(document.querySelector(".solver").innerText)); // notes follow
  await page.getByRole("button", { name: "Live", exact: true }).click();
  await page.locator('[data-act="film"]').click();
  assert.equal(await page.evaluate(() => document.documentElement.dataset.live), "false");
}));

const ARM = { name: "arm", bodies: [{ name: "link", mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, -0.5], shapes: [{ kind: "box", half: [0.05, 0.05, 0.4], group: 0, mask: 0 }] }],
  joints: [{ name: "elbow", kind: "hinge", a: -1, b: 0, in_tree: true, point: [0, 0, 0], axis: [0, 1, 0], spring: { stiffness: 40, damping: 8, target: 0 } }],
  actuators: [{ name: "motor", joint: "elbow", gain: 3, lower: -2, upper: 2 }] };

/** Where spring, motor and weight are in balance: k (q - target) + m g l sin q = gain u. */
function balance(target, control) {
  let q = target;
  for (let i = 0; i < 50; ++i) q -= (40 * (q - target) + 0.5 * G * Math.sin(q) - 3 * control) / (40 + 0.5 * G * Math.cos(q));
  return q;
}

test("a joint goes where its target and its actuator's control want it, against its weight", () => live(async (page) => {
  const angle = () => page.evaluate(() => cairn.recording.figure(cairn.recording.frames - 1, "measure.joint.0.0"));
  for (const [target, control] of [[0.5, 0], [-0.8, 0], [-0.8, 1.5], [0, 2]]) {
    await set(page, "joint-0-0-spring", target);
    await set(page, "control-0", control);
    await simulate(page, 6);
    const now = await page.evaluate(() => cairn.session.scene.joints[0].spring.target), right = balance(now, control); // sliders have steps
    assert.ok(Math.abs(now - target) < 0.01 && Math.abs(await angle() - right) < 1e-4, `target ${now}, control ${control}: ${await angle()}, not ${right}`);
  }
  assert.equal(await allCertified(page), "");
}, cliPage(ARM, { time: 0.5 })));

test("a browser without WebAssembly plays the film and says why; files that are none get a sentence", async () => {
  const context = await browser.newContext(), page = await context.newPage();
  await page.addInitScript(() => { delete window.WebAssembly; });
  await page.goto(`file://${file}`);
  await page.getByRole("button", { name: "Live", exact: true }).click();
  await page.waitForFunction(() => /cannot run here/.test(document.querySelector(".messages").innerText));
  assert.ok(await page.evaluate(() => cairn.recording.frames > 10 && cairn.session === null));
  await context.close();
  await live(async (page) => {
    for (const [name, text, said] of [["x.json", '{"bodies": 3}', /bodies/], ["y.json", "{", /no scene/], ["z.crn", "no", /not a recording/]]) {
      const path = picturePath(name);
      writeFileSync(path, text);
      await page.locator('input[type="file"]').setInputFiles(path);
      await page.waitForFunction((source) => new RegExp(source).test(document.querySelector(".messages").innerText), said.source);
    }
  });
});

test("on a phone the live panel fits", () => live(async (page) => {
  await page.getByRole("button", { name: "Live", exact: true }).click();
  await page.waitForTimeout(300);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  await page.screenshot({ path: picturePath("live-phone.png") });
}, file, { width: 390, height: 844, touch: true }));
