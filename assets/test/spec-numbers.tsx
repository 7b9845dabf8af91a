/** The numbers of the specification (SPEC 2, 3, 4, 5, 9), one row each: what it says, and where the product has it. */
import { screen } from '@testing-library/react';
import { DEFAULT_PREFERENCES, RESPONSE_STYLES } from 'api/preferences';
import { ORGANIZATION_CONTEXT } from 'api/queries';
import { safeAddress } from 'features/answer/links';
import { ANIMATION_MS } from 'features/chart-viewer/drawing';
import { COLLAPSE_MS } from 'features/company/keyword-row';
import * as sending from 'features/conversation/limits';
import { PRESETS } from 'features/conversation/presets';
import { REFRESH_MESSAGE_MS } from 'features/manage-data/crm-copy';
import { PREVIEW_CHARACTERS, PREVIEW_ROWS } from 'features/previews/file-view';
import { PASSWORD_HINT } from 'features/sign-in/copy';
import { PENDING_MS } from 'features/sign-in/pending';
import { PROMPTS_SHOWN, RETURN_MS, TOPICS_SHOWN } from 'features/trending/limits';
import { TOPICS } from 'features/trending/topics';
import * as validating from 'features/validation/limits';
import { CHART_TYPES, type ChartFile, parseChartFile } from 'lib/chart-file';
import { chartModel } from 'lib/chart-model';
import { DEFAULT_PALETTE, spreadPalette } from 'lib/colors';
import { epochMillis } from 'lib/epochs';
import { cleanName } from 'lib/file-names';
import { timeGroup } from 'lib/time-groups';
import { OVERLAY_MS } from 'screens/chat/chat-screen';
import { DEFAULT_TEMPERATURE } from 'stores/models';
import { LONG_MS, SHORT_MS } from 'stores/toast';
import { formatting, manageData, preview } from './spec-stage';

export type NumberRow = readonly [section: string, what: string, said: unknown, held: () => unknown];

const shown = <T,>(put: () => void, read: () => T) => {
  put();
  return read();
};
const ONE_BAR: ChartFile = { type: 'bar', datasets: [{ data: [5, 6] }] };
const now = new Date(2026, 10, 21, 12);
const daysAgo = (days: number) => new Date(2026, 10, 21 - days, 9).getTime() / 1000;

export const NUMBERS: readonly NumberRow[] = [
  ['4', 'the loading message comes after 750 ms', 750, () => sending.LOADING_DELAY_MS],
  ['4', 'the first response is waited for 5 s', 5_000, () => sending.FIRST_RESPONSE_WAIT_MS],
  ['9', 'polling ends after 40 attempts', 40, () => sending.POLL_ATTEMPTS],
  ['9', 'two polls are 3 s apart', 3_000, () => sending.POLL_SPACING_MS],
  ['8', 'one polling error is tried again', 1, () => sending.POLL_RETRIES],
  ['9', 'a validation is polled 40 times', 40, () => validating.POLL_ATTEMPTS],
  ['9', 'a validation is polled every 3 s', 3_000, () => validating.POLL_SPACING_MS],
  ['8', 'one failed fetch of a validation is tried again', 1, () => validating.POLL_RETRIES],
  ['9', 'the CRM says after 180 s how its refresh went', 180_000, () => REFRESH_MESSAGE_MS],
  ['4', 'complete and error toasts hide after 3 s', 3_000, () => SHORT_MS],
  ['4', 'all other toasts hide after 10 s', 10_000, () => LONG_MS],
  ['9', 'trending shows 5 topics', 5, () => TOPICS_SHOWN],
  ['9', 'a topic shows 5 prompts', 5, () => PROMPTS_SHOWN],
  ['9', 'the topics return after 0.5 s', 500, () => RETURN_MS],
  [
    '9',
    'the 11 trending topics',
    [
      'Sales Meetings',
      'Sales Emails',
      'Revenue Trends',
      'Pipeline Formation',
      'Pipeline Performance',
      'Target Achievement',
      'Recent Wins',
      'Churned Customers',
      'At Risk Opportunities',
      'Pipeline Quality',
      'Pipeline Activity',
    ],
    () => TOPICS.map(({ title }) => title),
  ],
  ['9', 'there are 4 example questions', 4, () => sending.EXAMPLE_QUESTIONS],
  ['9', 'there are 16 preset questions', 16, () => PRESETS.length],
  ['9', 'the temperature is 1', 1, () => DEFAULT_TEMPERATURE],
  ['9', 'the response preference is Standard', 'Standard', () => DEFAULT_PREFERENCES.response_preference],
  ['9', 'the styles', ['Standard', 'Concise', 'Explanatory'], () => RESPONSE_STYLES],
  [
    '9',
    'files of .csv and .xlsx are accepted',
    '.csv,.xlsx',
    () => shown(manageData, () => screen.getByTestId('upload').getAttribute('accept')),
  ],
  ['9', 'sounds play at 0.35', 0.35, () => sending.AUDIO_VOLUME],
  ['9', 'the overlay stays 800 ms', 800, () => OVERLAY_MS],
  ['9', 'a sign-in session is stored 3 minutes', 180_000, () => PENDING_MS],
  [
    '9',
    'a password is longer than 8 characters',
    true,
    () => PASSWORD_HINT.includes('longer than 8 characters'),
  ],
  ['9', 'the message input is 120 px high at most', 120, () => sending.INPUT_MAX_HEIGHT],
  ['9', 'a CSV preview has 7 rows', 7, () => PREVIEW_ROWS],
  ['9', 'a text preview has 280 characters', 280, () => PREVIEW_CHARACTERS],
  [
    '9',
    'a PDF preview is 500 px high',
    '500',
    () => shown(preview('plan.pdf'), () => document.querySelector('iframe')?.getAttribute('height')),
  ],
  [
    '5',
    'a hex colour has 7 characters at most',
    7,
    () => shown(formatting, () => screen.getByLabelText<HTMLInputElement>('Primary color as hex').maxLength),
  ],
  ['9', 'the default palette', ['#F75D2C', '#BE58EA', '#EC8AB8'], () => DEFAULT_PALETTE],
  ['9', 'the palette is spread over the series', 5, () => new Set(spreadPalette(5)).size],
  ['9', 'a chart is drawn in 700 ms', 700, () => ANIMATION_MS],
  ['9', 'a chart title is bold', true, () => DEFAULT_PREFERENCES.chart_formatting.title.bold],
  ['9', 'a chart title has size 20', 20, () => chartModel(ONE_BAR)?.titleStyle.size],
  [
    '3',
    'a chart is a line chart where nothing else is said',
    'line',
    () => parseChartFile('{"datasets":[]}')?.type,
  ],
  ['3', "the key of the organisation's own text", 'Organization Level Context', () => ORGANIZATION_CONTEXT],
  [
    '5',
    'links go by six protocols',
    ['http', 'https', 'irc', 'ircs', 'mailto', 'xmpp'],
    () =>
      ['http', 'https', 'irc', 'ircs', 'mailto', 'xmpp', 'ftp', 'javascript', 'data', 'file', 'tel'].filter(
        (protocol) => safeAddress(`${protocol}:a@example.com`) !== null,
      ),
  ],
  ['5', 'a file name is cleaned and its .xlsx becomes .csv', 'a b_1-c.csv', () => cleanName('a b_1-c!.xlsx')],
  ['3', 'there are 7 chart types', 7, () => CHART_TYPES.length],
  [
    '9',
    'plain data is labelled Category and its index',
    ['Category 1', 'Category 2'],
    () => chartModel(ONE_BAR)?.rows.map(({ label }) => label),
  ],
  ['9', 'an epoch of 13 digits', 1_767_225_600_000, () => epochMillis(1_767_225_600_000)],
  [
    '9',
    'an epoch of 16 digits is divided by 1,000',
    1_767_225_600_000,
    () => epochMillis('1767225600000000'),
  ],
  [
    '9',
    'an epoch of 19 digits is divided by 1,000,000',
    1_767_225_600_000,
    () => epochMillis('1767225600000000000'),
  ],
  [
    '9',
    'history has today, yesterday, 7 days, a month, before',
    ['Today', 'Yesterday', 'Past Week', 'Past Week', 'Past Month', 'Before'],
    () => [0, 1, 2, 7, 8, 40].map((days) => timeGroup(daysAgo(days), now)),
  ],
  ['9', 'a keyword collapses in 400 ms', 400, () => COLLAPSE_MS],
];
