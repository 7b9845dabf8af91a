import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { sessionStart } from 'api/session';
import { HttpResponse, http } from 'msw';
import { useToast } from 'stores/toast';
import { server } from 'test/server';
import { beforeEach, expect, test } from 'vitest';
import type { Invitation, Member, Roster } from './api';
import { MembersPanel } from './members-panel';

const MEMBERS = '*/api/v3/members';
const nothing = () => {};
const ADA: Member = {
  id: 'a',
  username: 'ada',
  name: 'Ada',
  email: 'ada@example.com',
  role: 'admin',
  active: true,
  last_seen: new Date().toISOString(),
  you: true,
};
const BEN: Member = {
  ...ADA,
  id: 'b',
  username: 'ben',
  name: 'Ben',
  email: '',
  role: 'basic',
  you: false,
  last_seen: null,
};
const ASKED: Invitation = {
  id: 'i',
  email: 'new@example.com',
  role: 'basic',
  expires_at: '2026-11-30T10:00:00Z',
  expired: false,
};

function show(now: Partial<Roster>, failures = 0) {
  let left = failures;
  const loaded = { members: [ADA, BEN], invitations: [], ...now };
  server.use(
    http.get(MEMBERS, () =>
      left-- > 0 ? HttpResponse.json({}, { status: 500 }) : HttpResponse.json(loaded),
    ),
  );
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <MembersPanel footer={null} onBack={nothing} onClose={nothing} />
    </QueryClientProvider>,
  );
}

/** The next change is answered with this, and what was sent is kept. */
function answers(method: 'put' | 'post' | 'delete', path: string, reply: object, status = 200): unknown[] {
  const sent: unknown[] = [];
  server.use(
    http[method](path, async ({ request }) => {
      sent.push(method === 'delete' ? new URL(request.url).search : await request.json());
      return HttpResponse.json(reply, { status });
    }),
  );
  return sent;
}

const told = () => useToast.getState().toast?.content;
const rowOf = async (name: string) => {
  const row = (await screen.findByText(name)).closest('li');
  if (!row) throw new Error(`${name} has no row`);
  return within(row);
};

beforeEach(() => sessionStart('token', false));

test('members stand with their address, role and when they were last seen', async () => {
  show({});
  expect((await rowOf('Ada')).getByText('Last seen today')).toBeTruthy();
  const ben = await rowOf('Ben');
  expect(ben.getByText('Never signed in')).toBeTruthy();
  expect(ben.getByText('ben')).toBeTruthy();
  expect((ben.getByLabelText('Role of Ben') as HTMLSelectElement).value).toBe('basic');
});

test('the own account offers nothing to press and says who could', async () => {
  show({});
  const own = await rowOf('Ada');
  expect(own.queryByRole('button')).toBeNull();
  expect(own.queryByRole('combobox')).toBeNull();
  expect(own.getByText(/Only another admin/)).toBeTruthy();
});

test('a deactivation is asked about first, and can be kept from happening', async () => {
  show({});
  const sent = answers('put', MEMBERS, { members: [ADA, { ...BEN, active: false }], invitations: [] });
  fireEvent.click(await screen.findByRole('button', { name: 'Deactivate Ben' }));
  const keep = screen.getByRole('button', { name: 'Keep' });
  expect(document.activeElement).toBe(keep);
  fireEvent.click(keep);
  expect(sent).toEqual([]);
  fireEvent.click(screen.getByRole('button', { name: 'Deactivate Ben' }));
  fireEvent.click(screen.getByRole('button', { name: 'Deactivate' }));
  expect(await screen.findByRole('button', { name: 'Reactivate Ben' })).toBeTruthy();
  expect(sent).toEqual([{ id: 'b', active: false }]);
  expect(told()).toBe('Ben was deactivated.');
});

test('a role is given after a question that says what it allows', async () => {
  show({});
  const sent = answers('put', MEMBERS, { members: [ADA, { ...BEN, role: 'admin' }], invitations: [] });
  fireEvent.change(await screen.findByLabelText('Role of Ben'), { target: { value: 'admin' } });
  expect(screen.getByText(/^Make Ben an admin\? Admins manage members/)).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Make admin' }));
  await waitFor(() => expect(told()).toBe('Ben is an admin now.'));
  expect(sent).toEqual([{ id: 'b', role: 'admin' }]);
});

test('what the server refuses is said in the row, and nothing looks changed', async () => {
  show({});
  answers('put', MEMBERS, { error: { message: 'ben is the last admin of Acme.', code: 'last_admin' } }, 409);
  fireEvent.click(await screen.findByRole('button', { name: 'Deactivate Ben' }));
  fireEvent.click(screen.getByRole('button', { name: 'Deactivate' }));
  expect((await screen.findByRole('alert')).textContent).toBe('ben is the last admin of Acme.');
  expect(screen.getByRole('button', { name: 'Deactivate Ben' })).toBeTruthy();
});

test('somebody is invited by address and role, and the form is empty again', async () => {
  show({});
  const sent = answers('post', '*/api/v3/invitations', ASKED, 201);
  const field = (await screen.findByLabelText('Invite by e-mail')) as HTMLInputElement;
  fireEvent.change(field, { target: { value: ' new@example.com ' } });
  fireEvent.change(screen.getByLabelText('Role of the invited person'), { target: { value: 'admin' } });
  server.use(http.get(MEMBERS, () => HttpResponse.json({ members: [ADA], invitations: [ASKED] })));
  fireEvent.click(screen.getByRole('button', { name: 'Send invitation' }));
  expect(await screen.findByText('new@example.com')).toBeTruthy();
  expect(sent).toEqual([{ email: 'new@example.com', role: 'admin' }]);
  expect(field.value).toBe('');
  expect(told()).toBe('An invitation is on its way to new@example.com.');
});

test('an address that cannot be invited is told at its field', async () => {
  show({});
  const refused = { error: { message: 'ben@example.com is already a member.', code: 'member_exists' } };
  answers('post', '*/api/v3/invitations', refused, 409);
  fireEvent.change(await screen.findByLabelText('Invite by e-mail'), {
    target: { value: 'ben@example.com' },
  });
  fireEvent.click(screen.getByRole('button', { name: 'Send invitation' }));
  expect((await screen.findByRole('alert')).textContent).toBe('ben@example.com is already a member.');
});

test('an open invitation is sent again or withdrawn', async () => {
  show({ invitations: [{ ...ASKED, expired: true }] });
  const again = answers('post', '*/api/v3/invitations/resend', { members: [ADA], invitations: [ASKED] });
  const withdrawn = answers('delete', '*/api/v3/invitations', { members: [ADA], invitations: [] });
  expect((await screen.findByText(/link ended/)).textContent).toContain('link ended');
  fireEvent.click(screen.getByRole('button', { name: 'Send the invitation of new@example.com again' }));
  expect(await screen.findByText(/link good until/)).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Withdraw the invitation of new@example.com' }));
  fireEvent.click(screen.getByRole('button', { name: 'Withdraw' }));
  await waitFor(() => expect(screen.queryByText('new@example.com')).toBeNull());
  expect([again, withdrawn]).toEqual([[{ id: 'i' }], ['?id=i']]);
});

test('who is alone is told how to change that', async () => {
  show({ members: [ADA] });
  expect(await screen.findByText('Nobody else is here yet. Invite somebody above.')).toBeTruthy();
});

test('from ten members on they can be searched by name and address', async () => {
  const many = Array.from({ length: 10 }, (_, at) => ({
    ...BEN,
    id: `m${at}`,
    name: `Member ${at}`,
    email: `${at}@example.com`,
  }));
  show({ members: many });
  fireEvent.change(await screen.findByLabelText('Search members'), { target: { value: '7@EX' } });
  expect(screen.getAllByRole('listitem')).toHaveLength(1);
  fireEvent.change(screen.getByLabelText('Search members'), { target: { value: 'nobody' } });
  expect(screen.getByText('Nobody’s name or address contains “nobody”.')).toBeTruthy();
});

test('a list that cannot be had says why and is tried again', async () => {
  show({}, 1);
  fireEvent.click(await screen.findByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Ben')).toBeTruthy();
});
