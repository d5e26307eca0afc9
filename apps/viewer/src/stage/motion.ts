// Where bodies are at a moment between two frames.
import { Matrix4 } from "three";
import type { Player } from "../player";
import type { Recording } from "../recording";

/** Interpolated poses, 7 numbers a body, and what follows from them: 12 numbers a body, columns x, y, z and the origin. */
export class Motion {
  readonly poses: Float64Array;
  readonly frames: Float64Array;
  private readonly then = new Float64Array(12); // of one body at a frame

  constructor(private readonly recording: Recording) {
    this.poses = new Float64Array(7 * recording.bodies);
    this.frames = new Float64Array(12 * recording.bodies);
    for (let i = 0; i < recording.bodies; ++i) this.poses[7 * i + 3] = 1;
    this.placeAll();
  }

  /** Go to the player's moment. */
  moveTo(player: Player): void {
    if (this.recording.frames > 0) this.moveBetween(player.frame, player.fraction);
  }

  /** Go a share of the way from a frame to the next. */
  moveBetween(frame: number, share: number): void {
    const { recording } = this;
    const from = recording.posesAt(frame), to = share > 0 ? recording.posesAt(frame + 1) : from;
    for (let i = 0; i < this.poses.length; i += 7) mix(recording.reals, from + i, to + i, share, this.poses, i);
    this.placeAll();
  }

  /** Go to a frame. */
  moveToFrame(frame: number): void {
    const first = this.recording.posesAt(frame);
    for (let i = 0; i < this.poses.length; ++i) this.poses[i] = this.recording.reals[first + i];
    this.placeAll();
  }

  /** Let a point, three numbers at a place of a list, go along with a body from a frame to the present moment. */
  carry(frame: number, body: number, points: Float64Array, at: number): void {
    const { then, frames: now } = this, k = 12 * body;
    place(this.recording.reals, this.recording.posesAt(frame) + 7 * body, then, 0);
    const dx = points[at] - then[9], dy = points[at + 1] - then[10], dz = points[at + 2] - then[11];
    const x = then[0] * dx + then[1] * dy + then[2] * dz, y = then[3] * dx + then[4] * dy + then[5] * dz;
    const z = then[6] * dx + then[7] * dy + then[8] * dz;
    for (let i = 0; i < 3; ++i) points[at + i] = now[k + i] * x + now[k + 3 + i] * y + now[k + 6 + i] * z + now[k + 9 + i];
  }

  matrixOf(body: number): Matrix4 {
    const f = this.frames, k = 12 * body;
    return new Matrix4().set(f[k], f[k + 3], f[k + 6], f[k + 9], f[k + 1], f[k + 4], f[k + 7], f[k + 10],
                             f[k + 2], f[k + 5], f[k + 8], f[k + 11], 0, 0, 0, 1);
  }

  private placeAll(): void {
    for (let i = 0; i < this.recording.bodies; ++i) place(this.poses, 7 * i, this.frames, 12 * i);
  }
}

/** The pose a share of the way from one to another. */
function mix(reals: Float64Array, from: number, to: number, share: number, out: Float64Array, at: number): void {
  for (let k = 0; k < 3; ++k) out[at + k] = reals[from + k] + share * (reals[to + k] - reals[from + k]);
  turn(reals, from + 3, to + 3, share, out, at + 3);
}

/** Along the shorter arc between two rotations: q and -q are the same one. */
function turn(reals: Float64Array, from: number, to: number, share: number, out: Float64Array, at: number): void {
  let cosine = 0;
  for (let k = 0; k < 4; ++k) cosine += reals[from + k] * reals[to + k];
  const sign = cosine < 0 ? -1 : 1, angle = Math.acos(Math.min(1, Math.abs(cosine)));
  let first = 1 - share, second = share;
  if (angle > 1e-4) {
    const sine = Math.sin(angle);
    first = Math.sin(first * angle) / sine;
    second = Math.sin(second * angle) / sine;
  }
  for (let k = 0; k < 4; ++k) out[at + k] = first * reals[from + k] + sign * second * reals[to + k];
}

/** Columns of the rotation and the origin. */
function place(pose: Float64Array, at: number, out: Float64Array, to: number): void {
  let w = pose[at + 3], x = pose[at + 4], y = pose[at + 5], z = pose[at + 6];
  const size = Math.sqrt(w * w + x * x + y * y + z * z);
  w /= size; x /= size; y /= size; z /= size;
  out[to] = 1 - 2 * (y * y + z * z); out[to + 1] = 2 * (x * y + w * z); out[to + 2] = 2 * (x * z - w * y);
  out[to + 3] = 2 * (x * y - w * z); out[to + 4] = 1 - 2 * (x * x + z * z); out[to + 5] = 2 * (y * z + w * x);
  out[to + 6] = 2 * (x * z + w * y); out[to + 7] = 2 * (y * z - w * x); out[to + 8] = 1 - 2 * (x * x + y * y);
  out[to + 9] = pose[at]; out[to + 10] = pose[at + 1]; out[to + 11] = pose[at + 2];
}
