/** Nobody can scroll a screen on a wall: what does not fit on a large one is drawn closer, then smaller. */

const LARGE = { width: 1000, height: 700 };
const STEPS = ["", "fit-1", "fit-1 fit-2"];
const SMALLEST = 0.6;
const STEP = 0.05;

/**
 * Make the page fit its screen.
 * @param {HTMLElement} root
 * @returns {string} the classes that it took
 */
export function fit(root) {
  const page = document.documentElement;
  const large = innerWidth >= LARGE.width && innerHeight >= LARGE.height;
  const over = () => page.scrollHeight > innerHeight;
  page.style.fontSize = "";
  let taken = "";
  for (const step of STEPS) {
    root.classList.remove("fit-1", "fit-2");
    taken = step;
    if (step) root.classList.add(...step.split(" "));
    if (!large || !over()) return taken;
  }
  const full = Number.parseFloat(getComputedStyle(page).fontSize);
  for (let part = 1 - STEP; part >= SMALLEST && over(); part -= STEP) page.style.fontSize = `${full * part}px`;
  return taken;
}
