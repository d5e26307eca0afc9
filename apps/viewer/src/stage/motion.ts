// Where bodies are at a moment between two frames.
import type { Player } from "../player";
import type { Recording } from "../recording";

/** Interpolated poses, 7 numbers a body, and what follows from them: 12 numbers a body, columns x, y, z and the origin. */
export class Motion {
  readonly poses: Float64Array;
  readonly frames: Float64Array;

  constructor(private readonly recording: Recording) {
    this.poses = new Float64Array(7 * recording.bodies);
    this.frames = new Float64Array(12 * recording.bodies);
    for (let i = 0; i < recording.bodies; ++i) this.poses[7 * i + 3] = 1;
    this.placeAll();
  }

  /** Go to the player's moment. */
  moveTo(player: Player): void {
    if (this.recording.frames === 0) return;
    const frame = player.frame, share = player.fraction;
    const from = this.recording.poses(frame);
    if (share > 0) mix(from, this.recording.poses(frame + 1), share, this.poses);
    else this.poses.set(from);
    this.placeAll();
  }

  /** Go to a frame. */
  moveToFrame(frame: number): void {
    this.poses.set(this.recording.poses(frame));
    this.placeAll();
  }

  private placeAll(): void {
    for (let i = 0; i < this.recording.bodies; ++i) place(this.poses, 7 * i, this.frames, 12 * i);
  }
}

function mix(from: Float64Array, to: Float64Array, share: number, out: Float64Array): void {
  for (let i = 0; i < out.length; i += 7) {
    for (let k = 0; k < 3; ++k) out[i + k] = from[i + k] + share * (to[i + k] - from[i + k]);
    turn(from, to, i + 3, share, out);
  }
}

/** Along the shorter arc between two rotations: q and -q are the same one. */
function turn(from: Float64Array, to: Float64Array, at: number, share: number, out: Float64Array): void {
  let cosine = 0;
  for (let k = at; k < at + 4; ++k) cosine += from[k] * to[k];
  const sign = cosine < 0 ? -1 : 1, angle = Math.acos(Math.min(1, Math.abs(cosine)));
  let first = 1 - share, second = share;
  if (angle > 1e-4) {
    const sine = Math.sin(angle);
    first = Math.sin(first * angle) / sine;
    second = Math.sin(second * angle) / sine;
  }
  for (let k = at; k < at + 4; ++k) out[k] = first * from[k] + sign * second * to[k];
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
