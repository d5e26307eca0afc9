// How fast scenes run live: node measure_live.mjs [SCENE SECONDS]...
//
// Steps a second in headless Chromium, by the page's own module and loader, beside those of the program in the same run; time of the
// stepping alone, pages not drawn. And what a reader waits for: the first picture, the first live frame.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { launch, openPage } from "./tests/support/browser.mjs";
import { loaderText } from "./tests/support/loader.mjs";

const root = resolve(import.meta.dirname, "../.."), cli = process.env.CAIRN_CLI ?? join(root, "build/cairn");
const wasm = readFileSync(process.env.CAIRN_WASM ?? join(root, "build/wasm/cairn.wasm"));
const SCENES = [["box-on-floor", 50], ["stack-100", 5], ["hoist", 2], ["humanoid", 2], ["nut-on-bolt", 1], ["disks", 10]];
const loader = loaderText();
const folder = mkdtempSync(join(tmpdir(), "cairn-live-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

const program = (...words) => spawnSync(cli, words, { cwd: folder, encoding: "utf8", maxBuffer: 1e9 }).stdout;
const given = process.argv.slice(2), scenes = given.length > 0 ? given.flatMap((name, i) => i % 2 ? [] : [[name, Number(given[i + 1])]]) : SCENES;
const browser = await launch(), page = await browser.newPage();

/** Seconds a step takes in the page; the least of several runs. */
const inPage = (scene, steps) => page.evaluate(async ({ loader, bytes, scene, steps }) => {
  const { load } = await import(URL.createObjectURL(new Blob([loader], { type: "text/javascript" })));
  const cairn = await load(Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0)));
  const run = () => {
    const world = cairn.open(scene, { every: 2 * steps }), start = performance.now();
    world.step(steps);
    return (performance.now() - start) / 1000 / steps;
  };
  return Math.min(...Array.from({ length: 6 }, run)); // the browser compiles what is called often better and better
}, { loader, bytes: wasm.toString("base64"), scene, steps });

console.log("scene            steps   program [steps/s]   page [steps/s]   share   real time in the page");
for (const [name, seconds] of scenes) {
  program("sim", `gallery:${name}`, "--write", "scene.json");
  const scene = readFileSync(join(folder, "scene.json"), "utf8"), dt = JSON.parse(scene).dt ?? 0.01, steps = Math.round(seconds / dt);
  const native = () => JSON.parse(program("sim", "scene.json", "--time", String(steps * dt), "--json")).step_ms_mean / 1000;
  const own = Math.min(native(), native(), native()), there = await inPage(scene, steps);
  console.log(`${name.padEnd(16)} ${String(steps).padStart(5)} ${(1 / own).toFixed(0).padStart(19)} ${(1 / there).toFixed(0).padStart(16)}` +
    ` ${(own / there).toFixed(2).padStart(7)} ${(dt / there).toFixed(1).padStart(12)}x`);
}
program("sim", "gallery:stack-10", "--time", "2", "--html", "page.html");
const start = performance.now(), opened = await openPage(browser, join(folder, "page.html"));
const ready = performance.now() - start;
await opened.page.getByRole("button", { name: "Live", exact: true }).click();
await opened.page.waitForFunction(() => window.cairn.session && window.cairn.recording.frames > 1);
console.log(`a page of ${(readFileSync(join(folder, "page.html")).length / 1e6).toFixed(2)} MB: shown after ${ready.toFixed(0)} ms; ` +
            `live ${(performance.now() - start - ready).toFixed(0)} ms after a click`);
await browser.close();
