// The solver pane: what the step that led to the present frame solved, and how.
import type { Player } from "../player";
import type { Recording } from "../recording";
import type { Note } from "../types";
import { contactTable } from "./contact_table";
import { el } from "./dom";
import { count, number, quantity } from "./format";
import { impulseBars } from "./impulses";
import { lcpPath, statesPath } from "./pivots";
import { toleranceOf } from "./series";
import { tabs } from "./tabs";
import { lawName, verdictOf } from "./words";

const ABOUT_PIVOTS = "The problem of this frame, solved once more by pivoting, with friction polygons: first on contact states, " +
  "then as an LCP.";
const NOTED_CONTACTS = 64; // of a problem at most: the program keeps no notes of larger ones
const INTERVAL = 200; // [ms] between updates while playing

export class SolverPane {
  readonly element: HTMLElement;
  isOpen = false;
  private readonly head = el("div", { class: "solver-head" });
  private readonly contacts = el("div");
  private readonly states = el("div");
  private readonly lcp = el("div");
  private readonly impulses = el("div");
  private readonly noteParts: HTMLElement;
  private readonly noNote = el("div", { class: "no-note" });
  private shownFrame = -1;
  private updatedAt = 0;

  constructor(private readonly recording: Recording, private readonly player: Player, highlight: (contact: number) => void) {
    const pathTabs = tabs("How it is solved", [{ id: "states", label: "Contact states", content: this.states },
                                               { id: "lcp", label: "LCP pivot search", content: this.lcp }]);
    this.noteParts = el("div", {}, section("Pivot sequence", el("p", { class: "fine" }, ABOUT_PIVOTS), pathTabs),
                        section("Impulses", this.impulses));
    this.element = el("div", { class: "solver" }, this.head, section("Contacts", this.contacts), this.noNote, this.noteParts);
    this.listenForContacts(highlight);
  }

  update(): void {
    if (!this.isOpen) return;
    const frame = this.player.frame, now = performance.now();
    if (frame === this.shownFrame || (this.player.isPlaying && now - this.updatedAt < INTERVAL)) return;
    this.shownFrame = frame;
    this.updatedAt = now;
    this.show(frame);
  }

  private show(frame: number): void {
    const note = usable(this.recording.note(frame));
    this.showHead(frame);
    this.contacts.replaceChildren(contactTable(this.recording, frame));
    this.noteParts.hidden = note === null;
    this.noNote.hidden = note !== null;
    if (note) this.showNote(frame, note);
    else this.noNote.replaceChildren(...this.whyNoNote(frame));
  }

  private showNote(frame: number, note: Note): void {
    this.states.replaceChildren(statesPath(note));
    this.lcp.replaceChildren(lcpPath(note));
    this.impulses.replaceChildren(impulseBars(this.recording, frame, note));
  }

  private showHead(frame: number): void {
    const step = this.recording.steps(frame);
    if (step === 0) {
      this.head.replaceChildren(el("p", {}, "The start of the motion: no step led here."));
      return;
    }
    const verdict = verdictOf(this.recording, frame), figure = (name: string) => this.recording.figure(frame, name);
    const fact = (label: string, value: string) => el("div", { class: "fact" }, el("span", {}, label), el("b", {}, value));
    this.head.replaceChildren(
      el("p", {}, el("span", { class: verdict.isGood ? "verdict good" : "verdict bad" }, verdict.name),
         ` step ${step}: ${verdict.meaning}.`,
         verdict.amount !== "" && ` By how much: ${verdict.amount}.`,
         verdict.others.length > 0 && ` Also wrong: ${verdict.others.join(", ")}.`,
         figure("relaxed") === 1 && " No velocity satisfies all constraints; overlap was left where it is."),
      el("div", { class: "facts" }, fact("certificate", number(figure("certificate"))),
         fact("tolerance", number(toleranceOf(this.recording.scene))),
         fact("law", lawName(figure("law"))), fact("active contacts", `${figure("active")} of ${figure("contacts")}`), fact("pivots", String(figure("pivots"))),
         fact("iterations", String(figure("iterations"))), fact("joint error", number(figure("joint_error"))), fact("step time", quantity(figure("seconds"), "s"))));
  }

  private whyNoNote(frame: number): HTMLElement[] {
    const contacts = this.recording.figure(frame, "contacts");
    const why = contacts > NOTED_CONTACTS
      ? `The problem of this frame has ${count(contacts, "contact")}; notes are kept for up to ${NOTED_CONTACTS}. ` +
        "Larger problems are solved at body level by Newton steps, which have no pivots to show."
      : "This frame has no solver note: pivots and impulses of its problem were not kept.";
    return [el("h3", {}, "Pivots and impulses"), el("p", {}, why),
            el("p", {}, "To get notes, record with ", el("code", {}, "cairn sim SCENE --html page.html"),
               `. It keeps one for each frame whose problem has up to ${NOTED_CONTACTS} contacts.`)];
  }

  /** Pointing at, or focusing, anything that stands for a contact shows it on the stage. */
  private listenForContacts(highlight: (contact: number) => void): void {
    const contactOf = (event: Event) => Number((event.target as Element).closest?.("[data-contact]")?.getAttribute("data-contact") ?? -1);
    for (const name of ["pointerover", "focusin"]) this.element.addEventListener(name, (event) => highlight(contactOf(event)));
    for (const name of ["pointerleave", "focusout"]) this.element.addEventListener(name, () => highlight(-1));
  }
}

/** A note of another program may be of another kind: it counts as none. */
function usable(note: Note | null): Note | null {
  return note && Array.isArray(note.contact) && Array.isArray(note.directions) ? note : null;
}

function section(title: string, ...content: HTMLElement[]): HTMLElement {
  return el("section", {}, el("h3", {}, title), ...content);
}
