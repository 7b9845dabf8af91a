/** The parts that members meet, each put on the screen by one word: what the specification's checklist looks at. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen } from '@testing-library/react';
import { DEFAULT_PREFERENCES } from 'api/preferences';
import type { Me, Message, Source, ThreadSummary } from 'api/types';
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
import ContextPopup from 'features/popups/context-popup';
import FeedbackPopup from 'features/popups/feedback-popup';
import AnswerFilePopup from 'features/previews/answer-file-popup';
import { SettingsPanel } from 'features/settings/settings-panel';
import { SideMenu } from 'features/side-menu/side-menu';
import type { Proof } from 'features/sign-in/change-password-form';
import { SignInForm } from 'features/sign-in/sign-in-form';
import { VerifyForm } from 'features/sign-in/verify-form';
import { HttpResponse, http } from 'msw';
import type { ReactElement } from 'react';
import { type DataSection, dataSectionShow } from 'stores/data-section';
import type { FeedbackKind } from 'stores/unsent-feedback';
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
  retryable: false,
  example: false,
  report: [],
  mine: true,
};
/** A tab of a spreadsheet as a source. */
export const sheet: Source = {
  ...source,
  file_name: 'googlesheets_plan__tab__Q1.csv',
  display_name: 'plan - Q1',
  group: 'spreadsheet',
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

const freshClient = () => new QueryClient({ defaultOptions: { queries: { retry: false } } });
export function show(node: ReactElement, client = freshClient()) {
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
      actions={{ rename: none, archive: none, unarchive: none, remove: none }}
      footer={null}
      onOpen={none}
      onHint={none}
      onRetry={none}
      onStart={none}
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
export const conversationOf = (messages: Message[], run: Run, name = 'Mara') => (
  <Conversation
    threadId="t"
    messages={messages}
    refreshed={[]}
    run={run}
    product="Bob"
    userName={name}
    renderAnswer={(message) => message.content}
    renderCheck={() => null}
    renderText={(text) => text}
    allModels={false}
    onFill={none}
    onRate={none}
    onVersion={none}
    onAskAgain={none}
  />
);
export const conversation = (messages: Message[], name?: string, state: RunState = IDLE) =>
  show(conversationOf(messages, { ...run, state }, name));
export const asked = { prompt: 'How many?', files: [], threadId: null, parentId: null, at: 0 };
/** The greeting with what the server suggests. */
export const greeting = (suggestions = () => HttpResponse.json<object>([])) => {
  server.use(http.get('*/api/v3/question-suggestions', suggestions));
  show(<Greeting name="Mara" disabled={false} hasData onPick={none} onUpload={none} />);
};
export const menu = (size: 'large' | 'small') => () =>
  show(
    <SideMenu
      product="Bob"
      userName="Mara"
      size={size}
      active={null}
      canStart
      onToggle={none}
      onNewChat={none}
      onPick={none}
      onHelp={none}
    />,
  );
export const settings = (member = me) =>
  show(
    <SettingsPanel
      me={member}
      preferences={DEFAULT_PREFERENCES}
      sessions={null}
      footer={null}
      onIntake={none}
      onFormatting={none}
      onKeywords={none}
      onMembers={none}
      onUsage={none}
      onAudit={none}
      onHelp={none}
      onFeedback={none}
      onClose={none}
    />,
  );
/** Manage Data with one of its three sections open. */
export const manageData = (section: DataSection = 'uploaded', sources = [source], client = freshClient()) => {
  dataSectionShow(section);
  show(
    <ManageDataPanel
      sources={sources}
      failed={false}
      product="Bob"
      largest={209_715_200}
      footer={null}
      onPreview={none}
      onEditContext={none}
      onRequestSource={none}
      onRetry={none}
      onClose={none}
    />,
    client,
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
export const intakePanel = () => show(<IntakePanel {...panel} />);
export const intake = () => {
  texts(500);
  intakePanel();
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
      onUpload={none}
      onClose={none}
    />,
  );
export const preview =
  (filename: string, content = 'a\n1') =>
  () =>
    show(<AnswerFilePopup file={{ filename, mime_type: '', encoding: 'plain', content }} onClose={none} />);
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
