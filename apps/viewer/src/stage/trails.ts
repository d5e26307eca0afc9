// Where bodies have been. All paths are written once, frame after frame, and a range of them is drawn.
import { BufferAttribute, BufferGeometry, Color, LineBasicMaterial, LineSegments } from "three";
import type { Recording } from "../recording";
import { colorOf } from "./bodies";
import type { Body } from "./description";
import { Strokes } from "./strokes";
import type { Theme } from "./theme";

const MOST_LINES = 120000;
const LASTING = 20000; // lines drawn at once; of many bodies only the last part of the paths is seen

export class Trails {
  readonly object: LineSegments<BufferGeometry, LineBasicMaterial>;
  readonly head = new Strokes(15, 0.8); // from the last point that is written to where the body is
  private readonly moving: number[];
  private readonly stride: number; // frames from one point to the next
  private readonly points: number; // of each path

  constructor(private readonly recording: Recording, private readonly bodies: Body[]) {
    this.moving = movingBodies(recording, bodies);
    this.stride = Math.max(1, Math.ceil(recording.frames * this.moving.length / MOST_LINES));
    this.points = Math.ceil(recording.frames / this.stride);
    this.object = new LineSegments(this.write(), new LineBasicMaterial({ vertexColors: true, transparent: true, opacity: 0.8, depthWrite: false }));
    this.object.frustumCulled = false;
    this.object.renderOrder = 14;
  }

  paint(theme: Theme): void {
    const colors = this.object.geometry.getAttribute("color"), color = new Color();
    this.object.material.opacity = theme.trailStrength;
    this.moving.forEach((body, k) => {
      colorOf(this.bodies[body].kind, body, theme, color);
      for (let i = 2 * k; i < colors.count; i += 2 * this.moving.length) {
        colors.setXYZ(i, color.r, color.g, color.b);
        colors.setXYZ(i + 1, color.r, color.g, color.b);
      }
    });
    colors.needsUpdate = true;
  }

  /** Show the paths up to a frame; frames: 12 numbers a body, where they are now. */
  show(frame: number, frames: Float64Array): void {
    const last = Math.floor(frame / this.stride), count = this.moving.length;
    const first = Math.max(0, last - Math.floor(LASTING / Math.max(1, count)));
    this.object.geometry.setDrawRange(2 * count * first, 2 * count * (last - first));
    this.showHead(last, frames);
  }

  dispose(): void {
    this.object.geometry.dispose();
    this.object.material.dispose();
    this.head.dispose();
  }

  private readonly tint = new Color();

  private showHead(last: number, frames: Float64Array): void {
    const poses = this.recording.frames > 0 ? this.recording.poses(last * this.stride) : frames;
    const colors = this.object.geometry.getAttribute("color");
    this.head.begin(this.moving.length);
    this.moving.forEach((body, k) => {
      const x = poses[7 * body], y = poses[7 * body + 1], z = poses[7 * body + 2], at = 12 * body + 9;
      if (colors.count > 2 * k) this.tint.fromBufferAttribute(colors, 2 * k);
      this.head.add(x, y, z, frames[at] - x, frames[at + 1] - y, frames[at + 2] - z, this.tint);
    });
    this.head.end();
  }

  /** Lines from point to point of all bodies, then from that point to the next of all bodies, ... */
  private write(): BufferGeometry {
    const lines = Math.max(0, this.points - 1) * this.moving.length, positions = new Float32Array(6 * lines);
    let at = 0;
    for (let point = 1; point < this.points; ++point) {
      const from = this.recording.poses((point - 1) * this.stride), to = this.recording.poses(point * this.stride);
      for (const body of this.moving) {
        for (let k = 0; k < 3; ++k) positions[at++] = from[7 * body + k];
        for (let k = 0; k < 3; ++k) positions[at++] = to[7 * body + k];
      }
    }
    const made = new BufferGeometry();
    made.setAttribute("position", new BufferAttribute(positions, 3));
    made.setAttribute("color", new BufferAttribute(new Float32Array(6 * lines), 3));
    return made;
  }
}

/** Bodies that are not fixed and do not stay where they are. */
function movingBodies(recording: Recording, bodies: Body[]): number[] {
  if (recording.frames < 2) return [];
  const first = recording.poses(0), steps = Math.max(1, Math.floor(recording.frames / 50));
  const moves = new Set<number>();
  for (let frame = steps; frame < recording.frames; frame += steps) {
    const poses = recording.poses(frame);
    bodies.forEach((body, i) => {
      const away = Math.hypot(poses[7 * i] - first[7 * i], poses[7 * i + 1] - first[7 * i + 1], poses[7 * i + 2] - first[7 * i + 2]);
      if (body.kind !== "fixed" && away > 1e-6) moves.add(i);
    });
  }
  return [...moves].sort((a, b) => a - b);
}
