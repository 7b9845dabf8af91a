import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { keys } from 'api/queries';
import { sessionStart } from 'api/session';
import type { MessageFile, Source } from 'api/types';
import { HttpResponse, http } from 'msw';
import { useToast } from 'stores/toast';
import { server } from 'test/server';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import AnswerFilePopup from './answer-file-popup';
import PreviewPopup from './preview-popup';

const file = (filename: string, content: string, more: Partial<MessageFile> = {}): MessageFile => ({
  filename,
  content,
  mime_type: '',
  encoding: 'plain',
  ...more,
});
const show = (shown: MessageFile) => render(<AnswerFilePopup file={shown} onClose={() => {}} />);

describe('a file of an answer', () => {
  test('of CSV shows its first seven rows', () => {
    const rows = Array.from({ length: 20 }, (_, at) => `row ${at},`).join('\n');
    show(file('deals.csv', `name,note\n${rows}`));
    expect(screen.getByRole('heading', { name: 'File Preview for: deals.csv' })).toBeTruthy();
    expect(within(screen.getByRole('table')).getAllByRole('row')).toHaveLength(1 + 7);
    expect(screen.getAllByLabelText('no value')).toHaveLength(7);
    expect(screen.getByText('The first 7 rows.')).toBeTruthy();
  });

  test('of CSV that is shown whole says nothing of a rest', () => {
    show(file('deals.csv', `name\n${'a\n'.repeat(7)}`));
    expect(within(screen.getByRole('table')).getAllByRole('row')).toHaveLength(1 + 7);
    expect(screen.queryByText(/^The first/)).toBeNull();
  });

  test('of text shows 280 characters, also where it came encoded', () => {
    show(file('note.txt', btoa('x'.repeat(300)), { encoding: 'base64' }));
    expect(screen.getByText(`${'x'.repeat(280)}…`)).toBeTruthy();
  });

  test('of PDF stands in a frame 500 px high', () => {
    show(file('deck.pdf', btoa('%PDF-1.4'), { encoding: 'base64' }));
    const frame = screen.getByTitle('deck.pdf');
    expect(frame.getAttribute('height')).toBe('500');
    expect(frame.getAttribute('src')).toMatch(/^blob:/);
  });

  test('of Word is to be downloaded; other types have no preview yet', () => {
    const { unmount } = show(file('plan.docx', ''));
    expect(
      screen.getByText('Word files do not support previews. Please download the file to view.'),
    ).toBeTruthy();
    unmount();
    show(file('archive.zip', ''));
    expect(screen.getByText('Preview not yet available for this file type: zip')).toBeTruthy();
  });

  test('can be downloaded', () => {
    const made = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:x');
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {}); // or the test's page would go there
    show(file('a.zip', 'x'));
    fireEvent.click(screen.getByRole('button', { name: 'Download' }));
    expect(made.mock.calls.map(([part]) => (part as Blob).type)).toEqual(['application/octet-stream']);
  });
});

const source: Source = {
  file_name: 'orders.csv',
  display_name: 'orders',
  group: 'uploaded',
  state: 'ready',
  step: '',
  rows_so_far: null,
  rows: 2,
  columns: 2,
  size: 1_200,
  owner: 'Mara',
  uploaded_at: null,
  refreshed_at: null,
  replaced_at: null,
  error: null,
  retryable: false,
  example: false,
  report: ['Two lines above the heading were left out.'],
  mine: true,
};
const profile = {
  source,
  tables: [
    {
      name: 'orders',
      rows: 200,
      columns: [
        {
          name: 'when',
          type: 'date',
          role: 'time',
          unit: null,
          distinct: 2,
          missing: 50,
          unique: false,
          minimum: '2025-01-01',
          maximum: '2025-12-31',
          values: [],
          histogram: [1, 0, 3],
        },
      ],
      sample: { columns: ['when'], rows: [['2025-03-02'], [null]] },
      connections: [
        { columns: ['customer'], table: 'customers', table_columns: ['id'], match_rate: 0.98, refers: true },
        { columns: ['id'], table: 'lines', table_columns: ['order'], match_rate: 1, refers: false },
      ],
    },
  ],
};

describe('a source', () => {
  beforeEach(() => {
    sessionStart('t', false);
    server.use(
      http.get('*/api/v3/files/dictionary/joins', () =>
        HttpResponse.json({ file_name: 'orders.csv', may_edit: false, tables: [], others: [] }),
      ),
    );
  });

  function open(onClose = vi.fn()) {
    server.use(http.get('*/api/v3/files/profile', () => HttpResponse.json(profile)));
    const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
    client.setQueryData(keys.sources, [source]);
    render(
      <QueryClientProvider client={client}>
        <PreviewPopup fileName="orders.csv" product="Bob" onClose={onClose} />
      </QueryClientProvider>,
    );
    return { client, onClose };
  }

  test('shows its first rows, its columns with what is missing, and how it was read', async () => {
    open();
    expect(await screen.findByText('2 Mar 2025')).toBeTruthy();
    expect(screen.getByText('200 rows').parentElement?.textContent?.trim()).toBe(
      '200 rows · 1 column · 1.2 kB · uploaded by Mara',
    );
    expect(screen.getByText('Two lines above the heading were left out.')).toBeTruthy();
    fireEvent.click(screen.getByRole('tab', { name: 'Columns' }));
    expect(screen.getByText('1 Jan 2025 to 31 Dec 2025')).toBeTruthy();
    expect(screen.getByText('50 missing (25%)')).toBeTruthy();
  });

  test('tells how it is connected to the other tables', async () => {
    open();
    expect(await screen.findByText('customer matches customers: 98% of rows find their match')).toBeTruthy();
    expect(screen.getByText('lines matches these rows by its order: every row finds its match')).toBeTruthy();
  });

  test('leaves as CSV or XLSX, and says why it cannot', async () => {
    const asked: (string | null)[] = [];
    const message = '2,000,000 rows of 4 columns are too many for a workbook. Please take the CSV file.';
    server.use(
      http.get('*/api/v3/files/export', ({ request }) => {
        const type = new URL(request.url).searchParams.get('type');
        asked.push(type);
        return type === 'csv'
          ? new HttpResponse('a', { headers: { 'Content-Disposition': 'attachment; filename="orders.csv"' } })
          : HttpResponse.json({ error: { message, code: 'export_failed' } }, { status: 413 });
      }),
    );
    vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:x');
    const names: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      names.push(this.download);
    });
    open();
    fireEvent.click(await screen.findByRole('button', { name: 'Download as CSV' }));
    await waitFor(() => expect(names).toEqual(['orders.csv']));
    fireEvent.click(screen.getByRole('button', { name: 'Download as XLSX' }));
    await waitFor(() => expect(useToast.getState().toast?.content).toBe(message));
    expect(asked).toEqual(['csv', 'xlsx']);
  });

  test('leaves with the rows that are looked at, and whole again where they are not on the screen', async () => {
    const asked: object[] = [];
    const searched: (string | null)[] = [];
    server.use(
      http.get('*/api/v3/files/export', ({ request }) => {
        asked.push(Object.fromEntries(new URL(request.url).searchParams));
        return new HttpResponse('a');
      }),
      http.get('*/api/v3/files/rows', ({ request }) => {
        searched.push(new URL(request.url).searchParams.get('search'));
        return HttpResponse.json({
          table: 'orders',
          columns: ['when'],
          rows: [[null]],
          offset: 0,
          matched: 1,
          total: 200,
        });
      }),
    );
    vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:x');
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
    open();
    fireEvent.change(await screen.findByRole('combobox', { name: 'Which rows' }), {
      target: { value: 'when' },
    });
    fireEvent.change(screen.getByRole('searchbox'), { target: { value: ' pier 3 ' } });
    await waitFor(() => expect(searched).toContain('pier 3'));
    fireEvent.click(screen.getByRole('button', { name: 'Download found rows as XLSX' }));
    await waitFor(() => expect(asked).toHaveLength(1));
    fireEvent.click(screen.getByRole('tab', { name: 'Columns' }));
    fireEvent.click(screen.getByRole('button', { name: 'Download as CSV' }));
    await waitFor(() => expect(asked).toHaveLength(2));
    expect(asked).toEqual([
      { filename: 'orders.csv', type: 'xlsx', table: 'orders', search: 'pier 3', missing: 'when' },
      { filename: 'orders.csv', type: 'csv' },
    ]);
  });

  test('is taken home under the name it came with', async () => {
    const asked: (string | null)[] = [];
    server.use(
      http.get('*/api/v3/files/download', ({ request }) => {
        asked.push(new URL(request.url).searchParams.get('filename'), request.headers.get('Authorization'));
        return new HttpResponse('a,b', {
          headers: { 'Content-Disposition': "attachment; filename*=utf-8''Umsatz%20%C3%BC.xlsx" },
        });
      }),
    );
    vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:x');
    const names: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      names.push(this.download);
    });
    open();
    fireEvent.click(await screen.findByRole('button', { name: 'Download original' }));
    await waitFor(() => expect(names).toEqual(['Umsatz ü.xlsx']));
    expect(asked).toEqual(['orders.csv', 'Bearer t']);
  });

  const replaceBy = async (name: string) => {
    await screen.findByRole('button', { name: 'Replace file' });
    fireEvent.change(screen.getByTestId('replacement'), { target: { files: [new File(['x'], name)] } });
  };

  test('is replaced by a newer version, which is read in its place', async () => {
    const put: (string | null)[] = [];
    server.use(
      http.put('*/api/v3/files', ({ request }) => {
        put.push(new URL(request.url).searchParams.get('filename'));
        return HttpResponse.json([{ ...source, state: 'received' }]);
      }),
    );
    const { client, onClose } = open();
    await replaceBy('orders 2026.xlsx');
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    expect(put).toEqual(['orders.csv']);
    expect(client.getQueryData<Source[]>(keys.sources)?.[0]?.state).toBe('received');
    expect(useToast.getState().toast?.content).toBe('The newer version of orders.csv is being read');
  });

  test('keeps its old version where the new one is refused, and says why', async () => {
    const message = 'Only its owner or an admin can replace orders.csv.';
    server.use(
      http.put('*/api/v3/files', () =>
        HttpResponse.json({ error: { message, code: 'owners_only' } }, { status: 403 }),
      ),
    );
    const { onClose } = open();
    await replaceBy('notes.txt');
    expect((await screen.findByRole('alert')).textContent).toBe(
      'We apologize. Bob does not support this file type yet.',
    );
    await replaceBy('orders.csv');
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe(message));
    expect(onClose).not.toHaveBeenCalled();
  });

  test('is replaced by its owner, and by those who may remove any file', async () => {
    const theirs = { ...profile, source: { ...source, mine: false } };
    server.use(http.get('*/api/v3/files/profile', () => HttpResponse.json(theirs)));
    const shown = (replacesAny: boolean) => (
      <QueryClientProvider client={new QueryClient()}>
        <PreviewPopup fileName="orders.csv" product="Bob" replacesAny={replacesAny} onClose={() => {}} />
      </QueryClientProvider>
    );
    const { unmount } = render(shown(false));
    expect(await screen.findByRole('button', { name: 'Download original' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Replace file' })).toBeNull();
    unmount();
    render(shown(true));
    expect(await screen.findByRole('button', { name: 'Replace file' })).toBeTruthy();
  });

  test('that cannot be looked into offers another try', async () => {
    server.use(http.get('*/api/v3/files/profile', () => HttpResponse.json({}, { status: 500 })));
    render(
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <PreviewPopup fileName="orders.csv" product="Bob" onClose={() => {}} />
      </QueryClientProvider>,
    );
    fireEvent.click(await screen.findByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('The preview of orders could not be loaded.')).toBeTruthy();
  });
});
