/** A tale's versions of the common types. */

import type { State } from "#core/types.js";
import type { RollView, RollingView as Rolling, TaleCharacterView, TricubeView as View } from "#core/wire.js";

export type { RollView, TaleCharacterView };
/** Rolls that belong together; `tumbles` exists only in beats in which the hub throws. */
export type RollingView = Rolling & { tumbles?: boolean };
export type TricubeView = View & { rolling: RollingView | null; last_rolling: RollingView | null };
/** A state with a scene of a tale in play. */
export type Tale = State & { game: TricubeView };
