// A block on the ground, which is tilted degree by degree: when does it slide?
import { readFile } from "node:fs/promises";
import { load } from "cairn-wasm";

const cairn = await load(await readFile(new URL(import.meta.resolve("cairn-wasm/cairn.wasm"))));
const scene = {
  bodies: [{ name: "ground", kind: "fixed", shapes: [{ kind: "plane", friction: 0.5 }] },
           { name: "block", mass: 1, position: [0, 0, 0.1], shapes: [{ kind: "box", half: [0.1, 0.1, 0.1], friction: 0.5 }] }],
};
for (let angle = 25; angle <= 29; ++angle) {
  const tilt = angle * Math.PI / 180;
  const world = cairn.open({ ...scene, gravity: [9.81 * Math.sin(tilt), 0, -9.81 * Math.cos(tilt)] });
  world.step(200); // 2 s
  const [x] = world.pose(1).position;
  console.log(`${angle} degrees: ${x > 1e-9 ? `slides, ${x.toFixed(3)} m in 2 s` : "rests"} (${world.verdict})`);
  world.close();
}
