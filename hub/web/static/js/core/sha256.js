/**
 * SHA-256 (FIPS 180-4). Browsers offer theirs only over TLS, which a table's network seldom has.
 * Speed does not matter here, and a seal's digest is no secret.
 */

/** @type {number[]} */
const PRIMES = [];
for (let n = 2; PRIMES.length < 64; n += 1) if (PRIMES.every((p) => n % p)) PRIMES.push(n);
const BITS = 2 ** 32;
/**
 * The first 32 bits of the fractional part of a root, exactly.
 * @param {number} n
 * @param {number} root
 */
const fraction = (n, root) => {
  // ⌊root(n) · 2³²⌋ in integers: a float has too few digits.
  const wanted = BigInt(n) << BigInt(32 * root);
  let low = 0n;
  let high = BigInt(n) << 32n;
  while (low < high) {
    const middle = (low + high + 1n) / 2n;
    if (middle ** BigInt(root) <= wanted) low = middle;
    else high = middle - 1n;
  }
  return Number(low % BigInt(BITS));
};
const START = PRIMES.slice(0, 8).map((p) => fraction(p, 2));
const K = PRIMES.map((p) => fraction(p, 3));

/**
 * @param {number} x
 * @param {number} n
 */
const turned = (x, n) => (x >>> n) | (x << (32 - n));

/**
 * The digest of some bytes, in hex.
 * @param {Uint8Array} bytes
 * @returns {string}
 */
export function sha256(bytes) {
  const padded = new Uint8Array((((bytes.length + 8) >> 6) << 6) + 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor((bytes.length * 8) / BITS));
  view.setUint32(padded.length - 4, (bytes.length * 8) % BITS);
  const sum = [...START];
  for (let at = 0; at < padded.length; at += 64) block(sum, view, at);
  return sum.map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

/**
 * @param {number[]} sum
 * @param {DataView} view
 * @param {number} at
 */
function block(sum, view, at) {
  /** @type {number[]} */
  const w = [];
  for (let i = 0; i < 64; i += 1) {
    if (i < 16) {
      w.push(view.getUint32(at + 4 * i));
      continue;
    }
    const s0 = turned(w[i - 15], 7) ^ turned(w[i - 15], 18) ^ (w[i - 15] >>> 3);
    const s1 = turned(w[i - 2], 17) ^ turned(w[i - 2], 19) ^ (w[i - 2] >>> 10);
    w.push((w[i - 16] + s0 + w[i - 7] + s1) | 0);
  }
  let [a, b, c, d, e, f, g, h] = sum;
  for (let i = 0; i < 64; i += 1) {
    const s1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const one = (h + s1 + ((e & f) ^ (~e & g)) + K[i] + w[i]) | 0;
    const s0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => (sum[i] = (sum[i] + word) | 0));
}
