import type { Me } from 'api/types';
import { pageParams } from 'app/page-params';
import { Overlay } from 'design/components/overlay';
import { useWidthClass } from 'design/use-width';
import { type MenuItem, SideMenu } from 'features/side-menu/side-menu';
import { TopBar } from 'features/side-menu/top-bar';
import { Trending } from 'features/trending/trending';
import { Suspense, useState } from 'react';
import { popupOpen } from 'stores/popup';
import {
  detailClose,
  detailOpen,
  detailToggle,
  drawerOpen,
  menuItemOf,
  menuToggle,
  trendingShow,
  useSideMenu,
} from 'stores/side-menu';
import styles from './chat.module.css';
import { Panels } from './lazy';
import { useKeys } from './use-keys';

const help = () => {
  drawerOpen(false);
  popupOpen({ kind: 'help' });
};

interface Props {
  me: Me;
  canStart: boolean;
  threadId: string | null;
  title: string;
  onNewChat(): void;
  onFill(text: string): void;
  onOpenThread(threadId: string): void;
  onFocus(): void;
}

/** The side menu with its topics, and the detail panel beside it or over the page, by the width of the window. */
export function ChatMenu({ me, canStart, threadId, title, onNewChat, onFill, onOpenThread, onFocus }: Props) {
  const width = useWidthClass();
  const { detail, size, drawer } = useSideMenu();
  const [searching, setSearching] = useState(false);
  const narrow = width === 'phone' || width === 'tablet';
  const shown = narrow || (width === 'laptop' && detail !== null) ? 'small' : size;
  const topicsShown = detail === null && (narrow ? drawer : shown === 'large');

  function pick(item: MenuItem) {
    setSearching(false);
    if (item === 'trending') trendingShow(narrow);
    else detailToggle(item);
  }

  useKeys({
    onSearch: () => {
      setSearching(true);
      detailOpen('history');
    },
    onNewChat: () => canStart && onNewChat(),
    onMenu: () => (narrow ? drawerOpen(!drawer) : menuToggle()),
    onFocus,
    onEscape: detailClose,
  });

  const trending = <Trending disabled={!canStart} onPick={onFill} />;
  const menu = (large: boolean) => (
    <SideMenu
      product={pageParams.product}
      userName={me.name}
      size={large ? 'large' : 'small'}
      active={detail ? menuItemOf(detail) : topicsShown ? 'trending' : null}
      onHelp={help}
      canStart={canStart}
      trending={topicsShown ? trending : undefined}
      onToggle={narrow ? () => drawerOpen(!drawer) : menuToggle}
      onNewChat={onNewChat}
      onPick={pick}
    />
  );
  const panel = detail && (
    <Suspense fallback={<div className={styles.panelWaiting} />}>
      <Panels
        detail={detail}
        me={me}
        threadId={threadId}
        searching={searching}
        onOpenThread={(id) => {
          if (narrow) detailClose();
          onOpenThread(id);
        }}
        onNewChat={() => {
          if (narrow) detailClose();
          onNewChat();
        }}
      />
    </Suspense>
  );

  return (
    <>
      {width === 'phone' ? (
        <TopBar title={title} canStart={canStart} onMenu={() => drawerOpen(true)} onNewChat={onNewChat} />
      ) : (
        <div className={styles.menu}>{menu(shown === 'large')}</div>
      )}
      {panel && !narrow && <div className={styles.panel}>{panel}</div>}
      {panel && narrow && (
        <Overlay kind="sheet" label="Panel" onClose={detailClose}>
          {panel}
        </Overlay>
      )}
      {narrow && drawer && (
        <Overlay kind="drawer" label="Menu" onClose={() => drawerOpen(false)} className={styles.drawer}>
          {menu(true)}
        </Overlay>
      )}
    </>
  );
}
