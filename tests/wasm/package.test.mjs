// The npm package as npm would install it: its example runs, and a program that uses all three doors by their types is accepted.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test } from "node:test";

const root = resolve(import.meta.dirname, "../.."), source = join(root, "bindings/wasm/package");
const folder = mkdtempSync(join(tmpdir(), "cairn-npm-")), installed = join(folder, "node_modules/cairn-wasm");
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

mkdirSync(installed, { recursive: true });
const { files } = JSON.parse(readFileSync(join(source, "package.json"), "utf8"));
for (const name of ["package.json", ...files]) { // those that the package lists, and no others
  if (name === "cairn.wasm") copyFileSync(process.env.CAIRN_WASM, join(installed, name));
  else cpSync(name === "LICENSE" ? join(root, name) : join(source, name), join(installed, name));
}

test("the example tells when a block slides", () => {
  copyFileSync(join(source, "example.mjs"), join(folder, "example.mjs"));
  const lines = execFileSync(process.execPath, ["example.mjs"], { cwd: folder, encoding: "utf8" }).trim().split("\n");
  assert.deepEqual(lines.map((line) => /rests|slides/.exec(line)[0]), ["rests", "rests", "slides", "slides", "slides"]); // atan 0.5 = 26.57 degrees
  assert.ok(lines.every((line) => line.endsWith("(certified)")));
  assert.ok(readFileSync(join(source, "example.mjs"), "utf8").split("\n").length <= 21);
});

const PROGRAM = `
import { load, type ContactAnswer, type LcpAnswer, type World } from "cairn-wasm";
declare const bytes: Uint8Array<ArrayBuffer>;
const cairn = await load(bytes);
const lcp: LcpAnswer = cairn.solveLcp([[1]], [-1]);
const contact: ContactAnswer = cairn.solveContact({ kind: "rigid" }, { round: true });
const { scene, warnings } = cairn.readRobot({ "a.urdf": "<robot/>" }, "a.urdf", { fixed: true });
const world: World = cairn.open(scene, { every: 2 });
export const told: [number, string, number, string[]] = [lcp.z[0] + contact.impulse[0][2], world.verdict, world.step(3), warnings];
`;

test("types are those of what there is", () => {
  const check = (text) => {
    writeFileSync(join(folder, "program.mts"), text);
    const options = ["--noEmit", "--strict", "--target", "es2022", "--module", "nodenext", "--lib", "es2022,dom", "--types", ""];
    return spawnSync(process.execPath, [join(root, "apps/viewer/node_modules/typescript/bin/tsc"), ...options, "program.mts"], { cwd: folder, encoding: "utf8" });
  };
  const good = check(PROGRAM);
  assert.equal(good.status, 0, good.stdout);
  assert.notEqual(check(PROGRAM.replace("world.verdict", "world.verdicts")).status, 0);
});
