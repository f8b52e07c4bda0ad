/** Types of the frames beyond those in `wire.d.ts`, and types that the pages share. */

import type {
  Asked as Question, Company, Console, DeedOffered, Deeds, Difference as Change, Elsewhere, EndedView, Entry as Told, Event, GameView, Hand, Held as Actor, Lights,
  Offered as Offer, PastSceneView, Preview, PublicView, Questions, Reason, Reply, Sound, StoryView, Tell, Version, WayBack,
} from "./wire";

export type { Actor, Change, Console, EndedView, Hand, Offer, PastSceneView, Question, Version, WayBack };
export type Status = "opening" | "open" | "lost" | "locked";

/** A described element. */
export interface Drawn {
  tag: string;
  space: string | null;
  key: string | null;
  attributes: Map<string, string>;
  children: Array<Drawn | string>;
}

/** A child of an element. */
export type Part = Drawn | string | number | null | false | undefined | "" | Part[];

export interface Timer {
  deadlineMs: number;
  seconds: number;
  /** Seconds left at which it warns. */
  soon: number;
}

/** The public state as the pages use it. */
export interface State extends Omit<StateFrame, "timer"> {
  timer: Timer | null;
}

export type AnyGame = Open<GameView>;

/** The state as the hub sends it. `game` and `story` are their families' own. */
export interface StateFrame extends Omit<PublicView, "game" | "story"> {
  type: "state";
  game: AnyGame | null;
  story: Open<StoryView> | null;
  /** The family of rules in play; null between scenes, or if unknown. */
  family: string | null;
  story_family: string | null;
  /** The family of the last scene; omitted if there is none. */
  ended_family?: string | null;
  stalled?: boolean;
  /** The public state of the panel of buttons. */
  panel?: { missing: string[], holding: { what: WayBack["what"], seconds: number, entries: Entry[] }|null };
  /** For a page that joins while a reveal is shown: how long ago it began. */
  revealed_ago_ms?: number;
}

/** A step of a score: its name and details. */
export interface Cue {
  cue: string;
  detail: Record<string, unknown>;
}

/** A cue with the state that it shows. */
export interface Beat extends Cue {
  state: StateFrame;
}

type Keys<T> = T extends unknown ? keyof T : never;
/** A union in which the other variants' fields may be read as undefined. */
export type Open<T, K extends PropertyKey = Keys<T>> = T extends unknown ? T & { [P in Exclude<K, keyof T>]?: undefined } : never;

/** A line of the log. */
export type Line = Open<Event>;

/** A consequence by the rules; further fields are its family's. */
export interface Came {
  what: string;
  name?: string;
}

/** A deed as values; further fields are its family's. */
export type DeedValues = Record<string, unknown> & { do: string };

/** A deed that the GM can do to the story. */
export interface Deed extends Omit<DeedOffered, "deed"> {
  deed: DeedValues;
}

/** A line of the chronicle, without nonces. */
export interface Entry extends Omit<Told, "event" | "came"> {
  event: Line;
  came?: Came[];
  undone?: boolean;
}

/** A reader of the virtual table, and the tags on it. */
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
  /** The tag at the card's other end, if it has two. */
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

/** A command as a page gives it, before it has an id and a version. */
export interface Command {
  command: string;
  actor?: string;
  choice?: string;
  deed?: DeedValues;
  [field: string]: unknown;
}

export interface Outcome {
  /** The control that was pressed. */
  place: string;
  ok: boolean;
  /** `done`, `stale`, `illegal`, `malformed`, `busy`, `failed`, `unsent` or `long`. */
  code: string;
  /** For people; may be empty. */
  reason: string;
  /** The same as a value. */
  why?: Reason | null;
  /** Of an answer: the newest record when the command was given. */
  since?: number;
  /** Of an answer: the newest record when it was answered. */
  seq?: number;
}

/** A pending command, with the version drawn when it was given. */
export interface Asked extends Command {
  version?: Version | null;
}

export interface Prompt {
  head: string;
  more: string;
}

/** The largest text on the display, and its reason. */
export interface Verdict {
  /** The reason, if it is read first: *Mid beats Low*, then *Ada wins.* */
  lead?: string;
  said: string;
  /** The reason, if it is read last. */
  why?: string;
  /** Whether it is a failure for those who tried. */
  bad?: boolean;
}

/** A face-up card as its family draws it. */
export interface Card {
  /** In words: Attack High. */
  name: string;
  /** Where players may show fingers instead: `2: Use a background`. */
  words?: string;
  /** Its colour class. */
  hue?: string;
  front?: () => Part;
  /** In a line: a sign and a word. */
  chip?: () => Part;
  /** Its row among its kind. */
  row?: number;
  /** Its name, if the chip alone does not say it. */
  spoken?: string;
}

/** A question for one kind of choice. */
export interface Asking {
  actor: string;
  step: string;
  kind: string;
  offers: Offer[];
  /** Whether it may be left unanswered. */
  free: boolean;
  /**
   * For a question whether a card is laid: the cards in the hand; null if this page does not know
   * them.
   */
  held: Offer[] | null;
}

/** A family's wording of changes; null for changes it does not know. */
export interface Changes {
  /** The subject of a change, by its `what`. */
  about(what: string[]): string | null;
  /** Its sign, if it has one. */
  sign(what: string[]): Part;
  /** One of several values. */
  said(what: string, value: unknown): string | null;
  /** A change as one sentence instead of before and after; empty to leave it out. */
  whole(change: Change): string | null;
  /** Kinds that are consequences of others and need no line. */
  follows: string[];
  /** Sort key among one person's changes, lowest first. */
  rank(what: string[]): number;
}

/** The outcome for one player. */
export interface Felt {
  kind: "won" | "lost" | "tie" | "out" | "triumph" | "defeat" | "shown";
  title: string;
  text: string;
}

/** A person in the ring around the stage. */
export interface Person {
  name: string;
  /** The table waits for a card or an answer of this person, or has it. */
  mark: "awaited" | "sealed" | "";
  /** Acts in the moment on the stage. */
  acts: boolean;
  /** Why the person takes no part any more, in a word; empty while it does. */
  gone: string;
  /** Has just been knocked out. */
  falls?: boolean;
  /** The tokens or cards that it has left. */
  left: Part;
  /** The rest of its sheet, shown while nothing is in play. */
  more: Part;
}

/** The people of one side; a family without sides has one group without a name. */
export interface Group {
  name: string;
  called: string;
  won: boolean;
  people: Person[];
}

/** One side's cards on the stage. */
export interface Side {
  name: string;
  called: string;
  mark: "won" | "lost" | "acts" | "away" | "";
  /** Each card is drawn as wide as `--card`. */
  cards: Drawn[];
  /** Short lines below the cards. */
  notes: Part[];
}

/** One roll on the stage. */
export interface Roll {
  name: string;
  called: string;
  mark: "won" | "lost" | "acts" | "";
  /** Each die is as wide as `--d`. */
  dice: Drawn;
  /** The difficulty, as a number or a question mark. */
  hard: string;
  /** The outcome in a word; empty where the headline says it. */
  said: string;
  notes: Part[];
}

/** Sides with their cards: two lie face to face, with the middle between them. */
export interface Sides {
  kind: "sides";
  sides: Side[];
  middle: Part;
}

/** Dice, a row for each roller. */
export interface Rolls {
  kind: "rolls";
  /** What the rolls are about, above them. */
  about: Part;
  rolls: Roll[];
}

/** What a family puts on the display; `core/frame.js` draws it. */
export interface Setting {
  /** Cards or dice are in play. Otherwise people come forward with the rest of their sheets. */
  moment: boolean;
  /** The moment is over and the pieces only lie there still: after a while people come forward. */
  rests: boolean;
  pieces: Sides | Rolls | null;
  /** Shown on the stage while no pieces are. */
  quiet: Part;
  ring: Group[];
}

/** A family of rules as shown by the pages; `generic.js` has the defaults. */
export interface Game {
  /** The back of its cards. */
  back: Drawn;
  /** Name of the part with the family's texts, for pages that do not load all. */
  sentences: string;
  /** The scene: its sort, its title, whether it counts turns, its subject and its nature. */
  scene(state: State): { sort: string; title: string; turns: boolean; about: string; nature: string; note?: string };
  /** The headline of the moment and a line below it. */
  prompt(state: State): Prompt;
  /** The display, as a room sees it: the pieces on its stage, and the people around. */
  setting(state: State): Setting;
  /** The display for players at the table, below its header. */
  body(state: State, headline: Drawn): Part;
  /** The same for players' own pages. */
  around(state: State): Part[];
  /** The same for the virtual table, beside the timer. */
  miniature(state: State, timer: Part): Part;
  /** Only the current play, for a stream overlay: the turn's cards and their outcome. */
  played(state: State): Part;
  /** The part of a change that is read aloud before the headline. */
  aloud(before: State, after: State): string[];
  /** The beats shown before `after`; none if nothing moves. */
  beats(before: StateFrame | null, after: StateFrame): Beat[];
  /** The decision and its reason, until the table goes on; null before it. */
  verdict(state: State): Verdict | null;
  /** Points counted out by cards so far, newest last: by type, or dice values. */
  pointsSaid(points: readonly string[]): string;
  /** The value of an actor's face-up card in a step; null while it is face down or absent. */
  faceUp(state: State, kind: string, name: string): string | null;
  /** Types of events that the drawing itself already tells. */
  tells: string[];
  /** Identifies a reveal. */
  shown(state: State): string;
  card(kind: string, value: string): Card | null;

  /** Kinds of cards in a hand, in order; `hand.KIND` is their heading. */
  hand: string[];
  /** Kinds of choice that are optional but announced to the player: `own.want.KIND` is the text. */
  calls: string[];
  /** Kinds that are seldom wanted. */
  declared: string[];
  /** Kinds that are folded beside a question. */
  folded: string[];
  /** The choice that declines an option. */
  refusal: string;
  /** The open questions as the family's pages put them: by default unchanged. */
  asks(state: State, ui: Ui, questions: Question[]): Question[];
  question(state: State, asking: Asking): string;
  /** Notes needed for the answer, a sentence each. */
  aside(state: State, asking: Asking): string[];
  /** The text of an offer's button; null to use its card's name. */
  offerName(offer: Offer): string | null;
  /** An editor instead of buttons; null if buttons do. */
  editor(state: State, ui: Ui, asking: Asking): Part;
  /** On the console, what is common to all who are asked the same; null if each stands alone. */
  together?(state: State, kind: string, actors: string[]): { title: string; inside: Part[] } | null;
  /** The editor's unfinished values after a press. */
  edit(state: State, ui: Ui, data: DOMStringMap): Record<string, Record<string, number>>;

  /** Warnings for a player: a class, and a sentence. */
  dangers(state: State, name: string): Array<[string, string]>;
  /** Further information for a choice, such as the opponent's face-up card. */
  facing(state: State, name: string): Part;
  /** The outcome that a player just had; null if there is none. */
  felt(before: State, after: State, name: string): Felt | null;
  /** What a player can do for a character between scenes. */
  own(state: State, ui: Ui, actor: Actor): Part;
  /** The steps of character creation; null if the family has none on pages. */
  build: ((state: State, ui: Ui) => Part) | null;
  sheet(state: State | null, actor: Actor): Part;
  /**
   * The meaning of one of the family's words or cards; `means` holds the hub's explanations of the
   * viewer's cards. Null for others.
   */
  explain(id: string, means: Record<string, unknown>): { title: string; text: string[] } | null;
  /** The heading of a card in a hand, and its rank. */
  heading(kind: string, value: string): { id: string; title: string; rank: number };
  /** The meaning of a card, in a sentence. */
  meaning(kind: string, value: string): string;

  /** A character's current activity, for the GM. */
  doing(state: State, name: string): { away: string; parts: string[]; points: Part };
  /** Wording of the GM's overrules: the form's fields, and the resulting sentence. */
  wording: { label(of: string): string; said(of: string, value: unknown): string; flag(of: string, yes: boolean): string };
  held(holds: Record<string, unknown>): string;
  /** The highlights of an evening, from the outcome of each step. */
  highlights(outcomes: RecapOutcome[]): Array<{ title: string; text: string; watch?: string }>;
  /** The subject of a step, such as "the stances"; null for another family's step. */
  leftName(step: string): string | null;
  /** The family's deeds that need no preview, by their `do`. */
  atOnce: string[];
  /** Wording of previews. */
  changes: Changes;
  /** The button that ends the scene. */
  endName?(state: State): string;
  /** The form that starts a scene. */
  begin(state: State, ui: Ui, prepared: Drawn): Part;
  /** Reminders between scenes, such as a rest, with a link. */
  between(state: State, ui: Ui): Part;
  /** What has just been decided, for the GM; null once something else is asked for. */
  outcome?(state: State): Part;
  scenePanels(state: State, ui: Ui): Part[];
  storyPanels(state: State, ui: Ui): Part[];
}

/** Family → part → its module, loaded when it is first needed. */
export type Games = Record<string, Record<string, () => Promise<Partial<Game>>>>;

/** A family's view between scenes; `pages/between/generic.js` has the defaults. */
export interface Between {
  /** As in {@link Game}. */
  sentences?: string;
  /** The outcome of a scene, in a sentence and a line below it. */
  head(ended: EndedView): Prompt;
  /** The reason of the outcome, and its cost. */
  card(ended: EndedView): Part;
  /** The outcome in a few words; null if the family does not know it. */
  result(past: PastSceneView): string | null;
  /** The characters at the table. */
  party(state: State): string[];
  /** What the family is, for passers-by: cards go down, all turn over, and what comes of it. */
  shown(): Shot[] | Promise<Shot[]>;
  /** The last cards or dice of a scene that is over; null if there were none. */
  last(ended: EndedView, state: State): Sides | Rolls | null;
}

/** A picture for passers-by, drawn on the stage like any other moment. */
export interface Shot {
  /** Which of the three pictures it belongs to: cards go down, they turn over, what comes of it. */
  beat: 1 | 2 | 3;
  said: string;
  more: string;
  pieces(): Sides | Rolls;
  /** In ms. */
  lasts: number;
}

/** A page's knowledge besides the state. */
export interface Ui {
  questions: Question[];
  splits: Record<string, Record<string, number>>;
  pending(place: string): boolean;
  [more: string]: any;
}

/** The outcome of a step, for a recap: `seq` names it, `state` is the table after it. */
export interface RecapOutcome {
  scene: number;
  title: string;
  seq: number;
  event: Line;
  came: Came[];
  state: StateFrame;
}

/** A difference of values: `[new value]`, 0 for removed, or the differences by key. */
export type Changed = [unknown] | 0 | { [key: string]: Changed };

/** A sealed and opened card: the line that sealed it, and its opening. */
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

/** The data of a recap. */
export interface RecapData {
  table: string;
  evening: string;
  log: string;
  head: string;
  scenes: RecapScene[];
  left_out: number;
  check: { sound: boolean; lines: number; opened: number; unopened: number; problems: string[] };
}
