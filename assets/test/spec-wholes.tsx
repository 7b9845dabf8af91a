/** More places for the checklist: connected services, the chat as a whole, charts and the check of answers. */
import { QueryClient } from '@tanstack/react-query';
import { DEFAULT_PREFERENCES } from 'api/preferences';
import type { Message } from 'api/types';
import { ChartViewer } from 'features/chart-viewer/chart-viewer';
import { connectTabs } from 'features/manage-data/sheets-connect';
import ConnectTabsPopup from 'features/popups/connect-tabs-popup';
import { ValidateButton } from 'features/validation/validate-button';
import ValidationPanel from 'features/validation/validation-panel';
import { HttpResponse, http } from 'msw';
import { ChatScreen } from 'screens/chat/chat-screen';
import { validationGoing } from 'stores/validations';
import { server } from 'test/server';
import { answer, manageData, me, none, question, sheet, show } from './spec-stage';

// ------------------------------------------------------------------------------------- outside services, as they stand
export const hubspot = (state: string) => ({
  state,
  reason: null,
  state_at: null,
  account_name: 'Acme',
  refreshed_at: null,
  configured: true,
  may_manage: true,
  progress: null,
  every_hours: 24,
  unread: 0,
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
  file_name: sheet.file_name,
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

export const ONE_CHART = '{"labels":["a","b"],"datasets":[{"label":"Won","data":[1,2]}]}';

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

export const validateButton = (going: boolean, groups?: string) => () => {
  if (going) validationGoing('q', '');
  show(<ValidateButton questionId="q" answers={groups ? checked(groups) : [answer]} onValidate={none} />);
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
