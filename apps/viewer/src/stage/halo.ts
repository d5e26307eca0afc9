// A rim around the body that is picked: its shapes drawn once more behind it, each corner moved outwards by some pixels.
import { BackSide, Color, DoubleSide, Group, Matrix4, Mesh, ShaderMaterial, Vector2 } from "three";
import type { Instance } from "./bodies";

const WIDTH = 3; // [pixels]

const vertexShader = `
  uniform vec2 size; uniform vec3 middle; uniform float width;
  void main() {
    vec4 place = projectionMatrix * modelViewMatrix * vec4(position, 1.0), from = projectionMatrix * modelViewMatrix * vec4(middle, 1.0);
    vec2 away = (place.xy / place.w - from.xy / from.w) * size;
    float far = length(away);
    if (far > 1e-6) place.xy += away / far * 2.0 * width / size * place.w;
    gl_Position = place;
  }`;
const fragmentShader = `
  uniform vec3 color;
  void main() { gl_FragColor = vec4(color, 1.0); }`;

export class Halo {
  readonly group = new Group();
  private readonly materials: ShaderMaterial[] = [];
  private parts: { mesh: Mesh; local: Matrix4 }[] = [];
  private readonly color = { value: new Color() };
  private readonly size = { value: new Vector2(1, 1) };
  private readonly width = { value: WIDTH };

  constructor(private readonly isPlanar: boolean) {}

  /** The shapes of the body that is picked; none: of no body. */
  show(instances: Instance[]): void {
    this.group.clear();
    for (const material of this.materials.splice(0)) material.dispose();
    this.parts = instances.map(({ geometry, local, order }) => {
      if (!geometry.boundingSphere) geometry.computeBoundingSphere();
      const uniforms = { color: this.color, size: this.size, width: this.width, middle: { value: geometry.boundingSphere!.center } };
      const material = new ShaderMaterial({ vertexShader, fragmentShader, uniforms, side: this.isPlanar ? DoubleSide : BackSide, depthTest: !this.isPlanar, depthWrite: false });
      const mesh = new Mesh(geometry, material);
      mesh.matrixAutoUpdate = false;
      mesh.frustumCulled = false;
      mesh.renderOrder = this.isPlanar ? order - 0.5 : -1; // before what is drawn over it
      this.materials.push(material);
      this.group.add(mesh);
      return { mesh, local };
    });
  }

  /** Where the body is. */
  place(body: Matrix4): void {
    for (const { mesh, local } of this.parts) {
      mesh.matrix.multiplyMatrices(body, local);
      mesh.matrixWorldNeedsUpdate = true;
    }
  }

  /** Size of the picture in pixels, pixels of it for each of the page, and the colour. */
  adapt(width: number, height: number, ratio: number, color: Color): void {
    this.size.value.set(width, height);
    this.width.value = WIDTH * ratio;
    this.color.value.copy(color);
  }

  dispose(): void { this.show([]); }
}
