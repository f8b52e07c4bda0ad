/** The page that sets a table up: shows the hub's questions, and sends one answer at a time. */

import { h, morph, pageRoot } from "../core/dom.js";
import { dressSoon } from "../core/later.js";

/** @typedef {{value: string, label: string, about: string}} Option */
/**
 * @typedef {Object} Question
 * @property {string} name
 * @property {"text"|"number"|"choice"|"yes"|"file"|"password"} kind
 * @property {string} label
 * @property {string|number|boolean} value of a file or a password: whether there is one
 * @property {string} about
 * @property {Option[]} options
 * @property {number} least
 * @property {number} most
 * @property {boolean} minor
 * @property {string} fault
 */
/** @typedef {{id: string, title: string, about: string, questions: Question[]}} Step */
/**
 * @typedef {Object} Form
 * @property {"form"|"busy"} type
 * @property {string} language
 * @property {Record<string, string>} texts
 * @property {Step[]} steps
 * @property {{name: string, answers: boolean|null, why: string, lies: boolean}[]} devices
 * @property {string} asks the seat on whose reader a card is to be laid
 * @property {string} broker
 * @property {string} why
 * @property {string[]} over
 * @property {[string, string][]} summary
 * @property {{next: [string, string][], console: string, starts: boolean}|null} made the result:
 *   what to type next; the console's address from the port on; whether the table starts by itself
 */
/** @typedef {import("../core/types").Part} Part */

const RETRY_MS = 1000;
const NOT_HERE = 404;
/** The other pages' storage key for the chosen language. */
const KEPT = "facedown-language";
const FEW = 6;

/** @type {Form|null} */
let form = null;
/** @type {WebSocket|null} */
let socket = null;
let lost = false;
/** Whether the new table runs yet. */
let runs = false;

/** @param {string} key @param {Record<string, string>} [places] */
function say(key, places = {}) {
  return (form?.texts[key] ?? "").replace(/\{(\w+)\}/g, (_, name) => places[name] ?? "");
}

/** @param {Record<string, unknown>} wish */
const send = (wish) => socket?.readyState === WebSocket.OPEN && socket.send(JSON.stringify(wish));

/** @param {string} wish @param {string} label @param {Record<string, unknown>} [more] */
const button = (wish, label, more = {}) => h("button", { type: "button", "data-do": wish, key: wish, ...more }, label);

function connect() {
  const stream = new WebSocket(new URL("ws", location.href.replace(/^http/, "ws")));
  socket = stream;
  stream.onmessage = ({ data }) => {
    const next = JSON.parse(data);
    form = next.type === "busy" ? { .../** @type {Form} */ (form ?? {}), ...next } : next;
    lost = false;
    draw();
  };
  stream.onclose = () => {
    lost = true;
    draw();
    if (form?.made) watch(form.made);
    else setTimeout(connect, RETRY_MS);
  };
}

function draw() {
  if (!form) return;
  document.documentElement.lang = form.language;
  document.title = `Facedown: ${say("title")}`;
  morph(pageRoot(), h("main", {}, ...page()));
  if (form.type === "form") form.steps.flatMap(({ questions }) => questions).forEach(follow);
  const live = document.getElementById("live");
  const told = form.asks ? say("lay", { seat: form.asks }) : form.why || form.broker;
  if (live && live.textContent !== told) live.textContent = told;
}

/** Show the hub's answer in the inputs, except in the one being edited. @param {Question} one */
function follow(one) {
  for (const input of document.querySelectorAll(`[data-name="${one.name}"]`)) {
    if (input instanceof HTMLInputElement && input.type === "radio") input.checked = input.value === one.value;
    else if (input instanceof HTMLInputElement && input.type === "checkbox") input.checked = one.value === true;
    else if (input === document.activeElement || one.kind === "file" || one.kind === "password") continue;
    else if (input instanceof HTMLInputElement || input instanceof HTMLSelectElement) input.value = String(one.value);
  }
}

/** @returns {Part[]} */
function page() {
  const head = h(
    "header",
    { key: "head" },
    h("p", { class: "eyebrow" }, "Facedown"),
    h("h1", {}, say("title")),
    !form?.made && h("p", {}, say("about")),
  );
  if (form?.type === "busy")
    return [
      head,
      h(
        "section",
        { key: "busy" },
        h("p", { class: "fault" }, say("busy")),
        h("div", { class: "row" }, button("take-over", say("here"), { class: "first" })),
      ),
    ];
  if (form?.made) return [head, done(form.made)];
  const gone = lost && h("p", { key: "lost", class: "fault" }, say("lost"));
  return [head, gone, ...(form?.steps ?? []).map(step), last()];
}

/** @param {Step} step */
function step({ id, title, about, questions }) {
  const plain = questions.filter((one) => !one.minor || one.fault);
  const minor = questions.filter((one) => one.minor && !one.fault);
  return h(
    "section",
    { key: id, "aria-labelledby": `step-${id}` },
    h("div", {}, h("h2", { id: `step-${id}` }, title), h("p", {}, about)),
    id === "readers" && readers(),
    ...plain.map(question),
    minor.length > 0 && h("details", { key: "more" }, h("summary", {}, say("more")), ...minor.map(question)),
    id === "broker" && plain.length > 1 && tried(),
  );
}

/** @param {Question} one */
function question(one) {
  const id = `q-${one.name}`;
  const about = one.about && h("small", { id: `${id}-about` }, one.about);
  const fault = one.fault && h("p", { class: "fault", id: `${id}-fault` }, one.fault);
  const told = [one.about && `${id}-about`, one.fault && `${id}-fault`].filter(Boolean).join(" ");
  const common = {
    id,
    "data-name": one.name,
    "aria-describedby": told || null,
    "aria-invalid": one.fault ? "true" : null,
  };
  if (one.kind === "yes") return box(one, common, about, fault);
  if (one.kind === "choice" && one.options.length <= FEW && !one.name.endsWith("reader"))
    return radios(one, about, fault);
  return h(
    "div",
    { class: "question", key: one.name },
    h("label", { for: id }, one.label),
    about,
    field(one, common),
    fault,
  );
}

/** @param {Question} one @param {Record<string, unknown>} common @param {Part} about @param {Part} fault */
function box(one, common, about, fault) {
  const input = h("input", { ...common, type: "checkbox", checked: one.value === true });
  return h(
    "div",
    { class: "question", key: one.name },
    h("label", { class: "option" }, input, h("span", {}, h("b", {}, one.label), about)),
    fault,
  );
}

/** @param {Question} one @param {Part} about @param {Part} fault */
function radios(one, about, fault) {
  const options = one.options.map(({ value, label, about: words }) =>
    h(
      "label",
      { class: "option", key: value },
      h("input", { type: "radio", name: one.name, "data-name": one.name, value, checked: value === one.value }),
      h("span", {}, h("b", {}, label), words && h("small", {}, words)),
    ),
  );
  return h(
    "fieldset",
    { class: "question", key: one.name },
    h("legend", {}, one.label),
    about,
    h("div", { class: "options" }, ...options),
    fault,
  );
}

/** @param {Question} one @param {Record<string, unknown>} common */
function field(one, common) {
  switch (one.kind) {
    case "choice":
      return h(
        "select",
        common,
        ...one.options.map(({ value, label }) =>
          h("option", { key: value, value, selected: value === one.value }, label),
        ),
      );
    case "file":
      return h("input", {
        ...common,
        type: "file",
        accept: one.name.startsWith("broker.") ? ".pem,.crt,.cer" : ".toml",
      });
    case "password":
      return h("input", { ...common, type: "password", autocomplete: "off" });
    case "number":
      return h("input", { ...common, type: "number", min: one.least, max: one.most, value: one.value });
    default:
      return h("input", {
        ...common,
        type: "text",
        value: one.value,
        autocomplete: "off",
        spellcheck: "false",
        maxlength: 400,
      });
  }
}

function readers() {
  const { devices, asks, why } = /** @type {Form} */ (form);
  if (asks) {
    return h(
      "div",
      { class: "asks", key: "asks" },
      h("strong", {}, say("lay", { seat: asks })),
      why && h("p", { class: "fault" }, why),
      h("div", { class: "row" }, button("skip", say("skip")), button("stop", say("stop"))),
    );
  }
  const works = devices.some(({ answers }) => answers);
  const list = devices.map(({ name, answers, why: fault }) =>
    h(
      "li",
      { key: name },
      h("b", {}, name),
      h(
        "span",
        { class: answers ? "ok" : answers === false ? "fault" : "" },
        answers ? say("answers") : fault || say("waits"),
      ),
    ),
  );
  return h(
    "div",
    { class: "question", key: "found" },
    devices.length ? h("ul", { class: "devices" }, ...list) : h("p", {}, say("no-device")),
    h(
      "div",
      { class: "row" },
      works && button("tell-apart", say("tell-apart"), { class: "first" }),
      button("look-again", say("look-again")),
    ),
  );
}

function tried() {
  return h(
    "div",
    { class: "question", key: "tried" },
    h("div", { class: "row" }, button("try-broker", say("try"))),
    form?.broker && h("p", {}, form.broker),
  );
}

function last() {
  const { over, why, asks, summary } = /** @type {Form} */ (form);
  const lines = summary.flatMap(([what, how], index) => [
    h("dt", { key: `t${index}` }, what),
    h("dd", { key: `d${index}` }, how),
  ]);
  return h(
    "section",
    { key: "last", "aria-labelledby": "step-last" },
    h("h2", { id: "step-last" }, say("summary")),
    lines.length ? h("dl", {}, ...lines) : h("p", { class: "fault" }, say("not-yet")),
    !asks && why && h("p", { class: "fault" }, why),
    over.length > 0 && h("p", { class: "fault", key: "over" }, say("over", { files: over.join(", ") })),
    h(
      "div",
      { class: "row" },
      over.length
        ? button("write", say("write-over"), { "data-name": "over" })
        : button("write", say("write"), { class: "first", disabled: !lines.length }),
    ),
  );
}

/** @param {NonNullable<Form["made"]>} made */
function done({ next, console: where, starts }) {
  const typed = next.flatMap(([command, about]) => [
    h("dt", { key: `t ${command}` }, about),
    h("dd", { key: command }, h("code", {}, command)),
  ]);
  const link = h("a", { class: "first", href: `${location.protocol}//${location.hostname}${where}` }, say("console"));
  return h(
    "section",
    { key: "done" },
    h("h2", {}, say("done")),
    starts
      ? h("p", { key: "starts" }, say(!where ? "starts.anywhere" : runs ? "runs" : "starts"))
      : [h("p", { key: "type" }, say("type")), h("dl", { class: "typed", key: "next" }, typed)],
    where && !starts && h("p", { key: "then" }, say(runs ? "runs.key" : "then")),
    where && runs && h("p", { class: "row", key: "console" }, link),
  );
}

/**
 * Poll until the table runs, if it uses this page's port; another port cannot be polled.
 * @param {NonNullable<Form["made"]>} made
 */
async function watch({ console: where }) {
  if (!where) return;
  keepLanguage();
  const asks = where.startsWith(`:${location.port}/`);
  runs =
    !asks ||
    (await fetch("/gm", { cache: "no-store" }).then(
      ({ status }) => status !== NOT_HERE,
      () => false,
    ));
  draw();
  if (!runs) setTimeout(watch, RETRY_MS, { console: where });
  else if (asks) document.querySelector("a")?.focus();
}

/** The console is at the same address, so it continues in this language. */
function keepLanguage() {
  try {
    localStorage.setItem(KEPT, form?.language ?? "");
  } catch {
    // Without storage the console uses the browser's language.
  }
}

/** @param {HTMLInputElement|HTMLSelectElement} input */
async function readValue(input) {
  if (input instanceof HTMLSelectElement) return input.value;
  if (input.type === "checkbox") return input.checked;
  if (input.type === "file") return (await input.files?.[0]?.text()) ?? "";
  return input.value;
}

pageRoot().addEventListener("change", async ({ target }) => {
  if (!(target instanceof HTMLInputElement || target instanceof HTMLSelectElement)) return;
  const { name } = target.dataset;
  if (name) send({ do: "answer", name, value: await readValue(target) });
});
pageRoot().addEventListener("click", ({ target }) => {
  const pressed = target instanceof Element ? target.closest("button") : null;
  if (pressed?.dataset.do) send({ do: pressed.dataset.do, name: pressed.dataset.name ?? "" });
});
connect();
dressSoon();
