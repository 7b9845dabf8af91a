/**
 * The texts that the specification quotes, one row each with its section and what puts it before a member. A text that a
 * screen gains or loses is added or taken away here; the runner is spec-copy.test.tsx.
 */
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { FileContextPanel } from 'features/company/file-context-panel';
import { LOAD_FAILED, LOADED, LOADING_THREAD, PATH_FAILED } from 'features/conversation/copy';
import { loadingText, type RunState } from 'features/conversation/run-machine';
import { uploadFailed } from 'features/manage-data/api';
import { CONNECT_FAILED, CONNECTING_TABS, PROCESSED, TABS_CONNECTED } from 'features/manage-data/sheets-copy';
import {
  EMAIL_INCORRECT,
  LOGGING_IN,
  PASSWORD_FAILED,
  SIGN_IN_FAILED,
  VERIFICATION_FAILED,
} from 'features/sign-in/copy';
import { VALIDATION_FAILED } from 'features/validation/copy';
import { CHART_TYPE_NAMES } from 'lib/chart-file';
import { displayName, uploadProblem } from 'lib/file-names';
import { HttpResponse, http } from 'msw';
import { ChatScreen } from 'screens/chat/chat-screen';
import { NotFoundScreen } from 'screens/not-found/not-found-screen';
import { useToast } from 'stores/toast';
import { server } from 'test/server';
import { expect, vi } from 'vitest';
import {
  answer,
  asked,
  chart,
  composer,
  connectTabsPopup,
  conversation,
  crm,
  failed,
  feedback,
  fileContext,
  files,
  formatting,
  greeting,
  help,
  history,
  intake,
  keywords,
  manageData,
  menu,
  panel,
  press,
  preview,
  question,
  refuse,
  settings,
  sheets,
  show,
  signIn,
  submitText,
  thread,
  validateButton,
  validation,
} from './spec-stage';

export type Section = '2' | '3' | '4' | '5' | '8' | '9';
export type Row = readonly [section: Section, text: string, shown: () => unknown];

/** What stands on the screen: as text, as a name of a control, as a placeholder, or in the toast. */
export const ROWS: readonly Row[] = [
  ['2', 'Login', signIn],
  ['2', 'Forgot Password', signIn],
  ['2', '404 - Page Not Found', () => show(<NotFoundScreen />)],
  ['2', 'Hi Mara, how can I support you today?', greeting],
  ['2', 'User', () => conversation([question], 'User')],
  ['2', 'Type Your Message', composer(true)],
  ['2', 'Please Wait...', composer(false)],
  ...['New Chat', 'Trending Topics', 'History', 'Manage Data', 'Settings'].map(
    (text): Row => ['2', text, menu],
  ),
  ...[
    'Preferences',
    'Response Style',
    'Standard',
    'Concise',
    'Explanatory',
    'Company Info',
    'Company Intake',
    'Chart Formatting',
    'Keywords',
    'More',
    'Leave Feedback',
    'Log Out',
    'Account Type',
    'Admin',
  ].map((text): Row => ['2', text, settings]),
  ...['Upload New File', 'Uploaded Data', 'Request Source'].map(
    (text): Row => ['2', text, () => manageData()],
  ),
  ...['Edit Context for deals', 'Cancel', 'Submit'].map((text): Row => ['2', text, fileContext]),
  ...(
    [
      ['Today', 0],
      ['Yesterday', 1],
      ['Past Week', 4],
      ['Past Month', 20],
      ['Before', 400],
      ['No date', null],
    ] as const
  ).map(([text, days]): Row => ['2', text, history([thread(days)])]),
  ['2', 'Loading History...', history(undefined)],
  ['2', 'No history yet. Start a conversation.', history([])],
  ['2', 'Company Intake', intake],
  ...['Primary', 'Secondary', 'Tertiary', 'Bold', 'Underline', 'Italicize', 'Colors', 'Gridlines'].map(
    (text): Row => ['2', text, formatting],
  ),
  ['2', 'Add', keywords],
  ['2', 'Expand ARR', keywords],
  ['2', 'Delete ARR', keywords],
  ['2', 'Request a Source', feedback('request-source')],
  ['2', 'How to Make the Most of Bob', help],
  ['2', 'Which files would you like Bob to analyze with your request?', files],
  ['2', 'Confirm', files],
  ['2', 'Thank you for your feedback!', feedback('feedback')],
  ['2', 'What did Bob do well?', feedback('thumbs-up')],
  ['2', 'What can Bob do better?', feedback('thumbs-down')],
  ['2', 'What should have been used to answer your question? (Optional)', feedback('thumbs-down')],
  ['2', 'File Preview for: deals.csv', preview('deals.csv')],
  ['2', 'Close', preview('deals.csv')],
  ['2', 'Not Logged In', () => show(<ChatScreen />)],
  ['2', 'Show password', signIn],
  ['2', 'Validate', validateButton(false)],
  ['2', 'Validating...', validateButton(true)],
  ...['Selected Approach', 'Approach 2', 'Approach 3', 'Close'].map(
    (text): Row => ['2', text, validation('ABC')],
  ),
  [
    '2',
    'Select',
    () => {
      validation('AB')();
      fireEvent.click(screen.getByRole('tab', { name: /Approach 2/ }));
    },
  ],
  ...['Chart type', 'Colors', 'Download as PNG'].map(
    (text): Row => ['2', text, chart('{"labels":["a","b"],"datasets":[{"data":[1,2]}]}')],
  ),
  ...['HubSpot', 'Uploaded Files', 'Google Sheets'].map((text): Row => ['2', text, () => manageData()]),
  ['2', 'Click to Connect', crm('not_connected')],
  ...['Connected', 'Refresh Data', 'Update Selection', 'Filter by', 'Selected'].map(
    (text): Row => ['2', text, crm('connected')],
  ),
  [
    '2',
    'Connecting...',
    async () => {
      crm('not_connected')();
      fireEvent.click(await screen.findByRole('button', { name: 'Click to Connect' }));
    },
  ],
  [
    '2',
    'Search properties',
    async () => {
      crm('connected')();
      fireEvent.click(await screen.findByRole('button', { name: 'Deals' }));
    },
  ],
  ['2', 'Sign In', sheets('not_connected')],
  ...['Upload Sheets', 'Clear filters first', 'Refresh Sheets', 'Connected Sheets'].map(
    (text): Row => ['2', text, sheets('connected')],
  ),
  ...['Which tabs would you like to connect?', 'Cancel', 'Connect'].map(
    (text): Row => ['2', text, connectTabsPopup],
  ),
  [
    '8',
    'Failed to update CRM Properties. Reconnecting to the CRM.',
    async () => {
      refuse('post', '*/api/v3/hubspot/fields');
      crm('connected')();
      fireEvent.click(await screen.findByRole('button', { name: 'Deals' }));
      fireEvent.click(await screen.findByRole('checkbox', { name: 'colour' }));
      press('Update Selection (1)');
    },
  ],
  [
    '8',
    'Error Refreshing Sheets',
    async () => {
      refuse('post', '*/api/v3/google/manage-sheets');
      sheets('connected')();
      fireEvent.click(await screen.findByRole('button', { name: 'Refresh Sheets' }));
    },
  ],
  [
    '8',
    'Login credentials error, please sign in again',
    async () => {
      const error = { message: 'Sign in.', code: 'sign_in_again' };
      server.use(
        http.post('*/api/v3/google/manage-sheets', () => HttpResponse.json({ error }, { status: 409 })),
      );
      sheets('connected')();
      fireEvent.click(await screen.findByRole('button', { name: 'Refresh Sheets' }));
    },
  ],
  [
    '8',
    'Error disconnecting plan: Q1. Please try again.',
    async () => {
      refuse('delete', '*/api/v3/google/manage-sheets');
      sheets('connected')();
      fireEvent.click(await screen.findByRole('button', { name: 'Disconnect Q1' }));
      fireEvent.click(await screen.findByRole('button', { name: 'Disconnect' }));
    },
  ],
  [
    '8',
    'Error copying image to clipboard',
    () => {
      conversation([{ ...question, children: [{ ...answer, image_data: 'iVBORw0KGgo=' }] }]);
      vi.spyOn(navigator.clipboard, 'write').mockRejectedValue(new Error('refused'));
      press('Copy image');
    },
  ],
  [
    '5',
    'Please provide feedback before submitting.',
    () => {
      feedback('feedback')();
      fireEvent.change(screen.getByLabelText('Your feedback'), { target: { value: ' ' } });
      press('Submit');
    },
  ],
  [
    '5',
    '#000000',
    () => {
      formatting();
      const field = screen.getByLabelText('Primary color as hex');
      fireEvent.change(field, { target: { value: 'orange' } });
      fireEvent.blur(field);
    },
  ],
  [
    '8',
    "Sorry, I'm having trouble sending your request. Please try again.",
    failed("Sorry, I'm having trouble sending your request. Please try again."),
  ],
  [
    '8',
    "Sorry, I'm having trouble processing your request. Please try again.",
    failed("Sorry, I'm having trouble processing your request. Please try again."),
  ],
  [
    '8',
    'Error logging out. Please try again.',
    () => {
      refuse('delete', '*/_allauth/app/v1/auth/session');
      settings();
      press('Log Out');
    },
  ],
  [
    '8',
    'Error deleting deals.csv. Please try again.',
    () => {
      refuse('delete', '*/api/v3/files');
      manageData();
      press('Delete deals');
      press('Delete');
    },
  ],
  [
    '8',
    'Failed to update company information',
    () => {
      intake();
      return submitText('General context');
    },
  ],
  [
    '8',
    'Failed to update context for deals',
    () => {
      fileContext();
      return submitText('Context');
    },
  ],
  [
    '8',
    'Failed to load context for deals',
    () => {
      refuse('get', '*/api/v3/explanation');
      show(<FileContextPanel {...panel} fileName="deals.csv" />);
    },
  ],
  [
    '8',
    'Failed to update keywords',
    () => {
      refuse('post', '*/api/v3/preferences');
      keywords();
      press('Delete ARR');
      press('Submit');
    },
  ],
  [
    '8',
    'Feedback failed to send. Please try again later.',
    async () => {
      refuse('post', '*/api/v3/feedback');
      feedback('feedback')();
      const field = screen.getByLabelText('Your feedback');
      fireEvent.change(field, { target: { value: 'x' } });
      press('Submit');
      await waitFor(() => expect(useToast.getState().toast).not.toBeNull());
      fireEvent.change(field, { target: { value: '' } }); // what is unsent would stand there the next time
    },
  ],
  ['8', 'Word files do not support previews. Please download the file to view.', preview('plan.docx')],
  ['8', 'Preview not yet available for this file type: zip', preview('all.zip')],
  ['8', "Bob doesn't support this chart type for this data set. Please try another one.", chart('no chart')],
  [
    '8',
    'Message copied',
    () => {
      vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
      conversation([{ ...question, children: [answer] }]);
      press('Copy answer');
    },
  ],
  [
    '8',
    'Message echoed',
    () => {
      conversation([{ ...question, children: [answer] }]);
      fireEvent.click(screen.getByRole('button', { name: /into the input again/ }));
    },
  ],
];

/** Sentences made by rules, or kept beside their screen, which has its own tests of when it says them. */
export const MADE: readonly (readonly [section: Section, text: string, made: string | null])[] = [
  ['4', 'Starting Bob AI processing algorithm', status({ kind: 'sending', late: false })],
  [
    '4',
    'Searching relevant historical queries to improve speed and accuracy',
    status({ kind: 'sending', late: true }),
  ],
  [
    '4',
    'Searching relevant historical queries to improve speed and accuracy',
    status({ kind: 'working', sources: null, step: null }),
  ],
  [
    '4',
    'Analyzing: deals, owners',
    status({ kind: 'working', sources: ['hubspot_deals.csv', 'owners.csv'], step: null }),
  ],
  ['4', 'Starting Bob AI processing algorithm', status({ kind: 'working', sources: ['None'], step: null })],
  ['4', 'Loading messages for thread...', LOADING_THREAD],
  ['4', 'Messages loaded!', LOADED],
  ['8', 'Error loading messages. Please try again.', LOAD_FAILED],
  ['8', 'Error matching path.', PATH_FAILED],
  ['8', 'Failed to upload files: 3', uploadFailed(3)],
  ['4', 'Connecting tabs...', CONNECTING_TABS],
  ['4', 'Tabs connected, processing data', TABS_CONNECTED],
  ['4', 'Data processed successfully', PROCESSED],
  ['8', 'Failed to connect tabs. Please try again later.', CONNECT_FAILED],
  ['8', 'Error validating message. Please refresh and try again.', VALIDATION_FAILED],
  ['2', 'Logging in...', LOGGING_IN],
  ['2', 'Issues signing in. Please check your login credentials and try again.', SIGN_IN_FAILED],
  ['5', 'Incorrect Email Formatting. Please check your email and try again.', EMAIL_INCORRECT],
  ['5', 'Verification Failed. Please check your code and try again.', VERIFICATION_FAILED],
  ['5', 'Password Change Failed, Please make sure your passwords match and try again.', PASSWORD_FAILED],
  ['5', 'Please remove parentheses from: a (1).csv', uploadProblem('a (1).csv', [], 'Bob')],
  [
    '5',
    'A file with the name: a.xlsx already exists. Please delete it and try again.',
    uploadProblem('a.xlsx', ['A.csv'], 'Bob'),
  ],
  ['5', 'We apologize. Bob does not support this file type yet.', uploadProblem('a.pdf', [], 'Bob')],
  ['5', 'Please remove the prefix: hubspot_ from hubspot_a.csv', uploadProblem('hubspot_a.csv', [], 'Bob')],
  [
    '5',
    'Please remove the prefix: googlesheets_ from googlesheets_a.csv',
    uploadProblem('googlesheets_a.csv', [], 'Bob'),
  ],
  ...(
    [
      'Line Chart',
      'Scatter Chart',
      'Bar Chart',
      'Pie Chart',
      'Doughnut Chart',
      'Radar Chart',
      'Polar Area Chart',
    ] as const
  ).map((text, at) => ['3', text, Object.values(CHART_TYPE_NAMES)[at] ?? null] as const),
];

function status(state: object): string | null {
  return loadingText(
    { asked, shown: true, stopping: false, ...state } as unknown as RunState,
    'Bob',
    displayName,
  );
}
