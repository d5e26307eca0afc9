// The clock of the page: which moment is shown, whether it runs, how fast. Everything that draws listens to it.

export type Listener = (player: Player) => void;

/** Where the times of the frames are, increasing; there may be more of them later. */
export interface Timed { readonly times: Float64Array }

export class Player {
  time: number;
  isPlaying = false;
  speed = 1; // simulated seconds per second
  isLooping = true;
  private readonly listeners: Listener[] = [];

  constructor(private readonly source: Timed) { this.time = this.start; }

  get times(): Float64Array { return this.source.times; }

  get start(): number { return this.times.length > 0 ? this.times[0] : 0; }
  get end(): number { return this.times.length > 0 ? this.times[this.times.length - 1] : 0; }

  /** The last frame that is not later than the present moment. */
  get frame(): number {
    let low = 0, high = this.times.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.times[middle] <= this.time) low = middle; else high = middle;
    }
    return low;
  }

  /** How far the moment is from that frame to the next, 0 .. 1. */
  get fraction(): number {
    const i = this.frame;
    if (i + 1 >= this.times.length) return 0;
    const width = this.times[i + 1] - this.times[i];
    return width > 0 ? Math.min(1, Math.max(0, (this.time - this.times[i]) / width)) : 0;
  }

  onChange(listener: Listener): void { this.listeners.push(listener); }

  play(): void {
    if (this.time >= this.end) this.time = this.start;
    this.isPlaying = true;
    this.tell();
  }

  pause(): void {
    this.isPlaying = false;
    this.tell();
  }

  toggle(): void { if (this.isPlaying) this.pause(); else this.play(); }

  seek(time: number): void {
    this.time = Math.min(this.end, Math.max(this.start, time));
    this.tell();
  }

  seekFrame(index: number): void {
    if (this.times.length === 0) return;
    this.seek(this.times[Math.min(this.times.length - 1, Math.max(0, index))]);
  }

  /** Pause at a frame some frames away. */
  stepFrames(count: number): void {
    this.isPlaying = false;
    this.seekFrame(this.frame + count);
  }

  setSpeed(speed: number): void {
    this.speed = speed;
    this.tell();
  }

  /** Let `seconds` of the viewer's time pass. */
  advance(seconds: number): void {
    if (!this.isPlaying) return;
    let time = this.time + seconds * this.speed;
    if (time > this.end) {
      if (this.isLooping) time = this.start;
      else { time = this.end; this.isPlaying = false; }
    }
    this.time = time;
    this.tell();
  }

  protected tell(): void { for (const listener of this.listeners) listener(this); }
}
