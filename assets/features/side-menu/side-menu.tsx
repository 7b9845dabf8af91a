import { LogoMark } from 'design/components/logo';
import { initials } from 'lib/format';
import {
  CircleQuestionMark,
  Database,
  History,
  type LucideIcon,
  Plus,
  SlidersHorizontal,
  TrendingUp,
} from 'lucide-react';
import type { ReactNode } from 'react';
import type { MainDetail } from 'stores/side-menu';
import styles from './side-menu.module.css';

export type MenuItem = MainDetail | 'trending';

const ITEMS: readonly { id: MenuItem; label: string; icon: LucideIcon }[] = [
  { id: 'trending', label: 'Trending Topics', icon: TrendingUp },
  { id: 'history', label: 'History', icon: History },
  { id: 'manage-data', label: 'Manage Data', icon: Database },
  { id: 'settings', label: 'Settings', icon: SlidersHorizontal },
];

interface Props {
  product: string;
  userName: string;
  size: 'large' | 'small';
  active: MenuItem | null;
  /** False while a question is under way. */
  canStart: boolean;
  /** The list of topics, below the buttons of the large menu. */
  trending?: ReactNode;
  onToggle(): void;
  onNewChat(): void;
  onPick(item: MenuItem): void;
  onHelp(): void;
}

/** The main menu: large with words, or a rail of icons with tooltips. */
export function SideMenu({
  product,
  userName,
  size,
  active,
  canStart,
  trending,
  onToggle,
  onNewChat,
  onPick,
  onHelp,
}: Props) {
  const large = size === 'large';
  const tip = (text: string) => (large ? {} : { 'data-tip': text, 'data-tip-side': 'right' });
  return (
    <nav className={styles.menu} data-size={size} aria-label="Main">
      <button
        type="button"
        className={styles.brand}
        aria-label={large ? `${product}: make the menu small` : `${product}: make the menu large`}
        aria-expanded={large}
        {...tip('Make the menu large')}
        onClick={onToggle}
      >
        <LogoMark size={26} />
        {large && <span>{product}</span>}
      </button>
      <button
        type="button"
        className={styles.newChat}
        aria-label="New Chat"
        aria-disabled={!canStart || undefined}
        data-tip={
          canStart ? (large ? undefined : 'New Chat') : 'Wait for the answer, or stop it, before a new chat'
        }
        data-tip-side={large ? undefined : 'right'}
        onClick={() => canStart && onNewChat()}
      >
        <Plus size={18} strokeWidth={1.75} aria-hidden="true" />
        {large && <span>New Chat</span>}
      </button>
      <ul className={styles.items}>
        {ITEMS.map(({ id, label, icon: Icon }) => (
          <li key={id}>
            <button
              type="button"
              className={styles.item}
              aria-label={label}
              aria-current={active === id ? 'true' : undefined}
              {...tip(label)}
              onClick={() => onPick(id)}
            >
              <Icon size={18} strokeWidth={1.75} aria-hidden="true" />
              {large && <span>{label}</span>}
            </button>
          </li>
        ))}
      </ul>
      <div className={styles.more}>{large && trending}</div>
      <button
        type="button"
        className={styles.help}
        aria-label={large ? undefined : 'Help'}
        {...tip('Help')}
        onClick={onHelp}
      >
        <CircleQuestionMark size={18} strokeWidth={1.75} aria-hidden="true" />
        {large && <span>Help</span>}
      </button>
      <button
        type="button"
        className={styles.account}
        aria-label={`${userName}: settings`}
        {...tip(userName)}
        onClick={() => onPick('settings')}
      >
        <span className={styles.avatar} aria-hidden="true">
          {initials(userName)}
        </span>
        {large && <span className={styles.accountName}>{userName}</span>}
      </button>
    </nav>
  );
}
