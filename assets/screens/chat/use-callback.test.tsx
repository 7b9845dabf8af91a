import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, waitFor } from '@testing-library/react';
import { sessionStart } from 'api/session';
import { HttpResponse, http } from 'msw';
import { codeSave } from 'stores/callback';
import { crmEdit, crmEditsToSend } from 'stores/crm-edits';
import { useToast } from 'stores/toast';
import { server } from 'test/server';
import { describe, expect, test } from 'vitest';
import { useCallbackCode } from './use-callback';

const CHOICE = { deals: { 'Next step': true } };

function Chat() {
  useCallbackCode();
  return null;
}

/** Comes back from the consent page; gives the calls it makes, in their order. */
function comeBack(fieldsStatus: number) {
  const calls: [string, unknown][] = [];
  const taking = (path: string, status: number) =>
    http.post(`*/api/v3/hubspot/${path}`, async ({ request }) => {
      calls.push([path, await request.json()]);
      return HttpResponse.json({}, { status });
    });
  server.use(taking('auth', 200), taking('fields', fieldsStatus), taking('direct-export', 200));
  sessionStart('t', false);
  window.history.replaceState(null, '', codeSave({ service: 'hubspot', code: 'c', state: 's' }));
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Chat />
    </QueryClientProvider>,
  );
  return calls;
}

describe('back from the consent page of the CRM', () => {
  test('the choice that waited is saved before the refresh that reads its columns', async () => {
    crmEdit(CHOICE);
    const calls = comeBack(200);
    await waitFor(() => expect(calls.map(([path]) => path)).toEqual(['auth', 'fields', 'direct-export']));
    expect(calls[1]?.[1]).toEqual({ fields: CHOICE });
    expect(crmEditsToSend()).toBeNull();
  });

  test('a choice that is refused once more is kept and told of; the refresh starts, no consent page opens', async () => {
    crmEdit(CHOICE);
    const calls = comeBack(502);
    await waitFor(() => expect(calls.map(([path]) => path)).toEqual(['auth', 'fields', 'direct-export']));
    expect(crmEditsToSend()).toEqual(CHOICE);
    expect(useToast.getState().toast?.content).toContain('still stands in the list');
  });

  test('without one nothing but the code is handed over', async () => {
    const calls = comeBack(200);
    await waitFor(() => expect(calls.map(([path]) => path)).toEqual(['auth', 'direct-export']));
  });
});
