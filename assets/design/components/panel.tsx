import { ArrowLeft, X } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { useWidthClass } from '../use-width';
import { IconButton } from './icon-button';
import styles from './panel.module.css';

interface Props {
  title: string;
  onClose(): void;
  /** Shown in a sub-panel; leads back to the panel it belongs to. */
  onBack?(): void;
  /** Stands between the title and the scrolling body (search, segmented control). */
  tools?: ReactNode;
  footer?: ReactNode;
  /** The body may hold nothing to press: the keyboard reaches it to scroll. */
  readOnly?: boolean;
  /** A bar that stays in view above the footer: Cancel and Submit. */
  actions?: ReactNode;
  children: ReactNode;
}

/** The frame of a detail panel: title row, scrolling body, sticky footer. The focus goes to its title, or to the field that asked for it. */
export function Panel({ title, onClose, onBack, tools, readOnly = false, actions, footer, children }: Props) {
  const id = useId();
  const phone = useWidthClass() === 'phone';
  const back = onBack ?? (phone ? onClose : undefined);
  const panel = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another title is another panel
  useEffect(() => {
    // a field that asked for the focus (the search of History, from the keyboard) keeps it
    if (panel.current?.contains(document.activeElement)) return;
    heading.current?.focus({ preventScroll: true });
  }, [title]);
  return (
    <section className={styles.panel} aria-labelledby={id} ref={panel}>
      <header className={styles.head}>
        {back && <IconButton name="Back" icon={<ArrowLeft size={18} strokeWidth={1.75} />} onClick={back} />}
        <h2 id={id} ref={heading} tabIndex={-1} className={styles.title}>
          {title}
        </h2>
        {!phone && (
          <IconButton
            name={`Close ${title}`}
            tip="Close"
            icon={<X size={18} strokeWidth={1.75} />}
            onClick={onClose}
          />
        )}
      </header>
      {tools && <div className={styles.tools}>{tools}</div>}
      <div className={styles.body} {...(readOnly && { tabIndex: 0, role: 'group', 'aria-label': title })}>
        {children}
      </div>
      {actions}
      {footer && <footer className={styles.foot}>{footer}</footer>}
    </section>
  );
}
