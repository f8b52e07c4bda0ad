/** A Conflict as the pages read it: whose card lies there, who is awaited, who speaks for whom. */

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

/** Who of a party is still in. @param {Conflict} state @param {string} party */
export const staying = ({ game }, party) =>
  game.parties[party]?.out ? [] : (game.parties[party]?.characters ?? []).filter((who) => !game.members[who]?.conceded);

/** Of whom one chooses for all, somebody among them; that one alone, where nobody else can. @param {import("#core/types.js").State} state @param {string} who */
export const groupOf = ({ one_of: groups }, who) => groups?.find((each) => each.includes(who)) ?? [who];

/** Who of a group has chosen for all of it. @param {import("#core/types.js").State} state @param {string} who */
export const chosenFor = (state, who) => groupOf(state, who).find((each) => state.committed.includes(each)) ?? null;

/** Whether somebody is asked, and neither it nor anybody for it has chosen. @param {import("#core/types.js").State} state @param {string} who */
export const isAsked = (state, who) => state.awaited.includes(who) && !chosenFor(state, who);

/** The card that lies before a party last. @param {Conflict} state @param {string} party */
export const lastOf = ({ game }, party) => game.parties[party]?.laid.at(-1) ?? null;

/** A card as it is written. @param {CardView} card */
export const written = ({ number, reversed }) => `${number} ${reversed ? "reversed" : "upright"}`;

/** Cards that mark Losses of a party and lie face up, the Temporary ones first. @param {import("./types").PartyView} party */
export const faceUp = ({ temporary, lasting }) => [
  ...temporary,
  ...lasting.flatMap(({ cards, face_down: down }) => cards.filter(({ number }) => !down.includes(number))),
];

/** The reversed cards that lie before a party. @param {import("./types").PartyView} party */
export const reversedOf = ({ laid }) => laid.filter(({ card }) => card.reversed).map(({ card }) => card);

const LASTING_FROM = 3;
/** By how many of so many reversed cards a Loss is marked. @param {number} reversed */
export const marksOf = (reversed) => (reversed >= LASTING_FROM ? LASTING_FROM : 1);

/** A form's name, of a phase that never comes again. @param {import("#core/types.js").State} state @param {string} who @param {string} what */
export const formOf = ({ scene, version }, who, what) => `${what}-${scene}-${version.phase}-${who}`;
