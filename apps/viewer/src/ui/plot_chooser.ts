// Three choices in a row that add a plot: of what (a body, a joint, ...), of which one, and which of its quantities.
import type { Recording } from "../recording";
import { catalogOf, type Group } from "./catalog";
import { el } from "./dom";

export class PlotChooser {
  readonly element: HTMLElement;
  private readonly group: HTMLSelectElement;
  private readonly thing: HTMLSelectElement;
  private readonly quantity: HTMLSelectElement;
  private found: Group[] | null = null;
  private foundAt = -1; // frames when it was looked for

  constructor(private readonly recording: Recording, private readonly add: (address: string) => void) {
    const choice = (label: string, changed: () => void) => el("select", { "aria-label": label, onchange: changed });
    this.group = choice("Plot of", () => this.showThings());
    this.thing = choice("Which one", () => this.showQuantities());
    this.quantity = choice("Quantity", () => {});
    this.element = el("details", { class: "plot-chooser" }, el("summary", {}, "Plot something else"),
      el("div", { class: "chooser-row" }, this.group, this.thing, this.quantity,
         el("button", { type: "button", class: "plain", "data-act": "add-plot", onclick: () => this.choose() }, "Add")));
    this.element.addEventListener("toggle", () => { if ((this.element as HTMLDetailsElement).open) this.showGroups(); });
  }

  /** What there is; looked for again when a simulation has gone on, since other bodies may touch now. */
  groups(): Group[] {
    if (!this.found || this.recording.frames > 2 * this.foundAt) {
      this.found = catalogOf(this.recording);
      this.foundAt = this.recording.frames;
    }
    return this.found;
  }

  /** Offer a body that was picked. */
  offer(body: number): void {
    if (body < 0 || !(this.element as HTMLDetailsElement).open) return;
    this.group.value = "body";
    this.showThings();
    this.thing.value = String(body);
    this.showQuantities();
  }

  private choose(): void { this.add(`${this.group.value}-${this.thing.value}-${this.quantity.value}`); }

  private showGroups(): void {
    const before = this.group.value;
    this.group.replaceChildren(...this.groups().map(({ id, label }) => el("option", { value: id }, label)));
    if (before) this.group.value = before;
    this.showThings();
  }

  private showThings(): void {
    const things = this.groups().find(({ id }) => id === this.group.value)?.things ?? [];
    this.thing.replaceChildren(...things.map(({ id, name }) => el("option", { value: id }, name)));
    this.showQuantities();
  }

  private showQuantities(): void {
    const thing = this.groups().find(({ id }) => id === this.group.value)?.things.find(({ id }) => id === this.thing.value), before = this.quantity.value;
    const list = thing?.quantities() ?? [];
    this.quantity.replaceChildren(...list.map(({ id, label }) => el("option", { value: id }, label)));
    if (list.some(({ id }) => id === before)) this.quantity.value = before;
  }
}
