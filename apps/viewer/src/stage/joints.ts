// Joints: the joint's frame on each of its two bodies, x red, y green, z blue; a line where they are held at a distance.
import type { Joint } from "./description";
import { Strokes } from "./strokes";
import type { Theme } from "./theme";

export class Joints {
  readonly strokes = new Strokes(16, 1.6);
  private readonly locals: Float64Array; // position and columns of frame_a, then of frame_b: 24 numbers a joint
  private readonly world = new Float64Array(24);

  constructor(private readonly joints: Joint[], private readonly length: number) {
    this.locals = new Float64Array(24 * joints.length);
    joints.forEach((joint, i) => [joint.frameA, joint.frameB].forEach((frame, side) => {
      for (let column = 0; column < 4; ++column) {
        for (let row = 0; row < 3; ++row) this.locals[24 * i + 12 * side + 3 * column + row] = frame.elements[4 * column + row];
      }
    }));
  }

  /** frames: 12 numbers a body */
  place(frames: Float64Array, theme: Theme): void {
    const { strokes, world } = this;
    strokes.begin(7 * this.joints.length);
    this.joints.forEach((joint, i) => {
      transform(frames, joint.a, this.locals, 24 * i, world, 0);
      transform(frames, joint.b, this.locals, 24 * i + 12, world, 12);
      if (joint.kind === "distance") {
        strokes.add(world[9], world[10], world[11], world[21] - world[9], world[22] - world[10], world[23] - world[11], theme.link);
      }
      for (let side = 0; side < 24; side += 12) {
        const length = this.length * (side === 0 ? 1 : 0.6); // b's axes are the shorter ones
        for (let k = 0; k < 3; ++k) {
          const at = side + 3 * k;
          strokes.add(world[side + 9], world[side + 10], world[side + 11], length * world[at], length * world[at + 1], length * world[at + 2],
                      theme.axes[k]);
        }
      }
    });
    strokes.end();
  }

  dispose(): void { this.strokes.dispose(); }
}

/** A frame of a body, -1: of the world, in the world. */
function transform(frames: Float64Array, body: number, local: Float64Array, from: number, out: Float64Array, to: number): void {
  if (body < 0) {
    for (let k = 0; k < 12; ++k) out[to + k] = local[from + k];
    return;
  }
  const at = 12 * body;
  for (let column = 0; column < 4; ++column) {
    const x = local[from + 3 * column], y = local[from + 3 * column + 1], z = local[from + 3 * column + 2];
    for (let row = 0; row < 3; ++row) {
      out[to + 3 * column + row] = frames[at + row] * x + frames[at + 3 + row] * y + frames[at + 6 + row] * z
        + (column === 3 ? frames[at + 9 + row] : 0);
    }
  }
}
