// Lines that change with every frame, some pixels wide, on top of bodies: two triangles each, in one call.
import {
  BufferAttribute, Color, DoubleSide, DynamicDrawUsage, InstancedBufferAttribute, InstancedBufferGeometry, Mesh, ShaderMaterial, Vector2,
} from "three";

const vertexShader = `
  attribute vec2 corner; attribute vec3 start; attribute vec3 reach; attribute vec3 tint;
  uniform vec2 view; uniform float width; varying vec3 vTint;
  void main() {
    vec4 a = projectionMatrix * modelViewMatrix * vec4(start, 1.0);
    vec4 b = projectionMatrix * modelViewMatrix * vec4(start + reach, 1.0);
    float near = 1e-3 * max(abs(a.w), abs(b.w)); // what is behind the camera is cut off
    if (a.w < near && b.w > a.w) a = mix(a, b, clamp((near - a.w) / (b.w - a.w), 0.0, 1.0));
    if (b.w < near && a.w > b.w) b = mix(b, a, clamp((near - b.w) / (a.w - b.w), 0.0, 1.0));
    vec2 along = (b.xy / b.w - a.xy / a.w) * view;
    float size = length(along);
    vec2 aside = size > 1e-6 ? vec2(-along.y, along.x) / size : vec2(0.0);
    gl_Position = corner.y < 0.5 ? a : b;
    gl_Position.xy += aside * corner.x * width / view * gl_Position.w;
    vTint = tint;
  }`;
const fragmentShader = `
  uniform float opacity; varying vec3 vTint;
  void main() { gl_FragColor = vec4(vTint, opacity); }`;

export class Strokes {
  readonly object: Mesh<InstancedBufferGeometry, ShaderMaterial>;
  private count = 0;
  private room = 0;
  private starts = new Float32Array(0);
  private reaches = new Float32Array(0);
  private tints = new Float32Array(0);

  /** order: what is drawn later lies on top; width [pixels of the page] */
  constructor(order: number, private readonly width: number, opacity = 1) {
    const uniforms = { view: { value: new Vector2(1, 1) }, width: { value: width }, opacity: { value: opacity } };
    const material = new ShaderMaterial({ vertexShader, fragmentShader, uniforms, side: DoubleSide, depthTest: false, depthWrite: false });
    material.transparent = opacity < 1;
    this.object = new Mesh(new InstancedBufferGeometry(), material);
    this.object.frustumCulled = false;
    this.object.renderOrder = order;
    this.begin(32);
    this.end();
  }

  /** Room for as many lines, none of them drawn yet. */
  begin(lines: number): void {
    this.count = 0;
    if (lines <= this.room) return;
    this.room = Math.ceil(1.5 * lines);
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
    this.object.geometry.instanceCount = this.count;
    for (const name of ["start", "reach", "tint"]) this.object.geometry.getAttribute(name).needsUpdate = true;
  }

  /** Size of the picture, and how many of its pixels there are for one of the page. */
  adapt(width: number, height: number, ratio: number): void {
    this.object.material.uniforms.view.value.set(width, height);
    this.object.material.uniforms.width.value = this.width * ratio;
  }

  dispose(): void {
    this.object.geometry.dispose();
    this.object.material.dispose();
  }

  private makeGeometry(): InstancedBufferGeometry {
    const made = new InstancedBufferGeometry();
    made.setAttribute("position", new BufferAttribute(new Float32Array(12), 3));
    made.setAttribute("corner", new BufferAttribute(new Float32Array([-1, 0, 1, 0, 1, 1, -1, 1]), 2));
    made.setIndex([0, 1, 2, 0, 2, 3]);
    for (const [name, numbers] of [["start", this.starts], ["reach", this.reaches], ["tint", this.tints]] as const) {
      made.setAttribute(name, new InstancedBufferAttribute(numbers, 3).setUsage(DynamicDrawUsage));
    }
    return made;
  }
}
