import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { keys } from 'api/queries';
import { sessionStart } from 'api/session';
import type { Source } from 'api/types';
import { HttpResponse, http } from 'msw';
import { useToast } from 'stores/toast';
import { server } from 'test/server';
import { describe, expect, test, vi } from 'vitest';
import { ManageDataPanel } from './manage-data-panel';
import { describeState } from './source-row';
import { shares, sortOut } from './use-upload';

const source = (file_name: string, more: Partial<Source> = {}): Source => ({
  file_name,
  display_name: file_name.replace('.csv', ''),
  group: 'uploaded',
  state: 'ready',
  step: '',
  rows_so_far: null,
  rows: 1284,
  columns: 3,
  size: 3_000_000,
  owner: 'demo',
  uploaded_at: null,
  refreshed_at: null,
  replaced_at: null,
  error: null,
  retryable: false,
  example: false,
  report: [],
  mine: true,
  ...more,
});

function show(sources: Source[] | undefined, deletesAny = false) {
  const client = new QueryClient();
  if (sources) client.setQueryData(keys.sources, sources);
  const onPreview = vi.fn();
  const onEditContext = vi.fn();
  const { unmount } = render(
    <QueryClientProvider client={client}>
      <ManageDataPanel
        sources={sources}
        failed={!sources}
        product="Bob"
        largest={52_428_800}
        footer={null}
        deletesAny={deletesAny}
        onPreview={onPreview}
        onEditContext={onEditContext}
        onRequestSource={() => {}}
        onRetry={() => {}}
        onClose={() => {}}
      />
    </QueryClientProvider>,
  );
  return { client, onPreview, onEditContext, unmount };
}

const said = () => useToast.getState().toast?.content;

test('the limit of a file is told as it is set', () => {
  show([]);
  expect(screen.getByText(/up to 50 MB each/)).toBeTruthy();
});

describe('the sheets of a workbook', () => {
  test('stand together under its name, where the newest of them stands; other files stand alone', () => {
    const sheet = (file_name: string) => source(file_name, { workbook: 'Budget' });
    show([source('a.csv'), sheet('Budget - Plan.csv'), source('b.csv'), sheet('Budget - Actual.csv')]);
    const book = screen.getByRole('group', { name: 'Budget 2 sheets' });
    const titles = (place: HTMLElement) =>
      within(place)
        .getAllByRole('button', { name: /^Preview/ })
        .map((button) => button.getAttribute('aria-label'));
    expect(titles(book)).toEqual(['Preview Budget - Plan', 'Preview Budget - Actual']);
    expect(titles(screen.getByRole('region', { name: 'Uploaded Data' }))).toEqual([
      'Preview a',
      'Preview Budget - Plan',
      'Preview Budget - Actual',
      'Preview b',
    ]);
    expect(screen.getAllByRole('listitem').length).toBe(4);
  });
});

describe('the line below a file', () => {
  test('tells what there is, what goes on, or what went wrong', () => {
    expect(describeState(source('deals.csv'))).toBe('1,284 rows · 3 MB');
    expect(
      describeState(source('d.csv', { state: 'reading', step: 'Reading the file', rows_so_far: 120_000 })),
    ).toBe('Reading the file, 120,000 rows so far');
    expect(describeState(source('d.csv', { state: 'received' }))).toBe('Waiting to be read');
    expect(describeState(source('d.csv', { state: 'failed', error: 'The file is empty.' }))).toBe(
      'The file is empty.',
    );
  });

  test("names whose file it is where it is somebody else's, and says when a newer version came", () => {
    const now = Date.parse('2026-11-21T12:00:00Z');
    const of = (more: Partial<Source>, resting = false) =>
      describeState(source('d.csv', { uploaded_at: '2026-11-01T12:00:00Z', ...more }), resting, now);
    expect(of({ mine: false, owner: 'Mara' })).toBe('1,284 rows · 3 MB · uploaded 1 Nov · by Mara');
    expect(of({ replaced_at: '2026-11-21T11:30:00Z' })).toBe('1,284 rows · 3 MB · replaced 30 min ago');
    expect(of({ group: 'crm' })).toBe('1,284 rows · refreshed 1 Nov');
    expect(of({ group: 'crm' }, true)).toBe('1,284 rows · loaded 1 Nov');
  });

  test('warns where a newer version could not be read and the earlier one is kept', () => {
    show([
      source('deals.csv', { error: 'The latest reading failed: it is empty. The earlier version is kept.' }),
    ]);
    expect(screen.getByText(/The earlier version is kept/)).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Preview deals' })).toBeTruthy();
  });
});

describe('choosing files', () => {
  test('refuses by name and keeps the others; a name twice in one choice is refused as well', () => {
    const files = ['a (1).csv', 'a.csv', 'a.xlsx', 'notes.txt', 'b.csv'].map((name) => new File(['x'], name));
    const { taken, refused } = sortOut(files, [], 'Bob');
    expect(taken.map((file) => file.name)).toEqual(['a.csv', 'b.csv']);
    expect(refused.map((one) => one.message)).toEqual([
      'Please remove parentheses from: a (1).csv',
      'A file with the name: a.xlsx already exists. Please delete it and try again.',
      'We apologize. Bob does not support this file type yet.',
    ]);
  });

  test('says in the panel and in the toast why a file was not taken, and sends nothing', async () => {
    show([]);
    fireEvent.change(screen.getByTestId('upload'), { target: { files: [new File(['x'], 'notes.txt')] } });
    expect((await screen.findByRole('alert')).textContent).toContain(
      'We apologize. Bob does not support this file type yet.',
    );
    expect(said()).toBe('We apologize. Bob does not support this file type yet.');
  });
});

describe('files on their way', () => {
  const files = [new File(['1234567890'], 'a.csv'), new File(['1234567890123456789012345678'], 'b.csv')];

  test('leave one behind the other, each with its own share', () => {
    expect(shares(files, 0).map((one) => one.share)).toEqual([0, 0]);
    expect(shares(files, 5 / 38)[0]?.share).toBeCloseTo(0.5);
    expect(shares(files, 5 / 38)[1]?.share).toBe(0);
    expect(shares(files, 24 / 38).map((one) => one.share)).toEqual([1, expect.closeTo(0.5)]);
    expect(shares(files, 1).map((one) => one.share)).toEqual([1, 1]);
  });

  test('come by dropping them anywhere on the panel, and show a bar each until the server has them', async () => {
    sessionStart('t', false);
    let answer = () => {};
    const sent: string[] = [];
    server.use(
      http.post('*/api/v3/files', async ({ request }) => {
        sent.push(request.headers.get('Authorization') ?? '');
        await new Promise<void>((resolve) => {
          answer = resolve;
        });
        return HttpResponse.json({
          failed_uploads: 1,
          sources: [source('a.csv', { state: 'received' })],
          errors: [
            { file: 'b.csv', message: 'b.csv is too large: a file can have at most 200 MB.', code: 'x' },
          ],
        });
      }),
    );
    show([]);
    const panel = screen.getByRole('heading', { name: 'Manage Data' });
    const dataTransfer = { types: ['Files'], files };
    fireEvent.dragEnter(panel, { dataTransfer });
    expect(screen.getByText('Drop .csv or .xlsx files')).toBeTruthy();
    fireEvent.drop(panel, { dataTransfer });
    const bars = await screen.findAllByRole('progressbar');
    expect(bars.map((bar) => bar.getAttribute('aria-label'))).toEqual(['a.csv', 'b.csv']);
    await waitFor(() => expect(sent).toEqual(['Bearer t']));
    answer();
    expect((await screen.findByRole('alert')).textContent).toContain('at most 200 MB');
    await waitFor(() => expect(screen.queryAllByRole('progressbar')).toEqual([]));
    expect(said()).toBe('Failed to upload files: 1');
  });
});

describe('a file that could not be read', () => {
  const failed = source('deals.csv', {
    state: 'failed',
    error: 'There is no room left to keep this file.',
    retryable: true,
  });

  test('can be read again by those who may remove it', async () => {
    sessionStart('t', false);
    const names: (string | null)[] = [];
    server.use(
      http.post('*/api/v3/files/retry', ({ request }) => {
        names.push(new URL(request.url).searchParams.get('filename'));
        return HttpResponse.json(source('deals.csv', { state: 'received', rows: null }));
      }),
    );
    const { client } = show([failed]);
    fireEvent.click(screen.getByRole('button', { name: 'Read deals again' }));
    await waitFor(() => expect(names).toEqual(['deals.csv']));
    await waitFor(() => expect(client.getQueryData<Source[]>(keys.sources)?.[0]?.state).toBe('received'));
  });

  test('is offered to nobody else', () => {
    show([{ ...failed, mine: false }]);
    expect(screen.queryByRole('button', { name: 'Read deals again' })).toBeNull();
  });

  test('is not offered to be read again where that cannot help', () => {
    show([{ ...failed, error: 'deals.xlsx is protected by a password.', retryable: false }]);
    expect(screen.queryByText('deals.xlsx is protected by a password.')).not.toBeNull();
    expect(screen.queryByRole('button', { name: 'Read deals again' })).toBeNull();
  });
});

describe('files that cannot be listed', () => {
  test('leave their heading and the upload where they are', () => {
    show(undefined);
    expect(screen.getByRole('heading', { name: 'Uploaded Data' })).toBeTruthy();
    expect(screen.getByRole('alert').textContent).toContain('Your files could not be loaded.');
    expect(screen.getByRole('button', { name: 'Upload New File' })).toBeTruthy();
  });
});

describe('what connected services brought', () => {
  test('stands with its service, not among the uploaded files', () => {
    show([source('hubspot_deals.csv', { group: 'crm', display_name: 'deals' }), source('targets.csv')]);
    expect(screen.getByRole('button', { name: 'Preview targets' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Preview deals' })).toBeNull();
  });
});

describe('deleting a file', () => {
  test("is offered for one's own files only, unless the role allows any", () => {
    const { unmount } = show([source('deals.csv', { mine: false })]);
    expect(screen.queryByRole('button', { name: 'Delete deals' })).toBeNull();
    unmount();
    show([source('deals.csv', { mine: false })], true);
    expect(screen.getByRole('button', { name: 'Delete deals' })).toBeTruthy();
  });

  test('asks in the row; Keep takes it back', async () => {
    show([source('deals.csv')]);
    fireEvent.click(screen.getByRole('button', { name: 'Delete deals' }));
    expect(screen.getByText('Delete deals?')).toBeTruthy();
    const keep = screen.getByRole('button', { name: 'Keep' });
    expect(document.activeElement).toBe(keep);
    fireEvent.click(keep);
    expect(screen.getByRole('button', { name: 'Delete deals' })).toBeTruthy();
  });

  test('takes the file from the list only when the server says that it is gone', async () => {
    sessionStart('t', false);
    const names: (string | null)[] = [];
    server.use(
      http.delete('*/api/v3/files', ({ request }) => {
        names.push(new URL(request.url).searchParams.get('filename'));
        return HttpResponse.json({
          message: names.length === 1 ? 'busy' : 'deals & more.csv successfully deleted',
        });
      }),
    );
    const { client } = show([source('deals & more.csv')]);
    const remove = () => {
      fireEvent.click(screen.getByRole('button', { name: 'Delete deals & more' }));
      fireEvent.click(screen.getByRole('button', { name: 'Delete' }));
    };
    remove();
    await waitFor(() => expect(said()).toBe('Error deleting deals & more.csv. Please try again.'));
    expect(client.getQueryData(keys.sources)).toHaveLength(1);
    await waitFor(() => expect(screen.getByRole('button', { name: 'Delete' })).toBeTruthy());
    fireEvent.click(screen.getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(client.getQueryData(keys.sources)).toEqual([]));
    expect(names).toEqual(['deals & more.csv', 'deals & more.csv']);
  });
});
