// Recordings as bytes, read and written by docs/guide/recordings.md alone: what the page shows is held against this.
import { crc32 } from "../support/bytes.mjs";

const padded = (size) => 8 * Math.ceil(size / 8);

/** Step, time, figures and contacts of every whole frame. */
export function readFrames(bytes) {
  const bodies = bytes.readUInt32LE(20), frames = [];
  let at = 64 + padded(Number(bytes.readBigUInt64LE(40)));
  while (bytes.toString("latin1", at, at + 4) === "FRME") {
    const contacts = bytes.readUInt32LE(at + 4);
    const note = bytes.readUInt32LE(8) >= 2 ? padded(bytes.readInt32LE(at + 60)) : 0;
    const size = 128 + 56 * bodies + 96 * contacts + note + 8;
    if (at + size > bytes.length) break;
    const int = (k) => bytes.readInt32LE(at + 32 + 4 * k), real = (k) => bytes.readDoubleLE(at + 64 + 8 * k);
    const poses = at + 128;
    frames.push({ at, size, step: Number(bytes.readBigInt64LE(at + 16)), time: bytes.readDoubleLE(at + 24), contacts: int(0), active: int(1), outcome: int(2),
                  pivots: int(4), iterations: int(5), certificate: real(0), penetration: real(1), mean: real(2), kinetic: real(4), potential: real(5), seconds: real(6),
                  position: (body) => [0, 1, 2].map((i) => bytes.readDoubleLE(poses + 56 * body + 8 * i)) });
    at += size;
  }
  return frames;
}

/** A recording of version 2. scene: an object; frames: { time, step, figures, poses, contacts, note }. */
export function writeRecording(scene, frames, { dt = 0.01, every = 1, version = 2, isPlanar = false } = {}) {
  const text = Buffer.from(JSON.stringify(scene)), bodies = frames[0].poses.length;
  const header = Buffer.alloc(64 + padded(text.length));
  Buffer.from("8943524e0d0a1a0a", "hex").copy(header);
  [version, 0x01020304, isPlanar ? 1 : 0, bodies].forEach((value, i) => header.writeUInt32LE(value, 8 + 4 * i));
  header.writeDoubleLE(dt, 24);
  header.writeUInt32LE(every, 32);
  header.writeBigUInt64LE(BigInt(text.length), 40);
  text.copy(header, 64);
  const sum = crc32(header.subarray(64), crc32(header.subarray(0, 60)));
  header.writeUInt32LE(sum, 60);
  return Buffer.concat([header, ...frames.map((frame, i) => writeFrame(frame, i, sum)), writeEnd(frames.length, sum)]);
}

function writeFrame({ time, step, figures = {}, poses, contacts = [], note = null }, index, sum) {
  const noteBytes = note ? Buffer.from(JSON.stringify(note)) : Buffer.alloc(0);
  const bytes = Buffer.alloc(128 + 56 * poses.length + 96 * contacts.length + padded(noteBytes.length) + 8);
  bytes.write("FRME", 0, "latin1");
  bytes.writeUInt32LE(contacts.length, 4);
  bytes.writeBigUInt64LE(BigInt(index), 8);
  bytes.writeBigInt64LE(BigInt(step), 16);
  bytes.writeDoubleLE(time, 24);
  const f = { contacts: contacts.length, active: contacts.length, outcome: 1, law: 0, pivots: 0, iterations: 0, isRelaxed: 0, certificate: 0, penetration: 0, mean: 0,
              jointError: 0, kinetic: 0, potential: 0, seconds: 0, ...figures };
  [f.contacts, f.active, f.outcome, f.law, f.pivots, f.iterations, f.isRelaxed, noteBytes.length].forEach((value, i) => bytes.writeInt32LE(value, 32 + 4 * i));
  [f.certificate, f.penetration, f.mean, f.jointError, f.kinetic, f.potential, f.seconds, 0].forEach((value, i) => bytes.writeDoubleLE(value, 64 + 8 * i));
  let at = 128;
  for (const pose of poses) for (const value of pose) at = bytes.writeDoubleLE(value, at);
  for (const { a, b, kind, point, normal, gap = 0, impulse } of contacts) {
    for (const value of [a, b, kind, 0]) at = bytes.writeInt32LE(value, at);
    for (const value of [...point, ...normal, gap, ...impulse]) at = bytes.writeDoubleLE(value, at);
  }
  noteBytes.copy(bytes, at);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, bytes.length - 8), sum), bytes.length - 8);
  return bytes;
}

function writeEnd(frames, sum) {
  const bytes = Buffer.alloc(24);
  bytes.write("ENDS", 0, "latin1");
  bytes.writeBigUInt64LE(BigInt(frames), 8);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 16), sum), 16);
  return bytes;
}
