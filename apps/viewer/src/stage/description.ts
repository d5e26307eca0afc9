// What the scene says about looks: bodies, shapes, joints, friction. Scenes come from files that can hold anything, so
// that everything is made sure of here and nowhere else.
import { Color, Euler, Matrix4, Quaternion, SRGBColorSpace, Vector3 } from "three";

export type BodyKind = "free" | "fixed" | "driven";

export interface Shape {
  kind: string;
  half: Vector3; // half sides or half axes; radius of round shapes
  radius: number;
  halfLength: number;
  points: number[][];
  triangles: number[][];
  heights: number[][];
  spacing: [number, number];
  frame: Matrix4; // in the body's frame
  friction: number;
  color: Color | null; // null: the page chooses
}

/** pictures: what is drawn; the shapes themselves if the scene has none. */
export interface Body { kind: BodyKind; shapes: Shape[]; pictures: Shape[] }

/** Frames are of the bodies a and b, -1: the world. */
export interface Joint { kind: string; a: number; b: number; frameA: Matrix4; frameB: Matrix4 }

export interface Description {
  bodies: Body[];
  joints: Joint[];
  pairFriction(a: number, b: number): number;
}

const LARGEST = 1e9; // no length of a picture is larger
const FRICTION = 0.5;
const PLANES = ["plane", "half_plane"];

export function isPlane(shape: Shape): boolean { return PLANES.includes(shape.kind); }

/** Describe the first `count` bodies of a scene; bodies that it does not have are small markers. */
export function describe(scene: any, count: number): Description {
  const written = listOf(scene?.bodies);
  const bodies: Body[] = [];
  for (let i = 0; i < count; ++i) bodies.push(i < written.length ? readBody(written[i], scene) : marker());
  const friction = bodies.map((body) => body.shapes.reduce((most, shape) => Math.max(most, shape.friction), 0));
  const rule = frictionRule(scene?.solver?.friction_rule);
  return {
    bodies,
    joints: listOf(scene?.joints).map((joint) => readJoint(joint, written, count)),
    pairFriction: (a, b) => rule(friction[a] ?? FRICTION, friction[b] ?? FRICTION),
  };
}

/** What stands for a body of which nothing is known. */
function marker(): Body {
  const shapes = [readShape({ kind: "box", half: [0.05, 0.05, 0.05] }, {}, {})];
  return { kind: "free", shapes, pictures: shapes };
}

function readBody(body: any, scene: any): Body {
  const kind: BodyKind = body?.kind === "fixed" || body?.kind === "driven" ? body.kind : "free";
  const shapes = listOf(body?.shapes).map((shape) => readShape(shape, body, scene));
  const pictures = listOf(body?.pictures).map((shape) => readShape(shape, body, scene));
  return { kind, shapes, pictures: pictures.length > 0 ? pictures : shapes };
}

function readShape(shape: any, body: any, scene: any): Shape {
  const half = numbersOf(shape?.half);
  return {
    kind: String(shape?.kind),
    half: new Vector3(length(half[0]), length(half[1]), length(half[2])),
    radius: length(shape?.radius),
    halfLength: length(shape?.half_length),
    points: listOf(shape?.points).map(numbersOf),
    triangles: listOf(shape?.triangles).map(numbersOf),
    heights: listOf(shape?.heights).map(numbersOf),
    spacing: [length(shape?.spacing?.[0]) || 1, length(shape?.spacing?.[1]) || 1],
    frame: readFrame(shape),
    friction: readFriction(shape, body, scene),
    color: readColor(shape?.color),
  };
}

/** Colours of files are as screens show them. */
function readColor(value: unknown): Color | null {
  const rgb = numbersOf(value);
  return rgb.length === 3 ? new Color().setRGB(rgb[0], rgb[1], rgb[2], SRGBColorSpace) : null;
}

/** What is said later wins: the body's material, the body, the shape's material, the shape. */
function readFriction(shape: any, body: any, scene: any): number {
  const said = [shape?.friction, scene?.materials?.[shape?.material]?.friction, body?.friction,
                scene?.materials?.[body?.material]?.friction].find((value) => typeof value === "number");
  return Math.max(0, number(said ?? FRICTION));
}

function frictionRule(name: unknown): (a: number, b: number) => number {
  return name === "min" ? Math.min : name === "max" ? Math.max : (a, b) => Math.sqrt(a * b);
}

// --- Joints ---

function readJoint(joint: any, bodies: any[], count: number): Joint {
  const a = reference(joint?.a, bodies, count), b = reference(joint?.b, bodies, count);
  const [placeA, placeB] = [placeOf(bodies[a]), placeOf(bodies[b])];
  let frameA = joint?.frame_a ? readFrame(joint.frame_a) : null, frameB = joint?.frame_b ? readFrame(joint.frame_b) : null;
  if (!frameA && !frameB && joint?.point) frameA = placeA.clone().invert().multiply(frameAt(joint));
  // A frame that is not given is where the other one is when the scene begins; without both, the body's own.
  if (!frameA) frameA = frameB ? placeA.clone().invert().multiply(placeB).multiply(frameB) : new Matrix4();
  if (!frameB) frameB = joint?.point || joint?.frame_a ? placeB.clone().invert().multiply(placeA).multiply(frameA) : new Matrix4();
  return { kind: String(joint?.kind), a, b, frameA, frameB };
}

/** A joint frame by point and axis, in the world. */
function frameAt(joint: any): Matrix4 {
  const axis = vector(joint.axis ?? [0, 0, 1]);
  const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), axis.lengthSq() > 0 ? axis.normalize() : new Vector3(0, 0, 1));
  return new Matrix4().compose(vector(joint.point), turn, new Vector3(1, 1, 1));
}

function reference(value: unknown, bodies: any[], count: number): number {
  const index = typeof value === "string" ? bodies.findIndex((body) => body?.name === value) : Number(value ?? -1);
  return Number.isInteger(index) && index >= 0 && index < count ? index : -1;
}

function placeOf(body: any): Matrix4 { return body ? readFrame(body) : new Matrix4(); }

// --- Values ---

/** position with rotation, axis_angle or angle */
function readFrame(value: any): Matrix4 {
  const turn = new Quaternion();
  const q = numbersOf(value?.rotation), axis = numbersOf(value?.axis_angle);
  if (q.length === 4) turn.set(q[1], q[2], q[3], q[0]);
  else if (axis.length === 4) turn.setFromAxisAngle(new Vector3(axis[0], axis[1], axis[2]), axis[3]);
  else if (typeof value?.angle === "number") turn.setFromEuler(new Euler(0, 0, number(value.angle)));
  if (!(turn.lengthSq() > 0.5 && turn.lengthSq() < 2)) turn.identity();
  return new Matrix4().compose(vector(value?.position), turn.normalize(), new Vector3(1, 1, 1));
}

function vector(value: unknown): Vector3 {
  const [x = 0, y = 0, z = 0] = numbersOf(value);
  return new Vector3(x, y, z);
}

function listOf(value: unknown): any[] { return Array.isArray(value) ? value : []; }

function numbersOf(value: unknown): number[] { return listOf(value).map(number); }

function number(value: unknown): number {
  return typeof value === "number" && Math.abs(value) <= LARGEST ? value : 0;
}

function length(value: unknown): number { return Math.abs(number(value)); }
