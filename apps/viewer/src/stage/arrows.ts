// Many arrows in two calls of the graphics card: shafts and heads.
import { BufferGeometry, Color, ConeGeometry, CylinderGeometry, DynamicDrawUsage, Group, InstancedBufferAttribute, InstancedMesh, MeshBasicMaterial } from "three";
import type { Vec3 } from "../types";

const FIRST = 64; // room to begin with

export class Arrows {
  readonly group = new Group();
  count = 0;
  private readonly material = new MeshBasicMaterial({ depthTest: false, depthWrite: false, transparent: true, opacity: 0.92 });
  private readonly shaftShape: BufferGeometry;
  private readonly headShape: BufferGeometry;
  private shafts: InstancedMesh;
  private heads: InstancedMesh;
  private room = FIRST;

  /** radius: of the shafts [m] */
  constructor(private readonly radius: number) {
    this.shaftShape = new CylinderGeometry(1, 1, 1, 8, 1, true).rotateX(Math.PI / 2).translate(0, 0, 0.5);
    this.headShape = new ConeGeometry(1, 1, 12).rotateX(Math.PI / 2).translate(0, 0, 0.5);
    this.shafts = this.make(this.shaftShape, 20);
    this.heads = this.make(this.headShape, 21);
  }

  /** Make room for as many arrows, none of them drawn yet. */
  begin(count: number): void {
    this.count = 0;
    if (count <= this.room) return;
    this.room = Math.ceil(1.5 * count);
    for (const old of [this.shafts, this.heads]) {
      this.group.remove(old);
      old.dispose();
    }
    this.shafts = this.make(this.shaftShape, 20);
    this.heads = this.make(this.headShape, 21);
  }

  /** From a point along a vector. */
  add(x: number, y: number, z: number, dx: number, dy: number, dz: number, color: Color): void {
    const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
    if (!(length > 0)) return;
    const head = Math.min(0.4 * length, 7 * this.radius), shaft = length - head;
    const ux = dx / length, uy = dy / length, uz = dz / length;
    const width = Math.min(this.radius, 0.12 * length);
    put(this.shafts, this.count, x, y, z, ux, uy, uz, width, shaft, color);
    put(this.heads, this.count, x + ux * shaft, y + uy * shaft, z + uz * shaft, ux, uy, uz, 2.6 * width, head, color);
    this.count++;
  }

  end(): void {
    for (const mesh of [this.shafts, this.heads]) {
      mesh.count = this.count;
      mesh.instanceMatrix.needsUpdate = true;
      mesh.instanceColor!.needsUpdate = true;
    }
  }

  /** Where arrows begin and end, out of what is drawn. */
  drawn(): { point: Vec3; tip: Vec3 }[] {
    if (!this.group.visible) return [];
    const shafts = this.shafts.instanceMatrix.array, heads = this.heads.instanceMatrix.array;
    return Array.from({ length: this.shafts.count }, (_, i) => {
      const k = 16 * i + 12;
      return {
        point: [shafts[k], shafts[k + 1], shafts[k + 2]],
        tip: [heads[k] + heads[k - 4], heads[k + 1] + heads[k - 3], heads[k + 2] + heads[k - 2]],
      };
    });
  }

  dispose(): void {
    this.shafts.dispose();
    this.heads.dispose();
    this.shaftShape.dispose();
    this.headShape.dispose();
    this.material.dispose();
  }

  private make(shape: BufferGeometry, order: number): InstancedMesh {
    const mesh = new InstancedMesh(shape, this.material, this.room);
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    mesh.instanceColor = new InstancedBufferAttribute(new Float32Array(3 * this.room), 3);
    mesh.frustumCulled = false;
    mesh.renderOrder = order;
    mesh.count = 0;
    this.group.add(mesh);
    return mesh;
  }
}

/** Instance i: z along the unit vector u, stretched to length and width. */
export function put(mesh: InstancedMesh, i: number, x: number, y: number, z: number, ux: number, uy: number, uz: number,
                    width: number, length: number, color: Color): void {
  const m = mesh.instanceMatrix.array, k = 16 * i;
  // Any unit vector at right angles to u: built from the axis that u leans to least.
  const sign = uz >= 0 ? 1 : -1, a = -1 / (sign + uz), b = ux * uy * a;
  m[k] = width * (1 + sign * ux * ux * a); m[k + 1] = width * sign * b; m[k + 2] = -width * sign * ux; m[k + 3] = 0;
  m[k + 4] = width * b; m[k + 5] = width * (sign + uy * uy * a); m[k + 6] = -width * uy; m[k + 7] = 0;
  m[k + 8] = length * ux; m[k + 9] = length * uy; m[k + 10] = length * uz; m[k + 11] = 0;
  m[k + 12] = x; m[k + 13] = y; m[k + 14] = z; m[k + 15] = 1;
  const c = mesh.instanceColor!.array;
  c[3 * i] = color.r; c[3 * i + 1] = color.g; c[3 * i + 2] = color.b;
}
