// Bytes to Recording: against an independent reading, and with bytes that are missing, changed or invented.
import assert from "node:assert/strict";
import { test } from "node:test";
import { crc32, poseAt, readRecording, writeRecording } from "./support/bytes.mjs";
import { importModule, record } from "./support/files.mjs";

const { parseRecording } = await importModule("recording");
const { checksum } = await importModule("checksum");

const bufferOf = (bytes) => Uint8Array.from(bytes).buffer;
const parse = (bytes) => parseRecording(bufferOf(bytes), "test.crn");

const contact = { a: 1, b: -1, kind: 4, numbers: [1, 2, 3, 0, 0.6, 0.8, -1e-3, 4, 5, 6] };
const small = {
  bodies: 2, dt: 0.02, every: 3, scene: '{"bodies": [{"name": "floor"}, {}]}',
  frames: [0, 1, 2, 3].map((i) => ({
    step: 3 * i, poses: [poseAt(0), poseAt(i, 0.1 * i)], contacts: Array(i).fill(contact),
    note: i === 2 ? '{"contact": [0], "rows": 5}' : "", figures: {
      contacts: i, active: 1, outcome: 1, pivots: 7, iterations: 8, relaxed: 1, certificate: 1e-9, penetration: 2, penetration_mean: 3, joint_error: 4,
      kinetic: 5, potential: 6, seconds: 7, verdict: i, failed: i && 2 ** i, amount: 0.25 * i, allowed: 1e-3, "ledger.friction": -i, "ledger.gained": 1e-12 },
  })),
};

/** The recording says the same as the independent reading. */
function assertSame(recording, truth) {
  const pose = new Float64Array(7);
  assert.equal(recording.frames, truth.frames.length);
  assert.equal(recording.bodies, truth.bodies);
  assert.equal(recording.dt, truth.dt);
  assert.equal(recording.every, truth.every);
  assert.equal(recording.isPlanar, truth.isPlanar);
  truth.frames.forEach((frame, i) => {
    assert.equal(recording.times[i], frame.time);
    assert.equal(recording.steps(i), frame.step);
    frame.poses.forEach((expected, body) => {
      recording.pose(i, body, pose);
      assert.deepEqual([...pose], expected);
    });
    const flat = recording.contacts(i).map((c) => ({ a: c.a, b: c.b, kind: c.kind, numbers: [...c.point, ...c.normal, c.gap, ...c.impulse] }));
    assert.deepEqual(flat, frame.contacts);
    for (const [name, value] of Object.entries(frame.figures)) assert.equal(recording.figure(i, name), value, name);
  });
}

test("the checksum is CRC-32", () => {
  assert.equal(crc32(Buffer.from("123456789")), 0xCBF43926); // the check value of the standard
  for (const size of [0, 1, 2, 7, 64, 1001]) {
    const bytes = Uint8Array.from({ length: 4 * size }, (_, i) => (i * 7919) >> 3 & 255);
    assert.equal(checksum(new Int32Array(bytes.buffer), 0, size), crc32(bytes));
    assert.equal(checksum(new Int32Array(bytes.buffer), size >> 1, size, checksum(new Int32Array(bytes.buffer), 0, size >> 1)), crc32(bytes));
  }
});

test("recordings of the program read as their bytes say", () => {
  for (const name of ["box-on-floor", "rolling-ellipse", "four-bar"]) {
    const bytes = record(`gallery:${name}`, { time: 0.5 }), recording = parse(bytes);
    assert.equal(recording.warning, "");
    assertSame(recording, readRecording(bytes));
    assert.deepEqual(recording.scene, JSON.parse(readRecording(bytes).scene));
  }
});

test("versions 1 to 3, names and notes", () => {
  for (const version of [1, 2, 3]) {
    const bytes = writeRecording({ ...small, version, frames: small.frames.map((f) => ({ ...f, note: version >= 2 ? f.note : "" })) });
    const recording = parse(bytes);
    assert.equal(recording.warning, "");
    assertSame(recording, readRecording(bytes));
    assert.deepEqual(recording.bodyNames, ["floor", "body 1"]);
    assert.deepEqual([0, 1, 2, 3].map((i) => recording.note(i)), [null, null, version >= 2 ? { contact: [0], rows: 5 } : null, null]);
    assert.equal(recording.largestImpulse(0), 0);
    assert.equal(recording.largestImpulse(2), Math.hypot(4, 5, 6));
  }
});

test("figures by name: verdict and ledger where there are some, with the words of their values", () => {
  const recording = parse(writeRecording(small)), old = parse(writeRecording({ ...small, version: 2 }));
  assert.deepEqual(recording.words("verdict"), ["certified", "problem", "law", "overlap", "joints", "energy", "momentum"]);
  assert.deepEqual([0, 1, 2, 3].map((i) => recording.figure(i, "verdict")), [0, 1, 2, 3]);
  assert.deepEqual([0, 1, 2, 3].map((i) => recording.figure(i, "ledger.friction")), [-0, -1, -2, -3]);
  assert.deepEqual(recording.words("pivots"), []);
  assert.equal(old.has("verdict"), false);
  assert.ok(Number.isNaN(old.figure(1, "verdict")));
  assert.equal(old.figure(1, "pivots"), 7);
  // Figures that nobody knows are passed over.
  const other = parse(writeRecording({ ...small, list: ["later.figure a b c", "kinetic"] }));
  assert.equal(other.warning, "");
  assert.equal(other.figure(2, "kinetic"), 5);
  const made = readRecording(record("gallery:box-on-floor", { time: 0.1 }));
  assert.ok(["verdict", "ledger.unexplained", "ledger.gained"].every((name) => name in made.frames[1].figures));
});

test("notes of every length up to 20 bytes leave the next frame where it is", () => {
  for (let size = 2; size <= 20; ++size) {
    const note = `{${" ".repeat(size - 2)}}`;
    const recording = parse(writeRecording({ ...small, frames: small.frames.map((f) => ({ ...f, note })) }));
    assert.equal(recording.frames, 4);
    assert.deepEqual(recording.note(1), {});
  }
  const broken = parse(writeRecording({ ...small, frames: [{ ...small.frames[0], note: "no json" }] }));
  assert.equal(broken.note(0), null);
});

test("cut anywhere: the whole frames are there, with a sentence that says so", () => {
  const whole = writeRecording(small), sizes = [0, 1, 2, 3].map((k) => writeRecording({ ...small, frames: small.frames.slice(0, k + 1), hasEnd: false }).length);
  const headerSize = writeRecording({ ...small, frames: [], hasEnd: false }).length;
  for (let size = 0; size < whole.length; ++size) {
    const bytes = whole.slice(0, size);
    if (size < headerSize) {
      assert.throws(() => parse(bytes), (error) => error instanceof Error && /empty|cut off within its (header|scene)/.test(error.message), `${size} bytes`);
      continue;
    }
    const recording = parse(bytes);
    assert.equal(recording.frames, sizes.filter((end) => end <= size).length, `${size} bytes`);
    assert.match(recording.warning, /^This recording is cut \(.*\.$/);
  }
});

test("any changed bit is found", () => {
  const whole = writeRecording(small), headerSize = writeRecording({ ...small, frames: [], hasEnd: false }).length;
  const ends = [0, 1, 2, 3].map((k) => writeRecording({ ...small, frames: small.frames.slice(0, k + 1), hasEnd: false }).length);
  for (let at = 0; at < whole.length; ++at) {
    const bytes = Uint8Array.from(whole);
    bytes[at] ^= 1 << at % 8;
    if (at < headerSize) {
      assert.throws(() => parse(bytes), (error) => error instanceof Error && error.message.startsWith("test.crn: "), `byte ${at}`);
      continue;
    }
    const recording = parse(bytes);
    assert.equal(recording.frames, ends.filter((end) => end <= at).length, `byte ${at}`);
    assert.match(recording.warning, /^This recording is (damaged|cut) /, `byte ${at}`);
  }
});

test("what is no recording is told", () => {
  const says = (bytes, pattern) => assert.throws(() => parse(bytes), (error) => error instanceof Error && pattern.test(error.message));
  says([], /empty/);
  says(Buffer.from("x,y\n1,2\n"), /not a recording/);
  says(Buffer.from("{\"name\": \"a scene\"}".repeat(100)), /not a recording/);
  says(writeRecording({ ...small, version: 9 }), /version 9.*versions 1 to 3/);
  says(writeRecording({ ...small, version: 0 }), /version 0/);
  const swapped = writeRecording(small);
  swapped.set([1, 2, 3, 4], 12);
  says(swapped, /big-endian/);
});

test("frames in the wrong order, or followed by more, end the recording", () => {
  const frames = small.frames.map((frame, i) => ({ ...frame, number: i === 2 ? 3 : i }));
  const recording = parse(writeRecording({ ...small, frames }));
  assert.equal(recording.frames, 2);
  assert.match(recording.warning, /damaged at frame 2 \(it is not the next one\)/);
  const longer = parse([...writeRecording(small), ...Array(16).fill(7)]);
  assert.equal(longer.frames, 4);
  assert.match(longer.warning, /16 bytes follow/);
});

test("numbers that no writer accepts are not believed, though the checksum is right", () => {
  const bad = (change) => {
    const frames = JSON.parse(JSON.stringify(small.frames)); // contacts are no longer shared
    change(frames[2]);
    const recording = parse(writeRecording({ ...small, frames }));
    assert.equal(recording.frames, 2);
    assert.match(recording.warning, /damaged at frame 2/);
  };
  bad((f) => { f.poses[1][0] = NaN; });
  bad((f) => { f.poses[1][3] = 2; });
  bad((f) => { f.contacts[0].a = 2; });
  bad((f) => { f.contacts[0].kind = 5; });
  bad((f) => { f.contacts[0].numbers[9] = Infinity; });
  bad((f) => { f.time = Infinity; });
});

test("sizes that cannot be are answered at once", () => {
  const start = process.cpuUsage();
  const first = { ...small, frames: small.frames.slice(0, 1) };
  assert.throws(() => parse(writeRecording({ ...first, said: { bodies: 0xFFFFFFFF } })), /more than a page can show/);
  assert.throws(() => parse(writeRecording({ ...first, said: { sceneSize: 2n ** 62n } })), /scene/);
  assert.throws(() => parse(writeRecording({ ...first, said: { sceneSize: 0xFFFFFFF0 } })), /cut off within its scene/);
  for (const said of [{ bodies: 900000 }, { contacts: 0x7FFFFFFF }, { contacts: 0xFFFFFFFF }, { note: 0x7FFFFFFF }, { note: -1 }]) {
    const recording = parse(writeRecording({ ...first, said }));
    assert.equal(recording.frames, 0);
    assert.match(recording.warning, /cut|damaged/);
  }
  assert.ok(process.cpuUsage(start).user < 2e6);
});

test("a scene that is no JSON leaves the motion", () => {
  for (const scene of ["", "{", "[1]", "null", "[".repeat(100000)]) {
    const recording = parse(writeRecording({ ...small, scene }));
    assert.equal(recording.frames, 4);
    assert.deepEqual(recording.bodyNames, ["body 0", "body 1"]);
    if (scene !== "") assert.match(recording.warning, /scene of this recording cannot be read/);
  }
});

test("20 MB are read in less than a second", () => {
  const one = writeRecording({ ...small, bodies: 200, frames: [{ poses: Array(200).fill(poseAt(1)), contacts: Array(400).fill(contact) }], hasEnd: false });
  const header = writeRecording({ ...small, bodies: 200, frames: [], hasEnd: false }).length, size = one.length - header, count = Math.ceil(20e6 / size);
  const bytes = new Uint8Array(header + count * size);
  bytes.set(one.slice(0, header));
  const seal = new DataView(one.buffer).getUint32(60, true), words = new Int32Array(bytes.buffer);
  for (let i = 0; i < count; ++i) {
    const at = header + i * size;
    bytes.set(one.slice(header), at);
    words[at / 4 + 2] = i;
    words[(at + size) / 4 - 2] = checksum(words, at / 4, (at + size) / 4 - 2, seal);
  }
  const start = process.cpuUsage(), recording = parseRecording(bytes.buffer, "large.crn"), used = process.cpuUsage(start).user / 1e6;
  assert.equal(recording.frames, count);
  assert.ok(used < 1, `${used} s`);
  console.log(`# ${(bytes.length / 1e6).toFixed(1)} MB in ${used.toFixed(3)} s`);
});
