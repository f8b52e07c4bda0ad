/** Whether people direct what is played, or the hub does. */

/**
 * Whether the hub is the GM, and begins scenes and ends them: people have nothing to direct.
 * @param {import("../../core/types").State} state
 * @param {import("../../core/types").Ui} ui
 */
export const directed = ({ hub_plays: names }, { console }) => console.directs && names.includes("gm");
