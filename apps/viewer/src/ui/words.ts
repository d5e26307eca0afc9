// Words for the numbers of a recording.
import type { Contact, Figures } from "../types";
import type { Recording } from "../recording";

const OUTCOMES = ["unsolved", "solved", "infeasible", "ray", "singular", "limit", "error"];
const OUTCOME_MEANINGS = [
  "the problem was not solved",
  "the certificate is within the tolerance",
  "it is proved that there is no solution",
  "the path ended on a ray that proves nothing",
  "a pivot block is singular",
  "pivots or iterations ran out",
  "the method ended, but its answer fails the certificate",
];
const KINDS = ["off", "on", "slide", "edge", "stick"];
const KIND_MEANINGS = [
  "no impulse",
  "presses, without friction",
  "slides: friction at its bound",
  "slips across an edge of the friction polygon",
  "sticks: friction inside its bound",
];

const SOLVED = 1;

export function isSolved(figures: Figures): boolean { return figures.outcome === SOLVED; }
export function outcomeName(outcome: number): string { return OUTCOMES[outcome] ?? `outcome ${outcome}`; }
export function outcomeMeaning(outcome: number): string { return OUTCOME_MEANINGS[outcome] ?? ""; }
export function kindName(kind: number): string { return KINDS[kind] ?? `kind ${kind}`; }
export function kindMeaning(kind: number): string { return KIND_MEANINGS[kind] ?? ""; }
export function lawName(law: number): string { return law === 1 ? "convex" : "Coulomb"; }

export function bodyName(recording: Recording, body: number): string {
  return body < 0 ? "world" : recording.bodyNames[body] || `body ${body}`;
}

export function pairName(recording: Recording, contact: Contact): string {
  return `${bodyName(recording, contact.a)} – ${bodyName(recording, contact.b)}`;
}

export interface Push { normal: number; friction: number; unit: string }

/** Parts of a contact's impulse along the normal and across it: as forces where the time step is known. */
export function pushOf(contact: Contact, dt: number): Push {
  const [x, y, z] = contact.impulse, [nx, ny, nz] = contact.normal;
  const along = x * nx + y * ny + z * nz;
  const across = Math.hypot(x - along * nx, y - along * ny, z - along * nz);
  return dt > 0 ? { normal: along / dt, friction: across / dt, unit: "N" } : { normal: along, friction: across, unit: "N s" };
}
