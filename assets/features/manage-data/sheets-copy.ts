/** Sentences of the Google Sheets section (SPEC 2, 4, 8), in one place. */

export const SIGN_IN = 'Sign In';
export const UPLOAD_SHEETS = 'Upload Sheets';
export const UPLOAD_HINT = 'Clear filters first';
export const REFRESH_SHEETS = 'Refresh Sheets';
export const CONNECTED_SHEETS = 'Connected Sheets';
export const CONNECTING_TABS = 'Connecting tabs...';
export const TABS_CONNECTED = 'Tabs connected, processing data';
export const PROCESSED = 'Data processed successfully';
export const CONNECT_FAILED = 'Failed to connect tabs. Please try again later.';
export const REFRESH_FAILED = 'Error Refreshing Sheets';
export const CREDENTIALS = 'Login credentials error, please sign in again';
export const REFRESHED = 'Sheets refreshed';
export const NOT_SET_UP = 'Google Sheets is not set up on this server yet. Whoever runs it can add it.';
export const NOT_FINISHED = 'The sign-in with Google was not finished.';
export const POPUP_BLOCKED =
  'Your browser did not open the sign-in window. Please allow popups for this page.';
export const STANDING_FAILED = 'The connection to Google could not be checked.';
export const TABS_FAILED = 'Your connected sheets could not be loaded.';
export const NOT_CONNECTED = 'Nothing connected yet.';
export const NONE_YET = 'No sheets connected yet. Pick a spreadsheet, then ask about its rows.';

export const disconnectFailed = (file: string, tab: string) =>
  `Error disconnecting ${file}: ${tab}. Please try again.`;
