import type { ChartData } from './chart-data.ts';
import { ChartFrame, type ChartProps, type PlotSize } from './chart-frame.tsx';
import { PlotArea } from './plot-area.tsx';
import { MarkerShape, TimeMarks } from './time-marks.tsx';
import { spread, type TimeLayer, type TimeMarker, type TimePlot, timePlot } from './time-plot.ts';

export type TimeChartProps = Omit<ChartProps, 'lead'> & {
  /** Epoch milliseconds of both edges. */
  range: { readonly from: number; readonly to: number };
  layers: readonly TimeLayer[];
  /** The legend of marker shapes. Those that occur are shown above the drawing. */
  markerNames?: Readonly<Partial<Record<TimeMarker['shape'], string>>>;
  /** The readings: their times, and their values for readout and table. Ascending, as long as `data.points`. */
  moments: readonly number[];
  data: ChartData;
  /** Formats a value of the axis. */
  formatValue: (value: number) => string;
};

/** Values over time: step lines, a band, markers. One tab stop; the arrows go from reading to reading. */
export function TimeChart(props: TimeChartProps): React.JSX.Element {
  const { range, layers, markerNames = {}, moments, data, formatValue, ...frame } = props;
  const plotOf = (size: PlotSize): TimePlot => timePlot(size, range, layers, formatValue);
  const formatDay = dayFormat(range);
  return (
    <ChartFrame
      {...frame}
      data={data}
      lead={<MarkerKey layers={layers} names={markerNames} />}
      pointAt={(x, size) => {
        const plot = plotOf(size);
        return nearest(moments, plot.across.invert(x - plot.margin.left).getTime());
      }}
    >
      {(size, active) => {
        const plot = plotOf(size);
        const at = active === null ? undefined : moments[active];
        return (
          <PlotArea
            inner={plot.inner}
            margin={plot.margin}
            across={{
              scale: plot.across,
              ticks: eachOnce(plot.acrossTicks, formatDay),
              format: (tick: Date) => formatDay.format(tick),
            }}
            up={{ scale: plot.up, ticks: plot.upTicks, format: formatValue }}
          >
            <g aria-hidden>
              {at !== undefined && <Cursor x={plot.across(at)} height={plot.inner.height} />}
              {layers.map((layer) => (
                <TimeMarks key={layer.name} layer={layer} plot={plot} to={range.to} />
              ))}
              <EndLabels layers={layers} plot={plot} />
            </g>
          </PlotArea>
        );
      }}
    </ChartFrame>
  );
}

const DAY = 86_400_000;

function dayFormat({ from, to }: TimeChartProps['range']): Intl.DateTimeFormat {
  return to - from <= 2 * DAY
    ? new Intl.DateTimeFormat('en-US', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
    : new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric' });
}

/** Two ticks of one day would have the same text. */
function eachOnce(ticks: readonly Date[], format: Intl.DateTimeFormat): Date[] {
  return ticks.filter((tick, at) => {
    const before = ticks[at - 1];
    return before === undefined || format.format(before) !== format.format(tick);
  });
}

function nearest(moments: readonly number[], at: number): number | null {
  let best: number | null = null;
  for (const [index, moment] of moments.entries()) {
    if (best === null || Math.abs(moment - at) < Math.abs((moments[best] ?? 0) - at)) best = index;
  }
  return best;
}

function Cursor({ x, height }: { x: number; height: number }): React.JSX.Element {
  return <line x1={x} x2={x} y1={0} y2={height} className="stroke-fg-muted" />;
}

const LABEL_HEIGHT = 14;

/** The name of each line at its end, where a legend would make the eye go back and forth. */
function EndLabels({ layers, plot }: { layers: readonly TimeLayer[]; plot: TimePlot }): React.JSX.Element {
  const labels = layers.flatMap((layer) => {
    const value = lastValue(layer);
    return value === null ? [] : [{ name: layer.name, y: plot.up(value) }];
  });
  const places = spread(
    labels.map(({ y }) => y),
    LABEL_HEIGHT,
    plot.inner.height,
  );
  return (
    <>
      {labels.map(({ name }, index) => (
        <text key={name} x={plot.inner.width + 6} y={(places[index] ?? 0) + 4} className="fill-fg text-xs">
          {name}
        </text>
      ))}
    </>
  );
}

function lastValue(layer: TimeLayer): number | null {
  if (layer.kind === 'line') return layer.values.findLast(({ value }) => value !== null)?.value ?? null;
  if (layer.kind !== 'band') return null;
  const last = layer.spans.findLast(({ low, high }) => low !== null && high !== null);
  return last?.low == null || last.high === null ? null : (last.low + last.high) / 2;
}

type MarkerKeyProps = { layers: readonly TimeLayer[]; names: NonNullable<TimeChartProps['markerNames']> };

function MarkerKey({ layers, names }: MarkerKeyProps): React.JSX.Element | null {
  const shown = new Set(
    layers.flatMap((layer) => (layer.kind === 'markers' ? layer.markers.map(({ shape }) => shape) : [])),
  );
  if (shown.size === 0) return null;
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-fg-muted">
      {[...shown].map((shape) => (
        <li key={shape} className="flex items-center gap-1.5">
          <svg
            viewBox="-6 -6 12 12"
            aria-hidden
            className="size-3 fill-surface stroke-chart-own"
            strokeWidth={1.5}
          >
            <MarkerShape shape={shape} />
          </svg>
          {names[shape]}
        </li>
      ))}
    </ul>
  );
}
