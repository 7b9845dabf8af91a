import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { DEFAULT_CHART_PREFERENCES } from 'lib/chart-preferences';
import { useToast } from 'stores/toast';
import { beforeAll, expect, test, vi } from 'vitest';
import { ChartViewer } from './chart-viewer';
import { IMAGE_COPY_FAILED } from './copy';

// The drawing library is large: a busy machine may need more than a test's second to read it.
beforeAll(() => import('./chart-card'), 60_000);

const TYPES = [
  'Line Chart',
  'Scatter Chart',
  'Bar Chart',
  'Pie Chart',
  'Doughnut Chart',
  'Radar Chart',
  'Polar Area Chart',
];
const UNSUPPORTED = "Product doesn't support this chart type for this data set. Please try another one.";
const won = {
  type: 'bar',
  title: 'Won by rep',
  labels: ['Ana', 'Bob', 'Cleo'],
  datasets: [
    { label: 'Q2', data: [108200, -86.5, null], unit: 'USD' },
    { label: 'Q3', data: [1, 2, 3] },
  ],
};

async function show(chart: unknown, units = {}, filters: string[] = []) {
  const content = typeof chart === 'string' ? chart : JSON.stringify(chart);
  render(
    <ChartViewer
      file={{ filename: 'won.json', content }}
      product="Product"
      preferences={DEFAULT_CHART_PREFERENCES}
      units={units}
      filters={filters}
    />,
  );
  await screen.findByRole('figure');
  return userEvent.setup();
}

const button = (name: string) => screen.getByRole('button', { name });

test('a chart is a figure whose name says what it shows', async () => {
  await show(won);
  expect(screen.getByRole('figure').getAttribute('aria-label')).toBe(
    'Bar Chart, Won by rep: Q2, Q3; 3 values, from Ana to Cleo.',
  );
});

test('the type panel has one button a type and marks the active one', async () => {
  const user = await show(won);
  await user.click(button('Chart type'));
  expect(TYPES.map((name) => button(name).getAttribute('aria-pressed'))).toEqual(
    TYPES.map((name) => String(name === 'Bar Chart')),
  );
  for (const name of TYPES) expect(button(name).textContent).toBe(name.replace(' Chart', ''));
  await user.click(button('Line Chart'));
  expect(button('Line Chart').getAttribute('aria-pressed')).toBe('true');
});

test('opening one of the two panels closes the other, and a second click closes it', async () => {
  const user = await show(won);
  await user.click(button('Chart type'));
  await user.click(button('Colors'));
  expect(screen.queryByRole('button', { name: 'Pie Chart' })).toBeNull();
  expect(screen.getByLabelText('Color of Q2')).toBeDefined();
  await user.click(button('Chart type'));
  expect(screen.queryByLabelText('Color of Q2')).toBeNull();
  await user.click(button('Chart type'));
  expect(screen.queryByRole('button', { name: 'Pie Chart' })).toBeNull();
});

test('a type that cannot show the data says so with the product’s name, and can be left again', async () => {
  const user = await show(won);
  await user.click(button('Chart type'));
  await user.click(button('Pie Chart'));
  expect(screen.getByText(UNSUPPORTED)).toBeDefined();
  expect((button('Download as PNG') as HTMLButtonElement).disabled).toBe(true);
  await user.click(button('Bar Chart'));
  expect(screen.queryByText(UNSUPPORTED)).toBeNull();
});

test('a file that is no chart gets the same text', async () => {
  await show('{"type":"bar","datasets":[{"data":["<script>"]}]}');
  expect(screen.getByText(UNSUPPORTED)).toBeDefined();
});

test('a chart without figures says that there is nothing to draw, and what was left out', async () => {
  const none = { type: 'bar', labels: [], datasets: [{ label: 'Q2', data: [] }] };
  await show(none, {}, ['Stage is Closed Won', 'Close date in 2026']);
  expect(screen.getByText('Filters: Stage is Closed Won; Close date in 2026.')).toBeDefined();
  expect(screen.getByText('No rows match, so there is nothing to draw.')).toBeDefined();
});

test('there is one colour a series, and one a slice for charts of slices', async () => {
  const user = await show({
    type: 'bar',
    labels: ['A', 'B', 'C'],
    datasets: [{ label: 'Won', data: [1, 2, 3] }],
  });
  await user.click(button('Colors'));
  expect(screen.getAllByLabelText(/^Hex color of/)).toHaveLength(1);
  await user.click(button('Chart type'));
  await user.click(button('Pie Chart'));
  await user.click(button('Colors'));
  expect(screen.getAllByLabelText(/^Hex color of/)).toHaveLength(3);
});

test('a colour counts when its field is left, and text that is no colour becomes black', async () => {
  const user = await show(won);
  await user.click(button('Colors'));
  const hex = screen.getByLabelText<HTMLInputElement>('Hex color of Q2');
  const swatch = screen.getByLabelText<HTMLInputElement>('Color of Q2');
  expect(hex.value).toBe('#F75D2C');
  expect(hex.maxLength).toBe(7);
  await user.clear(hex);
  await user.type(hex, '#0e7490');
  expect(hex.value).toBe('#0e7490');
  await user.tab();
  expect(hex.value).toBe('#0E7490');
  expect(swatch.value).toBe('#0e7490');
  await user.clear(hex);
  await user.type(hex, 'orange');
  await user.tab();
  expect(hex.value).toBe('#000000');
});

test('series take the reader’s palette unless the file asks for colours', async () => {
  const user = await show({
    ...won,
    datasets: [
      { label: 'Own', data: [1, 2, 3], backgroundColor: 'teal' },
      { label: 'Palette', data: [1, 2, 3] },
    ],
  });
  await user.click(button('Colors'));
  expect(screen.getByLabelText<HTMLInputElement>('Hex color of Own').value).toBe('#008080');
  expect(screen.getByLabelText<HTMLInputElement>('Hex color of Palette').value).toBe('#EC8AB8');
});

test('as a table it shows exact figures, their units once above them, and gaps by name', async () => {
  const user = await show(won, { Q3: '%' });
  await user.click(button('Show as table'));
  const [head, ...rows] = within(screen.getByRole('table')).getAllByRole('row');
  expect(head?.textContent).toBe('CategoryQ2 USDQ3 %');
  expect(rows.map((row) => row.textContent)).toEqual(['Ana108,200.001', 'Bob−86.502', 'Cleo–3']);
  expect(screen.getByLabelText('no value')).toBeDefined();
  await user.click(button('Show as table'));
  expect(screen.queryByRole('table')).toBeNull();
});

test('a picture is handed to the clipboard in the moment of the click, before it is made', async () => {
  await show(won);
  const write = vi.spyOn(navigator.clipboard, 'write').mockResolvedValue();
  vi.stubGlobal('ClipboardItem', class {});
  fireEvent.click(button('Copy image'));
  expect(write).toHaveBeenCalledOnce();
  await waitFor(() => expect(useToast.getState().toast?.content).toBe(IMAGE_COPY_FAILED)); // no canvas here
  vi.unstubAllGlobals();
});
