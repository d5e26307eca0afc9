// The contacts of a frame as a table; pointing at one shows it on the stage.
import type { Recording } from "../recording";
import { el } from "./dom";
import { count, quantity } from "./format";
import { kindMeaning, kindName, pairName, pushOf, type Push } from "./words";
import type { Contact } from "../types";

const ROWS = 100;

interface Row { contact: Contact; index: number; push: Push }

export function contactTable(recording: Recording, frame: number): HTMLElement {
  const rows: Row[] = recording.contacts(frame).map((contact, index) => ({ contact, index, push: pushOf(contact, recording.dt) }));
  if (rows.length === 0) return el("p", { class: "fine" }, "Nothing touches in this frame.");
  const shown = rows.length <= ROWS ? rows : [...rows].sort((a, b) => b.push.normal - a.push.normal).slice(0, ROWS);
  const largest = Math.max(...rows.map((row) => row.push.normal), 1e-300);
  return el("div", {},
    el("div", { class: "contacts-scroll" }, el("table", { class: "contacts" },
       el("thead", {}, el("tr", {}, ...["#", "bodies", "does", "normal", "friction"].map((text) => el("th", { scope: "col" }, text)))),
       el("tbody", {}, ...shown.map((row) => tableRow(recording, row, largest))))),
    shown.length < rows.length && el("p", { class: "fine" }, `The ${ROWS} largest normal forces of ${count(rows.length, "contact")}.`));
}

function tableRow(recording: Recording, { contact, index, push }: Row, largest: number): HTMLElement {
  const share = Math.max(0, 100 * push.normal / largest).toFixed(1);
  return el("tr", { "data-contact": index, tabindex: 0 },
    el("td", {}, String(index)), el("td", { class: "pair" }, pairName(recording, contact)),
    el("td", {}, el("span", { class: `kind kind-${contact.kind}`, title: kindMeaning(contact.kind) }, kindName(contact.kind))),
    el("td", { class: "figure bar", style: `--share: ${share}%` }, quantity(push.normal, push.unit)),
    el("td", { class: "figure" }, quantity(push.friction, push.unit)));
}
