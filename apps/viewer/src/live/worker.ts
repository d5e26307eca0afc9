// The simulation, in a thread of its own: it steps up to the time that the page asks for, and sends frames.
import { load, type Cairn, type World } from "../../../../bindings/wasm/package/cairn.mjs";
import type { Order, Report } from "./messages";

const AT_ONCE = 12; // [ms] of stepping before orders are looked at

let cairn: Cairn;
let world: World | null = null;
let until = 0; // [s] that is asked for
let isWaiting = false; // for the next turn

function send(report: Report, transfer: Transferable[] = []): void { (postMessage as any)(report, transfer); }
function fail(error: unknown): void { send({ kind: "failed", message: error instanceof Error ? error.message : String(error) }); }

/** Simulate and send; go on in another turn if there is more to do. */
function run(): void {
  isWaiting = false;
  if (!world) return;
  const start = performance.now(), first = world.steps;
  try {
    while (world.time < until - 1e-9 * world.dt && performance.now() - start < AT_ONCE) world.step(world.every - world.steps % world.every);
  } catch (error) {
    until = world.time;
    fail(error);
  }
  const steps = world.steps - first;
  if (steps > 0) {
    const bytes = world.take().buffer as ArrayBuffer;
    send({ kind: "frames", bytes, steps, seconds: (performance.now() - start) / 1000, force: world.force,
           isStrained: world.force > 0 && world.force >= 0.999 * world.forceMost, hash: world.hash }, [bytes]);
  }
  if (world.time < until - 1e-9 * world.dt) wake();
}

function wake(): void {
  if (isWaiting) return;
  isWaiting = true;
  setTimeout(run, 0);
}

function open(scene: string, every: number): void {
  world?.close();
  world = null;
  world = cairn.open(scene, { every });
  until = 0;
  const bytes = world.take().buffer as ArrayBuffer;
  send({ kind: "opened", bytes }, [bytes]);
}

async function obey(order: Order): Promise<void> {
  switch (order.kind) {
    case "open":
      cairn = await load(order.module);
      return open(order.scene, order.every);
    case "robot": {
      const { scene, warnings } = (await load(order.module)).readRobot(Object.fromEntries(order.files), order.path);
      return send({ kind: "robot", scene, warnings });
    }
    case "reset": return open(order.scene, order.every);
    case "change":
      try { world?.change(order.scene, { every: order.every }); world?.take(); } finally { send({ kind: "changed", dt: world?.dt ?? 0 }); }
      return;
    case "until":
      until = order.time;
      return wake();
    case "step":
      if (world) until = world.time + 0.5 * world.dt; // run() makes as many steps as a frame has
      return wake();
    case "notes": return world?.setNotes(order.wanted);
    case "grab": world?.grab(order.body, order.point); return;
    case "pull": return world?.pull(order.point);
    case "letGo": return world?.letGo();
    case "push": world?.push(order.body, order.point, order.impulse); return;
    case "control": world?.setControl(order.actuator, order.value); return;
  }
}

onmessage = (event: MessageEvent<Order>) => { obey(event.data).catch(fail); };
