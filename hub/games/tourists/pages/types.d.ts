/** The tourists' versions of the common types. */

import type { State } from "#core/types.js";
import type { CardView, LaidView, PartyView, RoundView, TouristsView } from "#core/wire.js";

export type { CardView, LaidView, PartyView, RoundView, TouristsView };
/** A state with a Conflict in play. */
export type Conflict = State & { game: TouristsView };
/** A state with a round in play or just over. */
export type InRound = State & { game: TouristsView & { round: RoundView } };
