/** What a player's page has of a tale. */

export { own } from "./own.js";
export { sheet } from "./sheet.js";
