import { useEffect, useState } from 'react';

/** At which edges of a scroller something is hidden, for the shadows there. */
export function useEdges(scroller: { readonly current: HTMLElement | null }) {
  const [edges, setEdges] = useState({ left: false, right: false });
  useEffect(() => {
    const target = scroller.current;
    if (target === null) return;
    const read = () => {
      const left = target.scrollLeft > 1;
      const right = target.scrollLeft + target.clientWidth < target.scrollWidth - 1;
      setEdges((before) => (before.left === left && before.right === right ? before : { left, right }));
    };
    read();
    target.addEventListener('scroll', read, { passive: true });
    const observer = new ResizeObserver(read);
    observer.observe(target);
    return () => {
      target.removeEventListener('scroll', read);
      observer.disconnect();
    };
  }, [scroller]);
  return edges;
}
