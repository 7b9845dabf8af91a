import { QueryClient } from '@tanstack/react-query';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { DEFAULT_PREFERENCES } from 'api/preferences';
import { keys } from 'api/queries';
import { sessionStart } from 'api/session';
import { HttpResponse, http } from 'msw';
import { companyEditsForget } from 'stores/company';
import { click, common, said, servePreferences, type, wrap } from 'test/company';
import { server } from 'test/server';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { FileContextPanel } from './file-context-panel';
import { FormattingPanel } from './formatting-panel';
import { IntakePanel } from './intake-panel';
import { KeywordsPanel } from './keywords-panel';

beforeEach(() => {
  companyEditsForget();
  sessionStart('t', false);
});

/** A server that keeps texts by file; `fails` makes a method fail. */
function serveTexts(texts: Record<string, string>, fails: 'GET' | 'POST' | null = null) {
  const posted: unknown[] = [];
  server.use(
    http.get('*/api/v3/explanation', ({ request }) => {
      const file = new URL(request.url).searchParams.get('files') ?? '';
      if (fails === 'GET') return HttpResponse.json({}, { status: 500 });
      return HttpResponse.json({ [file]: texts[file] ?? '' });
    }),
    http.post('*/api/v3/explanation', async ({ request }) => {
      posted.push(await request.json());
      return fails === 'POST' ? HttpResponse.json({}, { status: 500 }) : HttpResponse.json({});
    }),
  );
  return posted;
}

describe('where only admins edit', () => {
  const kept = () => screen.getByText('Only an admin of your organization may edit this.');

  test.each([
    ['General context', () => wrap(<IntakePanel {...common} readOnly onBack={() => {}} />)],
    ['Context', () => wrap(<FileContextPanel {...common} readOnly fileName="deals.csv" onBack={() => {}} />)],
  ])('the text of %s is shown and cannot be changed', async (label, show) => {
    serveTexts({ 'Organization Level Context': 'We sell boats.', 'deals.csv': 'We sell boats.' });
    show();
    const field = await screen.findByLabelText<HTMLTextAreaElement>(label);
    expect(field.value).toBe('We sell boats.');
    expect(field.readOnly).toBe(true);
    expect(kept()).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Submit' })).toBeNull();
  });

  test('keywords can be read and neither added, changed nor deleted', () => {
    const nothing = () => {};
    wrap(
      <KeywordsPanel
        {...common}
        readOnly
        keywords={{ ARR: 'yearly' }}
        failed={false}
        onRetry={nothing}
        onBack={nothing}
      />,
    );
    expect(kept()).toBeTruthy();
    for (const name of ['Add', 'Delete ARR', 'Submit'])
      expect(screen.queryByRole('button', { name })).toBeNull();
    click('Expand ARR');
    expect(screen.getByLabelText<HTMLTextAreaElement>('Definition of ARR').readOnly).toBe(true);
  });
});

describe('Company Intake', () => {
  const show = (onBack = vi.fn()) => {
    const shown = wrap(<IntakePanel {...common} onBack={onBack} />);
    return { onBack, ...shown };
  };
  const context = () => screen.findByLabelText<HTMLTextAreaElement>('General context');

  test('saves a changed text for the organization and goes back to Settings', async () => {
    const posted = serveTexts({ 'Organization Level Context': 'We sell boats.' });
    const { onBack } = show();
    expect((await context()).value).toBe('We sell boats.');
    type('General context', 'We sell ships.');
    expect(screen.getByText('Unsaved changes')).toBeTruthy();
    click('Submit');
    await waitFor(() => expect(onBack).toHaveBeenCalledOnce());
    expect(posted).toEqual([{ explanation: 'We sell ships.' }]);
    expect(said()).toBe('Company information updated');
  });

  test('sends nothing where nothing changed', async () => {
    const posted = serveTexts({ 'Organization Level Context': 'We sell boats.' });
    const { onBack } = show();
    await context();
    click('Submit');
    expect(onBack).toHaveBeenCalledTimes(1);
    type('General context', 'We sell ships.');
    type('General context', 'We sell boats.');
    click('Submit');
    expect(onBack).toHaveBeenCalledTimes(2);
    expect(posted).toEqual([]);
  });

  test('keeps what was typed while the panel is closed; Cancel takes it back', async () => {
    serveTexts({ 'Organization Level Context': 'Old' });
    const first = show();
    await context();
    type('General context', 'Half a thought');
    first.unmount();
    const { onBack } = show();
    expect((await context()).value).toBe('Half a thought');
    click('Cancel');
    expect(onBack).toHaveBeenCalledOnce();
    await waitFor(async () => expect((await context()).value).toBe('Old'));
  });

  test('a failed save says so and keeps the text; a failed load offers another try', async () => {
    serveTexts({}, 'POST');
    const { onBack, unmount } = show();
    await context();
    type('General context', 'New');
    click('Submit');
    await waitFor(() => expect(said()).toBe('Failed to update company information'));
    expect(onBack).not.toHaveBeenCalled();
    expect((await context()).value).toBe('New');
    unmount();

    serveTexts({}, 'GET');
    show();
    expect(await screen.findByText('The company information could not be loaded.')).toBeTruthy();
    serveTexts({});
    click('Try again');
    expect(await context()).toBeTruthy();
  });
});

describe('the context of a file', () => {
  const show = (onBack = vi.fn()) => {
    wrap(<FileContextPanel {...common} fileName="hubspot_deals.csv" onBack={onBack} />);
    return onBack;
  };

  test('is titled by the file and saved for it', async () => {
    const posted = serveTexts({});
    const onBack = show();
    expect(screen.getByRole('heading', { name: 'Edit Context for deals' })).toBeTruthy();
    await screen.findByLabelText('Context');
    type('Context', 'One row is one deal.');
    click('Submit');
    await waitFor(() => expect(onBack).toHaveBeenCalledOnce());
    expect(posted).toEqual([{ explanation: 'One row is one deal.', file: 'hubspot_deals.csv' }]);
  });

  test('that cannot be loaded leads back to Manage Data with a word', async () => {
    serveTexts({}, 'GET');
    const onBack = show();
    await waitFor(() => expect(onBack).toHaveBeenCalledOnce());
    expect(said()).toBe('Failed to load context for deals');
  });

  test('that cannot be saved says so', async () => {
    serveTexts({}, 'POST');
    const onBack = show();
    await screen.findByLabelText('Context');
    type('Context', 'x');
    click('Submit');
    await waitFor(() => expect(said()).toBe('Failed to update context for deals'));
    expect(onBack).not.toHaveBeenCalled();
  });
});

describe('Chart Formatting', () => {
  const show = () => {
    const onBack = vi.fn();
    const client = new QueryClient();
    client.setQueryData(keys.preferences, DEFAULT_PREFERENCES);
    wrap(
      <FormattingPanel
        {...common}
        preferences={DEFAULT_PREFERENCES}
        failed={false}
        onRetry={() => {}}
        onBack={onBack}
      />,
      client,
    );
    return { onBack, client };
  };
  const hex = () => screen.getByLabelText<HTMLInputElement>('Primary color as hex');
  const sample = () => screen.getByRole('img', { name: 'Sample chart in this formatting' });

  test('has three colours, four switches for each text, and one for the gridlines', () => {
    show();
    expect(screen.getAllByLabelText(/color$/).map((input) => input.getAttribute('type'))).toEqual([
      'color',
      'color',
      'color',
    ]);
    expect(screen.getAllByRole('switch').map((one) => one.getAttribute('aria-label'))).toEqual([
      ...['Title', 'X axis label', 'Y axis label'].flatMap((part) =>
        ['bold', 'underline', 'italicize', 'colors'].map((flag) => `${part}: ${flag}`),
      ),
      'Gridlines: enabled',
    ]);
  });

  test('a hex text holds seven characters; what is no colour becomes #000000 when the field is left', () => {
    show();
    expect(hex().maxLength).toBe(7);
    fireEvent.change(hex(), { target: { value: '#1a7' } });
    fireEvent.blur(hex());
    expect(hex().value).toBe('#11AA77');
    for (const wrong of ['blue', '#12345', '123456', '']) {
      fireEvent.change(hex(), { target: { value: wrong } });
      expect(hex().value).toBe(wrong);
      fireEvent.blur(hex());
      expect(hex().value).toBe('#000000');
    }
  });

  test('the sample follows every change', () => {
    show();
    expect(sample().querySelectorAll('[data-gridline]').length).toBeGreaterThan(0);
    fireEvent.click(screen.getByRole('switch', { name: 'Gridlines: enabled' }));
    expect(sample().querySelectorAll('[data-gridline]')).toHaveLength(0);
    fireEvent.click(screen.getByRole('switch', { name: 'Title: italicize' }));
    expect(sample().querySelector('text')?.getAttribute('font-style')).toBe('italic');
    fireEvent.change(hex(), { target: { value: '#112233' } });
    expect(sample().querySelector('rect')?.getAttribute('fill')).toBe('#112233');
  });

  test('is saved on Submit and shapes charts at once', async () => {
    const posted = servePreferences();
    const { onBack, client } = show();
    fireEvent.change(screen.getByLabelText('Tertiary color'), { target: { value: '#010203' } });
    fireEvent.click(screen.getByRole('switch', { name: 'Y axis label: bold' }));
    click('Submit');
    await waitFor(() => expect(onBack).toHaveBeenCalledOnce());
    const { chart_formatting: formatting } = DEFAULT_PREFERENCES;
    const saved = {
      chart_formatting: { ...formatting, y_axis: { ...formatting.y_axis, bold: true } },
      colors: ['#F75D2C', '#BE58EA', '#010203'],
    };
    expect(posted).toEqual([saved]);
    expect(client.getQueryData(keys.preferences)).toEqual({ ...DEFAULT_PREFERENCES, ...saved });
  });

  test('Cancel takes changes back and sends nothing', () => {
    const posted = servePreferences();
    const { onBack } = show();
    fireEvent.click(screen.getByRole('switch', { name: 'Title: bold' }));
    click('Cancel');
    expect(onBack).toHaveBeenCalledOnce();
    expect(screen.getByRole('switch', { name: 'Title: bold' }).getAttribute('aria-checked')).toBe('true');
    expect(posted).toEqual([]);
  });
});
