// The clock of a live page: it asks for what it wants to show, and waits where that has not been computed yet.
import { Player } from "../player";
import type { Session } from "./session";

export class LivePlayer extends Player {
  private wanted = 0; // [s]; ahead of time while the simulation is behind
  private isStepping = false;

  constructor(private readonly session: Session) {
    super(session.recording);
    this.isLooping = false;
    session.listen({ frames: () => this.arrive(), gone: () => this.clamp() });
  }

  /** Is the newest frame shown? */
  get isAtEnd(): boolean { return this.time >= this.end - 1e-9; }

  override play(): void {
    this.isPlaying = true;
    this.tell();
  }

  override stepFrames(count: number): void {
    if (count <= 0 || !this.isAtEnd) return super.stepFrames(count);
    this.isPlaying = false;
    this.isStepping = true;
    this.session.step();
  }

  override advance(seconds: number): void {
    if (!this.isPlaying) return;
    const passed = seconds * this.speed, lead = Math.max(this.session.frameSeconds, passed);
    this.wanted = Math.min(this.time + passed, this.end + lead);
    if (this.wanted + lead > this.end) this.session.demand(this.wanted + lead);
    this.time = Math.min(this.wanted, this.end);
    this.tell();
  }

  private arrive(): void {
    if (this.isStepping) {
      this.isStepping = false;
      this.time = this.end;
    }
    this.clamp();
  }

  private clamp(): void {
    if (this.times.length > 0) this.time = Math.min(this.end, Math.max(this.start, this.time));
    this.tell();
  }
}
