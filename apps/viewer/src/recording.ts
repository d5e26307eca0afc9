// A recording read from its bytes (docs/guide/recordings.md, versions 1 to 3). Numbers stay where they are: every part
// begins at a multiple of 8 bytes, so that arrays look at the bytes in place.
import { checksum } from "./checksum";
import type { Contact, Note, Vec3 } from "./types";

const HEADER = 64, HEAD = 64, POSE = 56, CONTACT = 96, TAIL = 8, END = 24;
const MAGIC = [0x89, 0x43, 0x52, 0x4E, 0x0D, 0x0A, 0x1A, 0x0A];
const MARK_FRAME = 0x454D5246, MARK_END = 0x53444E45;
const ORDER = 0x01020304, ORDER_SWAPPED = 0x04030201;
const NEWEST = 3, LISTED = 3; // versions: the newest, and the first that lists its figures
// Figures of a frame before there was a list: whole numbers, then numbers.
const OLD_COUNTS = ["contacts", "active", "outcome", "law", "pivots", "iterations", "relaxed"];
const OLD_REALS = ["certificate", "penetration", "penetration_mean", "joint_error", "kinetic", "potential", "seconds", "0"];
const MOST_BODIES = 1_000_000; // no page shows more; a header can say anything
const UNIT_SLACK = 1e-5; // pages hold rounded numbers

/** The contacts of one frame as arrays, which grow and are used again: for what draws. */
export class ContactTable {
  count = 0;
  a = new Int32Array(0);
  b = new Int32Array(0);
  kind = new Int32Array(0);
  /** point, normal, gap, impulse: 10 numbers a contact. */
  numbers = new Float64Array(0);

  reserve(count: number): void {
    if (count > this.a.length) {
      const room = Math.ceil(count * 1.25);
      this.a = new Int32Array(room);
      this.b = new Int32Array(room);
      this.kind = new Int32Array(room);
      this.numbers = new Float64Array(10 * room);
    }
    this.count = count;
  }
}

/** The bytes seen as words and as numbers; bytes that fill no word at the end are left out. */
interface Views { words: Int32Array; reals: Float64Array; size: number }

/** Where a figure stands in its frame, and the names of its values if they have some. */
interface Place { at: number; isWhole: boolean; words: string[] }

/** What frames hold beside poses and contacts. */
interface Layout { figures: Map<string, Place>; head: number /* bytes before the poses */ }

interface Header extends Layout {
  version: number; bodies: number; dt: number; every: number; isPlanar: boolean;
  sum: number; // the checksum that those of frames continue
  scene: any; sceneWarning: string;
  end: number; // where frames begin
}

/** Where the whole frames are, and why there are no more. */
interface Index { offsets: number[]; warning: string }

export class Recording {
  readonly bodies: number;
  dt: number; // of a step [s]; may change while a simulation runs
  readonly every: number;
  readonly isPlanar: boolean;
  readonly scene: any;
  readonly bodyNames: string[];
  readonly warning: string;
  private offsets: number[];
  private allTimes: Float64Array; // room for more than there are
  private readonly header: Header;
  private contactsKept: { frame: number; list: Contact[] } = { frame: -1, list: [] };
  private noteKept: { frame: number; note: Note | null } = { frame: -1, note: null };

  constructor(readonly name: string, private views: Views, header: Header, index: Index) {
    this.header = header;
    this.bodies = header.bodies;
    this.dt = header.dt;
    this.every = header.every;
    this.isPlanar = header.isPlanar;
    this.scene = header.scene;
    this.bodyNames = namesOfBodies(header.scene, header.bodies);
    this.offsets = index.offsets;
    this.allTimes = Float64Array.from(index.offsets, (offset) => views.reals[(offset + 24) / 8]);
    this.warning = [header.sceneWarning, index.warning].filter((sentence) => sentence !== "").join(" ");
  }

  get frames(): number { return this.offsets.length; }
  get times(): Float64Array { return this.allTimes.subarray(0, this.frames); }
  get bytes(): number { return this.views.size; }

  /** More whole frames, from a source that makes no mistakes. */
  append(bytes: Uint8Array): void {
    this.views = grown(this.views, bytes);
    const last = this.offsets[this.frames - 1];
    let at = this.frames > 0 ? last + frameSize(this.views, this.header, last) : this.header.end;
    for (; at < this.views.size; at += frameSize(this.views, this.header, at)) this.addFrame(at);
  }

  /** Forget all frames before one, or, with `frame` as many as there are, all of them. */
  dropBefore(frame: number): void {
    const { end } = this.header, from = frame < this.frames ? this.offsets[frame] : this.views.size, old = this.views;
    const kept = new Uint8Array(old.words.buffer, from, old.size - from).slice();
    this.views = { ...old, size: end };
    this.offsets = [];
    this.contactsKept.frame = this.noteKept.frame = -1;
    this.append(kept);
  }

  private addFrame(at: number): void {
    if (this.frames === this.allTimes.length) {
      const more = new Float64Array(2 * this.frames + 64);
      more.set(this.allTimes);
      this.allTimes = more;
    }
    this.allTimes[this.frames] = this.views.reals[(at + 24) / 8];
    this.offsets.push(at);
  }

  /** Number of the step that the frame shows. */
  steps(frame: number): number {
    return whole64(this.views.words, (this.at(frame) + 16) / 4);
  }

  /** x y z  w x y z */
  pose(frame: number, body: number, out: Float64Array): void {
    const first = (this.at(frame) + this.header.head + POSE * body) / 8;
    for (let k = 0; k < 7; ++k) out[k] = this.views.reals[first + k];
  }

  /** All numbers of the file, and where the poses of a frame begin among them, 7 a body: for what draws. */
  get reals(): Float64Array { return this.views.reals; }
  posesAt(frame: number): number { return (this.at(frame) + this.header.head) / 8; }

  /** Names of all figures and measures of a frame. */
  get figureNames(): string[] { return [...this.header.figures.keys()]; }

  /** The frame shown at a time, the last that is not later, and how far it is from there to the next, 0 .. 1. */
  momentAt(time: number): { frame: number; share: number } {
    const { times } = this;
    let low = 0, high = times.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (times[middle] <= time) low = middle; else high = middle;
    }
    const width = low + 1 < times.length ? times[low + 1] - times[low] : 0;
    return { frame: low, share: width > 0 ? Math.min(1, Math.max(0, (time - times[low]) / width)) : 0 };
  }

  /** Do frames hold the figure of this name ("contacts", "ledger.friction")? */
  has(name: string): boolean { return this.header.figures.has(name); }

  /** A figure of the step that led to a frame; NaN: frames do not hold it. */
  figure(frame: number, name: string): number {
    const place = this.header.figures.get(name);
    if (!place) return NaN;
    const at = this.at(frame) + place.at;
    return place.isWhole ? this.views.words[at / 4] : this.views.reals[at / 8];
  }

  /** Names of a figure's values, by number; empty: they have none. */
  words(name: string): string[] { return this.header.figures.get(name)?.words ?? []; }

  contactCount(frame: number): number {
    return this.views.words[this.at(frame) / 4 + 1];
  }

  /** The contacts of a frame; the same list until another frame is asked for. */
  contacts(frame: number): Contact[] {
    if (this.contactsKept.frame !== frame) {
      const table = new ContactTable();
      this.readContacts(frame, table);
      const list: Contact[] = [];
      for (let i = 0; i < table.count; ++i) list.push(contactOf(table, i));
      this.contactsKept = { frame, list };
    }
    return this.contactsKept.list;
  }

  /** The contacts of a frame, without making anything anew. */
  readContacts(frame: number, table: ContactTable): void {
    const count = this.contactCount(frame);
    const { words, reals } = this.views;
    table.reserve(count);
    let w = this.contactsAt(frame) / 4;
    for (let i = 0; i < count; ++i, w += CONTACT / 4) {
      table.a[i] = words[w];
      table.b[i] = words[w + 1];
      table.kind[i] = words[w + 2];
      const r = w / 2 + 2;
      for (let k = 0; k < 10; ++k) table.numbers[10 * i + k] = reals[r + k];
    }
  }

  /** Length of the largest impulse of a frame [N s]. */
  largestImpulse(frame: number): number {
    let largest = 0;
    let r = this.contactsAt(frame) / 8 + 9;
    for (let i = this.contactCount(frame); i > 0; --i, r += CONTACT / 8) {
      const [x, y, z] = [this.views.reals[r], this.views.reals[r + 1], this.views.reals[r + 2]];
      largest = Math.max(largest, x * x + y * y + z * z);
    }
    return Math.sqrt(largest);
  }

  /** How the frame's problem was solved; null: the frame does not tell. */
  note(frame: number): Note | null {
    if (this.noteKept.frame !== frame) this.noteKept = { frame, note: this.readNote(frame) };
    return this.noteKept.note;
  }

  private readNote(frame: number): Note | null {
    const size = this.header.version >= 2 ? this.views.words[this.at(frame) / 4 + 15] : 0;
    if (size === 0) return null;
    const first = this.contactsAt(frame) + CONTACT * this.contactCount(frame);
    const parsed = parseJson(textOf(this.views, first, size));
    return isObject(parsed) ? parsed as Note : null;
  }

  private at(frame: number): number {
    if (!(frame >= 0 && frame < this.frames)) throw new RangeError(`There is no frame ${frame} of ${this.frames}.`);
    return this.offsets[frame];
  }

  private contactsAt(frame: number): number { return this.at(frame) + this.header.head + POSE * this.bodies; }
}

/** Read a recording; what is not whole at its end is left out, with a warning. Throws an Error that says why if nothing
 *  can be read. */
export function parseRecording(bytes: ArrayBuffer, name: string, isGrowing = false): Recording {
  const views: Views = {
    words: new Int32Array(bytes, 0, bytes.byteLength >> 2),
    reals: new Float64Array(bytes, 0, bytes.byteLength >> 3),
    size: bytes.byteLength,
  };
  const header = readHeader(views, name);
  const index = findFrames(views, header);
  return new Recording(name, views, header, isGrowing ? { ...index, warning: "" } : index); // one that grows has no end
}

/** The views with bytes added at the end; into a buffer twice as large when there is no room. */
function grown(views: Views, bytes: Uint8Array): Views {
  const size = views.size + bytes.length;
  let { buffer } = views.words;
  if (size > buffer.byteLength) {
    buffer = new ArrayBuffer(8 * Math.ceil(size / 4));
    new Uint8Array(buffer).set(new Uint8Array(views.words.buffer, 0, views.size));
  }
  new Uint8Array(buffer).set(bytes, views.size);
  return { words: new Int32Array(buffer, 0, buffer.byteLength >> 2), reals: new Float64Array(buffer, 0, buffer.byteLength >> 3), size };
}

/** The frames of a whole recording: what follows its header. */
export function withoutHeader(bytes: Uint8Array): Uint8Array {
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, HEADER / 4);
  return bytes.subarray(HEADER + filledUp(words[10] >>> 0) + filledUp(words[12] >>> 0));
}

// --- Header ---

function readHeader(views: Views, name: string): Header {
  checkKind(views, name);
  const { words, reals } = views;
  const flags = words[4], bodies = words[5] >>> 0, dt = reals[3], every = words[8], sceneSize = words[10] >>> 0;
  const version = words[2], listSize = version >= LISTED ? words[12] >>> 0 : 0;
  const fault = flags & ~1 ? "its flags are unknown"
    : !(Number.isFinite(dt) && dt >= 0) ? "it has no time step"
    : every < 1 ? "it has no frames by steps"
    : words[11] !== 0 ? "its scene is too long"
    : version >= LISTED && words[13] !== 0 ? "its list of figures is too long" : "";
  if (fault) throw new Error(`${name}: the header is damaged: ${fault}.`);
  if (bodies > MOST_BODIES) throw new Error(`${name}: ${bodies} bodies are more than a page can show.`);
  const list = HEADER + filledUp(sceneSize), end = list + filledUp(listSize);
  if (end > views.size) throw new Error(`${name}: the recording is cut off within its scene.`);
  const sum = checksum(words, HEADER / 4, end / 4, checksum(words, 0, 15));
  if (sum !== words[15] >>> 0) throw new Error(`${name}: the header is damaged: its checksum is wrong.`);
  return { version, bodies, dt, every, isPlanar: (flags & 1) !== 0, sum, end, ...readScene(views, sceneSize),
           ...(version >= LISTED ? listedLayout(textOf(views, list, listSize)) : oldLayout()) };
}

/** Each line: the name of a figure, then those of its values. */
function listedLayout(list: string): Layout {
  const figures = new Map<string, Place>();
  const lines = list.split("\n").slice(0, -1);
  lines.forEach((line, i) => {
    const [name, ...words] = line.split(" ");
    figures.set(name, { at: HEAD + 8 * i, isWhole: false, words });
  });
  return { figures, head: HEAD + 8 * lines.length };
}

function oldLayout(): Layout {
  const figures = new Map<string, Place>();
  OLD_COUNTS.forEach((name, i) => figures.set(name, { at: 32 + 4 * i, isWhole: true, words: [] }));
  OLD_REALS.forEach((name, i) => figures.set(name, { at: HEAD + 8 * i, isWhole: false, words: [] }));
  return { figures, head: HEAD + 8 * OLD_REALS.length };
}

function checkKind(views: Views, name: string): void {
  if (views.size === 0) throw new Error(`${name}: the file is empty.`);
  const start = new Uint8Array(views.words.buffer, 0, Math.min(views.size, MAGIC.length));
  if (start.some((byte, i) => byte !== MAGIC[i])) throw new Error(`${name}: this is not a recording of Cairn.`);
  if (views.size < HEADER) throw new Error(`${name}: the recording is cut off within its header.`);
  const [version, order] = [views.words[2] >>> 0, views.words[3]];
  if (order === ORDER_SWAPPED) throw new Error(`${name}: its numbers are big-endian; recordings are little-endian.`);
  if (order !== ORDER) throw new Error(`${name}: the header is damaged: there is no byte order mark.`);
  if (version < 1 || version > NEWEST) {
    throw new Error(`${name}: a recording of version ${version}; this page reads versions 1 to ${NEWEST}.`);
  }
}

function readScene(views: Views, size: number): { scene: any; sceneWarning: string } {
  if (size === 0) return { scene: {}, sceneWarning: "" };
  const scene = parseJson(textOf(views, HEADER, size));
  return isObject(scene) ? { scene, sceneWarning: "" }
    : { scene: {}, sceneWarning: "The scene of this recording cannot be read: bodies are shown without their shapes." };
}

function namesOfBodies(scene: any, bodies: number): string[] {
  const list = Array.isArray(scene.bodies) ? scene.bodies : [];
  const names: string[] = [];
  for (let i = 0; i < bodies; ++i) {
    const name = list[i]?.name;
    names.push(typeof name === "string" && name !== "" ? name : `body ${i}`);
  }
  return names;
}

// --- Frames ---

function findFrames(views: Views, header: Header): Index {
  const offsets: number[] = [];
  let at = header.end;
  for (;;) {
    if (views.size - at < 8) return { offsets, warning: cut(offsets.length, views.size === at ? "no end mark" : "its last bytes are missing") };
    const mark = views.words[at / 4];
    if (mark === MARK_END) return { offsets, warning: readEnd(views, header, at, offsets.length) };
    if (mark !== MARK_FRAME) return { offsets, warning: damaged(offsets.length, "there is no mark") };
    const size = frameSize(views, header, at);
    if (size > views.size - at) return { offsets, warning: cut(offsets.length, `frame ${offsets.length} is cut off`) };
    const fault = size < 0 ? "a length is negative" : frameFault(views, header, at, size, offsets.length);
    if (fault) return { offsets, warning: damaged(offsets.length, fault) };
    offsets.push(at);
    at += size;
  }
}

/** Bytes of the frame at `at`, -1: it cannot be; Infinity: the file ends before it tells. */
function frameSize(views: Views, header: Header, at: number): number {
  if (views.size - at < header.head) return Infinity;
  const contacts = views.words[at / 4 + 1], note = header.version >= 2 ? views.words[at / 4 + 15] : 0;
  if (contacts < 0 || note < 0) return -1;
  return header.head + POSE * header.bodies + CONTACT * contacts + filledUp(note) + TAIL;
}

function tailIsGood(views: Views, at: number, size: number, sum: number): boolean {
  const tail = (at + size - TAIL) / 4;
  return views.words[tail] >>> 0 === checksum(views.words, at / 4, tail, sum) && views.words[tail + 1] === 0;
}

/** What is wrong with a frame of which all bytes are there; "": nothing. */
function frameFault(views: Views, header: Header, at: number, size: number, number: number): string {
  const { words, reals } = views;
  if (!tailIsGood(views, at, size, header.sum)) return "its checksum is wrong";
  if (whole64(words, (at + 8) / 4) !== number) return "it is not the next one";
  if (!Number.isFinite(reals[(at + 24) / 8])) return "its time is not finite";
  let r = (at + header.head) / 8;
  for (let i = 0; i < header.bodies; ++i, r += POSE / 8) {
    if (!areFinite(reals, r, 3)) return `the position of body ${i} is not finite`;
    if (!isUnit(reals, r + 3, 4)) return `the rotation of body ${i} is none`;
  }
  for (let i = words[at / 4 + 1]; i > 0; --i, r += CONTACT / 8) {
    const a = words[2 * r], b = words[2 * r + 1], kind = words[2 * r + 2];
    if (a < -1 || a >= header.bodies || b < -1 || b >= header.bodies) return "a contact has no such body";
    if (kind < 0 || kind > 4) return "a contact is of no known kind";
    if (!areFinite(reals, r + 2, 10) || !isUnit(reals, r + 5, 3)) return "a contact is not finite";
  }
  return "";
}

function readEnd(views: Views, header: Header, at: number, frames: number): string {
  const left = views.size - at;
  if (left < END) return cut(frames, "its end mark is cut off");
  if (!tailIsGood(views, at, END, header.sum) || whole64(views.words, (at + 8) / 4) !== frames) {
    return damaged(frames, "the end mark is wrong");
  }
  return left > END ? damaged(frames, `${left - END} bytes follow the end mark`) : "";
}

// --- Sentences ---

function cut(frames: number, why: string): string {
  return `This recording is cut (${why}): the program that wrote it, or the disk, stopped before its end; ${shown(frames)}.`;
}

function damaged(frames: number, why: string): string {
  return `This recording is damaged at frame ${frames} (${why}): ${shown(frames)}.`;
}

function shown(frames: number): string {
  return frames === 0 ? "no frame of it is whole" : frames === 1 ? "1 whole frame is shown" : `${frames} whole frames are shown`;
}

// --- Numbers and text ---

function filledUp(size: number): number { return Math.ceil(size / 8) * 8; }

function whole64(words: Int32Array, at: number): number { return words[at + 1] * 4294967296 + (words[at] >>> 0); }

function areFinite(reals: Float64Array, first: number, count: number): boolean {
  for (let i = first; i < first + count; ++i) if (!Number.isFinite(reals[i])) return false;
  return true;
}

function isUnit(reals: Float64Array, first: number, count: number): boolean {
  let squared = 0;
  for (let i = first; i < first + count; ++i) squared += reals[i] * reals[i];
  return Math.abs(squared - 1) <= UNIT_SLACK;
}

function textOf(views: Views, first: number, size: number): string {
  return new TextDecoder().decode(new Uint8Array(views.words.buffer, first, size));
}

/** undefined: not JSON. */
function parseJson(text: string): unknown {
  try { return JSON.parse(text); } catch { return undefined; }
}

function isObject(value: unknown): boolean { return typeof value === "object" && value !== null && !Array.isArray(value); }

function contactOf(table: ContactTable, i: number): Contact {
  const numbers = table.numbers, first = 10 * i;
  const vector = (k: number): Vec3 => [numbers[first + k], numbers[first + k + 1], numbers[first + k + 2]];
  return {
    a: table.a[i], b: table.b[i], kind: table.kind[i],
    point: vector(0), normal: vector(3), gap: numbers[first + 6], impulse: vector(7),
  };
}
