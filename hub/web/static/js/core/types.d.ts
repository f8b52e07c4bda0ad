/** What passes between the hub and the pages beside what `wire.d.ts` has, and what the pages share. */

import type {
  Asked as Question, Company, Console, DeedOffered, Deeds, Difference as Change, Elsewhere, EndedView, Entry as Told, Event, GameView, Hand, Held as Actor, Lights,
  Offered as Offer, PastSceneView, Preview, PublicView, Questions, Reason, Reply, Sound, Tell, Version, WayBack,
} from "./wire";

export type { Actor, Change, Console, EndedView, Hand, Offer, PastSceneView, Question, Version, WayBack };
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

/** The public state as the pages use it. */
export interface State extends Omit<StateFrame, "timer"> {
  timer: Timer | null;
}

export type AnyGame = Open<GameView>;

/** The state as it comes over the line. `game` and `story` are their families' own. */
export interface StateFrame extends Omit<PublicView, "game"> {
  type: "state";
  game: AnyGame | null;
  /** The family of rules that is played; null while no scene is, or where nobody knows it. */
  family: string | null;
  story_family: string | null;
  /** That of the scene before; left out where there is none. */
  ended_family?: string | null;
  stalled?: boolean;
  /** What everybody may know of the panel of buttons. */
  panel?: { missing: string[], holding: { what: WayBack["what"], seconds: number, entries: Entry[] }|null };
  /** To a page that joins while a reveal is shown: how long ago that began. */
  revealed_ago_ms?: number;
}

/** Something that moves, by its name in the score, and what it is about. */
export interface Cue {
  cue: string;
  detail: Record<string, unknown>;
}

/** A cue with the state that it shows. */
export interface Beat extends Cue {
  state: StateFrame;
}

type Keys<T> = T extends unknown ? keyof T : never;
/** One of several, of which the others' fields may be asked for: they are not there. */
export type Open<T, K extends PropertyKey = Keys<T>> = T extends unknown ? T & { [P in Exclude<K, keyof T>]?: undefined } : never;

/** A line of the log. */
export type Line = Open<Event>;

/** Something that followed by the rules; what else it says is its family's. */
export interface Came {
  what: string;
  name?: string;
}

/** A deed as values; what else it says is its family's. */
export type DeedValues = Record<string, unknown> & { do: string };

/** Something that the GM can do to the story. */
export interface Deed extends Omit<DeedOffered, "deed"> {
  deed: DeedValues;
}

/** A line of the chronicle: nonces are left out. */
export interface Entry extends Omit<Told, "event" | "came"> {
  event: Line;
  came?: Came[];
  undone?: boolean;
}

/** A reader of the virtual table, and what lies on it. */
export interface TabletopReader {
  name: string;
  seat: string;
  tags: string[];
  plugged: boolean;
}

export interface TabletopCard {
  tag: string;
  kind: string;
  value: string;
  label: string;
  /** The tag at its other end, if it has two. */
  end?: string;
}

export interface Frames {
  state: StateFrame;
  event: { type: "event"; line: Line };
  questions: { type: "questions" } & Questions;
  deeds: { type: "deeds"; deeds: Deed[] } & Omit<Deeds, "deeds">;
  console: { type: "console" } & Console;
  hand: { type: "hand" } & Hand;
  chronicle: { type: "chronicle"; reset: boolean; entries: Entry[] };
  company: { type: "company" } & Company;
  elsewhere: { type: "elsewhere" } & Elsewhere;
  preview: { type: "preview" } & Preview;
  beginning: { type: "beginning"; beginning: unknown };
  tell: { type: "tell" } & Tell;
  tabletop: { type: "tabletop"; readers: TabletopReader[]; hands: Array<{ seat: string; cards: TabletopCard[] }>; deck: TabletopCard[] };
  sound: { type: "sound" } & Sound;
  lights: { type: "lights" } & Lights;
  where: { type: "where" };
  reply: { type: "reply" } & Reply;
}

export type Frame = Frames[keyof Frames];

/** A command as a page gives it, before it has an id and what it is based on. */
export interface Command {
  command: string;
  actor?: string;
  choice?: string;
  deed?: DeedValues;
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
  /** The same as a value. */
  why?: Reason | null;
  /** Of an answer: the newest record when it was asked for. */
  since?: number;
  /** Of an answer: the newest record when it was given. */
  seq?: number;
}

/** A command on its way, with what was drawn when it was given. */
export interface Asked extends Command {
  version?: Version | null;
}

export interface Prompt {
  head: string;
  more: string;
}

/** The largest thing on the display, what leads to it, and why it is so. */
export interface Verdict {
  lead?: string;
  said: string;
  why?: string;
}

/** A card that lies face up, as its family draws it. */
export interface Card {
  /** In words: Attack High. */
  name: string;
  /** Where fingers are shown at the table too: `2: Use a background`. */
  words?: string;
  /** The look of its colour. */
  hue?: string;
  front?: () => Part;
  /** The same in a line: a sign and a word. */
  chip?: () => Part;
  /** In which row of its kind it stands. */
  row?: number;
  /** Its name, where its chip alone does not say it. */
  spoken?: string;
}

/** A choice of one kind that somebody is asked for. */
export interface Asking {
  actor: string;
  step: string;
  kind: string;
  offers: Offer[];
  /** Whether nobody has to answer it. */
  free: boolean;
  /** Of whom the table asks whether a card is laid: the cards in its hand; null where this page does not know them. */
  held: Offer[] | null;
}

/** What a family says of changes; null for what it does not know. */
export interface Changes {
  /** What is otherwise, by the change's `what`. */
  about(what: string[]): string | null;
  /** Its sign, where it has one. */
  sign(what: string[]): Part;
  /** One of several values. */
  said(what: string, value: unknown): string | null;
  /** A change in one sentence, where before and after say less; empty where nothing needs to be said. */
  whole(change: Change): string | null;
  /** Kinds that follow by themselves from what is told already. */
  follows: string[];
  /** Where one stands among somebody's changes: the lowest first. */
  rank(what: string[]): number;
}

/** How something came out for somebody. */
export interface Felt {
  kind: "won" | "lost" | "tie" | "out" | "triumph" | "defeat" | "shown";
  title: string;
  text: string;
}

/** What a family of rules shows by itself; `generic.js` has what it leaves out. */
export interface Game {
  /** The part of the texts that has its own sentences, for pages that lack them at first. */
  sentences: string;
  /** What is played: its sort, its title, whether it counts turns, what it is about, and its nature. */
  scene(state: State): { sort: string; title: string; turns: boolean; about: string; nature: string; note?: string };
  /** The headline of the moment and a line below it. */
  prompt(state: State): Prompt;
  /** The display below its top. */
  body(state: State, headline: Drawn): Part;
  /** The same for those who play on a page. */
  around(state: State): Part[];
  /** The same at the virtual table, beside the time that is left. */
  miniature(state: State, timer: Part): Part;
  /** What is played now by itself, for a stream: the cards of the turn, and what came of it. */
  played(state: State): Part;
  /** What of a change is read aloud before the headline. */
  aloud(before: State, after: State): string[];
  /** What is shown beat after beat before `after` holds; none where nothing moves. */
  beats(before: StateFrame | null, after: StateFrame): Beat[];
  /** What was decided, and why, as long as the table has not gone on; null before that. */
  verdict(state: State): Verdict | null;
  /** What somebody has counted out so far by cards, newest last: points by their type, or dice as they lie. */
  pointsSaid(points: readonly string[]): string;
  /** The value of somebody's card that is face up in a step; null while it is face down, or none lies there. */
  faceUp(state: State, kind: string, name: string): string | null;
  /** What has happened that its drawing tells already, by the types of events. */
  tells: string[];
  /** What tells one reveal from another. */
  shown(state: State): string;
  card(kind: string, value: string): Card | null;

  /** Kinds of cards in a hand, in their order; `hand.KIND` is their heading. */
  hand: string[];
  /** Kinds of choice that nobody has to answer but should be told of: `own.want.KIND` says it. */
  calls: string[];
  /** Kinds that are seldom wanted. */
  declared: string[];
  /** Those that stand folded beside a question. */
  folded: string[];
  /** The choice by which somebody who could do something lets it be. */
  refusal: string;
  /** What is asked now, as its pages put it: by default as the hub does. */
  asks(state: State, ui: Ui, questions: Question[]): Question[];
  question(state: State, asking: Asking): string;
  /** What has to be known for the answer, a sentence each. */
  aside(state: State, asking: Asking): string[];
  /** The words on an offer's button; null where its card says them. */
  offerName(offer: Offer): string | null;
  /** An editor in the place of buttons; null where buttons do. */
  editor(state: State, ui: Ui, asking: Asking): Part;
  /** What is unfinished in it after it was pressed. */
  edit(state: State, ui: Ui, data: DOMStringMap): Record<string, Record<string, number>>;

  /** What somebody has to beware of: a class, and a sentence. */
  dangers(state: State, name: string): Array<[string, string]>;
  /** What somebody has to see beside its choice, such as what the other one has shown already. */
  facing(state: State, name: string): Part;
  /** How something has just come out for somebody; null where nothing has. */
  felt(before: State, after: State, name: string): Felt | null;
  /** What its player can do for a character between scenes. */
  own(state: State, ui: Ui, actor: Actor): Part;
  /** The steps by which somebody new comes to be played; null where the family builds nobody on a page. */
  build: ((state: State, ui: Ui) => Part) | null;
  sheet(state: State | null, actor: Actor): Part;
  /** What a word or a card of its own means; `means` is what the hub says of the viewer's cards. Null for what is not its own. */
  explain(id: string, means: Record<string, unknown>): { title: string; text: string[] } | null;
  /** Under which heading a card lies in a hand, and where that is among them. */
  heading(kind: string, value: string): { id: string; title: string; rank: number };
  /** What a card means, in a sentence. */
  meaning(kind: string, value: string): string;

  /** What somebody does now, for the GM. */
  doing(state: State, name: string): { away: string; parts: string[]; points: Part };
  /** How it words what the GM can say holds, and what was said. */
  wording: { label(of: string): string; said(of: string, value: unknown): string; flag(of: string, yes: boolean): string };
  held(holds: Record<string, unknown>): string;
  /** What stands out of an evening, from what came of each step. */
  highlights(outcomes: RecapOutcome[]): Array<{ title: string; text: string; watch?: string }>;
  /** How the chronicle tells a decision or declaration; null for what its card's name says. */
  choiceSaid(actor: string, choice: string): string | null;
  /** Whether a paragraph of it begins with an open choice. */
  begins(choice: string): boolean;
  /** What kind of scene begins, in words: "a conflict"; null for a ruleset of another family. */
  sceneSaid(ruleset: string): string | null;
  /** What is decided in a step, as "the stances"; null for a step of another family. */
  leftName(step: string): string | null;
  /** Deeds of its own that are done at once, by what they do. */
  atOnce: string[];
  /** The same of what followed from an event by the rules; null for what any table knows. */
  cameSaid(came: Came, event: Line): string[] | null;
  /** The same of a deed; null for one that every story has. */
  deedSaid(deed: DeedValues): string | null;
  /** How it tells what a deed would change. */
  changes: Changes;
  /** The button that ends the scene. */
  endName?(state: State): string;
  /** The form by which a scene begins. */
  begin(state: State, ui: Ui, prepared: Drawn): Part;
  /** What is to be thought of between scenes, such as a rest, with the way there. */
  between(state: State, ui: Ui): Part;
  scenePanels(state: State, ui: Ui): Part[];
  storyPanels(state: State, ui: Ui): Part[];
}

/** Family → face → its module, fetched when it is first needed. */
export type Games = Record<string, Record<string, () => Promise<Partial<Game>>>>;

/** What a family says between scenes; `pages/between/generic.js` has what it leaves out. */
export interface Between {
  /** As those of a game. */
  sentences?: string;
  /** How a scene came out, in a sentence and a line below it. */
  head(ended: EndedView): Prompt;
  /** What decided it, and what it cost. */
  card(ended: EndedView): Part;
  /** How it came out, in a few words; null for what the family does not know. */
  result(past: PastSceneView): string | null;
  /** Who is at the table. */
  party(state: State): string[];
  /** A turn to show to whoever passes by. */
  rerun?(headline: Headline): Promise<Rerun>;
}

/** How the display draws the headline of a moment, in the words of a family. */
export type Headline = (state: State, family: Pick<Game, "prompt" | "verdict">) => Drawn;

/** A turn that plays again and again, drawn as the display draws any other. */
export interface Rerun {
  /** What shows from when on (ms), and which of the three pictures that is. */
  steps: Array<{ state: StateFrame; at: number; picture: number }>;
  /** After how long it begins again (ms). */
  lasts: number;
  draw(state: StateFrame): Part;
}

/** What a page knows beside the state. */
export interface Ui {
  questions: Question[];
  splits: Record<string, Record<string, number>>;
  pending(place: string): boolean;
  [more: string]: any;
}

/** What came of a step, for a recap: `seq` names it, `state` is how the table stood after it. */
export interface RecapOutcome {
  scene: number;
  title: string;
  seq: number;
  event: Line;
  came: Came[];
  state: StateFrame;
}

/** What is new of a value: in a list the one new value, of an object what is new of each key, 0 for what is gone. */
export type Changed = [unknown] | 0 | { [key: string]: Changed };

/** A card that was sealed and opened: by which line, and what opens it. */
export interface RecapSeal {
  seq: number;
  line: import("./wire").Committed | import("./wire").SetBeside | import("./wire").ChanceSealed;
  opening: { nonce: string; choice: string };
}

/** A scene in a recap. */
export interface RecapScene {
  number: number;
  title: string;
  began_ms: number;
  ended_ms: number | null;
  entries: Entry[];
  steps: Array<{ seq: number; what: string; change: Changed }>;
  seals: RecapSeal[];
  steps_left_out: number;
}

/** Everything that a recap holds. */
export interface RecapData {
  table: string;
  evening: string;
  log: string;
  head: string;
  scenes: RecapScene[];
  left_out: number;
  check: { sound: boolean; lines: number; opened: number; unopened: number; problems: string[] };
}
