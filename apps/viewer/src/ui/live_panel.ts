// The panel of a live page: what may be changed while the simulation runs, and how it goes.
import type { LivePlayer } from "../live/live_player";
import type { Session } from "../live/session";
import { actuatorsOf, schemeOf, SCHEMES, setScheme, settingsOf, targetsOf, type Setting } from "../live/settings";
import { download } from "./download";
import { el, setText } from "./dom";
import { number, quantity } from "./format";
import { isCertified } from "./words";

export interface LiveActions { reset(): void; film: (() => void) | null; push(): void }

export class LivePanel {
  readonly element: HTMLElement;
  private readonly facts = el("div", { class: "live-facts" });
  private readonly pushButton: HTMLButtonElement;
  private readonly refreshers: (() => void)[] = [];
  private judged = 0; // frames that have been counted
  private certified = 0;

  constructor(private readonly session: Session, private readonly player: LivePlayer, actions: LiveActions) {
    const button = (label: string, hint: string, act: string, action: () => void) =>
      el("button", { type: "button", class: "plain", title: hint, "data-act": act, onclick: action }, label);
    this.pushButton = button("Push the picked body", "A blow that changes its speed by 1 m/s, away from you", "push", actions.push);
    const targets = targetsOf(session.scene), actuators = actuatorsOf(session.scene);
    this.element = el("div", { class: "display live" },
      el("p", { class: "fine" }, "Drag a body to pull it. Every step is computed here, and certified."),
      el("div", { class: "live-buttons" }, button("Reset", "Back to the start, with these settings (R)", "reset", actions.reset), this.pushButton,
         actions.film && button("Back to the film", "The recording that came with the page", "film", actions.film)),
      this.facts,
      ...settingsOf(session.scene).map((setting) => this.slider(setting)),
      this.schemeChoice(),
      targets.length > 0 && el("details", { class: "targets" }, el("summary", {}, `Joint targets (${targets.length})`), ...targets.map((t) => this.slider(t))),
      actuators.length > 0 && el("details", { class: "targets", open: true }, el("summary", {}, `Controls (${actuators.length})`),
        ...actuators.map((a) => this.rangeOf(a.label, `control-${a.index}`, a.min, a.max, (a.max - a.min) / 400, () => a.value, (v) => number(v),
                                             (v) => { a.value = v; session.control(a.index, v); }))),
      el("div", { class: "live-buttons" },
         button("Save the scene", "The scene with these settings, as JSON", "save-scene",
                () => download(`${session.scene.name || "scene"}.json`, "application/json", JSON.stringify(session.scene, null, 1)))));
    this.refresh();
  }

  /** Show how it goes. */
  update(body: number): void {
    const { session, player } = this, { recording } = session;
    for (; this.judged < recording.frames; ++this.judged) if (recording.steps(this.judged) > 0 && isCertified(recording, this.judged)) ++this.certified;
    const steps = recording.frames - (recording.frames > 0 && recording.steps(0) === 0 ? 1 : 0);
    const fact = (label: string, value: string, id: string) => el("div", { class: "fact" }, el("span", {}, label), el("b", { "data-fact": id }, value));
    const perStep = session.stepSeconds, share = recording.dt / perStep;
    this.facts.replaceChildren(
      fact("certified", `${this.certified} of ${steps} frames`, "certified"),
      fact("time per step", Number.isNaN(perStep) ? "–" : quantity(perStep, "s"), "step-time"),
      fact("speed", Number.isNaN(perStep) ? "–" : share >= player.speed ? `real time, ${number(share)}× possible` : `${number(share)}× real time`, "speed"),
      fact("hand", session.force > 0 ? `${quantity(session.force, "N")}${session.isStrained ? ", as hard as it may" : ""}` : "–", "hand"));
    this.pushButton.disabled = body < 0;
  }

  /** Frames have gone. */
  clear(): void { this.judged = this.certified = 0; }

  /** Show the settings of the scene. */
  refresh(): void { for (const refresh of this.refreshers) refresh(); }

  private slider(s: Setting): HTMLElement {
    const { session } = this, up = (v: number) => s.isLogarithmic ? Math.pow(10, v) : v, down = (v: number) => s.isLogarithmic ? Math.log10(v) : v;
    return this.rangeOf(s.label, s.id, down(s.min), down(s.max), s.step, () => down(s.read(session.scene)),
                        (v) => s.unit === "" || s.unit === "°" ? `${Number(up(v).toFixed(2))}${s.unit}` : quantity(up(v), s.unit),
                        (v) => session.change((scene) => s.write(scene, up(v))));
  }

  private rangeOf(label: string, id: string, min: number, max: number, step: number, read: () => number, told: (value: number) => string,
                  write: (value: number) => void): HTMLElement {
    const text = el("output");
    const input = el("input", { type: "range", min, max, step, "aria-label": label, "data-setting": id, oninput: () => {
      write(Number(input.value));
      setText(text, told(Number(input.value)));
    } });
    this.refreshers.push(() => {
      input.value = String(read());
      setText(text, told(read()));
    });
    return el("label", { class: "range" }, el("span", {}, label), input, text);
  }

  private schemeChoice(): HTMLElement {
    const { session } = this;
    const select = el("select", { "aria-label": "Scheme", "data-setting": "scheme", onchange: () => session.change((scene) => setScheme(scene, select.value)) },
                      ...SCHEMES.map(([name, label]) => el("option", { value: name }, label)));
    this.refreshers.push(() => { select.value = schemeOf(session.scene); });
    return el("label", { class: "range" }, el("span", {}, "Scheme"), select);
  }
}
