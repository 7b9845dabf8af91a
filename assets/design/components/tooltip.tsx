import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import styles from './tooltip.module.css';

interface Tip {
  text: string;
  left: number;
  top: number;
  side: 'right' | 'top' | 'bottom';
}

function place(target: HTMLElement): Tip | null {
  const text = target.dataset.tip;
  if (!text) return null;
  const box = target.getBoundingClientRect();
  if (target.dataset.tipSide === 'right') {
    return { text, side: 'right', left: box.right + 10, top: box.top + box.height / 2 };
  }
  const left = Math.min(Math.max(box.left + box.width / 2, 72), window.innerWidth - 72);
  return box.top > 64
    ? { text, side: 'top', left, top: box.top - 8 }
    : { text, side: 'bottom', left, top: box.bottom + 8 };
}

/**
 * One tooltip for the whole page: any element with `data-tip` gets it after 400 ms of hovering, at once on keyboard
 * focus, never under a finger. It repeats the accessible name and is hidden from screen readers.
 */
export function TooltipLayer() {
  const [tip, setTip] = useState<Tip | null>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const hide = () => {
      clearTimeout(timer);
      setTip(null);
    };
    const find = (event: Event) =>
      (event.target as Element | null)?.closest?.<HTMLElement>('[data-tip]') ?? null;
    const onOver = (event: PointerEvent) => {
      const target = event.pointerType === 'touch' ? null : find(event);
      clearTimeout(timer);
      if (target) timer = setTimeout(() => setTip(place(target)), 400);
      else setTip(null);
    };
    const onFocus = (event: FocusEvent) => {
      const target = find(event);
      if (target?.matches(':focus-visible')) setTip(place(target));
    };
    document.addEventListener('pointerover', onOver);
    document.addEventListener('pointerdown', hide);
    document.addEventListener('focusin', onFocus);
    document.addEventListener('focusout', hide);
    document.addEventListener('scroll', hide, true);
    document.addEventListener('keydown', hide);
    return () => {
      hide();
      document.removeEventListener('pointerover', onOver);
      document.removeEventListener('pointerdown', hide);
      document.removeEventListener('focusin', onFocus);
      document.removeEventListener('focusout', hide);
      document.removeEventListener('scroll', hide, true);
      document.removeEventListener('keydown', hide);
    };
  }, []);
  if (!tip) return null;
  return createPortal(
    <div
      className={`${styles.tip} ${styles[tip.side]}`}
      style={{ left: tip.left, top: tip.top }}
      aria-hidden="true"
    >
      {tip.text}
    </div>,
    document.body,
  );
}
