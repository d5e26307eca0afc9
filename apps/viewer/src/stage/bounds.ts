// How large what is to be seen is: the bodies that move, over the whole recording, and what stands near them.
import { Box3, Sphere, Vector3 } from "three";
import type { Recording } from "../recording";
import type { Body } from "./description";
import type { Bodies } from "./bodies";
import { Motion } from "./motion";

const SAMPLES = 60; // frames that are looked at
const WORK = 200000; // corners that are looked at, at most
const ASTRAY = 6; // a body that leaves the scene is not followed farther than this, in sizes of the scene ...
const FEW = 3, FEW_ASTRAY = 40; // ... but where so few move, what they do is all there is to be seen
const RARE = 0.125; // of all bodies: those whose ways reach farther out, at either end, are not framed ...
const WHOLE = 0.6; // ... if the rest is smaller than this part of all
const BACKDROP = 1.2; // what stands still and is larger than this, in sizes of what moves, is a floor or a wall

/** box and its longest side; usual: radius of the bodies in the middle, by size */
export interface Extent { box: Box3; size: number; usual: number }

export function extentOf(recording: Recording, bodies: Body[], drawn: Bodies): Extent {
  const parts = drawn.corners(), motion = new Motion(recording);
  const isMoving = (part: { body: number }): boolean => bodies[part.body].kind !== "fixed";
  const moving = parts.filter(isMoving), still = parts.filter((part) => !isMoving(part));
  const box = new Box3(), start = new Box3(), ways = new Map<number, Box3>(); // of each body
  const samples = Math.max(1, Math.min(SAMPLES, recording.frames, Math.floor(WORK / (8 * moving.length + 1))));
  for (let k = 0; k < samples && recording.frames > 0; ++k) {
    motion.moveToFrame(Math.round(k * (recording.frames - 1) / Math.max(1, samples - 1)));
    for (const part of moving) {
      if (!ways.has(part.body)) ways.set(part.body, new Box3());
      grow(ways.get(part.body)!, part, motion.frames);
    }
    if (k === 0) for (const way of ways.values()) start.union(way);
  }
  for (const way of ways.values()) box.union(way);
  if (!start.isEmpty()) box.intersect(start.clone().expandByVector(reachOf(start, ways.size <= FEW ? FEW_ASTRAY : ASTRAY)));
  const usual = usualRadius(moving), busy = busyBox([...ways.values()]);
  if (!busy.isEmpty() && radiusOf(busy) < WHOLE * radiusOf(box)) box.intersect(busy);
  addStill(box, still, motion);
  if (box.isEmpty()) box.set(new Vector3(-1, -1, -1), new Vector3(1, 1, 1));
  const side = box.getSize(new Vector3());
  const size = Math.max(side.x, side.y, side.z, 1e-6);
  return { box, size, usual: usual || size / 10 };
}

/** Where the ways of all but a few bodies are, each way: a ball that flies in is not what a scene is about. */
function busyBox(places: Box3[]): Box3 {
  const box = new Box3(), rare = Math.floor(RARE * places.length), sorted = (list: number[]) => list.sort((a, b) => a - b);
  if (places.length === 0) return box;
  for (const axis of ["x", "y", "z"] as const) {
    box.min[axis] = sorted(places.map((place) => place.min[axis]))[rare];
    box.max[axis] = sorted(places.map((place) => place.max[axis]))[places.length - 1 - rare];
  }
  return box;
}

/** How far from where it begins a scene is followed, each way. */
function reachOf(start: Box3, sizes: number): Vector3 {
  return start.getSize(new Vector3()).addScalar(radiusOf(start)).multiplyScalar(sizes / 2);
}

type Part = { body: number; points: Vector3[] };

const corner = new Vector3();

function grow(box: Box3, part: Part, frames: Float64Array): void {
  const at = 12 * part.body;
  for (const p of part.points) {
    corner.set(
      frames[at] * p.x + frames[at + 3] * p.y + frames[at + 6] * p.z + frames[at + 9],
      frames[at + 1] * p.x + frames[at + 4] * p.y + frames[at + 7] * p.z + frames[at + 10],
      frames[at + 2] * p.x + frames[at + 5] * p.y + frames[at + 8] * p.z + frames[at + 11]);
    box.expandByPoint(corner);
  }
}

/** Half of the shortest side of the shapes in the middle, by that. */
function usualRadius(parts: Part[]): number {
  const sides = parts.map((part) => {
    const side = new Box3().setFromPoints(part.points).getSize(corner);
    return Math.sqrt(Math.max(side.x, side.y) * Math.max(side.y, side.z)) / 2;
  });
  return sides.sort((a, b) => a - b)[sides.length >> 1] ?? 0;
}

function addStill(box: Box3, still: Part[], motion: Motion): void {
  const limit = box.isEmpty() ? Infinity : BACKDROP * radiusOf(box), near = box.clone().expandByScalar(Math.min(limit, 1e9));
  for (const part of still) {
    const one = new Box3();
    grow(one, part, motion.frames);
    if (radiusOf(one) <= limit && (near.isEmpty() || near.intersectsBox(one))) box.union(one);
  }
}

function radiusOf(box: Box3): number { return box.getBoundingSphere(new Sphere()).radius; }

export function cornersOf({ min, max }: Box3): Vector3[] {
  return [0, 1, 2, 3, 4, 5, 6, 7].map((c) => new Vector3(c & 1 ? max.x : min.x, c & 2 ? max.y : min.y, c & 4 ? max.z : min.z));
}
