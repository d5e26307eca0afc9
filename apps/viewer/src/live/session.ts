// A simulation that runs while it is looked at: a worker, the recording that it makes, and the scene as it has been changed.
import { decodeBase64, inflate } from "../inflate";
import { parseRecording, withoutHeader, type Recording } from "../recording";
import type { Vec3 } from "../types";
import type { Order, Report } from "./messages";

declare const CAIRN_WORKER: string; // the bundled worker: build.mjs

const FRAMES_PER_SECOND = 60;
const BYTES_MOST = 192e6; // of frames that are kept; then the older half goes

/** What a session tells. */
export interface Listener {
  frames?(): void; // there are more
  gone?(): void; // frames have gone: what was made of them is void
  failed?(message: string): void;
}

/** The solver that the page holds; null: it holds none. */
export async function solverOfPage(): Promise<ArrayBuffer | null> {
  const element = document.getElementById("cairn-wasm");
  if (!element || typeof WebAssembly === "undefined" || typeof Worker === "undefined") return null;
  return inflate(decodeBase64(element.textContent ?? ""));
}

export function hasSolver(): boolean { return document.getElementById("cairn-wasm") !== null; }

/** A worker with the page's solver, and its answer to a first order; throws an Error that says why there is none. */
async function startWorker(order: (module: ArrayBuffer) => Order): Promise<{ worker: Worker; report: Report }> {
  const module = await solverOfPage();
  if (!module) throw new Error("This page has no solver: it plays recordings only.");
  const address = URL.createObjectURL(new Blob([CAIRN_WORKER], { type: "text/javascript" }));
  const worker = new Worker(address);
  try {
    const report = await new Promise<Report>((resolve, reject) => {
      worker.onerror = (event) => reject(new Error(event.message || "The solver cannot start in this browser."));
      worker.onmessage = ({ data }: MessageEvent<Report>) => { if (data.kind === "failed") reject(new Error(data.message)); else resolve(data); };
      worker.postMessage(order(module), [module]);
    });
    return { worker, report };
  } catch (error) {
    worker.terminate();
    throw error;
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** A robot's file as a scene; files by path, its meshes among them. */
export async function readRobot(path: string, files: Map<string, ArrayBuffer>): Promise<{ scene: any; warnings: string[] }> {
  const { worker, report } = await startWorker((module) => ({ kind: "robot", module, path, files }));
  worker.terminate();
  if (report.kind !== "robot") throw new Error("The robot was not read.");
  return report;
}

export class Session {
  readonly recording: Recording;
  scene: any; // with all changes
  hash = ""; // of the motion at the last frame
  force = 0; // of the hand [N]
  isStrained = false; // the hand pulls as hard as it may
  stepSeconds = NaN; // that a step takes, over the last ones
  private readonly listeners: Listener[] = [];
  private isChanging = false;
  private hasNewChange = false;
  private steps = 0; // since the last look at how fast it is
  private seconds = 0;

  private constructor(private readonly worker: Worker, readonly original: any, private every: number, first: ArrayBuffer, name: string) {
    this.scene = structuredClone(original);
    this.recording = parseRecording(first, name, true);
    worker.onmessage = (event: MessageEvent<Report>) => this.hear(event.data);
    worker.onerror = (event) => this.tell("failed", event.message || "The simulation stopped.");
  }

  /** Begin; throws an Error that says why if the solver cannot start or the scene is none. */
  static async start(scene: any, name: string): Promise<Session> {
    const every = strideOf(scene.dt ?? 0.01);
    const { worker, report } = await startWorker((module) => ({ kind: "open", module, scene: JSON.stringify(scene), every }));
    if (report.kind !== "opened") throw new Error("The solver cannot start in this browser.");
    return new Session(worker, scene, every, report.bytes, name);
  }

  listen(listener: Listener): void { this.listeners.push(listener); }
  close(): void { this.worker.terminate(); }

  get frameSeconds(): number { return this.recording.dt * this.every; }

  /** Simulate up to a time [s]. */
  demand(time: number): void { this.order({ kind: "until", time }); }
  step(): void { this.order({ kind: "step" }); }
  setNotes(wanted: boolean): void { this.order({ kind: "notes", wanted }); }
  grab(body: number, point: Vec3): void { this.order({ kind: "grab", body, point }); }
  pull(point: Vec3): void { this.order({ kind: "pull", point }); }
  push(body: number, point: Vec3, impulse: Vec3): void { this.order({ kind: "push", body, point, impulse }); }
  control(actuator: number, value: number): void { this.order({ kind: "control", actuator, value }); }

  letGo(): void {
    this.force = 0;
    this.isStrained = false;
    this.order({ kind: "letGo" });
  }

  /** Change settings of the scene; the motion goes on. While the worker is busy with one change, the next ones become one. */
  change(edit: (scene: any) => void): void {
    edit(this.scene);
    if (this.isChanging) { this.hasNewChange = true; return; }
    this.isChanging = true;
    this.every = strideOf(this.scene.dt ?? 0.01);
    this.order({ kind: "change", scene: JSON.stringify(this.scene), every: this.every });
  }

  /** Back to the start, with the settings as they are. */
  reset(): void { this.order({ kind: "reset", scene: JSON.stringify(this.scene), every: this.every }); }

  private order(order: Order): void { this.worker.postMessage(order); }

  private tell(what: keyof Listener, message = ""): void { for (const listener of this.listeners) listener[what]?.(message); }

  private hear(report: Report): void {
    switch (report.kind) {
      case "opened":
        this.recording.dropBefore(this.recording.frames);
        this.tell("gone");
        this.recording.append(withoutHeader(new Uint8Array(report.bytes)));
        return this.tell("frames");
      case "changed":
        if (report.dt > 0) this.recording.dt = report.dt;
        this.isChanging = false;
        if (this.hasNewChange) { this.hasNewChange = false; this.change(() => {}); }
        return;
      case "frames":
        return this.take(report);
      case "failed":
        return this.tell("failed", report.message);
    }
  }

  private take(report: Extract<Report, { kind: "frames" }>): void {
    this.force = report.force;
    this.isStrained = report.isStrained;
    this.hash = report.hash;
    this.steps += report.steps;
    this.seconds += report.seconds;
    if (this.seconds > 0.25 || this.steps > 100) {
      this.stepSeconds = this.seconds / this.steps;
      this.steps = this.seconds = 0;
    }
    if (this.recording.bytes > BYTES_MOST) {
      this.recording.dropBefore(this.recording.frames >> 1);
      this.tell("gone");
    }
    this.recording.append(new Uint8Array(report.bytes));
    this.tell("frames");
  }
}

/** Steps from frame to frame: about 60 frames in a second, as on films. */
function strideOf(dt: number): number { return Math.max(1, Math.round(1 / (FRAMES_PER_SECOND * dt))); }
