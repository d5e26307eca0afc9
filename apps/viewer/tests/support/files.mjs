// Recordings made by the program, pages made of them, modules of the viewer for node.
import { build } from "esbuild";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { deflateSync } from "node:zlib";

const viewer = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const folder = mkdtempSync(join(tmpdir(), "cairn-viewer-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

/** Where pictures are kept. */
export function picturePath(name) {
  const out = process.env.CAIRN_VIEWER_OUT ?? resolve(viewer, "../../build/viewer/screenshots");
  mkdirSync(out, { recursive: true });
  return join(out, name);
}

/** The bytes of a recording of a scene: "gallery:NAME", a file, or a scene as an object. */
export function record(scene, { time, every = 1, dt } = {}) {
  const cli = process.env.CAIRN_CLI ?? resolve(viewer, "../../build/cairn");
  if (!existsSync(cli)) {
    console.log(`skipped: no program ${cli}`);
    process.exit(77);
  }
  const output = join(folder, "made.crn");
  const options = [...(time ? ["--time", String(time)] : []), ...(dt ? ["--dt", String(dt)] : [])];
  const { status, stderr } = spawnSync(cli, ["sim", sceneName(scene), "--every", String(every), ...options, "-o", output], { stdio: ["ignore", "ignore", "pipe"] });
  if (status !== 0 && status !== 1) throw new Error(`${cli}: ${stderr}`); // 1: some step is not certified
  return readFileSync(output);
}

function sceneName(scene) {
  if (typeof scene === "string") return scene;
  const path = join(folder, "scene.json");
  writeFileSync(path, JSON.stringify(scene));
  return path;
}

let template;

/** The page as `node build.mjs` makes it. */
export function pageTemplate() {
  if (template === undefined) {
    const path = join(folder, "template.html");
    execFileSync(process.execPath, [join(viewer, "build.mjs"), path], { stdio: ["ignore", "ignore", "inherit"] });
    template = readFileSync(path, "utf8");
  }
  return template;
}

let pages = 0;

/** A page with a recording (bytes; null: none) and what the program says to it. Returns its path. */
export function makePage(recording, data = {}) {
  const told = { title: "Test", about: "", warning: "", home: "", cards: [], ...data };
  const parts = [`<script type="application/json" id="cairn-page">${JSON.stringify(told).replaceAll("<", "\\u003c")}</script>`];
  if (recording) {
    const packed = deflateSync(recording).toString("base64");
    parts.push(`<script type="text/plain" id="cairn-recording" data-encoding="deflate-base64">${packed}</script>`);
  }
  const path = join(folder, `page${pages++}.html`);
  writeFileSync(path, pageTemplate().replace("<!--CAIRN-DATA-->", () => parts.join("\n")));
  return path;
}

/** A module of src as node can import it. */
export async function importModule(name) {
  const outfile = join(folder, `${name.replaceAll("/", "_")}.mjs`);
  await build({ entryPoints: [join(viewer, "src", `${name}.ts`)], bundle: true, format: "esm", platform: "neutral", outfile, logLevel: "error" });
  return import(pathToFileURL(outfile).href);
}

/** A page as the program writes it, of "gallery:NAME" or a scene as an object. Returns its path. */
export function cliPage(scene, { time = 1 } = {}) {
  const cli = process.env.CAIRN_CLI ?? resolve(viewer, "../../build/cairn"), path = join(folder, `live-${pages++}.html`);
  const { status, stderr } = spawnSync(cli, ["sim", sceneName(scene), "--time", String(time), "--html", path], { stdio: ["ignore", "ignore", "pipe"] });
  if (status !== 0 && status !== 1) throw new Error(`${cli}: ${stderr}`);
  return path;
}
