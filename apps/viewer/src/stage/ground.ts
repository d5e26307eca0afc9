// Planes and half-planes. What has no end fades into the background at some distance. Their colour is even, without light:
// they cover most of the picture, which without a graphics card is most of the work. Shadows fall on a patch of their own.
import {
  Box2, BufferAttribute, BufferGeometry, Color, Group, LessDepth,
  Matrix4, Mesh, PlaneGeometry, ShaderMaterial, ShadowMaterial, Vector2, Vector3,
} from "three";
import { isPlane, type Body } from "./description";
import { cornersOf, type Extent } from "./bounds";
import { oneColor, pointColors } from "./flat";
import { Grid } from "./grid";
import { TO_SUN } from "./lights";
import type { Theme } from "./theme";

const REACH = 8; // in sizes of the scene: where a plane has faded out
const FLAT_REACH = 60;
const RINGS = [0, 0.12, 0.3, 0.6, 1], STRENGTH = [1, 1, 0.6, 0.2, 0]; // how it fades
const TURNS = 40;
const SHADOW = 0.22;

interface Plane { body: number; isFixed: boolean; local: Matrix4; object: Mesh; shadow: Mesh | null }

export class Ground {
  readonly group = new Group();
  readonly grid: Grid;
  private readonly planes: Plane[] = [];
  private isPlaced = false; // what is fixed is placed once
  private readonly material: ShaderMaterial;
  private readonly shadowMaterial = new ShadowMaterial({ depthWrite: false });

  constructor(bodies: Body[], private readonly extent: Extent, private readonly isPlanar: boolean) {
    // Half-planes that overlap are drawn once.
    this.material = isPlanar ? oneColor({ depthFunc: LessDepth }) : pointColors();
    bodies.forEach((body, index) => {
      for (const shape of body.shapes.filter(isPlane)) this.addPlane(index, body.kind === "fixed", shape.frame);
    });
    this.grid = new Grid(extent, isPlanar);
    this.group.add(this.grid.object);
  }

  /** Planes go with their bodies; frames: 12 numbers a body. */
  place(frames: Float64Array): void {
    for (const { body, isFixed, local, object, shadow } of this.planes) {
      if (isFixed && this.isPlaced) continue;
      const at = 12 * body;
      object.matrix.set(
        frames[at], frames[at + 3], frames[at + 6], frames[at + 9],
        frames[at + 1], frames[at + 4], frames[at + 7], frames[at + 10],
        frames[at + 2], frames[at + 5], frames[at + 8], frames[at + 11], 0, 0, 0, 1).multiply(local);
      object.matrixWorldNeedsUpdate = true;
      if (shadow) this.placeShadow(shadow, object.matrix);
    }
    this.isPlaced = true;
    if (!this.isPlanar && this.planes.length > 0) this.grid.layOn(this.planes[0].object.matrix);
  }

  paint(theme: Theme): void {
    this.grid.paint(theme);
    this.shadowMaterial.opacity = SHADOW * theme.shadowStrength;
    if (this.isPlanar) {
      this.material.uniforms.tint.value.copy(theme.fixed).lerp(theme.background, 0.45);
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

  private addPlane(body: number, isFixed: boolean, local: Matrix4): void {
    const { size } = this.extent;
    const object = new Mesh(this.isPlanar ? halfPlane(FLAT_REACH * size) : fadingDisk(REACH * size), this.material);
    object.matrixAutoUpdate = false;
    object.renderOrder = -4;
    object.frustumCulled = false;
    const shadow = this.isPlanar ? null : this.makeShadow();
    this.planes.push({ body, isFixed, local, object, shadow });
    this.group.add(object);
    if (shadow) this.group.add(shadow);
  }

  private makeShadow(): Mesh {
    const shadow = new Mesh(new PlaneGeometry(1, 1), this.shadowMaterial);
    shadow.matrixAutoUpdate = false;
    shadow.receiveShadow = true;
    shadow.renderOrder = -2;
    return shadow;
  }

  /** As large as the shadow of the scene's box. */
  private placeShadow(shadow: Mesh, plane: Matrix4): void {
    const patch = new Box2(), back = plane.clone().invert(), sun = TO_SUN.clone().transformDirection(back), reach = REACH * this.extent.size;
    for (const corner of cornersOf(this.extent.box)) {
      corner.applyMatrix4(back);
      corner.addScaledVector(sun, -corner.z / Math.max(sun.z, 0.05));
      patch.expandByPoint(new Vector2(corner.x, corner.y).clampScalar(-reach, reach));
    }
    const middle = patch.getCenter(new Vector2()), size = patch.getSize(new Vector2());
    shadow.matrix.makeTranslation(middle.x, middle.y, 1.5e-4 * this.extent.size).scale(new Vector3(size.x, size.y, 1)).premultiply(plane);
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
