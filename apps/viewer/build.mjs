// Bundle the viewer into one HTML file: node build.mjs OUT.html [--debug]
//
// The file has a line <!--CAIRN-DATA--> where `cairn` puts the recording.
import { build } from "esbuild";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const output = process.argv[2];
if (!output) {
  console.error("usage: node build.mjs OUT.html [--debug]");
  process.exit(2);
}

async function bundle(entry, loader) {
  const result = await build({
    entryPoints: [join(here, "src", entry)], bundle: true, write: false, format: "iife", target: "es2020",
    minify: !process.argv.includes("--debug"), legalComments: "inline", loader,
  });
  return result.outputFiles[0].text;
}

const script = await bundle("main.ts", {});
const style = await bundle("style.css", {});
let page = await readFile(join(here, "src", "page.html"), "utf8");
// Functions, so that "$" in the code means nothing; "</script" must not end the element.
page = page.replace("/*CAIRN-STYLE*/", () => style);
page = page.replace("/*CAIRN-SCRIPT*/", () => script.replaceAll("</script", "<\\/script"));
await mkdir(dirname(output), { recursive: true });
await writeFile(output, page);
