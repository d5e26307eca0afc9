// The figures of all frames as columns, and what of them a plot of some pixels can show.
import type { Recording } from "../recording";
import { isSolved } from "./words";

export interface Series {
  times: Float64Array;
  kinetic: Float64Array; potential: Float64Array; total: Float64Array;
  penetration: Float64Array; penetrationMean: Float64Array;
  contacts: Float64Array; active: Float64Array;
  pivots: Float64Array; iterations: Float64Array;
  certificate: Float64Array; seconds: Float64Array;
  unsolved: number[]; // frames whose step was not solved
}

/** NaN where there was no step: the start of a motion has no figures. */
export function collectSeries(recording: Recording): Series {
  const column = () => new Float64Array(recording.frames).fill(NaN);
  const s: Series = { times: recording.times, kinetic: column(), potential: column(), total: column(), penetration: column(),
    penetrationMean: column(), contacts: column(), active: column(), pivots: column(), iterations: column(), certificate: column(),
    seconds: column(), unsolved: [] };
  for (let i = 0; i < recording.frames; ++i) {
    if (recording.steps(i) === 0) continue;
    const f = recording.figures(i);
    s.kinetic[i] = f.kinetic; s.potential[i] = f.potential; s.total[i] = f.kinetic + f.potential;
    s.penetration[i] = f.penetration; s.penetrationMean[i] = f.penetrationMean;
    s.contacts[i] = f.contacts; s.active[i] = f.active;
    s.pivots[i] = f.pivots; s.iterations[i] = f.iterations;
    s.certificate[i] = f.certificate; s.seconds[i] = f.seconds;
    if (!isSolved(f)) s.unsolved.push(i);
  }
  return s;
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
