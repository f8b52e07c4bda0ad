/** The story's characters and the hub's offers, from the frames. */

/** @typedef {import("#core/types.js").State} State */
/** @typedef {import("#core/types.js").Ui} Ui */

/**
 * The hub's offers of one kind of deed.
 * @template {import("../wire").AnyDeed["do"]} Do
 * @param {Ui} ui
 * @param {Do} does
 */
export const offered = (ui, does) =>
  /** @type {Array<import("../types").Offered<Do>>} */ (
    ui.deeds.filter((/** @type {import("#core/types.js").Deed} */ { deed }) => deed.do === does)
  );

/**
 * Player characters by name, as publicly known; none without a story.
 * @param {State} state
 * @returns {Record<string, import("#core/wire.js").PersonView>}
 */
export const party = (state) =>
  /** @type {Record<string, import("#core/wire.js").PersonView>} */ (state.story?.party ?? {});

/** @type {import("../wire").OwnConsole} */
const NOTHING = { level_ups: {}, reserve: {} };

/**
 * The console's data of the triangle's story.
 * @param {Ui} ui
 */
export const own = (ui) => /** @type {import("../wire").OwnConsole|null} */ (ui.console.own) ?? NOTHING;
