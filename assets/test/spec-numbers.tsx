/** The specification's other numbers, each counted or read where a member meets it. Times stand in spec-clock. */
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import MarkdownBody from 'features/answer/markdown';
import { runCalls } from 'features/conversation/api';
import { PRESETS } from 'features/conversation/presets';
import { playSound } from 'features/conversation/sounds';
import { Trending } from 'features/trending/trending';
import { HttpResponse, http } from 'msw';
import { server } from 'test/server';
import { vi } from 'vitest';
import { CLOCK, type Measure } from './spec-clock';
import type { Figure } from './spec-list';
import * as stage from './spec-stage';
import * as wholes from './spec-wholes';

const { press, show, none } = stage;

/** What is read once it is on the screen: null and undefined are waited out. */
const once = <T,>(read: () => T) =>
  waitFor(() => {
    const found = read();
    if (found === null || found === undefined) throw new Error('not there yet');
    return found;
  });
const count = (role: string, within_ = screen as Pick<typeof screen, 'getAllByRole'>) =>
  within_.getAllByRole(role).length;

// ------------------------------------------------------------------------------------------------ greeting and trending
async function examples(suggestions?: () => HttpResponse<object>): Promise<string[]> {
  stage.greeting(suggestions);
  const list = await screen.findByRole('list', { name: 'Example questions' });
  return within(list)
    .getAllByRole('button')
    .map((one) => one.textContent ?? '');
}

const topicsShown = () => {
  const { unmount } = render(<Trending disabled={false} onPick={none} />);
  const titles = screen.getAllByRole('button').map((one) => one.textContent ?? '');
  unmount();
  return titles;
};

function promptsShown(): number {
  show(<Trending disabled={false} onPick={none} />);
  fireEvent.click(screen.getAllByRole('button')[0] as HTMLElement);
  return screen.getAllByRole('button').filter((one) => !/Back to the topics/.test(one.textContent ?? ''))
    .length;
}

// ------------------------------------------------------------------------------------------------------------ the chat
async function temperatureSent(): Promise<unknown> {
  const sent: { temperature?: unknown }[] = [];
  server.use(
    http.post('*/api/v3/ask', async ({ request }) => {
      sent.push((await request.json()) as object);
      return HttpResponse.json({});
    }),
  );
  await runCalls.send(stage.asked);
  return sent[0]?.temperature;
}

function volumes(): number[] {
  const played: { volume: number }[] = [];
  vi.stubGlobal(
    'Audio',
    class {
      volume = 1;
      play() {
        played.push(this);
        return Promise.resolve();
      }
    },
  );
  playSound('success');
  playSound('failure');
  vi.unstubAllGlobals();
  return played.map(({ volume }) => volume);
}

const link = (protocol: string) => `[${protocol}](${protocol}:a@example.com)`;
const PROTOCOLS = [
  'http',
  'https',
  'irc',
  'ircs',
  'mailto',
  'xmpp',
  'ftp',
  'javascript',
  'data',
  'file',
  'tel',
];
function linked() {
  show(<MarkdownBody text={PROTOCOLS.map(link).join('\n\n')} />);
  return screen.getAllByRole('link').map((one) => one.textContent);
}

// -------------------------------------------------------------------------------------------------------------- panels
const responseStyle = () => {
  stage.settings();
  return screen.getByLabelText<HTMLSelectElement>('Response Style');
};

async function cleanedName(): Promise<string | undefined> {
  stage.manageData('uploaded', [{ ...stage.source, file_name: 'a b_1-c.csv' }]);
  const file = new File(['a\n1'], 'a b_1-c!.xlsx');
  fireEvent.change(screen.getByTestId('upload'), { target: { files: [file] } });
  const said = await screen.findByText(/^A file with the name/);
  return said.textContent?.replace(' Please delete it and try again.', '');
}

/** The group of each, in the order they stand in. */
function threadGroups() {
  stage.history([0, 1, 2, 7, 8, 40].map(stage.thread))();
  return screen
    .getAllByText('Won deals')
    .map((one) => one.closest('section[aria-label]')?.getAttribute('aria-label'));
}

const hex = () => screen.getByLabelText<HTMLInputElement>('Primary color as hex');
function threeDigits(): string {
  stage.formatting();
  fireEvent.change(hex(), { target: { value: '#F90' } });
  fireEvent.blur(hex());
  return hex().value;
}

async function organizationText(): Promise<string> {
  server.use(
    http.get('*/api/v3/explanation', () =>
      HttpResponse.json({ 'deals.csv': 'Of a file.', 'Organization Level Context': 'We sell boats.' }),
    ),
  );
  stage.intakePanel();
  return (await screen.findByLabelText<HTMLTextAreaElement>('General context')).value;
}

// ------------------------------------------------------------------------------------------------------------ previews
function preview(filename: string, content: string) {
  stage.preview(filename, content)();
  return screen.getByRole('dialog');
}
const ROWS = Array.from({ length: 30 }, (_, at) => `${at}`).join('\n');

// -------------------------------------------------------------------------------------------------------------- charts
const chart = async (file: object) => {
  wholes.chart(JSON.stringify(file))();
  return screen.findByRole('figure');
};
const DATA = [1, 2, 3, 4, 5];

async function colors(file: object): Promise<string[]> {
  await chart(file);
  press('Colors');
  return screen.getAllByLabelText<HTMLInputElement>(/^Hex color of/).map(({ value }) => value);
}

async function titleLook(name: 'font-size' | 'font-weight'): Promise<string | null> {
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(600);
  const figure = await chart({ title: 'Won', labels: ['A'], datasets: [{ data: [1] }] });
  return figure.querySelector('[data-chart-part="title"] text')?.getAttribute(name) ?? null;
}

/** The names of its rows, read off the table beside the drawing. */
async function labels(file: object): Promise<(string | null)[]> {
  await chart(file);
  press('Show as table');
  return screen.getAllByRole('rowheader').map((one) => one.textContent);
}

const FIRST_OF_2026 = ['2026-01-01', '1767225600000', '1767225600000000', '1767225600000000000'];
async function dates() {
  const found: (string | null)[] = [];
  for (const x of FIRST_OF_2026) {
    found.push(...(await labels({ datasets: [{ data: [{ x, y: 1 }] }] })));
    cleanup();
  }
  return found;
}

async function typesWithoutLabels(): Promise<number> {
  await chart({ datasets: [{ data: DATA }] });
  press('Chart type');
  const types = () => [...document.querySelectorAll<HTMLElement>('fieldset button')];
  let drawn = 0;
  for (const at of types().keys()) {
    act(() => types()[at]?.click());
    if (!screen.queryByText(/doesn't support this chart type/)) drawn += 1;
  }
  return drawn;
}

const COUNTED = {
  'trending topics shown': () => topicsShown().length,
  'prompts shown of a topic': promptsShown,
  'the trending topics': () => [...new Set(Array.from({ length: 40 }, topicsShown).flat())].sort(),
  'example questions': async () => (await examples()).length,
  'preset questions where the suggestions cannot be had': async () =>
    (await examples(() => HttpResponse.json({}, { status: 500 }))).filter((one) => PRESETS.includes(one))
      .length,
  'preset questions to draw from': () => new Set(PRESETS).size,
  'the temperature that is sent': temperatureSent,
  'the response preference': () => responseStyle().value,
  'the response styles': () => [...responseStyle().options].map(({ text }) => text),
  'files that can be chosen': () => {
    stage.manageData();
    return screen.getByTestId('upload').getAttribute('accept');
  },
  'the volume of both sounds': volumes,
  'rows of a CSV preview': () => count('row', within(preview('a.csv', `Amount\n${ROWS}`))) - 1,
  'characters of a text preview': () =>
    preview('a.txt', 'x'.repeat(900)).querySelector('pre')?.textContent?.replace('…', '').length,
  'px of a PDF preview': () => {
    preview('plan.pdf', 'x');
    return once(() => document.querySelector('iframe')?.getAttribute('height'));
  },
  "characters of a colour's hex text": () => {
    stage.formatting();
    return hex().maxLength;
  },
  'a hex text of 3 digits stays': threeDigits,
  'the default palette': () =>
    colors({ labels: ['A'], datasets: [{ data: [1] }, { data: [1] }, { data: [1] }] }),
  'the palette of five series, by Lab': () =>
    colors({ labels: ['A'], datasets: DATA.map((value) => ({ label: `${value}`, data: [value] })) }),
  'the palette of five points': () =>
    colors({ type: 'pie', labels: DATA.map(String), datasets: [{ data: DATA }] }),
  'size of a chart title': () => titleLook('font-size'),
  'weight of a chart title': () => titleLook('font-weight'),
  'the type of a chart that names none': async () =>
    /^[^,:;]*/.exec(
      (await chart({ labels: ['A'], datasets: [{ data: [1] }] })).getAttribute('aria-label') ?? '',
    )?.[0],
  'chart types': async () => {
    await chart({ datasets: [{ data: DATA }] });
    press('Chart type');
    return document.querySelectorAll('fieldset button').length;
  },
  'chart types that draw a chart without labels': typesWithoutLabels,
  'labels of plain data': () => labels({ datasets: [{ data: [5, 6] }] }),
  'labels with axis choice y': () =>
    labels({
      type: 'bar',
      datasets: [
        {
          data: [
            { x: 3, y: 'West' },
            { x: 4, y: 'East' },
          ],
        },
      ],
      options: { indexAxis: 'y' },
    }),
  'dates, and epochs of 13, 16 and 19 digits': dates,
  "the organization's own text": organizationText,
  'protocols that are linked': linked,
  'the cleaned name of a file that is there': cleanedName,
  'groups of threads of 0, 1, 2, 7, 8 and 40 days': threadGroups,
} as const satisfies Readonly<Record<string, () => unknown>>;

/** Each number of the list with what measures it. */
export const MEASURES: Readonly<Record<Figure, Measure>> = { ...COUNTED, ...CLOCK };
