// Plots: values at the cursor are those in the bytes; clicking and dragging seek; the curve is where the values are.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, openPage } from "./support/browser.mjs";
import { readFrames, writeRecording } from "./ui_support/bytes.mjs";
import { makePage, record } from "./support/files.mjs";
import { tableRecording } from "./ui_support/table_scene.mjs";

const bytes = record("gallery:disks", { time: 3 });
const frames = readFrames(bytes);
let browser, opened, page;

before(async () => {
  browser = await launch();
  opened = await openPage(browser, makePage(bytes), { width: 1280, height: 800 });
  page = opened.page;
});
after(async () => {
  assert.deepEqual(opened.messages, []);
  await browser.close();
});

// A plot leaves 14 pixels above its curves and 3 below.
const SCALES = { G: 1e9, M: 1e6, k: 1e3, "": 1, m: 1e-3, "µ": 1e-6, n: 1e-9, p: 1e-12, f: 1e-15 };

/** The number that a text tells: "0.34 ms" is 0.00034. */
function told(text) {
  const [, digits, prefix] = /^(-?[\d.]+(?:e[-+]?\d+)?)(?: ([GMkmµnpf]?)[Jms])?$/.exec(text) ?? assert.fail(`no number: ${text}`);
  return Number(digits) * SCALES[prefix ?? ""];
}

async function goTo(frame, where = page) {
  await where.evaluate((frame) => { cairn.player.pause(); cairn.player.seekFrame(frame); }, frame);
  await where.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/** Let pages read pixels of a copy: a canvas that is read is slowed down, with a warning. */
const addCopy = (where) => where.evaluate(() => {
  window.copyOf = (canvas) => {
    const c = Object.assign(document.createElement("canvas"), { width: canvas.width, height: canvas.height }).getContext("2d", { willReadFrequently: true });
    c.drawImage(canvas, 0, 0);
    return c;
  };
});

const valueOf = (plot, curve, where = page) => where.locator(`[data-plot=${plot}] [data-curve="${curve}"] .plot-value`).textContent();

test("the value at the cursor is the recording's", async () => {
  for (const i of [1, 17, 42, frames.length - 1]) {
    await goTo(i);
    const f = frames[i];
    const expected = {
      energy: { kinetic: f.kinetic, potential: f.potential, total: f.kinetic + f.potential },
      penetration: { max: f.penetration, mean: f.penetration_mean },
      contacts: { all: f.contacts, active: f.active },
      pivots: { pivots: f.pivots, iterations: f.iterations },
      certificate: { certificate: f.certificate },
      seconds: { "step time": f.seconds },
    };
    for (const [plot, curves] of Object.entries(expected)) {
      for (const [curve, value] of Object.entries(curves)) {
        const text = await valueOf(plot, curve);
        const share = Math.abs(value) < 1e-15 ? 5.1e-2 : 5.1e-3; // two digits are told of what is left of rounding
        assert.ok(Math.abs(told(text) - value) <= share * Math.abs(value), `frame ${i}, ${plot} ${curve}: ${text}, not ${value}`);
      }
    }
  }
});

test("the start has no figures, and none are made up", async () => {
  await goTo(0);
  for (const [plot, curve] of [["energy", "total"], ["certificate", "certificate"], ["seconds", "step time"]]) assert.equal(await valueOf(plot, curve), "–");
});

test("a click in a plot goes there, a drag follows", async () => {
  const box = await page.locator("[data-plot=energy] .plot-area").boundingBox();
  await page.mouse.click(box.x + box.width / 3, box.y + 20);
  assert.ok(Math.abs(await page.evaluate(() => cairn.player.time) - 1) < 0.02);
  await page.mouse.move(box.x + 10, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, box.y + 25, { steps: 4 });
  assert.ok(Math.abs(await page.evaluate(() => cairn.player.time) - 1.5) < 0.02);
  await page.mouse.move(box.x + box.width + 50, box.y + 25, { steps: 2 });
  await page.mouse.up();
  assert.equal(await page.evaluate(() => cairn.player.time), frames.at(-1).time);
});

test("cursor and dots stand where the moment is", async () => {
  await goTo(30);
  const area = await page.locator("[data-plot=contacts] .plot-area").boundingBox();
  const middle = async (selector) => {
    const box = await page.locator(`[data-plot=contacts] ${selector}`).last().boundingBox();
    return { x: box.x + box.width / 2 - area.x, y: box.y + box.height / 2 - area.y };
  };
  const x = frames[30].time / frames.at(-1).time * area.width;
  assert.ok(Math.abs((await middle(".plot-cursor")).x - x) < 1);
  const dot = await middle(".plot-dot"), most = Math.max(...frames.map((f) => f.contacts));
  assert.ok(Math.abs(dot.x - x) < 1);
  assert.ok(Math.abs((area.height - 3 - dot.y) / (area.height - 17) - frames[30].contacts / most) < 0.02);
});

test("the curve is drawn where its values are", async () => {
  await goTo(0);
  await addCopy(page);
  // Along the dot's column the strongest colour of the curve is at the dot's height.
  const share = await page.evaluate(({ at, of }) => {
    const canvas = document.querySelector("[data-plot=contacts] canvas"), c = copyOf(canvas);
    const x = Math.round(at / of * (canvas.width - 1)), column = c.getImageData(x, 0, 1, canvas.height).data;
    let best = -1, bestAlpha = 0;
    for (let y = 0; y < canvas.height; ++y) { // the blue curve: all contacts
      const [r, , b, a] = column.subarray(4 * y, 4 * y + 4);
      if (b > r + 60 && a > bestAlpha) { bestAlpha = a; best = y; }
    }
    return (canvas.height - 3 - best) / (canvas.height - 17);
  }, { at: frames[40].time, of: frames.at(-1).time });
  const most = Math.max(...frames.map((f) => f.contacts));
  assert.ok(Math.abs(share - frames[40].contacts / most) < 0.03, `${share}`);
});

test("the curve is drawn once, not once a frame", async () => {
  const draws = await page.evaluate(() => new Promise((done) => {
    let count = 0;
    const stroke = CanvasRenderingContext2D.prototype.stroke;
    CanvasRenderingContext2D.prototype.stroke = function (...rest) { if (this.canvas.classList.contains("plot-curve")) ++count; return stroke.apply(this, rest); };
    cairn.player.play();
    setTimeout(() => { cairn.player.pause(); CanvasRenderingContext2D.prototype.stroke = stroke; done(count); }, 500);
  }));
  assert.equal(draws, 0);
});

test("of many frames no peak is lost", async () => {
  const count = 6000, peak = 3333, pose = [0, 0, 0, 1, 0, 0, 0];
  const long = writeRecording({ name: "long", bodies: [{ name: "ball", shapes: [{ kind: "sphere", radius: 1 }] }] }, Array.from({ length: count }, (_, i) =>
    ({ step: i, time: 0.01 * i, poses: [pose], figures: { seconds: i === peak ? 1 : 0.01, certificate: 1e-12 } })));
  const other = await openPage(browser, makePage(long), { width: 1280, height: 800 });
  await goTo(0, other.page);
  await addCopy(other.page);
  const tops = await other.page.evaluate(() => { // of the curve, as a share of the height, column by column
    const c = copyOf(document.querySelector("[data-plot=seconds] canvas")), { width, height } = c.canvas, { data } = c.getImageData(0, 0, width, height);
    const isCurve = (x, y) => { const k = 4 * (y * width + x); return data[k + 3] > 100 && data[k] > data[k + 2] + 60; };
    return Array.from({ length: width }, (_, x) => { for (let y = 0; y < height; ++y) if (isCurve(x, y)) return (height - 3 - y) / (height - 17); return -1; });
  });
  const highest = tops.indexOf(Math.max(...tops));
  assert.ok(tops[highest] > 0.97, `${tops[highest]}`);
  assert.ok(Math.abs(highest / tops.length - peak / count) < 0.01, `${highest} of ${tops.length}`);
  assert.ok(tops[highest - 10] < 0.1 && tops[highest + 10] < 0.1);
  assert.deepEqual(other.messages, []);
  await other.close();
});

test("steps that are not certified are marked, in plots, on the ruler and on the stage", async () => {
  const other = await openPage(browser, makePage(tableRecording()), { width: 1280, height: 800 });
  await addCopy(other.page);
  await goTo(3, other.page);
  assert.equal(await other.page.locator(".uncertified").textContent(), "step 3 not certified: overlap (120 µm, allowed 1 µm)");
  assert.match(await other.page.locator(".plots").textContent(), /1 of 5 frames not certified/);
  assert.equal(await valueOf("losses", "friction", other.page), "-250 mJ");
  assert.equal(await valueOf("unexplained", "energy", other.page), "5e-4");
  assert.equal(await valueOf("gained", "gained", other.page), "500 mJ");
  const isRed = (selector, share) => other.page.evaluate(({ selector, share }) => {
    const canvas = document.querySelector(selector), x = Math.round(share * canvas.width);
    const { data } = copyOf(canvas).getImageData(x - 3, 0, 6, 3);
    for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 200 && data[i] > data[i + 2] + 80) return true;
    return false;
  }, { selector, share });
  assert.equal(await isRed("[data-plot=seconds] canvas", 0.75), true);
  assert.equal(await isRed("[data-plot=seconds] canvas", 0.5), false);
  assert.equal(await isRed(".ruler", 0.746), true);
  await goTo(2, other.page);
  assert.equal(await other.page.locator(".uncertified").isVisible(), false);
  assert.deepEqual(other.messages, []);
  await other.close();
});

test("recordings without verdict and ledger tell what is solved, and have no plots of them", async () => {
  const other = await openPage(browser, makePage(tableRecording({ version: 2 })), { width: 1280, height: 800 });
  assert.equal(await other.page.locator("[data-plot=energy]").count(), 1);
  assert.equal(await other.page.locator("[data-plot=gained]").count(), 0);
  assert.doesNotMatch(await other.page.locator(".plots").textContent(), /not certified/);
  assert.deepEqual(other.messages, []);
  await other.close();
});
