// Friction cones: where the force of a contact may point. In a planar scene, wedges.
import {
  BufferAttribute, BufferGeometry, Color, ConeGeometry, DoubleSide, DynamicDrawUsage, InstancedBufferAttribute, InstancedMesh, MeshBasicMaterial,
} from "three";

export class Cones {
  mesh: InstancedMesh;
  private readonly shape: BufferGeometry;
  private readonly material = new MeshBasicMaterial({
    transparent: true, opacity: 0.26, depthTest: false, depthWrite: false, side: DoubleSide,
  });
  private count = 0;

  constructor(private readonly isPlanar: boolean) {
    this.shape = isPlanar ? wedge() : new ConeGeometry(1, 1, 20, 1, true).rotateX(-Math.PI / 2).translate(0, 0, 0.5);
    this.mesh = this.make(64);
  }

  /** Room for as many; the mesh may be another one afterwards. */
  begin(count: number): void {
    this.count = 0;
    if (count <= this.mesh.instanceMatrix.count) return;
    const old = this.mesh;
    this.mesh = this.make(Math.ceil(1.5 * count));
    old.parent?.add(this.mesh);
    this.mesh.visible = old.visible;
    old.removeFromParent();
    old.dispose();
  }

  /** Apex at the point, opening along the unit normal; height [m], friction: radius by height. */
  add(x: number, y: number, z: number, nx: number, ny: number, nz: number, height: number, friction: number, color: Color): void {
    const m = this.mesh.instanceMatrix.array, k = 16 * this.count, r = height * Math.max(friction, 0.01);
    if (this.isPlanar) fill(m, k, r * ny, -r * nx, 0, 0, 0, 1, height * nx, height * ny, 0, x, y, z);
    else {
      const sign = nz >= 0 ? 1 : -1, a = -1 / (sign + nz), b = nx * ny * a;
      fill(m, k, r * (1 + sign * nx * nx * a), r * sign * b, -r * sign * nx, r * b, r * (sign + ny * ny * a), -r * ny,
           height * nx, height * ny, height * nz, x, y, z);
    }
    const c = this.mesh.instanceColor!.array;
    c[3 * this.count] = color.r; c[3 * this.count + 1] = color.g; c[3 * this.count + 2] = color.b;
    this.count++;
  }

  end(): void {
    this.mesh.count = this.count;
    this.mesh.instanceMatrix.needsUpdate = true;
    this.mesh.instanceColor!.needsUpdate = true;
  }

  dispose(): void {
    this.mesh.dispose();
    this.shape.dispose();
    this.material.dispose();
  }

  private make(room: number): InstancedMesh {
    const mesh = new InstancedMesh(this.shape, this.material, room);
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    mesh.instanceColor = new InstancedBufferAttribute(new Float32Array(3 * room), 3);
    mesh.frustumCulled = false;
    mesh.renderOrder = 18;
    mesh.count = 0;
    return mesh;
  }
}

/** Apex at the origin, opening along z, one wide to each side along x. */
function wedge(): BufferGeometry {
  const made = new BufferGeometry();
  made.setAttribute("position", new BufferAttribute(new Float32Array([0, 0, 0, 1, 0, 1, -1, 0, 1]), 3));
  return made;
}

function fill(m: ArrayLike<number> & { [i: number]: number }, k: number, ax: number, ay: number, az: number, bx: number, by: number,
              bz: number, cx: number, cy: number, cz: number, x: number, y: number, z: number): void {
  m[k] = ax; m[k + 1] = ay; m[k + 2] = az; m[k + 3] = 0;
  m[k + 4] = bx; m[k + 5] = by; m[k + 6] = bz; m[k + 7] = 0;
  m[k + 8] = cx; m[k + 9] = cy; m[k + 10] = cz; m[k + 11] = 0;
  m[k + 12] = x; m[k + 13] = y; m[k + 14] = z; m[k + 15] = 1;
}
