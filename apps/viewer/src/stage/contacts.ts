// The contacts of the frame shown: points, normals, forces and friction cones, coloured by what each contact does.
import { Group } from "three";
import { ContactTable, type Recording } from "../recording";
import { ContactKind } from "../types";
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

  constructor(private readonly recording: Recording, private readonly description: Description, extent: Extent, framing: Recording) {
    const { size, usual } = extent;
    this.size = size;
    this.setScale(usualImpulse(framing));
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

  /** Show a frame's contacts on the bodies as they are now. highlighted: index of one to be picked out, -1: none. */
  show(frame: number, motion: Motion, options: ContactOptions, highlighted: number, theme: Theme): void {
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

  /** Forces are shown on body a, as they are recorded; on b where only b is free, so that they are those on what moves. */
  private sign(i: number): number {
    const { a, b } = this.table;
    return !this.areFree[a[i]] && this.areFree[b[i]] ? -1 : 1;
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
      const cut = Math.min(1, longest / length);
      arrows.add(n[k], n[k + 1], n[k + 2], cut * x, cut * y, cut * z, i === highlighted ? theme.highlight : theme.kinds[table.kind[i]]);
    }
    arrows.end();
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

/** The largest impulse of the recording [N s]; if that is a rare blow, somewhat more than what is usual, so that other forces
 *  are still seen. */
function usualImpulse(recording: Recording): number {
  const largest: number[] = [];
  for (let i = 0; i < recording.frames; ++i) largest.push(recording.largestImpulse(i));
  largest.sort((a, b) => a - b);
  const most = largest[largest.length - 1] ?? 0, usual = largest[Math.floor(0.9 * (largest.length - 1))] ?? 0;
  return usual > 0 ? Math.min(most, RARE * usual) : most;
}
