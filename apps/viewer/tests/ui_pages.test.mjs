// Index page, phone, warnings, errors, files; pictures of the page to look at.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, openPage } from "./support/browser.mjs";
import { readFrames, writeRecording } from "./ui_support/bytes.mjs";
import { makePage, picturePath, record } from "./support/files.mjs";
import { tableRecording } from "./ui_support/table_scene.mjs";

const LAPTOP = { width: 1280, height: 800 }, PHONE = { width: 390, height: 844, touch: true };
const bytes = record("gallery:disks", { time: 3 });
let browser;

before(async () => { browser = await launch(); });
after(() => browser.close());

/** Open a page, do something with it, and see that it said nothing on the console and asked for nothing. */
async function withPage(file, size, action) {
  const opened = await openPage(browser, file, size);
  await action(opened.page);
  assert.deepEqual(opened.messages, []);
  assert.deepEqual(opened.requests, []);
  await opened.close();
}

/** How far the page, or anything that can be operated, sticks out to the right. */
const overflow = (page) => page.evaluate(() => Math.max(document.documentElement.scrollWidth - innerWidth,
  ...[...document.querySelectorAll("button, select, input, a, h1, table")].filter((element) => element.checkVisibility())
    .map((element) => Math.round(element.getBoundingClientRect().right - innerWidth))));

async function drop(page, name, content) {
  const transfer = await page.evaluateHandle(({ name, content }) => {
    const data = new DataTransfer();
    data.items.add(new File([Uint8Array.from(atob(content), (c) => c.charCodeAt(0))], name));
    return data;
  }, { name, content: Buffer.from(content).toString("base64") });
  await page.dispatchEvent("body", "drop", { dataTransfer: transfer });
}

const dot = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==";
const cards = Array.from({ length: 7 }, (_, i) => ({ title: `Scene ${i}`, about: "What it shows, in one sentence that takes two lines.", address: i ? `scene${i}.html` : "", picture: i % 3 ? dot : "",
  figures: [["bodies", "22"], ["worst certificate", "7.9e-09"], ["step", "0.31 ms"]] }));

test("index page: the first scene plays, cards below, the page scrolls", () =>
  withPage(makePage(bytes, { title: "Gallery", about: "Scenes of Cairn.", cards }), LAPTOP, async (page) => {
    await page.waitForFunction(() => document.documentElement.dataset.state === "playing" && cairn.player.time > 0.1);
    assert.equal(await page.locator(".intro").textContent(), "Scenes of Cairn.");
    assert.equal(await page.locator(".card").count(), 7);
    assert.equal(await page.locator(".card").nth(1).locator("a").getAttribute("href"), "scene1.html");
    assert.equal(await page.locator(".card").nth(0).locator("a").count(), 0);
    assert.deepEqual(await page.locator(".card").nth(2).locator("td").allTextContents(), ["22", "7.9e-09", "0.31 ms"]);
    assert.ok(await page.evaluate(() => document.documentElement.scrollHeight > innerHeight + 200));
    assert.ok(await overflow(page) <= 0);
    await page.mouse.move(400, 300);
    await page.mouse.wheel(0, 300); // over the stage too
    await page.waitForFunction(() => scrollY > 100);
    await page.screenshot({ path: picturePath("ui-index.png"), fullPage: true });
  }));

test("a page of the index leads back", () => withPage(makePage(bytes, { home: "index.html" }), LAPTOP, async (page) => {
  assert.equal(await page.getByRole("link", { name: "All scenes" }).getAttribute("href"), "index.html");
}));

test("phone: nothing sticks out, sheets open below, targets are large", () =>
  withPage(makePage(bytes, { title: "A pile of disks with a long title that does not fit", about: "About." }), PHONE, async (page) => {
    assert.ok(await overflow(page) <= 0);
    await page.evaluate(() => { cairn.player.pause(); cairn.player.seek(1.2); });
    await page.screenshot({ path: picturePath("ui-phone.png") });
    for (const name of ["Plots", "Solver", "Display"]) {
      await page.getByRole("button", { name, exact: true }).tap();
      assert.ok(await overflow(page) <= 0, name);
      const panel = await page.locator(".panel").boundingBox(), stage = await page.locator(".stage").boundingBox(), bar = await page.locator(".transport").boundingBox();
      assert.ok(panel.width === 390 && panel.y >= bar.y + bar.height - 1 && stage.height > 200, name);
      await page.screenshot({ path: picturePath(`ui-phone-${name.toLowerCase()}.png`) });
    }
    for (const button of await page.locator(".transport button, .tool, .head .icon").all()) {
      const { width, height } = await button.boundingBox();
      assert.ok(width >= 44 && height >= 44, await button.evaluate((b) => `${b.className} ${b.title}`));
    }
    await page.getByRole("button", { name: "Display", exact: true }).tap();
    assert.equal(await page.locator(".panel").isVisible(), false);
  }));

test("phone: an index page has no horizontal scroll", () => withPage(makePage(bytes, { title: "Gallery", cards }), PHONE, async (page) => {
  assert.ok(await overflow(page) <= 0);
  await page.screenshot({ path: picturePath("ui-phone-index.png"), fullPage: true });
}));

test("a cut recording is shown as far as it goes, with a warning that can be dismissed", () => {
  const frames = readFrames(bytes), cut = bytes.subarray(0, frames[20].at + 100);
  return withPage(makePage(cut), LAPTOP, async (page) => {
    assert.equal(await page.evaluate(() => cairn.recording.frames), 20);
    assert.match(await page.locator(".banner").textContent(), /cut/);
    await page.getByRole("button", { name: "Dismiss" }).click();
    assert.equal(await page.locator(".banner").count(), 0);
  });
});

test("the program's own warning is shown", () => withPage(makePage(bytes, { warning: "2 frames were left out." }), LAPTOP, async (page) => {
  assert.deepEqual(await page.locator(".banner span").allTextContents(), ["2 frames were left out."]);
}));

test("a page without a recording asks for one, and opens what is dropped or chosen", () => withPage(makePage(null), LAPTOP, async (page) => {
  assert.equal(await page.evaluate(() => document.documentElement.dataset.state), "empty");
  assert.match(await page.locator(".message-page").textContent(), /Drop a recording.*cairn sim/s);
  await page.screenshot({ path: picturePath("ui-empty.png") });
  await drop(page, "disks.crn", bytes);
  await page.waitForFunction(() => document.documentElement.dataset.state === "playing");
  assert.equal(await page.evaluate(() => cairn.recording.frames), 61);
  assert.equal(await page.locator("h1").textContent(), "disks");
  await page.locator("input[type=file]").setInputFiles({ name: "table.crn", mimeType: "application/octet-stream", buffer: tableRecording() });
  await page.waitForFunction(() => cairn.recording.frames === 5);
  assert.equal(await page.locator("canvas.ruler").count(), 1, "the first one has gone");
}));

test("what is no recording, or of another version, is told as such, with what to do", () => withPage(makePage(null), LAPTOP, async (page) => {
  await drop(page, "notes.txt", "these are not the bytes of a recording, but a text that is long enough to be one");
  await page.waitForFunction(() => document.documentElement.dataset.state === "error");
  assert.match(await page.getByRole("alert").textContent(), /notes\.txt: .*not a recording/);
  assert.match(await page.locator(".message-page").textContent(), /cairn sim SCENE -o FILE\.crn/);
  await page.screenshot({ path: picturePath("ui-error.png") });
  const newer = Buffer.from(bytes);
  newer.writeUInt32LE(9, 8);
  await drop(page, "newer.crn", newer);
  await page.waitForFunction(() => /version 9/.test(document.querySelector("[role=alert]").textContent));
  assert.match(await page.locator(".message-page").textContent(), /cairn view/);
}));

test("an error while something is shown leaves it there", () => withPage(makePage(bytes), LAPTOP, async (page) => {
  await drop(page, "notes.txt", "no recording at all, whatever its name may be; but some bytes of text are here");
  await page.waitForSelector(".banner.bad");
  assert.match(await page.locator(".banner.bad").textContent(), /not a recording/);
  assert.equal(await page.evaluate(() => cairn.recording.frames), 61);
}));

test("an embedded text is an error page", () => withPage(makePage(Buffer.from("x".repeat(200))), LAPTOP, async (page) => {
  assert.equal(await page.evaluate(() => document.documentElement.dataset.state), "error");
  assert.match(await page.getByRole("alert").textContent(), /not a recording/);
}));

test("a single frame, without a scene, is shown and stands still", () => {
  const one = writeRecording({}, [{ step: 0, time: 0, poses: [[0, 0, 0, 1, 0, 0, 0]] }]);
  return withPage(makePage(one, { title: "" }), LAPTOP, async (page) => {
    await page.waitForFunction(() => document.documentElement.dataset.state === "ready");
    for (const key of ["Space", "ArrowRight", "End", "Home", "s", "d", "p"]) await page.keyboard.press(key);
    assert.equal(await page.locator(".clock").textContent(), "0.000 s");
    assert.match(await page.locator(".frame").textContent(), /frame 0 of 0/);
  });
});

test("pictures, light and dark", () => withPage(makePage(bytes, { title: "A pile of disks falls apart", about: "Hart and Anitescu: a pile of 21 disks falls apart." }), LAPTOP, async (page) => {
  await page.evaluate(() => { cairn.player.pause(); cairn.player.seek(2.1); cairn.stage.set({ contacts: true, forces: true }); });
  for (const theme of ["light", "dark"]) {
    await page.waitForTimeout(600);
    await page.screenshot({ path: picturePath(`ui-laptop-${theme}.png`) });
    await page.keyboard.press("l");
  }
  await page.keyboard.press("?");
  await page.screenshot({ path: picturePath("ui-help.png") });
}));

test("what can be operated has a name", () => withPage(makePage(bytes), LAPTOP, async (page) => {
  for (const panel of ["d", "s", "p"]) {
    await page.keyboard.press(panel);
    const nameless = await page.evaluate(() => [...document.querySelectorAll("button, select, input, a")].filter((element) => element.checkVisibility())
      .filter((element) => !(element.getAttribute("aria-label") || element.textContent.trim() || element.closest("label")?.textContent.trim())).map((element) => element.outerHTML));
    assert.deepEqual(nameless, []);
  }
}));
