"use strict";
/* Says of each frame (.edge) whether more follows at its right, and whether it was moved (design/use-edges.ts). */
document.querySelectorAll(".edge > [tabindex]").forEach((scroller) => {
  const read = () => {
    const more = scroller.scrollLeft + scroller.clientWidth < scroller.scrollWidth - 1;
    scroller.parentElement.toggleAttribute("data-more", more);
    scroller.toggleAttribute("data-moved", scroller.scrollLeft > 1);
  };
  read();
  scroller.addEventListener("scroll", read, { passive: true });
  new ResizeObserver(read).observe(scroller);
});
