// Bundle the viewer into one HTML file: node build.mjs OUT.html [--c OUT.c] [--wasm cairn.wasm] [--debug]
//
// --c: the same as C source, the array web_template of apps/cli/web_template.h.
// --wasm: with the solver inside; without it the page plays films only.
// The file has a line <!--CAIRN-DATA--> where `cairn` puts the recording.
import { build } from "esbuild";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { deflateSync } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true, options: { c: { type: "string" }, wasm: { type: "string" }, debug: { type: "boolean", default: false } },
});
if (positionals.length !== 1) {
  console.error("usage: node build.mjs OUT.html [--c OUT.c] [--wasm cairn.wasm] [--debug]");
  process.exit(2);
}

async function bundle(entry, define = {}) {
  const result = await build({
    entryPoints: [join(here, "src", entry)], bundle: true, write: false, format: "iife", target: "es2020",
    minify: !values.debug, legalComments: "inline", define,
  });
  return result.outputFiles[0].text;
}

/** The solver as an element that the browser does not run: deflated, base64. */
async function solverElement(path) {
  const packed = deflateSync(await readFile(path), { level: 9 });
  return `<script type="text/plain" id="cairn-wasm" data-encoding="deflate-base64">${packed.toString("base64")}</script>`;
}

/** The licences of what the page is made of, as a comment: they ask for it. */
async function licences() {
  const text = await readFile(join(here, "node_modules", "three", "LICENSE"), "utf8");
  return `<!--\nThis page contains three.js, under this licence:\n\n${text.replaceAll("--", "- -")}-->`;
}

const worker = await bundle("live/worker.ts");
const script = await bundle("main.ts", { CAIRN_WORKER: JSON.stringify(worker) });
const style = await bundle("style.css");
const solver = values.wasm ? await solverElement(values.wasm) : "";
let page = await readFile(join(here, "src", "page.html"), "utf8");
// Functions, so that "$" in the code means nothing; "</script" must not end the element.
page = page.replace("/*CAIRN-STYLE*/", () => style);
page = page.replace("<!--CAIRN-LICENCES-->", await licences());
page = page.replace("<!--CAIRN-WASM-->", () => solver);
page = page.replace("/*CAIRN-SCRIPT*/", () => script.replaceAll("</script", "<\\/script"));

// Character codes: compilers limit the length of string literals.
function cSource(text) {
  const codes = [...Buffer.from(text, "utf8")].map((byte) => (byte < 128 ? byte : byte - 256));
  const lines = [];
  for (let i = 0; i < codes.length; i += 32) lines.push(codes.slice(i, i + 32).join(","));
  return `/* Made by apps/viewer/build.mjs. */\n#include "cli/web_template.h"\n\nconst char web_template[] = {\n${lines.join(",\n")},0};\n`;
}

async function write(path, text) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

await write(positionals[0], page);
if (values.c) await write(values.c, cSource(page));
