/** The places of the specification's checklist, as members meet them where all goes well. */
import { act, fireEvent, screen } from '@testing-library/react';
import { sessionEnd } from 'api/session';
import { ToastBar } from 'design/components/toast';
import type { RunState } from 'features/conversation/run-machine';
import { ChangePasswordForm } from 'features/sign-in/change-password-form';
import { CreatePasswordForm } from 'features/sign-in/create-password-form';
import { ForgotPasswordForm } from 'features/sign-in/forgot-password-form';
import { Trending } from 'features/trending/trending';
import { HttpResponse, http } from 'msw';
import { ChatScreen } from 'screens/chat/chat-screen';
import Panels from 'screens/chat/panels';
import { NotFoundScreen } from 'screens/not-found/not-found-screen';
import { PrivacyScreen } from 'screens/privacy/privacy-screen';
import { readsAheadSet } from 'stores/reads-ahead';
import { toastShow } from 'stores/toast';
import { server } from 'test/server';
import { vi } from 'vitest';
import type { Place, Stage } from './spec-list';
import * as stage from './spec-stage';
import { TROUBLES, type Trouble } from './spec-troubles';
import * as wholes from './spec-wholes';

const { answer, question, show, none } = stage;

/** A question in this state of its run, seen from the conversation. */
const run =
  (state: object): Stage =>
  () =>
    stage.conversation([question], 'Mara', {
      asked: stage.asked,
      shown: true,
      late: false,
      stopping: false,
      steps: [],
      ids: null,
      step: null,
      sources: null,
      ...state,
    } as unknown as RunState);

const answered =
  (more: object = {}): Stage =>
  () =>
    stage.conversation([{ ...question, children: [{ ...answer, ...more }] }]);

/** One stage, and then a press of a button. */
const pressed =
  (put: () => unknown, button: string, role = 'button'): Stage =>
  async () => {
    await put();
    fireEvent.click(await screen.findByRole(role, { name: button }));
  };

/** Settings that can be saved. */
const saving: Stage = () => {
  server.use(http.post('*/api/v3/preferences', () => HttpResponse.json({})));
  stage.settings();
};

const WELL: Readonly<Record<Exclude<Place, Trouble>, Stage>> = {
  'sign-in': stage.signIn,
  'password shown': pressed(stage.signIn, 'Show password'),
  'sign-in under way': () => {
    server.use(http.post('*/auth/login', () => new Promise<never>(none)));
    stage.signIn();
    stage.fillSignIn();
  },
  'forgotten password': () => show(<ForgotPasswordForm onSent={none} />),
  'code of the e-mail': stage.verify,
  'new password': () => show(<ChangePasswordForm proof={stage.proof} onChanged={none} />),
  'first password': () => show(<CreatePasswordForm invitation="key" onCreated={none} />),
  privacy: () => show(<PrivacyScreen />),
  nowhere: () => show(<NotFoundScreen />),
  'chat, signed out': () => {
    sessionEnd();
    show(<ChatScreen />);
  },

  greeting: () => stage.greeting(),
  'question and answer': answered(),
  'refreshed data': answered({ since_refreshed_files: [{ file_name: 'deals.csv', time_of_update: 1 }] }),
  composer: stage.composer(true),
  'composer at work': stage.composer(false),
  sending: run({ kind: 'sending' }),
  'sending for 5 s': run({ kind: 'sending', late: true }),
  'work without sources': run({ kind: 'working' }),
  'work on sources': run({ kind: 'working', sources: ['hubspot_deals.csv', 'owners.csv'] }),
  'work on None': run({ kind: 'working', sources: ['None'] }),
  'question taken back': () =>
    stage.conversation([], 'Mara', {
      kind: 'stopped',
      asked: stage.asked,
      ids: null,
      messages: null,
      canceled: true,
    }),
  'work on a step': run({ kind: 'working', step: 'Counting deals' }),
  'thread on its way': wholes.chat('/chat/c/t1', () => new Promise<never>(none)),
  thread: wholes.chat('/chat/c/t1', () => HttpResponse.json(wholes.loadedThread)),
  'message copied': pressed(() => {
    vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    return answered()();
  }, 'Copy answer'),
  'message echoed': pressed(answered(), 'Put question into the input again'),

  'answer to check': wholes.validateButton(false),
  'check under way': wholes.validateButton(true),
  'checked and confirmed': wholes.validateButton(false, 'AA'),
  'checked, with an info icon': wholes.validateButton(false, 'AAB'),
  check: wholes.validation('ABC'),
  'another approach': () => {
    wholes.validation('AB')();
    fireEvent.click(screen.getByRole('tab', { name: /Approach 2/ }));
  },
  'check that agrees': wholes.validation('AAA'),
  'mixed check': wholes.validation('AAB'),
  'check that disagrees': wholes.validation('ABB'),

  chart: wholes.chart(wholes.ONE_CHART),
  'colours of a chart': pressed(wholes.chart(wholes.ONE_CHART), 'Colors'),
  'chart types': pressed(wholes.chart(wholes.ONE_CHART), 'Chart type'),

  menu: stage.menu('large'),
  'small menu': stage.menu('small'),
  topic: () => {
    show(<Trending disabled={false} onPick={none} />);
    const [first] = screen.getAllByRole('button');
    if (first) fireEvent.click(first);
  },
  settings: () => stage.settings(),
  'dark settings': pressed(saving, 'Dark theme', 'switch'),
  'settings with sounds': pressed(
    () => {
      readsAheadSet(false); // what else can be on says nothing of the sounds
      saving();
    },
    'Audio',
    'switch',
  ),
  "panel's foot": () => {
    wholes.quietServer();
    show(
      <Panels
        detail="history"
        me={stage.me}
        threadId={null}
        searching={false}
        onOpenThread={none}
        onNewChat={none}
      />,
    );
  },
  'manage data': () => stage.manageData(),
  CRM: wholes.crm('not_connected'),
  'CRM being connected': pressed(wholes.crm('not_connected'), 'Click to Connect'),
  'connected CRM': wholes.crm('connected'),
  'category of the CRM': pressed(wholes.crm('connected'), 'Deals'),
  sheets: wholes.sheets('not_connected'),
  'connected sheets': wholes.sheets('connected'),
  'file context': stage.fileContext,
  history: stage.history([0, 1, 4, 20, 400, null].map(stage.thread)),
  'history on its way': stage.history(undefined),
  'no history': stage.history([]),
  'company intake': stage.intake,
  'chart formatting': stage.formatting,
  'colour that is none': () => {
    stage.formatting();
    const field = screen.getByLabelText('Primary color as hex');
    fireEvent.change(field, { target: { value: 'orange' } });
    fireEvent.blur(field);
  },
  keywords: stage.keywords,
  'opened keyword': pressed(stage.keywords, 'Expand ARR'),

  'request for a source': stage.feedback('request-source'),
  help: stage.help,
  'choice of files': stage.files,
  'choice of tabs': wholes.connectTabsPopup,
  feedback: stage.feedback('feedback'),
  'thumb up': stage.feedback('thumbs-up'),
  'thumb down': stage.feedback('thumbs-down'),
  preview: stage.preview('deals.csv'),
  'preview of a document': stage.preview('plan.docx'),
  'preview of another file': stage.preview('all.zip'),
  toast: () => {
    show(<ToastBar />);
    act(() => toastShow('complete', 'Done'));
  },
  'tabs being connected': wholes.connecting(true),
};

/** Each place of the list with what puts it on the screen. */
export const PLACES: Readonly<Record<Place, Stage>> = { ...WELL, ...TROUBLES };
