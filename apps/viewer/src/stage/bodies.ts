// Bodies as instances: one call of the graphics card for all shapes with the same geometry.
import { type BufferGeometry, Color, DoubleSide, DynamicDrawUsage, Group, InstancedMesh, Matrix4, MeshLambertMaterial, Raycaster, ShaderMaterial, Vector3 } from "three";
import { cornersOf } from "./bounds";
import type { Body, BodyKind } from "./description";
import { disks, instanceColors } from "./flat";
import { FEW, modelOf, type ShapeModel } from "./shapes";
import type { Theme } from "./theme";

/** A shape of a body as it is drawn: its geometry, where that is in the body's frame, and what lies on top in planar scenes. */
export interface Instance { geometry: BufferGeometry; local: Matrix4; order: number }

/** Draws all shapes of one geometry. */
interface Batch {
  mesh: InstancedMesh;
  bodies: Int32Array;
  locals: Float64Array; // 12 numbers an instance
  colors: (Color | null)[]; // null: by the theme
}

interface Part { body: number; size: number; local: Matrix4; color: Color | null }

const FLAT = { depthTest: false, depthWrite: false }; // planar bodies lie over one another by their order
const ORDER: Record<BodyKind, number> = { fixed: 1, driven: 2, free: 3 }; // planar scenes: what lies on top

export class Bodies {
  readonly group = new Group();
  private readonly batches: Batch[] = [];
  private readonly material: MeshLambertMaterial | ShaderMaterial;
  private readonly openMaterial: MeshLambertMaterial | ShaderMaterial; // seen from both sides
  private readonly diskMaterial: ShaderMaterial;
  private readonly color = new Color();

  /** isSoftware: there is no graphics card; round shapes are coarser where there are many */
  constructor(private readonly bodies: Body[], isPlanar: boolean, private readonly isSoftware: boolean) {
    this.material = isPlanar
      ? instanceColors(FLAT)
      : new MeshLambertMaterial({ vertexColors: true });
    this.diskMaterial = disks(!isSoftware, FLAT);
    this.openMaterial = this.material.clone();
    this.openMaterial.side = DoubleSide;
    for (const sort of sortParts(bodies, isPlanar)) this.batches.push(this.makeBatch(sort, isPlanar));
    for (const batch of this.batches) this.group.add(batch.mesh);
  }

  /** Put every instance where its body is; frames: 12 numbers a body. */
  place(frames: Float64Array): void {
    for (const { mesh, bodies, locals } of this.batches) {
      const out = mesh.instanceMatrix.array;
      for (let i = 0; i < bodies.length; ++i) multiply(frames, 12 * bodies[i], locals, 12 * i, out as Float32Array, 16 * i);
      mesh.instanceMatrix.needsUpdate = true;
    }
  }

  paint(theme: Theme): void {
    for (const { mesh, bodies, colors } of this.batches) {
      bodies.forEach((body, i) => mesh.setColorAt(i, colors[i] ?? colorOf(this.bodies[body].kind, body, theme, this.color)));
      mesh.instanceColor!.needsUpdate = true;
    }
  }

  /** All bodies in one colour. */
  paintAll(color: Color): void {
    for (const { mesh, bodies } of this.batches) {
      bodies.forEach((_, i) => mesh.setColorAt(i, color));
      mesh.instanceColor!.needsUpdate = true;
    }
  }

  /** Let what is behind shine through; no shadows. */
  makePale(shown: number): void {
    for (const material of [this.material, this.openMaterial, this.diskMaterial]) {
      material.transparent = true;
      material.opacity = shown;
      material.depthWrite = false;
      material.alphaToCoverage = false;
      if (material instanceof ShaderMaterial) material.uniforms.opacity.value = shown;
    }
    for (const { mesh } of this.batches) {
      mesh.castShadow = mesh.receiveShadow = false;
      mesh.renderOrder += 4;
    }
  }

  /** The shapes of a body as they are drawn. */
  instancesOf(body: number): Instance[] {
    return this.batches.flatMap(({ mesh, bodies, locals }) => [...bodies].flatMap((owner, i) => {
      if (owner !== body) return [];
      const local = new Matrix4();
      expand(locals, 12 * i, local);
      return [{ geometry: mesh.geometry, local, order: mesh.renderOrder }];
    }));
  }

  setWire(isWire: boolean): void {
    this.material.wireframe = this.openMaterial.wireframe = isWire;
    this.diskMaterial.uniforms.isWire.value = isWire;
  }

  /** The body that a ray meets first, and where; null: none. */
  pick(ray: Raycaster): { body: number; point: Vector3 } | null {
    let nearest = Infinity, found: { body: number; point: Vector3 } | null = null, top = -1;
    for (const { mesh, bodies } of this.batches) {
      mesh.boundingSphere = null; // instances have moved
      for (const hit of ray.intersectObject(mesh, false)) {
        const isNearer = mesh.renderOrder > top || (mesh.renderOrder === top && hit.distance < nearest);
        if (hit.instanceId === undefined || !isNearer) continue;
        [nearest, top] = [hit.distance, mesh.renderOrder];
        found = { body: bodies[hit.instanceId], point: hit.point };
      }
    }
    return found;
  }

  /** The matrix of a body, from that of its first instance as it is drawn; null: it has none. */
  matrixOf(body: number): Matrix4 | null {
    for (const { mesh, bodies, locals } of this.batches) {
      const i = bodies.indexOf(body);
      if (i < 0) continue;
      const drawn = new Matrix4(), local = new Matrix4();
      mesh.getMatrixAt(i, drawn);
      expand(locals, 12 * i, local);
      return drawn.premultiply(mesh.matrixWorld).multiply(local.invert());
    }
    return null;
  }

  /** Corners of a box about each shape, in its body's frame. */
  corners(): { body: number; points: Vector3[] }[] {
    const found: { body: number; points: Vector3[] }[] = [];
    const local = new Matrix4();
    for (const { mesh, bodies, locals } of this.batches) {
      if (!mesh.geometry.boundingBox) mesh.geometry.computeBoundingBox();
      bodies.forEach((body, i) => {
        expand(locals, 12 * i, local);
        found.push({ body, points: cornersOf(mesh.geometry.boundingBox!).map((point) => point.applyMatrix4(local)) });
      });
    }
    return found;
  }

  dispose(): void {
    for (const { mesh } of this.batches) {
      mesh.geometry.dispose();
      mesh.dispose();
    }
    for (const material of [this.material, this.openMaterial, this.diskMaterial]) material.dispose();
  }

  private materialOf(model: ShapeModel): MeshLambertMaterial | ShaderMaterial {
    return model.isDisk ? this.diskMaterial : model.isOpen ? this.openMaterial : this.material;
  }

  private makeBatch({ model, parts, order }: Sort, isPlanar: boolean): Batch {
    const mesh = new InstancedMesh(model.build(parts.length * (this.isSoftware ? 1 : 0.1)), this.materialOf(model), parts.length);
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    mesh.frustumCulled = false;
    mesh.castShadow = mesh.receiveShadow = !isPlanar;
    mesh.renderOrder = order;
    const locals = new Float64Array(12 * parts.length);
    parts.forEach((part, i) => compress(part.local, locals, 12 * i));
    return { mesh, bodies: Int32Array.from(parts, (part) => part.body), locals, colors: parts.map((part) => part.color) };
  }
}

interface Sort { model: ShapeModel; order: number; parts: Part[] }

/** Shapes by geometry; in planar scenes also by what lies on top. */
function sortParts(bodies: Body[], isPlanar: boolean): Sort[] {
  const sorts = new Map<string, Sort>();
  bodies.forEach((body, index) => {
    for (const shape of body.pictures) {
      const model = modelOf(shape);
      if (!model) continue;
      const order = isPlanar ? ORDER[body.kind] : 0, name = `${order} ${model.key}`;
      if (!sorts.has(name)) sorts.set(name, { model, order, parts: [] });
      sorts.get(name)!.parts.push({ body: index, size: model.scale.length(), local: shape.frame.clone().scale(model.scale), color: shape.color });
    }
  });
  return [...sorts.values()].flatMap(setLargeApart);
}

/** Few large ones among many small ones are drawn finely. */
function setLargeApart(sort: Sort): Sort[] {
  if (sort.parts.length <= FEW) return [sort];
  const sizes = sort.parts.map((part) => part.size).sort((a, b) => a - b), limit = 2 * sizes[sizes.length >> 1];
  const large = sort.parts.filter((part) => part.size > limit);
  if (large.length === 0 || large.length > FEW) return [sort];
  return [{ ...sort, parts: sort.parts.filter((part) => part.size <= limit) }, { ...sort, parts: large }];
}

export function colorOf(kind: BodyKind, body: number, theme: Theme, out: Color): Color {
  if (kind !== "free") return out.copy(kind === "fixed" ? theme.fixed : theme.driven);
  return out.copy(theme.free[body % theme.free.length]);
}

function compress(matrix: Matrix4, out: Float64Array, at: number): void {
  for (let column = 0; column < 4; ++column) for (let row = 0; row < 3; ++row) out[at + 3 * column + row] = matrix.elements[4 * column + row];
}

function expand(numbers: Float64Array, at: number, out: Matrix4): void {
  out.identity();
  for (let column = 0; column < 4; ++column) for (let row = 0; row < 3; ++row) out.elements[4 * column + row] = numbers[at + 3 * column + row];
}

/** out = a b, the last row of all being 0 0 0 1. */
function multiply(a: Float64Array, i: number, b: Float64Array, j: number, out: Float32Array, to: number): void {
  for (let column = 0; column < 4; ++column) {
    const x = b[j + 3 * column], y = b[j + 3 * column + 1], z = b[j + 3 * column + 2];
    for (let row = 0; row < 3; ++row) out[to + 4 * column + row] = a[i + row] * x + a[i + 3 + row] * y + a[i + 6 + row] * z;
    out[to + 4 * column + 3] = 0;
  }
  out[to + 12] += a[i + 9];
  out[to + 13] += a[i + 10];
  out[to + 14] += a[i + 11];
  out[to + 15] = 1;
}
