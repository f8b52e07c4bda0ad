/**
 * A live connection that reconnects by itself. Each connection begins with a snapshot, so nothing
 * has to be kept across a gap.
 */

const FIRST_WAIT_MS = 400;
const LONGEST_WAIT_MS = 8000;
const QUIET_MS = 10000;
const ANSWER_MS = 4000;
/** The base of the hub's addresses, on every page. */
export const HUB = new URL(import.meta.url.slice(0, import.meta.url.lastIndexOf("static/")));

/** @typedef {import("./types").Status} Status */

export class Connection {
  /**
   * @param {string} path of the live stream, relative to the hub's index page
   * @param {(frame: import("./types").Frame) => void} onFrame
   * @param {(status: Status, code?: number) => void} onStatus `code` is the socket's close code
   */
  constructor(path, onFrame, onStatus) {
    this.url = new URL(path, HUB);
    this.url.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    this.onFrame = onFrame;
    this.onStatus = onStatus;
    this.failures = 0;
    this.heardAt = 0;
    /** @type {WebSocket|null} */
    this.socket = null;
    this.retry = 0;
    this.locked = false;
    addEventListener("online", () => this.hurry());
    document.addEventListener("visibilitychange", () => document.hidden || this.hurry());
    // Messages queued while a page was frozen are all outdated.
    document.addEventListener("resume", () => this.anew());
    setInterval(() => this.listen(), QUIET_MS / 2);
    this.open();
  }

  /** Open the connection, or open it again. */
  open() {
    clearTimeout(this.retry);
    const socket = new WebSocket(this.url);
    this.socket = socket;
    socket.onopen = () => {
      this.locked = false;
      this.heardAt = Date.now();
      this.onStatus("open");
    };
    socket.onmessage = (message) => {
      if (this.socket !== socket) return;
      // Not in `onopen`: a connection that opens and closes at once, over and over, must back off
      // too.
      this.failures = 0;
      this.heardAt = Date.now();
      this.onFrame(JSON.parse(message.data));
    };
    socket.onclose = ({ code }) => this.socket === socket && this.lost(code);
  }

  /**
   * Send a message, if the connection is open.
   * @param {Record<string, unknown>} message
   * @returns {boolean} whether it was sent
   */
  send(message) {
    if (!this.socket || this.socket.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  /**
   * Report the loss, and try again after a while.
   * @param {number} [code]
   */
  async lost(code) {
    this.socket = null;
    if (!this.locked) this.onStatus("lost", code);
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.failures);
    this.failures += 1;
    this.retry = setTimeout(() => this.open(), wait * (0.75 + Math.random() / 2));
    this.locked = this.failures > 1 && (await this.needsKey());
    if (this.locked) this.onStatus("locked");
  }

  /** Whether the page itself would be refused now because the hub has forgotten this browser. */
  async needsKey() {
    if (this.url.pathname.endsWith("/ws")) return false;
    try {
      return (await fetch(location.pathname, { method: "HEAD" })).status === 401;
    } catch {
      return false;
    }
  }

  /** Reconnect at once: the network or the viewer is back. */
  hurry() {
    if (this.socket === null) this.open();
  }

  /** Reconnect to get the current state. */
  anew() {
    const { socket } = this;
    if (!socket) return;
    this.onStatus("opening");
    this.open();
    socket.close();
  }

  /** After some silence check that the hub is alive: a cut cable sends no notice. */
  async listen() {
    const socket = this.socket;
    if (!socket || socket.readyState !== WebSocket.OPEN) return;
    if (Date.now() - this.heardAt < QUIET_MS) return;
    try {
      const options = { cache: /** @type {const} */ ("no-store"), signal: AbortSignal.timeout(ANSWER_MS) };
      await fetch(new URL("healthz", HUB), options);
      this.heardAt = Date.now();
    } catch {
      if (this.socket !== socket) return;
      socket.close();
      this.lost();
    }
  }
}
