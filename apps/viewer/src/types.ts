// What a recording holds, in the words of docs/guide/recordings.md. Numbers are SI; vectors are world axes.

export type Vec3 = [number, number, number];

/** What a contact does: numbers of crn_contact_kind. */
export const enum ContactKind { Off = 0, On, Slide, Edge, Stick }

export interface Contact {
  a: number; // body by index, -1: none
  b: number;
  kind: ContactKind;
  point: Vec3;
  normal: Vec3; // unit, out of b into a
  gap: number; // [m]
  impulse: Vec3; // on a [N s]
}

/** A frame's solver note: how its contact problem is solved by pivoting, and which impulses there are. */
export interface Note {
  contact: number[]; // for each contact of the problem: its index among the frame's contacts, -1: none
  directions: number[]; // of each contact's friction polygon; 0: frictionless
  rows: number; // bilateral rows of the problem
  /** Lemke's path on contact states, by which small islands are solved. */
  states?: {
    outcome: string;
    certificate: number;
    events: StateEvent[];
    isCut: boolean; // there were more events than are kept
  };
  /** The assembled LCP, solved by pivot search: variables are theta (one a contact), phi (directions of each contact),
   *  lambda (one a contact with friction), then the rows. w of variable i is n + i; the cover is 2 n. */
  lcp?: {
    n: number;
    outcome: string;
    certificate: number;
    events: PivotEvent[];
    isCut: boolean;
  };
  vertex?: Vec3[]; // impulses n, t1, t2 of each contact as pivoting finds them [N s]
  even?: Vec3[]; // the most evenly distributed ones with the same motion
  redundant?: number; // active constraints that depend on the others
}

/** kind, entering variable, leaving variable (-1: none), value of the cover after it, ties of the ratio test, depth. */
export type PivotEvent = [kind: PivotKind, entering: number, leaving: number, cover: number, ties: number, depth: number];
export const enum PivotKind { Enter = 0, Exchange, Backtrack, Restart }

/** contact, its kind and corner before, its kind and corner after, how far the path has come (0 .. 1), ties. */
export type StateEvent = [contact: number, kind: ContactKind, corner: number, newKind: ContactKind, newCorner: number,
                          progress: number, ties: number];

/** A card of the index page: a scene, its picture and figures. */
export interface Card {
  title: string;
  about: string;
  address: string; // of its page, relative; "": this one
  picture: string; // data: URL or ""
  figures: [label: string, value: string][];
}

/** A text beside the stage. */
export interface Lesson {
  panel: string; // that is open at the beginning
  show: string; // what the stage shows besides, and from where: "cones,front"
  text: string[]; // paragraphs
}

/** What the program says to the page beyond the recording (script element "cairn-page"). */
export interface PageData {
  title: string;
  about: string;
  warning: string; // why the recording is not whole; "" if it is
  home: string; // address of the index page; "": none
  cards: Card[]; // of the index page; empty elsewhere
  lesson?: Lesson;
  live: boolean; // begin with the simulation, not with the film
}
