// A recording on the page: stage, transport, panels, keys, all following one player.
import { LivePlayer } from "../live/live_player";
import { hasSolver, type Session } from "../live/session";
import { Player } from "../player";
import type { Recording } from "../recording";
import { Stage } from "../stage/stage";
import type { Lesson, PageData } from "../types";
import { BodyCard } from "./body";
import { smallButton } from "./controls";
import { DisplayMenu } from "./display";
import { download } from "./download";
import { el, oncePerFrame, setText } from "./dom";
import { ForceLabels } from "./force_labels";
import { Header, type PanelName } from "./header";
import { Help } from "./help";
import { quantity } from "./format";
import { listenForKeys, type ShortcutGroup } from "./keys";
import type { Place } from "./link";
import { LivePanel } from "./live_panel";
import { banner } from "./messages";
import { PlotsPanel } from "./plots";
import { Series } from "./series";
import { SolverPane } from "./solver";
import type { Theme } from "./theme";
import { Transport } from "./transport";
import { verdictOf } from "./words";

const PHONE = "(max-width: 760px)";
const FRAMES_AT_ONCE = 10; // shift and arrows
const SMOOTH = 45; // pictures a second that leave room for everything
const UPDATES_WHEN_SLOW = 10; // of plots and labels in a second, if there are fewer

const REDRAWS = 8; // of plots in a second, while they grow

const TITLES: Record<PanelName, string> = { live: "Live", plots: "Plots", solver: "Solver", display: "Display" };

/** What a viewer asks of the page it is on. */
export interface Pages {
  chooseFile(): void;
  live(): void; // show the simulation instead of the film
  film: (() => void) | null; // and the other way round; null: there is no film
  compareFile(): void; // choose a recording to compare with
}

export class Viewer {
  readonly element: HTMLElement;
  readonly player: Player;
  readonly stage: Stage;
  private readonly header: Header;
  private readonly plots: PlotsPanel;
  private readonly solver: SolverPane;
  private readonly display: DisplayMenu;
  private readonly transport: Transport;
  private readonly bodyCard: BodyCard;
  private readonly series: Series;
  private readonly livePanel: LivePanel | null = null;
  private readonly forceLabels: ForceLabels;
  private readonly hint = el("div", { class: "hint", hidden: true }, "Drag a body to pull it");
  private readonly springLabel = el("div", { class: "spring-label", hidden: true });
  private lastDraw = 0; // of plots [ms]
  private hasNew = false; // frames that plots do not show
  private readonly help: Help;
  private readonly host = el("div", { class: "stage-host", role: "img" });
  private readonly uncertified = el("div", { class: "uncertified", role: "status", hidden: true });
  private readonly messages = el("div", { class: "messages" });
  private readonly panelTitle = el("h2");
  private readonly panel: HTMLElement;
  private readonly contents: Record<PanelName, HTMLElement>;
  private openPanel: PanelName | null = null;
  private lastUpdate = 0; // [ms]
  private readonly cleanups: (() => void)[] = [];

  constructor(app: HTMLElement, readonly recording: Recording, page: PageData, private readonly theme: Theme, pages: Pages,
              private readonly session: Session | null = null, framing: Recording = recording) {
    const title = page.title || recording.scene?.name || recording.name;
    const series = this.series = new Series(recording);
    const livePlayer = session && new LivePlayer(session);
    this.player = livePlayer ?? new Player(recording);
    const live = session ? () => this.togglePanel("live") : hasSolver() && recording.scene?.bodies ? pages.live : null;
    this.header = new Header(title, page, { plots: () => this.togglePanel("plots"), solver: () => this.togglePanel("solver"),
      display: () => this.togglePanel("display"), live, open: pages.chooseFile, theme: () => theme.toggle(), help: () => this.help.toggle() });
    this.transport = new Transport(recording, this.player, series);
    this.panel = el("aside", { class: "panel", hidden: true, "aria-label": "Panel" });
    this.element = el("div", { class: "viewer" }, this.header.element,
      el("div", { class: "stage" }, this.host, this.viewButtons(), this.uncertified, this.messages, this.springLabel, this.hint), this.panel, this.transport.element);
    if (page.lesson) this.addLesson(page.lesson);
    app.append(this.element); // now: the stage measures its host
    this.host.setAttribute("aria-label", `The motion in 3D: ${title}`);
    this.stage = new Stage(this.host, recording, this.player, framing);
    this.plots = new PlotsPanel(recording, series, this.player, { film: session && framing !== recording && framing.frames > 1 ? () => this.compare(framing) : null,
      file: pages.compareFile, none: () => this.compare(null) });
    this.solver = new SolverPane(recording, this.player, (contact) => this.stage.highlight(contact));
    this.display = new DisplayMenu(this.stage, recording, { picture: () => this.savePicture(), scene: () => this.saveScene() });
    this.bodyCard = new BodyCard(recording, this.player, (contact) => this.stage.highlight(contact),
                                 (body) => this.follow(this.stage.options.follow === body ? -1 : body), () => this.pick(-1));
    this.forceLabels = new ForceLabels(this.stage, this.host);
    this.host.parentElement!.append(this.forceLabels.element);
    this.host.parentElement!.append(this.bodyCard.element);
    if (session && livePlayer) {
      this.livePanel = new LivePanel(session, livePlayer, { reset: () => this.reset(), film: pages.film, push: () => this.push() });
      this.letHandsIn(session);
    }
    this.contents = { live: this.livePanel?.element ?? el("div"), plots: this.plots.element, solver: this.solver.element, display: this.display.element };
    this.fillPanel();
    const groups = this.shortcuts();
    this.help = new Help(groups, page.about);
    this.element.append(this.help.element);
    this.cleanups.push(listenForKeys(groups), theme.onChange(() => this.showTheme()));
    this.connect();
    if (page.cards.length > 0) this.letPageScroll();
    for (const text of new Set([page.warning, recording.warning])) if (text) this.say(text);
    if (page.cards.length === 0 && !matchMedia(PHONE).matches) this.togglePanel(this.firstPanel(page));
    if (page.lesson) this.showFor(page.lesson);
    this.showTheme();
    this.update();
  }

  /** A sentence above the stage. */
  say(text: string, isBad = false): void { this.messages.append(banner(text, isBad)); }

  private addLesson(lesson: Lesson): void {
    this.element.classList.add("has-lesson");
    this.element.append(el("article", { class: "lesson", tabindex: 0, "aria-label": "Lesson" }, ...lesson.text.map((text) => el("p", {}, text))));
  }

  /** What a lesson wants to be seen, and from where. */
  private showFor({ show }: Lesson): void {
    for (const name of show.split(",")) {
      if (["front", "side", "top"].includes(name)) this.stage.look(name);
      else if (name in this.stage.options) this.display.apply({ [name]: true });
    }
  }

  private firstPanel(page: PageData): PanelName {
    const wanted = page.lesson?.panel ?? "live";
    return wanted === "solver" || wanted === "plots" ? wanted : this.session ? "live" : "plots";
  }

  /** Go to a place that a link names; what there is not is left out. */
  goTo(place: Place): void {
    if (place.panel !== undefined && place.panel in this.contents && place.panel !== this.openPanel && (place.panel !== "live" || this.session)) {
      this.togglePanel(place.panel as PanelName);
    }
    if (place.body !== undefined && place.body >= 0 && place.body < this.recording.bodies) this.pick(Math.floor(place.body));
    this.stage.view = place.view;
    for (const address of place.plots ?? []) this.plots.add(address);
    if (place.time === undefined) return;
    this.player.pause();
    this.player.seek(place.time);
  }

  /** What is shown, for a link. */
  get place(): Place {
    return { time: this.player.time, body: this.bodyCard.body, panel: this.openPanel ?? undefined, view: this.stage.view, plots: this.plots.addresses };
  }

  /** Show another recording beside this one: dashed curves, pale bodies; null: none. */
  compare(other: Recording | null): void {
    this.stage.compare(other);
    this.plots.compare(other);
    if (other && this.openPanel !== "plots") this.togglePanel("plots");
  }

  /** The picture with its numbers. */
  private savePicture(): void {
    const picture = this.stage.picture(), c = picture.getContext("2d")!, scale = picture.width / Math.max(1, this.host.clientWidth);
    this.forceLabels.drawOn(c, scale);
    picture.toBlob((blob) => { if (blob) download(`${this.fileName}-${this.player.time.toFixed(3)}s.png`, "image/png", blob); });
  }

  /** The scene, as it has been changed if it runs here. */
  private saveScene(): void { download(`${this.fileName}.json`, "application/json", JSON.stringify(this.session?.scene ?? this.recording.scene, null, 1)); }

  private get fileName(): string { return (this.recording.scene?.name || this.recording.name || "scene").replace(/[^\w.-]+/g, "_"); }

  // --- Live ---

  /** Let bodies be dragged, and show what comes of it. */
  private letHandsIn(session: Session): void {
    const kinds = (this.recording.scene?.bodies ?? []).map((body: any) => body.kind ?? "free");
    this.hint.hidden = !kinds.includes("free");
    this.stage.setGrip({
      grab: (body, point) => {
        if (kinds[body] !== "free") return false;
        this.player.seek(this.player.end); // what is held is what is computed
        this.hint.hidden = true;
        session.grab(body, point);
        if (!this.player.isPlaying) this.player.play();
        return true;
      },
      pull: (point) => session.pull(point),
      letGo: () => session.letGo(),
    });
    session.listen({ frames: () => { this.hasNew = true; }, gone: () => { this.series.clear(); this.livePanel?.clear(); },
                     failed: (message) => { this.player.pause(); this.say(message, true); } });
    this.player.onChange(oncePerFrame(() => this.showSpring(session)));
    this.cleanups.push(() => session.close());
  }

  private reset(): void {
    this.session?.reset();
    this.player.seek(this.player.start);
  }

  /** A blow on the picked body, away from the viewer. */
  private push(): void {
    const body = this.bodyCard.body;
    if (!this.session || body < 0) return;
    const { point, impulse } = this.stage.blow(body, massOf(this.recording.scene?.bodies?.[body]));
    this.player.seek(this.player.end);
    this.session.push(body, point, impulse);
    this.player.play();
  }

  private showSpring(session: Session): void {
    const ends = this.stage.spring;
    if (this.springLabel.hidden !== (ends === null)) this.springLabel.hidden = ends === null;
    if (!ends) return;
    const [x, y] = this.stage.project(ends.target), { clientWidth, clientHeight } = this.host;
    setText(this.springLabel, `${quantity(session.force, "N")}${session.isStrained ? " (most)" : ""}`);
    this.springLabel.style.transform = `translate(${(0.5 * (1 + x) * clientWidth + 14).toFixed(0)}px, ${(0.5 * (1 - y) * clientHeight - 10).toFixed(0)}px)`;
  }

  /** Plots and the ruler of a motion that goes on are drawn again now and then. */
  private drawNew(): void {
    const now = performance.now();
    if (!this.hasNew || (this.player.isPlaying && now - this.lastDraw < 1000 / REDRAWS)) return;
    this.hasNew = false;
    this.lastDraw = now;
    this.transport.draw();
    if (this.openPanel === "plots") this.plots.draw();
    if (this.openPanel === "live") this.livePanel?.update(this.bodyCard.body);
  }

  dispose(): void {
    for (const cleanup of this.cleanups) cleanup();
    this.player.isPlaying = false;
    this.stage.dispose();
    this.element.remove();
  }

  private connect(): void {
    this.player.onChange(oncePerFrame(() => { if (this.isDue()) this.update(); }));
    this.stage.onPick((body) => this.pick(body));
    this.stage.onDraw(() => this.forceLabels.update());
    const resized = new ResizeObserver(oncePerFrame(() => this.resize()));
    resized.observe(this.host);
    resized.observe(this.panel);
    this.cleanups.push(() => resized.disconnect());
    // A button pressed with the pointer does not keep the keys: space plays, it does not press the button again.
    this.element.addEventListener("click", (event) => {
      if (event.detail > 0) (event.target as Element).closest<HTMLElement>("button, input[type=checkbox]")?.blur();
    });
  }

  /** On a page that scrolls the wheel zooms with Ctrl only; else nobody comes past the stage. */
  private letPageScroll(): void {
    this.host.addEventListener("wheel", (event) => { if (!event.ctrlKey) event.stopPropagation(); }, { capture: true });
  }

  /** While a motion plays slowly, most pictures are the stage's alone: where the browser draws without a graphics card,
   *  plots and labels cost it as much as the bodies do. */
  private isDue(): boolean {
    const isSmooth = this.stage.framesPerSecond >= SMOOTH;
    return !this.player.isPlaying || isSmooth || performance.now() - this.lastUpdate >= 1000 / UPDATES_WHEN_SLOW;
  }

  private update(): void {
    const { player, recording } = this;
    this.lastUpdate = performance.now();
    document.documentElement.dataset.state = player.isPlaying ? "playing" : "ready";
    this.transport.update();
    if (this.session) this.drawNew();
    if (this.openPanel === "plots") this.plots.update();
    if (this.openPanel === "solver") this.solver.update();
    this.bodyCard.update();
    if (recording.frames === 0) return;
    const step = recording.steps(player.frame), verdict = verdictOf(recording, player.frame), isBad = step > 0 && !verdict.isGood;
    if (this.uncertified.hidden === isBad) this.uncertified.hidden = !isBad;
    if (isBad) setText(this.uncertified, `step ${step} not certified: ${verdict.name}${verdict.amount && ` (${verdict.amount})`}`);
  }

  private resize(): void {
    this.stage.resize();
    this.transport.draw();
    if (this.openPanel === "plots") this.plots.draw();
  }

  private showTheme(): void {
    this.display.apply({ isDark: this.theme.isDark });
    this.header.showTheme(this.theme.isDark);
    this.transport.draw();
    if (this.openPanel === "plots") this.plots.draw();
  }

  private fillPanel(): void {
    const close = smallButton("close", "Close the panel", () => { if (this.openPanel) this.togglePanel(this.openPanel); });
    this.panel.append(el("header", {}, this.panelTitle, close), el("div", { class: "panel-body" }, ...Object.values(this.contents)));
  }

  /** Open a panel; close it if it is open. */
  togglePanel(name: PanelName): void {
    this.openPanel = this.openPanel === name ? null : name;
    for (const [key, content] of Object.entries(this.contents) as [PanelName, HTMLElement][]) {
      content.hidden = key !== this.openPanel;
      this.header.showPanel(key, key === this.openPanel);
    }
    this.solver.isOpen = this.openPanel === "solver";
    this.session?.setNotes(this.solver.isOpen);
    this.livePanel?.update(this.bodyCard.body);
    this.panel.hidden = this.openPanel === null;
    this.element.dataset.panel = this.openPanel ?? "none";
    if (this.openPanel === null) return;
    setText(this.panelTitle, TITLES[this.openPanel]);
    this.panel.setAttribute("aria-label", TITLES[this.openPanel]);
    if (this.openPanel === "plots") this.plots.draw();
    this.solver.update();
  }

  private viewButtons(): HTMLElement {
    const view = (label: string, direction: string, key: string) => el("button",
      { type: "button", "data-view": direction, title: `${label} view (${key})`, onclick: () => this.stage.look(direction) }, label);
    return el("div", { class: "views", role: "group", "aria-label": "View" },
              view("Home", "home", "H"), view("Front", "front", "1"), view("Side", "side", "2"), view("Top", "top", "3"));
  }

  /** Read a body: its card, its rim, the forces on it. -1: none. */
  private pick(body: number): void {
    this.bodyCard.show(body);
    this.stage.select(body);
    this.livePanel?.update(body);
    this.plots.offer(body);
    this.forceLabels.update();
  }

  private follow(body: number): void { this.display.apply({ follow: body }); }

  /** Follow the picked body, else the first that moves; stop if one is followed. */
  private toggleFollow(): void {
    const { bodies } = this.recording;
    if (this.stage.options.follow >= 0) return this.follow(-1);
    if (this.bodyCard.body >= 0) return this.follow(this.bodyCard.body);
    const isFree = (body: number) => (this.recording.scene?.bodies?.[body]?.kind ?? "free") !== "fixed";
    for (let body = 0; body < bodies; ++body) if (isFree(body)) return this.follow(body);
  }

  private shortcuts(): ShortcutGroup[] {
    const { player, stage, display, transport } = this;
    const show = (key: string, option: Parameters<DisplayMenu["toggle"]>[0], help: string) =>
      ({ keys: [key], label: key.toUpperCase(), help, action: () => display.toggle(option) });
    const look = (key: string, direction: string, help: string) =>
      ({ keys: [key], label: key.toUpperCase(), help, action: () => stage.look(direction) });
    return [
      { title: "Time", list: [
        { keys: [" "], label: "Space", help: "play or pause", action: () => player.toggle() },
        { keys: ["ArrowLeft"], label: "←", help: "one frame back", action: () => player.stepFrames(-1) },
        { keys: ["ArrowRight"], label: "→", help: "one frame forward", action: () => player.stepFrames(1) },
        { keys: ["Shift+ArrowLeft"], label: "Shift ←", help: "ten frames back", action: () => player.stepFrames(-FRAMES_AT_ONCE) },
        { keys: ["Shift+ArrowRight"], label: "Shift →", help: "ten frames forward", action: () => player.stepFrames(FRAMES_AT_ONCE) },
        { keys: ["Home"], label: "Home", help: "first frame", action: () => player.seek(player.start) },
        { keys: ["End"], label: "End", help: "last frame", action: () => { player.pause(); player.seek(player.end); } },
        { keys: ["+", "="], label: "+", help: "faster", action: () => transport.changeSpeed(1) },
        { keys: ["-", "_"], label: "−", help: "slower", action: () => transport.changeSpeed(-1) },
        { keys: ["0"], label: "0", help: "real time", action: () => player.setSpeed(1) },
        { keys: ["o"], label: "O", help: "loop", action: () => transport.toggleLoop() } ] },
      { title: "Show", list: [
        show("c", "contacts", "contact points"), show("n", "normals", "contact normals"), show("v", "forces", "contact forces"),
        show("k", "cones", "friction cones"), show("j", "joints", "joint frames"), show("t", "trails", "trails"), show("g", "grid", "grid"),
        show("w", "wire", "wire frame") ] },
      { title: "View", list: [
        look("h", "home", "everything in view"), look("1", "front", "from the front"), look("2", "side", "from the side"),
        look("3", "top", "from above"),
        { keys: ["f"], label: "F", help: "follow the picked body", action: () => this.toggleFollow() } ] },
      { title: "Page", list: [
        { keys: ["e"], label: "E", help: "the simulation itself, live", action: () => { this.header.live.click(); } },
        { keys: ["r"], label: "R", help: "live: back to the start", action: () => this.reset() },
        { keys: ["p"], label: "P", help: "plots", action: () => this.togglePanel("plots") },
        { keys: ["s"], label: "S", help: "solver pane", action: () => this.togglePanel("solver") },
        { keys: ["d"], label: "D", help: "display menu", action: () => this.togglePanel("display") },
        { keys: ["l"], label: "L", help: "light or dark", action: () => this.theme.toggle() },
        { keys: ["?"], label: "?", help: "this help", action: () => this.help.toggle() },
        { keys: ["Escape"], label: "Esc", help: "let go of the picked body", action: () => this.pick(-1) } ] },
    ];
  }
}

/** Of a body of the scene, for the size of a blow [kg]; one that is not written is taken for 1. */
function massOf(body: any): number { return body?.mass > 0 ? body.mass : 1; }
