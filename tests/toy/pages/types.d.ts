/** The toy's versions of the common types. */

import type { State } from "#core/types.js";
import type { ReachView } from "#core/wire.js";

/** A state with a game of dice in play. */
export type Reach = State & { game: ReachView };
