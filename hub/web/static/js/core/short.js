const SHORT = 8;

/**
 * The first digits of a hash, grouped for comparing by eye: `3f2a 91bc`.
 * @param {string} hash
 */
export const short = (hash) => `${hash.slice(0, SHORT / 2)} ${hash.slice(SHORT / 2, SHORT)}`;
