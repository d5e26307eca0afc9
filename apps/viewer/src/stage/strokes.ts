// Line segments that change with every frame, on top of everything.
import { BufferAttribute, BufferGeometry, Color, DynamicDrawUsage, LineBasicMaterial, LineSegments } from "three";

export class Strokes {
  readonly object: LineSegments<BufferGeometry, LineBasicMaterial>;
  private count = 0; // of points
  private room = 0;
  private positions = new Float32Array(0);
  private colors = new Float32Array(0);

  constructor(order: number, opacity = 1) {
    const material = new LineBasicMaterial({ vertexColors: true, transparent: true, opacity, depthTest: false, depthWrite: false });
    this.object = new LineSegments(new BufferGeometry(), material);
    this.object.frustumCulled = false;
    this.object.renderOrder = order;
    this.begin(32);
    this.end();
  }

  /** Room for as many lines, none of them drawn yet. */
  begin(lines: number): void {
    this.count = 0;
    if (2 * lines <= this.room) return;
    this.room = Math.ceil(3 * lines);
    this.positions = new Float32Array(3 * this.room);
    this.colors = new Float32Array(3 * this.room);
    this.object.geometry.dispose();
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(this.positions, 3).setUsage(DynamicDrawUsage));
    geometry.setAttribute("color", new BufferAttribute(this.colors, 3).setUsage(DynamicDrawUsage));
    this.object.geometry = geometry;
  }

  add(x: number, y: number, z: number, dx: number, dy: number, dz: number, color: Color): void {
    this.point(x, y, z, color);
    this.point(x + dx, y + dy, z + dz, color);
  }

  end(): void {
    this.object.geometry.setDrawRange(0, this.count);
    this.object.geometry.getAttribute("position").needsUpdate = true;
    this.object.geometry.getAttribute("color").needsUpdate = true;
  }

  dispose(): void {
    this.object.geometry.dispose();
    this.object.material.dispose();
  }

  private point(x: number, y: number, z: number, color: Color): void {
    const k = 3 * this.count++;
    this.positions[k] = x; this.positions[k + 1] = y; this.positions[k + 2] = z;
    this.colors[k] = color.r; this.colors[k + 1] = color.g; this.colors[k + 2] = color.b;
  }
}
