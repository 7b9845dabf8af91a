import type { MessageFile } from 'api/types';
import { storeCreate } from './store';

/** A spreadsheet that was picked, with the tabs that can be connected. */
export interface PickedFile {
  id: string;
  title: string;
  tabs: readonly string[];
  /** When it was changed, in milliseconds since the epoch, where the picker said so. */
  modifiedMs: number | null;
}

/** The open popup, as one union: a popup of a kind cannot lack what that kind needs. */
export type Popup =
  | { kind: 'feedback' }
  | { kind: 'request-source' }
  | { kind: 'thumbs-up'; threadId: string; messageId: string }
  | { kind: 'thumbs-down'; threadId: string; messageId: string }
  | { kind: 'context' }
  | { kind: 'preview-file'; fileName: string }
  | { kind: 'preview-answer-file'; file: MessageFile }
  | { kind: 'google'; file: PickedFile }
  | { kind: 'slack-link'; code: string }
  | { kind: 'help' };

export const usePopup = storeCreate<{ popup: Popup | null }>(() => ({ popup: null }));

export const popupOpen = (popup: Popup): void => usePopup.setState({ popup });
export const popupClose = (): void => usePopup.setState({ popup: null });
