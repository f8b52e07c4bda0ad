/** The seats' keys as QR codes: scanning one opens that seat's page. */

import { h } from "../../core/dom.js";
import { fold, panel, row, turn } from "../../core/parts.js";
import { language, languages, list, pretty, seatName, sentence, t } from "../../core/texts.js";

/** @typedef {{seat: string|null, display?: boolean, wifi?: string, url: string, other?: string, characters?: string[]}} Key */
/** @typedef {import("../../core/types").State} State */
/** @typedef {import("../../core/types").Ui} Ui */

/**
 * An entry's name. A seat's name comes first because a seat may be called gm.
 * @param {Key} key
 */
const nameOf = ({ seat, display, wifi }) => seat ?? (wifi ? "wifi" : display ? "display" : "console");

/**
 * The path of its QR code.
 * @param {Key} key
 */
const pictureOf = ({ seat, display, wifi }) =>
  seat === null ? (wifi ? "wifi" : display ? "display" : "gm") : `seat/${encodeURIComponent(seat)}`;

/** The host of a URL. @param {string} url */
const hostOf = (url) => new URL(url).hostname;

/**
 * Fetch the keys. They are fetched only when shown, and stored nowhere else.
 * @param {Ui} ui
 */
export async function fetchKeys(ui) {
  try {
    const answer = await fetch("/gm/keys", { cache: "no-store" });
    ui.keys = answer.ok ? await answer.json() : [];
    ui.keysFault = answer.ok ? "" : t("gm.keys.fault");
  } catch {
    ui.keysFault = t("gm.keys.fault");
  }
  ui.keyTurn = (ui.keyTurn ?? 0) + 1;
}

/**
 * Renew a seat's key: the old one and its sessions end.
 * @param {Ui} ui
 * @param {string} seat
 */
export async function renewKey(ui, seat) {
  try {
    const answer = await fetch(`/gm/keys/seat/${encodeURIComponent(seat)}`, { method: "POST", cache: "no-store" });
    ui.note = t(answer.ok ? "gm.keys.renewed" : "gm.keys.fault", { seat: pretty(seat) });
  } catch {
    ui.note = t("gm.keys.fault");
  }
  await fetchKeys(ui);
}

/**
 * @param {Ui} ui
 * @param {Key} each
 */
function key(ui, each) {
  const name = nameOf(each);
  const title = each.seat ? seatName(each.seat) : t(`gm.keys.${name}`);
  const place = `key ${each.seat}`;
  const asking = ui.sure === place;
  const other = (ui.byOther && each.other) || "";
  const url = other || each.url;
  return fold(
    ui,
    `key-${each.seat ?? `*${name}`}`,
    [h("b", {}, title), each.characters?.length ? h("i", {}, list(each.characters)) : null],
    () => [
      h("img", {
        class: "qr",
        src: `/gm/keys/${pictureOf(each)}.svg?n=${ui.keyTurn}${other && "&other"}`,
        alt: t("gm.keys.code", { name: title }),
        width: 240,
        height: 240,
      }),
      name === "console" && h("p", { class: "hint" }, t("gm.keys.console.help")),
      h("p", {}, each.wifi ? t("gm.keys.wifi.scan", { wifi: each.wifi }) : t("gm.keys.scan")),
      url && h("p", { class: "address" }, h("a", { href: url, target: "_blank", rel: "noopener" }, url)),
      each.other && h("p", { class: "hint" }, t("gm.keys.other.help", { host: hostOf(url) })),
      each.other &&
        row(
          turn(
            t("gm.keys.other", { host: hostOf(other ? each.url : each.other) }),
            { do: "by-other" },
            { key: "other", kind: "quiet" },
          ),
        ),
      each.seat &&
        row(
          turn(
            asking ? t("gm.keys.new.sure") : t("gm.keys.new"),
            { do: asking ? "renew" : "ask-renew", of: each.seat },
            {
              key: "renew",
              kind: `quiet ${asking ? "asking" : ""}`,
            },
          ),
        ),
    ],
  );
}

function tongue() {
  if (languages().length < 2) return null;
  /** @param {string} code */
  const name = (code) => sentence(new Intl.DisplayNames([code], { type: "language" }).of(code) ?? code);
  return h(
    "div",
    { class: "row languages", role: "group", "aria-label": t("gm.language"), key: "languages" },
    languages().map((code) =>
      turn(
        h("span", { lang: code }, name(code)),
        { do: "language", of: code },
        { pressed: code === language(), key: code },
      ),
    ),
  );
}

/**
 * Keys, and the language of this page.
 * @param {State} state
 * @param {Ui} ui
 */
export function keysPanel(state, ui) {
  return panel(
    "keys",
    t("gm.keys"),
    ui.keysFault && h("p", { class: "bad", role: "alert" }, ui.keysFault),
    h("p", { class: "hint" }, t("gm.keys.help")),
    (ui.keys ?? []).map((/** @type {Key} */ each) => key(ui, each)),
    h("p", { key: "cards" }, h("a", { href: "/gm/cards" }, t("gm.cards"))),
    h("p", { key: "table" }, h("a", { href: "/gm/table" }, t("gm.health"))),
    tongue(),
  );
}
