// Recordings as bytes, written and read by the tables of docs/guide/recordings.md and by nothing of the viewer.

/** CRC-32, bit by bit. */
export function crc32(bytes, before = 0) {
  let sum = ~before;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; ++bit) sum = sum & 1 ? (sum >>> 1) ^ 0xEDB88320 : sum >>> 1;
  }
  return ~sum >>> 0;
}

/** Numbers one after the other. */
class Writer {
  bytes = [];
  #put(size, set) {
    const view = new DataView(new ArrayBuffer(size));
    set(view);
    this.bytes.push(...new Uint8Array(view.buffer));
    return this;
  }
  u32(...values) { for (const v of values) this.#put(4, (view) => view.setUint32(0, v, true)); return this; }
  i32(...values) { for (const v of values) this.#put(4, (view) => view.setInt32(0, v, true)); return this; }
  u64(v) { return this.#put(8, (view) => view.setBigUint64(0, BigInt(v), true)); }
  f64(...values) { for (const v of values) this.#put(8, (view) => view.setFloat64(0, v, true)); return this; }
  text(text) { this.bytes.push(...Buffer.from(text)); return this; }
  fill() { while (this.bytes.length % 8) this.bytes.push(0); return this; }
}

/** Figures of frames as versions 1 and 2 have them: whole numbers, then numbers. */
const OLD_COUNTS = ["contacts", "active", "outcome", "law", "pivots", "iterations", "relaxed"];
const OLD_REALS = ["certificate", "penetration", "penetration_mean", "joint_error", "kinetic", "potential", "seconds", "0"];

/** What version 3 says of its figures: a line for each, with the names of its values. */
export const LIST = ["verdict certified problem law overlap joints energy momentum", "failed", "amount", "allowed",
  ...OLD_COUNTS, ...OLD_REALS.slice(0, -1),
  ...["loads", "motors", "driven", "friction", "impact", "damping", "projection", "repair", "integration", "unexplained", "scale",
      "momentum.x", "momentum.y", "momentum.z", "angular_momentum.x", "angular_momentum.y", "angular_momentum.z",
      "momentum_scale", "angular_scale", "gained"].map((name) => `ledger.${name}`)];
const nameOf = (line) => line.split(" ")[0];

/** frames: {step, time, poses: [[7 numbers]], contacts: [{a, b, kind, numbers: [10]}], note: "", figures: {name: number}}.
 *  `said` replaces what the header or a frame tells: {bodies, contacts, note, sceneSize}. */
export function writeRecording({ version = 3, isPlanar = false, bodies, dt = 0.01, every = 1, scene = "{}", list = LIST, frames = [], hasEnd = true, said = {} }) {
  const lines = version >= 3 ? list.map((line) => line + "\n").join("") : "";
  const text = [...new Writer().text(scene).fill().bytes, ...new Writer().text(lines).fill().bytes];
  const head = new Writer();
  head.bytes.push(0x89, 0x43, 0x52, 0x4E, 0x0D, 0x0A, 0x1A, 0x0A);
  head.u32(version, 0x01020304, isPlanar ? 1 : 0, said.bodies ?? bodies).f64(dt).u32(every, 0).u64(said.sceneSize ?? Buffer.byteLength(scene)).u64(lines.length).u32(0);
  const seal = crc32(text, crc32(head.bytes));
  const parts = [head.bytes, new Writer().u32(seal).bytes, text];
  const put = (writer) => parts.push(writer.u32(crc32(writer.bytes, seal), 0).bytes);
  frames.forEach((frame, number) => {
    const contacts = frame.contacts ?? [], note = frame.note ?? "", value = (name) => ({ outcome: 1, ...frame.figures })[name] ?? 0;
    const writer = new Writer().text("FRME").u32(said.contacts ?? contacts.length).u64(frame.number ?? number).u64(frame.step ?? number).f64(frame.time ?? number * dt);
    writer.i32(...OLD_COUNTS.map((name) => version >= 3 ? 0 : value(name)), said.note ?? (version >= 2 ? Buffer.byteLength(note) : 0));
    writer.f64(...(version >= 3 ? list.map(nameOf) : OLD_REALS).map(value));
    for (const pose of frame.poses) writer.f64(...pose);
    for (const contact of contacts) writer.i32(contact.a, contact.b, contact.kind, 0).f64(...contact.numbers);
    put(writer.text(note).fill());
  });
  if (hasEnd) put(new Writer().text("ENDS").u32(0).u64(frames.length));
  return Uint8Array.from(parts.flat());
}

/** Header and frames of a recording, in the words of writeRecording, as far as frames are whole; of each, where it is. */
export function readRecording(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), padded = (size) => 8 * Math.ceil(size / 8);
  const version = view.getUint32(8, true), bodies = view.getUint32(20, true), sceneSize = Number(view.getBigUint64(40, true));
  const textAt = (at, size) => Buffer.from(bytes.slice(at, at + size)).toString();
  const listSize = version >= 3 ? Number(view.getBigUint64(48, true)) : 0;
  const list = textAt(64 + padded(sceneSize), listSize).split("\n").slice(0, -1);
  const reals = (at, count) => Array.from({ length: count }, (_, i) => view.getFloat64(at + 8 * i, true));
  const ints = (at, count) => Array.from({ length: count }, (_, i) => view.getInt32(at + 4 * i, true));
  const slots = version >= 3 ? list.map(nameOf) : OLD_REALS, named = (names, values) => names.map((name, i) => [name, values[i]]);
  const frames = [];
  let at = 64 + padded(sceneSize) + padded(listSize);
  while (textAt(at, 4) === "FRME") {
    const count = view.getUint32(at + 4, true), noteSize = version >= 2 ? view.getInt32(at + 60, true) : 0;
    const posesAt = at + 64 + 8 * slots.length, contactsAt = posesAt + 56 * bodies, noteAt = contactsAt + 96 * count;
    const end = noteAt + padded(noteSize) + 8;
    if (end > bytes.length) break;
    frames.push({
      at, size: end - at, step: Number(view.getBigInt64(at + 16, true)), time: view.getFloat64(at + 24, true),
      figures: Object.fromEntries([...(version >= 3 ? [] : named(OLD_COUNTS, ints(at + 32, 7))), ...named(slots, reals(at + 64, slots.length))]),
      poses: Array.from({ length: bodies }, (_, i) => reals(posesAt + 56 * i, 7)),
      contacts: Array.from({ length: count }, (_, i) => {
        const [a, b, kind] = ints(contactsAt + 96 * i, 3);
        return { a, b, kind, numbers: reals(contactsAt + 96 * i + 16, 10) };
      }),
      note: textAt(noteAt, noteSize),
    });
    at = end;
  }
  return { version, bodies, isPlanar: (view.getUint32(16, true) & 1) === 1, dt: view.getFloat64(24, true), every: view.getUint32(32, true),
           scene: textAt(64, sceneSize), list, frames };
}

/** A pose at x, turned about z by an angle. */
export function poseAt(x, angle = 0) { return [x, 0, 0, Math.cos(angle / 2), 0, 0, Math.sin(angle / 2)]; }
