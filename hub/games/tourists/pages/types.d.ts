/** The tourists' own among what every family has. */

import type { State } from "#core/types.js";
import type { CardView, LaidView, PartyView, RoundView, TouristsView } from "#core/wire.js";

export type { CardView, LaidView, PartyView, RoundView, TouristsView };
/** A state in which a Conflict is played. */
export type Conflict = State & { game: TouristsView };
/** In which a round of it is, or was the last. */
export type InRound = State & { game: TouristsView & { round: RoundView } };
