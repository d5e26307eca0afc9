// Many arrows in one call of the graphics card. Each is flat, three triangles that turn towards the camera: without a
// graphics card every triangle counts.
import { DoubleSide, ShaderMaterial } from "three";
import type { Vec3 } from "../types";
import { Spans } from "./spans";

const ORDER = 20;
const SHAFT = 0, NECK = 1, TIP = 2; // where along the arrow a corner is
const ARROW = {
  corners: [-1, SHAFT, 1, SHAFT, 1, NECK, -1, NECK, -2.7, NECK, 2.7, NECK, 0, TIP], // across: in widths
  triangles: [0, 1, 2, 0, 2, 3, 4, 5, 6],
};

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

export class Arrows extends Spans {
  /** width: half of the shafts' [m] */
  constructor(width: number) {
    const uniforms = { width: { value: width } };
    super(new ShaderMaterial({ vertexShader, fragmentShader, uniforms, side: DoubleSide, depthTest: false, depthWrite: false }), ARROW, ORDER);
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
}
