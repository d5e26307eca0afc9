// What can be plotted beside the figures of the step: bodies, joints, actuators, probes, and pairs of bodies that touch. Each is a
// group of things with the quantities that a recording holds of them.
import type { Recording } from "../recording";
import type { Contact } from "../types";
import { bodyName } from "./words";

/** A number of every frame of any recording; NaN where there is none. */
export type Track = (recording: Recording) => (frame: number) => number;

export interface Quantity { id: string; label: string; unit: string; curves: [label: string, track: Track][] }

/** Something that has quantities: a body, a joint, ... */
export interface Thing { id: string; name: string; quantities(): Quantity[] }

export interface Group { id: string; label: string; things: Thing[] }

const AXES = ["x", "y", "z"];
const PAIRS_MOST = 400, FRAMES_LOOKED_AT = 400;

/** A measure by the name of sim_measure.h; NaN in recordings that do not have it. */
const measure = (name: string): Track => (recording) => (frame) => recording.figure(frame, `measure.${name}`);

// --- Bodies ---

const poseOf = (body: number, k: number): Track => (recording) => {
  const pose = new Float64Array(7);
  return (frame) => {
    if (body >= recording.bodies) return NaN;
    recording.pose(frame, body, pose);
    return pose[k];
  };
};

/** The difference from the frame before, over time; `change` of two poses. */
const rateOf = (body: number, change: (before: Float64Array, now: Float64Array) => number): Track => (recording) => {
  const before = new Float64Array(7), now = new Float64Array(7);
  return (frame) => {
    const dt = frame > 0 ? recording.times[frame] - recording.times[frame - 1] : 0;
    if (!(dt > 0) || body >= recording.bodies) return NaN;
    recording.pose(frame - 1, body, before);
    recording.pose(frame, body, now);
    return change(before, now) / dt;
  };
};

/** Angle between the rotations of two poses [rad]. */
export function turnOf(a: Float64Array, b: Float64Array): number {
  const dot = a[3] * b[3] + a[4] * b[4] + a[5] * b[5] + a[6] * b[6];
  // By the sine of half the angle: the arc cosine loses small turns.
  const sine = Math.hypot(a[3] * b[4] - a[4] * b[3] - a[5] * b[6] + a[6] * b[5], a[3] * b[5] + a[4] * b[6] - a[5] * b[3] - a[6] * b[4],
                          a[3] * b[6] - a[4] * b[5] + a[5] * b[4] - a[6] * b[3]);
  return 2 * Math.atan2(sine, Math.abs(dot));
}

/** A sum over the contacts of a frame, as a force where the step is known. */
const overContacts = (sum: (contacts: Contact[]) => number): Track => (recording) => (frame) =>
  recording.steps(frame) === 0 ? NaN : sum(recording.contacts(frame)) / (recording.dt > 0 ? recording.dt : 1);

const forceOn = (body: number, k: number): Track => overContacts((contacts) => contacts.reduce((sum, { a, b, impulse }) =>
  sum + (a === body ? impulse[k] : 0) - (b === body ? impulse[k] : 0), 0));

function bodyQuantities(body: number, axes: string[]): Quantity[] {
  const xyz = (track: (k: number) => Track): [string, Track][] => axes.map((axis, k) => [axis, track(k)]);
  const way = (a: Float64Array, b: Float64Array) => Math.hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
  return [{ id: "position", label: "position", unit: "m", curves: xyz((k) => poseOf(body, k)) },
          { id: "velocity", label: "velocity", unit: "m/s", curves: xyz((k) => rateOf(body, (a, b) => b[k] - a[k])) },
          { id: "speed", label: "speed", unit: "m/s", curves: [["speed", rateOf(body, way)]] },
          { id: "turning", label: "turning", unit: "rad/s", curves: [["turning", rateOf(body, turnOf)]] },
          { id: "force", label: "contact force on it", unit: "N", curves: xyz((k) => forceOn(body, k)) }];
}

// --- Pairs that touch ---

function pairQuantities(a: number, b: number): Quantity[] {
  const isPair = (c: Contact) => (c.a === a && c.b === b) || (c.a === b && c.b === a);
  const along = ({ impulse: [x, y, z], normal: [nx, ny, nz] }: Contact) => x * nx + y * ny + z * nz;
  const across = (c: Contact) => Math.hypot(...c.impulse.map((x, k) => x - along(c) * c.normal[k]));
  const sum = (part: (c: Contact) => number): Track => overContacts((contacts) => contacts.reduce((s, c) => s + (isPair(c) ? part(c) : 0), 0));
  const gap: Track = (recording) => (frame) => recording.contacts(frame).reduce((least, c) => isPair(c) && !(c.gap >= least) ? c.gap : least, NaN);
  return [{ id: "force", label: "normal force and friction", unit: "N", curves: [["normal", sum(along)], ["friction", sum(across)]] },
          { id: "gap", label: "smallest gap", unit: "m", curves: [["gap", gap]] }];
}

/** Pairs that touch in some frame, in the order in which they do. */
function pairsOf(recording: Recording): [number, number][] {
  const found = new Map<string, [number, number]>(), stride = Math.max(1, Math.floor(recording.frames / FRAMES_LOOKED_AT));
  for (let frame = 0; frame < recording.frames && found.size < PAIRS_MOST; frame += stride) {
    for (const { a, b } of recording.contacts(frame)) found.set(`${Math.min(a, b)} ${Math.max(a, b)}`, [Math.min(a, b), Math.max(a, b)]);
  }
  return [...found.values()];
}

// --- Joints, actuators, probes: what the program measured ---

const METRES = ["slider", "distance"];

/** Names of measures that begin with a word, as "joint.3.": their ends. */
function partsOf(recording: Recording, prefix: string): string[] {
  return recording.figureNames.filter((name) => name.startsWith(`measure.${prefix}`)).map((name) => name.slice(`measure.${prefix}`.length));
}

function jointQuantities(recording: Recording, j: number, joint: any): Quantity[] {
  const isLong = METRES.includes(joint?.kind), parts = partsOf(recording, `joint.${j}.`);
  const unit = isLong ? "m" : joint?.kind === "hinge" || joint?.kind === "universal" ? "rad" : "1";
  const label = (k: number) => parts.length > 1 ? `q${k}` : isLong ? "position" : "angle";
  const list = (what: string): [string, Track][] => parts.map((_, k) => [label(k), measure(`${what}.${j}.${k}`)]);
  if (parts.length === 0) return [];
  return [{ id: "coordinate", label: isLong ? "position" : "angle", unit, curves: list("joint") },
          { id: "speed", label: "speed", unit: unit === "1" ? "1" : `${unit}/s`, curves: list("joint_speed") }];
}

function actuatorQuantities(i: number): Quantity[] {
  return [{ id: "force", label: "force", unit: "1", curves: [["force", measure(`actuator.${i}`)]] },
          { id: "control", label: "control", unit: "1", curves: [["control", measure(`control.${i}`)]] }];
}

const PROBE_UNITS: Record<string, string> = {
  position: "m", velocity: "m/s", angular: "rad/s", contact_force: "N", site_position: "m", site_velocity: "m/s", site_angular: "rad/s",
  velocimeter: "m/s", gyro: "rad/s", range: "m", force: "N", torque: "N m", accelerometer: "m/s²", subtree_centre: "m", subtree_velocity: "m/s", touch: "N" };

function probeQuantities(recording: Recording, i: number, probe: any): Quantity[] {
  const parts = partsOf(recording, `probe.${i}.`), labels = parts.length === 4 ? ["w", "x", "y", "z"] : parts.length === 3 ? AXES : parts.map((k) => `q${k}`);
  const kind = String(probe?.kind ?? "probe");
  return parts.length === 0 ? [] : [{ id: "value", label: kind.replaceAll("_", " "), unit: PROBE_UNITS[kind] ?? "1",
    curves: parts.map((_, k) => [parts.length === 1 ? kind : labels[k], measure(`probe.${i}.${k}`)]) }];
}

function listOf(value: unknown): any[] { return Array.isArray(value) ? value : []; }

function named(list: any[], word: string, quantities: (i: number, item: any) => Quantity[]): Thing[] {
  return list.map((item, i) => ({ id: String(i), name: typeof item?.name === "string" && item.name !== "" ? item.name : `${word} ${i}`, quantities: () => quantities(i, item) }))
    .filter((thing) => thing.quantities().length > 0);
}

/** All that a recording tells of the things in its scene; groups without things are left out. */
export function catalogOf(recording: Recording): Group[] {
  const { scene } = recording, axes = recording.isPlanar ? AXES.slice(0, 2) : AXES;
  const bodies = Array.from({ length: recording.bodies }, (_, i): Thing => ({ id: String(i), name: bodyName(recording, i), quantities: () => bodyQuantities(i, axes) }));
  const pairs = pairsOf(recording).map(([a, b]): Thing =>
    ({ id: `${a}.${b}`, name: `${bodyName(recording, a)} – ${bodyName(recording, b)}`, quantities: () => pairQuantities(a, b) }));
  const hasMeasures = recording.figureNames.some((name) => name.startsWith("measure."));
  const things = (list: any[], word: string, quantities: (i: number, item: any) => Quantity[]) => hasMeasures ? named(list, word, quantities) : [];
  return [
    { id: "body", label: "Body", things: bodies },
    { id: "joint", label: "Joint", things: things(listOf(scene.joints), "joint", (j, joint) => jointQuantities(recording, j, joint)) },
    { id: "actuator", label: "Actuator", things: things(listOf(scene.actuators), "actuator", (i) => recording.has(`measure.actuator.${i}`) ? actuatorQuantities(i) : []) },
    { id: "probe", label: "Probe", things: things(listOf(scene.measure), "probe", (i, probe) => probeQuantities(recording, i, probe)) },
    { id: "contact", label: "Contact", things: pairs },
  ].filter((group) => group.things.length > 0);
}

/** A quantity by its address, "joint-3-speed"; null: there is none. */
export function findQuantity(groups: Group[], address: string): { thing: Thing; quantity: Quantity } | null {
  const [group, id, name] = address.split("-"), thing = groups.find((g) => g.id === group)?.things.find((t) => t.id === id);
  const quantity = thing?.quantities().find((q) => q.id === name);
  return thing && quantity ? { thing, quantity } : null;
}
