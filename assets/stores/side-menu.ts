import { storeCreate } from './store';

/** The three panels of the menu, and those that lie under Settings and Manage Data (SPEC 2). */
export type MainDetail = 'settings' | 'manage-data' | 'history';
export type Detail =
  | MainDetail
  | 'intake'
  | 'formatting'
  | 'keywords'
  | 'members'
  | 'usage'
  | 'audit'
  | 'file-context';
export type MenuSize = 'large' | 'small';

const KEY = 'menu-size';
const MENU_ITEM: Readonly<Record<Detail, MainDetail>> = {
  settings: 'settings',
  intake: 'settings',
  formatting: 'settings',
  keywords: 'settings',
  members: 'settings',
  usage: 'settings',
  audit: 'settings',
  'manage-data': 'manage-data',
  'file-context': 'manage-data',
  history: 'history',
};

interface SideMenu {
  /** The detail panel that is open. */
  detail: Detail | null;
  /** The file whose context is edited, while that panel is open. */
  contextFile: string | null;
  /** Large or small where there is room for both; kept for the next visit. */
  size: MenuSize;
  /** The menu over the page, on tablets and phones. */
  drawer: boolean;
}

export const useSideMenu = storeCreate<SideMenu>(() => ({
  detail: null,
  contextFile: null,
  size: localStorage.getItem(KEY) === 'small' ? 'small' : 'large',
  drawer: false,
}));

export function menuResize(size: MenuSize): void {
  localStorage.setItem(KEY, size);
  useSideMenu.setState({ size });
}

export function menuToggle(): void {
  menuResize(useSideMenu.getState().size === 'large' ? 'small' : 'large');
}

export const drawerOpen = (drawer: boolean): void => useSideMenu.setState({ drawer });

/** The menu's button that a panel belongs to. */
export const menuItemOf = (detail: Detail): MainDetail => MENU_ITEM[detail];

/** Opens a panel; the button of the open one, or of one that lies under it, closes it. */
export function detailToggle(detail: MainDetail): void {
  useSideMenu.setState((state) => ({
    detail: state.detail !== null && menuItemOf(state.detail) === detail ? null : detail,
    drawer: false,
  }));
}

export const detailOpen = (detail: Detail): void => useSideMenu.setState({ detail, drawer: false });
export const fileContextOpen = (contextFile: string): void =>
  useSideMenu.setState({ detail: 'file-context', contextFile, drawer: false });
export const detailClose = (): void => useSideMenu.setState({ detail: null });

/** Trending Topics: closes the panel and makes the menu large (SPEC 2). */
export function trendingShow(inDrawer: boolean): void {
  useSideMenu.setState({ detail: null, drawer: inDrawer });
  if (!inDrawer) menuResize('large');
}
