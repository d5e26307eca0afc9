// How a frame's problem is solved by pivoting, step by step: on contact states, or on the assembled LCP.
import { ContactKind, PivotKind, type Note, type PivotEvent, type StateEvent } from "../types";
import { el, withSubscript, type Child } from "./dom";
import { count, number } from "./format";
import { contactNumber, directionAngle, VariableNames, type VariableName } from "./names";
import { kindName } from "./words";

const ROWS = 200; // shown at first

/** A table of rows of which the first are shown, the others on request. */
function longTable(className: string, heads: string[], rows: HTMLElement[]): HTMLElement {
  const body = el("tbody", {}, ...rows.slice(0, ROWS));
  const more = el("button", { type: "button", class: "more", onclick: () => { body.append(...rows.slice(ROWS)); more.remove(); } },
                  `Show all ${rows.length}`);
  return el("div", {}, el("table", { class: className },
    el("thead", {}, el("tr", {}, ...heads.map((head) => el("th", { scope: "col" }, head)))), body), rows.length > ROWS && more);
}

function summary(outcome: string, certificate: number, events: number, isCut: boolean): HTMLElement {
  return el("p", { class: "fine" }, `${outcome}, certificate ${number(certificate)}, ${count(events, "event")}`,
            isCut ? "; the path was longer, what follows was not kept." : ".");
}

/** Candidates that the ratio test could not tell apart; one is no tie. */
function ties(candidates: number): Child {
  const title = "So many reached their bound at the same moment; one of them was taken.";
  return candidates > 1 && el("span", { class: "chip", title }, `${candidates} tied`);
}

/** Marks what is no pivot: where a path begins. */
function beginning(): HTMLElement {
  return el("span", { class: "chip quiet", title: "No pivot: the path begins from here." }, "start");
}

/** Lemke's path on contact states. */
export function statesPath(note: Note): HTMLElement {
  const { states } = note;
  if (!states) return el("p", { class: "fine" }, "This note has no path on contact states.");
  const rows = states.events.map((event, i) => stateRow(note, event, i));
  return el("div", {}, summary(states.outcome, states.certificate, rows.length, states.isCut),
    rows.length > 0 ? longTable("path states", ["step", "contact", "from", "to", "path"], rows)
                    : el("p", { class: "fine" }, "No event: the state at the start was the answer."));
}

function stateRow(note: Note, event: StateEvent, index: number): HTMLElement {
  const [contact, kind, corner, newKind, newCorner, progress, candidates] = event;
  const state = (k: ContactKind, c: number) => el("span", { class: `kind kind-${k}` }, stateName(note, contact, k, c));
  return el("tr", { "data-contact": note.contact[contact] ?? -1, tabindex: 0 }, el("td", {}, String(index + 1)),
    el("td", {}, isRow(note, contact) ? `row ${contact - note.contact.length}` : contactNumber(note, contact)),
    el("td", {}, state(kind, corner)), el("td", {}, state(newKind, newCorner), candidates === 0 ? beginning() : ties(candidates)),
    el("td", { class: "figure bar", style: `--share: ${(100 * progress).toFixed(1)}%` }, `${(100 * progress).toFixed(1)} %`));
}

/** Behind the contacts come the rows that have bounds. */
function isRow(note: Note, contact: number): boolean { return contact >= note.contact.length; }

/** Corners have a meaning only where friction, or a row, is at its bound. */
function stateName(note: Note, contact: number, kind: ContactKind, corner: number): string {
  if (isRow(note, contact)) return kind === ContactKind.Off ? (corner === 0 ? "at lower bound" : "at upper bound") : "within bounds";
  const directions = note.directions[contact];
  if (directions <= 0 || (kind !== ContactKind.Slide && kind !== ContactKind.Edge)) return kindName(kind);
  const angle = directionAngle(corner, directions);
  return kind === ContactKind.Slide ? `slide ${angle}` : `edge ${angle}–${directionAngle(corner + 1, directions)}`;
}

/** Pivot search on the assembled LCP. */
export function lcpPath(note: Note): HTMLElement {
  const { lcp } = note;
  if (!lcp) {
    return el("p", { class: "fine" }, "This note has no pivot search: the LCP of this frame was not assembled, or is too large for it.");
  }
  const names = new VariableNames(note, lcp.n);
  const largest = Math.max(...lcp.events.map((event) => event[3]).filter(Number.isFinite), 1e-300);
  const rows = lcp.events.map((event, i) => pivotRow(note, names, event, i, largest));
  return el("div", {}, summary(lcp.outcome, lcp.certificate, rows.length, lcp.isCut),
    rows.length > 0 ? longTable("path lcp", ["step", "enters", "leaves", "cover"], rows)
                    : el("p", { class: "fine" }, "No pivot: q is not negative, so z = 0 is the answer."));
}

function pivotRow(note: Note, names: VariableNames, event: PivotEvent, index: number, largest: number): HTMLElement {
  const [kind, entering, leaving, cover, candidates, depth] = event;
  const step = el("td", {}, String(index + 1));
  if (kind === PivotKind.Backtrack || kind === PivotKind.Restart) {
    const isBack = kind === PivotKind.Backtrack;
    return el("tr", { class: isBack ? "backtrack" : "restart" }, step,
      el("td", { colspan: 3 }, el("strong", {}, isBack ? "Backtrack" : "Restart"),
         isBack ? ` to depth ${depth}: this branch came to no end; another of the tied variables leaves instead.`
                : ": all branches came to no end; the search begins again with another cover."));
  }
  const enters = names.name(entering), leaves = leaving >= 0 ? names.name(leaving) : null;
  const gone: Child = leaves === null ? "nothing: a ray" : leaving === entering ? "itself: goes to its other bound" : variable(leaves);
  const contact = [leaves, enters].map((name) => name?.contact ?? -1).find((k) => k >= 0) ?? -1;
  return el("tr", { "data-contact": contact >= 0 ? note.contact[contact] ?? -1 : -1, tabindex: 0 }, step,
    el("td", {}, variable(enters)), el("td", {}, gone, depth < 0 ? beginning() : ties(candidates)),
    el("td", { class: "figure bar", style: `--share: ${Math.max(0, 100 * cover / largest).toFixed(1)}%` }, number(cover)));
}

function variable(name: VariableName): HTMLElement {
  return el("span", { class: "variable" }, withSubscript(name.base, name.sub), el("small", {}, name.words));
}
