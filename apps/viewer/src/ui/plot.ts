// One plot: curves over the whole recording, drawn once; the moment shown is a line and dots laid over it, which are moved and
// never drawn again.
import type { Player } from "../player";
import { smallButton } from "./controls";
import { el, onDrag, setText } from "./dom";
import { decimate, extent, type Column, type Series } from "./series";
import { number } from "./format";

/** other: the same of the recording that this one is compared with. */
export interface Curve { label: string; color: string /* of a style variable */; column: Column; other?: Column }

export interface PlotSpec {
  id: string;
  title: string;
  hint: string; // what it tells, for those who ask
  curves: Curve[];
  format: (value: number) => string;
  isLogarithmic?: boolean;
  floor?: number; // the axis spans at least this: rounding errors shall not look like motion
  limit?: { value: number; label: string };
  close?: () => void; // it can be taken away again
}

const FLOOR = 1e-17; // of logarithmic axes: an exact 0 is drawn here
const TOP = 14, BOTTOM = 3; // pixels above the curves, where the largest value is written, and below

interface Range { low: number; high: number }

export class Plot {
  readonly element: HTMLElement;
  private readonly canvas = el("canvas", { class: "plot-curve" });
  private readonly cursor = el("div", { class: "plot-cursor" });
  private readonly dots: HTMLElement[];
  private readonly values: HTMLElement[];
  private readonly differences: HTMLElement[]; // from the other recording
  private range: Range;
  private width = 0;
  private height = 0;
  private shownFrame = -1;

  /** other: figures of the recording that this one is compared with. */
  constructor(private readonly spec: PlotSpec, private readonly series: Series, private readonly player: Player, private readonly other: Series | null = null) {
    this.range = rangeOf(spec);
    this.values = spec.curves.map(() => el("span", { class: "plot-value" }, "–"));
    this.differences = spec.curves.map(() => el("span", { class: "plot-delta" }));
    this.dots = spec.curves.map((curve) => el("div", { class: "plot-dot", style: `background: var(${curve.color})` }));
    const area = el("div", { class: "plot-area", role: "img", "aria-label": `${spec.title} over time. ${spec.hint}` },
                    this.canvas, this.cursor, ...this.dots);
    // Three values do not fit beside the title unless they stand below their labels.
    const kind = spec.close || spec.curves.some((curve) => curve.other) ? " added" : spec.curves.length > 2 ? " tall" : "";
    this.element = el("section", { class: `plot${kind}`, "data-plot": spec.id },
                      el("header", {}, el("h3", { title: spec.hint }, spec.title), this.legend(),
                         spec.close !== undefined && smallButton("close", "Take this plot away", spec.close)), area);
    let wasPlaying = false;
    onDrag(area, () => { wasPlaying = player.isPlaying; player.pause(); },
           (share) => player.seek(player.start + share * (player.end - player.start)),
           () => { if (wasPlaying) player.play(); });
  }

  /** Its curves, for a table. */
  get columns(): { name: string; column: Column }[] {
    const { title, curves } = this.spec;
    return curves.map(({ label, column }) => ({ name: curves.length > 1 ? `${title} ${label}` : title, column }));
  }

  private legend(): HTMLElement {
    const isOne = this.spec.curves.length === 1;
    return el("div", { class: "plot-legend" }, ...this.spec.curves.map((curve, i) =>
      el("span", { class: "plot-key", "data-curve": curve.label },
         el("i", { style: `background: var(${curve.color})` }), !isOne && el("span", {}, curve.label), this.values[i], curve.other !== undefined && this.differences[i])));
  }

  /** Draw the curves for the present size and theme. */
  draw(): void {
    const scale = Math.min(2, window.devicePixelRatio || 1);
    this.width = this.canvas.clientWidth;
    this.height = this.canvas.clientHeight;
    if (this.width === 0) return;
    this.range = rangeOf(this.spec);
    this.canvas.width = Math.round(this.width * scale);
    this.canvas.height = Math.round(this.height * scale);
    const c = this.canvas.getContext("2d")!;
    c.scale(scale, scale);
    const style = getComputedStyle(this.element);
    const color = (name: string) => style.getPropertyValue(name).trim();
    this.drawUncertified(c, color("--bad"));
    if (this.spec.limit) this.drawLimit(c, this.spec.limit, color("--limit"));
    for (const { other, color: name } of this.spec.curves) {
      if (!other || !this.other) continue;
      c.setLineDash([3, 3]);
      this.drawCurve(c, other, this.other, color(name));
      c.setLineDash([]);
    }
    for (const curve of this.spec.curves) this.drawCurve(c, curve.column, this.series, color(curve.color));
    this.drawBounds(c, color("--muted"), color("--well"));
    this.shownFrame = -1;
    this.update();
  }

  /** Move the cursor to the moment of the player. */
  update(): void {
    if (this.width === 0) return;
    this.cursor.style.transform = `translateX(${this.x(this.player.time).toFixed(1)}px)`;
    const frame = this.player.frame;
    if (frame === this.shownFrame) return;
    this.shownFrame = frame;
    const x = this.x(this.series.times[frame]);
    this.spec.curves.forEach((curve, i) => {
      const value = curve.column.values[frame];
      setText(this.values[i], this.spec.format(value));
      setText(this.differences[i], this.differenceText(curve, value));
      this.dots[i].style.transform = Number.isNaN(value) ? "translate(-99px, 0)" // out of sight
        : `translate(${x.toFixed(1)}px, ${this.y(value).toFixed(1)}px)`;
    });
  }

  private x(time: number): number {
    const { start, end } = this.player;
    return end > start ? (time - start) / (end - start) * this.width : 0;
  }

  private y(value: number): number {
    const v = this.spec.isLogarithmic ? Math.log10(Math.max(FLOOR, value)) : value;
    const share = (v - this.range.low) / (this.range.high - this.range.low);
    return this.height - BOTTOM - share * (this.height - TOP - BOTTOM);
  }

  /** By how much the value is above that of the other recording at the same time. */
  private differenceText(curve: Curve, value: number): string {
    if (!curve.other || !this.other) return "";
    const difference = value - this.other.valueAt(curve.other, this.player.times[this.player.frame]);
    return Number.isNaN(difference) ? "" : `Δ ${this.spec.format(difference)}`;
  }

  private drawCurve(c: CanvasRenderingContext2D, column: Column, series: Series, color: string): void {
    const points = decimate(column.values, (i) => this.x(series.times[i]), this.width);
    c.strokeStyle = color;
    c.lineWidth = 1.4;
    c.lineJoin = "round";
    c.beginPath();
    points.forEach(([x, value], i) => { if (i === 0) c.moveTo(x, this.y(value)); else c.lineTo(x, this.y(value)); });
    if (points.length === 1) c.arc(points[0][0], this.y(points[0][1]), 1, 0, 7);
    c.stroke();
  }

  private drawUncertified(c: CanvasRenderingContext2D, color: string): void {
    c.fillStyle = color;
    for (const frame of this.series.uncertified) {
      const x = this.x(this.series.times[frame]);
      c.globalAlpha = 0.22;
      c.fillRect(x - 1, 0, 2, this.height);
      c.globalAlpha = 1;
      c.fillRect(x - 1, 0, 2, 4);
    }
  }

  private drawLimit(c: CanvasRenderingContext2D, limit: { value: number; label: string }, color: string): void {
    const y = this.y(limit.value);
    c.strokeStyle = c.fillStyle = color;
    c.setLineDash([4, 3]);
    c.lineWidth = 1;
    c.beginPath(); c.moveTo(0, y); c.lineTo(this.width, y); c.stroke();
    c.setLineDash([]);
    c.font = "10px system-ui, sans-serif";
    c.textAlign = "right";
    c.fillText(limit.label, this.width - 3, y - 3);
  }

  private drawBounds(c: CanvasRenderingContext2D, color: string, ground: string): void {
    const bound = (v: number) => this.spec.isLogarithmic ? number(Math.pow(10, v)) : this.spec.format(v);
    const write = (text: string, y: number, baseline: CanvasTextBaseline) => {
      c.textBaseline = baseline;
      c.strokeText(text, 4, y); // a rim in the colour of the ground: curves may run behind
      c.fillText(text, 4, y);
    };
    c.fillStyle = color;
    c.strokeStyle = ground;
    c.lineWidth = 3;
    c.font = "10px system-ui, sans-serif";
    c.textAlign = "left";
    write(bound(this.range.high), 3, "top");
    if (this.range.low !== 0) write(bound(this.range.low), this.height - 2, "bottom"); // a bottom of 0 goes without saying
  }
}

/** What the axis spans: 0 and everything drawn; decades if it is logarithmic. */
function rangeOf(spec: PlotSpec): Range {
  const found = extent(spec.curves.flatMap(({ column, other }) => other ? [column.values, other.values] : [column.values])) ?? [0, 0];
  if (spec.isLogarithmic) {
    const high = Math.max(found[1], spec.limit?.value ?? 0, 10 * FLOOR);
    const low = Math.max(FLOOR, Math.min(found[0] > 0 ? found[0] : FLOOR, high / 10));
    return { low: Math.floor(Math.log10(low)), high: Math.ceil(Math.log10(high) + 0.01) };
  }
  const low = Math.min(0, found[0]), high = Math.max(0, found[1]), floor = spec.floor ?? 0;
  if (high - low < floor) return { low: low < 0 ? -floor : 0, high: floor };
  return high > low ? { low, high } : { low, high: low + 1 };
}
