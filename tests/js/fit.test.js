import "./browser.js";

import assert from "node:assert/strict";
import { test } from "node:test";

import { Fit } from "../../hub/web/static/js/core/fit.js";

/**
 * A screen on a wall. Its page's height is its number of elements; drawing closer or smaller makes
 * it lower.
 */
function screen() {
  const page = document.documentElement;
  page.style.fontSize = "";
  const shown = { many: 10, closer: new Set(), layouts: 0 };
  Object.assign(globalThis, { innerWidth: 1920, innerHeight: 1000 });
  globalThis.getComputedStyle = () => ({ fontSize: "20px" });
  Object.defineProperty(page, "scrollHeight", {
    configurable: true,
    get: () => {
      shown.layouts += 1;
      const part = page.style.fontSize ? Number.parseFloat(page.style.fontSize) / 20 : 1;
      return shown.many * 10 * part * (1 - shown.closer.size * 0.1);
    },
  });
  const classList = { toggle: (name, on) => shown.closer[on ? "add" : "delete"](name) };
  const root = { classList, getElementsByTagName: () => ({ length: shown.many }) };
  const fit = new Fit(root);
  const draw = (many, where, what) => {
    Object.assign(shown, { many, layouts: 0 });
    fit.fit(where, what);
    return shown.layouts;
  };
  return { fit, draw };
}

test("a page that does not fit is drawn closer, then smaller", () => {
  const { fit, draw } = screen();
  draw(100, "scene 1", "one");
  assert.equal(fit.level, 0);
  draw(110, "scene 1", "two");
  assert.equal(fit.level, 1);
  draw(150, "scene 1", "three");
  assert.equal(fit.classes, "fit-1 fit-w fit-2");
  assert.ok(fit.level > 2);
});

test("the same amount of content is laid out once; less is laid out again", () => {
  const { fit, draw } = screen();
  draw(110, "scene 1", "one");
  assert.equal(fit.level, 1);
  assert.equal(draw(110, "scene 1", "two"), 1);
  draw(90, "scene 1", "three");
  assert.equal(fit.level, 0);
  draw(110, "scene 1", "four");
  assert.equal(fit.level, 1);
  assert.ok(draw(110, "scene 2", "four") > 1);
});
