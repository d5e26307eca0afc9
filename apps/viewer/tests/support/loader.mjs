// The npm package's loader as one text, to be imported in a browser from a blob.
import { buildSync } from "esbuild";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../../../..");

export function loaderText() {
  const entry = join(root, "bindings/wasm/package/cairn.mjs");
  return buildSync({ entryPoints: [entry], bundle: true, format: "esm", write: false }).outputFiles[0].text;
}
