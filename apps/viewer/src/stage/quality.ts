// How finely to draw: as finely as the machine can while things move, and fully when they stand still.

export interface Level {
  ratio: number; // pixels of the picture for each of the page
  shadowSize: number; // of the shadow map
  shadowEvery: number; // pictures from one shadow to the next; 0: no shadows
}

const SLOW = 1 / 38, FAST = 1 / 57; // [s] a picture may and should take
const HALF_RATE = 1 / 30; // [s] of screens that save power
const JUDGED = 12; // pictures from one judgement to the next
const PATIENCE = 20; // fast judgements before a finer level is tried again

/** The levels from fine to coarse for a screen with so many pixels for each of the page. */
export function levelsFor(screenRatio: number): Level[] {
  const fine = Math.min(screenRatio, 2);
  return [
    { ratio: fine, shadowSize: 2048, shadowEvery: 1 },
    { ratio: Math.min(1, fine), shadowSize: 1024, shadowEvery: 1 },
    { ratio: 0.8, shadowSize: 512, shadowEvery: 2 },
    { ratio: 0.62, shadowSize: 512, shadowEvery: 3 },
    { ratio: 0.5, shadowSize: 512, shadowEvery: 0 },
  ];
}

export class Quality {
  index: number;
  private readonly times: number[] = [];
  private fastOnes = 0;

  constructor(readonly levels: Level[], isSlowMachine: boolean) { this.index = isSlowMachine ? 1 : 0; }

  get level(): Level { return this.levels[this.index]; }

  /** A picture took so long, seen from one to the next [s]; true: the level has changed. */
  judge(seconds: number): boolean {
    this.times.push(seconds);
    if (this.times.length < JUDGED) return false;
    const usual = this.times.sort((a, b) => a - b)[JUDGED >> 1], isSteady = this.times[1] > 0.94 * usual && this.times[JUDGED - 2] < 1.06 * usual;
    this.times.length = 0;
    if (isSteady && Math.abs(usual - HALF_RATE) < 0.001) return false; // the screen's pace: no picture would come sooner
    this.fastOnes = usual < FAST ? this.fastOnes + 1 : 0;
    if (usual > SLOW && this.index + 1 < this.levels.length) return this.goTo(this.index + 1);
    if (this.fastOnes > PATIENCE && this.index > 0) return this.goTo(this.index - 1);
    return false;
  }

  private goTo(index: number): boolean {
    this.index = index;
    this.fastOnes = 0;
    return true;
  }
}

/** Counts the pictures of the last second. */
export class Meter {
  private readonly moments = new Float64Array(256);
  private first = 0;
  private count = 0;

  /** now [s] */
  tick(now: number): void {
    this.moments[(this.first + this.count) % 256] = now;
    if (this.count < 255) this.count++; else this.first = (this.first + 1) % 256;
    while (this.count > 0 && now - this.moments[this.first] > 1) {
      this.first = (this.first + 1) % 256;
      this.count--;
    }
  }

  get perSecond(): number {
    if (this.count < 2) return 0;
    const span = this.moments[(this.first + this.count - 1) % 256] - this.moments[this.first];
    return span > 0 ? (this.count - 1) / span : 0;
  }
}
