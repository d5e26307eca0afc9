// The grid: on the first plane, else below the scene; behind a planar scene.
import { BufferAttribute, BufferGeometry, Color, LineBasicMaterial, LineSegments, Matrix4 } from "three";
import type { Extent } from "./bounds";
import type { Theme } from "./theme";

const LINES = 24; // each way from the middle
const FLAT_LINES = 60;
const PIECE = 3; // cells that a piece of a line is long

export class Grid {
  readonly object: LineSegments<BufferGeometry, LineBasicMaterial>;
  readonly step: number; // [m]
  private readonly strength: number[] = []; // of each end of a line: 1 as told, 0 as the background
  private readonly middle: [number, number, number];

  constructor(private readonly extent: Extent, private readonly isPlanar: boolean) {
    const { min, max } = extent.box;
    this.step = niceStep(extent.size / 5);
    this.middle = [(min.x + max.x) / 2, (min.y + max.y) / 2, (min.z + max.z) / 2];
    // Without depth a planar grid stays behind the scene; it is drawn before everything else.
    const material = new LineBasicMaterial({ vertexColors: true, depthTest: !isPlanar, depthWrite: false });
    this.object = new LineSegments(this.lines(isPlanar ? FLAT_LINES : LINES), material);
    this.object.matrixAutoUpdate = false;
    this.object.frustumCulled = false;
    this.object.renderOrder = isPlanar ? -5 : -3;
    this.object.matrix.makeTranslation(this.snap(this.middle[0]), this.snap(this.middle[1]), isPlanar ? 0 : min.z);
  }

  /** Put it on a plane, a hair above, below the middle of the scene. */
  layOn(plane: Matrix4): void {
    const e = plane.elements, x = this.middle[0] - e[12], y = this.middle[1] - e[13], z = this.middle[2] - e[14];
    const along = (k: number): number => this.snap(x * e[k] + y * e[k + 1] + z * e[k + 2]);
    this.object.matrix.makeTranslation(along(0), along(4), 1e-4 * this.extent.size).premultiply(plane);
    this.object.matrixWorldNeedsUpdate = true;
  }

  paint(theme: Theme): void {
    const colors = this.object.geometry.getAttribute("color"), color = new Color();
    const behind = this.isPlanar ? theme.background : theme.background.clone().lerp(theme.ground, 0.4);
    this.strength.forEach((share, i) => {
      color.lerpColors(behind, theme.gridLine, share);
      colors.setXYZ(i, color.r, color.g, color.b);
    });
    colors.needsUpdate = true;
  }

  dispose(): void {
    this.object.geometry.dispose();
    this.object.material.dispose();
  }

  private snap(value: number): number { return Math.round(value / this.step) * this.step; }

  /** Lines along x and y in pieces, so that they fade towards their ends and near ones are clipped well. */
  private lines(count: number): BufferGeometry {
    const positions: number[] = [], reach = count * this.step, piece = this.isPlanar ? 2 * count : PIECE;
    const fade = (x: number, y: number): number => this.isPlanar ? 1 : Math.max(0, 1 - Math.hypot(x, y) / reach) ** 1.5;
    for (let i = -count; i <= count; ++i) {
      for (let k = -count; k < count; k += piece) {
        const at = i * this.step, from = k * this.step, to = (k + piece) * this.step;
        if (fade(at, from) + fade(at, to) === 0) continue;
        positions.push(at, from, 0, at, to, 0, from, at, 0, to, at, 0);
        this.strength.push(fade(at, from), fade(at, to), fade(at, from), fade(at, to));
      }
    }
    const made = new BufferGeometry();
    made.setAttribute("position", new BufferAttribute(new Float32Array(positions), 3));
    made.setAttribute("color", new BufferAttribute(new Float32Array(positions.length), 3));
    return made;
  }
}

/** 1, 2 or 5 times a power of ten. */
function niceStep(size: number): number {
  const power = 10 ** Math.floor(Math.log10(size)), share = size / power;
  return power * (share < 1.5 ? 1 : share < 3.5 ? 2 : share < 7.5 ? 5 : 10);
}
