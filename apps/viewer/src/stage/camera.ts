// The camera: in space it goes round the scene, z up; a planar scene is seen flat, x to the right and y up.
import { MOUSE, OrthographicCamera, PerspectiveCamera, TOUCH, Vector3 } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { cornersOf, type Extent } from "./bounds";

const DIRECTIONS: Record<string, Vector3> = { // from the scene to the camera
  home: new Vector3(0.62, -1, 0.46).normalize(),
  front: new Vector3(0, -1, 0.02).normalize(),
  side: new Vector3(1, 0, 0.02).normalize(),
  top: new Vector3(0, -0.001, 1).normalize(),
};
const ANGLE = 36; // [degrees] that the view is high
const ROOM = 1.14; // around the scene
const INSIDE = 0.8; // of the way from the middle of the picture to its edge

export class Rig {
  readonly camera: PerspectiveCamera | OrthographicCamera;
  readonly controls: OrbitControls;
  private aspect = 1;
  private halfHeight = 1; // planar: of the view at zoom 1
  private readonly step = new Vector3();

  constructor(element: HTMLElement, private readonly isPlanar: boolean, private readonly extent: Extent) {
    const { size } = extent;
    this.camera = isPlanar ? new OrthographicCamera(-1, 1, 1, -1, -1000 * size, 1000 * size)
      : new PerspectiveCamera(ANGLE, 1, size / 200, size * 200);
    this.camera.up.set(0, isPlanar ? 1 : 0, isPlanar ? 0 : 1);
    this.controls = new OrbitControls(this.camera, element);
    this.controls.enableDamping = false;
    this.controls.screenSpacePanning = true;
    this.controls.minDistance = size / 50;
    this.controls.maxDistance = size * 60;
    this.controls.minZoom = 0.02;
    this.controls.maxZoom = 200;
    if (isPlanar) this.makeFlat();
  }

  get target(): Vector3 { return this.controls.target; }

  /** Where the camera is, what it looks at, and its zoom: 7 numbers, for a link. */
  get place(): number[] { return [...this.camera.position.toArray(), ...this.controls.target.toArray(), this.camera.zoom]; }

  set place(numbers: number[]) {
    if (numbers.length !== 7 || !numbers.every(Number.isFinite) || !(numbers[6] > 0)) return;
    this.camera.position.fromArray(numbers, 0);
    this.controls.target.fromArray(numbers, 3);
    this.camera.zoom = numbers[6];
    this.camera.updateProjectionMatrix();
    this.controls.update();
  }

  /** How many of a view's heights a metre is, where the camera looks at. */
  get heightsPerMetre(): number {
    if (this.camera instanceof OrthographicCamera) return this.camera.zoom / (2 * this.halfHeight);
    return 1 / (2 * Math.tan(ANGLE * Math.PI / 360) * this.camera.position.distanceTo(this.controls.target));
  }

  /** Fit the scene, seen from a direction by name. */
  look(direction: string): void {
    const from = this.isPlanar ? new Vector3(0, 0, 1) : DIRECTIONS[direction] ?? DIRECTIONS.home;
    const middle = this.extent.box.getCenter(new Vector3());
    if (this.isPlanar) middle.z = 0;
    this.controls.target.copy(middle);
    this.camera.position.copy(middle).addScaledVector(from, this.isPlanar ? 10 * this.extent.size : this.distance(from, middle));
    this.camera.zoom = 1;
    this.fitFlat();
    this.camera.updateProjectionMatrix();
    this.controls.update();
  }

  /** Move the view so that the point is in its middle. */
  centre(x: number, y: number, z: number): void {
    this.step.set(x, y, z).sub(this.controls.target);
    this.camera.position.add(this.step);
    this.controls.target.add(this.step);
    this.controls.update();
  }

  /** Move the view no farther than it takes to have the point well inside of the picture; to its middle, if it is far out. */
  keep(x: number, y: number, z: number): void {
    this.camera.updateMatrixWorld();
    const seen = this.step.set(x, y, z).project(this.camera), off = Math.max(Math.abs(seen.x), Math.abs(seen.y));
    if (off <= INSIDE && seen.z <= 1) return;
    const { target } = this.controls, isFar = off > 2 || seen.z > 1, share = isFar ? 1 : 1 - INSIDE / off;
    this.centre(target.x + share * (x - target.x), target.y + share * (y - target.y), target.z + share * (z - target.z));
  }

  resize(aspect: number): void {
    this.aspect = aspect;
    if (this.camera instanceof PerspectiveCamera) this.camera.aspect = aspect;
    this.fitFlat();
    this.camera.updateProjectionMatrix();
  }

  dispose(): void { this.controls.dispose(); }

  private makeFlat(): void {
    this.controls.enableRotate = false;
    this.controls.zoomToCursor = true;
    this.controls.mouseButtons = { LEFT: MOUSE.PAN, MIDDLE: MOUSE.DOLLY, RIGHT: MOUSE.PAN };
    this.controls.touches = { ONE: TOUCH.PAN, TWO: TOUCH.DOLLY_PAN };
  }

  /** How far away the camera sees all corners of the scene. */
  private distance(from: Vector3, middle: Vector3): number {
    const right = new Vector3().crossVectors(this.camera.up, from).normalize(), up = new Vector3().crossVectors(from, right);
    const high = Math.tan(ANGLE * Math.PI / 360), wide = high * this.aspect;
    let distance = this.extent.size / 2;
    for (const corner of cornersOf(this.extent.box)) {
      corner.sub(middle);
      const needed = Math.max(Math.abs(corner.dot(right)) / wide, Math.abs(corner.dot(up)) / high);
      distance = Math.max(distance, needed * ROOM + corner.dot(from));
    }
    return distance;
  }

  private fitFlat(): void {
    if (!(this.camera instanceof OrthographicCamera)) return;
    const side = this.extent.box.getSize(new Vector3());
    this.halfHeight = ROOM * Math.max(side.y, side.x / this.aspect, this.extent.size / 10) / 2;
    this.camera.top = this.halfHeight;
    this.camera.bottom = -this.halfHeight;
    this.camera.right = this.halfHeight * this.aspect;
    this.camera.left = -this.camera.right;
  }
}
