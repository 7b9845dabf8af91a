import edges from 'design/components/edge.module.css';
import { IconButton } from 'design/components/icon-button';
import { useEdges } from 'design/use-edges';
import { Copy } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { toastShow } from 'stores/toast';
import styles from './markdown.module.css';

/** A table or code of a text, which scrolls for itself, with a shadow where it goes on. */
export function Scrolling({ label, children }: { label: 'Code' | 'Table'; children: ReactNode }) {
  const scroller = useRef<HTMLElement>(null);
  const edge = useEdges(scroller);
  const code = label === 'Code';
  return (
    <div className={code ? styles.code : styles.scroller}>
      <div className={edges.edge} data-more={edge.right || undefined}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
        <section ref={scroller} tabIndex={0} aria-label={label}>
          {code ? <pre>{children}</pre> : <table>{children}</table>}
        </section>
      </div>
      {code && (
        <IconButton
          className={styles.copy}
          name="Copy code"
          size="small"
          icon={<Copy size={14} strokeWidth={1.75} aria-hidden="true" />}
          onClick={() => copyCode(scroller.current?.textContent ?? '')}
        />
      )}
    </div>
  );
}

function copyCode(code: string): void {
  navigator.clipboard.writeText(code).then(
    () => toastShow('complete', 'Code copied'),
    () => toastShow('error', 'The code could not be copied.'),
  );
}
