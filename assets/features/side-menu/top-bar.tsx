import { IconButton } from 'design/components/icon-button';
import { Menu, Plus } from 'lucide-react';
import styles from './top-bar.module.css';

interface Props {
  title: string;
  canStart: boolean;
  onMenu(): void;
  onNewChat(): void;
}

/** Phones: menu, the thread's title, New Chat. */
export function TopBar({ title, canStart, onMenu, onNewChat }: Props) {
  return (
    <header className={styles.bar}>
      <IconButton
        size="large"
        name="Menu"
        tip=""
        icon={<Menu size={20} strokeWidth={1.75} />}
        onClick={onMenu}
      />
      <p className={styles.title}>{title}</p>
      <IconButton
        size="large"
        name="New Chat"
        tip=""
        aria-disabled={!canStart || undefined}
        icon={<Plus size={20} strokeWidth={1.75} />}
        onClick={() => canStart && onNewChat()}
      />
    </header>
  );
}
