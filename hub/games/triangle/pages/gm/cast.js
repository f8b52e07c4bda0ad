/** Who there is in the story, and what the hub offers, as far as the frames say. */

/** @typedef {import("#core/types.js").State} State */
/** @typedef {import("#core/types.js").Ui} Ui */

/**
 * What the hub offers of one kind of deed.
 * @template {import("../wire").AnyDeed["do"]} Do
 * @param {Ui} ui
 * @param {Do} does
 */
export const offered = (ui, does) =>
  /** @type {Array<import("../types").Offered<Do>>} */ (ui.deeds.filter((/** @type {import("#core/types.js").Deed} */ { deed }) => deed.do === does));

/**
 * Player characters by name, as everybody sees them; none without a story.
 * @param {State} state
 * @returns {Record<string, import("#core/wire.js").PersonView>}
 */
export const party = (state) => /** @type {Record<string, import("#core/wire.js").PersonView>} */ (state.story?.party ?? {});

/** @type {import("../wire").OwnConsole} */
const NOTHING = { level_ups: {}, reserve: {} };

/**
 * What the console knows of a story by these books.
 * @param {Ui} ui
 */
export const own = (ui) => /** @type {import("../wire").OwnConsole|null} */ (ui.console.own) ?? NOTHING;
