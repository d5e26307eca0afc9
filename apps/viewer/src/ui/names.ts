// Names of the variables of a contact LCP, in the order that types.ts tells: theta, phi, lambda, rows; then their w; the cover.
import type { Note } from "../types";

export interface VariableName {
  base: string; // the symbol, and its subscript
  sub: string;
  words: string;
  contact: number; // of the problem, -1: none
}

/** A contact of the problem by its number in the frame's list; one that is not there by its own, with a prime. */
export function contactNumber(note: Note, contact: number): string {
  const index = note.contact[contact] ?? -1;
  return index >= 0 ? String(index) : `${contact}′`;
}

/** Of direction j of a friction polygon, from t1 to t2. */
export function directionAngle(direction: number, directions: number): string {
  return `${Number((360 * direction / directions).toFixed(1))}°`;
}

interface Place { kind: "theta" | "phi" | "lambda" | "row" | "other"; contact: number; part: number }

function places(note: Note, n: number): Place[] {
  const contacts = note.directions.map((_, i) => i);
  const list: Place[] = contacts.map((contact) => ({ kind: "theta", contact, part: 0 }));
  for (const contact of contacts) {
    for (let part = 0; part < note.directions[contact]; ++part) list.push({ kind: "phi", contact, part });
  }
  for (const contact of contacts) if (note.directions[contact] > 0) list.push({ kind: "lambda", contact, part: 0 });
  for (let part = 0; part < note.rows; ++part) list.push({ kind: "row", contact: -1, part });
  while (list.length < n) list.push({ kind: "other", contact: -1, part: list.length });
  return list;
}

export class VariableNames {
  private readonly list: Place[];

  constructor(private readonly note: Note, private readonly n: number) { this.list = places(note, n); }

  /** Of a variable: 0 .. n - 1 the unknowns z, then their slacks w, 2 n the cover. */
  name(variable: number): VariableName {
    if (variable === 2 * this.n) return { base: "z", sub: "0", words: "the cover", contact: -1 };
    const isSlack = variable >= this.n;
    const place = this.list[isSlack ? variable - this.n : variable];
    if (!place) return { base: "?", sub: String(variable), words: `variable ${variable}`, contact: -1 };
    const name = this.unknown(place);
    return isSlack ? { ...name, base: "w", sub: `${name.base}${name.sub}`, words: this.slackWords(place) } : name;
  }

  private unknown(place: Place): VariableName {
    const { contact, part } = place;
    const k = contact >= 0 ? contactNumber(this.note, contact) : "";
    switch (place.kind) {
      case "theta": return { base: "θ", sub: k, words: `n of contact ${k}`, contact };
      case "phi": return { base: "φ", sub: `${k},${part}`, words: `direction ${part} (${this.angle(place)}) of contact ${k}`, contact };
      case "lambda": return { base: "λ", sub: k, words: `slip of contact ${k}`, contact };
      case "row": return { base: "ρ", sub: String(part), words: `row ${part} of the joints`, contact };
      case "other": return { base: "z", sub: String(part), words: `variable ${part}`, contact };
    }
  }

  private slackWords(place: Place): string {
    const k = place.contact >= 0 ? contactNumber(this.note, place.contact) : "";
    switch (place.kind) {
      case "theta": return `separating speed of contact ${k}`;
      case "phi": return `slack of direction ${place.part} (${this.angle(place)}) of contact ${k}`;
      case "lambda": return `friction left at contact ${k}`;
      case "row": return `residual of row ${place.part}`;
      case "other": return `slack of variable ${place.part}`;
    }
  }

  private angle(place: Place): string { return directionAngle(place.part, this.note.directions[place.contact]); }
}
