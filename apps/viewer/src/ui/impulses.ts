// The impulses of a frame side by side: as pivoting finds them, and the most evenly distributed ones.
import type { Recording } from "../recording";
import type { Contact, Note, Vec3 } from "../types";
import { el } from "./dom";
import { count, quantity } from "./format";
import { contactNumber } from "./names";
import { pairName } from "./words";

export function impulseBars(recording: Recording, frame: number, note: Note): HTMLElement {
  const { vertex, even } = note;
  if (!vertex && !even) {
    return el("p", { class: "fine" }, "This note has no impulses: pivoting on contact states did not solve the problem.");
  }
  const largest = Math.max(...[...(vertex ?? []), ...(even ?? [])].map(([n]) => n), 1e-300);
  const contacts = recording.contacts(frame);
  return el("div", { class: "impulses" }, redundancy(note),
    el("p", { class: "legend" }, key("even", even ? "even: the most evenly distributed" : "even: not in this note"),
       key("vertex", vertex ? "vertex: as pivoting finds them" : "vertex: not in this note")),
    ...note.contact.map((index, i) => pairOfBars(note, i, largest, title(recording, contacts[index], note, i), even?.[i], vertex?.[i])));
}

function redundancy(note: Note): HTMLElement {
  const { redundant } = note;
  const text = redundant === undefined ? "The note does not tell whether the impulses are unique."
    : redundant === 0 ? "No active constraint depends on the others: there is one choice of impulses."
    : `${count(redundant, "active constraint")} ${redundant === 1 ? "depends" : "depend"} on the others: ` +
      "many impulses give the same motion. Below are two of them.";
  return el("p", { class: "redundancy" }, text);
}

function key(name: string, text: string): HTMLElement { return el("span", { class: "plot-key" }, el("i", { class: name }), text); }

function title(recording: Recording, contact: Contact | undefined, note: Note, i: number): string {
  const name = `contact ${contactNumber(note, i)}`;
  return contact ? `${name}: ${pairName(recording, contact)}` : name;
}

function pairOfBars(note: Note, i: number, largest: number, name: string, even?: Vec3, vertex?: Vec3): HTMLElement {
  return el("div", { class: "pair-of-bars", "data-contact": note.contact[i], tabindex: 0 }, el("span", { class: "name" }, name),
    even ? bar("even", even, largest) : null, vertex ? bar("vertex", vertex, largest) : null);
}

function bar(name: string, [n, t1, t2]: Vec3, largest: number): HTMLElement {
  const percent = (value: number) => `${Math.max(0, Math.min(100, 100 * value / largest)).toFixed(2)}%`;
  const friction = Math.hypot(t1, t2);
  return el("div", { class: `line ${name}`, title: `normal ${quantity(n, "N s")}, friction ${quantity(friction, "N s")}` },
    el("div", { class: "track" }, el("div", { class: "normal", style: `width: ${percent(n)}` }),
       el("div", { class: "friction", style: `width: ${percent(friction)}` })),
    el("span", { class: "figure" }, quantity(n, "N s")));
}
