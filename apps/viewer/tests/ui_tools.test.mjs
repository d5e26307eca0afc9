// The page as a tool: plots of anything against the bytes, comparison of two recordings, forces on the picked body, links, exports,
// robots that are dropped on it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { launch, openPage } from "./support/browser.mjs";
import { readRecording } from "./support/bytes.mjs";
import { cliPage, makePage, picturePath, record } from "./support/files.mjs";

const G = 9.81;
const block = (friction) => ({ name: "slide", bodies: [
  { name: "ground", kind: "fixed", shapes: [{ kind: "plane", friction: 1 }] },
  { name: "block", mass: 2, position: [0, 0, 0.1], velocity: [2, 0, 0], shapes: [{ kind: "box", half: [0.1, 0.1, 0.1], friction }] }],
  solver: { friction_rule: "min" } });
const ARM = { name: "arm", bodies: [{ name: "link", mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, -0.5], shapes: [] }],
  joints: [{ name: "elbow", kind: "hinge", a: -1, b: 0, in_tree: true, point: [0, 0, 0], axis: [0, 1, 0] }],
  actuators: [{ name: "motor", joint: "elbow", gain: 3, control: 0.5 }],
  measure: [{ name: "tip", kind: "velocity", body: "link" }] };
let browser;

before(async () => { browser = await launch(); });
after(() => browser.close());

/** Open a page, do something with it, and see that it said nothing on the console and asked for nothing. */
async function withPage(path, action, size = { width: 1280, height: 800 }) {
  const { page, messages, requests, close } = await openPage(browser, path, size);
  try {
    await action(page);
    assert.deepEqual([messages, requests], [[], []]);
  } finally {
    await close();
  }
}

const seek = async (page, frame) => {
  await page.evaluate((frame) => { cairn.player.pause(); cairn.player.seekFrame(frame); }, frame);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
};

/** Add a plot by its three choices. */
async function addPlot(page, group, thing, quantity) {
  if (!await page.locator(".plot-chooser").evaluate((details) => details.open)) await page.locator(".plot-chooser summary").click();
  for (const [label, option] of [["Plot of", group], ["Which one", thing], ["Quantity", quantity]]) {
    await page.getByLabel(label, { exact: true }).selectOption({ label: option });
  }
  await page.locator('[data-act="add-plot"]').click();
}

const PREFIX = { k: 1e3, m: 1e-3, "µ": 1e-6, n: 1e-9 };

/** The number of "1.5 kN" or "0.3 mrad/s". */
function numberOf(text) {
  const [, digits, prefix] = /^(-?[\d.e-]+) ?([kmµn]?)(?:N|m|rad|J|m\/s|rad\/s)?$/.exec(text.trim()) ?? assert.fail(`no quantity: ${text}`);
  return Number(digits) * (/^m(\/s)?$/.test(text.trim().split(" ")[1] ?? "") ? 1 : PREFIX[prefix] ?? 1);
}

const valueOf = async (page, plot, curve) => numberOf(await page.locator(`[data-plot="${plot}"] [data-curve="${curve}"] .plot-value`).textContent());
const near = (a, b, slack, what) => assert.ok(Math.abs(a - b) <= slack, `${what}: ${a}, not ${b}`);

test("a joint's angle, an actuator's force and control, and a probe are plotted as the physics has them", async () => {
  const bytes = record(ARM, { time: 0.5 }), truth = readRecording(bytes);
  await withPage(makePage(bytes), async (page) => {
    await addPlot(page, "Joint", "elbow", "angle");
    await addPlot(page, "Joint", "elbow", "speed");
    await addPlot(page, "Actuator", "motor", "force");
    await addPlot(page, "Actuator", "motor", "control");
    await addPlot(page, "Probe", "tip", "velocity");
    await addPlot(page, "Body", "link", "position");
    await seek(page, 50);
    const [w, , y] = truth.frames[50].poses[0].slice(3), angle = 2 * Math.atan2(y, w); // about y
    assert.ok(Math.abs(angle) > 0.05);
    near(await valueOf(page, "joint-0-coordinate", "angle"), angle, 1e-3 * Math.abs(angle), "angle");
    near(await valueOf(page, "actuator-0-force", "force"), 1.5, 1e-9, "force");
    near(await valueOf(page, "actuator-0-control", "control"), 0.5, 1e-9, "control");
    const speed = await valueOf(page, "joint-0-speed", "angle"), vx = await valueOf(page, "probe-0-value", "x");
    near(vx, -0.5 * Math.cos(angle) * speed, 2e-3 * Math.abs(vx), "velocity of the link's middle, half a metre from the hinge");
    near(await valueOf(page, "body-0-position", "x"), truth.frames[50].poses[0][0], 1e-3, "position");
    await page.screenshot({ path: picturePath("tools-plots.png") });
    const saved = page.waitForEvent("download");
    await page.locator('[data-act="save-csv"]').click();
    const [heading, ...rows] = readFileSync(await (await saved).path(), "utf8").trim().split("\n").map((line) => line.split(","));
    assert.equal(rows.length, truth.frames.length);
    near(Number(rows[50][heading.indexOf("elbow: angle")]), angle, 1e-5, "CSV");
    near(Number(rows[50][0]), 0.5, 1e-12, "time");
    await page.locator('[data-plot="joint-0-speed"]').getByRole("button").click();
    assert.equal(await page.locator('[data-plot="joint-0-speed"]').count(), 0);
  });
});

test("forces between two bodies and on a body: weight and friction", async () => {
  await withPage(makePage(record(block(0.5), { time: 0.5 })), async (page) => {
    await addPlot(page, "Contact", "ground – block", "normal force and friction");
    await addPlot(page, "Body", "block", "contact force on it");
    await addPlot(page, "Body", "ground", "contact force on it");
    await seek(page, 20); // it slides
    near(await valueOf(page, "contact-0.1-force", "normal"), 2 * G, 0.01, "normal");
    near(await valueOf(page, "contact-0.1-force", "friction"), 0.5 * 2 * G, 0.01, "friction");
    near(await valueOf(page, "body-1-force", "x"), -0.5 * 2 * G, 0.01, "on the block");
    near(await valueOf(page, "body-0-force", "z"), -2 * G, 0.01, "on the ground");
  });
});

test("the picked body has a rim, and the forces on it have arrows and numbers: up on the block, down on the ground", async () => {
  const bytes = record(block(0.5), { time: 0.5 }), truth = readRecording(bytes), path = makePage(bytes);
  await withPage(path, async (page) => {
    const sums = [], ups = [];
    for (const body of [1, 0]) {
      await page.evaluate((body) => { location.hash = ""; cairn.stage.select(body); }, body);
      await seek(page, 48); // it rests
      ups.push(await page.evaluate(() => cairn.stage.arrows().reduce((sum, { point, tip }) => sum + tip[2] - point[2], 0)));
      await page.waitForTimeout(200);
      const texts = await page.locator(".force-label:visible").allTextContents();
      sums.push(texts.reduce((sum, text) => sum + numberOf(text), 0));
      assert.ok(texts.every((text) => / k?N$/.test(text)), texts.join());
    }
    assert.ok(ups[0] > 0 && Math.abs(ups[0] + ups[1]) < 1e-6, ups.join());
    const right = truth.frames[48].contacts.reduce((sum, { numbers: n }) => sum + Math.hypot(n[7], n[8], n[9]) / truth.dt, 0);
    near(sums[0], right, 0.03, "sum of the numbers"); // four corners, all told
  });
  await withPage(path, async (page) => { // by a click
    await seek(page, 48);
    const place = await page.evaluate(() => { const out = new Float64Array(7); cairn.recording.pose(48, 1, out); return cairn.stage.project([...out.slice(0, 3)]); });
    const box = await page.locator("canvas").first().boundingBox();
    await page.mouse.click(box.x + (1 + place[0]) / 2 * box.width, box.y + (1 - place[1]) / 2 * box.height);
    assert.equal(await page.locator(".body-card h2").textContent(), "block");
    near(numberOf(await page.locator(".body-card dt", { hasText: "force on it" }).locator("+ dd").textContent()), 2 * G, 0.05, "force on it");
    await page.screenshot({ path: picturePath("tools-picked.png") });
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => document.querySelectorAll(".force-label:not([hidden])").length === 0);
  });
});

/** Choose a recording to compare with. */
async function compareWith(page, bytes) {
  const chooser = page.waitForEvent("filechooser");
  await page.locator('[data-act="compare"]').selectOption("file");
  await (await chooser).setFiles({ name: "other.crn", mimeType: "application/octet-stream", buffer: bytes });
  await page.waitForFunction(() => document.querySelector('[data-plot="difference"]') !== null);
}

test("two recordings are compared: pale bodies, dashed curves, the difference at every moment", async () => {
  const mine = record(block(0.5), { time: 0.3 }), other = record(block(0.25), { time: 0.3 }), [a, b] = [mine, other].map(readRecording);
  await withPage(makePage(mine), async (page) => {
    await compareWith(page, other);
    await seek(page, 25);
    const distance = Math.hypot(...[0, 1, 2].map((k) => a.frames[25].poses[1][k] - b.frames[25].poses[1][k]));
    assert.ok(distance > 0.01);
    near(await valueOf(page, "difference", "farthest body"), distance, 1e-3 * distance, "difference");
    const energy = await page.locator('[data-plot="energy"] [data-curve="kinetic"] .plot-delta').textContent();
    const [, told] = /^Δ (.*)$/.exec(energy) ?? assert.fail(energy), right = a.frames[25].figures.kinetic - b.frames[25].figures.kinetic;
    near(numberOf(told), right, 2e-3 * Math.abs(right), "difference of energy");
    assert.equal(await page.locator('[data-act="compare"] option:checked').textContent(), "Pale, dashed: other.crn");
    await page.screenshot({ path: picturePath("tools-compare.png") });
    await page.locator('[data-act="compare"]').selectOption("none");
    assert.equal(await page.locator('[data-plot="difference"]').count(), 0);
    await compareWith(page, mine);
    await seek(page, 25);
    assert.equal(await valueOf(page, "difference", "farthest body"), 0);
    const chooser = page.waitForEvent("filechooser"); // what is none is told
    await page.locator('[data-act="compare"]').selectOption("none");
    await page.locator('[data-act="compare"]').selectOption("file");
    await (await chooser).setFiles({ name: "x.crn", mimeType: "text/plain", buffer: Buffer.from("no") });
    await page.waitForFunction(() => /not a recording/.test(document.querySelector(".messages").innerText));
  });
});

test("a link keeps moment, camera, body, panel and plots; the picture is saved", async () => {
  const path = makePage(record(block(0.5), { time: 0.3 }));
  let address = "";
  await withPage(path, async (page) => {
    await addPlot(page, "Body", "block", "speed");
    await seek(page, 10);
    const box = await page.locator("canvas").first().boundingBox();
    await page.mouse.move(box.x + 30, box.y + 200);
    await page.mouse.down();
    await page.mouse.move(box.x + 150, box.y + 240, { steps: 4 });
    await page.mouse.up();
    await page.evaluate(() => cairn.stage.look); // the view is the viewer's own now
    await page.waitForFunction(() => /view=.*plots=/.test(location.hash));
    address = await page.evaluate(() => location.hash);
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Display", exact: true }).click();
    await page.locator('[data-act="save-picture"]').click();
    const picture = readFileSync(await (await saved).path());
    assert.deepEqual([...picture.subarray(1, 4)], [..."PNG"].map((c) => c.charCodeAt(0)));
    assert.ok(picture.readUInt32BE(16) >= 0.9 * box.width && picture.length > 5000);
    const scene = page.waitForEvent("download");
    await page.locator('[data-act="save-film-scene"]').click();
    assert.equal(JSON.parse(readFileSync(await (await scene).path(), "utf8")).bodies.length, 2);
  });
  await withPage(path, async (page) => {
    const view = /view=([^&]*)/.exec(address)[1].split(",").map(Number);
    await page.goto(`file://${path}${address}`);
    await page.reload();
    await page.waitForFunction(() => document.querySelector('[data-plot="body-1-speed"]') !== null);
    const now = await page.evaluate(() => [cairn.stage.view, cairn.player.frame]);
    assert.equal(now[1], 10);
    now[0].forEach((x, i) => near(x, view[i], 1e-4 * (1 + Math.abs(view[i])), "camera"));
  });
});

const URDF = (extra) => `<?xml version="1.0"?><robot name="walker"><link name="trunk"><inertial><mass value="3"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
  <collision><geometry><box size="0.4 0.4 0.4"/></geometry></collision>${extra}</link>
  <link name="leg"><inertial><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>
  <collision><geometry><cylinder radius="0.05" length="0.4"/></geometry></collision></link>
  <joint name="hip" type="revolute"><parent link="trunk"/><child link="leg"/><origin xyz="0.3 0 0"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="10" velocity="5"/></joint></robot>`;
const MJCF = `<mujoco><worldbody><geom type="plane" size="5 5 1"/><body pos="0 0 1"><freejoint/><geom type="sphere" size="0.1"/></body></worldbody></mujoco>`;

test("robots dropped on a page move: URDF with a mesh, MJCF; what is none gets a sentence", async () => {
  await withPage(cliPage(block(0.5), { time: 0.2 }), async (page) => {
    const choose = (...files) => page.locator('input[type="file"]').setInputFiles(files.map(([name, text]) => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) })));
    const tetrahedron = "v 0 0 0\nv 0.3 0 0\nv 0 0.3 0\nv 0 0 0.3\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    const mesh = '<collision><origin xyz="0 0 0.3"/><geometry><mesh filename="package://walker/meshes/hat.obj"/></geometry></collision>';
    await choose(["walker.urdf", URDF(mesh)], ["hat.obj", tetrahedron]);
    await page.waitForFunction(() => document.documentElement.dataset.live === "true" && cairn.recording.bodies === 3);
    await page.waitForFunction(() => cairn.recording.frames > 10);
    assert.deepEqual(await page.evaluate(() => cairn.recording.bodyNames), ["trunk", "leg", "floor"]);
    assert.equal(await page.locator(".banner").count(), 0);
    await page.screenshot({ path: picturePath("tools-robot.png") });
    await choose(["walker.urdf", URDF(mesh)]);
    await page.waitForFunction(() => /mesh was not dropped along/.test(document.querySelector(".messages").innerText));
    await choose(["ball.xml", MJCF]);
    await page.waitForFunction(() => cairn.recording.bodies === 2 && cairn.recording.frames > 5);
    for (const [name, text, said] of [["a.urdf", "<robot><link></robot>", /a\.urdf:1: syntax/], ["b.xml", "<html/>", /neither <robot>/], ["c.urdf", "", /syntax/]]) {
      await choose([name, text]);
      await page.waitForFunction((source) => new RegExp(source).test(document.querySelector(".messages").innerText), said.source);
    }
    assert.equal(await page.evaluate(() => document.documentElement.dataset.live), "true"); // what ran goes on
  });
});

test("a simulation is compared with the film that it came from, and plots of joints follow it", async () => {
  await withPage(cliPage("gallery:double-pendulum", { time: 20 }), async (page) => {
    await page.getByRole("button", { name: "Live", exact: true }).click();
    await page.waitForFunction(() => document.documentElement.dataset.live === "true");
    await page.getByRole("button", { name: "Plots", exact: true }).click();
    await page.locator('[data-act="compare"]').selectOption("film");
    await addPlot(page, "Joint", "joint 0", "angle");
    await page.waitForFunction(() => cairn.recording.frames > 20);
    await page.evaluate(() => cairn.player.pause());
    await seek(page, 15);
    near(await valueOf(page, "difference", "farthest body"), 0, 1e-5, "the film, rounded, and the simulation");
    await page.evaluate(() => cairn.session.change((scene) => { scene.gravity = [0, -5]; }));
    await page.evaluate(() => { cairn.player.seek(cairn.player.end); cairn.player.play(); });
    const before = await page.evaluate(() => cairn.recording.frames);
    await page.waitForFunction((frames) => cairn.recording.frames > frames + 20, before);
    await seek(page, before + 20);
    assert.ok(await valueOf(page, "difference", "farthest body") > 1e-3);
  });
});
