import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { NEW_THREAD } from 'stores/draft';

const AT_END_PX = 64;
const TOP_GAP_PX = 16;

interface Following {
  scroller: RefObject<HTMLDivElement | null>;
  content: RefObject<HTMLDivElement | null>;
  /** True where the newest message is below what is seen. */
  away: boolean;
  toNewest(): void;
}

function distanceToEnd(box: HTMLElement): number {
  return box.scrollHeight - box.clientHeight - box.scrollTop;
}

/**
 * Keeps the newest turn in view while the reader is there. A turn taller than the view stops with its question at the
 * top, so that an answer is read from its beginning. Reading further up is never disturbed.
 *
 * `thread` opens at its end at once; `turns` is the number of rows; `quiet` says that the newest is not to be scrolled to.
 */
export function useFollowing(thread: string, turns: number, quiet: boolean): Following {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const following = useRef(true);
  const toTurn = useRef(false);
  const opened = useRef<string | null>(null);
  const top = useRef(0);
  const [away, setAway] = useState(false);

  const place = useCallback((smooth: boolean) => {
    const box = scroller.current;
    if (!box) return;
    const newest = box.querySelector<HTMLElement>('[data-newest-turn]');
    const end = box.scrollHeight - box.clientHeight;
    const wanted = newest && toTurn.current ? newest.offsetTop - TOP_GAP_PX : end;
    box.scrollTo({ top: Math.max(0, Math.min(end, wanted)), behavior: smooth ? 'smooth' : 'instant' });
    top.current = box.scrollTop;
  }, []);

  useLayoutEffect(() => {
    const sameThread =
      opened.current === thread || (opened.current === NEW_THREAD && thread !== NEW_THREAD && turns > 0);
    opened.current = turns > 0 ? thread : null;
    if (turns === 0) return;
    if (sameThread && quiet) {
      following.current = false; // the line grows below what is read, which stays where it is
      return;
    }
    following.current = true;
    toTurn.current = sameThread;
    place(sameThread);
  }, [thread, turns, quiet, place]);

  useEffect(() => {
    const box = scroller.current;
    const inner = content.current;
    if (!box || !inner) return;
    const leave = () => {
      following.current = false;
    };
    const onScroll = () => {
      const distance = distanceToEnd(box);
      setAway(distance > AT_END_PX * 2);
      // A scrollbar, a search in the page and a screen reader scroll without a word of who did it.
      if (box.scrollTop < top.current - 1 && distance > AT_END_PX) leave();
      top.current = box.scrollTop;
      if (distance < AT_END_PX && !following.current) {
        following.current = true;
        toTurn.current = false; // who went to the end wants the end
      }
    };
    const observer = new ResizeObserver(() => {
      if (following.current) place(false);
      onScroll();
    });
    observer.observe(inner);
    observer.observe(box);
    box.addEventListener('wheel', leave, { passive: true });
    box.addEventListener('touchmove', leave, { passive: true });
    box.addEventListener('keydown', leave);
    box.addEventListener('pointerdown', leave); // what a click opens grows below it; the view stays
    box.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      box.removeEventListener('wheel', leave);
      box.removeEventListener('touchmove', leave);
      box.removeEventListener('keydown', leave);
      box.removeEventListener('pointerdown', leave);
      box.removeEventListener('scroll', onScroll);
    };
  }, [place]);

  const toNewest = useCallback(() => {
    const box = scroller.current;
    following.current = true;
    toTurn.current = false;
    box?.scrollTo({ top: box.scrollHeight, behavior: 'smooth' });
  }, []);

  return { scroller, content, away, toNewest };
}
