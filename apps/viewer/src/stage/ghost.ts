// The bodies of another recording, pale, at the same moment: what a motion is compared with.
import { Color, type Group } from "three";
import type { Recording } from "../recording";
import { Bodies } from "./bodies";
import { extentOf, type Extent } from "./bounds";
import { describe, type Body } from "./description";
import { Motion } from "./motion";
import type { Theme } from "./theme";

const SHOWN = 0.38; // how much of it is seen

export class Ghost {
  private readonly bodies: Bodies;
  private readonly motion: Motion;
  private readonly described: Body[];

  constructor(private readonly recording: Recording, isSoftware: boolean) {
    const { bodies } = describe(recording.scene, recording.bodies);
    const moving = bodies.map((body) => body.kind === "fixed" ? { ...body, shapes: [], pictures: [] } : body); // what stands still is there already
    this.described = moving;
    this.bodies = new Bodies(moving, recording.isPlanar, isSoftware);
    this.bodies.makePale(SHOWN);
    this.motion = new Motion(recording);
  }

  /** How far it reaches. */
  get extent(): Extent { return extentOf(this.recording, this.described, this.bodies); }

  get group(): Group { return this.bodies.group; }

  paint(theme: Theme): void { this.bodies.paintAll(new Color().copy(theme.link)); }

  /** Go to a time; beyond its end it is not seen. */
  show(time: number): void {
    const { recording, motion } = this;
    this.group.visible = recording.frames > 0 && time <= recording.times[recording.frames - 1] + 1e-9;
    if (!this.group.visible) return;
    const { frame, share } = recording.momentAt(time);
    motion.moveBetween(frame, share);
    this.bodies.place(motion.frames);
  }

  dispose(): void { this.bodies.dispose(); }
}
