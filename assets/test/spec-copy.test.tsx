/**
 * The texts that the specification quotes, one row each with its section, shown by the very parts that members meet.
 * A text that is shown nowhere yet stands under WAITING with what it waits for; nothing is left out in silence.
 */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { DEFAULT_PREFERENCES } from 'api/preferences';
import { sessionStart } from 'api/session';
import type { Me, Message, Source, ThreadSummary } from 'api/types';
import { ChartViewer } from 'features/chart-viewer/chart-viewer';
import { FileContextPanel } from 'features/company/file-context-panel';
import { FormattingPanel } from 'features/company/formatting-panel';
import { IntakePanel } from 'features/company/intake-panel';
import { KeywordsPanel } from 'features/company/keywords-panel';
import { Composer } from 'features/conversation/composer';
import { Conversation } from 'features/conversation/conversation';
import { LOAD_FAILED, LOADED, LOADING_THREAD, PATH_FAILED } from 'features/conversation/copy';
import { Greeting } from 'features/conversation/greeting';
import { IDLE, loadingText, type RunState } from 'features/conversation/run-machine';
import type { Run } from 'features/conversation/use-run';
import HelpPopup from 'features/help/help-popup';
import { HistoryPanel } from 'features/history/history-panel';
import { uploadFailed } from 'features/manage-data/api';
import { ManageDataPanel } from 'features/manage-data/manage-data-panel';
import ContextPopup from 'features/popups/context-popup';
import FeedbackPopup, { type FeedbackKind } from 'features/popups/feedback-popup';
import AnswerFilePopup from 'features/previews/answer-file-popup';
import { SettingsPanel } from 'features/settings/settings-panel';
import { SideMenu } from 'features/side-menu/side-menu';
import {
  EMAIL_INCORRECT,
  LOGGING_IN,
  PASSWORD_FAILED,
  SIGN_IN_FAILED,
  VERIFICATION_FAILED,
} from 'features/sign-in/copy';
import { SignInForm } from 'features/sign-in/sign-in-form';
import { CHART_TYPE_NAMES } from 'lib/chart-file';
import { displayName, uploadProblem } from 'lib/file-names';
import { HttpResponse, http } from 'msw';
import type { ReactElement } from 'react';
import { NotFoundScreen } from 'screens/not-found/not-found-screen';
import { companyEditsForget } from 'stores/company';
import { useToast } from 'stores/toast';
import { server } from 'test/server';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

const none = () => {};
const panel = { product: 'Bob', footer: null, onBack: none, onClose: none };
const me: Me = { username: 'demo', email: '', name: 'Mara', organization: 'Acme', role: 'admin' };

const source: Source = {
  file_name: 'deals.csv',
  display_name: 'deals',
  group: 'uploaded',
  state: 'ready',
  step: '',
  rows_so_far: null,
  rows: 12,
  columns: 3,
  size: 100,
  owner: null,
  uploaded_at: null,
  refreshed_at: null,
  replaced_at: null,
  error: null,
  report: [],
  mine: true,
};
const run: Run = {
  state: IDLE,
  free: true,
  ask: none,
  stop: none,
  again: none,
  receive: none,
  resume: none,
  settle: none,
};
const question: Message = {
  message_id: 'q',
  run_id: 'r',
  parent_message_id: null,
  role: 'user',
  content: 'How many?',
  type: 'text',
  message_type: null,
  model: null,
  created_at: 1_760_000_000,
  image_data: null,
  since_refreshed_files: null,
  metadata: {
    is_thumbs_up: null,
    is_selected_assistant: null,
    is_best_answer: null,
    consensus_group: null,
    reasoning_trace: null,
  },
  output_files: [],
  user_specified_files: [],
  answer: null,
  children: [],
};
const answer: Message = { ...question, message_id: 'a', role: 'assistant', content: 'Twelve.' };

function show(node: ReactElement) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(<QueryClientProvider client={client}>{node}</QueryClientProvider>);
}
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const refuse = (method: 'get' | 'post' | 'delete', path: string) =>
  server.use(http[method](path, () => HttpResponse.json({}, { status: 500 })));

const history = (threads: ThreadSummary[] | undefined) => () =>
  show(
    <HistoryPanel
      threads={threads}
      failed={false}
      current={null}
      searching={false}
      footer={null}
      onOpen={none}
      onHint={none}
      onRetry={none}
      onClose={none}
    />,
  );
const thread = (daysAgo: number | null): ThreadSummary => ({
  thread_id: String(daysAgo),
  summary: 'Won deals',
  updated_at: daysAgo === null ? null : Date.now() / 1000 - daysAgo * 86_400,
  archived: false,
});
const composer = (free: boolean) => () =>
  show(
    <Composer
      draftKey="new"
      product="Bob"
      free={free}
      stopping={false}
      lastQuestion={null}
      input={{ current: null }}
      onSend={none}
      onStop={none}
      onAttach={none}
      onFeedback={none}
    />,
  );
const conversation = (messages: Message[], name = 'Mara', state: RunState = IDLE) =>
  show(
    <Conversation
      threadId="t"
      messages={messages}
      refreshed={[]}
      run={{ ...run, state }}
      product="Bob"
      userName={name}
      renderAnswer={(message) => message.content}
      renderCheck={() => null}
      allModels={false}
      onFill={none}
      onRate={none}
      onAskAgain={none}
    />,
  );
const asked = { prompt: 'How many?', files: [], threadId: null, parentId: null, at: 0 };
const failed = (sentence: string) => () =>
  conversation([question], 'Mara', {
    kind: 'failed',
    asked,
    ids: null,
    sentence,
    detail: null,
  } as unknown as RunState);
const greeting = () => {
  server.use(http.get('*/api/v3/question-suggestions', () => HttpResponse.json([])));
  show(<Greeting name="Mara" disabled={false} hasData onPick={none} onAddData={none} />);
};
const menu = () =>
  show(
    <SideMenu
      product="Bob"
      userName="Mara"
      size="large"
      active={null}
      canStart
      onToggle={none}
      onNewChat={none}
      onPick={none}
      onHelp={none}
    />,
  );
const settings = () =>
  show(
    <SettingsPanel
      me={me}
      preferences={DEFAULT_PREFERENCES}
      sessions={null}
      footer={null}
      onIntake={none}
      onFormatting={none}
      onKeywords={none}
      onHelp={none}
      onFeedback={none}
      onClose={none}
    />,
  );
const manageData = () =>
  show(
    <ManageDataPanel
      sources={[source]}
      failed={false}
      product="Bob"
      footer={null}
      onPreview={none}
      onEditContext={none}
      onRequestSource={none}
      onRetry={none}
      onClose={none}
    />,
  );
const texts = (status = 200) => {
  server.use(
    http.get('*/api/v3/explanation', ({ request }) =>
      HttpResponse.json({ [new URL(request.url).searchParams.get('files') ?? '']: '' }),
    ),
    http.post('*/api/v3/explanation', () => HttpResponse.json({}, { status })),
  );
};
const intake = () => {
  texts(500);
  show(<IntakePanel {...panel} />);
};
const fileContext = () => {
  texts(500);
  show(<FileContextPanel {...panel} fileName="deals.csv" />);
};
const loaded = { failed: false, onRetry: none };
const keywords = () => show(<KeywordsPanel {...panel} {...loaded} keywords={{ ARR: 'yearly value' }} />);
const formatting = () => show(<FormattingPanel {...panel} {...loaded} preferences={DEFAULT_PREFERENCES} />);
const feedback = (kind: FeedbackKind) => () =>
  show(<FeedbackPopup kind={kind} product="Bob" sources={[source]} chatHistory="" onClose={none} />);
const files = () =>
  show(
    <ContextPopup
      product="Bob"
      sources={[source]}
      chosen={[]}
      onConfirm={none}
      onAddData={none}
      onClose={none}
    />,
  );
const preview = (filename: string) => () =>
  show(
    <AnswerFilePopup file={{ filename, mime_type: '', encoding: 'plain', content: 'a\n1' }} onClose={none} />,
  );
const help = () => show(<HelpPopup product="Bob" onTry={none} onClose={none} />);
const signIn = () => show(<SignInForm onSignedIn={none} onNewPasswordRequired={none} />);
const submitText = async (label: string) => {
  fireEvent.change(await screen.findByLabelText(label), { target: { value: 'New' } });
  press('Submit');
};

type Section = '2' | '3' | '4' | '5' | '8';
type Row = readonly [section: Section, text: string, shown: () => unknown];

/** What stands on the screen: as text, as a name of a control, as a placeholder, or in the toast. */
const ROWS: readonly Row[] = [
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
  ...['Upload New File', 'Uploaded Data', 'Request Source'].map((text): Row => ['2', text, manageData]),
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
  [
    '8',
    "Bob doesn't support this chart type for this data set. Please try another one.",
    () =>
      show(
        <ChartViewer
          file={{ filename: 'a.json', content: 'no chart' }}
          product="Bob"
          preferences={DEFAULT_PREFERENCES}
        />,
      ),
  ],
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
const MADE: readonly (readonly [section: Section, text: string, made: string | null])[] = [
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

/** Quoted texts whose screens are still to come, with what they wait for. */
const WAITING: Readonly<Record<string, readonly string[]>> = {
  'connections to the CRM and to the spreadsheet service': [
    'Click to Connect',
    'Connecting...',
    'Connected',
    'Refresh Data',
    'Update Selection',
    'Sign In',
    'Upload Sheets',
    'Clear filters first',
    'Refresh Sheets',
    'Connected Sheets',
    'Which tabs would you like to connect?',
    'Connecting tabs...',
    'Tabs connected, processing data',
    'Data processed successfully',
    'Failed to connect tabs. Please try again later.',
    'Failed to update CRM Properties. Reconnecting to the CRM.',
    'Error Refreshing Sheets',
    'Login credentials error, please sign in again',
    'Error disconnecting {file}: {tab}. Please try again.',
  ],
  'the check by several approaches': [
    'Validate',
    'Validating...',
    'Selected Approach',
    'Approach 2',
    'Select',
    'Error validating message. Please refresh and try again.',
  ],
  'messages that are images': ['Error copying image to clipboard'],
};

/** Everything that a person or a screen reader is told at this moment. */
function told(): string[] {
  const elements = [...document.body.querySelectorAll<HTMLElement>('*')];
  return [
    useToast.getState().toast?.content ?? '',
    ...elements.flatMap((element) => [
      element.textContent ?? '',
      element.getAttribute('aria-label') ?? '',
      element.getAttribute('placeholder') ?? '',
      element instanceof HTMLInputElement ? element.value : '',
    ]),
  ].map((text) => text.trim());
}

// The drawing library is large: a busy machine may need more than a test's second to read it.
beforeAll(() => import('features/chart-viewer/chart-card'), 60_000);

describe('the specification quotes, and the product says', () => {
  beforeEach(() => {
    sessionStart('t', false);
    companyEditsForget();
    useToast.setState({ toast: null });
  });

  test.each(ROWS)('§%s %s', async (_section, text, shown) => {
    await shown();
    await waitFor(() => expect(told()).toContain(text));
  });

  test.each(MADE)('§%s %s, by its rule', (_section, text, made) => {
    expect(made).toBe(text);
  });

  test('no text both waits and is shown', () => {
    const said = new Set([...ROWS, ...MADE].map(([, text]) => text));
    expect(
      Object.values(WAITING)
        .flat()
        .filter((text) => said.has(text)),
    ).toEqual([]);
  });
});
