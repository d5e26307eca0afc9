// The figures of all frames as columns, and what of them a plot of some pixels can show.
import type { Recording } from "../recording";
import { isCertified } from "./words";

/** A figure by name, or a number made of several. */
export type Quantity = string | ((figure: (name: string) => number) => number);

export interface Series {
  times: Float64Array;
  uncertified: number[]; // frames whose step is not certified
  /** NaN where there was no step: the start of a motion has no figures. */
  column(quantity: Quantity): Float64Array;
}

export function collectSeries(recording: Recording): Series {
  const isStep = (frame: number) => recording.steps(frame) > 0;
  const column = (quantity: Quantity) => Float64Array.from(recording.times, (_, i) => {
    const figure = (name: string) => recording.figure(i, name);
    return !isStep(i) ? NaN : typeof quantity === "string" ? figure(quantity) : quantity(figure);
  });
  const uncertified: number[] = [];
  for (let i = 0; i < recording.frames; ++i) if (isStep(i) && !isCertified(recording, i)) uncertified.push(i);
  return { times: recording.times, uncertified, column };
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
