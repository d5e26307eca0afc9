// The panel of plots.
import type { Player } from "../player";
import type { Recording } from "../recording";
import { el } from "./dom";
import { number, quantity } from "./format";
import { Plot, type PlotSpec } from "./plot";
import { toleranceOf, type Series } from "./series";

function specsOf(s: Series, recording: Recording): PlotSpec[] {
  const whole = (value: number) => Number.isNaN(value) ? "–" : String(Math.round(value));
  const tolerance = toleranceOf(recording.scene);
  return [
    { id: "energy", title: "Energy", hint: "Kinetic and potential energy, and their sum.", format: (v) => quantity(v, "J"),
      curves: [{ label: "kinetic", color: "--c1", values: s.kinetic }, { label: "potential", color: "--c2", values: s.potential },
               { label: "total", color: "--c3", values: s.total }] },
    { id: "penetration", title: "Penetration", hint: "The deepest overlap, and the mean over the contacts that touch.",
      format: (v) => quantity(v, "m"),
      curves: [{ label: "max", color: "--c1", values: s.penetration }, { label: "mean", color: "--c2", values: s.penetrationMean }] },
    { id: "contacts", title: "Contacts", hint: "Contact points in the problem, and those that push.", format: whole,
      curves: [{ label: "all", color: "--c2", values: s.contacts }, { label: "active", color: "--c1", values: s.active }] },
    { id: "pivots", title: "Solver", hint: "Pivots of the pivoting methods, iterations of Newton's method.", format: whole,
      curves: [{ label: "pivots", color: "--c1", values: s.pivots }, { label: "iterations", color: "--c2", values: s.iterations }] },
    { id: "certificate", title: "Certificate",
      hint: "How well the step's problem is solved, judged from its data; below the tolerance it counts as solved.",
      format: number, isLogarithmic: true, limit: { value: tolerance, label: `tolerance ${number(tolerance)}` },
      curves: [{ label: "certificate", color: "--c1", values: s.certificate }] },
    { id: "seconds", title: "Step time", hint: "How long the step took to compute.", format: (v) => quantity(v, "s"),
      curves: [{ label: "step time", color: "--c1", values: s.seconds }] },
  ];
}

export class PlotsPanel {
  readonly element: HTMLElement;
  private readonly plots: Plot[];

  constructor(recording: Recording, series: Series, player: Player) {
    this.plots = specsOf(series, recording).map((spec) => new Plot(spec, series, player));
    const unsolved = series.unsolved.length;
    this.element = el("div", { class: "plots" }, ...this.plots.map((plot) => plot.element),
      el("p", { class: "fine" },
         unsolved > 0 && el("span", { class: "bad" }, `${unsolved} of ${recording.frames} frames unsolved, marked red. `),
         "Click or drag in a plot to go there."));
  }

  draw(): void { for (const plot of this.plots) plot.draw(); }
  update(): void { for (const plot of this.plots) plot.update(); }
}
