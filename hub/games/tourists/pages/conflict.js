/**
 * Queries on a Conflict: the last cards, the awaited players, and the groups that one player speaks
 * for.
 */

/** @typedef {import("./types").Conflict} Conflict */
/** @typedef {import("./types").InRound} InRound */
/** @typedef {import("./types").CardView} CardView */

/**
 * @param {import("#core/types.js").State|null} state
 * @returns {state is Conflict}
 */
export const isConflict = (state) => state?.game?.ruleset === "tourists";

/**
 * @param {import("#core/types.js").State|null} state
 * @returns {state is InRound}
 */
export const isRound = (state) => isConflict(state) && state.game.round !== null;

/** @param {Conflict} state @param {string} who */
export const partyOf = ({ game }, who) => game.members[who]?.party ?? "";

/**
 * The members of a party still in the Conflict.
 * @param {Conflict} state
 * @param {string} party
 */
export const staying = ({ game }, party) =>
  game.parties[party]?.out ? [] : (game.parties[party]?.characters ?? []).filter((who) => !game.members[who]?.conceded);

/**
 * The group, including `who`, of which one chooses for all; only `who` if there is no group.
 * @param {import("#core/types.js").State} state
 * @param {string} who
 */
export const groupOf = ({ one_of: groups }, who) => groups?.find((each) => each.includes(who)) ?? [who];

/**
 * The member that has chosen for its group.
 * @param {import("#core/types.js").State} state
 * @param {string} who
 */
export const chosenFor = (state, who) => groupOf(state, who).find((each) => state.committed.includes(each)) ?? null;

/**
 * Whether a character is asked and its group has not chosen yet.
 * @param {import("#core/types.js").State} state
 * @param {string} who
 */
export const isAsked = (state, who) => state.awaited.includes(who) && !chosenFor(state, who);

/**
 * The newest card in front of a party.
 * @param {Conflict} state
 * @param {string} party
 */
export const lastOf = ({ game }, party) => game.parties[party]?.laid.at(-1) ?? null;

/** A card as written in choices. @param {CardView} card */
export const written = ({ number, reversed }) => `${number} ${reversed ? "reversed" : "upright"}`;

/**
 * A party's face-up cards that mark Losses, the Temporary ones first.
 * @param {import("./types").PartyView} party
 */
export const faceUp = ({ temporary, lasting }) => [
  ...temporary,
  ...lasting.flatMap(({ cards, face_down: down }) => cards.filter(({ number }) => !down.includes(number))),
];

/** The reversed cards in front of a party. @param {import("./types").PartyView} party */
export const reversedOf = ({ laid }) => laid.filter(({ card }) => card.reversed).map(({ card }) => card);

const LASTING_FROM = 3;
/** How many of the reversed cards mark a Loss. @param {number} reversed */
export const marksOf = (reversed) => (reversed >= LASTING_FROM ? LASTING_FROM : 1);

/**
 * A form's name, unique to this phase.
 * @param {import("#core/types.js").State} state
 * @param {string} who
 * @param {string} what
 */
export const formOf = ({ scene, version }, who, what) => `${what}-${scene}-${version.phase}-${who}`;
