// Many flat figures in one call of the graphics card, each from a point along a vector. What a figure looks like is up to its
// corners and to the shader that places them.
import { BufferAttribute, Color, DynamicDrawUsage, InstancedBufferAttribute, InstancedBufferGeometry, Mesh, ShaderMaterial } from "three";

const FIRST = 64; // room to begin with

/** The figure: pairs of numbers, across and along, and triangles of them. */
export interface Outline { corners: number[]; triangles: number[] }

export class Spans {
  readonly object: Mesh<InstancedBufferGeometry, ShaderMaterial>;
  private count = 0;
  private room = 0;
  private starts = new Float32Array(0);
  private reaches = new Float32Array(0);
  private tints = new Float32Array(0);

  /** order: what is drawn later lies on top */
  constructor(material: ShaderMaterial, private readonly outline: Outline, order: number) {
    this.object = new Mesh(new InstancedBufferGeometry(), material);
    this.object.frustumCulled = false;
    this.object.renderOrder = order;
    this.begin(FIRST);
    this.end();
  }

  /** Room for as many, none of them drawn yet. */
  begin(count: number): void {
    this.count = 0;
    if (count <= this.room) return;
    this.room = Math.ceil(1.5 * count);
    this.starts = new Float32Array(3 * this.room);
    this.reaches = new Float32Array(3 * this.room);
    this.tints = new Float32Array(3 * this.room);
    this.object.geometry.dispose();
    this.object.geometry = this.makeGeometry();
  }

  /** From a point along a vector. */
  add(x: number, y: number, z: number, dx: number, dy: number, dz: number, color: Color): void {
    const k = 3 * this.count++;
    this.starts[k] = x; this.starts[k + 1] = y; this.starts[k + 2] = z;
    this.reaches[k] = dx; this.reaches[k + 1] = dy; this.reaches[k + 2] = dz;
    this.tints[k] = color.r; this.tints[k + 1] = color.g; this.tints[k + 2] = color.b;
  }

  end(): void {
    const { geometry } = this.object;
    geometry.instanceCount = this.count;
    for (const name of ["start", "reach", "tint"]) geometry.getAttribute(name).needsUpdate = true;
  }

  dispose(): void {
    this.object.geometry.dispose();
    this.object.material.dispose();
  }

  private makeGeometry(): InstancedBufferGeometry {
    const { corners, triangles } = this.outline, made = new InstancedBufferGeometry();
    made.setAttribute("position", new BufferAttribute(new Float32Array(corners.length / 2 * 3), 3));
    made.setAttribute("corner", new BufferAttribute(new Float32Array(corners), 2));
    made.setIndex(triangles);
    for (const [name, numbers] of [["start", this.starts], ["reach", this.reaches], ["tint", this.tints]] as const) {
      made.setAttribute(name, new InstancedBufferAttribute(numbers, 3).setUsage(DynamicDrawUsage));
    }
    return made;
  }
}
