// Round dots of a size in pixels, on top of everything.
import { BufferAttribute, BufferGeometry, Color, DynamicDrawUsage, Points, ShaderMaterial } from "three";

const FIRST = 128;

export class Dots {
  readonly object: Points<BufferGeometry, ShaderMaterial>;
  private count = 0;
  private room = 0;
  private positions = new Float32Array(0);
  private colors = new Float32Array(0);
  private sizes = new Float32Array(0);

  constructor() {
    const material = new ShaderMaterial({
      uniforms: { ratio: { value: 1 }, rim: { value: new Color(1, 1, 1) } },
      vertexShader: `
        attribute float size; attribute vec3 tint; uniform float ratio; varying vec3 vTint; varying float vSize;
        void main() {
          vTint = tint; vSize = size * ratio;
          gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
          gl_PointSize = vSize;
        }`,
      fragmentShader: `
        uniform vec3 rim; varying vec3 vTint; varying float vSize;
        void main() {
          float away = length(gl_PointCoord - 0.5) * vSize, edge = 0.5 * vSize;
          float isRim = smoothstep(0.68 * edge, 0.8 * edge, away);
          gl_FragColor = vec4(mix(vTint, rim, isRim), 1.0 - smoothstep(edge - 1.0, edge, away));
        }`,
      transparent: true, depthTest: false, depthWrite: false,
    });
    this.object = new Points(new BufferGeometry(), material);
    this.object.frustumCulled = false;
    this.object.renderOrder = 24;
    this.begin(FIRST);
    this.end();
  }

  begin(count: number): void {
    this.count = 0;
    if (count <= this.room) return;
    this.room = Math.ceil(1.5 * count);
    this.positions = new Float32Array(3 * this.room);
    this.colors = new Float32Array(3 * this.room);
    this.sizes = new Float32Array(this.room);
    this.object.geometry.dispose();
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(this.positions, 3).setUsage(DynamicDrawUsage));
    geometry.setAttribute("tint", new BufferAttribute(this.colors, 3).setUsage(DynamicDrawUsage));
    geometry.setAttribute("size", new BufferAttribute(this.sizes, 1).setUsage(DynamicDrawUsage));
    this.object.geometry = geometry;
  }

  add(x: number, y: number, z: number, size: number, color: Color): void {
    const i = this.count++;
    this.positions[3 * i] = x; this.positions[3 * i + 1] = y; this.positions[3 * i + 2] = z;
    this.colors[3 * i] = color.r; this.colors[3 * i + 1] = color.g; this.colors[3 * i + 2] = color.b;
    this.sizes[i] = size;
  }

  end(): void {
    const { geometry } = this.object;
    geometry.setDrawRange(0, this.count);
    for (const name of ["position", "tint", "size"]) geometry.getAttribute(name).needsUpdate = true;
  }

  /** Pixels of the picture for each unit of a dot's size; colour of the rim. */
  adapt(ratio: number, rim: Color): void {
    this.object.material.uniforms.ratio.value = ratio;
    this.object.material.uniforms.rim.value.copy(rim);
  }

  dispose(): void {
    this.object.geometry.dispose();
    this.object.material.dispose();
  }
}
