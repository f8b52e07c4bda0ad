/**
 * The hub's verdict on something still being typed, asked at intervals instead of at each letter.
 */

/** Least time between two questions. */
const GAP_MS = 250;
/** An unanswered question is repeated after this time. */
const PATIENCE_MS = 3000;

/**
 * The newest preview of a command, and whether it is for the command's current form (`now`).
 * @param {import("./types").Ui} ui
 * @param {import("./types").State} state
 * @param {import("./types").Command} command
 * @returns {{answer: import("./types").Frames["preview"]|null, now: boolean}}
 */
export function judged(ui, state, command) {
  const wanted = JSON.stringify([command, state.version]);
  /** @type {{of: string, asked: string, id: string, at: number, waits: number, answer: import("./types").Frames["preview"]|null}} */
  const known = (ui.judged ??= { of: "", asked: "", id: "", at: -GAP_MS, waits: 0, answer: null });
  const answer = ui.commander.answerTo(known.id);
  if (answer) Object.assign(known, { answer, of: known.asked, id: "" });
  const gone = performance.now() - known.at;
  if (known.of !== wanted && (!known.id || gone > PATIENCE_MS)) {
    if (gone >= GAP_MS)
      Object.assign(known, { asked: wanted, at: performance.now(), id: ui.commander.preview(command) });
    if (!known.waits) {
      const again = () => {
        known.waits = 0;
        ui.redraw();
      };
      known.waits = setTimeout(again, GAP_MS);
    }
  }
  return { answer: known.answer, now: known.of === wanted };
}
