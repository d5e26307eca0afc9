// The figures of all frames as columns, and what of them a plot of some pixels can show.
import type { Recording } from "../recording";
import { isCertified } from "./words";

/** A figure by name, or a number made of several. */
export type Quantity = string | ((figure: (name: string) => number) => number);

/** A number of every frame, NaN where there was no step: the start of a motion has no figures. Frames that have come since it was
 *  last asked for are added. */
export class Column {
  private room = new Float64Array(0);
  private count = 0;

  constructor(private readonly recording: Recording, private readonly valueAt: (frame: number) => number) {}

  get values(): Float64Array {
    const { frames } = this.recording;
    if (frames > this.room.length) {
      const more = new Float64Array(Math.max(frames, 2 * this.count));
      more.set(this.room.subarray(0, this.count));
      this.room = more;
    }
    for (; this.count < frames; ++this.count) this.room[this.count] = this.valueAt(this.count);
    return this.room.subarray(0, frames);
  }

  /** Frames have gone: begin anew. */
  clear(): void { this.count = 0; }
}

/** The figures of a recording, which may grow. */
export class Series {
  private readonly columns: Column[] = [];
  private bad: number[] = [];
  private judged = 0; // frames whose verdict has been looked at

  constructor(private readonly recording: Recording) {}

  get times(): Float64Array { return this.recording.times; }

  /** Frames whose step is not certified. */
  get uncertified(): number[] {
    const { recording } = this;
    for (; this.judged < recording.frames; ++this.judged) {
      if (recording.steps(this.judged) > 0 && !isCertified(recording, this.judged)) this.bad.push(this.judged);
    }
    return this.bad;
  }

  column(quantity: Quantity): Column {
    const { recording } = this;
    const column = new Column(recording, (frame) => {
      const figure = (name: string) => recording.figure(frame, name);
      if (recording.steps(frame) === 0) return NaN;
      return typeof quantity === "string" ? figure(quantity) : quantity(figure);
    });
    this.columns.push(column);
    return column;
  }

  /** Any number of every frame. */
  track(valueAt: (frame: number) => number): Column {
    const column = new Column(this.recording, valueAt);
    this.columns.push(column);
    return column;
  }

  /** A column that nobody shows any more. */
  drop(column: Column): void {
    const i = this.columns.indexOf(column);
    if (i >= 0) this.columns.splice(i, 1);
  }

  /** The value of a column at a time, between frames in proportion; NaN outside of the recording. */
  valueAt(column: Column, time: number): number {
    const { recording } = this, { times } = recording;
    if (times.length === 0 || time < times[0] - 1e-9 || time > times[times.length - 1] + 1e-9) return NaN;
    const { frame, share } = recording.momentAt(time), { values } = column;
    return share > 0 ? values[frame] + share * (values[frame + 1] - values[frame]) : values[frame];
  }

  /** Frames have gone: begin anew. */
  clear(): void {
    this.bad = [];
    this.judged = 0;
    for (const column of this.columns) column.clear();
  }
}

/** The tolerance a certificate is judged by: the scene's, else the solver's own. */
export function toleranceOf(scene: any): number {
  const solver = scene?.solver ?? {};
  return solver.tol > 0 ? solver.tol : solver.cone === "polygon" ? 1e-9 : 1e-8;
}

/** Least and largest of the values, NaN left out; null if there are none. */
export function extent(columns: Float64Array[]): [number, number] | null {
  let low = Infinity, high = -Infinity;
  for (const values of columns) {
    for (const value of values) {
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  return low <= high ? [low, high] : null;
}

/** Points of a curve over `width` pixels: all of them, or where they are too many the least and largest of each pixel, so
 *  that no peak is lost. `x` tells the pixel of a frame. */
export function decimate(values: Float64Array, x: (frame: number) => number, width: number): [x: number, value: number][] {
  const points: [number, number][] = [];
  const isDense = values.length > 2 * width;
  let column = NaN, low = 0, high = 0, lowAt = 0, highAt = 0;
  const flush = () => {
    if (Number.isNaN(column)) return;
    const pair: [number, number][] = lowAt <= highAt ? [[column, low], [column, high]] : [[column, high], [column, low]];
    points.push(...(low === high ? pair.slice(0, 1) : pair));
  };
  for (let i = 0; i < values.length; ++i) {
    const value = values[i];
    if (Number.isNaN(value)) continue;
    if (!isDense) { points.push([x(i), value]); continue; }
    const at = Math.floor(x(i));
    if (at !== column) { flush(); column = at; low = high = value; lowAt = highAt = i; }
    else if (value < low) { low = value; lowAt = i; }
    else if (value > high) { high = value; highAt = i; }
  }
  if (isDense) flush();
  return points;
}
