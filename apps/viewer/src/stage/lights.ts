// The sky and the sun, whose shadows cover the scene and no more.
import { DirectionalLight, Group, HemisphereLight, Sphere, Vector3 } from "three";
import type { Extent } from "./bounds";
import type { Theme } from "./theme";

export const TO_SUN = new Vector3(0.45, -0.35, 1).normalize();

export class Lights {
  readonly group = new Group();
  private readonly sky = new HemisphereLight();
  private readonly sun = new DirectionalLight();

  constructor({ box }: Extent) {
    const { center, radius } = box.getBoundingSphere(new Sphere());
    const reach = 1.25 * radius;
    this.sky.position.set(0, 0, 1); // where its upper colour comes from
    this.sun.position.copy(center).addScaledVector(TO_SUN, 3 * reach);
    this.sun.target.position.copy(center);
    const { shadow } = this.sun;
    Object.assign(shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: reach, far: 6 * reach });
    shadow.normalBias = 0.003 * radius;
    shadow.bias = -0.0004;
    shadow.intensity = 0.85;
    this.group.add(this.sky, this.sun, this.sun.target);
  }

  paint(theme: Theme): void {
    this.sky.color.copy(theme.sky);
    this.sky.groundColor.copy(theme.earth);
    this.sky.intensity = theme.skyStrength;
    this.sun.intensity = theme.sunStrength;
  }

  /** size: of the shadow map; 0: no shadows */
  setShadows(size: number): void {
    const { shadow } = this.sun;
    this.sun.castShadow = size > 0;
    if (size === 0 || shadow.mapSize.x === size) return;
    shadow.mapSize.set(size, size);
    shadow.map?.dispose();
    shadow.map = null;
  }

  dispose(): void { this.sun.dispose(); }
}
