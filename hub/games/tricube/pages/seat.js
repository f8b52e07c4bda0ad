/** A tale's part of a player's page. */

export { aside, asks, dangers, editor, facing, offerName, question } from "./asked.js";
export { builder as build } from "./build.js";
export { felt, shown } from "./felt.js";
export { own } from "./own.js";
export { card } from "./pictured.js";
export { hand, heading, meaning } from "./seat-cards.js";
export { sheet } from "./sheet.js";
