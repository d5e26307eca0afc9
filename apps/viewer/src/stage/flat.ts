// Materials without light, as short as can be: without a graphics card each step of a shader counts.
import { Color, ShaderMaterial, type ShaderMaterialParameters } from "three";

/** How dark rims and marks of planar shapes are. */
export const RIM = 0.68, MARK = 0.72;

const paint = "varying vec3 vColor; uniform float opacity; void main() { gl_FragColor = vec4(vColor, opacity); }";
const opaque = (): { opacity: { value: number } } => ({ opacity: { value: 1 } });
const place = "gl_Position = projectionMatrix * modelViewMatrix";

/** The colours of the points. */
export function pointColors(): ShaderMaterial {
  return new ShaderMaterial({
    vertexShader: `attribute vec3 color; varying vec3 vColor; void main() { vColor = color; ${place} * vec4(position, 1.0); }`,
    fragmentShader: paint,
    uniforms: opaque(),
  });
}

/** The colours of instances, multiplied by those of points. */
export function instanceColors(parameters: ShaderMaterialParameters): ShaderMaterial {
  return new ShaderMaterial({
    vertexShader: `attribute vec3 color; varying vec3 vColor;
      void main() { vColor = color * instanceColor; ${place} * (instanceMatrix * vec4(position, 1.0)); }`,
    fragmentShader: paint,
    uniforms: opaque(),
    ...parameters,
  });
}

/** Disks of radius 1 within larger polygons, with a rim and a spoke along x, so that turning is seen. Round at any size, and
 *  far fewer triangles than a polygon that looks round. hasSamples: edges are smoothed by the samples of each pixel. */
export function disks(hasSamples: boolean, parameters: ShaderMaterialParameters): ShaderMaterial {
  return new ShaderMaterial({
    vertexShader: `varying vec3 vColor; varying vec2 vPlace;
      void main() { vColor = instanceColor; vPlace = position.xy; ${place} * (instanceMatrix * vec4(position, 1.0)); }`,
    fragmentShader: `varying vec3 vColor; varying vec2 vPlace; uniform bool isWire; uniform float opacity;
      void main() {
        float away = length(vPlace), thin = fwidth(away), inside = clamp(0.5 + (1.0 - away) / thin, 0.0, 1.0);
        if (inside < ${hasSamples ? "0.01" : "0.5"}) discard;
        bool isRim = away > (isWire ? 1.0 - 2.0 * thin : 0.86), isSpoke = abs(vPlace.y) < (isWire ? thin : 0.07) && vPlace.x > 0.0;
        if (isWire && !isRim && !isSpoke) discard;
        gl_FragColor = vec4(vColor * (isRim ? ${RIM} : isSpoke ? ${MARK} : 1.0), ${hasSamples ? "inside * opacity" : "opacity"});
      }`,
    uniforms: { isWire: { value: false }, ...opaque() },
    alphaToCoverage: hasSamples,
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
