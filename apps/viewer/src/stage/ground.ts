// Planes and half-planes. What has no end fades into the background at some distance. Their colour is even, without light:
// they cover most of the picture, which without a graphics card is most of the work. Shadows fall on a patch of their own.
import { BufferAttribute, BufferGeometry, CircleGeometry, Color, Group, LessDepth, Matrix4, Mesh, MeshBasicMaterial, PlaneGeometry, ShadowMaterial, Sphere } from "three";
import { isPlane, type Body } from "./description";
import type { Extent } from "./bounds";
import { Grid } from "./grid";
import type { Theme } from "./theme";

const REACH = 8; // in sizes of the scene: where a plane has faded out
const FLAT_REACH = 60;
const RINGS = [0, 0.12, 0.3, 0.6, 1], STRENGTH = [1, 1, 0.6, 0.2, 0]; // how it fades
const TURNS = 40;
const SHADOW = 0.22;

interface Plane { body: number; local: Matrix4; object: Mesh; shadow: Mesh | null }

export class Ground {
  readonly group = new Group();
  readonly grid: Grid;
  private readonly planes: Plane[] = [];
  private readonly material: MeshBasicMaterial;
  private readonly shadowMaterial = new ShadowMaterial({ depthWrite: false });

  constructor(bodies: Body[], private readonly extent: Extent, private readonly isPlanar: boolean) {
    // Half-planes that overlap are drawn once.
    this.material = new MeshBasicMaterial(isPlanar ? { depthFunc: LessDepth } : { vertexColors: true });
    bodies.forEach((body, index) => {
      for (const shape of body.shapes.filter(isPlane)) this.addPlane(index, shape.frame);
    });
    this.grid = new Grid(extent, isPlanar);
    this.group.add(this.grid.object);
  }

  /** Planes go with their bodies; frames: 12 numbers a body. */
  place(frames: Float64Array): void {
    for (const { body, local, object, shadow } of this.planes) {
      const at = 12 * body;
      object.matrix.set(
        frames[at], frames[at + 3], frames[at + 6], frames[at + 9],
        frames[at + 1], frames[at + 4], frames[at + 7], frames[at + 10],
        frames[at + 2], frames[at + 5], frames[at + 8], frames[at + 11], 0, 0, 0, 1).multiply(local);
      object.matrixWorldNeedsUpdate = true;
      if (shadow) this.placeShadow(shadow, object.matrix);
    }
    if (!this.isPlanar && this.planes.length > 0) this.grid.layOn(this.planes[0].object.matrix);
  }

  paint(theme: Theme): void {
    this.grid.paint(theme);
    this.shadowMaterial.opacity = SHADOW * theme.shadowStrength;
    if (this.isPlanar) {
      this.material.color.copy(theme.fixed).lerp(theme.background, 0.45);
      return;
    }
    for (const { object } of this.planes) fade(object.geometry, theme.ground, theme.background);
  }

  setShadows(areShown: boolean): void {
    for (const { shadow } of this.planes) if (shadow) shadow.visible = areShown;
  }

  /** The matrix of a body that has planes only; null: it has none. */
  matrixOf(body: number): Matrix4 | null {
    const plane = this.planes.find((one) => one.body === body);
    return plane ? plane.object.matrixWorld.clone().multiply(plane.local.clone().invert()) : null;
  }

  dispose(): void {
    for (const { object, shadow } of this.planes) {
      object.geometry.dispose();
      shadow?.geometry.dispose();
    }
    this.material.dispose();
    this.shadowMaterial.dispose();
    this.grid.dispose();
  }

  private addPlane(body: number, local: Matrix4): void {
    const { size } = this.extent;
    const object = new Mesh(this.isPlanar ? halfPlane(FLAT_REACH * size) : fadingDisk(REACH * size), this.material);
    object.matrixAutoUpdate = false;
    object.renderOrder = -4;
    object.frustumCulled = false;
    const shadow = this.isPlanar ? null : this.makeShadow();
    this.planes.push({ body, local, object, shadow });
    this.group.add(object);
    if (shadow) this.group.add(shadow);
  }

  private makeShadow(): Mesh {
    const radius = this.extent.box.getBoundingSphere(new Sphere()).radius;
    const shadow = new Mesh(new CircleGeometry(1.7 * radius, TURNS), this.shadowMaterial);
    shadow.matrixAutoUpdate = false;
    shadow.receiveShadow = true;
    shadow.renderOrder = -2;
    return shadow;
  }

  /** Below the middle of the scene, on the plane. */
  private placeShadow(shadow: Mesh, plane: Matrix4): void {
    const { min, max } = this.extent.box, e = plane.elements;
    const x = (min.x + max.x) / 2 - e[12], y = (min.y + max.y) / 2 - e[13], z = (min.z + max.z) / 2 - e[14];
    const along = (k: number): number => x * e[k] + y * e[k + 1] + z * e[k + 2];
    shadow.matrix.makeTranslation(along(0), along(4), 1.5e-4 * this.extent.size).premultiply(plane);
    shadow.matrixWorldNeedsUpdate = true;
  }
}

function fadingDisk(radius: number): BufferGeometry {
  const positions: number[] = [], index: number[] = [];
  RINGS.forEach((share, ring) => {
    for (let k = 0; k < TURNS; ++k) {
      const angle = 2 * Math.PI * k / TURNS;
      positions.push(share * radius * Math.cos(angle), share * radius * Math.sin(angle), 0);
      const at = ring * TURNS + k, next = ring * TURNS + (k + 1) % TURNS;
      if (ring > 0) index.push(at - TURNS, at, next, at - TURNS, next, next - TURNS);
    }
  });
  const made = new BufferGeometry();
  made.setAttribute("position", new BufferAttribute(new Float32Array(positions), 3));
  made.setAttribute("color", new BufferAttribute(new Float32Array(positions.length), 3));
  made.setIndex(index);
  return made;
}

/** From one colour in the middle of a disk to the other at its edge. */
function fade(disk: BufferGeometry, middle: Color, edge: Color): void {
  const colors = disk.getAttribute("color"), color = new Color();
  for (let i = 0; i < colors.count; ++i) {
    color.lerpColors(edge, middle, STRENGTH[Math.floor(i / TURNS)]);
    colors.setXYZ(i, color.r, color.g, color.b);
  }
  colors.needsUpdate = true;
}

function halfPlane(reach: number): BufferGeometry {
  return new PlaneGeometry(2 * reach, reach).translate(0, -reach / 2, 0);
}
