import { useWidth } from 'design/use-element-width';
import { CHART_TYPE_NAMES, type ChartType, parseChartFile } from 'lib/chart-file';
import { pictureName } from 'lib/chart-files';
import { folded, isLong } from 'lib/chart-fold';
import { type ChartModel, chartModel, chartSummary, isEmpty, supports } from 'lib/chart-model';
import type { ChartPreferences } from 'lib/chart-preferences';
import { isSliced } from 'lib/chart-slices';
import { whyBad } from 'lib/chart-suits';
import { useCallback, useId, useMemo, useRef, useState } from 'react';
import styles from './chart-card.module.css';
import { ChartDrawing, prefetchRound } from './chart-drawing';
import { Empty, Unsupported } from './chart-message';
import { ChartNotes } from './chart-notes';
import { ChartTable } from './chart-table';
import { ChartTitle } from './chart-title';
import { ChartTools, type Panel } from './chart-tools';
import { ColorPanel } from './color-panel';
import { DrawingBoundary } from './drawing-boundary';
import { TypePanel } from './type-panel';
import { type Picked, usePickedModel, useRowColors, useSeriesColors } from './use-colors';
import { useLook, useTitle } from './use-look';
import { usePicture } from './use-picture';
import { useTokens } from './use-tokens';

export interface ChartCardProps {
  file: { readonly filename: string; readonly content: string };
  product: string;
  preferences: ChartPreferences;
  /** Units by series name, where the answer's table knows more than the chart file. */
  units?: Readonly<Record<string, string | null>>;
  /** What the answer left out: named where nothing is left to draw. */
  filters?: readonly string[];
  /** Shows the table that stands in a tab beside the chart; left out where the chart stands alone. */
  onTable?: (() => void) | undefined;
}

export { prefetchRound };

export default function ChartCard(props: ChartCardProps) {
  const { file, product, preferences, units, filters = [], onTable } = props;
  const model = useModel(file.content, units);
  if (model === null) {
    return (
      <figure className={styles.card} aria-label="Chart">
        <Unsupported product={product} type="line" />
      </figure>
    );
  }
  return (
    <Chart
      key={file.content}
      model={model}
      fileName={file.filename}
      product={product}
      preferences={preferences}
      filters={filters}
      onTable={onTable}
    />
  );
}

/** Made once a file: the same rows on every render, or the animation would start again. */
function useModel(content: string, units: ChartCardProps['units']): ChartModel | null {
  const known = JSON.stringify(units ?? {});
  return useMemo(() => {
    const file = parseChartFile(content);
    const model = file === null ? null : chartModel(file);
    if (model === null) return null;
    const byName = JSON.parse(known) as Record<string, string | null>;
    const series = model.series.map((one) => ({ ...one, unit: one.unit ?? byName[one.name] ?? null }));
    return { ...model, series };
  }, [content, known]);
}

interface ChartProps {
  model: ChartModel;
  fileName: string;
  product: string;
  preferences: ChartPreferences;
  filters: readonly string[];
  onTable: (() => void) | undefined;
}

function Chart({ model: whole, fileName, product, preferences, filters, onTable }: ChartProps) {
  const id = useId();
  const plot = useRef<HTMLDivElement>(null);
  const figure = useRef<HTMLElement>(null);
  const width = useWidth(plot);
  const tokens = useTokens();
  const [type, setType] = useState<ChartType>(whole.type);
  const [all, setAll] = useState(false);
  const long = type === 'bar' && isLong(whole);
  const model = useMemo(() => (long && !all ? folded(whole) : whole), [whole, long, all]);
  const [panel, setPanel] = useState<Panel>(null);
  const [table, setTable] = useState(false);
  const [drawn, setDrawn] = useState(false);
  const [seriesPicked, setSeriesPicked] = useState<Picked>({});
  const [rowsPicked, setRowsPicked] = useState<Picked>({});

  const sliced = isSliced(type);
  const shown = usePickedModel(model, seriesPicked);
  const colors = useSeriesColors(model, preferences.colors, seriesPicked);
  const rowColors = useRowColors(model, preferences.colors, rowsPicked, sliced);
  const look = useLook(model, preferences, tokens);
  const title = useTitle(model, preferences, tokens, width);
  const { failed, download, copy } = usePicture(figure, pictureName(fileName), tokens.surface);
  const onDrawn = useCallback(() => setDrawn(true), []);
  const summary = chartSummary(model, CHART_TYPE_NAMES[type]);
  const supported = supports(model, type);
  const empty = isEmpty(model);

  const pickType = (picked: ChartType) => {
    setType(picked);
    setTable(false);
  };
  const showTable = onTable ?? (() => setTable(true));
  const unsupported = <Unsupported product={product} type={type} onTable={showTable} onType={pickType} />;

  if (empty) {
    return (
      <figure className={styles.card} aria-label={summary}>
        <Empty title={model.title} type={type} rows={model.rows.length} filters={filters} />
      </figure>
    );
  }
  const names = sliced
    ? model.rows.slice(0, 60).map(({ label }) => label)
    : model.series.map(({ name }) => name || model.title || 'Values');
  return (
    <figure className={styles.card} aria-label={summary} ref={figure}>
      <div className={styles.title}>
        {model.title !== '' && width > 0 && (
          <ChartTitle lines={title.lines} look={title.look} width={width} font={tokens.font} />
        )}
      </div>
      <ChartTools
        id={id}
        type={type}
        panel={panel}
        table={table}
        onPanel={(opened) => {
          if (opened === 'type') prefetchRound();
          setPanel(opened);
        }}
        onTable={
          onTable
            ? null
            : (wanted) => {
                setTable(wanted);
                setPanel(null);
              }
        }
        colored={supported && !table}
        onCopy={supported && !table ? copy : null}
        onDownload={supported && !table ? download : null}
      />
      {panel === 'type' && (
        <TypePanel
          id={`${id}-type`}
          current={type}
          whyNot={(wanted) => whyBad(whole, wanted)}
          onPick={pickType}
        />
      )}
      {panel === 'colors' && (
        <ColorPanel
          id={`${id}-colors`}
          names={names}
          colors={sliced ? rowColors : colors}
          onCommit={(index, color) =>
            (sliced ? setRowsPicked : setSeriesPicked)((before) => ({ ...before, [index]: color }))
          }
        />
      )}
      <div className={styles.plot} ref={plot} data-chart-plot="">
        {table ? (
          <ChartTable model={whole} />
        ) : supported ? (
          width > 0 && (
            <DrawingBoundary resetKey={type} fallback={unsupported}>
              <ChartDrawing
                type={type}
                model={shown}
                width={width}
                look={look}
                colors={colors}
                rowColors={rowColors}
                animate={!drawn}
                onDrawn={onDrawn}
                summary={summary}
              />
            </DrawingBoundary>
          )
        ) : (
          unsupported
        )}
      </div>
      {supported && !table && width > 0 && (
        <ChartNotes model={shown} type={type} width={width} look={look} onTable={showTable}>
          {long && (
            <button type="button" aria-expanded={all} onClick={() => setAll(!all)}>
              {all ? 'Show fewer' : `Show all ${whole.rows.length}`}
            </button>
          )}
        </ChartNotes>
      )}
      {failed && (
        <p className={styles.failed} role="alert">
          The picture could not be made. Please try again.
        </p>
      )}
    </figure>
  );
}
