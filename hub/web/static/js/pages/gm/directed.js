/** Whether people or the hub direct the play. */

/**
 * Whether the hub is the GM and starts and ends scenes, so that people have nothing to direct.
 * @param {import("../../core/types").State} state
 * @param {import("../../core/types").Ui} ui
 */
export const directed = ({ hub_plays: names }, { console }) => console.directs && names.includes("gm");
