/** What passes between the hub and the pages beside what `wire.d.ts` has, and what the pages share. */

import type { PublicView, Reply, Version } from "./wire";

export type { Version } from "./wire";
export type Status = "opening" | "open" | "lost" | "locked";

/** An element as it is to be. */
export interface Drawn {
  tag: string;
  space: string | null;
  key: string | null;
  attributes: Map<string, string>;
  children: Array<Drawn | string>;
}

/** What can stand inside an element. */
export type Part = Drawn | string | number | null | false | undefined | "" | Part[];

export interface Timer {
  deadlineMs: number;
  seconds: number;
  /** The seconds from which it warns. */
  soon: number;
}

/** The public state as the pages use it. `game` is the family's own; null while no scene is played. */
export interface State extends Omit<PublicView, "timer" | "game" | "story"> {
  timer: Timer | null;
  /** The family's public fields; only its own modules look into them. */
  game: any;
  /** What lasts between scenes; beside countdowns and stakes it is the family's. */
  story: any;
  stalled?: boolean;
}

/** A line of the log; the fields beside its type are those of the event. */
export interface Line {
  type: string;
  seq: number;
  at_ms: number;
  [field: string]: any;
}

/** The state as it comes over the line. */
export interface StateFrame extends Omit<PublicView, "game" | "story"> {
  type: "state";
  game: any;
  story: any;
  stalled?: boolean;
  /** To a page that joins in the middle of a moment: what is left of it. */
  moment_ms?: number;
  [field: string]: any;
}

export interface Offer {
  choice: string;
  kind: string;
  value: string;
  /** Why it is not open; empty when it is. */
  reason: string;
  default: boolean;
}

export interface Question {
  actor: string;
  step: string;
  offers: Offer[];
}

/** A character of a seat, as its own player knows it. */
export interface Actor {
  name: string;
  awaited: boolean;
  committed: boolean;
  beside: number;
  kinds: string[];
  beside_kinds: string[];
  offers: Offer[];
  /** The family's own. */
  sheet: any;
}

/** Something that the GM can do to the story. */
export interface Deed {
  deed: any;
  kind: string;
  value: string;
  reason: string;
}

export interface WayBack {
  what: "play" | "deed" | "start" | "end";
  to_seq: number;
}

/** What the GM knows. */
export interface Console {
  undo: WayBack[];
  npcs: Record<string, any>;
  barred: Record<string, string>;
  templates: string[];
  level_ups: Record<string, any>;
  overrules: any[];
  unreliable: Record<string, { losses: number; disturbances: number }>;
  blind: string[];
  hindrances: string[];
  lies: Record<string, string>;
  gm_seat: string | null;
  at_zero: string;
}

export interface Hand {
  seat: string;
  lies: string | null;
  actors: Actor[];
}

export interface Entry {
  seq: number;
  at_ms: number;
  event: Line;
  came?: any[];
  undone?: boolean;
}

/** A reader of the virtual table, and what lies on it. */
export interface BenchReader {
  name: string;
  seat: string;
  tags: string[];
  plugged: boolean;
}

export interface BenchCard {
  tag: string;
  kind: string;
  value: string;
  label: string;
}

export interface Change {
  who: string;
  what: string[];
  before: any;
  after: any;
}

export interface Frames {
  state: StateFrame;
  event: { type: "event"; line: Line };
  questions: { type: "questions"; questions: Question[] };
  deeds: { type: "deeds"; deeds: Deed[]; cast: string[] };
  console: { type: "console" } & Console;
  hand: { type: "hand" } & Hand;
  chronicle: { type: "chronicle"; reset: boolean; entries: Entry[] };
  company: { type: "company"; seat: string; browsers: number };
  elsewhere: { type: "elsewhere"; seat: string; command: string; ok: boolean };
  preview: { type: "preview"; id: string; changes: Change[]; reason: string };
  tell: { type: "tell"; seat: string; signal: string; why: string };
  bench: { type: "bench"; readers: BenchReader[]; hands: Array<{ seat: string; cards: BenchCard[] }> };
  reply: { type: "reply" } & Reply;
}

export type Frame = Frames[keyof Frames];

/** A command as a page gives it, before it has an id and what it is based on. */
export interface Command {
  command: string;
  actor?: string;
  choice?: string;
  deed?: any;
  [field: string]: unknown;
}

export interface Outcome {
  /** Of the control that was pressed. */
  place: string;
  ok: boolean;
  /** `done`, `stale`, `illegal`, `malformed`, `busy`, `failed`, `unsent` or `long`. */
  code: string;
  /** For a person; may be empty. */
  reason: string;
  /** Of an answer: the newest record when it was asked for. */
  since?: number;
  /** Of an answer: the newest record when it was given. */
  seq?: number;
}

/** A command on its way, with what was drawn when it was given. */
export interface Asked extends Command {
  basis?: Version | null;
}
