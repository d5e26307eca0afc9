// Numbers beside the arrows of the forces on the body that is picked.
import type { ForceLabel } from "../stage/contacts";
import type { Stage } from "../stage/stage";
import { el, setText } from "./dom";
import { quantity } from "./format";

const HEIGHT = 17, ASIDE = 8; // [pixels]

const textOf = ({ size, isImpulse }: ForceLabel) => quantity(Number(size.toPrecision(3)), isImpulse ? "N s" : "N");

export class ForceLabels {
  readonly element = el("div", { class: "force-labels", "aria-hidden": "true" });
  private readonly labels: HTMLElement[] = [];

  constructor(private readonly stage: Stage, private readonly host: HTMLElement) {}

  update(): void {
    const places = this.places();
    while (this.labels.length < places.length) {
      const label = el("span", { class: "force-label" });
      this.labels.push(label);
      this.element.append(label);
    }
    this.labels.forEach((label, i) => {
      const place = places[i];
      if (label.hidden !== !place) label.hidden = !place;
      if (!place) return;
      setText(label, place.text);
      label.style.transform = `translate(${place.x.toFixed(0)}px, ${place.y.toFixed(0)}px)`;
    });
  }

  /** Write them on a picture. */
  drawOn(c: CanvasRenderingContext2D, scale: number): void {
    const style = getComputedStyle(this.element);
    c.font = `600 ${12 * scale}px system-ui, sans-serif`;
    c.textBaseline = "middle";
    c.lineWidth = 3 * scale;
    c.strokeStyle = style.getPropertyValue("--surface");
    c.fillStyle = style.getPropertyValue("--ink");
    for (const { text, x, y } of this.places()) {
      c.strokeText(text, x * scale, (y + HEIGHT / 2) * scale);
      c.fillText(text, x * scale, (y + HEIGHT / 2) * scale);
    }
  }

  /** Beside the tips, the largest force first; those that would lie on one before are moved down, or left out beyond the stage. */
  private places(): { text: string; x: number; y: number }[] {
    const { clientWidth, clientHeight } = this.host, placed: { text: string; x: number; y: number }[] = [];
    for (const label of this.stage.forceLabels) {
      const [u, v, depth] = this.stage.project(label.tip), text = textOf(label);
      const x = 0.5 * (1 + u) * clientWidth + ASIDE;
      let y = 0.5 * (1 - v) * clientHeight - HEIGHT / 2;
      if (depth > 1 || x < 0 || x > clientWidth - 20 || y < 0 || y > clientHeight - HEIGHT) continue;
      const isTaken = () => placed.some((p) => Math.abs(p.x - x) < 58 && Math.abs(p.y - y) < HEIGHT);
      for (let k = 0; k < 6 && isTaken(); ++k) y += HEIGHT;
      if (!isTaken()) placed.push({ text, x, y });
    }
    return placed;
  }
}
