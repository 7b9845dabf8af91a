import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen } from '@testing-library/react';
import { keys } from 'api/queries';
import { sessionStart } from 'api/session';
import type { Source } from 'api/types';
import { HttpResponse, http } from 'msw';
import { useToast } from 'stores/toast';
import { server } from 'test/server';
import { describe, expect, test, vi } from 'vitest';
import { ManageDataPanel } from './manage-data-panel';
import { describeState } from './source-row';
import { sortOut } from './use-upload';

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
  error: null,
  report: [],
  mine: true,
  ...more,
});

function show(sources: Source[]) {
  const client = new QueryClient();
  client.setQueryData(keys.sources, sources);
  const onPreview = vi.fn();
  const onEditContext = vi.fn();
  render(
    <QueryClientProvider client={client}>
      <ManageDataPanel
        sources={sources}
        failed={false}
        product="Bob"
        footer={null}
        onPreview={onPreview}
        onEditContext={onEditContext}
        onRequestSource={() => {}}
        onRetry={() => {}}
        onClose={() => {}}
      />
    </QueryClientProvider>,
  );
  return { client, onPreview, onEditContext };
}

const said = () => useToast.getState().toast?.content;

describe('the line below a file', () => {
  test('tells what there is, what goes on, or what went wrong', () => {
    expect(describeState(source('deals.csv'))).toBe('1,284 rows · 3 MB');
    expect(
      describeState(source('d.csv', { state: 'reading', step: 'Reading rows', rows_so_far: 120_000 })),
    ).toBe('Reading rows, 120,000 rows');
    expect(describeState(source('d.csv', { state: 'received' }))).toBe('Waiting to be read');
    expect(describeState(source('d.csv', { state: 'failed', error: 'The file is empty.' }))).toBe(
      'The file is empty.',
    );
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

describe('deleting a file', () => {
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
    await vi.waitFor(() => expect(said()).toBe('Error deleting deals & more.csv. Please try again.'));
    expect(client.getQueryData(keys.sources)).toHaveLength(1);
    await vi.waitFor(() => expect(screen.getByRole('button', { name: 'Delete' })).toBeTruthy());
    fireEvent.click(screen.getByRole('button', { name: 'Delete' }));
    await vi.waitFor(() => expect(client.getQueryData(keys.sources)).toEqual([]));
    expect(names).toEqual(['deals & more.csv', 'deals & more.csv']);
  });
});
