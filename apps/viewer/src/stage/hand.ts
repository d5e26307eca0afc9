// The hand that drags bodies of a live page: which point of which body it holds, where it wants it, and the spring between.
import { Color, Plane, Raycaster, Vector3, type Camera } from "three";
import type { Vec3 } from "../types";
import { Strokes } from "./strokes";

/** What the hand does to the simulation. */
export interface Grip {
  grab(body: number, point: Vec3): boolean; // false: it cannot be held
  pull(point: Vec3): void;
  letGo(): void;
}

const COILS = 9;
const WIDTH = 0.06; // of the spring, in its lengths
const COLOR = new Color("#e8590c");

export class Hand {
  readonly strokes = new Strokes(9, 2.2);
  private body = -1;
  private readonly local = new Vector3(); // the grip in the body's frame
  private readonly grip = new Vector3();
  private readonly target = new Vector3();
  private readonly plane = new Plane(); // in which the target moves

  constructor(private readonly hold: Grip) { this.strokes.object.visible = false; }

  get isHolding(): boolean { return this.body >= 0; }

  /** Ends of the spring; null: nothing is held. */
  get ends(): { grip: Vec3; target: Vec3 } | null {
    return this.body < 0 ? null : { grip: this.grip.toArray() as Vec3, target: this.target.toArray() as Vec3 };
  }

  /** Take hold of a body at a point; frames: those of Motion. */
  begin(body: number, point: Vector3, frames: Float64Array, camera: Camera, isPlanar: boolean): boolean {
    if (isPlanar) point.z = 0;
    if (!this.hold.grab(body, point.toArray() as Vec3)) return false;
    this.body = body;
    this.target.copy(point);
    const k = 12 * body, dx = point.x - frames[k + 9], dy = point.y - frames[k + 10], dz = point.z - frames[k + 11];
    this.local.set(frames[k] * dx + frames[k + 1] * dy + frames[k + 2] * dz, frames[k + 3] * dx + frames[k + 4] * dy + frames[k + 5] * dz,
                   frames[k + 6] * dx + frames[k + 7] * dy + frames[k + 8] * dz);
    const normal = isPlanar ? new Vector3(0, 0, 1) : camera.getWorldDirection(new Vector3());
    this.plane.setFromNormalAndCoplanarPoint(normal, point);
    this.strokes.object.visible = true;
    return true;
  }

  /** Pull where a ray through the pointer meets the plane. */
  move(ray: Raycaster): void {
    if (!ray.ray.intersectPlane(this.plane, this.target)) return;
    this.hold.pull(this.target.toArray() as Vec3);
  }

  end(): void {
    this.body = -1;
    this.strokes.object.visible = false;
    this.hold.letGo();
  }

  /** Draw the spring: a zigzag across the view from the grip to the target. */
  show(frames: Float64Array, camera: Camera): void {
    if (this.body < 0) return;
    const k = 12 * this.body, { x, y, z } = this.local;
    this.grip.set(frames[k] * x + frames[k + 3] * y + frames[k + 6] * z + frames[k + 9],
                  frames[k + 1] * x + frames[k + 4] * y + frames[k + 7] * z + frames[k + 10],
                  frames[k + 2] * x + frames[k + 5] * y + frames[k + 8] * z + frames[k + 11]);
    const along = this.target.clone().sub(this.grip), length = along.length();
    const aside = along.clone().cross(camera.getWorldDirection(new Vector3())).normalize().multiplyScalar(WIDTH * length);
    const points = [this.grip.clone()];
    for (let i = 1; i < 2 * COILS; ++i) {
      const share = i / (2 * COILS), sign = i === 1 || i === 2 * COILS - 1 ? 0 : i % 2 === 0 ? 1 : -1;
      points.push(this.grip.clone().addScaledVector(along, share).addScaledVector(aside, sign));
    }
    points.push(this.target.clone());
    this.strokes.begin(points.length - 1);
    for (let i = 0; i + 1 < points.length; ++i) {
      const a = points[i], b = points[i + 1];
      this.strokes.add(a.x, a.y, a.z, b.x - a.x, b.y - a.y, b.z - a.z, COLOR);
    }
    this.strokes.end();
  }

  dispose(): void { this.strokes.dispose(); }
}
