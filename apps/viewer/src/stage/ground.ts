// Planes and half-planes, and the grid. What has no end fades out at some distance.
import { BufferAttribute, BufferGeometry, Color, Group, LineBasicMaterial, LineSegments, Matrix4, Mesh, MeshBasicMaterial, MeshLambertMaterial, PlaneGeometry } from "three";
import { isPlane, type Body } from "./description";
import type { Extent } from "./bounds";
import type { Theme } from "./theme";

const REACH = 9; // in sizes of the scene: where a plane has faded out
const FLAT_REACH = 60;
const LINES = 36; // of the grid each way from its middle

interface Plane { body: number; local: Matrix4; object: Mesh }

export class Ground {
  readonly group = new Group();
  private readonly planes: Plane[] = [];
  private readonly material: MeshLambertMaterial | MeshBasicMaterial;
  private readonly grid: LineSegments<BufferGeometry, LineBasicMaterial>;
  private readonly gridPlane: Plane | null;
  private readonly step: number;

  constructor(bodies: Body[], private readonly extent: Extent, private readonly isPlanar: boolean) {
    this.material = isPlanar ? new MeshBasicMaterial({ depthTest: false, depthWrite: false })
      : new MeshLambertMaterial({ vertexColors: true, transparent: true });
    bodies.forEach((body, index) => {
      for (const shape of body.shapes.filter(isPlane)) this.addPlane(index, shape.frame);
    });
    this.gridPlane = isPlanar ? null : this.planes[0] ?? null;
    this.step = niceStep(extent.size / 6);
    this.grid = this.makeGrid();
    this.group.add(this.grid);
  }

  /** Planes go with their bodies; frames: 12 numbers a body. */
  place(frames: Float64Array): void {
    for (const { body, local, object } of this.planes) {
      const at = 12 * body;
      object.matrix.set(
        frames[at], frames[at + 3], frames[at + 6], frames[at + 9],
        frames[at + 1], frames[at + 4], frames[at + 7], frames[at + 10],
        frames[at + 2], frames[at + 5], frames[at + 8], frames[at + 11], 0, 0, 0, 1).multiply(local);
      object.matrixWorldNeedsUpdate = true;
    }
    if (this.gridPlane) this.placeGrid(this.gridPlane.object.matrix);
  }

  paint(theme: Theme): void {
    this.material.color.copy(this.isPlanar ? theme.fixed.clone().lerp(theme.background, 0.35) : theme.ground);
    const colors = this.grid.geometry.getAttribute("color"), color = new Color();
    for (let i = 0; i < colors.count; ++i) {
      color.copy(i < 8 ? theme.gridAxis : theme.gridLine);
      colors.setXYZ(i, color.r, color.g, color.b);
    }
    colors.needsUpdate = true;
  }

  setGrid(isShown: boolean): void { this.grid.visible = isShown; }

  /** The matrix of a body that has planes only; null: it has none. */
  matrixOf(body: number): Matrix4 | null {
    const plane = this.planes.find((one) => one.body === body);
    return plane ? plane.object.matrixWorld.clone().multiply(plane.local.clone().invert()) : null;
  }

  dispose(): void {
    for (const { object } of this.planes) object.geometry.dispose();
    this.material.dispose();
    this.grid.geometry.dispose();
    this.grid.material.dispose();
  }

  private addPlane(body: number, local: Matrix4): void {
    const object = new Mesh(this.isPlanar ? halfPlane(FLAT_REACH * this.extent.size) : fadingDisk(REACH * this.extent.size), this.material);
    object.matrixAutoUpdate = false;
    object.receiveShadow = !this.isPlanar;
    object.renderOrder = this.isPlanar ? 0 : -2;
    object.frustumCulled = false;
    this.planes.push({ body, local, object });
    this.group.add(object);
  }

  private makeGrid(): LineSegments<BufferGeometry, LineBasicMaterial> {
    const isBackdrop = this.isPlanar;
    const material = new LineBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false, depthTest: !isBackdrop });
    const grid = new LineSegments(gridLines(this.step), material);
    grid.matrixAutoUpdate = false;
    grid.frustumCulled = false;
    grid.renderOrder = -1;
    const { min, max } = this.extent.box;
    const snap = (value: number): number => Math.round(value / this.step) * this.step;
    const height = isBackdrop ? 0 : min.z;
    grid.matrix.makeTranslation(snap((min.x + max.x) / 2), isBackdrop ? snap((min.y + max.y) / 2) : snap((min.y + max.y) / 2), height);
    return grid;
  }

  /** On the plane, a hair above it, below the scene's middle. */
  private placeGrid(plane: Matrix4): void {
    const { min, max } = this.extent.box, e = plane.elements;
    const d = [(min.x + max.x) / 2 - e[12], (min.y + max.y) / 2 - e[13], (min.z + max.z) / 2 - e[14]];
    const along = (column: number): number =>
      Math.round((d[0] * e[4 * column] + d[1] * e[4 * column + 1] + d[2] * e[4 * column + 2]) / this.step) * this.step;
    this.grid.matrix.makeTranslation(along(0), along(1), this.extent.size * 2e-4).premultiply(plane);
    this.grid.matrixWorldNeedsUpdate = true;
  }
}

/** 1, 2 or 5 times a power of ten. */
export function niceStep(size: number): number {
  const power = 10 ** Math.floor(Math.log10(size)), share = size / power;
  return power * (share < 1.5 ? 1 : share < 3.5 ? 2 : share < 7.5 ? 5 : 10);
}

/** A disk whose colour fades towards its edge. */
function fadingDisk(radius: number): BufferGeometry {
  const rings = [0, 0.18, 0.4, 0.65, 1], strength = [1, 1, 0.75, 0.3, 0], turns = 48;
  const positions: number[] = [], colors: number[] = [], index: number[] = [];
  rings.forEach((share, ring) => {
    for (let k = 0; k < turns; ++k) {
      const angle = 2 * Math.PI * k / turns;
      positions.push(share * radius * Math.cos(angle), share * radius * Math.sin(angle), 0);
      colors.push(1, 1, 1, strength[ring]);
      const at = ring * turns + k, next = ring * turns + (k + 1) % turns;
      if (ring > 0) index.push(at - turns, at, next, at - turns, next, next - turns);
    }
  });
  const made = new BufferGeometry();
  made.setAttribute("position", new BufferAttribute(new Float32Array(positions), 3));
  made.setAttribute("color", new BufferAttribute(new Float32Array(colors), 4));
  made.setIndex(index);
  made.computeVertexNormals();
  return made;
}

function halfPlane(reach: number): BufferGeometry {
  return new PlaneGeometry(2 * reach, reach).translate(0, -reach / 2, 0);
}

/** Lines along x and y that fade outwards; the two through the middle come first. */
function gridLines(step: number): BufferGeometry {
  const positions: number[] = [], colors: number[] = [], reach = LINES * step;
  const fade = (value: number): number => Math.max(0, 1 - Math.abs(value) / reach) ** 1.5;
  const order = Array.from({ length: 2 * LINES + 1 }, (_, i) => (i + 1 >> 1) * (i % 2 ? 1 : -1));
  for (const i of order) {
    for (const [from, to] of [[-reach, 0], [0, reach]]) { // two halves each: a line fades both ways
      positions.push(i * step, from, 0, i * step, to, 0, from, i * step, 0, to, i * step, 0);
      for (const end of [from, to, from, to]) colors.push(1, 1, 1, fade(i * step) * (end === 0 ? 1 : 0));
    }
  }
  const made = new BufferGeometry();
  made.setAttribute("position", new BufferAttribute(new Float32Array(positions), 3));
  made.setAttribute("color", new BufferAttribute(new Float32Array(colors), 4));
  return made;
}
