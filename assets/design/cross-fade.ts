/** How long the page may take to draw what changed, before the fade begins. */
const DRAWN_MS = 40;

/**
 * Changes what the page shows, the former fading into the new where the browser can do so and motion is wanted. The
 * browser holds the picture of the former meanwhile, so nothing moves but what the change itself moves.
 */
export function crossFade(change: () => void): void {
  const still = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  if (still || !document.startViewTransition) {
    change();
    return;
  }
  const fade = document.startViewTransition(() => {
    change();
    return new Promise((drawn) => setTimeout(drawn, DRAWN_MS));
  });
  // A fade that another one or a hidden page ends early: the change stands all the same.
  fade.ready.catch(() => undefined);
}
