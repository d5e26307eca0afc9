// A table on four legs with solver notes, made by hand: what the solver pane shows is known.
import { writeRecording } from "./bytes.mjs";

const LEGS = [[1, 1], [-1, 1], [-1, -1], [1, -1]];
const OFF = 0, ON = 1, SLIDE = 2, EDGE = 3, STICK = 4;
const ENTER = 0, EXCHANGE = 1, BACKTRACK = 2, RESTART = 3;

const scene = { name: "table", bodies: [
  { name: "floor", kind: "fixed", shapes: [{ kind: "plane" }] },
  { name: "table", mass: 4, position: [0, 0, 0.5], shapes: [{ kind: "box", half: [1.1, 1.1, 0.5] }] } ] };

/** n = 4 theta, 4 x 4 phi, 4 lambda, 1 row = 25; w of i is 25 + i; the cover is 50. */
export const note = {
  contact: [0, 1, 2, 3], directions: [4, 4, 4, 4], rows: 1,
  states: { outcome: "solved", certificate: 3e-16, isCut: false, events: [
    [0, OFF, 0, STICK, 0, 0, 0], [2, OFF, 0, STICK, 0, 0.5, 2], [2, STICK, 0, SLIDE, 1, 0.75, 1], [2, SLIDE, 1, EDGE, 3, 0.8, 1], [4, ON, 0, OFF, 1, 1, 1]] },
  lcp: { n: 25, outcome: "solved", certificate: 2e-15, isCut: true, events: [
    [EXCHANGE, 24, 49, 0, 0, -1], // before the path: the row comes in
    [ENTER, 50, 25 + 3, 2, 1, 0], // the cover enters, w of theta_3 leaves
    [EXCHANGE, 3, 25 + 4 + 4 * 3 + 2, 1.5, 2, 1], // theta_3 enters, w of phi_3,2 leaves
    [EXCHANGE, 4 + 4 * 3 + 2, 25 + 20 + 3, 1, 1, 2], // phi_3,2 enters, w of lambda_3 leaves
    [BACKTRACK, -1, -1, 1.5, 0, 1],
    [EXCHANGE, 20 + 3, 24, 0.5, 1, 2], // lambda_3 enters, the row leaves
    [RESTART, -1, -1, 2, 0, 0],
    [EXCHANGE, 3, 50, 0, 1, 1] ] },
  vertex: [[0.2, 0, 0], [0, 0, 0], [0.2, 0, 0], [0, 0, 0]],
  even: [[0.1, 0.01, 0], [0.1, 0, 0], [0.1, 0, 0], [0.1, 0, 0]],
  redundant: 1,
};

function frame(step, more = {}) {
  const pose = [0, 0, 0.5, 1, 0, 0, 0];
  return { step, time: 0.01 * step, poses: [[0, 0, 0, 1, 0, 0, 0], pose],
    contacts: LEGS.map(([x, y], i) => ({ a: 1, b: 0, kind: i === 2 ? SLIDE : STICK, point: [x, y, 0], normal: [0, 0, 1], impulse: [i === 0 ? 0.03 : 0, i === 0 ? 0.04 : 0, 0.1] })),
    figures: { kinetic: 1 + step, potential: 20 - step, certificate: 1e-12, pivots: step, seconds: 1e-5 * (1 + step) }, ...more };
}

/** Frames: the start; one with a note; one without; one with an empty note and a step that is not certified; one with many contacts. */
export function tableRecording(options = {}) {
  const many = frame(4);
  many.contacts = Array.from({ length: 130 }, (_, i) => ({ ...many.contacts[0], impulse: [0, 0, 0.001 * i] }));
  many.figures = { ...many.figures, contacts: 130 };
  return writeRecording(scene, [
    { ...frame(0), contacts: [], figures: {} }, frame(1, { note }), frame(2),
    frame(3, { note: { contact: [0, 1, 2, 3], directions: [4, 4, 4, 4], rows: 0 }, figures: { outcome: 1, certificate: 1e-12, kinetic: 4, potential: 17,
      verdict: 3, failed: 8 + 32, amount: 1.2e-4, allowed: 1e-6, "ledger.friction": -0.25, "ledger.unexplained": -2e-3, "ledger.scale": 4, "ledger.gained": 0.5 } }), many ],
    options);
}
