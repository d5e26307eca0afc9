/** Cairn in WebAssembly: scenes of rigid bodies in hard contact, stepped with a certificate. */

type Vec3 = [number, number, number];

/** Load the module: the bytes of cairn.wasm, or a compiled module. */
export function load(source: BufferSource | WebAssembly.Module): Promise<Cairn>;

/** The loaded module. */
export class Cairn {
  readonly version: string;
  /** Open a scene: an object or text in the format of docs/guide/scenes.md. Throws with a message that names line and field.
   *  every: steps from one frame of take() to the next (1). */
  open(scene: object | string, options?: { every?: number }): World;
  /** z >= 0 with w = M z + q >= 0 and z'w = 0; M by rows. */
  solveLcp(M: number[][], q: number[]): LcpAnswer;
  /** Impulses of a contact problem: an object or text of contact JSON (docs/guide/contact-files.md). round: round friction cones
   *  instead of polygons. Throws with a message that names the field. */
  solveContact(problem: object | string, options?: { round?: boolean }): ContactAnswer;
  /** A robot's file (URDF or MJCF) as a scene for open(): `files` by name, the robot's and its meshes. fixed: weld a URDF robot to the
   *  world. Shapes whose mesh is missing are left out, with a warning. Throws with a message that names line and element. */
  readRobot(files: Record<string, string | ArrayBuffer | Uint8Array>, name: string, options?: { fixed?: boolean }): { scene: any; warnings: string[] };
}

/** The answer to a complementarity problem. */
export interface LcpAnswer {
  outcome: string; // "solved", "infeasible", "ray", ...
  z: number[];
  certificate: number; // how well it is solved, recomputed from the problem
  pivots: number;
}

/** The answer to a contact problem. */
export interface ContactAnswer {
  outcome: string; // "solved", ...
  law: string; // that it obeys: "coulomb" or "convex"
  certificate: number; // how well it is solved, recomputed from the problem
  pivots: number;
  iterations: number;
  impulse: Vec3[]; // of each contact: n, t1, t2, on body a [N s]
  velocity: number[]; // of all bodies, body after body
  contactVelocity: Vec3[]; // of each contact: n, t1, t2 [m/s]
  rowImpulse: number[];
  kind: string[]; // of each contact: "off", "on", "slide", "edge", "stick"
}

/** A scene in motion. */
export class World {
  readonly time: number; // [s]
  readonly dt: number; // [s]
  readonly steps: number;
  readonly every: number;
  readonly hash: string; // of poses, velocities and time, 16 digits: the same bits have the same hash as in the program
  readonly verdict: string; // "certified", or what is wrong with the last step
  pose(body: number): { position: Vec3; rotation: [number, number, number, number] };
  /** Make steps; returns how many. Throws if the motion diverges. */
  step(count?: number): number;
  /** Change settings of the scene (gravity, friction, step, ...) without stopping its motion. The bodies must be the same. */
  change(scene: object | string, options?: { every?: number }): void;
  /** Bytes of a recording since the last call, those of its header first: docs/guide/recordings.md. */
  take(): Uint8Array;
  /** Should frames tell how their problem is solved? */
  setNotes(wanted: boolean): void;
  /** Take hold of a free body at a point of the world; false: it cannot be held. */
  grab(body: number, point: Vec3): boolean;
  /** Where the point that is held shall go; a spring pulls it there. */
  pull(point: Vec3): void;
  letGo(): void;
  readonly force: number; // of that spring in the last step [N]
  readonly forceMost: number; // and the largest that it may have
  /** A blow: an impulse [N s] at a point of the world, in the next step. */
  push(body: number, point: Vec3, impulse: Vec3): boolean;
  /** Control of an actuator by index. */
  setControl(actuator: number, value: number): boolean;
  close(): void;
}
