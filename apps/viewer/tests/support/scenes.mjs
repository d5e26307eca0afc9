// Scenes with every kind of shape.

const points = [[-0.4, -0.4, -0.3], [0.4, -0.4, -0.3], [0, 0.5, -0.3], [0, 0, 0.5]];

const tetrahedron = { kind: "mesh", points, triangles: [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]] };

const hills = [0, 1, 2, 3, 4].map((i) => [0, 1, 2, 3].map((j) => 0.2 * Math.sin(i + j)));

/** Shapes in a row over a plane, each above the floor by 0.6 m; a body of two shapes; a height field aside. */
export const solidScene = {
  name: "every solid shape", duration: 0.4, dt: 0.01, solver: { friction_rule: "min" },
  bodies: [
    { name: "floor", kind: "fixed", friction: 0.8, shapes: [{ kind: "plane" }] },
    { name: "sphere", position: [0, 0, 1], shapes: [{ kind: "sphere", radius: 0.4 }] },
    { name: "box", position: [1.5, 0, 1], rotation: [0.8, 0.6, 0, 0], shapes: [{ kind: "box", half: [0.4, 0.3, 0.2] }] },
    { name: "capsule", position: [3, 0, 1], axis_angle: [0, 1, 0, 1], shapes: [{ kind: "capsule", radius: 0.2, half_length: 0.3 }] },
    { name: "cylinder", position: [4.5, 0, 1], axis_angle: [1, 0, 0, 0.3], angular: [1, 2, 3], shapes: [{ kind: "cylinder", radius: 0.35, half_length: 0.2 }] },
    { name: "ellipsoid", position: [0, 1.5, 1], shapes: [{ kind: "ellipsoid", half: [0.5, 0.3, 0.2] }] },
    { name: "hull", position: [1.5, 1.5, 1], shapes: [{ kind: "hull", points: [...points, [0.3, 0.3, 0.3]] }] },
    { name: "mesh", position: [3, 1.5, 1], shapes: [tetrahedron] },
    { name: "hammer", position: [4.5, 1.5, 1], shapes: [{ kind: "box", half: [0.4, 0.1, 0.1] }, { kind: "sphere", radius: 0.2, position: [0.4, 0, 0] }] },
    { name: "hills", kind: "fixed", position: [2, 4, 0.2], shapes: [{ kind: "height_field", spacing: [0.5, 0.5], heights: hills }] },
    { name: "lift", kind: "driven", position: [6, 0.5, 0.3], motion: { z: { amplitude: 0.1, frequency: 2 } }, shapes: [{ kind: "box", half: [0.3, 0.3, 0.1] }] },
  ],
};

const paddle = { kind: "polygon", points: [[-0.3, -0.1], [0.3, -0.1], [0.3, 0.1], [-0.3, 0.1]] };

export const planarScene = {
  name: "every planar shape", planar: true, duration: 0.4, dt: 0.01,
  bodies: [
    { name: "floor", kind: "fixed", shapes: [{ kind: "half_plane" }] },
    { name: "disk", position: [0, 1], angular: 5, shapes: [{ kind: "disk", radius: 0.4 }] },
    { name: "ellipse", position: [1.5, 1], angle: 0.5, shapes: [{ kind: "ellipse", half: [0.5, 0.25] }] },
    { name: "polygon", position: [3, 1], angle: 1, shapes: [{ kind: "polygon", points: [[-0.3, -0.3], [0.4, -0.2], [0.1, 0.4]] }] },
    { name: "segment", position: [4.5, 1], angle: 0.3, mass: 1, inertia: 0.1, shapes: [{ kind: "segment", half_length: 0.4, radius: 0.1 }] },
    { name: "bar", position: [6, 1], angle: -0.3, mass: 1, inertia: 0.1, shapes: [{ kind: "segment", half_length: 0.4 }] },
    { name: "paddle", kind: "driven", position: [7.5, 1], motion: { angle: { amplitude: 0.5, frequency: 1 } }, shapes: [paddle] },
  ],
};
