import { X } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { IconButton } from './icon-button';
import { Overlay } from './overlay';
import styles from './popup.module.css';

interface Props {
  title: string;
  help?: ReactNode;
  width?: 'normal' | 'wide' | 'full';
  onClose(): void;
  /** Buttons at the right of the foot: Cancel first, the action last. */
  actions?: ReactNode;
  children: ReactNode;
}

export function Popup({ title, help, width = 'normal', onClose, actions, children }: Props) {
  const id = useId();
  return (
    <Overlay kind="popup" onClose={onClose} labelledBy={id} className={styles[width]}>
      <header className={styles.head}>
        <h2 id={id} tabIndex={-1} className={styles.title}>
          {title}
        </h2>
        <IconButton name="Close" tip="" icon={<X size={18} strokeWidth={1.75} />} onClick={onClose} />
        {help && <p className={styles.help}>{help}</p>}
      </header>
      <div className={styles.body}>{children}</div>
      {actions && <footer className={styles.foot}>{actions}</footer>}
    </Overlay>
  );
}
