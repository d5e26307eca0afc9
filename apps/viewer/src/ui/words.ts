// Words for the numbers of a recording.
import type { Contact } from "../types";
import type { Recording } from "../recording";
import { number, quantity } from "./format";

const OUTCOMES = ["unsolved", "solved", "infeasible", "ray", "singular", "limit", "stalled", "convex"];
const OUTCOME_MEANINGS = [
  "the problem was not solved",
  "the certificate is within the tolerance",
  "it is proved that there is no solution",
  "the path ended on a ray that proves nothing",
  "a pivot block is singular",
  "pivots or iterations ran out",
  "no progress in doubles: the method ended, and its answer fails the certificate",
];
const KINDS = ["off", "on", "slide", "edge", "stick"];
const KIND_MEANINGS = [
  "no impulse",
  "presses, without friction",
  "slides: friction at its bound",
  "slips across an edge of the friction polygon",
  "sticks: friction inside its bound",
];

/** What verdicts mean; their names are in the recording. */
const VERDICT_MEANINGS: Record<string, string> = {
  certified: "solved by the law asked for, joints hold, no overlap is unknown, energy and momentum are accounted for",
  problem: "its complementarity problem is not solved to its tolerance",
  law: "solved by the convex law; Coulomb's, which was asked for, was not reached",
  overlap: "bodies overlap that no row of the step kept apart, or more deeply than could be repaired",
  joints: "joints or loops are open by more than their tolerance",
  energy: "energy changed by more than all that acted explains",
  momentum: "momentum changed by more than all that acted explains",
};
const VERDICT_UNITS: Record<string, string> = { overlap: "m", energy: "J" };

const SOLVED = 1, CERTIFIED = 0;

/** Recordings without verdicts tell only whether the problem was solved. */
export function isCertified(recording: Recording, frame: number): boolean {
  return recording.has("verdict") ? recording.figure(frame, "verdict") === CERTIFIED : recording.figure(frame, "outcome") === SOLVED;
}

export interface Verdict {
  isGood: boolean;
  name: string;
  meaning: string;
  amount: string; // by how much it is wrong; "": nothing is, or it is not known
  others: string[]; // what else is wrong
}

/** What the step that led to a frame is worth. */
export function verdictOf(recording: Recording, frame: number): Verdict {
  const isGood = isCertified(recording, frame);
  if (!recording.has("verdict")) {
    const outcome = recording.figure(frame, "outcome");
    return { isGood, name: outcomeName(outcome), meaning: outcomeMeaning(outcome), amount: "", others: [] };
  }
  const words = recording.words("verdict"), verdict = recording.figure(frame, "verdict"), name = words[verdict] ?? `verdict ${verdict}`;
  const failed = recording.figure(frame, "failed");
  const others = words.filter((_, i) => i !== verdict && Math.floor(failed / 2 ** i) % 2 === 1);
  return { isGood, name, meaning: VERDICT_MEANINGS[name] ?? "", amount: isGood ? "" : amountOf(recording, frame, name), others };
}

function amountOf(recording: Recording, frame: number, verdict: string): string {
  const unit = VERDICT_UNITS[verdict], told = (value: number) => unit ? quantity(value, unit) : number(value);
  const amount = recording.figure(frame, "amount"), allowed = recording.figure(frame, "allowed");
  return allowed > 0 ? `${told(amount)}, allowed ${told(allowed)}` : told(amount);
}

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
