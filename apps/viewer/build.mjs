// Bundle the viewer into one HTML file: node build.mjs OUT.html [--c OUT.c] [--debug]
//
// --c: the same as C source, the array web_template of apps/cli/web_template.h.
// The file has a line <!--CAIRN-DATA--> where `cairn` puts the recording.
import { build } from "esbuild";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const here = dirname(fileURLToPath(import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true, options: { c: { type: "string" }, debug: { type: "boolean", default: false } },
});
if (positionals.length !== 1) {
  console.error("usage: node build.mjs OUT.html [--c OUT.c] [--debug]");
  process.exit(2);
}

async function bundle(entry, loader) {
  const result = await build({
    entryPoints: [join(here, "src", entry)], bundle: true, write: false, format: "iife", target: "es2020",
    minify: !values.debug, legalComments: "inline", loader,
  });
  return result.outputFiles[0].text;
}

const script = await bundle("main.ts", {});
const style = await bundle("style.css", {});
let page = await readFile(join(here, "src", "page.html"), "utf8");
// Functions, so that "$" in the code means nothing; "</script" must not end the element.
page = page.replace("/*CAIRN-STYLE*/", () => style);
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
