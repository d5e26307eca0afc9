// Cairn in WebAssembly: load the module, open scenes, step them. The same in browsers, workers and node.
import { Files } from "./files.mjs";

const UNSUPPORTED = 52; // of WASI
const KINDS = ["off", "on", "slide", "edge", "stick"], LAWS = ["coulomb", "convex"];

const asText = (value) => typeof value === "string" ? value : JSON.stringify(value);

/** What the module's C library asks for: files in memory. It prints nothing. */
function systemOf(files) {
  const exit = (code) => { throw new Error(`cairn: the module ended with code ${code}`); };
  const known = { ...files.calls(), proc_exit: exit };
  return new Proxy(known, { get: (list, name) => list[name] ?? (() => UNSUPPORTED) });
}

/** Load the module: its bytes, or a compiled WebAssembly.Module. */
export async function load(source) {
  let exports;
  const module = source instanceof WebAssembly.Module ? source : await WebAssembly.compile(source);
  const files = new Files(() => exports.memory), system = systemOf(files), imports = {};
  for (const { name } of WebAssembly.Module.imports(module)) imports[name] = system[name];
  const clock = { seconds: () => performance.now() / 1000 };
  exports = (await WebAssembly.instantiate(module, { wasi_snapshot_preview1: imports, cairn: clock })).exports;
  exports._initialize();
  return new Cairn(exports, files);
}

/** The loaded module. */
export class Cairn {
  constructor(exports, files) {
    this.exports = exports;
    this.files = files;
  }

  get version() { return this.text(this.exports.cairn_version()); }

  /** Open a scene: an object or text in the format of docs/guide/scenes.md. every: steps from one frame to the next. */
  open(scene, { every = 1 } = {}) { return new World(this, this.start(scene, every, 0), every); }

  /** Door 1: z >= 0 with w = M z + q >= 0 and z'w = 0; M by rows. */
  solveLcp(M, q) {
    const n = q.length, { lcp_solve, memory } = this.exports, at = this.exports.cairn_alloc(8 * (n * n + 2 * n + 2));
    if (at === 0) throw new Error("cairn: out of memory");
    const numbers = new Float64Array(memory.buffer, at, n * n + n);
    M.forEach((row, i) => row.forEach((value, j) => { numbers[i + n * j] = value; }));
    numbers.set(q, n * n);
    const [qAt, zAt, toldAt] = [n * n, n * n + n, n * n + 2 * n].map((k) => at + 8 * k);
    const outcome = lcp_solve(n, at, qAt, zAt, toldAt);
    const [certificate, pivots] = new Float64Array(memory.buffer, toldAt, 2), z = [...new Float64Array(memory.buffer, zAt, n)];
    this.exports.cairn_free(at);
    if (outcome === 0) throw new Error("cairn: the problem is not one of finite numbers, n by n and n");
    return { outcome: this.text(outcome), z, certificate, pivots };
  }

  /** Door 2: impulses of a contact problem, an object or text of contact JSON (docs/guide/contact-files.md). round: cones that are
   *  round, not polygons. */
  solveContact(problem, { round = false } = {}) {
    const { contact_solve, cairn_free, outcome_name, memory } = this.exports;
    const at = this.withFiles({ "problem.json": asText(problem) }, () => this.withText("/problem.json", (path) => contact_solve(path, round ? 1 : 0)));
    if (at === 0) throw new Error(this.message());
    const [contacts, velocities, rows, certificate, pivots, iterations, law, outcome] = new Float64Array(memory.buffer, at, 8);
    const numbers = new Float64Array(memory.buffer, at + 64, 7 * contacts + velocities + rows).slice();
    let next = 0;
    const take = (count) => [...numbers.subarray(next, next += count)], threes = (list) => list.flatMap((x, i) => i % 3 ? [] : [[x, list[i + 1], list[i + 2]]]);
    const answer = { outcome: this.text(outcome_name(outcome)), law: LAWS[law] ?? String(law), certificate, pivots, iterations, impulse: threes(take(3 * contacts)),
                     velocity: take(velocities), contactVelocity: threes(take(3 * contacts)), rowImpulse: take(rows), kind: take(contacts).map((k) => KINDS[k]) };
    cairn_free(at);
    return answer;
  }

  /** A robot's file (URDF or MJCF) as a scene for open(): files by name, the robot's among them; fixed: weld a URDF robot to the world.
   *  Shapes whose mesh is missing are left out, with a warning. */
  readRobot(files, name, { fixed = false } = {}) {
    const { robot_scene, robot_warnings, cairn_free } = this.exports;
    return this.withFiles(files, () => {
      const at = this.withText(`/${name}`, (path) => robot_scene(path, fixed ? 1 : 0));
      if (at === 0) throw new Error(this.message().replace(/^\//, ""));
      const scene = JSON.parse(this.text(at)), warnings = this.text(robot_warnings()).split("\n").filter((line) => line !== "");
      cairn_free(at);
      return { scene, warnings: warnings.map((line) => line.replace(/^\//, "")) };
    });
  }

  /** @private */
  withFiles(files, action) {
    for (const [name, content] of Object.entries(files)) this.files.add(name, content);
    try { return action(); } finally { this.files.clear(); }
  }

  /** @private */
  withText(text, action) {
    const bytes = new TextEncoder().encode(`${text}\0`), at = this.exports.cairn_alloc(bytes.length);
    if (at === 0) throw new Error("cairn: out of memory");
    new Uint8Array(this.exports.memory.buffer, at, bytes.length).set(bytes);
    try { return action(at); } finally { this.exports.cairn_free(at); }
  }

  /** @private */
  start(scene, every, from) {
    const bytes = new TextEncoder().encode(asText(scene));
    const at = this.exports.cairn_alloc(bytes.length + 1);
    if (at === 0) throw new Error("cairn: out of memory");
    new Uint8Array(this.exports.memory.buffer, at, bytes.length).set(bytes);
    const handle = this.exports.live_open(at, bytes.length, every, from);
    this.exports.cairn_free(at);
    if (handle === 0) throw new Error(this.message());
    return handle;
  }

  /** @private */
  message() { return this.text(this.exports.cairn_message()); }

  /** @private */
  text(at) {
    const bytes = new Uint8Array(this.exports.memory.buffer, at);
    return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
  }
}

/** A scene in motion. */
export class World {
  constructor(cairn, handle, every) {
    this.cairn = cairn;
    this.handle = handle;
    this.every = every;
  }

  get time() { return this.cairn.exports.live_time(this.handle); }
  get dt() { return this.cairn.exports.live_dt(this.handle); }
  get steps() { return this.cairn.exports.live_steps(this.handle); }

  /** Of poses, velocities and time, 16 digits: the same bits have the same hash, here and in the program. */
  get hash() { return BigInt.asUintN(64, this.cairn.exports.live_hash(this.handle)).toString(16).padStart(16, "0"); }

  /** "certified", or what is wrong with the last step: "problem", "law", "overlap", "joints", "energy", "momentum". */
  get verdict() { return this.cairn.text(this.cairn.exports.live_verdict(this.handle)); }

  /** Where a body is: x y z, and the quaternion w x y z. */
  pose(body) {
    const { live_pose, cairn_alloc, cairn_free, memory } = this.cairn.exports, at = cairn_alloc(56);
    const isThere = live_pose(this.handle, body, at) === 0, numbers = [...new Float64Array(memory.buffer, at, 7)];
    cairn_free(at);
    if (!isThere) throw new Error(`cairn: there is no body ${body}`);
    return { position: numbers.slice(0, 3), rotation: numbers.slice(3) };
  }

  /** Make steps. Returns how many; throws if the motion diverges. */
  step(count = 1) {
    const made = this.cairn.exports.live_step(this.handle, count);
    if (made < 0) throw new Error(this.cairn.message());
    return made;
  }

  /** Change the scene's settings (gravity, friction, step, ...) without stopping its motion. The bodies must be the same. */
  change(scene, { every = this.every } = {}) {
    const handle = this.cairn.start(scene, every, this.handle);
    this.cairn.exports.live_close(this.handle);
    this.handle = handle;
    this.every = every;
  }

  /** Bytes of a recording since the last call, those of its header first: docs/guide/recordings.md. */
  take() {
    const { live_bytes, live_size, live_clear, memory } = this.cairn.exports;
    const bytes = new Uint8Array(memory.buffer, live_bytes(this.handle), live_size(this.handle)).slice();
    live_clear(this.handle);
    return bytes;
  }

  /** Should frames tell how their problem is solved? */
  setNotes(wanted) { this.cairn.exports.live_notes(this.handle, wanted ? 1 : 0); }

  /** Take hold of a free body at a point of the world; false: it cannot be held. Then pull it somewhere, and let it go. */
  grab(body, [x, y, z]) { return this.cairn.exports.live_grab(this.handle, body, x, y, z) === 0; }
  pull([x, y, z]) { this.cairn.exports.live_pull(this.handle, x, y, z); }
  letGo() { this.cairn.exports.live_let_go(this.handle); }

  /** Force of the spring that pulls in the last step [N], and the largest that it may have. */
  get force() { return this.cairn.exports.live_force(this.handle); }
  get forceMost() { return this.cairn.exports.live_force_most(this.handle); }

  /** A blow: an impulse [N s] at a point of the world, in the next step. */
  push(body, [x, y, z], [px, py, pz]) { return this.cairn.exports.live_push(this.handle, body, x, y, z, px, py, pz) === 0; }

  /** Control of an actuator by index. */
  setControl(actuator, value) { return this.cairn.exports.live_control(this.handle, actuator, value) === 0; }

  close() {
    this.cairn.exports.live_close(this.handle);
    this.handle = 0;
  }
}
