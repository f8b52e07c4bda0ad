/** The toy's part of a player's page. */

export { hand, heading, meaning, offerName, question } from "./asked.js";
export { card } from "./cards.js";
