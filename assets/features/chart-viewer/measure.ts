import type { Measure } from 'lib/chart-layout';

let context: CanvasRenderingContext2D | null | undefined;

/** A measure of texts in px for one font; where there is no canvas, letters count as 0.56 of the size. */
export function measureIn(font: string, size: number, weight = 400): Measure {
  const known = new Map<string, number>();
  return (text) => {
    const cached = known.get(text);
    if (cached !== undefined) return cached;
    const width = measured(text, `${weight} ${size}px ${font}`) ?? text.length * size * 0.56;
    known.set(text, width);
    return width;
  };
}

function measured(text: string, font: string): number | null {
  if (context === undefined) context = document.createElement('canvas').getContext?.('2d') ?? null;
  if (context === null) return null;
  context.font = font;
  return context.measureText(text).width;
}
