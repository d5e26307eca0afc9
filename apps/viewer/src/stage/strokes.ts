// Lines that change with every frame, some pixels wide, on top of bodies: two triangles each, in one call.
import { DoubleSide, ShaderMaterial, Vector2 } from "three";
import { Spans } from "./spans";

const LINE = { corners: [-1, 0, 1, 0, 1, 1, -1, 1], triangles: [0, 1, 2, 0, 2, 3] };

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

export class Strokes extends Spans {
  /** order: what is drawn later lies on top; width [pixels of the page] */
  constructor(order: number, private readonly width: number, opacity = 1) {
    const uniforms = { view: { value: new Vector2(1, 1) }, width: { value: width }, opacity: { value: opacity } };
    const material = new ShaderMaterial({ vertexShader, fragmentShader, uniforms, side: DoubleSide, depthTest: false, depthWrite: false });
    material.transparent = opacity < 1;
    super(material, LINE, order);
  }

  /** Size of the picture, and how many of its pixels there are for one of the page. */
  adapt(width: number, height: number, ratio: number): void {
    this.object.material.uniforms.view.value.set(width, height);
    this.object.material.uniforms.width.value = this.width * ratio;
  }
}
