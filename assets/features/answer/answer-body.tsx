import type { AnswerParts, KeptKeyword, Message, MessageFile } from 'api/types';
import { isChartFile } from 'lib/chart-files';
import { memo, type ReactNode, useMemo } from 'react';
import { BUILT_IN } from 'stores/models';
import styles from './answer-body.module.css';
import { AnswerTable } from './answer-table';
import type { Readings } from './api';
import { ChartOrTable } from './chart-or-table';
import { Choices } from './choices';
import { EvidenceLine } from './evidence-line';
import { FileChips } from './file-chips';
import { HeadlineFigure } from './headline-figure';
import { HeldNote } from './held-note';
import { type Figure, InlineFigures } from './inline-figures';
import { MarkdownText } from './markdown-text';
import { ReadAsLine } from './read-as';
import { ToldLine } from './told-line';

/** Units of figures by the name of their column or series. */
export type Units = Readonly<Record<string, string | null>>;

/** `onTable` shows the table that stands in a tab beside the chart. */
export type RenderChart = (
  file: MessageFile,
  units: Units,
  filters: readonly string[],
  onTable?: () => void,
) => ReactNode;

const NO_FILES: readonly MessageFile[] = [];
const NO_FILTERS: readonly string[] = [];

/** A table of fewer columns reads better in the measure of the text, unless it stands below a chart. */
const WIDE_COLUMNS = 6;

interface Props {
  message: Message;
  /** The thread it stands in, where it has one: whole tables are fetched by it. */
  threadId?: string | null;
  /** Only what the answer says: no charts, no files, no ways to go on. */
  brief?: boolean;
  /** Draws a chart file; handed in, because charts are a feature of their own. */
  renderChart: RenderChart;
  /** Asks a question at once. */
  onAsk: (question: string) => void;
  /** Keeps what a choice settles as a keyword of the organization. */
  onKeep?: ((keyword: KeptKeyword) => void) | undefined;
  /** Keeps for always what the choice at this place means. */
  onTeach?: ((place: number) => void) | undefined;
  /** Puts the question back into the composer, its unread word selected, and says that word. */
  onReword?: (() => string | null) | undefined;
  onPreview?: (file: MessageFile) => void;
  /** Other readings of its parts; left out where the answer cannot be changed. */
  readings?: Readings | undefined;
}

/**
 * The inside of an assistant's message: headline figure, text, charts, table, files, assumptions, evidence; each only
 * where the answer has it. A message without a structured answer is its Markdown.
 */
export const AnswerBody = memo(function AnswerBody(props: Props) {
  const { message, threadId = null, brief = false, renderChart, onPreview } = props;
  const { answer, output_files: files } = message;
  const charts = useMemo(() => files.filter(isChartFile), [files]);
  const others = brief ? NO_FILES : files.filter((file) => !isChartFile(file));
  const units = useMemo(() => unitsOf(answer), [answer]);
  const table = answer?.table ?? null;
  const filters = answer?.evidence?.filters ?? NO_FILTERS;
  const said = useMemo(() => (saysMore(answer) ? null : figuresOf(answer)), [answer]);
  const shared = useMemo(() => (brief ? null : sharedChart(answer, charts)), [brief, answer, charts]);
  const shownTable = table !== null && saysMore(answer) && (
    <AnswerTable
      table={table}
      filters={filters}
      fileName={tableName(answer, charts)}
      stored={threadId === null ? null : { threadId, messageId: message.message_id }}
    />
  );
  return (
    <div className={styles.answer}>
      {answer?.headline && <HeadlineFigure headline={answer.headline} />}
      {said && <InlineFigures figures={said} />}
      {answer && answer.status !== 'answered' && !brief && <ReadAsPart {...props} head="Understood" />}
      <Text text={answer ? answer.text : message.content} />
      {answer?.status === 'answered' && !brief && <ReadAsPart {...props} head="Read as" />}
      {answer?.held && !brief && <HeldNote held={answer.held} readings={props.readings} />}
      {shared && (
        <div className={styles.wide}>
          <ChartOrTable
            chart={(onTable) => renderChart(shared, units, filters, onTable)}
            table={shownTable}
          />
        </div>
      )}
      {(brief || shared ? NO_FILES : charts).map((file) => (
        <div key={file.filename} className={styles.wide}>
          {renderChart(file, units, filters)}
        </div>
      ))}
      {!shared && shownTable && (
        <div
          className={
            !brief && (charts.length > 0 || (table?.columns.length ?? 0) >= WIDE_COLUMNS)
              ? styles.wide
              : undefined
          }
        >
          {shownTable}
        </div>
      )}
      {others.length > 0 && <FileChips files={others} onPreview={onPreview} />}
      {answer?.memory && <p className={styles.memory}>{answer.memory.text}</p>}
      {answer && !brief && <Ways {...props} answer={answer} />}
      {answer && !brief && threadId !== null && (
        <Told message={message} answer={answer} threadId={threadId} />
      )}
    </div>
  );
});

/** What language models were told for it, and why none of them answered, where one was asked for. */
function Told({ message, answer, threadId }: { message: Message; answer: AnswerParts; threadId: string }) {
  const models = answer.told_to ?? [];
  const stoodIn = Boolean(answer.instead) || (models.length > 0 && message.model === BUILT_IN);
  if (models.length === 0 && !stoodIn) return null;
  return (
    <ToldLine
      models={models}
      instead={stoodIn ? (answer.instead ?? '') : undefined}
      threadId={threadId}
      messageId={message.message_id}
    />
  );
}

function ReadAsPart({ message, readings, head }: Props & { head: string }) {
  const readAs = message.answer?.read_as;
  if (!readAs) return null;
  return <ReadAsLine head={head} readAs={readAs} messageId={message.message_id} readings={readings} />;
}

function Text({ text }: { text: string }) {
  return text.trim() === '' ? null : <MarkdownText text={text} />;
}

type WaysProps = Pick<Props, 'onAsk' | 'onKeep' | 'onTeach' | 'onReword'> & { answer: AnswerParts };

function Ways({ answer, onAsk, onKeep, onTeach, onReword }: WaysProps) {
  const { status, assumptions, choices, evidence } = answer;
  return (
    <>
      {choices.length > 0 && (
        <Choices
          status={status}
          choices={choices}
          onAsk={onAsk}
          onKeep={onKeep}
          onTeach={onTeach}
          onReword={onReword}
        />
      )}
      {assumptions.length > 0 && !answer.read_as && (
        <ul className={styles.assumptions} aria-label="Assumptions">
          {assumptions.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
      {evidence && (
        <EvidenceLine evidence={evidence} assumptions={answer.read_as ? assumptions : NO_FILTERS} />
      )}
    </>
  );
}

const FEW = 2;

/** One row of a figure or two says nothing more than the headline, the text, or the figures in a line. */
function saysMore(answer: AnswerParts | null): boolean {
  const table = answer?.table;
  if (!table) return false;
  if (table.rows.length !== 1 || table.columns.length > FEW) return true;
  return !answer.headline && figuresOf(answer) === null;
}

/** The figures of one row that no headline tells: two stand in a line. */
function figuresOf(answer: AnswerParts | null): readonly Figure[] | null {
  const row = answer?.table?.rows[0];
  if (!answer?.table || answer.headline || answer.table.rows.length !== 1 || !row) return null;
  if (row.length > FEW || !row.every((value) => typeof value === 'number')) return null;
  if (answer.table.columns.some(({ kind }) => kind === 'dimension')) return null;
  return answer.table.columns.map(({ name, unit }, index) => ({ name, unit, value: Number(row[index]) }));
}

/** The only chart, where it shows the rows of the table: both say the same and share a card. */
function sharedChart(answer: AnswerParts | null, charts: readonly MessageFile[]): MessageFile | null {
  const [only, ...others] = charts;
  const rows = answer?.table?.rows.length ?? 0;
  if (!only || others.length > 0 || rows < FEW || !saysMore(answer)) return null;
  return placesOf(only.content) <= rows ? only : null;
}

/** How many places a chart has along its labels; endless where its text cannot be read. */
function placesOf(content: string): number {
  try {
    const { labels, datasets } = JSON.parse(content) as {
      labels?: unknown[];
      datasets?: { data?: unknown[] }[];
    };
    return labels?.length ?? datasets?.[0]?.data?.length ?? 0;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

function unitsOf(answer: AnswerParts | null): Units {
  return Object.fromEntries((answer?.table?.columns ?? []).map(({ name, unit }) => [name, unit]));
}

/** A download is named after the chart, else after the figure or the source. */
function tableName(answer: AnswerParts | null, charts: readonly MessageFile[]): string {
  const name =
    charts[0]?.filename.replace(/\.[^.]+$/, '') ||
    answer?.headline?.label ||
    answer?.evidence?.sources[0]?.name ||
    'answer';
  return (
    name
      .replace(/[^\p{L}\p{N}._ -]+/gu, ' ')
      .trim()
      .slice(0, 80) || 'answer'
  );
}
