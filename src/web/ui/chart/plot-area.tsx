import { AxisBottom, AxisLeft, type AxisScale } from '@visx/axis';
import { GridRows } from '@visx/grid';
import { Group } from '@visx/group';
import type { PlotSize } from './chart-frame.tsx';

export interface Margin {
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly left: number;
}

/** The area inside the margins. */
export function innerSize({ width, height }: PlotSize, margin: Margin): PlotSize {
  return {
    width: Math.max(1, width - margin.left - margin.right),
    height: Math.max(1, height - margin.top - margin.bottom),
  };
}

/** Distance from the axis to its labels, in pixels. */
const TICK = 8;

/** Width of the labels of the value axis. @param texts the labels as displayed */
export function axisWidth(texts: readonly string[]): number {
  return TICK + 4 + textWidth(texts);
}

/** Estimated width of the longest of these in the font of a chart, in pixels. */
export function textWidth(texts: readonly string[]): number {
  return Math.ceil(Math.max(0, ...texts.map(({ length }) => length)) * 7.2);
}

type PlotAreaProps<Across extends AxisScale, Up extends AxisScale> = {
  inner: PlotSize;
  margin: Margin;
  across: { scale: Across; ticks: readonly unknown[]; format: (value: never) => string };
  up: { scale: Up; ticks: readonly number[]; format: (value: number) => string };
  children: React.ReactNode;
};

const LABEL = { className: 'fill-fg-muted text-xs tabular-nums', fill: '', fontFamily: '', fontSize: '' };

/** Grid and axes around the drawing. Its origin is the upper left corner inside the margins. */
export function PlotArea<Across extends AxisScale, Up extends AxisScale>(
  props: PlotAreaProps<Across, Up>,
): React.JSX.Element {
  const { inner, margin, across, up, children } = props;
  return (
    <Group left={margin.left} top={margin.top}>
      <g aria-hidden>
        <GridRows
          scale={up.scale}
          width={inner.width}
          tickValues={[...up.ticks]}
          stroke=""
          className="stroke-border"
        />
        <AxisLeft
          scale={up.scale}
          tickValues={[...up.ticks]}
          tickFormat={(value) => up.format(Number(value))}
          hideAxisLine
          hideTicks
          tickLength={TICK}
          tickLabelProps={{ ...LABEL, textAnchor: 'end', dx: 0, dy: '0.3em' }}
        />
        <AxisBottom
          scale={across.scale}
          top={inner.height}
          tickValues={[...across.ticks] as never[]}
          tickFormat={(value) => across.format(value as never)}
          axisLineClassName="stroke-border-control"
          stroke=""
          hideTicks
          tickLabelProps={{ ...LABEL, textAnchor: 'middle' }}
        />
      </g>
      {children}
    </Group>
  );
}
