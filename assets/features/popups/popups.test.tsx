import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { sessionStart } from 'api/session';
import type { Source } from 'api/types';
import { HttpResponse, http } from 'msw';
import type { ReactNode } from 'react';
import { useToast } from 'stores/toast';
import type { FeedbackKind } from 'stores/unsent-feedback';
import { server } from 'test/server';
import { describe, expect, test, vi } from 'vitest';
import { feedbackForm } from './api';
import ContextPopup from './context-popup';
import { EMPTY_FEEDBACK, FEEDBACK_FAILED } from './copy';
import FeedbackPopup from './feedback-popup';

const source = (file_name: string, state: Source['state'] = 'ready'): Source => ({
  file_name,
  display_name: file_name.replace('.csv', ''),
  group: 'uploaded',
  state,
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
});

const wrap = (node: ReactNode) =>
  render(<QueryClientProvider client={new QueryClient()}>{node}</QueryClientProvider>);
const said = () => useToast.getState().toast?.content;

function showFeedback(kind: FeedbackKind, onClose = vi.fn()) {
  wrap(
    <FeedbackPopup
      kind={kind}
      product="Bob"
      sources={[source('deals.csv')]}
      chatHistory="user: hi"
      about={kind === 'thumbs-down' ? { threadId: 't-1', messageId: 'm-1' } : undefined}
      onClose={onClose}
    />,
  );
  return onClose;
}
const submit = () => fireEvent.click(screen.getByRole('button', { name: 'Submit' }));

describe('feedback', () => {
  test('without a word is asked for one, and stays open', () => {
    const own = {
      feedback: 'Please write something first.',
      'request-source': 'Please name at least one data source.',
    };
    for (const kind of ['feedback', 'request-source'] as const) {
      const onClose = showFeedback(kind);
      submit();
      expect(said()).toBe(EMPTY_FEEDBACK);
      const field = screen.getByRole('textbox');
      expect(document.activeElement).toBe(field);
      expect(screen.getByRole('alert').textContent).toBe(own[kind]);
      fireEvent.change(field, { target: { value: 'x' } });
      expect(screen.queryByRole('alert')).toBeNull();
      fireEvent.change(field, { target: { value: '' } });
      expect(onClose).not.toHaveBeenCalled();
      cleanup();
    }
  });

  test('on a thumb may stay empty: Submit just closes', () => {
    const onClose = showFeedback('thumbs-up');
    expect(screen.getByPlaceholderText('What did Bob do well?')).toBeTruthy();
    submit();
    expect(onClose).toHaveBeenCalledOnce();
  });

  test('on a thumb down carries the conversation and the files that should have been used', async () => {
    sessionStart('t', false);
    const forms: FormData[] = [];
    server.use(
      http.post('*/api/v3/feedback', async ({ request }) => {
        forms.push(await request.formData());
        return HttpResponse.json({});
      }),
    );
    const onClose = showFeedback('thumbs-down');
    expect(screen.getByText('What should have been used to answer your question? (Optional)')).toBeTruthy();
    fireEvent.change(screen.getByPlaceholderText('What can Bob do better?'), {
      target: { value: 'Use deals' },
    });
    fireEvent.click(screen.getByRole('button', { name: /deals/ }));
    submit();
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    expect(Object.fromEntries(forms[0] ?? [])).toMatchObject({
      kind: 'thumbs',
      Feedback: 'Use deals',
      ChatHistory: 'user: hi',
      UserSelectedFiles: 'deals.csv',
      ThumbUp: 'false',
      ThreadId: 't-1',
      MessageId: 'm-1',
    });
  });

  test('that cannot be sent keeps what was typed', async () => {
    sessionStart('t', false);
    server.use(http.post('*/api/v3/feedback', () => HttpResponse.json({}, { status: 500 })));
    const onClose = showFeedback('feedback');
    fireEvent.change(screen.getByLabelText('Your feedback'), { target: { value: 'Nice' } });
    submit();
    await waitFor(() => expect(said()).toBe(FEEDBACK_FAILED));
    expect(onClose).not.toHaveBeenCalled();
    expect(screen.getByLabelText('Your feedback')).toHaveProperty('value', 'Nice');
  });

  test('tells New York time', () => {
    const form = feedbackForm({ kind: 'feedback', text: 'x' }, new Date('2026-01-15T18:30:00Z'));
    expect(String(form.get('Datetime')).replace(/\s/g, ' ')).toBe('1/15/26, 1:30:00 PM');
  });
});

describe('the choice of files', () => {
  test('changes nothing until Confirm; a second click takes a file out', () => {
    const onConfirm = vi.fn();
    const sources = [source('deals.csv'), source('owners.csv'), source('half.csv', 'reading')];
    wrap(
      <ContextPopup
        product="Bob"
        sources={sources}
        chosen={['deals.csv', 'gone.csv']}
        onConfirm={onConfirm}
        onAddData={() => {}}
        onUpload={() => {}}
        onClose={() => {}}
      />,
    );
    expect(screen.getByText('Which files would you like Bob to analyze with your request?')).toBeTruthy();
    expect(screen.queryByText('half')).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: /owners/ }));
    expect(screen.getByRole('button', { name: 'Confirm (2)' })).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: /deals/ }));
    fireEvent.click(screen.getByRole('button', { name: 'Confirm (1)' }));
    expect(onConfirm).toHaveBeenCalledExactlyOnceWith(['owners.csv']);
  });

  test('Escape and the background close it', () => {
    const onClose = vi.fn();
    wrap(
      <ContextPopup
        product="Bob"
        sources={[source('a.csv')]}
        chosen={[]}
        onConfirm={() => {}}
        onAddData={() => {}}
        onUpload={() => {}}
        onClose={onClose}
      />,
    );
    fireEvent.keyDown(document.body, { key: 'Escape' });
    expect(onClose).toHaveBeenCalledTimes(1);
    fireEvent.click(screen.getByRole('dialog').previousElementSibling as Element);
    expect(onClose).toHaveBeenCalledTimes(2);
  });
});
