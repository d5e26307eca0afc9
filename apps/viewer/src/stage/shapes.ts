// Shapes as geometries. Shapes that differ only in size share one, so that all of them are drawn in one call.
import { BoxGeometry, BufferAttribute, BufferGeometry, CapsuleGeometry, ConeGeometry, CylinderGeometry, SphereGeometry, Vector3 } from "three";
import { ConvexGeometry } from "three/examples/jsm/geometries/ConvexGeometry.js";
import { mergeVertices, toCreasedNormals } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import type { Shape } from "./description";
import { aroundDisk, bar, convexHull, polygon, type Point } from "./outline";

export interface ShapeModel {
  key: string; // shapes with the same key have the same geometry
  scale: Vector3; // of the geometry, to be the shape
  isDisk?: boolean; // the geometry is an octagon about it
  isOpen?: boolean; // its surface may be seen from both sides
  build(count: number): BufferGeometry; // the more there are, the coarser
}

const TURN = Math.PI / 2;
const SHADE = 0.86; // the darker patches that let turning be seen
const EDGE = 0.78; // and edges of boxes
const CREASE = 0.6; // [rad] sharper edges of meshes are shown as edges
const SMOOTHED = 20000; // meshes with more triangles are left flat: smoothing takes long
export const FEW = 60;
const MANY = 400;
const TINY = 1e-6; // a size of 0 would turn normals into nothing

/** How to draw a shape; null: nothing to be drawn here (planes are the ground's). */
export function modelOf(shape: Shape): ShapeModel | null {
  const { half, radius, halfLength } = shape;
  const all = (r: number): Vector3 => sized(r, r, r);
  switch (shape.kind) {
    case "sphere": return { key: "sphere", scale: all(radius), build: sphere };
    case "ellipsoid": return { key: "sphere", scale: sized(half.x, half.y, half.z), build: sphere };
    case "box": return boxModel(half);
    case "cylinder": return { key: "cylinder", scale: sized(radius, radius, halfLength), build: cylinder };
    case "cone": return { key: "cone", scale: sized(radius, radius, halfLength), build: cone };
    case "capsule": return capsuleModel(Math.max(radius, TINY), halfLength);
    case "hull": return own(shape.points, () => hull(shape.points));
    case "mesh": return { ...own([shape.points, shape.triangles], () => mesh(shape.points, shape.triangles)), isOpen: true };
    case "height_field": return { ...own([shape.heights, shape.spacing], () => heightField(shape.heights, shape.spacing)), isOpen: true };
    case "disk": return { key: "disk", scale: sized(radius, radius, radius), build: aroundDisk, isDisk: true };
    case "ellipse": return { key: "disk", scale: sized(half.x, half.y, half.x), build: aroundDisk, isDisk: true };
    case "polygon": return own(shape.points, () => polygonOf(shape.points));
    case "segment": return segmentModel(halfLength, radius);
    default: return null;
  }
}

function sized(x: number, y: number, z: number): Vector3 {
  return new Vector3(Math.max(x, TINY), Math.max(y, TINY), Math.max(z, TINY));
}

/** A geometry at its true size; equal numbers share it. */
function own(numbers: unknown, build: () => BufferGeometry): ShapeModel {
  return { key: JSON.stringify(numbers), scale: new Vector3(1, 1, 1), build };
}

// --- Round shapes ---

/** Sides of round shapes: for a few, for many, for a crowd. */
function fineness(count: number, few: number, many: number, crowd: number): number {
  return count <= FEW ? few : count <= MANY ? many : crowd;
}

function sphere(count: number): BufferGeometry {
  return shaded(new SphereGeometry(1, fineness(count, 32, 12, 8), fineness(count, 20, 8, 6)).rotateX(TURN), (x, y, z) => x * y * z < 0);
}

function cylinder(count: number): BufferGeometry {
  return shaded(new CylinderGeometry(1, 1, 2, fineness(count, 40, 16, 12)).rotateX(TURN), (x, y) => x * y < 0);
}

function cone(count: number): BufferGeometry {
  return shaded(new ConeGeometry(1, 2, fineness(count, 40, 16, 12)).rotateX(TURN), (x, y) => x * y < 0);
}

function capsuleModel(radius: number, halfLength: number): ShapeModel {
  const ratio = Number((halfLength / radius).toPrecision(6));
  const build = (count: number): BufferGeometry =>
    shaded(new CapsuleGeometry(1, 2 * ratio, fineness(count, 8, 4, 2), fineness(count, 32, 12, 8)).rotateX(TURN), (x, y) => x * y < 0);
  return { key: `capsule ${ratio}`, scale: new Vector3(radius, radius, radius), build };
}

/** Give each triangle its own colour by where its middle is. */
function shaded(geometry: BufferGeometry, isDark: (x: number, y: number, z: number) => boolean): BufferGeometry {
  const flat = geometry.index ? geometry.toNonIndexed() : geometry;
  const p = flat.getAttribute("position"), colors = new Float32Array(3 * p.count);
  for (let i = 0; i < p.count; i += 3) {
    const [x, y, z] = [0, 1, 2].map((axis) => p.getComponent(i, axis) + p.getComponent(i + 1, axis) + p.getComponent(i + 2, axis));
    colors.fill(isDark(x, y, z) ? SHADE : 1, 3 * i, 3 * i + 9);
  }
  flat.setAttribute("color", new BufferAttribute(colors, 3));
  flat.deleteAttribute("uv");
  return mergeVertices(flat);
}

function plain(geometry: BufferGeometry): BufferGeometry {
  const count = geometry.getAttribute("position").count;
  geometry.setAttribute("color", new BufferAttribute(new Float32Array(3 * count).fill(1), 3));
  geometry.deleteAttribute("uv");
  return geometry;
}

// --- Boxes ---

/** Boxes of the same proportions share a geometry, with edges of even width. */
function boxModel(half: Vector3): ShapeModel {
  const largest = Math.max(half.x, half.y, half.z, TINY);
  const sides = [half.x, half.y, half.z].map((side) => Number(Math.max(side / largest, TINY).toPrecision(6)));
  return { key: `box ${sides.join(" ")}`, scale: new Vector3(largest, largest, largest), build: () => box(sides) };
}

/** Six faces, each a bright middle and a darker band along its edges. */
function box(sides: number[]): BufferGeometry {
  const band = 0.055 * Math.min(...sides), positions: number[] = [], normals: number[] = [], colors: number[] = [];
  const faces = new BoxGeometry(2, 2, 2).toNonIndexed(), p = faces.getAttribute("position"), n = faces.getAttribute("normal");
  const put = (unit: number[], normal: number[], isInner: boolean, brightness: number): void => {
    unit.forEach((value, k) => positions.push(value * (sides[k] - (isInner && normal[k] === 0 ? band : 0))));
    normals.push(...normal);
    colors.push(brightness, brightness, brightness);
  };
  for (let i = 0; i < p.count; i += 3) {
    const normal = [0, 1, 2].map((k) => n.getComponent(i, k));
    const corners = [0, 1, 2].map((c) => [0, 1, 2].map((k) => p.getComponent(i + c, k)));
    for (const corner of corners) put(corner, normal, true, 1);
    corners.forEach((from, c) => {
      const to = corners[(c + 1) % 3];
      const isDiagonal = from.filter((value, k) => value !== to[k]).length > 1;
      if (isDiagonal) return;
      put(from, normal, false, EDGE); put(to, normal, false, EDGE); put(to, normal, true, EDGE);
      put(from, normal, false, EDGE); put(to, normal, true, EDGE); put(from, normal, true, EDGE);
    });
  }
  const made = new BufferGeometry();
  made.setAttribute("position", new BufferAttribute(new Float32Array(positions), 3));
  made.setAttribute("normal", new BufferAttribute(new Float32Array(normals), 3));
  made.setAttribute("color", new BufferAttribute(new Float32Array(colors), 3));
  return mergeVertices(made);
}

// --- Shapes of points ---

function vectors(points: number[][]): Vector3[] {
  return points.map(([x = 0, y = 0, z = 0]) => new Vector3(x, y, z));
}

function hull(points: number[][]): BufferGeometry {
  const corners = vectors(points);
  let made: BufferGeometry | null = null;
  try { made = corners.length >= 4 ? new ConvexGeometry(corners) : null; } catch { made = null; }
  return plain(made && made.getAttribute("position").count >= 12 ? made : aroundPoints(corners));
}

/** For points that have no hull with a volume. */
function aroundPoints(corners: Vector3[]): BufferGeometry {
  const geometry = new BufferGeometry().setFromPoints(corners.length > 0 ? corners : [new Vector3()]);
  geometry.computeBoundingBox();
  const size = geometry.boundingBox!.getSize(new Vector3()), middle = geometry.boundingBox!.getCenter(new Vector3());
  const least = Math.max(size.length() * 1e-3, TINY);
  return new BoxGeometry(size.x || least, size.y || least, size.z || least).translate(middle.x, middle.y, middle.z);
}

function mesh(points: number[][], triangles: number[][]): BufferGeometry {
  const geometry = new BufferGeometry().setFromPoints(vectors(points.length > 0 ? points : [[0, 0, 0]]));
  const isCorner = (i: number): boolean => Number.isInteger(i) && i >= 0 && i < points.length;
  geometry.setIndex(triangles.filter((t) => t.length === 3 && t.every(isCorner)).flat());
  return creased(geometry);
}

function heightField(heights: number[][], spacing: [number, number]): BufferGeometry {
  const rows = heights.length, columns = heights[0]?.length ?? 0, points: Vector3[] = [], index: number[] = [];
  for (let i = 0; i < rows; ++i) {
    for (let j = 0; j < columns; ++j) {
      points.push(new Vector3((i - (rows - 1) / 2) * spacing[0], (j - (columns - 1) / 2) * spacing[1], heights[i][j] ?? 0));
      const at = i * columns + j;
      if (i > 0 && j > 0) index.push(at - columns - 1, at - 1, at, at - columns - 1, at, at - columns);
    }
  }
  return creased(new BufferGeometry().setFromPoints(points.length > 0 ? points : [new Vector3()]).setIndex(index));
}

/** Smooth where faces nearly go on, sharp at edges. */
function creased(geometry: BufferGeometry): BufferGeometry {
  const isLarge = geometry.index!.count > 3 * SMOOTHED;
  const flat = geometry.toNonIndexed();
  flat.computeVertexNormals();
  return plain(isLarge || flat.getAttribute("position").count === 0 ? flat : toCreasedNormals(flat, CREASE));
}

// --- Planar shapes ---

function polygonOf(points: number[][]): BufferGeometry {
  const corners = convexHull(points.map(([x = 0, y = 0]): Point => [x, y]));
  return corners.length >= 3 ? polygon(corners) : plain(aroundPoints(vectors(points)));
}

/** A bar without width is drawn with some. */
function segmentModel(halfLength: number, radius: number): ShapeModel {
  const width = Math.max(radius, 0.035 * halfLength, TINY);
  return { key: `bar ${halfLength} ${width}`, scale: new Vector3(1, 1, 1), build: () => bar(halfLength, width) };
}
