/** The triangle's versions of the common types. */

import type { Deed, State, Ui } from "#core/types.js";
import type { FirstTriangleProblemView, IronTriangle1eView, IronTriangleView, TriangleProblemView, TurnView, UnrollProblemView, UnrollView } from "#core/wire.js";
import type { AnyDeed } from "./wire";

export type ConflictView = UnrollView | IronTriangleView | IronTriangle1eView;
export type ProblemView = UnrollProblemView | TriangleProblemView | FirstTriangleProblemView;
/** A state with a conflict in play. */
export type Conflict = State & { game: ConflictView };
/** A state with a turn in play or just over. */
export type InTurn = State & { game: ConflictView & { turn: TurnView } };
export type Problem = State & { game: ProblemView };
/** A deed of one kind offered by the hub. */
export type Offered<Do extends AnyDeed["do"]> = Omit<Deed, "deed"> & { deed: Extract<AnyDeed, { do: Do }> };
