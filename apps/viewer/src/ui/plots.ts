// The panel of plots.
import type { Player } from "../player";
import type { Recording } from "../recording";
import { el, setText } from "./dom";
import { findQuantity } from "./catalog";
import { download } from "./download";
import { number, quantity } from "./format";
import { Plot, type PlotSpec } from "./plot";
import { PlotChooser } from "./plot_chooser";
import { Series, toleranceOf, type Column, type Quantity } from "./series";

/** A plot: what its curves are made of. Those whose figures the recording does not have are left out. */
interface Entry extends Omit<PlotSpec, "curves" | "format"> {
  unit: string; // "": a count; "1": a number without unit
  needs: string; // a figure
  curves: [label: string, quantity: Quantity][];
}

/** |value| / scale; of a vector its length. */
const share = (value: string, scale: string): Quantity => (figure) =>
  figure(scale) > 0 ? Math.abs(figure(value)) / figure(scale) : 0;
const lengthShare = (vector: string, scale: string): Quantity => (figure) =>
  figure(scale) > 0 ? Math.hypot(...["x", "y", "z"].map((axis) => figure(`${vector}.${axis}`))) / figure(scale) : 0;

const PLOTS: Entry[] = [
  { id: "energy", title: "Energy", hint: "Kinetic and potential energy, and their sum.", unit: "J", needs: "kinetic",
    curves: [["kinetic", "kinetic"], ["potential", "potential"], ["total", (figure) => figure("kinetic") + figure("potential")]] },
  { id: "penetration", title: "Penetration", hint: "The deepest overlap, and the mean over the contacts that touch.", unit: "m",
    needs: "penetration", curves: [["max", "penetration"], ["mean", "penetration_mean"]] },
  { id: "contacts", title: "Contacts", hint: "Contact points in the problem, and those that push.", unit: "",
    needs: "contacts", curves: [["active", "active"], ["all", "contacts"]] },
  { id: "pivots", title: "Solver", hint: "Pivots of the pivoting methods, iterations of Newton's method.", unit: "",
    needs: "pivots", curves: [["pivots", "pivots"], ["iterations", "iterations"]] },
  { id: "certificate", title: "Certificate", isLogarithmic: true, unit: "1", needs: "certificate",
    hint: "How well the step's problem is solved, judged from its data; below the tolerance it counts as solved.",
    curves: [["certificate", "certificate"]] },
  { id: "work", title: "Work", hint: "What applied forces, motors and driven bodies put in during the step.", unit: "J",
    needs: "ledger.loads", curves: [["loads", "ledger.loads"], ["motors", "ledger.motors"], ["driven", "ledger.driven"]] },
  { id: "losses", title: "Losses", hint: "What friction, impacts and damping take out during the step.", unit: "J",
    needs: "ledger.friction", curves: [["friction", "ledger.friction"], ["impact", "ledger.impact"], ["damping", "ledger.damping"]] },
  { id: "method", title: "Method", unit: "J", needs: "ledger.projection",
    hint: "Energy that the method itself changed: projection on joints, repair of overlap, the error of the time step.",
    curves: [["projection", "ledger.projection"], ["repair", "ledger.repair"], ["integration", "ledger.integration"]] },
  { id: "unexplained", title: "Unexplained", isLogarithmic: true, unit: "1", needs: "ledger.unexplained",
    hint: "Energy and momentum that nothing explains, relative to what was moved to and fro: rounding, or something is wrong.",
    curves: [["energy", share("ledger.unexplained", "ledger.scale")],
             ["momentum", lengthShare("ledger.momentum", "ledger.momentum_scale")],
             ["angular", lengthShare("ledger.angular_momentum", "ledger.angular_scale")]] },
  { id: "gained", title: "Gained", hint: "Energy above that of the beginning and all work done since; below 0: lost.", unit: "J",
    needs: "ledger.gained", curves: [["gained", "ledger.gained"]] },
  { id: "seconds", title: "Step time", hint: "How long the step took to compute.", unit: "s", needs: "seconds",
    curves: [["step time", "seconds"]] },
];

function formatOf(unit: string): (value: number) => string {
  const whole = (value: number) => Number.isNaN(value) ? "–" : String(Math.round(value));
  return unit === "" ? whole : unit === "1" ? number : (value) => quantity(value, unit);
}

/** Least span of an axis, by unit: a nanometre, a nanojoule. */
const FLOORS: Record<string, number> = { m: 1e-9, J: 1e-9, "m/s": 1e-9, rad: 1e-9, "rad/s": 1e-9, N: 1e-9 };

/** What to draw of an entry; other: figures of the recording that this one is compared with. */
function specOf(entry: Entry, series: Series, recording: Recording, other: Series | null): PlotSpec {
  const tolerance = toleranceOf(recording.scene);
  return { ...entry, format: formatOf(entry.unit), floor: FLOORS[entry.unit],
    limit: entry.id === "certificate" ? { value: tolerance, label: `tolerance ${number(tolerance)}` } : undefined,
    curves: entry.curves.map(([label, quantity], i) => ({ label, color: `--c${i + 1}`, column: series.column(quantity), other: other?.column(quantity) })) };
}

export class PlotsPanel {
  readonly element: HTMLElement;
  private plots: Plot[] = [];
  private added: string[] = []; // addresses of quantities, those of catalog.ts
  private readonly list = el("div", { class: "plot-list" });
  private readonly verdict = el("span", { class: "bad" });
  private readonly chooser: PlotChooser;
  private readonly compareChoice: CompareChoice;
  private other: { recording: Recording; series: Series } | null = null;
  private used: Column[] = [];

  constructor(private readonly recording: Recording, private readonly series: Series, private readonly player: Player, compare: CompareActions) {
    this.compareChoice = new CompareChoice(compare);
    this.chooser = new PlotChooser(recording, (address) => this.add(address));
    this.element = el("div", { class: "plots" }, this.chooser.element, this.list,
      el("p", { class: "fine" }, this.verdict, "Click or drag in a plot to go there."),
      el("div", { class: "live-buttons" }, this.compareChoice.element,
         el("button", { type: "button", class: "plain", "data-act": "save-csv", title: "Time and all curves of these plots, a row a frame", onclick: () => this.saveCsv() }, "Save as CSV")));
    this.build();
  }

  /** What has been added, for a link. */
  get addresses(): string[] { return this.added; }

  /** Plot a quantity by its address; one that there is not is left out. */
  add(address: string): void {
    if (this.added.includes(address) || !findQuantity(this.chooser.groups(), address)) return;
    this.added.push(address);
    this.build();
    this.list.scrollIntoView({ block: "nearest" });
  }

  /** A body was picked: it is the first to be plotted. */
  offer(body: number): void { this.chooser.offer(body); }

  /** Draw the figures of another recording beside these; null: of none. */
  compare(recording: Recording | null): void {
    this.other = recording && { recording, series: new Series(recording) };
    this.compareChoice.show(recording && recording.name);
    this.build();
  }

  private build(): void {
    for (const column of this.used) this.series.drop(column);
    const { other, series, player, recording } = this;
    const added = this.added.map((address) => this.addedSpec(address));
    const specs = [...(other ? [this.differenceSpec(other.recording)] : []), ...added,
                   ...PLOTS.filter((entry) => recording.has(entry.needs)).map((entry) => specOf(entry, series, recording, other?.series ?? null))];
    this.used = specs.flatMap((spec) => spec.curves.map((curve) => curve.column));
    this.plots = specs.map((spec) => new Plot(spec, series, player, other?.series ?? null));
    this.list.replaceChildren(...this.plots.map((plot) => plot.element));
    this.draw();
  }

  private addedSpec(address: string): PlotSpec {
    const { thing, quantity } = findQuantity(this.chooser.groups(), address)!, { other } = this;
    const close = () => { this.added = this.added.filter((a) => a !== address); this.build(); };
    return { id: address, title: `${thing.name}: ${quantity.label}`, hint: unitHint(quantity.unit), format: formatOf(quantity.unit), floor: FLOORS[quantity.unit], close,
      curves: quantity.curves.map(([label, track], i) => ({ label, color: `--c${i + 1}`, column: this.series.track(track(this.recording)),
                                                           other: other?.series.track(track(other.recording)) })) };
  }

  /** How far bodies are from where the other recording has them at the same time. */
  private differenceSpec(other: Recording): PlotSpec {
    const { recording } = this, distance = distanceOf(recording, other);
    return { id: "difference", title: "Difference", hint: "The largest distance between a body here and in the other recording, at the same time.", format: formatOf("m"),
      floor: FLOORS.m, curves: [{ label: "farthest body", color: "--c1", column: this.series.track((frame) => distance(frame)) }] };
  }

  private saveCsv(): void {
    const columns = this.plots.flatMap((plot) => plot.columns), { times } = this.recording;
    const cell = (text: string) => /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    const rows = [["time", ...columns.map(({ name }) => cell(name))].join(",")];
    const values = columns.map(({ column }) => column.values);
    for (let frame = 0; frame < times.length; ++frame) {
      rows.push([times[frame], ...values.map((list) => Number.isNaN(list[frame]) ? "" : list[frame])].join(","));
    }
    download(`${this.recording.scene?.name || "motion"}.csv`, "text/csv", `${rows.join("\n")}\n`);
  }

  private showVerdict(): void {
    const uncertified = this.series.uncertified.length;
    setText(this.verdict, uncertified > 0 ? `${uncertified} of ${this.recording.frames} frames not certified, marked red. ` : "");
  }

  draw(): void {
    this.showVerdict();
    for (const plot of this.plots) plot.draw();
  }
  update(): void { for (const plot of this.plots) plot.update(); }
}

function unitHint(unit: string): string { return unit === "1" || unit === "" ? "" : `In ${unit}.`; }

/** The largest distance between bodies of the same index at a frame's time; NaN beyond the end of the other recording. */
function distanceOf(recording: Recording, other: Recording): (frame: number) => number {
  const bodies = Math.min(recording.bodies, other.bodies);
  return (frame) => {
    const time = recording.times[frame];
    if (other.frames === 0 || time > other.times[other.frames - 1] + 1e-9) return NaN;
    const { frame: k, share } = other.momentAt(time), at = recording.posesAt(frame), from = other.posesAt(k), to = share > 0 ? other.posesAt(k + 1) : from;
    let most = 0;
    for (let i = 0; i < 7 * bodies; i += 7) {
      let sum = 0;
      for (let j = i; j < i + 3; ++j) sum += (recording.reals[at + j] - other.reals[from + j] - share * (other.reals[to + j] - other.reals[from + j])) ** 2;
      most = Math.max(most, sum);
    }
    return Math.sqrt(most);
  };
}

// --- What to compare with ---

export interface CompareActions {
  film: (() => void) | null; // compare a simulation with the film that it came from
  file(): void; // choose a recording
  none(): void;
}

/** What this is compared with, to be chosen; `show` tells what it is. */
class CompareChoice {
  readonly element: HTMLSelectElement;
  private readonly now = el("option", { value: "now", hidden: true });

  constructor(actions: CompareActions) {
    this.element = el("select", { "aria-label": "Compare with", "data-act": "compare", title: "Draw another recording beside this one: dashed curves, pale bodies",
      onchange: () => {
        if (this.element.value === "film") actions.film?.();
        if (this.element.value === "none") actions.none();
        if (this.element.value === "file") actions.file();
      } },
      el("option", { value: "none" }, "Compare with nothing"), this.now, actions.film !== null && el("option", { value: "film" }, "Compare with the film"),
      el("option", { value: "file" }, "Compare with a file…"));
  }

  /** name: of the other recording; null: there is none. */
  show(name: string | null): void {
    this.now.hidden = name === null;
    setText(this.now, `Pale, dashed: ${name}`);
    this.element.value = name === null ? "none" : "now";
  }
}
