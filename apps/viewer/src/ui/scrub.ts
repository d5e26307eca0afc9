// The slider of time: a native range over a ruler of frames.
import type { Player } from "../player";
import { el } from "./dom";
import { roundUp } from "./format";
import type { Series } from "./series";

const TICK_ROOM = 4; // pixels that a frame's tick needs
const LABEL_ROOM = 64; // pixels that a time's label needs
const INSET = 8; // half a thumb: where the range's track begins

export class Scrub {
  readonly element: HTMLElement;
  private readonly input: HTMLInputElement;
  private readonly ruler = el("canvas", { class: "ruler", "aria-hidden": "true" });
  private shownTime = NaN;
  private shownStart = NaN;
  private shownEnd = NaN;

  constructor(private readonly player: Player, private readonly series: Series) {
    this.input = el("input", { type: "range", min: player.start, max: player.end, step: "any", "aria-label": "Time",
                               oninput: () => player.seek(Number(this.input.value)) });
    let wasPlaying = false;
    this.input.addEventListener("pointerdown", () => { wasPlaying = player.isPlaying; player.pause(); });
    this.input.addEventListener("pointerup", () => { if (wasPlaying) player.play(); wasPlaying = false; });
    this.element = el("div", { class: "scrub" }, this.ruler, this.input);
  }

  update(valueText: () => string): void {
    const { time, start, end, isPlaying } = this.player;
    if (end !== this.shownEnd || start !== this.shownStart) { // of a simulation that goes on
      [this.shownStart, this.shownEnd, this.shownTime] = [start, end, NaN];
      this.input.min = String(start);
      this.input.max = String(end);
    }
    if (time !== this.shownTime) {
      this.shownTime = time;
      this.input.value = String(time);
      this.input.style.setProperty("--done", `${(end > start ? (time - start) / (end - start) : 0) * 100}%`);
    }
    if (!isPlaying) this.input.setAttribute("aria-valuetext", valueText()); // a reader would be told sixty times a second
  }

  /** Draw the ruler for the present size and theme. */
  draw(): void {
    const scale = Math.min(2, window.devicePixelRatio || 1);
    const width = this.ruler.clientWidth, height = this.ruler.clientHeight;
    if (width === 0) return;
    this.ruler.width = Math.round(width * scale);
    this.ruler.height = Math.round(height * scale);
    const c = this.ruler.getContext("2d")!;
    c.scale(scale, scale);
    const style = getComputedStyle(this.element);
    const { start, end, times } = this.player;
    const x = (time: number) => INSET + (end > start ? (time - start) / (end - start) : 0) * (width - 2 * INSET);
    this.drawFrames(c, x, width, style.getPropertyValue("--line-strong"));
    this.drawTimes(c, x, width, height, style.getPropertyValue("--muted"));
    c.fillStyle = style.getPropertyValue("--bad");
    for (const frame of this.series.uncertified) c.fillRect(x(times[frame]) - 1, 0, 2, 9);
  }

  private drawFrames(c: CanvasRenderingContext2D, x: (time: number) => number, width: number, color: string): void {
    const { times } = this.player;
    if (times.length * TICK_ROOM > width) return;
    c.fillStyle = color;
    for (const time of times) c.fillRect(Math.round(x(time)), 4, 1, 4);
  }

  private drawTimes(c: CanvasRenderingContext2D, x: (time: number) => number, width: number, height: number, color: string): void {
    const { start, end } = this.player;
    if (!(end > start)) return;
    const interval = roundUp((end - start) * LABEL_ROOM / width);
    const decimals = Math.max(0, -Math.floor(Math.log10(interval) + 1e-9));
    c.fillStyle = color;
    c.font = "10px system-ui, sans-serif";
    c.textBaseline = "bottom";
    for (let k = Math.ceil(start / interval - 1e-9); k * interval <= end + 1e-9 * interval; ++k) {
      const at = x(k * interval);
      c.fillRect(Math.round(at), 2, 1, 7);
      c.textAlign = at < 20 ? "left" : at > width - 20 ? "right" : "center";
      c.fillText(`${(k * interval).toFixed(decimals)} s`, at < 20 ? 2 : at > width - 20 ? width - 2 : at, height);
    }
  }
}
