import { CartesianGrid, ReferenceLine, XAxis, YAxis } from 'recharts';
import type { CartesianLayout } from './cartesian-layout';
import { bottomTick, leftTick, valueTick } from './chart-parts';
import type { Look } from './drawing';

interface Props {
  layout: CartesianLayout;
  horizontal: boolean;
  look: Look;
  /** The row's field that the label axis reads. */
  field: 'at' | 'index';
  /** Room at the ends of an axis of places rather than bands. */
  padding?: number;
  /** True where the file sets the ends of the value axis, so that marks beyond them are cut. */
  cut: boolean;
  /** True where the value axis does not start at nought: its lower end must not look like nought. */
  cutOff?: boolean;
  /** True for points, which are read off both axes. */
  points?: boolean;
}

/**
 * Grid, both axes, and the line of nought where figures lie below it. A function and not a component: recharts wants them as direct children of the chart to keep their
 * order below the marks.
 */
export function cartesianAxes({
  layout,
  horizontal,
  look,
  field,
  padding = 0,
  cut,
  cutOff = false,
  points = false,
}: Props) {
  const { label, value } = layout;
  const line = { stroke: look.tokens.axis };
  const category = label.domain === null;
  const below = value.domain[0] < 0 && value.domain[1] >= 0;
  const labelAxis = {
    dataKey: field,
    axisLine: cutOff || below ? { stroke: look.tokens.grid } : line,
    tickLine: false,
    interval: 0,
    type: category ? ('category' as const) : ('number' as const),
    ...(category ? {} : { domain: [...label.domain], ticks: [...label.ticks.at], allowDataOverflow: false }),
  };
  const valueAxis = {
    type: 'number' as const,
    domain: [...value.domain],
    ticks: [...value.ticks],
    interval: 0,
    axisLine: line,
    tickLine: false,
    allowDataOverflow: cut,
  };
  const grid = look.gridlines && (
    <CartesianGrid
      key="grid"
      stroke={look.tokens.grid}
      vertical={horizontal || points}
      horizontal={!horizontal || points}
    />
  );
  const nought = below && (
    <ReferenceLine key="nought" {...(horizontal ? { x: 0 } : { y: 0 })} stroke={look.tokens.axis} />
  );
  if (horizontal) {
    return [
      grid,
      <XAxis
        key="x"
        {...valueAxis}
        height={layout.bottomAxis}
        tick={valueTick(value.text, 'middle', look)}
      />,
      <YAxis key="y" {...labelAxis} width={layout.leftAxis} tick={leftTick(label.ticks, look)} />,
      nought,
    ];
  }
  return [
    grid,
    <XAxis
      key="x"
      {...labelAxis}
      height={layout.bottomAxis}
      tick={bottomTick(label.ticks, look)}
      padding={{ left: padding, right: padding }}
    />,
    <YAxis key="y" {...valueAxis} width={layout.leftAxis} tick={valueTick(value.text, 'end', look)} />,
    nought,
  ];
}
