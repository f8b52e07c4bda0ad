/**
 * The families of rules that have pages of their own, by id. `stage` is what everybody sees, `seat`
 * what a player's page has beyond that, `gm` what the GM's has, `recap` what an evening came to. What a family leaves out is as in
 * `core/generic.js`; one that is not here is shown and played by that alone.
 * @type {import("../core/types").Games}
 */
export const GAMES = {
  triangle: {
    stage: () => import("./triangle/stage.js"),
    seat: () => import("./triangle/seat.js"),
    gm: () => import("./triangle/gm.js"),
    recap: () => import("./triangle/recap.js"),
  },
  tourists: {
    stage: () => import("./tourists/stage.js"),
    seat: () => import("./tourists/seat.js"),
    gm: () => import("./tourists/gm.js"),
  },
  tricube: {
    stage: () => import("./tricube/stage.js"),
    seat: () => import("./tricube/seat.js"),
    gm: () => import("./tricube/gm.js"),
    recap: () => import("./tricube/recap.js"),
  },
};

/**
 * What families show between scenes, by id; `pages/between/generic.js` has what they leave out.
 * @type {Record<string, () => Promise<Partial<import("../core/types").Between>>>}
 */
export const BETWEEN = {
  tourists: () => import("./tourists/between.js"),
  triangle: () => import("./triangle/between.js"),
  tricube: () => import("./tricube/between.js"),
};
