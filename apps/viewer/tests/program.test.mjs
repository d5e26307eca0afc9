// Pages as the program writes them, opened from their files: the showcase with its cards, a recording that is cut off.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { launch, openPage } from "./support/browser.mjs";
import { picturePath } from "./support/files.mjs";

const program = process.env.CAIRN_CLI ?? resolve(dirname(fileURLToPath(import.meta.url)), "../../../build/cairn");
if (!existsSync(program)) {
  console.log(`skipped: no program ${program}`);
  process.exit(77);
}
const folder = mkdtempSync(join(tmpdir(), "cairn-pages-"));
const cairn = (...words) => execFileSync(program, words, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

let browser;
before(async () => {
  browser = await launch();
  cairn("showcase", "--quick", "--out", "out");
});
after(async () => {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Rows of the CSV of a recording: objects by heading. */
function rowsOf(recording) {
  cairn("export", recording, "-o", "rows.csv");
  const [heading, ...lines] = readFileSync(join(folder, "rows.csv"), "utf8").trim().split("\n").map((line) => line.split(","));
  return lines.map((cells) => Object.fromEntries(cells.map((cell, i) => [heading[i], Number(cell)])));
}

/** Where the page draws a body when it stands at a frame. */
const drawnAt = (page, frame, body) => page.evaluate(([f, b]) => {
  const { player, stage } = window.cairn;
  player.pause();
  player.seekFrame(f);
  return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(stage.bodyMatrix(b).slice(12, 15)))));
}, [frame, body]);

test("the index page plays the first scene and has a card for each", async () => {
  const { page, messages, requests, close } = await openPage(browser, join(folder, "out/index.html"), { width: 1280, height: 900 });
  const start = await page.evaluate(() => window.cairn.player.time);
  await page.waitForFunction((time) => window.cairn.player.isPlaying && window.cairn.player.time > time, start);
  assert.equal(await page.evaluate(() => window.cairn.recording.bodies), 10);
  const cards = await page.locator("article.card").all();
  assert.ok(cards.length >= 7);
  for (const card of cards) {
    await card.scrollIntoViewIfNeeded();
    const picture = card.locator("img");
    await page.waitForFunction((image) => image.complete, await picture.elementHandle());
    assert.ok(await picture.evaluate((image) => image.naturalWidth) > 100);
    const address = await card.locator("a").first().getAttribute("href");
    assert.ok(existsSync(join(folder, "out", address)), address);
    assert.match(await card.textContent(), /certified/);
  }
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.screenshot({ path: picturePath("index.png") });
  assert.deepEqual([messages, requests], [[], []]);
  await close();
});

test("a card leads to a page that draws what its recording says, and back", async () => {
  const { page, messages, close } = await openPage(browser, join(folder, "out/index.html"));
  await page.locator("article.card", { hasText: "Chain over a rod" }).locator("a").first().click();
  await page.waitForFunction(() => window.cairn?.recording.name !== undefined && document.documentElement.dataset.state === "playing");
  const rows = rowsOf("out/hoist.crn"), last = rows.length - 1;
  for (const body of [1, 12, 24]) {
    const drawn = await drawnAt(page, last, body);
    ["x", "y", "z"].forEach((axis, k) => {
      const said = rows[last][`body${body}.${axis}`];
      assert.ok(Math.abs(said - drawn[k]) < 1e-5, `body ${body}: ${axis} = ${said}, drawn at ${drawn[k]}`);
    });
  }
  const note = await page.evaluate(() => window.cairn.recording.note(window.cairn.recording.frames - 1));
  assert.ok(note.vertex.length === note.even.length);
  assert.equal(await page.locator("a[href='index.html']").count(), 1);
  assert.deepEqual(messages, []);
  await close();
});

test("a recording that is cut off is shown as far as it goes, with a sentence", async () => {
  const whole = readFileSync(join(folder, "out/hoist.crn"));
  writeFileSync(join(folder, "cut.crn"), whole.subarray(0, Math.floor(whole.length / 2)));
  cairn("view", "cut.crn", "-o", "cut.html");
  const { page, messages, close } = await openPage(browser, join(folder, "cut.html"));
  const frames = await page.evaluate(() => window.cairn.recording.frames);
  assert.ok(frames > 5 && frames < rowsOf("out/hoist.crn").length);
  assert.match(await page.locator("body").innerText(), /the recording is cut off/);
  assert.deepEqual(messages, []);
  await close();
});
