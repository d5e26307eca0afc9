// Playing, scrubbing, stepping, keys, speed, theme, help, display options.
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { launch, openPage } from "./support/browser.mjs";
import { readFrames } from "./ui_support/bytes.mjs";
import { makePage, record } from "./support/files.mjs";

const bytes = record("gallery:box-on-floor", { time: 1 });
const frames = readFrames(bytes);
const file = makePage(bytes, { title: "A box slides", about: "It stops after v²/(2 µ g)." });
let browser, opened, page;

before(async () => {
  browser = await launch();
  opened = await openPage(browser, file, { width: 1280, height: 800 });
  page = opened.page;
});
after(async () => {
  assert.deepEqual(opened.messages, []);
  assert.deepEqual(opened.requests, []);
  await browser.close();
});
beforeEach(() => page.evaluate(() => { window.cairn.player.pause(); window.cairn.player.seekFrame(10); window.cairn.player.setSpeed(1); }));

const player = () => page.evaluate(() => {
  const { time, frame, speed, isPlaying, isLooping } = cairn.player;
  return { time, frame, speed, isPlaying, isLooping };
});
const options = () => page.evaluate(() => ({ ...cairn.stage.options }));
const drawn = () => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

/** Click on the stage, from its middle outwards, until the box is picked. */
async function clickOnBox() {
  const area = await page.locator(".stage-host").boundingBox();
  const steps = [0, -0.06, 0.06, -0.12, 0.12, -0.18, 0.18, -0.24, 0.24, -0.3, 0.3];
  const spots = steps.flatMap((x) => steps.map((y) => [x, y])).sort((a, b) => Math.hypot(...a) - Math.hypot(...b));
  for (const [x, y] of spots) {
    await page.mouse.click(area.x + (0.5 + x) * area.width, area.y + (0.5 + y) * area.height);
    if (await page.locator(".body-card h2").textContent() === "box") return;
  }
}

test("plays by itself when opened", async () => {
  const fresh = await openPage(browser, makePage(bytes));
  await fresh.page.waitForFunction(() => document.documentElement.dataset.state === "playing" && cairn.player.time > 0.05);
  assert.deepEqual(fresh.messages, []);
  await fresh.close();
});

test("is ready, and still, where motion is not wanted", async () => {
  const fresh = await openPage(browser, makePage(bytes));
  await fresh.page.emulateMedia({ reducedMotion: "reduce" });
  await fresh.page.reload();
  await fresh.page.waitForFunction(() => document.documentElement.dataset.state === "ready");
  await fresh.page.waitForTimeout(200);
  assert.equal(await fresh.page.evaluate(() => cairn.player.time), 0);
  await fresh.close();
});

test("title and about are those of the page", async () => {
  assert.equal(await page.locator("h1").textContent(), "A box slides");
  assert.equal(await page.title(), "A box slides – Cairn");
  assert.match(await page.locator(".about").textContent(), /It stops/);
});

test("the buttons play, pause and step", async () => {
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.waitForFunction((time) => cairn.player.time > time, frames[12].time);
  await page.getByRole("button", { name: "Pause" }).click();
  const { frame, isPlaying } = await player();
  assert.equal(isPlaying, false);
  await page.getByRole("button", { name: "One frame forward" }).click();
  assert.equal((await player()).frame, frame + 1);
  await page.getByRole("button", { name: "One frame back" }).click();
  await page.getByRole("button", { name: "One frame back" }).click();
  assert.equal((await player()).frame, frame - 1);
});

test("the slider scrubs, and tells the time", async () => {
  const box = await page.getByLabel("Time", { exact: true }).boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + 10);
  const { time } = await player();
  assert.ok(Math.abs(time - 0.5) < 0.02, `${time}`);
  await drawn();
  assert.equal(await page.locator(".clock").textContent(), `${time.toFixed(3)} s`);
  await page.mouse.move(box.x + box.width / 2, box.y + 10);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.75, box.y + 10, { steps: 5 });
  await page.mouse.up();
  assert.ok(Math.abs((await player()).time - 0.75) < 0.02);
  await drawn();
  assert.match(await page.getByLabel("Time", { exact: true }).getAttribute("aria-valuetext"), /0\.7\d+ s, frame 7\d of 100/);
});

test("scrubbing does not end playing", async () => {
  await page.evaluate(() => cairn.player.play());
  const box = await page.getByLabel("Time", { exact: true }).boundingBox();
  await page.mouse.click(box.x + box.width / 4, box.y + 10);
  assert.equal((await player()).isPlaying, true);
});

test("keys of time", async () => {
  const press = async (key) => { await page.keyboard.press(key); return player(); };
  assert.equal((await press("Space")).isPlaying, true);
  assert.equal((await press("Space")).isPlaying, false);
  await page.evaluate(() => cairn.player.seekFrame(20));
  assert.equal((await press("ArrowRight")).frame, 21);
  assert.equal((await press("ArrowLeft")).frame, 20);
  assert.equal((await press("Shift+ArrowRight")).frame, 30);
  assert.equal((await press("Shift+ArrowLeft")).frame, 20);
  assert.equal((await press("End")).frame, frames.length - 1);
  assert.equal((await press("Home")).frame, 0);
});

test("keys of speed, and the list of speeds", async () => {
  const speed = async (key) => { await page.keyboard.press(key); return (await player()).speed; };
  assert.equal(await speed("+"), 2);
  assert.equal(await speed("+"), 4);
  assert.equal(await speed("+"), 4);
  assert.equal(await speed("0"), 1);
  for (const wanted of [0.5, 0.25, 0.1, 0.05, 0.05]) assert.equal(await speed("-"), wanted);
  await drawn();
  assert.equal(await page.getByLabel("Speed").inputValue(), "0.05");
  await page.getByLabel("Speed").selectOption("2");
  assert.equal((await player()).speed, 2);
});

test("a slower motion is slower", async () => {
  // Simulated over real time; slow pictures make it less, so that only the upper bounds are sharp.
  const passed = (speed, until) => page.evaluate(({ speed, until }) => new Promise((done) => {
    cairn.player.setSpeed(speed); cairn.player.seek(0); cairn.player.play();
    const begin = performance.now();
    cairn.player.onChange(({ time }) => { if (time >= until) done(time / ((performance.now() - begin) / 1000)); });
  }), { speed, until });
  const slow = await passed(0.1, 0.05);
  assert.ok(slow <= 0.13, `${slow}`);
  const normal = await passed(1, 0.5);
  assert.ok(normal <= 1.3 && normal > 2 * slow, `${normal}`);
});

test("loop may be switched off: then it stops at the end", async () => {
  await page.getByRole("button", { name: "Loop" }).click();
  assert.equal((await player()).isLooping, false);
  assert.equal(await page.getByRole("button", { name: "Loop" }).getAttribute("aria-pressed"), "false");
  await page.evaluate(() => { cairn.player.setSpeed(4); cairn.player.play(); });
  await page.waitForFunction(() => !cairn.player.isPlaying);
  assert.equal((await player()).frame, frames.length - 1);
  await page.keyboard.press("o");
  assert.equal((await player()).isLooping, true);
});

test("keys of the stage reach its options", async () => {
  for (const [key, option] of Object.entries({ c: "contacts", n: "normals", v: "forces", k: "cones", j: "joints", t: "trails", g: "grid", w: "wire" })) {
    const start = (await options())[option];
    await page.keyboard.press(key);
    assert.equal((await options())[option], !start, key);
    await page.keyboard.press(key);
    assert.equal((await options())[option], start, key);
  }
  await page.keyboard.press("f");
  assert.equal((await options()).follow, 1, "the first body that moves");
  await page.keyboard.press("f");
  assert.equal((await options()).follow, -1);
});

test("the display menu reaches the stage's options", async () => {
  await page.getByRole("button", { name: "Display" }).click();
  for (const option of ["contacts", "normals", "forces", "cones", "joints", "trails", "shadows", "grid", "wire"]) {
    const start = (await options())[option];
    const box = page.locator(`input[data-option=${option}]`);
    assert.equal(await box.isChecked(), start, option);
    await box.click();
    assert.equal((await options())[option], !start, option);
    await box.click();
  }
  await page.getByLabel("Force scale").fill("0.5");
  assert.ok(Math.abs((await options()).forceScale - Math.sqrt(10)) < 1e-9);
  await page.getByLabel("Force threshold").fill("0.1");
  assert.equal((await options()).forceThreshold, 0.1);
  await page.getByLabel("Follow a body").selectOption({ label: "box" });
  assert.equal((await options()).follow, 1);
  await page.getByLabel("Follow a body").selectOption("-1");
  await page.keyboard.press("p");
});

test("views reach the stage", async () => {
  await page.evaluate(() => {
    window.looks = [];
    const look = cairn.stage.look.bind(cairn.stage);
    cairn.stage.look = (direction) => { window.looks.push(direction); look(direction); };
  });
  for (const key of ["h", "1", "2", "3"]) await page.keyboard.press(key);
  for (const label of ["Home", "Front", "Side", "Top"]) await page.getByRole("button", { name: label, exact: true }).click();
  const all = ["home", "front", "side", "top"];
  assert.deepEqual(await page.evaluate(() => window.looks), [...all, ...all]);
});

test("the theme is the system's, until it is chosen; it reaches the stage", async () => {
  for (const colorScheme of ["dark", "light"]) {
    await page.emulateMedia({ colorScheme });
    await page.waitForFunction((theme) => document.documentElement.dataset.theme === theme, colorScheme);
    assert.equal((await options()).isDark, colorScheme === "dark");
  }
  await page.keyboard.press("l");
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
  assert.equal((await options()).isDark, true);
  await page.getByRole("button", { name: "Light or dark" }).click();
  assert.equal((await options()).isDark, false);
});

test("help opens and closes, and keeps keys to itself", async () => {
  await page.keyboard.press("?");
  assert.equal(await page.getByRole("dialog").isVisible(), true);
  assert.match(await page.getByRole("dialog").textContent(), /play or pause.*solver pane/s);
  const { contacts } = await options();
  await page.keyboard.press("c");
  assert.equal((await options()).contacts, contacts);
  await page.keyboard.press("Escape");
  assert.equal(await page.getByRole("dialog").isVisible(), false);
  await page.getByRole("button", { name: "Keys and help" }).click();
  assert.equal(await page.getByRole("dialog").isVisible(), true);
  await page.keyboard.press("?");
  assert.equal(await page.getByRole("dialog").isVisible(), false);
});

test("a button pressed by the pointer leaves space to the player", async () => {
  await page.getByRole("button", { name: "Loop" }).click();
  await page.getByRole("button", { name: "Loop" }).click();
  await page.keyboard.press("Space");
  assert.deepEqual((({ isPlaying, isLooping }) => ({ isPlaying, isLooping }))(await player()), { isPlaying: true, isLooping: true });
});

test("the picked body: name, place, speed by differences", async () => {
  await clickOnBox();
  assert.equal(await page.locator(".body-card h2").textContent(), "box");
  await page.evaluate(() => cairn.player.seekFrame(15));
  await drawn();
  const text = await page.locator(".body-card dl").textContent();
  const now = frames[15].position(1), then = frames[14].position(1);
  const speed = Math.hypot(...now.map((value, i) => value - then[i])) / (frames[15].time - frames[14].time);
  assert.ok(text.includes(now.map((value) => value.toFixed(3).replace(/^-(?=0\.000$)/, "")).join(", ")), text); // never -0
  const told = /speed([\d.]+) (m?)m\/s/.exec(text);
  assert.ok(Math.abs(told[1] * (told[2] ? 1e-3 : 1) - speed) < 1e-3 * speed, text);
  assert.match(text, /4 contacts/);
  assert.equal(await page.locator(".body-card li").count(), 4);
  await page.keyboard.press("f");
  assert.equal((await options()).follow, 1);
  await page.keyboard.press("f");
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".body-card").isVisible(), false);
});

test("the address is a link to the moment, the body and the panel; nonsense in it changes nothing", async () => {
  await page.waitForFunction((time) => Math.abs(Number(/t=([\d.]+)/.exec(location.hash)?.[1]) - time) < 1e-6, frames[10].time);
  const linked = await openPage(browser, `${file}#t=0.5&body=1&panel=solver`);
  const there = await linked.page.evaluate(() => ({ time: cairn.player.time, isPlaying: cairn.player.isPlaying, panel: document.querySelector(".viewer").dataset.panel,
                                                    card: document.body.innerText.includes("box") }));
  assert.deepEqual(there, { time: 0.5, isPlaying: false, panel: "solver", card: true });
  const nonsense = await openPage(browser, `${file}#t=1e999&body=77&panel=%3Cb%3E`);
  assert.ok(await nonsense.page.evaluate(() => cairn.player.isPlaying));
  for (const each of [linked, nonsense]) {
    assert.deepEqual([each.messages, each.requests], [[], []]);
    await each.close();
  }
});
