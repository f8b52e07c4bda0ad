/** A tale's own among what every family has. */

import type { State } from "../../core/types";
import type { RollView, RollingView, TaleCharacterView, TricubeView } from "../../core/wire";

export type { RollView, RollingView, TaleCharacterView, TricubeView };
/** A state in which a scene of a tale is played. */
export type Tale = State & { game: TricubeView };
