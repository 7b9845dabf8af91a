/** The places of the specification's checklist where something goes wrong (SPEC 5, 8). */
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { FileContextPanel } from 'features/company/file-context-panel';
import { ChangePasswordForm } from 'features/sign-in/change-password-form';
import { ForgotPasswordForm } from 'features/sign-in/forgot-password-form';
import { HttpResponse, http } from 'msw';
import { useToast } from 'stores/toast';
import { server } from 'test/server';
import { expect } from 'vitest';
import { ended, letDown, refused } from './spec-clock';
import type { Stage } from './spec-list';
import * as stage from './spec-stage';
import * as wholes from './spec-wholes';

const { press, refuse, show, none } = stage;
const click = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }));

/** Manage Data, and a file of this name chosen there. */
const upload =
  (name: string): Stage =>
  () => {
    stage.manageData();
    fireEvent.change(screen.getByTestId('upload'), { target: { files: [new File(['a\n1'], name)] } });
  };

/** What was typed into a feedback and could not be sent is taken away: it would stand there the next time. */
const unsend = async (field: HTMLElement) => {
  await waitFor(() => expect(useToast.getState().toast).not.toBeNull());
  fireEvent.change(field, { target: { value: '' } });
};

const emptyFeedback =
  (kind: 'feedback' | 'request-source'): Stage =>
  () => {
    stage.feedback(kind)();
    fireEvent.change(screen.getByRole('textbox'), { target: { value: ' ' } });
    press('Submit');
  };

export const TROUBLES = {
  'sign-in refused': () => {
    refuse('post', '*/auth/login');
    stage.signIn();
    stage.fillSignIn();
  },
  'wrong e-mail': () => {
    show(<ForgotPasswordForm onSent={none} />);
    fireEvent.change(screen.getByLabelText('Email'), { target: { value: 'ana@' } });
    press('Submit');
  },
  'no code': () => {
    stage.verify();
    press('Submit');
  },
  'passwords that differ': () => {
    show(<ChangePasswordForm proof={stage.proof} onChanged={none} />);
    fireEvent.change(screen.getByLabelText('New password'), { target: { value: 'My-own-word-7' } });
    press('Submit');
  },
  'question that is not taken': letDown({ send: refused }),
  'answer that is not made': letDown({ poll: ended }),
  'thread that is gone': wholes.chat('/chat/c/gone', () => HttpResponse.json({}, { status: 404 })),
  'wrong path': wholes.chat('/chat/elsewhere', () => HttpResponse.json({})),
  'check that fails': async () => {
    wholes.chat('/chat/c/t1', (body) =>
      body.should_validate ? HttpResponse.json({}, { status: 500 }) : HttpResponse.json(wholes.loadedThread),
    )();
    await click('Validate');
  },
  'image that cannot be copied': async () => {
    wholes.chart(wholes.ONE_CHART)();
    await click('Copy image'); // no browser, so there is no picture of the drawing
  },
  'no chart': wholes.chart('no chart'),
  'sign-out refused': () => {
    refuse('delete', '*/_allauth/app/v1/auth/session');
    stage.settings();
    press('Log Out');
  },
  'upload with parentheses': upload('a (1).csv'),
  'upload of a known name': upload('deals.xlsx'),
  'upload of a document': upload('a.pdf'),
  "upload with the CRM's prefix": upload('hubspot_a.csv'),
  "upload with the sheets' prefix": upload('googlesheets_a.csv'),
  'upload refused': () => {
    refuse('post', '*/api/v3/files');
    refuse('get', '*/api/v3/files');
    return upload('plan.csv')();
  },
  'file that stays': () => {
    refuse('delete', '*/api/v3/files');
    stage.manageData();
    press('Delete deals');
    press('Delete');
  },
  'CRM that takes no choice': async () => {
    refuse('post', '*/api/v3/hubspot/fields');
    wholes.crm('connected')();
    await click('Deals');
    fireEvent.click(await screen.findByRole('checkbox', { name: 'colour' }));
    press('Update Selection (1)');
  },
  'sheets that cannot be read': async () => {
    refuse('post', '*/api/v3/google/manage-sheets');
    wholes.sheets('connected')();
    await click('Refresh Sheets');
  },
  'sheets without a sign-in': async () => {
    const error = { message: 'Sign in.', code: 'sign_in_again' };
    server.use(
      http.post('*/api/v3/google/manage-sheets', () => HttpResponse.json({ error }, { status: 409 })),
    );
    wholes.sheets('connected')();
    await click('Refresh Sheets');
  },
  'tab that stays': async () => {
    refuse('delete', '*/api/v3/google/manage-sheets');
    wholes.sheets('connected')();
    await click('Disconnect Q1');
    await click('Disconnect');
  },
  'tabs that cannot be connected': wholes.connecting(false),
  'intake refused': () => {
    stage.intake();
    return stage.submitText('General context');
  },
  'file context refused': () => {
    stage.fileContext();
    return stage.submitText('Context');
  },
  'file context that cannot be had': () => {
    refuse('get', '*/api/v3/explanation');
    show(<FileContextPanel {...stage.panel} fileName="deals.csv" />);
  },
  'keywords refused': () => {
    refuse('post', '*/api/v3/preferences');
    stage.keywords();
    press('Delete ARR');
    press('Submit');
  },
  'empty feedback': emptyFeedback('feedback'),
  'empty request for a source': emptyFeedback('request-source'),
  'feedback refused': async () => {
    refuse('post', '*/api/v3/feedback');
    stage.feedback('feedback')();
    const field = screen.getByLabelText('Your feedback');
    fireEvent.change(field, { target: { value: 'x' } });
    press('Submit');
    await unsend(field);
  },
} as const satisfies Readonly<Record<string, Stage>>;

export type Trouble = keyof typeof TROUBLES;
