/** Google's file picker, and the only module that knows it. Its script is loaded with the first pick. */
import type { GoogleAccess } from './sheets-api';

export interface PickedDocument {
  id: string;
  name: string;
  lastEditedUtc?: number;
}

interface Reply {
  action: string;
  docs?: PickedDocument[];
}

interface Builder {
  addView(view: unknown): Builder;
  setOAuthToken(token: string): Builder;
  setDeveloperKey(key: string): Builder;
  setAppId(id: string): Builder;
  setOrigin(origin: string): Builder;
  setCallback(callback: (reply: Reply) => void): Builder;
  build(): { setVisible(shown: boolean): void };
}

interface PickerWindow {
  gapi?: { load(name: string, done: () => void): void };
  google?: {
    picker?: {
      PickerBuilder: new () => Builder;
      DocsView: new (id: string) => unknown;
      ViewId: { SPREADSHEETS: string };
    };
  };
}

let loading: Promise<void> | null = null;

/** Lets the member choose a spreadsheet; null where nothing was chosen. Rejects where the picker cannot be loaded. */
export async function pickSpreadsheet({
  access_token,
  picker,
}: GoogleAccess): Promise<PickedDocument | null> {
  if (access_token === null) return null;
  loading ??= load(picker.script).catch((error) => {
    loading = null;
    throw error;
  });
  await loading;
  const offered = (window as PickerWindow).google?.picker;
  if (!offered) throw new Error('The file picker could not be loaded.');
  return new Promise((resolve) => {
    new offered.PickerBuilder()
      .addView(new offered.DocsView(offered.ViewId.SPREADSHEETS))
      .setOAuthToken(access_token)
      .setDeveloperKey(picker.key)
      .setAppId(picker.app_id)
      .setOrigin(window.location.origin)
      .setCallback(({ action, docs }) => {
        if (action === 'picked') resolve(docs?.[0] ?? null);
        else if (action === 'cancel') resolve(null);
      })
      .build()
      .setVisible(true);
  });
}

function load(address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = address;
    script.nonce = __webpack_nonce__;
    script.onerror = () => reject(new Error('The file picker could not be loaded.'));
    script.onload = () => {
      const { gapi } = window as PickerWindow;
      if (gapi) gapi.load('picker', () => resolve());
      else reject(new Error('The file picker could not be loaded.'));
    };
    document.head.append(script);
  });
}
