// How fast scenes run live: node measure_live.mjs [SCENE SECONDS]...
//
// Steps a second in headless Chromium, by the page's own module and loader, beside those of the program in the same run: of processor
// time, which other work on the machine does not disturb much; best of several runs, pages not drawn. And what a reader waits for, by the
// clock: the first picture, the first live frame.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { launch, openPage } from "./tests/support/browser.mjs";
import { loaderText } from "./tests/support/loader.mjs";

const root = resolve(import.meta.dirname, "../.."), cli = process.env.CAIRN_CLI ?? join(root, "build/cairn");
const wasm = readFileSync(process.env.CAIRN_WASM ?? join(root, "build/wasm/cairn.wasm"));
const SCENES = [["box-on-floor", 200], ["stack-100", 5], ["hoist", 2], ["humanoid", 2], ["nut-on-bolt", 1], ["disks", 10]];
const loader = loaderText();
const folder = mkdtempSync(join(tmpdir(), "cairn-live-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

const program = (...words) => spawnSync(cli, words, { cwd: folder, encoding: "utf8", maxBuffer: 1e9 }).stdout;
const given = process.argv.slice(2), scenes = given.length > 0 ? given.flatMap((name, i) => i % 2 ? [] : [[name, Number(given[i + 1])]]) : SCENES;
const browser = await launch(), page = await browser.newPage();
const devtools = await page.context().newCDPSession(page);
await devtools.send("Performance.enable");

/** Processor time of the page's thread [s]. */
async function pageSeconds() {
  const { metrics } = await devtools.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "ThreadTime").value;
}

/** Processor time that the program takes [s]. */
function programSeconds(...words) {
  const quoted = [cli, ...words].map((word) => `'${word}'`).join(" ");
  const told = spawnSync("bash", ["-c", `TIMEFORMAT='%U %S'; time ${quoted} >out.json`], { cwd: folder, encoding: "utf8" }).stderr;
  return told.trim().split(/\s+/).slice(-2).reduce((sum, word) => sum + Number(word), 0);
}

const least = (list) => Math.min(...list);

/** Seconds a step takes in the program, without its start. */
function native(steps, dt) {
  const run = (count) => least([1, 2, 3].map(() => programSeconds("sim", "scene.json", "--time", String(count * dt), "--json")));
  return (run(steps) - run(1)) / (steps - 1);
}

/** Seconds a step takes in the page: processor time, and by the clock; the least of several runs, as the browser compiles what is called
 *  often better and better. */
async function inPage(scene, steps, every) {
  await page.evaluate(async ({ loader, bytes, scene }) => {
    const { load } = await import(URL.createObjectURL(new Blob([loader], { type: "text/javascript" })));
    Object.assign(window, { solver: await load(Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0))), scene });
  }, { loader, bytes: wasm.toString("base64"), scene });
  const found = [];
  for (let i = 0; i < 6; ++i) {
    await page.evaluate((steps) => { window.world = window.solver.open(window.scene, { every: 2 * steps }); }, steps);
    const start = await pageSeconds();
    const wall = await page.evaluate(([steps, every]) => {
      const start = performance.now();
      for (let left = steps; left > 0; left -= every) world.step(Math.min(every, left)); // as live pages do
      return performance.now() - start;
    }, [steps, every]);
    found.push([(await pageSeconds() - start) / steps, wall / 1000 / steps]);
    await page.evaluate(() => window.world.close());
  }
  return [0, 1].map((k) => least(found.map((pair) => pair[k])));
}

console.log("scene            steps   program [steps/s]   page [steps/s]   share   real time in the page, by the clock");
for (const [name, seconds] of scenes) {
  program("sim", `gallery:${name}`, "--write", "scene.json");
  const scene = readFileSync(join(folder, "scene.json"), "utf8"), dt = JSON.parse(scene).dt ?? 0.01, steps = Math.round(seconds / dt);
  const own = native(steps, dt), [there, wall] = await inPage(scene, steps, Math.max(1, Math.round(1 / 60 / dt)));
  console.log(`${name.padEnd(16)} ${String(steps).padStart(5)} ${(1 / own).toFixed(0).padStart(19)} ${(1 / there).toFixed(0).padStart(16)}` +
    ` ${(own / there).toFixed(2).padStart(7)} ${(dt / there).toFixed(1).padStart(12)}x ${(dt / wall).toFixed(1).padStart(12)}x`);
}
program("sim", "gallery:stack-10", "--time", "2", "--html", "page.html");
const start = performance.now(), opened = await openPage(browser, join(folder, "page.html"));
const ready = performance.now() - start;
await opened.page.getByRole("button", { name: "Live", exact: true }).click();
await opened.page.waitForFunction(() => window.cairn.session && window.cairn.recording.frames > 1);
console.log(`a page of ${(readFileSync(join(folder, "page.html")).length / 1e6).toFixed(2)} MB: shown after ${ready.toFixed(0)} ms; ` +
            `live ${(performance.now() - start - ready).toFixed(0)} ms after a click`);
await browser.close();
