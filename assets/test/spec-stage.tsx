/** The parts that members meet, each put on the screen by one word: what the specification's checklist looks at. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen } from '@testing-library/react';
import { DEFAULT_PREFERENCES } from 'api/preferences';
import type { Me, Message, Source, ThreadSummary } from 'api/types';
import { ChartViewer } from 'features/chart-viewer/chart-viewer';
import { FileContextPanel } from 'features/company/file-context-panel';
import { FormattingPanel } from 'features/company/formatting-panel';
import { IntakePanel } from 'features/company/intake-panel';
import { KeywordsPanel } from 'features/company/keywords-panel';
import { Composer } from 'features/conversation/composer';
import { Conversation } from 'features/conversation/conversation';
import { Greeting } from 'features/conversation/greeting';
import { IDLE, type RunState } from 'features/conversation/run-machine';
import type { Run } from 'features/conversation/use-run';
import HelpPopup from 'features/help/help-popup';
import { HistoryPanel } from 'features/history/history-panel';
import { ManageDataPanel } from 'features/manage-data/manage-data-panel';
import { connectTabs } from 'features/manage-data/sheets-connect';
import ConnectTabsPopup from 'features/popups/connect-tabs-popup';
import ContextPopup from 'features/popups/context-popup';
import FeedbackPopup, { type FeedbackKind } from 'features/popups/feedback-popup';
import AnswerFilePopup from 'features/previews/answer-file-popup';
import { SettingsPanel } from 'features/settings/settings-panel';
import { SideMenu } from 'features/side-menu/side-menu';
import type { Proof } from 'features/sign-in/change-password-form';
import { SignInForm } from 'features/sign-in/sign-in-form';
import { VerifyForm } from 'features/sign-in/verify-form';
import { ValidateButton } from 'features/validation/validate-button';
import ValidationPanel from 'features/validation/validation-panel';
import { HttpResponse, http } from 'msw';
import type { ReactElement } from 'react';
import { ChatScreen } from 'screens/chat/chat-screen';
import { type DataSection, dataSectionShow } from 'stores/data-section';
import { validationGoing } from 'stores/validations';
import { server } from 'test/server';

export const none = () => {};
export const panel = { product: 'Bob', footer: null, onBack: none, onClose: none };
export const me: Me = { username: 'demo', email: '', name: 'Mara', organization: 'Acme', role: 'admin' };

export const source: Source = {
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
export const run: Run = {
  state: IDLE,
  free: true,
  ask: none,
  stop: none,
  again: none,
  receive: none,
  resume: none,
  settle: none,
};
export const question: Message = {
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
export const answer: Message = { ...question, message_id: 'a', role: 'assistant', content: 'Twelve.' };

export function show(node: ReactElement) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(<QueryClientProvider client={client}>{node}</QueryClientProvider>);
}
export const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
export const refuse = (method: 'get' | 'post' | 'delete', path: string) =>
  server.use(http[method](path, () => HttpResponse.json({}, { status: 500 })));

export const history = (threads: ThreadSummary[] | undefined) => () =>
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
export const thread = (daysAgo: number | null): ThreadSummary => ({
  thread_id: String(daysAgo),
  summary: 'Won deals',
  updated_at: daysAgo === null ? null : Date.now() / 1000 - daysAgo * 86_400,
  archived: false,
});
export const composer = (free: boolean) => () =>
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
export const conversation = (messages: Message[], name = 'Mara', state: RunState = IDLE) =>
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
      renderText={(text) => text}
      allModels={false}
      onFill={none}
      onRate={none}
      onAskAgain={none}
    />,
  );
export const asked = { prompt: 'How many?', files: [], threadId: null, parentId: null, at: 0 };
export const failed = (sentence: string) => () =>
  conversation([question], 'Mara', {
    kind: 'failed',
    asked,
    ids: null,
    sentence,
    detail: null,
  } as unknown as RunState);
export const greeting = () => {
  server.use(http.get('*/api/v3/question-suggestions', () => HttpResponse.json([])));
  show(<Greeting name="Mara" disabled={false} hasData onPick={none} onAddData={none} />);
};
export const menu = () =>
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
export const settings = () =>
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
/** Manage Data with one of its three sections open. */
export const manageData = (section: DataSection = 'uploaded', sources = [source]) => {
  dataSectionShow(section);
  show(
    <ManageDataPanel
      sources={sources}
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
};
export const texts = (status = 200) => {
  server.use(
    http.get('*/api/v3/explanation', ({ request }) =>
      HttpResponse.json({ [new URL(request.url).searchParams.get('files') ?? '']: '' }),
    ),
    http.post('*/api/v3/explanation', () => HttpResponse.json({}, { status })),
  );
};
export const intake = () => {
  texts(500);
  show(<IntakePanel {...panel} />);
};
export const fileContext = () => {
  texts(500);
  show(<FileContextPanel {...panel} fileName="deals.csv" />);
};
export const loaded = { failed: false, onRetry: none };
export const keywords = () =>
  show(<KeywordsPanel {...panel} {...loaded} keywords={{ ARR: 'yearly value' }} />);
export const formatting = () =>
  show(<FormattingPanel {...panel} {...loaded} preferences={DEFAULT_PREFERENCES} />);
export const feedback = (kind: FeedbackKind) => () =>
  show(<FeedbackPopup kind={kind} product="Bob" sources={[source]} chatHistory="" onClose={none} />);
export const files = () =>
  show(
    <ContextPopup
      product="Bob"
      sources={[source, sheet, { ...source, file_name: 'hubspot_deals.csv', group: 'crm' }]}
      chosen={[]}
      onConfirm={none}
      onAddData={none}
      onClose={none}
    />,
  );
export const preview = (filename: string) => () =>
  show(
    <AnswerFilePopup file={{ filename, mime_type: '', encoding: 'plain', content: 'a\n1' }} onClose={none} />,
  );
export const help = () => show(<HelpPopup product="Bob" onTry={none} onClose={none} />);
export const signIn = () => show(<SignInForm onSignedIn={none} onNewPasswordRequired={none} />);
export const fillSignIn = () => {
  fireEvent.change(screen.getByLabelText('Username'), { target: { value: 'demo' } });
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'secret' } });
  press('Login');
};
const reset = { username: 'ana@example.com', token: 'reset' };
export const verify = () => show(<VerifyForm pending={reset} onVerified={none} />);
export const proof: Proof = { kind: 'code', pending: { ...reset, code: 'AAAA-BBBB' } };
export const submitText = async (label: string) => {
  fireEvent.change(await screen.findByLabelText(label), { target: { value: 'New' } });
  press('Submit');
};

// ------------------------------------------------------------------------------------- outside services, as they stand
const hubspot = (state: string) => ({
  state,
  reason: null,
  state_at: null,
  account_name: 'Acme',
  refreshed_at: null,
  configured: true,
  may_manage: true,
  progress: null,
  every_hours: 24,
  problems: {},
});

/** The CRM's section; its fields are deals with an amount. */
export const crm = (state: 'not_connected' | 'connected') => () => {
  server.use(
    http.get('*/api/v3/hubspot/status', () => HttpResponse.json(hubspot(state))),
    http.get('*/api/v3/hubspot/fields', () => HttpResponse.json({ deals: { amount: true, colour: false } })),
    http.post('*/api/v3/connections', () => new Promise<never>(() => {})),
  );
  manageData('crm');
};

const tab = {
  file_name: 'googlesheets_plan__tab__Q1.csv',
  file_id: 'f',
  file_title: 'plan',
  tab_title: 'Q1',
  state: 'ready',
  reason: null,
  read_at: null,
  owner: 'Mara',
  mine: true,
  may_disconnect: true,
};
const sheet: Source = {
  ...source,
  file_name: tab.file_name,
  display_name: 'plan - Q1',
  group: 'spreadsheet',
};

/** The section of Google Sheets with one connected tab. */
export const sheets = (state: 'not_connected' | 'connected') => () => {
  server.use(
    http.get('*/api/v3/connections', () =>
      HttpResponse.json([{ ...hubspot(state), service: 'google', name: 'Google Sheets' }]),
    ),
    http.get('*/api/v3/google/manage-sheets', () => HttpResponse.json({ sheets: [tab] })),
  );
  manageData('sheets', [sheet]);
};

export const connectTabsPopup = () =>
  show(<ConnectTabsPopup title="plan" tabs={['Q1', 'Q2']} onConnect={none} onClose={none} />);

/** The way of chosen tabs to their rows, or to a service that refuses them. */
export const connecting = (taken: boolean) => () => {
  server.use(
    http.put('*/api/v3/google/manage-sheets', () =>
      taken ? HttpResponse.json({ sheets: [tab] }) : HttpResponse.json({}, { status: 502 }),
    ),
    http.get('*/api/v3/google/manage-sheets', () => HttpResponse.json({ sheets: [tab] })),
    http.get('*/api/v3/files', () => HttpResponse.json({ content: [], sources: [sheet] })),
  );
  const file = { id: 'f', title: 'plan', modifiedMs: 1, tabs: ['Q1'] };
  return connectTabs(new QueryClient(), file, ['Q1']);
};

// --------------------------------------------------------------------------------------------------- the chat as a whole
/** A server that knows the member and has nothing else. */
export const quietServer = () =>
  server.use(
    http.get('*/api/v3/me', () => HttpResponse.json(me)),
    http.get('*/api/v3/preferences', () => HttpResponse.json({ explanation: '', user_preferences: '{}' })),
    http.get('*/api/v3/models', () => HttpResponse.json([])),
    http.get('*/api/v3/files', () => HttpResponse.json({ content: [], sources: [] })),
    http.get('*/api/v3/question-suggestions', () => HttpResponse.json([])),
    http.post('*/api/v3/socket-ticket', () => HttpResponse.json({}, { status: 503 })),
    http.post('*/api/v3/ask', () => HttpResponse.json([])),
  );

export const loadedThread = {
  thread_id: 't1',
  status: 'completed',
  messages: [
    {
      ...question,
      children: [{ ...answer, metadata: { ...answer.metadata, is_selected_assistant: true } }],
    },
  ],
  since_refreshed_files: [],
  run: null,
};

/** The whole chat at an address; `reply` answers what is asked about threads. */
export const chat =
  (path: string, reply: (body: Record<string, unknown>) => Response | Promise<Response>) => () => {
    quietServer();
    server.use(
      http.post('*/api/v3/ask', async ({ request }) => {
        const body = (await request.json()) as Record<string, unknown>;
        return body.give ? HttpResponse.json([]) : reply(body);
      }),
    );
    window.history.replaceState(null, '', path);
    show(<ChatScreen />);
  };

export const chart = (content: string) => () =>
  show(
    <ChartViewer file={{ filename: 'a.json', content }} product="Bob" preferences={DEFAULT_PREFERENCES} />,
  );

// ------------------------------------------------------------------------------------------------- the check of answers
/** Answers in these groups; the first is selected, the second the best. */
const checked = (groups: string): Message[] =>
  [...groups].map((group, at) => ({
    ...answer,
    message_id: `a${at}`,
    metadata: {
      ...answer.metadata,
      is_selected_assistant: at === 0,
      is_best_answer: at === 1,
      consensus_group: group,
      reasoning_trace: 'Counted.',
    },
  }));

export const validateButton = (going: boolean) => () => {
  if (going) validationGoing('q', '');
  show(<ValidateButton questionId="q" answers={[answer]} onValidate={none} />);
};

export const validation = (groups: string) => () =>
  show(
    <ValidationPanel
      questionId="q"
      answers={checked(groups)}
      renderAnswer={(one) => one.content}
      renderTrace={(trace) => trace}
      onSelect={none}
    />,
  );
