import { wrap } from 'lib/chart-layout';
import type { ChartModel } from 'lib/chart-model';
import type { ChartPreferences } from 'lib/chart-preferences';
import { useMemo } from 'react';
import { type Look, type TextLook, TICK_SIZE, textLook } from './drawing';
import { measureIn } from './measure';
import type { Tokens } from './use-tokens';

/** How texts and lines of the plot look: the reader's formatting on the theme's colours. */
export function useLook(model: ChartModel, preferences: ChartPreferences, tokens: Tokens): Look {
  const { chart_formatting: formatting, colors } = preferences;
  return useMemo(() => {
    const axis = (name: 'x' | 'y', palette: string | undefined): TextLook =>
      textLook(
        formatting[name === 'x' ? 'x_axis' : 'y_axis'],
        13,
        null,
        { palette, file: model[name].color, standard: tokens.text2 },
        tokens.surface,
      );
    return {
      tokens,
      gridlines: formatting.gridlines.enabled,
      x: axis('x', colors[1]),
      y: axis('y', colors[2]),
      measure: measureIn(tokens.font, TICK_SIZE),
    };
  }, [model, formatting, colors, tokens]);
}

/** The title's look and its lines at this width. */
export function useTitle(model: ChartModel, preferences: ChartPreferences, tokens: Tokens, width: number) {
  const { chart_formatting: formatting, colors } = preferences;
  return useMemo(() => {
    const { size, weight, color } = model.titleStyle;
    const palette = { palette: colors[0], file: color, standard: tokens.text };
    const look = textLook(formatting.title, size, weight, palette, tokens.surface);
    const lines = wrap(model.title, width - 16, 3, measureIn(tokens.font, look.fontSize, look.fontWeight));
    return { look, lines };
  }, [model, formatting, colors, tokens, width]);
}
