/** A tale's own among what every family has. */

import type { State } from "#core/types.js";
import type { RollView, RollingView as Rolling, TaleCharacterView, TricubeView as View } from "#core/wire.js";

export type { RollView, TaleCharacterView };
/** Rolls that belong together; `tumbles` is there only in a moment in which the table throws. */
export type RollingView = Rolling & { tumbles?: boolean };
export type TricubeView = View & { rolling: RollingView | null; last_rolling: RollingView | null };
/** A state in which a scene of a tale is played. */
export type Tale = State & { game: TricubeView };
