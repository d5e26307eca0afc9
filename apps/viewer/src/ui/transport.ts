// The bar below the stage: play, step, scrub, speed, loop.
import type { Player } from "../player";
import type { Recording } from "../recording";
import { iconButton } from "./controls";
import { el, setPressed, setText } from "./dom";
import { timeDecimals } from "./format";
import { icon } from "./icons";
import { Scrub } from "./scrub";
import type { Series } from "./series";

const SPEEDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 4];

export class Transport {
  readonly element: HTMLElement;
  private readonly scrub: Scrub;
  private readonly playButton: HTMLButtonElement;
  private readonly loopButton: HTMLButtonElement;
  private readonly speed: HTMLSelectElement;
  private readonly clock = el("span", { class: "clock" });
  private readonly frame = el("span", { class: "frame" });
  private readonly decimals: number;
  private shownPlaying: boolean | null = null;

  constructor(private readonly recording: Recording, private readonly player: Player, series: Series) {
    this.decimals = timeDecimals(recording.frames > 1 ? (player.end - player.start) / (recording.frames - 1) : recording.dt);
    this.scrub = new Scrub(player, series);
    this.playButton = iconButton("play", "Play", () => player.toggle(), { class: "icon primary", "data-act": "play" });
    this.loopButton = iconButton("loop", "Loop", () => this.toggleLoop(), { "data-act": "loop" });
    this.speed = el("select", { "aria-label": "Speed", title: "Speed (+ and - keys)",
                                onchange: () => player.setSpeed(Number(this.speed.value)) },
                    ...SPEEDS.map((speed) => el("option", { value: speed }, `${speed}×`)));
    this.element = el("div", { class: "transport", role: "group", "aria-label": "Playback" },
      el("div", { class: "buttons" },
         iconButton("back", "One frame back", () => player.stepFrames(-1), { "data-act": "back" }), this.playButton,
         iconButton("forward", "One frame forward", () => player.stepFrames(1), { "data-act": "forward" })),
      el("div", { class: "reading" }, this.clock, this.frame), this.scrub.element,
      el("div", { class: "buttons" }, this.speed, this.loopButton));
    this.update();
  }

  /** The next speed of the list, up or down. */
  changeSpeed(direction: number): void {
    const next = direction > 0 ? SPEEDS.find((speed) => speed > this.player.speed * 1.001)
                               : [...SPEEDS].reverse().find((speed) => speed < this.player.speed * 0.999);
    if (next !== undefined) this.player.setSpeed(next);
  }

  toggleLoop(): void {
    this.player.isLooping = !this.player.isLooping;
    this.update();
  }

  draw(): void { this.scrub.draw(); }

  update(): void {
    const { player, recording } = this;
    const frame = player.frame;
    setText(this.clock, `${player.time.toFixed(this.decimals)} s`);
    setText(this.frame, `frame ${frame} of ${Math.max(0, recording.frames - 1)}`);
    this.scrub.update(() => `${this.clock.textContent}, ${this.frame.textContent}`);
    setPressed(this.loopButton, player.isLooping);
    if (Number(this.speed.value) !== player.speed) this.speed.value = String(player.speed);
    if (player.isPlaying !== this.shownPlaying) this.showPlaying(player.isPlaying);
  }

  private showPlaying(isPlaying: boolean): void {
    this.shownPlaying = isPlaying;
    const label = isPlaying ? "Pause" : "Play";
    this.playButton.replaceChildren(icon(isPlaying ? "pause" : "play"));
    this.playButton.setAttribute("aria-label", label);
    this.playButton.title = `${label} (space)`;
  }
}
