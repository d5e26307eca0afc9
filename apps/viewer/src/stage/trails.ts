// Where bodies have been: the last part of their paths, fading with age.
import { Color } from "three";
import type { Recording } from "../recording";
import { colorOf } from "./bodies";
import type { Body } from "./description";
import { Strokes } from "./strokes";
import type { Theme } from "./theme";

const LINES = 4000; // of all bodies
const LONGEST = 400; // of one body
const STAYS = 1e-6; // [m] that a body may move and yet stay
const SHOWN = 0.15; // colour that is left at the end of a path

export class Trails {
  readonly strokes = new Strokes(14, 1.6);
  private readonly moving: number[];
  private readonly stride: number; // frames from one point to the next
  private readonly lines: number; // of each path, at most
  private colors: Color[] = [];
  private readonly background = new Color();
  private readonly tint = new Color();

  constructor(private readonly recording: Recording, private readonly bodies: Body[]) {
    this.moving = movingBodies(recording, bodies);
    this.lines = Math.min(LONGEST, Math.max(12, Math.floor(LINES / Math.max(1, this.moving.length))));
    this.stride = Math.max(1, Math.round(recording.frames / (2 * this.lines)));
  }

  paint(theme: Theme): void {
    this.colors = this.moving.map((body) => colorOf(this.bodies[body].kind, body, theme, new Color()));
    this.background.copy(theme.background);
  }

  /** Show the paths up to a frame; frames: 12 numbers a body, where they are now. */
  show(frame: number, frames: Float64Array): void {
    const last = Math.floor(frame / this.stride), first = Math.max(0, last - this.lines + 1);
    this.strokes.begin((last - first + 1) * this.moving.length);
    for (let point = first; point < last; ++point) this.showPiece(point, (last - point) / this.lines);
    this.showHead(last * this.stride, frames);
    this.strokes.end();
  }

  dispose(): void { this.strokes.dispose(); }

  /** One line of each body; age: 0 now, 1 the oldest. */
  private showPiece(point: number, age: number): void {
    const { reals } = this.recording;
    const first = this.recording.posesAt(point * this.stride), second = this.recording.posesAt((point + 1) * this.stride);
    for (let k = 0; k < this.moving.length; ++k) {
      const i = first + 7 * this.moving[k], j = second + 7 * this.moving[k];
      this.tint.lerpColors(this.colors[k], this.background, age * (1 - SHOWN));
      this.strokes.add(reals[i], reals[i + 1], reals[i + 2], reals[j] - reals[i], reals[j + 1] - reals[i + 1], reals[j + 2] - reals[i + 2],
                       this.tint);
    }
  }

  /** From the last point to where the bodies are. */
  private showHead(frame: number, frames: Float64Array): void {
    if (this.moving.length === 0) return;
    const { reals } = this.recording, first = this.recording.posesAt(frame);
    for (let k = 0; k < this.moving.length; ++k) {
      const i = first + 7 * this.moving[k], at = 12 * this.moving[k] + 9;
      this.strokes.add(reals[i], reals[i + 1], reals[i + 2], frames[at] - reals[i], frames[at + 1] - reals[i + 1], frames[at + 2] - reals[i + 2],
                       this.colors[k]);
    }
  }
}

/** Bodies that are not fixed and do not stay where they are. */
function movingBodies(recording: Recording, bodies: Body[]): number[] {
  if (recording.frames < 2) return [];
  const { reals } = recording, first = recording.posesAt(0), step = Math.max(1, Math.floor(recording.frames / 50));
  const frames = Array.from({ length: Math.floor((recording.frames - 1) / step) }, (_, i) => recording.posesAt((i + 1) * step));
  const hasMoved = (at: number, i: number): boolean => [0, 1, 2].some((k) => Math.abs(reals[at + 7 * i + k] - reals[first + 7 * i + k]) > STAYS);
  return bodies.flatMap((body, i) => body.kind !== "fixed" && frames.some((at) => hasMoved(at, i)) ? [i] : []);
}
