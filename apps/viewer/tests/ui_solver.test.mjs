// The solver pane, of a recording whose notes were written by hand.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, openPage } from "./support/browser.mjs";
import { makePage, picturePath, record } from "./support/files.mjs";
import { tableRecording } from "./ui_support/table_scene.mjs";

let browser, opened, page;

before(async () => {
  browser = await launch();
  opened = await openPage(browser, makePage(tableRecording()), { width: 1280, height: 800 });
  page = opened.page;
  await page.evaluate(() => cairn.player.pause());
  await page.keyboard.press("s");
});
after(async () => {
  assert.deepEqual(opened.messages, []);
  await browser.close();
});

async function goTo(frame) {
  await page.evaluate((frame) => { cairn.player.pause(); cairn.player.seekFrame(frame); }, frame);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}
const texts = (selector) => page.locator(selector).allTextContents();

test("the head tells the step, its verdict and figures", async () => {
  await goTo(1);
  assert.match(await page.locator(".solver-head").textContent(), /certified step 1: solved by the law asked for/);
  assert.match(await page.locator(".facts").textContent(), /certificate1e-12tolerance1e-8lawCoulombactive contacts4 of 4pivots1/);
  await goTo(3);
  assert.match(await page.locator(".solver-head").textContent(), /overlap step 3: bodies overlap that no row.*By how much: 120 µm, allowed 1 µm. Also wrong: energy\./);
  await goTo(0);
  assert.match(await page.locator(".solver-head").textContent(), /no step led here/);
  assert.match(await page.locator(".solver").textContent(), /Nothing touches/);
});

test("contacts by the names of their bodies, with forces", async () => {
  await goTo(1);
  // Impulse (0.03, 0.04, 0.1) N s in 0.01 s: normal 10 N, friction 5 N.
  assert.deepEqual(await texts(".contacts tbody tr:nth-child(1) td"), ["0", "table – floor", "stick", "10 N", "5 N"]);
  assert.deepEqual(await texts(".contacts tbody tr:nth-child(3) td"), ["2", "table – floor", "slide", "10 N", "0 N"]);
});

test("events on contact states", async () => {
  await goTo(1);
  const rows = await texts(".states tbody tr");
  assert.deepEqual(rows, ["10offstickstart0.0 %", "22offstick2 tied50.0 %", "32stickslide 90°75.0 %", "42slide 90°edge 270°–360°80.0 %", "5row 0within boundsat upper bound100.0 %"]);
});

test("pivots of the LCP, with names", async () => {
  await goTo(1);
  await page.getByRole("tab", { name: "LCP pivot search" }).click();
  const cells = async (row) => (await texts(`.lcp tbody tr:nth-child(${row}) td`));
  assert.deepEqual(await cells(1), ["1", "ρ0row 0 of the joints", "wρ0residual of row 0start", "0"]);
  assert.deepEqual(await cells(2), ["2", "z0the cover", "wθ3separating speed of contact 3", "2"]);
  assert.deepEqual(await cells(3), ["3", "θ3n of contact 3", "wφ3,2slack of direction 2 (180°) of contact 32 tied", "1.5"]);
  assert.deepEqual(await cells(4), ["4", "φ3,2direction 2 (180°) of contact 3", "wλ3friction left at contact 3", "1"]);
  assert.match((await cells(5))[1], /^Backtrack to depth 1: this branch/);
  assert.deepEqual(await cells(6), ["6", "λ3slip of contact 3", "ρ0row 0 of the joints", "0.5"]);
  assert.match((await cells(7))[1], /^Restart: .*another cover/);
  assert.deepEqual(await cells(8), ["8", "θ3n of contact 3", "z0the cover", "0"]);
  assert.match(await page.locator(".lcp").locator("xpath=../..").textContent(), /certificate 2e-15, 8 events; the path was longer/);
  assert.equal(await page.locator("tr.backtrack").count() + await page.locator("tr.restart").count(), 2);
  await page.screenshot({ path: picturePath("ui-solver.png") });
});

test("impulses side by side: bars as long as they are, redundancy told", async () => {
  await goTo(1);
  assert.match(await page.locator(".redundancy").textContent(), /^1 active constraint depends on the others: many impulses/);
  assert.equal(await page.locator(".pair-of-bars").count(), 4);
  assert.equal(await page.locator(".pair-of-bars .name").nth(2).textContent(), "contact 2: table – floor");
  const share = (name, i) => page.locator(`.line.${name}`).nth(i).evaluate((line) =>
    line.querySelector(".normal").getBoundingClientRect().width / line.querySelector(".track").getBoundingClientRect().width);
  for (let i = 0; i < 4; ++i) {
    assert.ok(Math.abs(await share("even", i) - 0.5) < 0.01);
    assert.ok(Math.abs(await share("vertex", i) - (i % 2 === 0 ? 1 : 0)) < 0.01);
  }
  assert.deepEqual(await texts(".line.even .figure"), ["100 mN s", "100 mN s", "100 mN s", "100 mN s"]);
  assert.deepEqual(await texts(".line.vertex .figure"), ["200 mN s", "0 N s", "200 mN s", "0 N s"]);
});

test("pointing at a contact shows it on the stage", async () => {
  await goTo(1);
  await page.evaluate(() => {
    window.shown = [];
    const highlight = cairn.stage.highlight.bind(cairn.stage);
    cairn.stage.highlight = (contact) => { window.shown.push(contact); highlight(contact); };
  });
  const last = () => page.evaluate(() => window.shown.at(-1));
  await page.locator(".contacts tbody tr").nth(2).hover();
  assert.equal(await last(), 2);
  await page.locator(".lcp tbody tr").nth(2).hover();
  assert.equal(await last(), 3);
  await page.locator(".pair-of-bars").nth(1).hover();
  assert.equal(await last(), 1);
  await page.mouse.move(300, 300);
  assert.equal(await last(), -1);
  await page.locator(".contacts tbody tr").nth(1).focus();
  assert.equal(await last(), 1);
});

test("a frame without a note tells how to get one; a part that is missing says so", async () => {
  await goTo(2);
  assert.match(await page.locator(".no-note").textContent(), /no solver note.*cairn sim SCENE --html page\.html.*up to 64 contacts/s);
  await goTo(3);
  assert.equal(await page.locator(".no-note").isVisible(), false);
  const text = await page.locator(".solver").textContent();
  for (const sentence of [/no path on contact states/, /no pivot search/, /no impulses/]) assert.match(text, sentence);
  await goTo(4);
  assert.match(await page.locator(".no-note").textContent(), /130 contacts.*up to 64.*body level by Newton steps/s);
  assert.match(await page.locator(".solver").textContent(), /The 100 largest normal forces of 130 contacts/);
  assert.equal(await page.locator(".contacts tbody tr").first().locator("td").first().textContent(), "129");
});

test("at most five updates a second while playing, none while closed", async () => {
  const busy = await openPage(browser, makePage(record("gallery:box-on-floor", { time: 1 })), { width: 1280, height: 800 });
  await busy.page.clock.install(); // a second of the page, whatever the machine does meanwhile
  await busy.page.reload();
  await busy.page.waitForFunction(() => window.cairn);
  await busy.page.clock.pauseAt(Date.now() + 60000);
  await busy.page.evaluate(() => {
    window.updates = 0;
    new MutationObserver(() => ++window.updates).observe(document.querySelector(".solver-head"), { childList: true });
  });
  const updatesIn = async (milliseconds) => {
    const start = await busy.page.evaluate(() => { cairn.player.play(); return window.updates; });
    for (let passed = 0; passed < milliseconds; passed += 20) await busy.page.clock.runFor(20);
    return await busy.page.evaluate(() => window.updates) - start;
  };
  assert.equal(await updatesIn(200), 0);
  await busy.page.keyboard.press("s");
  const updates = await updatesIn(1000);
  assert.ok(updates >= 3 && updates <= 6, `${updates}`);
  assert.deepEqual(busy.messages, []);
  await busy.close();
});
