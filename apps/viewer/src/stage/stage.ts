// The stage: a recording's bodies, contacts and joints at the player's moment, drawn whenever something has changed.
import { Raycaster, Scene, Vector2 } from "three";
import type { Player } from "../player";
import type { Recording } from "../recording";
import type { Vec3 } from "../types";
import { Bodies } from "./bodies";
import { extentOf, type Extent } from "./bounds";
import { Rig } from "./camera";
import { Contacts, type ForceLabel } from "./contacts";
import { describe, type Description } from "./description";
import { Ghost } from "./ghost";
import { Ground } from "./ground";
import { Halo } from "./halo";
import { Hand, type Grip } from "./hand";
import { Joints } from "./joints";
import { Lights } from "./lights";
import { Motion } from "./motion";
import { onClick } from "./pick";
import { levelsFor, Meter, Quality, type Level } from "./quality";
import { makeRenderer, type Drawing } from "./renderer";
import { themeOf } from "./theme";
import { Trails } from "./trails";

export interface StageOptions {
  contacts: boolean; normals: boolean; forces: boolean; cones: boolean; joints: boolean; trails: boolean;
  shadows: boolean; grid: boolean; wire: boolean;
  forceScale: number; // 1: automatic
  forceThreshold: number; // share of the largest force; smaller ones are hidden
  follow: number; // body, -1: none
  isDark: boolean;
}

const DEFAULTS: StageOptions = {
  contacts: false, normals: false, forces: true, cones: false, joints: false, trails: false,
  shadows: true, grid: true, wire: false, forceScale: 1, forceThreshold: 0, follow: -1, isDark: false,
};
const ROOM_TO_PLAY = 0.3; // around a scene that can be touched, in sizes of it
const STILL = 0.25; // [s] after the last change a picture is drawn as finely as can be
const LONGEST_STEP = 0.1; // [s] of playing that a slow picture counts for, at most

export class Stage {
  private current: StageOptions = { ...DEFAULTS };
  private readonly drawing: Drawing;
  private readonly description: Description;
  private readonly extent: Extent;
  private readonly scene = new Scene();
  private readonly motion: Motion;
  private readonly bodies: Bodies;
  private readonly ground: Ground;
  private readonly lights: Lights;
  private readonly contacts: Contacts;
  private readonly joints: Joints;
  private trails: Trails | null = null; // made when first asked for
  private hand: Hand | null = null; // of live pages
  private readonly rig: Rig;
  private readonly quality: Quality;
  private readonly meter = new Meter();
  private readonly sizeWatch: ResizeObserver;
  private readonly stopClicks: () => void;
  private readonly pickers: ((body: number) => void)[] = [];
  private readonly watchers: (() => void)[] = []; // of pictures
  private direction = "home"; // that the view is seen from; "": one of the viewer's own
  private highlighted = -1;
  private selected = -1; // body that is picked
  private readonly loner: number; // the only body of a simulation that moves; -1: there is none
  private readonly halo: Halo;
  private ghost: Ghost | null = null; // of the recording that this one is compared with
  private width = 0;
  private height = 0;
  private handle = 0;
  private last = 0; // time of the last tick [s]
  private lastChange = 0;
  private hasMoved = true; // bodies or what is drawn about them
  private isStale = true; // the picture
  private areShadowsStale = true;
  private isCoarse = false; // the picture could be finer
  private wasDrawn = false; // in the last tick
  private drawn = 0; // pictures

  /** framing: the recording whose motion the view is fitted to; the same, unless it has not happened yet. */
  constructor(private readonly host: HTMLElement, private readonly recording: Recording, private readonly player: Player,
              framing: Recording = recording) {
    this.drawing = makeRenderer(host);
    this.description = describe(recording.scene, recording.bodies);
    const { bodies, joints } = this.description;
    this.motion = new Motion(recording);
    this.bodies = new Bodies(bodies, recording.isPlanar, this.drawing.isSoftware);
    this.extent = extentOf(framing, bodies, this.bodies);
    this.loner = framing !== recording ? onlyMover(recording) : -1;
    if (framing !== recording) this.extent.box.expandByScalar(ROOM_TO_PLAY * this.extent.size);
    this.ground = new Ground(bodies, this.extent, recording.isPlanar);
    this.lights = new Lights(this.extent);
    this.contacts = new Contacts(recording, this.description, this.extent, framing);
    if (framing.frames > 0) this.contacts.extend(this.extent.box, framing);
    this.joints = new Joints(joints, Math.min(0.06 * this.extent.size, 2.5 * this.extent.usual));
    this.rig = new Rig(this.canvas, recording.isPlanar, this.extent);
    this.quality = new Quality(levelsFor(window.devicePixelRatio || 1), this.drawing.isSoftware);
    this.halo = new Halo(recording.isPlanar);
    this.scene.add(this.halo.group, this.ground.group, this.bodies.group, this.lights.group, this.contacts.group, this.joints.strokes.object);
    this.apply();
    this.resize();
    this.home();
    player.onChange(() => this.touch(true));
    this.rig.controls.addEventListener("change", () => this.touch(false));
    this.rig.controls.addEventListener("start", () => { this.direction = ""; });
    this.canvas.addEventListener("webglcontextrestored", () => this.touch(true));
    this.stopClicks = onClick(this.canvas, (x, y) => this.pick(x, y));
    this.sizeWatch = new ResizeObserver(() => this.resize());
    this.sizeWatch.observe(host);
    this.handle = requestAnimationFrame(this.tick);
  }

  get options(): Readonly<StageOptions> { return this.current; }

  set(changes: Partial<StageOptions>): void {
    this.current = { ...this.current, ...changes };
    if (this.current.follow >= 0) this.direction = "";
    this.apply();
    this.touch(true);
  }

  /** Fit everything. */
  home(): void { this.look("home"); }

  /** "front", "side", "top" or "home" */
  look(direction: string): void {
    this.direction = direction;
    this.rig.look(direction);
    this.touch(true);
  }

  /** Pick out a contact of the frame by its index, -1: none. */
  highlight(contact: number): void {
    this.highlighted = contact;
    this.touch(true);
  }

  /** Show which body is picked, -1: none: a rim around it, and the forces on it with their numbers. */
  select(body: number): void {
    if (body === this.selected) return;
    this.selected = body;
    this.halo.show(body >= 0 ? this.bodies.instancesOf(body) : []);
    this.touch(true);
  }

  /** Show the bodies of another recording, pale; null: of none. */
  compare(recording: Recording | null): void {
    if (this.ghost) this.scene.remove(this.ghost.group);
    this.ghost?.dispose();
    this.ghost = recording && new Ghost(recording, this.drawing.isSoftware);
    if (this.ghost) {
      this.scene.add(this.ghost.group);
      this.extent.box.union(this.ghost.extent.box);
      if (this.direction !== "" && this.current.follow < 0) this.rig.look(this.direction);
    }
    this.apply();
    this.touch(true);
  }

  /** Numbers to be written beside arrows: the forces on the body that is picked. */
  get forceLabels(): ForceLabel[] { return this.current.forces ? this.contacts.labels : []; }

  /** Where the camera is, for a link; undefined: one of the views that have a name. */
  get view(): number[] | undefined { return this.direction === "" && this.current.follow < 0 ? this.rig.place : undefined; }

  set view(numbers: number[] | undefined) {
    if (!numbers) return;
    this.direction = "";
    this.rig.place = numbers;
    this.touch(true);
  }

  /** The picture as it is, finely drawn, on a canvas of its own. */
  picture(): HTMLCanvasElement {
    const copy = document.createElement("canvas");
    this.draw(this.stillLevel());
    copy.width = this.canvas.width;
    copy.height = this.canvas.height;
    copy.getContext("2d")!.drawImage(this.canvas, 0, 0); // at once: what is drawn is gone after this turn
    return copy;
  }

  /** Calls back with the body that was clicked on, -1: none. */
  onPick(listener: (body: number) => void): void { this.pickers.push(listener); }

  /** Calls back after each picture. */
  onDraw(listener: () => void): void { this.watchers.push(listener); }

  get framesPerSecond(): number { return this.meter.perSecond; }

  /** Let bodies be dragged: a press on one that can be held pulls it, one elsewhere turns the view as before. */
  setGrip(grip: Grip): void {
    this.hand = new Hand(grip);
    this.scene.add(this.hand.strokes.object);
    this.host.addEventListener("pointerdown", this.pressed, { capture: true });
  }

  /** Where a blow on a body hits, at its origin, and the impulse that changes the speed of `mass` by 1 m/s, away from the camera and level. */
  blow(body: number, mass: number): { point: Vec3; impulse: Vec3 } {
    this.update();
    const k = 12 * body + 9, f = this.motion.frames, away = this.rig.camera.getWorldDirection(this.rig.target.clone());
    if (this.recording.isPlanar) away.set(1, 0, 0); else away.z = 0;
    if (away.length() < 1e-6) away.set(1, 0, 0);
    return { point: [f[k], f[k + 1], f[k + 2]], impulse: away.normalize().multiplyScalar(mass).toArray() as Vec3 };
  }

  /** Ends of the spring that is drawn; null: nothing is held. */
  get spring(): { grip: Vec3; target: Vec3 } | null { return this.hand?.ends ?? null; }

  /** How many have been drawn. */
  get pictures(): number { return this.drawn; }

  /** Length of a force arrow for 1 N [m]. */
  get metresPerNewton(): number { return this.contacts.metresPerNewton * this.current.forceScale; }

  /** The matrix of a body as drawn, 16 numbers, column after column; as it would be if nothing is drawn of it. */
  bodyMatrix(body: number): number[] {
    this.update();
    this.scene.updateMatrixWorld();
    return (this.bodies.matrixOf(body) ?? this.ground.matrixOf(body) ?? this.motion.matrixOf(body)).toArray();
  }

  /** Where a point of the world is on the canvas, from -1 to 1 each way. */
  project(point: Vec3): Vec3 {
    this.update();
    this.rig.camera.updateMatrixWorld();
    const v = this.rig.target.clone().set(...point).project(this.rig.camera);
    return [v.x, v.y, v.z];
  }

  /** The force arrows as drawn. */
  arrows(): { point: Vec3; tip: Vec3 }[] {
    this.update();
    return this.contacts.drawnArrows();
  }

  resize(): void {
    const { clientWidth, clientHeight } = this.host;
    this.width = Math.max(1, clientWidth);
    this.height = Math.max(1, clientHeight);
    this.rig.resize(this.width / this.height);
    if (this.direction !== "" && this.current.follow < 0) this.rig.look(this.direction);
    this.touch(false);
  }

  dispose(): void {
    cancelAnimationFrame(this.handle);
    this.sizeWatch.disconnect();
    this.stopClicks();
    this.rig.dispose();
    this.host.removeEventListener("pointerdown", this.pressed, { capture: true });
    for (const part of [this.bodies, this.ground, this.lights, this.contacts, this.joints, this.trails, this.hand, this.halo, this.ghost]) part?.dispose();
    const { renderer } = this.drawing, lose = renderer.getContext().getExtension("WEBGL_lose_context");
    renderer.dispose();
    lose?.loseContext(); // browsers allow few at a time
    this.canvas.remove();
  }

  private get canvas(): HTMLCanvasElement { return this.drawing.renderer.domElement; }

  // --- What is to be seen ---

  /** Let the options come into force. */
  private apply(): void {
    const { isDark, grid, wire, joints, trails } = this.current, theme = themeOf(isDark);
    this.scene.background = theme.background;
    this.bodies.paint(theme);
    this.bodies.setWire(wire);
    this.ground.paint(theme);
    this.ghost?.paint(theme);
    this.ground.grid.object.visible = grid;
    this.lights.paint(theme);
    this.joints.strokes.object.visible = joints;
    if (trails) this.makeTrails().paint(theme);
    if (this.trails) this.trails.strokes.object.visible = trails;
  }

  private makeTrails(): Trails {
    if (!this.trails) {
      this.trails = new Trails(this.recording, this.description.bodies);
      this.scene.add(this.trails.strokes.object);
    }
    return this.trails;
  }

  /** Bring everything to the player's moment. */
  private update(): void {
    if (!this.hasMoved) return;
    this.hasMoved = false;
    this.areShadowsStale = true;
    const { frames } = this.motion, { player, current } = this, theme = themeOf(current.isDark);
    this.motion.moveTo(player);
    this.bodies.place(frames);
    this.ground.place(frames);
    this.ghost?.show(player.time);
    if (this.selected >= 0) this.halo.place(this.motion.matrixOf(this.selected));
    this.contacts.show(player.frame, this.motion, current, this.highlighted, this.selected, theme);
    if (current.joints) this.joints.place(frames, theme);
    if (current.trails) this.trails?.show(player.frame, frames);
    this.hand?.show(frames, this.rig.camera);
    this.follow(frames);
  }

  /** The camera goes with the body that is followed. Until the viewer chooses a view, one that moves alone stays in the picture. */
  private follow(frames: Float64Array): void {
    const isKept = this.current.follow < 0 && this.direction !== "" && this.spring === null;
    const body = isKept ? this.loner : this.current.follow, at = 12 * body + 9;
    if (body < 0 || at >= frames.length) return;
    const [x, y, z] = frames.subarray(at, at + 3);
    if (isKept) this.rig.keep(x, y, z);
    else this.rig.centre(x, y, z);
  }

  private pick(x: number, y: number): void {
    const body = this.bodies.pick(this.rayAt(x, y))?.body ?? -1;
    for (const listener of this.pickers) listener(body);
  }

  /** The ray through a place of the canvas, from -1 to 1 each way, y up. */
  private rayAt(x: number, y: number): Raycaster {
    const ray = new Raycaster();
    this.update();
    this.rig.camera.updateMatrixWorld();
    ray.setFromCamera(new Vector2(x, y), this.rig.camera);
    return ray;
  }

  private rayOf(event: PointerEvent): Raycaster {
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    return this.rayAt(2 * (event.clientX - left) / width - 1, 1 - 2 * (event.clientY - top) / height);
  }

  /** A press that takes hold of a body is the hand's until it is released: the view stays, and a press without a drag is a click. */
  private readonly pressed = (event: PointerEvent): void => {
    const { hand, host } = this;
    if (!hand || event.button !== 0 || !event.isPrimary || event.target !== this.canvas) return;
    const hit = this.bodies.pick(this.rayOf(event));
    if (!hit || !hand.begin(hit.body, hit.point, this.motion.frames, this.rig.camera, this.recording.isPlanar)) return;
    event.stopPropagation();
    event.preventDefault();
    const start = { x: event.clientX, y: event.clientY };
    let isClick = true;
    host.setPointerCapture(event.pointerId);
    const move = (moved: PointerEvent): void => {
      isClick &&= Math.hypot(moved.clientX - start.x, moved.clientY - start.y) <= 5;
      hand.move(this.rayOf(moved));
      this.touch(true);
    };
    const end = (): void => {
      host.removeEventListener("pointermove", move);
      host.removeEventListener("lostpointercapture", end);
      hand.end();
      this.touch(true);
      if (isClick) for (const listener of this.pickers) listener(hit.body);
    };
    host.addEventListener("pointermove", move);
    host.addEventListener("lostpointercapture", end);
  };

  // --- The loop ---

  /** Something has changed; hasMoved: more than the view. */
  private touch(hasMoved: boolean): void {
    this.isStale = true;
    this.hasMoved ||= hasMoved;
    this.lastChange = performance.now() / 1000;
  }

  private readonly tick = (milliseconds: number): void => {
    this.handle = requestAnimationFrame(this.tick);
    const now = milliseconds / 1000, passed = Math.max(0, now - this.last);
    this.last = now;
    this.meter.tick(now);
    this.player.advance(Math.min(passed, LONGEST_STEP));
    if (this.wasDrawn && passed < 0.5) this.isCoarse = this.quality.judge(passed) || this.isCoarse;
    this.wasDrawn = this.isStale;
    if (this.isStale) this.draw(this.quality.level);
    else if (this.isCoarse && performance.now() / 1000 - this.lastChange > STILL) this.draw(this.stillLevel());
  };

  /** For a picture that stays. Without a graphics card more pixels stand in for smoothed edges. */
  private stillLevel(): Level {
    const finest = this.quality.levels[0];
    return { ...finest, ratio: this.drawing.isSoftware ? Math.max(2, finest.ratio) : finest.ratio };
  }

  private draw(level: Level): void {
    const { renderer, isSoftware } = this.drawing, { current } = this;
    const isStill = level !== this.quality.level;
    this.isCoarse = !isStill && (isSoftware || this.quality.index > 0);
    this.isStale = false;
    this.update();
    this.fit(level.ratio);
    const hasShadows = current.shadows && !this.recording.isPlanar && level.shadowEvery > 0;
    this.lights.setShadows(hasShadows ? level.shadowSize : 0);
    this.ground.setShadows(hasShadows);
    if (isStill || (this.areShadowsStale && this.drawn % level.shadowEvery === 0)) {
      renderer.shadowMap.needsUpdate = true;
      this.areShadowsStale = false;
    }
    this.adaptOverlays(level.ratio);
    renderer.render(this.scene, this.rig.camera);
    this.isStale = false; // controls told of the move that following made
    this.drawn++;
    for (const listener of this.watchers) listener();
  }

  /** What is drawn in pixels follows the size of the picture. */
  private adaptOverlays(ratio: number): void {
    this.contacts.dots.adapt(ratio * this.dotScale(), themeOf(this.current.isDark).background);
    this.halo.adapt(this.canvas.width, this.canvas.height, ratio, themeOf(this.current.isDark).highlight);
    for (const strokes of [this.contacts.normals, this.joints.strokes, this.trails?.strokes, this.hand?.strokes]) {
      strokes?.adapt(this.canvas.width, this.canvas.height, ratio);
    }
  }

  /** Dots are not larger than the bodies that they are on. */
  private dotScale(): number {
    const pixels = this.extent.usual * this.rig.heightsPerMetre * this.height;
    return Math.min(1, Math.max(0.4, pixels / 16));
  }

  private fit(ratio: number): void {
    const { renderer } = this.drawing, { width, height } = this;
    const wide = Math.floor(width * ratio), high = Math.floor(height * ratio);
    if (this.canvas.width === wide && this.canvas.height === high) return;
    renderer.setPixelRatio(ratio);
    renderer.setSize(width, height, false);
    renderer.shadowMap.needsUpdate = true;
  }
}

/** The body that is not fixed, if there is but one; else -1. */
function onlyMover({ scene, bodies }: Recording): number {
  const movers = Array.from({ length: bodies }, (_, body) => body).filter((body) => (scene?.bodies?.[body]?.kind ?? "free") !== "fixed");
  return movers.length === 1 ? movers[0] : -1;
}
