// The recording out of the page's text.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { deflateSync } from "node:zlib";
import { importModule } from "./support/files.mjs";

const { decodeBase64, decodeRecordingElement, inflate } = await importModule("inflate");
const element = (textContent, encoding = "deflate-base64") => ({ textContent, dataset: { encoding } });

test("base64 of every length, with line ends", () => {
  for (let size = 0; size < 50; ++size) {
    const bytes = randomBytes(size), text = bytes.toString("base64");
    assert.deepEqual(Buffer.from(decodeBase64(text)), bytes);
    assert.deepEqual(Buffer.from(decodeBase64(`\n ${text.replace(/(.{7})/g, "$1\r\n")}\n`)), bytes);
  }
});

test("what was packed comes back", async () => {
  const bytes = Buffer.concat([randomBytes(100000), Buffer.alloc(300000, 7)]);
  const back = await decodeRecordingElement(element(deflateSync(bytes).toString("base64")));
  assert.deepEqual(Buffer.from(back), bytes);
});

test("a cut page gives what is there", async () => {
  const bytes = randomBytes(200000), packed = deflateSync(bytes), back = Buffer.from(await inflate(Uint8Array.from(packed.subarray(0, 120000))));
  assert.ok(back.length > 50000 && back.length < 120000);
  assert.deepEqual(back, bytes.subarray(0, back.length));
});

test("what cannot be read is told", async () => {
  await assert.rejects(decodeRecordingElement(element("", "brotli")), /"brotli", which it cannot read/);
  await assert.rejects(decodeRecordingElement(element("AAAAAAAA")), /damaged: it cannot be unpacked/);
});
