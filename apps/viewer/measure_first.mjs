// What a newcomer waits for: node measure_first.mjs PAGE.html ...
//
// Of each page: its size, when the first picture is drawn, when the simulation has its first frame (after a press of Live where the page
// does not begin so), and when a body that is taken by the mouse has moved; all in milliseconds after the page was asked for, with the
// presses that it took. In brackets the processor time of the page's thread until the first picture: the rest is the browser's, the
// drawing without a graphics card's, and other work's on the machine. Needs a browser.
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { launch, openPage } from "./tests/support/browser.mjs";

/** The first free body whose middle can be taken hold of, and where it is on the page. */
const findBody = () => {
  const { stage, recording } = window.cairn, { left, top, width, height } = document.querySelector("canvas").getBoundingClientRect();
  for (let body = 0; body < recording.bodies; ++body) {
    if ((recording.scene.bodies[body].kind ?? "free") !== "free") continue;
    const [x, y] = stage.project(stage.bodyMatrix(body).slice(12, 15));
    if (Math.abs(x) < 0.7 && Math.abs(y) < 0.7) return { body, x: left + (1 + x) / 2 * width, y: top + (1 - y) / 2 * height };
  }
  return null;
};

/** Processor time that the page's thread has taken since this was called [ms]. */
async function startClock(page) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Performance.enable");
  return async () => {
    const { metrics } = await devtools.send("Performance.getMetrics");
    return (1000 * metrics.find(({ name }) => name === "ThreadTime").value).toFixed(0);
  };
}

const browser = await launch();
console.log("page                      MB   picture [ms]   live [ms]   dragged [ms]   presses");
for (const path of process.argv.slice(2)) {
  const start = performance.now(), since = () => (performance.now() - start).toFixed(0);
  let threadTime;
  const { page, messages, requests, close } = await openPage(browser, resolve(path), { prepare: async (page) => { threadTime = await startClock(page); } });
  let presses = 0;
  await page.waitForFunction(() => window.cairn?.stage.pictures > 0);
  const picture = `${since()} (${await threadTime()})`;
  if (!await page.evaluate(() => JSON.parse(document.getElementById("cairn-page").textContent).live)) {
    await page.getByRole("button", { name: "Live", exact: true }).click();
    ++presses;
  }
  await page.waitForFunction(() => document.documentElement.dataset.live === "true" && window.cairn.recording.frames > 1);
  const live = since(), found = await page.evaluate(findBody);
  await page.mouse.move(found.x, found.y);
  await page.mouse.down();
  await page.mouse.move(found.x + 60, found.y - 60, { steps: 4 });
  await page.waitForFunction(() => window.cairn.session.force > 0);
  const dragged = since();
  await page.mouse.up();
  console.log(`${path.split("/").pop().padEnd(22)} ${(statSync(path).size / 1e6).toFixed(2).padStart(5)} ${picture.padStart(14)} ${live.padStart(11)} ${dragged.padStart(14)} ` +
    `${presses} and a drag${messages.length + requests.length > 0 ? ` (${[...messages, ...requests].join("; ")})` : ""}`);
  await close();
}
await browser.close();
