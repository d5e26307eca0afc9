// Many arrows in one call of the graphics card. Each is flat, three triangles that turn towards the camera: without a
// graphics card every triangle counts.
import { BufferAttribute, Color, DoubleSide, DynamicDrawUsage, InstancedBufferAttribute, InstancedBufferGeometry, Mesh, ShaderMaterial } from "three";
import type { Vec3 } from "../types";

const FIRST = 64; // room to begin with
const SHAFT = 0, NECK = 1, TIP = 2; // where along the arrow a corner is
const CORNERS = [-1, SHAFT, 1, SHAFT, 1, NECK, -1, NECK, -2.7, NECK, 2.7, NECK, 0, TIP]; // across (in widths), along
const TRIANGLES = [0, 1, 2, 0, 2, 3, 4, 5, 6];

const vertexShader = `
  attribute vec2 corner; attribute vec3 start; attribute vec3 reach; attribute vec3 tint;
  uniform float width; varying vec3 vTint;
  void main() {
    float size = max(length(reach), 1e-30), thin = min(width, 0.12 * size), neck = size - min(0.4 * size, 7.0 * thin);
    float along = corner.y == 0.0 ? 0.0 : corner.y == 1.0 ? neck : size;
    vec4 place = modelViewMatrix * vec4(start + reach * (along / size), 1.0);
    vec3 ahead = normalize((modelViewMatrix * vec4(reach / size, 0.0)).xyz);
    vec3 sight = isOrthographic ? vec3(0.0, 0.0, 1.0) : normalize(place.xyz);
    vec3 side = cross(ahead, sight);
    float turn = length(side);
    side = turn > 1e-3 ? side / turn : vec3(1.0, 0.0, 0.0);
    place.xyz += side * (corner.x * thin);
    gl_Position = projectionMatrix * place;
    vTint = tint;
  }`;
const fragmentShader = `
  varying vec3 vTint;
  void main() { gl_FragColor = vec4(vTint, 1.0); }`;

export class Arrows {
  readonly object: Mesh<InstancedBufferGeometry, ShaderMaterial>;
  private count = 0;
  private room = 0;
  private starts = new Float32Array(0);
  private reaches = new Float32Array(0);
  private tints = new Float32Array(0);

  /** width: half of the shafts' [m] */
  constructor(width: number) {
    const uniforms = { width: { value: width } };
    const material = new ShaderMaterial({ vertexShader, fragmentShader, uniforms, side: DoubleSide, depthTest: false, depthWrite: false });
    this.object = new Mesh(new InstancedBufferGeometry(), material);
    this.object.frustumCulled = false;
    this.object.renderOrder = 20;
    this.begin(FIRST);
    this.end();
  }

  /** Room for as many arrows, none of them drawn yet. */
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

  /** Where arrows begin and end, out of what is drawn. */
  drawn(): { point: Vec3; tip: Vec3 }[] {
    if (!this.object.visible) return [];
    const start = this.object.geometry.getAttribute("start").array, reach = this.object.geometry.getAttribute("reach").array;
    return Array.from({ length: this.object.geometry.instanceCount }, (_, i) => {
      const point: Vec3 = [start[3 * i], start[3 * i + 1], start[3 * i + 2]];
      return { point, tip: [point[0] + reach[3 * i], point[1] + reach[3 * i + 1], point[2] + reach[3 * i + 2]] };
    });
  }

  dispose(): void {
    this.object.geometry.dispose();
    this.object.material.dispose();
  }

  private makeGeometry(): InstancedBufferGeometry {
    const made = new InstancedBufferGeometry();
    made.setAttribute("position", new BufferAttribute(new Float32Array(CORNERS.length / 2 * 3), 3));
    made.setAttribute("corner", new BufferAttribute(new Float32Array(CORNERS), 2));
    made.setIndex(TRIANGLES);
    for (const [name, numbers] of [["start", this.starts], ["reach", this.reaches], ["tint", this.tints]] as const) {
      made.setAttribute(name, new InstancedBufferAttribute(numbers, 3).setUsage(DynamicDrawUsage));
    }
    return made;
  }
}
