// What the page and the worker that simulates say to each other.
import type { Vec3 } from "../types";

/** To the worker. */
export type Order =
  | { kind: "open"; module: ArrayBuffer; scene: string; every: number }
  | { kind: "robot"; module: ArrayBuffer; path: string; files: Map<string, ArrayBuffer> } // read a robot, then no more
  | { kind: "reset"; scene: string; every: number }
  | { kind: "change"; scene: string; every: number } // the same bodies with other settings: the motion goes on
  | { kind: "until"; time: number } // simulate up to that time [s]
  | { kind: "step" } // one frame more
  | { kind: "notes"; wanted: boolean }
  | { kind: "grab"; body: number; point: Vec3 }
  | { kind: "pull"; point: Vec3 }
  | { kind: "letGo" }
  | { kind: "push"; body: number; point: Vec3; impulse: Vec3 }
  | { kind: "control"; actuator: number; value: number };

/** From the worker. */
export type Report =
  | { kind: "opened"; bytes: ArrayBuffer } // header and first frame
  | { kind: "robot"; scene: any; warnings: string[] }
  | { kind: "changed"; dt: number }
  | { kind: "frames"; bytes: ArrayBuffer; steps: number; seconds: number /* that these steps took */; force: number; isStrained: boolean; hash: string }
  | { kind: "failed"; message: string };
