/** The triangle's own among what every family has. */

import type { Deed, State, Ui } from "#core/types.js";
import type { FirstTriangleProblemView, IronTriangle1eView, IronTriangleView, TriangleProblemView, TurnView, UnrollProblemView, UnrollView } from "#core/wire.js";
import type { AnyDeed } from "./wire";

export type ConflictView = UnrollView | IronTriangleView | IronTriangle1eView;
export type ProblemView = UnrollProblemView | TriangleProblemView | FirstTriangleProblemView;
/** A state in which a conflict is played. */
export type Conflict = State & { game: ConflictView };
/** In which a turn of it is, or was the last. */
export type InTurn = State & { game: ConflictView & { turn: TurnView } };
export type Problem = State & { game: ProblemView };
/** A deed that the hub offers, of one kind. */
export type Offered<Do extends AnyDeed["do"]> = Omit<Deed, "deed"> & { deed: Extract<AnyDeed, { do: Do }> };
