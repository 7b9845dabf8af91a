/** The colours of a chart: the reader's pick first, then the file's wish, then the palette spread over series or slices. */
import type { ChartModel } from 'lib/chart-model';
import { slicesOf } from 'lib/chart-slices';
import { spreadPalette } from 'lib/colors';
import { useMemo } from 'react';

/** Colours picked in the panel, by series or row. */
export type Picked = Readonly<Record<number, string>>;

/** A colour picked for a series stands over the colours the file gives its bars. */
export function usePickedModel(model: ChartModel, picked: Picked): ChartModel {
  return useMemo(() => {
    if (Object.keys(picked).length === 0) return model;
    return {
      ...model,
      series: model.series.map((one, index) => (picked[index] === undefined ? one : { ...one, colors: [] })),
    };
  }, [model, picked]);
}

export function useSeriesColors(model: ChartModel, palette: readonly string[], picked: Picked): string[] {
  return useMemo(() => {
    const spread = spreadPalette(model.series.length, palette);
    return model.series.map(({ colors }, index) => picked[index] ?? colors[0] ?? spread[index] ?? '#F75D2C');
  }, [model, palette, picked]);
}

export function useRowColors(
  model: ChartModel,
  palette: readonly string[],
  picked: Picked,
  sliced: boolean,
): string[] {
  return useMemo(() => {
    if (!sliced) return [];
    const given = model.series[0]?.colors ?? [];
    const spread = sliceColors(model, palette);
    return model.rows.map((_, index) => {
      const own = given.length > 1 ? given[index % given.length] : undefined;
      return picked[index] ?? own ?? spread[index] ?? '#F75D2C';
    });
  }, [model, palette, picked, sliced]);
}

/** Slices of a pie that gathers the small ones share the palette by size, so that neighbours can be told apart. */
function sliceColors(model: ChartModel, palette: readonly string[]): string[] {
  const slices = slicesOf(model);
  if (slices.length === model.rows.length) return spreadPalette(model.rows.length, palette);
  const named = spreadPalette(slices.length - 1, palette);
  const colors = model.rows.map(() => named.at(-1) ?? '#F75D2C');
  for (const [place, { row }] of slices.entries()) if (row >= 0) colors[row] = named[place] ?? '#F75D2C';
  return colors;
}
