// Flat shapes: a fill with a darker rim. Colours of points multiply the body's colour.
import { BufferAttribute, BufferGeometry } from "three";
import { mergeVertices } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import { RIM } from "./flat";

export type Point = [number, number];

/** Gathers triangles with one brightness each. */
class Triangles {
  readonly positions: number[] = [];
  readonly brightness: number[] = [];

  add(value: number, ...corners: Point[]): void {
    for (const [x, y] of corners) {
      this.positions.push(x, y, 0);
      this.brightness.push(value, value, value);
    }
  }

  /** The band between two closed lines with as many corners. */
  band(value: number, outer: Point[], inner: Point[]): void {
    outer.forEach((from, i) => {
      const j = (i + 1) % outer.length;
      this.add(value, from, outer[j], inner[j]);
      this.add(value, from, inner[j], inner[i]);
    });
  }

  fan(value: number, corners: Point[]): void {
    for (let i = 2; i < corners.length; ++i) this.add(value, corners[0], corners[i - 1], corners[i]);
  }

  geometry(): BufferGeometry {
    const made = new BufferGeometry();
    made.setAttribute("position", new BufferAttribute(new Float32Array(this.positions), 3));
    made.setAttribute("color", new BufferAttribute(new Float32Array(this.brightness), 3));
    return mergeVertices(made);
  }
}

function circle(radius: number, corners: number): Point[] {
  return Array.from({ length: corners }, (_, i) => {
    const angle = 2 * Math.PI * i / corners;
    return [radius * Math.cos(angle), radius * Math.sin(angle)];
  });
}

/** An octagon about a disk of radius 1, which the material draws. */
export function aroundDisk(): BufferGeometry {
  const made = new Triangles();
  made.fan(1, circle(1.01 / Math.cos(Math.PI / 8), 8));
  return made.geometry();
}

/** A convex polygon with its corners counter-clockwise. */
export function polygon(corners: Point[]): BufferGeometry {
  const made = new Triangles(), inner = inset(corners);
  made.band(RIM, corners, inner);
  made.fan(1, inner);
  return made.geometry();
}

/** A bar along x with round ends. */
export function bar(halfLength: number, radius: number): BufferGeometry {
  const ends = circle(radius, 32);
  return polygon(ends.map(([x, y], i): Point => [x + (i <= 8 || i > 24 ? halfLength : -halfLength), y]));
}

/** The corners moved inwards by a share of how thin the polygon is. */
function inset(corners: Point[]): Point[] {
  const count = corners.length;
  const middle: Point = [corners.reduce((sum, p) => sum + p[0], 0) / count, corners.reduce((sum, p) => sum + p[1], 0) / count];
  const edges = corners.map((from, i) => {
    const to = corners[(i + 1) % count], x = to[0] - from[0], y = to[1] - from[1], size = Math.hypot(x, y) || 1;
    const normal: Point = [-y / size, x / size];
    return { normal, height: (middle[0] - from[0]) * normal[0] + (middle[1] - from[1]) * normal[1] };
  });
  const depth = 0.14 * Math.min(...edges.map((edge) => edge.height));
  return corners.map((corner, i) => {
    const a = edges[(i + count - 1) % count].normal, b = edges[i].normal;
    const scale = depth / Math.max(0.1, 1 + a[0] * b[0] + a[1] * b[1]);
    return [corner[0] + scale * (a[0] + b[0]), corner[1] + scale * (a[1] + b[1])];
  });
}

/** The convex hull, counter-clockwise. */
export function convexHull(points: Point[]): Point[] {
  const sorted = [...points].sort((p, q) => p[0] - q[0] || p[1] - q[1]);
  const half = (list: Point[]): Point[] => {
    const chain: Point[] = [];
    for (const p of list) {
      while (chain.length >= 2 && turn(chain[chain.length - 2], chain[chain.length - 1], p) <= 0) chain.pop();
      chain.push(p);
    }
    chain.pop();
    return chain;
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

function turn(a: Point, b: Point, c: Point): number {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}
