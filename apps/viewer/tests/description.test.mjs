// What a scene says about looks: friction of pairs, joint frames, shapes that no one should write.
import assert from "node:assert/strict";
import { test } from "node:test";
import { importModule } from "./support/files.mjs";

const { describe } = await importModule("stage/description");
const { modelOf } = await importModule("stage/shapes");

const disk = { kind: "disk", radius: 1 };

test("friction of a pair follows materials, bodies, shapes and the rule", () => {
  const scene = {
    materials: { ice: { friction: 0.04 }, rubber: { friction: 0.9 } },
    bodies: [
      { shapes: [disk] }, { material: "ice", shapes: [disk] }, { material: "ice", friction: 0.25, shapes: [disk] },
      { material: "ice", friction: 0.25, shapes: [{ ...disk, material: "rubber" }] },
      { shapes: [{ ...disk, material: "rubber", friction: 0 }] },
    ],
  };
  const root = describe(scene, 5), near = (value, expected) => assert.ok(Math.abs(value - expected) < 1e-12, `${value} ${expected}`);
  near(root.pairFriction(0, 0), 0.5);
  near(root.pairFriction(0, 1), Math.sqrt(0.5 * 0.04));
  near(root.pairFriction(2, 3), Math.sqrt(0.25 * 0.9));
  near(root.pairFriction(3, 4), 0);
  near(describe({ ...scene, solver: { friction_rule: "min" } }, 5).pairFriction(1, 3), 0.04);
  near(describe({ ...scene, solver: { friction_rule: "max" } }, 5).pairFriction(1, 3), 0.9);
});

test("a joint by point and axis has its frames on both bodies", () => {
  const scene = {
    bodies: [{ position: [1, 0, 0] }, { name: "door", position: [0, 2, 0], axis_angle: [0, 0, 1, Math.PI / 2] }],
    joints: [{ kind: "hinge", a: 0, b: "door", point: [1, 1, 1], axis: [0, 0, 1] }, { kind: "hinge", b: 1, frame_b: { position: [0, 0, 3] } }],
  };
  const [by, from] = describe(scene, 2).joints;
  const origin = (frame) => [frame.elements[12], frame.elements[13], frame.elements[14]].map((x) => Math.round(1e9 * x) / 1e9 + 0);
  assert.deepEqual([by.a, by.b], [0, 1]);
  assert.deepEqual(origin(by.frameA), [0, 1, 1]);
  assert.deepEqual(origin(by.frameB), [-1, -1, 1]);
  assert.deepEqual([from.a, from.b], [-1, 1]);
  assert.deepEqual(origin(from.frameA), [0, 2, 3]); // on the world: in the world
});

test("nonsense becomes something that can be drawn", () => {
  const shapes = [null, 7, {}, { kind: "sphere" }, { kind: "box", half: [NaN, -1, 1e300] }, { kind: "hull", points: [] },
    { kind: "hull", points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]] }, { kind: "hull", points: Array(9).fill([1, 2, 3]) },
    { kind: "mesh", points: [[0, 0, 0]], triangles: [[0, 1, 2], [0, 0], "x"] }, { kind: "mesh" }, { kind: "polygon", points: [[0, 0], [1, 1]] },
    { kind: "height_field", heights: [[1, 2], [3]], spacing: [1] }, { kind: "height_field", heights: [] }, { kind: "capsule", radius: 0, half_length: 1 },
    { kind: "segment" }, { kind: "disk", radius: "1" }, { kind: "plane", rotation: [0, 0, 0, 0], position: "here" }];
  for (const scene of [null, {}, { bodies: 3 }, { bodies: [null, 1, { shapes }], joints: [null, { a: 99, b: "none" }] }]) {
    const { bodies } = describe(scene, 4);
    assert.equal(bodies.length, 4);
    for (const shape of bodies.flatMap((body) => body.shapes)) {
      const model = modelOf(shape);
      if (!model) continue;
      for (const count of [1, 100, 1000]) {
        const positions = model.build(count).getAttribute("position");
        assert.ok([...positions.array].every(Number.isFinite), shape.kind);
      }
      assert.ok(model.scale.x > 0 && model.scale.y > 0 && model.scale.z > 0);
    }
  }
});

test("shapes have their sizes", () => {
  const box = (shape) => {
    const model = modelOf(describe({ bodies: [{ shapes: [shape] }] }, 1).bodies[0].shapes[0]), geometry = model.build(1);
    geometry.computeBoundingBox();
    const { min, max } = geometry.boundingBox;
    return ["x", "y", "z"].flatMap((k) => [min[k] * model.scale[k], max[k] * model.scale[k]]).map((x) => Math.round(1e4 * x) / 1e4 + 0);
  };
  assert.deepEqual(box({ kind: "sphere", radius: 2 }), [-2, 2, -2, 2, -2, 2]);
  assert.deepEqual(box({ kind: "ellipsoid", half: [1, 2, 3] }), [-1, 1, -2, 2, -3, 3]);
  assert.deepEqual(box({ kind: "box", half: [0.5, 2, 0.25] }), [-0.5, 0.5, -2, 2, -0.25, 0.25]);
  assert.deepEqual(box({ kind: "cylinder", radius: 2, half_length: 0.5 }), [-2, 2, -2, 2, -0.5, 0.5]);
  assert.deepEqual(box({ kind: "capsule", radius: 0.5, half_length: 2 }), [-0.5, 0.5, -0.5, 0.5, -2.5, 2.5]);
  assert.deepEqual(box({ kind: "hull", points: [[0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3], [0.1, 0.1, 0.1]] }), [0, 1, 0, 2, 0, 3]);
  assert.deepEqual(box({ kind: "mesh", points: [[0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3]], triangles: [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]] }), [0, 1, 0, 2, 0, 3]);
  assert.deepEqual(box({ kind: "height_field", spacing: [1, 0.5], heights: [[0, 1], [2, 3], [4, 5]] }), [-1, 1, -0.25, 0.25, 0, 5]);
  const [disk, ellipse] = [box({ kind: "disk", radius: 3 }), box({ kind: "ellipse", half: [2, 1] })]; // octagons about them
  assert.ok(disk[1] > 3 && disk[1] < 3.3 && disk[3] > 3 && disk[3] < 3.3);
  assert.ok(ellipse[1] > 2 && ellipse[1] < 2.2 && ellipse[3] > 1 && ellipse[3] < 1.1);
  assert.deepEqual(box({ kind: "polygon", points: [[0, 0], [2, 0], [2, 1], [0, 1], [1, 0.5]] }), [0, 2, 0, 1, 0, 0]);
  assert.deepEqual(box({ kind: "segment", half_length: 2, radius: 0.5 }), [-2.5, 2.5, -0.5, 0.5, 0, 0]);
});

test("pictures are drawn instead of shapes, in their colours", () => {
  const box = { kind: "box", half: [1, 1, 1] };
  const scene = { bodies: [{ shapes: [box], pictures: [{ kind: "sphere", radius: 1, color: [1, 0, 0] }, { ...box, color: "red" }] }, { shapes: [box] }] };
  const [seen, plain] = describe(scene, 2).bodies;
  assert.deepEqual(seen.pictures.map((picture) => picture.kind), ["sphere", "box"]);
  assert.equal(seen.pictures[0].color.getHexString(), "ff0000");
  assert.equal(seen.pictures[1].color, null);
  assert.equal(plain.pictures, plain.shapes);
});
