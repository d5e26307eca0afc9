// The menu of what the stage shows.
import type { Recording } from "../recording";
import type { Stage, StageOptions } from "../stage/stage";
import { el } from "./dom";
import { bodyName, kindMeaning, kindName } from "./words";

type Switch = { [K in keyof StageOptions]: StageOptions[K] extends boolean ? K : never }[keyof StageOptions];

const SWITCHES: [option: Switch, label: string, key: string][] = [
  ["contacts", "Contact points", "C"], ["normals", "Contact normals", "N"], ["forces", "Contact forces", "V"],
  ["cones", "Friction cones", "K"], ["joints", "Joint frames", "J"], ["trails", "Trails", "T"],
  ["shadows", "Shadows", ""], ["grid", "Grid", "G"], ["wire", "Wire frame", "W"],
];

export class DisplayMenu {
  readonly element: HTMLElement;
  private readonly boxes = new Map<Switch, HTMLInputElement>();
  private readonly scale: HTMLInputElement;
  private readonly scaleText = el("output");
  private readonly threshold: HTMLInputElement;
  private readonly thresholdText = el("output");
  private readonly follow: HTMLSelectElement;

  constructor(private readonly stage: Stage, recording: Recording, saves: { picture(): void; scene(): void }) {
    this.scale = this.slider("Force scale", -1, 1, 0.05, (v) => ({ forceScale: Math.pow(10, v) }));
    this.threshold = this.slider("Force threshold", 0, 0.5, 0.01, (v) => ({ forceThreshold: v }));
    this.follow = el("select", { "aria-label": "Follow a body", onchange: () => this.apply({ follow: Number(this.follow.value) }) },
                     el("option", { value: -1 }, "nothing"),
                     ...Array.from({ length: recording.bodies }, (_, i) => el("option", { value: i }, bodyName(recording, i))));
    this.element = el("div", { class: "display" },
      el("div", { class: "switches" }, ...SWITCHES.map(([option, label, key]) => this.switch(option, label, key))),
      kindLegend(),
      el("label", { class: "range" }, el("span", {}, "Force scale"), this.scale, this.scaleText),
      el("label", { class: "range" }, el("span", {}, "Hide forces below"), this.threshold, this.thresholdText),
      el("label", { class: "range" }, el("span", {}, "Follow"), this.follow),
      el("div", { class: "live-buttons" },
         el("button", { type: "button", class: "plain", "data-act": "save-picture", title: "What the stage shows, as PNG", onclick: saves.picture }, "Save the picture"),
         recording.scene?.bodies !== undefined &&
           el("button", { type: "button", class: "plain", "data-act": "save-film-scene", title: "The scene as JSON, for cairn sim", onclick: saves.scene }, "Save the scene")));
    this.refresh();
  }

  toggle(option: Switch): void { this.apply({ [option]: !this.stage.options[option] }); }

  apply(changes: Partial<StageOptions>): void {
    this.stage.set(changes);
    this.refresh();
  }

  /** Show what the stage has. */
  refresh(): void {
    const { options } = this.stage;
    for (const [option, box] of this.boxes) box.checked = options[option];
    this.scale.value = String(Math.log10(options.forceScale));
    this.scaleText.textContent = `${Number(options.forceScale.toPrecision(2))}×`;
    this.threshold.value = String(options.forceThreshold);
    this.thresholdText.textContent = `${Math.round(100 * options.forceThreshold)} %`;
    this.follow.value = String(options.follow);
  }

  private switch(option: Switch, label: string, key: string): HTMLElement {
    const box = el("input", { type: "checkbox", role: "switch", "data-option": option,
                              onchange: () => this.apply({ [option]: box.checked }) });
    this.boxes.set(option, box);
    return el("label", { class: "switch" }, box, el("span", {}, label), key !== "" && el("kbd", {}, key));
  }

  private slider(label: string, min: number, max: number, step: number,
                 change: (value: number) => Partial<StageOptions>): HTMLInputElement {
    const input = el("input", { type: "range", min, max, step, "aria-label": label,
                                oninput: () => this.apply(change(Number(input.value))) });
    return input;
  }
}

/** What the colours of contacts mean. */
function kindLegend(): HTMLElement {
  return el("div", { class: "kinds", role: "group", "aria-label": "Colours of contacts" },
            ...[0, 1, 2, 3, 4].map((kind) => el("span", { class: `kind kind-${kind}`, title: kindMeaning(kind) }, kindName(kind))));
}
