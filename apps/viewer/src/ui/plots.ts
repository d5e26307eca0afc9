// The panel of plots.
import type { Player } from "../player";
import type { Recording } from "../recording";
import { el, setText } from "./dom";
import { number, quantity } from "./format";
import { Plot, type PlotSpec } from "./plot";
import { toleranceOf, type Quantity, type Series } from "./series";

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
const FLOORS: Record<string, number> = { m: 1e-9, J: 1e-9 };

function specOf(entry: Entry, series: Series, recording: Recording): PlotSpec {
  const tolerance = toleranceOf(recording.scene);
  return { ...entry, format: formatOf(entry.unit), floor: FLOORS[entry.unit],
    limit: entry.id === "certificate" ? { value: tolerance, label: `tolerance ${number(tolerance)}` } : undefined,
    curves: entry.curves.map(([label, quantity], i) => ({ label, color: `--c${i + 1}`, column: series.column(quantity) })) };
}

export class PlotsPanel {
  readonly element: HTMLElement;
  private readonly plots: Plot[];
  private readonly verdict = el("span", { class: "bad" });

  constructor(private readonly recording: Recording, private readonly series: Series, player: Player) {
    const shown = PLOTS.filter((entry) => recording.has(entry.needs));
    this.plots = shown.map((entry) => new Plot(specOf(entry, series, recording), series, player));
    this.element = el("div", { class: "plots" }, ...this.plots.map((plot) => plot.element),
      el("p", { class: "fine" }, this.verdict, "Click or drag in a plot to go there."));
    this.showVerdict();
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
