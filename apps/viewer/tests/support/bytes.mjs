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

const figuresOf = (frame) => ({ ints: [0, 0, 1, 0, 0, 0, 0], reals: [0, 0, 0, 0, 0, 0, 0], ...frame.figures });

/** frames: {step, time, poses: [[7 numbers]], contacts: [{a, b, kind, numbers: [10]}], note: "", figures: {ints: [7], reals: [7]}}.
 *  `said` replaces what the header or a frame tells: {bodies, contacts, note, sceneSize}. */
export function writeRecording({ version = 2, isPlanar = false, bodies, dt = 0.01, every = 1, scene = "{}", frames = [], hasEnd = true, said = {} }) {
  const text = new Writer().text(scene).fill().bytes;
  const head = new Writer();
  head.bytes.push(0x89, 0x43, 0x52, 0x4E, 0x0D, 0x0A, 0x1A, 0x0A);
  head.u32(version, 0x01020304, isPlanar ? 1 : 0, said.bodies ?? bodies).f64(dt).u32(every, 0).u64(said.sceneSize ?? Buffer.byteLength(scene)).u64(0).u32(0);
  const seal = crc32(text, crc32(head.bytes));
  const parts = [head.bytes, new Writer().u32(seal).bytes, text];
  const put = (writer) => parts.push(writer.u32(crc32(writer.bytes, seal), 0).bytes);
  frames.forEach((frame, number) => {
    const { ints, reals } = figuresOf(frame), contacts = frame.contacts ?? [], note = frame.note ?? "";
    const writer = new Writer().text("FRME").u32(said.contacts ?? contacts.length).u64(frame.number ?? number).u64(frame.step ?? number).f64(frame.time ?? number * dt);
    writer.i32(...ints, said.note ?? (version >= 2 ? Buffer.byteLength(note) : 0)).f64(...reals, 0);
    for (const pose of frame.poses) writer.f64(...pose);
    for (const contact of contacts) writer.i32(contact.a, contact.b, contact.kind, 0).f64(...contact.numbers);
    put(writer.text(note).fill());
  });
  if (hasEnd) put(new Writer().text("ENDS").u32(0).u64(frames.length));
  return Uint8Array.from(parts.flat());
}

/** Header and frames of a whole recording, in the words of writeRecording. */
export function readRecording(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const version = view.getUint32(8, true), bodies = view.getUint32(20, true), sceneSize = Number(view.getBigUint64(40, true));
  const scene = Buffer.from(bytes.slice(64, 64 + sceneSize)).toString();
  const reals = (at, count) => Array.from({ length: count }, (_, i) => view.getFloat64(at + 8 * i, true));
  const ints = (at, count) => Array.from({ length: count }, (_, i) => view.getInt32(at + 4 * i, true));
  const frames = [];
  let at = 64 + Math.ceil(sceneSize / 8) * 8;
  while (Buffer.from(bytes.slice(at, at + 4)).toString() === "FRME") {
    const count = view.getUint32(at + 4, true), noteSize = version >= 2 ? view.getInt32(at + 60, true) : 0;
    const posesAt = at + 128, contactsAt = posesAt + 56 * bodies, noteAt = contactsAt + 96 * count;
    frames.push({
      step: Number(view.getBigInt64(at + 16, true)), time: view.getFloat64(at + 24, true),
      figures: { ints: ints(at + 32, 7), reals: reals(at + 64, 7) },
      poses: Array.from({ length: bodies }, (_, i) => reals(posesAt + 56 * i, 7)),
      contacts: Array.from({ length: count }, (_, i) => {
        const [a, b, kind] = ints(contactsAt + 96 * i, 3);
        return { a, b, kind, numbers: reals(contactsAt + 96 * i + 16, 10) };
      }),
      note: Buffer.from(bytes.slice(noteAt, noteAt + noteSize)).toString(),
    });
    at = noteAt + Math.ceil(noteSize / 8) * 8 + 8;
  }
  return { version, bodies, isPlanar: (view.getUint32(16, true) & 1) === 1, dt: view.getFloat64(24, true), every: view.getUint32(32, true), scene, frames };
}

/** A pose at x, turned about z by an angle. */
export function poseAt(x, angle = 0) { return [x, 0, 0, Math.cos(angle / 2), 0, 0, Math.sin(angle / 2)]; }
