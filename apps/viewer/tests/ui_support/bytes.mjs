// Recordings as bytes in the words of these tests; support/bytes.mjs reads and writes them.
import { readRecording, writeRecording as write } from "../support/bytes.mjs";

/** Step, time, figures by name, and where the frame is, of every whole frame. */
export function readFrames(bytes) {
  return readRecording(bytes).frames.map((frame) =>
    ({ ...frame.figures, at: frame.at, size: frame.size, step: frame.step, time: frame.time, position: (body) => frame.poses[body].slice(0, 3) }));
}

/** scene: an object; frames: { time, step, figures, poses, contacts: [{ a, b, kind, point, normal, gap, impulse }], note }. */
export function writeRecording(scene, frames, options = {}) {
  return Buffer.from(write({ bodies: frames[0].poses.length, scene: JSON.stringify(scene), ...options, frames: frames.map(plain) }));
}

function plain({ figures = {}, contacts = [], note = null, ...rest }) {
  return { ...rest, figures: { contacts: contacts.length, active: contacts.length, ...figures }, note: note ? JSON.stringify(note) : "",
           contacts: contacts.map(({ a, b, kind, point, normal, gap = 0, impulse }) => ({ a, b, kind, numbers: [...point, ...normal, gap, ...impulse] })) };
}
