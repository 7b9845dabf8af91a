import type { TextLook } from './drawing';

interface Props {
  lines: readonly string[];
  look: TextLook;
  width: number;
  font: string;
}

/** The title as a picture of its own, so that it can stand above the buttons and still be in the download. */
export function ChartTitle({ lines, look, width, font }: Props) {
  const line = Math.round(look.fontSize * 1.35);
  return (
    <svg
      width={width}
      height={lines.length * line + 4}
      aria-hidden="true"
      data-chart-part="title"
      style={{ fontVariantNumeric: 'normal' }}
    >
      {lines.map((text, index) => (
        <text
          key={text}
          x={width / 2}
          y={line * index + look.fontSize}
          textAnchor="middle"
          fontFamily={font}
          letterSpacing="-0.01em"
          {...look}
        >
          {text}
        </text>
      ))}
    </svg>
  );
}
