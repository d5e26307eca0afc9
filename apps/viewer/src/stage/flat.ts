// Materials without light, as short as can be: without a graphics card each step of a shader counts.
import { Color, ShaderMaterial, type ShaderMaterialParameters } from "three";

const paint = "varying vec3 vColor; void main() { gl_FragColor = vec4(vColor, 1.0); }";
const place = "gl_Position = projectionMatrix * modelViewMatrix";

/** The colours of the points. */
export function pointColors(): ShaderMaterial {
  return new ShaderMaterial({
    vertexShader: `attribute vec3 color; varying vec3 vColor; void main() { vColor = color; ${place} * vec4(position, 1.0); }`,
    fragmentShader: paint,
  });
}

/** The colours of instances, multiplied by those of points. */
export function instanceColors(parameters: ShaderMaterialParameters): ShaderMaterial {
  return new ShaderMaterial({
    vertexShader: `attribute vec3 color; varying vec3 vColor;
      void main() { vColor = color * instanceColor; ${place} * (instanceMatrix * vec4(position, 1.0)); }`,
    fragmentShader: paint,
    ...parameters,
  });
}

/** One colour, which may be changed. */
export function oneColor(parameters: ShaderMaterialParameters): ShaderMaterial & { uniforms: { tint: { value: Color } } } {
  return Object.assign(new ShaderMaterial({
    vertexShader: `void main() { ${place} * vec4(position, 1.0); }`,
    fragmentShader: "uniform vec3 tint; void main() { gl_FragColor = vec4(tint, 1.0); }",
    ...parameters,
  }), { uniforms: { tint: { value: new Color() } } });
}
