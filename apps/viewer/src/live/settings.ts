// The settings of a scene that a reader may change while it moves: each is a number with a way to read it from the scene and to
// write it there.

export interface Setting {
  id: string;
  label: string;
  unit: string;
  min: number; max: number; step: number;
  isLogarithmic?: boolean; // the slider runs over the logarithm
  read(scene: any): number;
  write(scene: any, value: number): void;
}

const DEFAULT_FRICTION = 0.5, DEFAULT_STEP = 0.01;

/** Every shape of every body; written scenes give each its own friction. */
function* surfacesOf(scene: any): Generator<any> {
  for (const body of scene.bodies ?? []) for (const shape of body.shapes ?? []) yield shape;
}

function surface(id: "friction" | "restitution", label: string, max: number, plain: number): Setting {
  return {
    id, label, unit: "", min: 0, max, step: 0.01,
    read: (scene) => {
      const values = [...surfacesOf(scene)].map((shape) => shape[id] ?? plain);
      return values.length > 0 ? Math.max(...values) : plain;
    },
    write: (scene, value) => {
      for (const shape of surfacesOf(scene)) shape[id] = value;
      for (const pair of scene.pairs ?? []) if (pair[id] >= 0) pair[id] = value;
    },
  };
}

// --- Gravity: its size, and the tilt of the ground, which is gravity turned the other way ---

function gravityOf(scene: any): number[] {
  const [x = 0, y = 0, z = 0] = scene.gravity ?? (scene.planar ? [0, -9.81, 0] : [0, 0, -9.81]);
  return [x, y, z];
}

interface Gravity { size: number; tilt: number; heading: number }

/** Angles from straight down: -z, in planar scenes -y. */
function anglesOf(scene: any): Gravity {
  const [x, y, z] = gravityOf(scene), size = Math.hypot(x, y, z);
  const tilt = scene.planar ? Math.atan2(x, -y) : Math.atan2(Math.hypot(x, y), -z);
  return { size, tilt, heading: scene.planar ? 0 : Math.atan2(y, x) };
}

/** Gravity of 0 has no direction, and that of no tilt no heading: what was set last is remembered. */
const known = new WeakMap<any, Gravity>();
const angles = (scene: any): Gravity => known.get(scene) ?? anglesOf(scene);
const DEGREE = Math.PI / 180;

function setGravity(scene: any, changes: Partial<Gravity>): void {
  const { size, tilt, heading } = { ...angles(scene), ...changes };
  known.set(scene, { size, tilt, heading });
  const s = size * Math.sin(tilt), c = size * Math.cos(tilt);
  scene.gravity = scene.planar ? [s, -c] : [s * Math.cos(heading), s * Math.sin(heading), -c];
}

const GRAVITY: Setting = { id: "gravity", label: "Gravity", unit: "m/s²", min: 0, max: 20, step: 0.01,
  read: (scene) => angles(scene).size, write: (scene, value) => setGravity(scene, { size: value }) };
const TILT: Setting = { id: "tilt", label: "Tilt of the ground", unit: "°", min: 0, max: 60, step: 0.05,
  read: (scene) => angles(scene).tilt / DEGREE, write: (scene, value) => setGravity(scene, { tilt: value * DEGREE }) };
const HEADING: Setting = { id: "heading", label: "Downhill towards", unit: "°", min: -180, max: 180, step: 1,
  read: (scene) => angles(scene).heading / DEGREE, write: (scene, value) => setGravity(scene, { heading: value * DEGREE }) };

const STEP: Setting = { id: "dt", label: "Time step", unit: "s", min: 1e-4, max: 0.05, step: 0.01, isLogarithmic: true,
  read: (scene) => scene.dt ?? DEFAULT_STEP, write: (scene, value) => { scene.dt = value; } };

export function settingsOf(scene: any): Setting[] {
  return [GRAVITY, TILT, ...(scene.planar ? [] : [HEADING]), surface("friction", "Friction", 3, DEFAULT_FRICTION),
          surface("restitution", "Restitution", 1, 0), STEP];
}

// --- Joints that are driven, and actuators ---

/** What a motor or spring of a joint is to reach; a constant only: a motion over time is the scene's own. */
export function targetsOf(scene: any): Setting[] {
  const found: Setting[] = [];
  (scene.joints ?? []).forEach((joint: any, j: number) => {
    const parts: any[] = joint.axes ?? [joint];
    parts.forEach((part, k) => {
      const label = `${joint.name ?? `joint ${j}`}${parts.length > 1 ? ` ${"xyz"[k] ?? k}` : ""}`;
      const [low, high] = Array.isArray(part.limits) && part.limits.every((x: unknown) => typeof x === "number") ? part.limits
        : joint.kind === "slider" ? [-1, 1] : [-Math.PI, Math.PI];
      const add = (what: "motor" | "spring", key: "target" | "speed", unit: string, min: number, max: number) => {
        if (typeof (part[what][key] ?? 0) !== "number") return;
        const at = (scene: any) => (scene.joints[j].axes?.[k] ?? scene.joints[j])[what];
        found.push({ id: `joint-${j}-${k}-${what}`, label: `${label}: ${key}`, unit, min, max, step: (max - min) / 400,
                     read: (scene) => at(scene)[key] ?? 0, write: (scene, value) => { at(scene)[key] = value; } });
      };
      const metre = joint.kind === "slider" ? "m" : "rad";
      if (part.spring?.stiffness > 0) add("spring", "target", metre, low, high);
      if (part.motor && part.motor.enabled !== false) {
        if (part.motor.target !== undefined) add("motor", "target", metre, low, high);
        else add("motor", "speed", `${metre}/s`, -10, 10);
      }
    });
  });
  return found;
}

export interface Actuator { index: number; label: string; min: number; max: number; value: number }

export function actuatorsOf(scene: any): Actuator[] {
  const bound = (value: unknown, plain: number) => typeof value === "number" ? value : plain;
  return (scene.actuators ?? []).map((actuator: any, index: number) => ({
    index, label: actuator.name ?? `actuator ${index}`, min: bound(actuator.lower, -1), max: bound(actuator.upper, 1),
    value: actuator.control ?? 0 }));
}

export const SCHEMES: [name: string, label: string][] = [
  ["coulomb", "Coulomb's law"], ["convex", "convex (lifts what slides)"], ["plain", "plain Stewart–Trinkle"]];

export function schemeOf(scene: any): string { return scene.solver?.scheme ?? "coulomb"; }
export function setScheme(scene: any, name: string): void { scene.solver = { ...scene.solver, scheme: name }; }
