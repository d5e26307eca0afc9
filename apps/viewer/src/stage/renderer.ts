// The canvas and what draws on it.
import { BasicShadowMap, LinearSRGBColorSpace, PCFShadowMap, WebGLRenderer } from "three";

const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;

export interface Drawing { renderer: WebGLRenderer; isSoftware: boolean }

/** Throws an Error that says what is missing. Without a graphics card edges are smoothed only in pictures that stand
 *  still: there it costs most of the time. */
export function makeRenderer(host: HTMLElement): Drawing {
  const isSoftware = drawsInSoftware();
  const renderer = new WebGLRenderer({ antialias: !isSoftware, powerPreference: "high-performance" });
  renderer.outputColorSpace = LinearSRGBColorSpace; // theme.ts says why
  renderer.shadowMap.enabled = true;
  renderer.shadowMap.type = isSoftware ? BasicShadowMap : PCFShadowMap;
  renderer.shadowMap.autoUpdate = false;
  const canvas = renderer.domElement;
  Object.assign(canvas.style, { display: "block", width: "100%", height: "100%", touchAction: "none" });
  host.append(canvas);
  return { renderer, isSoftware };
}

function drawsInSoftware(): boolean {
  const gl = document.createElement("canvas").getContext("webgl2");
  if (!gl) throw new Error("This browser has no WebGL 2: the motion cannot be drawn.");
  const names = gl.getExtension("WEBGL_debug_renderer_info");
  const isSoftware = names !== null && SOFTWARE.test(String(gl.getParameter(names.UNMASKED_RENDERER_WEBGL)));
  gl.getExtension("WEBGL_lose_context")?.loseContext();
  return isSoftware;
}
