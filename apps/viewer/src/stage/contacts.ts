// The contacts of the frame shown: points, normals, forces and friction cones, coloured by what each contact does.
import { Color, Group, Vector3, type Box3 } from "three";
import { ContactTable, type Recording } from "../recording";
import { ContactKind, type Vec3 } from "../types";
import { Arrows } from "./arrows";
import type { Extent } from "./bounds";
import { Cones } from "./cones";
import type { Description } from "./description";
import { Dots } from "./dots";
import type { Motion } from "./motion";
import { Strokes } from "./strokes";
import type { Theme } from "./theme";

const LONGEST = 0.2; // of the scene's size: an arrow as long as the largest force
const RARE = 1.5; // times what is usual: a larger force is a rare blow, and does not set the scale
const CAP = 1.5; // arrows are no longer than this many times that, however large the force
const NORMAL = 0.045, CONE = 0.07; // of the scene's size
const DOT = 9, SMALL_DOT = 6, LARGE_DOT = 18; // [pixels]

const LABELS = 10; // numbers beside arrows, at most
const FAINT = 0.72; // how much of the background arrows have that are not of the body that is picked
const SAMPLES = 40; // frames that are looked at for how far arrows reach

/** A force as it is drawn: where its arrow ends, and how large it is [N, or N s if the step is not known]. */
export interface ForceLabel { tip: Vec3; size: number; isImpulse: boolean }

export interface ContactOptions {
  contacts: boolean; normals: boolean; forces: boolean; cones: boolean; forceScale: number; forceThreshold: number;
}

export class Contacts {
  readonly group = new Group();
  readonly dots = new Dots();
  /** Length of an arrow for a force of 1 N [m], at forceScale 1. */
  metresPerNewton = 0;
  /** The force that is as long as an arrow gets without being cut [N]. */
  largestForce = 0;
  private readonly table = new ContactTable();
  readonly normals = new Strokes(19, 1.4);
  private readonly arrows: Arrows;
  private readonly cones: Cones;
  private readonly size: number;
  private readonly areFree: boolean[];
  private readonly gravity: Vec3;
  private selected = -1; // the body that is picked
  private readonly tint = new Color();
  /** Of the forces on the body that is picked, or of the contact that is: the largest. */
  labels: ForceLabel[] = [];

  constructor(private readonly recording: Recording, private readonly description: Description, extent: Extent, framing: Recording) {
    const { size, usual } = extent;
    this.size = size;
    this.setScale(usualImpulse(framing));
    this.gravity = gravityOf(recording);
    this.areFree = description.bodies.map((body) => body.kind === "free");
    this.arrows = new Arrows(Math.min(0.0036 * size, 0.1 * usual));
    this.cones = new Cones(recording.isPlanar);
    this.group.add(this.cones.mesh, this.normals.object, this.arrows.object, this.dots.object);
  }

  /** An unknown step: impulses stand for forces. */
  private get perSecond(): number { return this.recording.dt > 0 ? 1 / this.recording.dt : 1; }

  private setScale(impulse: number): void {
    this.largestForce = impulse * this.perSecond;
    this.metresPerNewton = this.largestForce > 0 ? LONGEST * this.size / this.largestForce : 0;
  }

  /** Make a box large enough for the arrows of the whole recording. */
  extend(box: Box3, recording: Recording): void {
    const table = new ContactTable(), tip = new Vector3(), longest = CAP * LONGEST * this.size, perImpulse = this.perSecond * this.metresPerNewton;
    const stride = Math.max(1, Math.floor(recording.frames / SAMPLES)), scene = box.clone().expandByScalar(0.02 * this.size); // what has left it is not followed
    for (let frame = 0; frame < recording.frames; frame += stride) {
      recording.readContacts(frame, table);
      for (let i = 0; i < table.count; ++i) {
        const n = table.numbers, k = 10 * i, scale = perImpulse * this.sign(i, table);
        const isInside = scene.containsPoint(tip.set(n[k], n[k + 1], n[k + 2]));
        tip.set(n[k + 7], n[k + 8], n[k + 9]).multiplyScalar(scale).clampLength(0, longest);
        if (isInside) box.expandByPoint(tip.add({ x: n[k], y: n[k + 1], z: n[k + 2] } as Vector3));
      }
    }
  }

  /** Show a frame's contacts on the bodies as they are now. highlighted: index of one to be picked out, -1: none; selected: the body
   *  whose forces are shown. */
  show(frame: number, motion: Motion, options: ContactOptions, highlighted: number, selected: number, theme: Theme): void {
    this.labels = [];
    this.selected = selected;
    if (frame >= this.recording.frames) return;
    if (this.largestForce === 0) this.setScale(this.recording.largestImpulse(frame)); // of a motion that begins without contact
    const isAny = options.contacts || options.normals || options.forces || options.cones || highlighted >= 0;
    if (isAny) this.recording.readContacts(frame, this.table); else this.table.reserve(0);
    this.carryPoints(frame, motion);
    this.dots.object.visible = options.contacts || highlighted >= 0;
    this.normals.object.visible = options.normals;
    this.arrows.object.visible = options.forces;
    this.cones.mesh.visible = options.cones;
    if (this.dots.object.visible) this.showPoints(options, highlighted, theme);
    if (options.normals) this.showNormals(theme);
    if (options.forces) this.showForces(options, highlighted, theme);
    if (options.cones) this.showCones(theme);
  }

  drawnArrows(): ReturnType<Arrows["drawn"]> { return this.arrows.drawn(); }

  dispose(): void {
    this.dots.dispose();
    this.normals.dispose();
    this.arrows.dispose();
    this.cones.dispose();
  }

  /** Between frames bodies move on; a contact goes along with a, or with b where only b is free. */
  private carryPoints(frame: number, motion: Motion): void {
    const { a, b, numbers, count } = this.table;
    for (let i = 0; i < count; ++i) {
      const body = this.areFree[a[i]] ? a[i] : this.areFree[b[i]] ? b[i] : -1;
      if (body >= 0) motion.carry(frame, body, numbers, 10 * i);
    }
  }

  /** Forces are those on the body that is picked. Elsewhere they are those on what moves, and between two bodies that move on the one that
   *  is held up, so that the arrows of a tower stay within it; without weight, on body a, as they are recorded. */
  private sign(i: number, { a, b, numbers } = this.table): number {
    if (a[i] === this.selected || b[i] === this.selected) return a[i] === this.selected ? 1 : -1;
    if (this.areFree[a[i]] !== this.areFree[b[i]]) return this.areFree[a[i]] ? 1 : -1;
    const k = 10 * i + 7, [x, y, z] = this.gravity;
    return numbers[k] * x + numbers[k + 1] * y + numbers[k + 2] * z > 0 ? -1 : 1;
  }

  /** What does nothing first, so that what does something lies on top; the one picked out last. */
  private showPoints(options: ContactOptions, highlighted: number, theme: Theme): void {
    const { table, dots } = this, n = table.numbers;
    dots.begin(table.count + 1);
    for (let pass = 0; pass < 2 && options.contacts; ++pass) {
      for (let i = 0; i < table.count; ++i) {
        const isOff = table.kind[i] === ContactKind.Off;
        if (isOff !== (pass === 0)) continue;
        dots.add(n[10 * i], n[10 * i + 1], n[10 * i + 2], isOff ? SMALL_DOT : DOT, theme.kinds[table.kind[i]]);
      }
    }
    if (highlighted >= 0 && highlighted < table.count) {
      const i = 10 * highlighted;
      dots.add(n[i], n[i + 1], n[i + 2], LARGE_DOT, theme.highlight);
    }
    dots.end();
  }

  private showNormals(theme: Theme): void {
    const { table } = this, n = table.numbers, size = NORMAL * this.size;
    this.normals.begin(table.count);
    for (let i = 0; i < table.count; ++i) {
      const k = 10 * i, length = size * this.sign(i), color = table.kind[i] === ContactKind.Off ? theme.kinds[0] : theme.normal;
      this.normals.add(n[k], n[k + 1], n[k + 2], length * n[k + 3], length * n[k + 4], length * n[k + 5], color);
    }
    this.normals.end();
  }

  private showForces(options: ContactOptions, highlighted: number, theme: Theme): void {
    const { table, arrows } = this, n = table.numbers, longest = CAP * LONGEST * this.size * options.forceScale;
    const perImpulse = this.perSecond * this.metresPerNewton * options.forceScale;
    const least = Math.max(options.forceThreshold * LONGEST * this.size * options.forceScale, 1e-9 * this.size);
    arrows.begin(table.count);
    for (let i = 0; i < table.count; ++i) {
      const k = 10 * i, scale = perImpulse * this.sign(i), x = scale * n[k + 7], y = scale * n[k + 8], z = scale * n[k + 9];
      const length = Math.sqrt(x * x + y * y + z * z);
      if (length < least) continue;
      const cut = Math.min(1, longest / length), isNamed = i === highlighted || table.a[i] === this.selected || table.b[i] === this.selected;
      arrows.add(n[k], n[k + 1], n[k + 2], cut * x, cut * y, cut * z, this.colorOf(i, i === highlighted, isNamed, theme));
      if (isNamed) this.labels.push({ tip: [n[k] + cut * x, n[k + 1] + cut * y, n[k + 2] + cut * z], size: length / (perImpulse || 1) * this.perSecond,
                                      isImpulse: !(this.recording.dt > 0) });
    }
    this.labels.sort((f, g) => g.size - f.size).splice(LABELS);
    arrows.end();
  }

  /** While a body is picked, forces that are not on it are pale. */
  private colorOf(i: number, isHighlighted: boolean, isNamed: boolean, theme: Theme): Color {
    if (isHighlighted) return theme.highlight;
    const color = theme.kinds[this.table.kind[i]];
    return this.selected >= 0 && !isNamed ? this.tint.lerpColors(color, theme.background, FAINT) : color;
  }

  private showCones(theme: Theme): void {
    const { table, cones } = this, n = table.numbers;
    cones.begin(table.count);
    for (let i = 0; i < table.count; ++i) {
      if (table.kind[i] === ContactKind.Off) continue;
      const k = 10 * i, sign = this.sign(i), friction = this.description.pairFriction(table.a[i], table.b[i]);
      cones.add(n[k], n[k + 1], n[k + 2], sign * n[k + 3], sign * n[k + 4], sign * n[k + 5], CONE * this.size, friction, theme.cone);
    }
    cones.end();
  }
}

function gravityOf({ scene, isPlanar }: Recording): Vec3 {
  const [x = 0, y = 0, z = 0] = Array.isArray(scene?.gravity) ? scene.gravity.map(Number) : isPlanar ? [0, -9.81] : [0, 0, -9.81];
  return [x, y, z];
}

/** The largest impulse of the recording [N s]; if that is a rare blow, somewhat more than what is usual, so that other forces
 *  are still seen. */
function usualImpulse(recording: Recording): number {
  const largest: number[] = [];
  for (let i = 0; i < recording.frames; ++i) largest.push(recording.largestImpulse(i));
  largest.sort((a, b) => a - b);
  const most = largest[largest.length - 1] ?? 0, usual = largest[Math.floor(0.9 * (largest.length - 1))] ?? 0;
  return usual > 0 ? Math.min(most, RARE * usual) : most;
}
