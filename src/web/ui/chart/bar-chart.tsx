import { Link, useNavigate } from '@tanstack/react-router';
import { scaleBand, scaleLinear } from '@visx/scale';
import { classNames } from '#web/lib/class-names.ts';
import type { ChartData, ChartLink } from './chart-data.ts';
import { ChartFrame, type ChartProps, type PlotSize } from './chart-frame.tsx';
import { axisWidth, innerSize, type Margin, PlotArea, textWidth } from './plot-area.tsx';

const FILLS = {
  own: 'fill-chart-own',
  neutral: 'fill-chart-competitors',
  danger: 'fill-danger-text',
  warning: 'fill-warning-text',
  success: 'fill-success-text',
  strong: 'fill-strong-text',
  walmart: 'fill-series-walmart',
  amazon: 'fill-series-amazon',
  michaels: 'fill-series-michaels',
  ebay: 'fill-series-ebay',
  etsy: 'fill-series-etsy',
  shopify: 'fill-series-shopify',
} as const;

export interface Bar {
  readonly key: string;
  /** Shown under the bar, such as "5 to 10%". */
  readonly label: string;
  /** Its length; null draws none, because unknown is not zero. */
  readonly value: number | null;
  /** The value as displayed. */
  readonly text: string;
  /** Never the only sign of a bar's meaning. */
  readonly tone?: keyof typeof FILLS;
  /** A second length, drawn downwards from zero, such as drops under raises; `more` holds its figure. */
  readonly below?: { readonly value: number; readonly tone: keyof typeof FILLS };
  /** Makes the bar a link, also with Enter. */
  readonly link?: ChartLink;
  /** More figures for readout and table, one for each of `moreColumns`. */
  readonly more?: readonly string[];
}

export type BarChartProps = ChartProps & {
  bars: readonly Bar[];
  /** Names of the labels and the values: "Margin", "Listings". */
  columns: readonly [label: string, value: string];
  moreColumns?: readonly string[];
  /** Formats a value of the axis. */
  formatValue: (value: number) => string;
  /** Upper end of the axis if known, such as 100 for a share. */
  top?: number;
  /** Bars that touch, as in a histogram. */
  isHistogram?: boolean;
};

/** Vertical bars from zero. One tab stop; the arrows go from bar to bar, Enter follows a bar that is a link. */
export function BarChart(props: BarChartProps): React.JSX.Element {
  const { bars, columns, moreColumns = [], formatValue, top, isHistogram = false, ...frame } = props;
  const navigate = useNavigate();
  const plotOf = (size: PlotSize): BarPlot => barPlot(size, bars, formatValue, { top, isHistogram });
  return (
    <ChartFrame
      {...frame}
      data={barData(bars, [...columns, ...moreColumns])}
      pointAt={(x, size) => {
        const { margin, step } = plotOf(size);
        const index = Math.floor((x - margin.left) / step);
        return index >= 0 && index < bars.length ? index : null;
      }}
      onPick={(index) => {
        const link = bars[index]?.link;
        if (link !== undefined) void navigate(link);
      }}
    >
      {(size, active) => <Bars bars={bars} plot={plotOf(size)} formatValue={formatValue} active={active} />}
    </ChartFrame>
  );
}

function barData(bars: readonly Bar[], columns: readonly string[]): ChartData {
  return {
    columns,
    points: bars.map(({ key, label, value, text, link, more = [] }) => ({
      key,
      cells: [
        { text: label },
        { text, value: value === null ? '' : String(value) },
        ...more.map((entry) => ({ text: entry })),
      ],
      ...(link === undefined ? {} : { link }),
    })),
  };
}

interface BarPlot {
  readonly inner: PlotSize;
  readonly margin: Margin;
  readonly across: ReturnType<typeof scaleBand<string>>;
  readonly up: ReturnType<typeof scaleLinear<number>>;
  readonly ticks: readonly number[];
  /** Distance between bars in pixels. */
  readonly step: number;
}

function barPlot(
  size: PlotSize,
  bars: readonly Bar[],
  formatValue: (value: number) => string,
  { top, isHistogram }: { top: number | undefined; isHistogram: boolean },
): BarPlot {
  const values = bars.map(({ value }) => value ?? 0);
  const drops = bars.map(({ below }) => -(below?.value ?? 0));
  const highest = top ?? Math.max(0, ...values);
  const up = scaleLinear<number>({
    domain: [Math.min(0, ...values, ...drops), highest === 0 ? 1 : highest],
    nice: true,
  });
  // Counts have no halves, and a tick with the same text as another one is skipped.
  const isCount = [...values, ...drops].every(Number.isInteger);
  const ticks = up
    .ticks(4)
    .filter((tick) => !isCount || Number.isInteger(tick))
    .filter((tick, at, all) => at === 0 || formatValue(tick) !== formatValue(all[at - 1] ?? 0));
  const margin = { top: 20, right: 4, bottom: 24, left: axisWidth(ticks.map(formatValue)) };
  const inner = innerSize(size, margin);
  up.range([inner.height, 0]);
  const across = scaleBand<string>({
    domain: bars.map(({ key }) => key),
    range: [0, inner.width],
    padding: isHistogram ? 0.04 : 0.25,
  });
  return { inner, margin, across, up, ticks, step: inner.width / Math.max(1, bars.length) };
}

/** Minimum distance between two labels of the axis, in pixels. */
const BETWEEN_LABELS = 8;

type BarsProps = {
  bars: readonly Bar[];
  plot: BarPlot;
  formatValue: (value: number) => string;
  active: number | null;
};

function Bars({ bars, plot, formatValue, active }: BarsProps): React.JSX.Element {
  const labels = new Map(bars.map(({ key, label }) => [key, label]));
  const longest = textWidth([...labels.values()]);
  const every = longest <= plot.step ? 1 : Math.ceil((longest + BETWEEN_LABELS) / plot.step);
  const hasTexts =
    bars.every(({ below }) => below === undefined) && textWidth(bars.map(({ text }) => text)) <= plot.step;
  return (
    <PlotArea
      inner={plot.inner}
      margin={plot.margin}
      across={{
        scale: plot.across,
        ticks: bars.map(({ key }) => key).filter((_, at) => at % every === 0),
        format: (key: string) => labels.get(key) ?? '',
      }}
      up={{ scale: plot.up, ticks: plot.ticks, format: formatValue }}
    >
      {bars.map((bar, at) => (
        <BarMark key={bar.key} bar={bar} plot={plot} isActive={at === active} hasText={hasTexts} />
      ))}
    </PlotArea>
  );
}

type BarMarkProps = { bar: Bar; plot: BarPlot; isActive: boolean; hasText: boolean };

function BarMark({ bar, plot, isActive, hasText }: BarMarkProps): React.JSX.Element {
  const x = plot.across(bar.key) ?? 0;
  const width = plot.across.bandwidth();
  const [y, zero] = [plot.up(bar.value ?? 0), plot.up(0)];
  const drawn = (
    <>
      {/* The whole column reacts to the pointer: a short bar is hard to hit. */}
      <rect
        x={x}
        y={0}
        width={width}
        height={plot.inner.height}
        className={isActive ? 'fill-hover' : 'fill-transparent'}
      />
      {bar.value !== null && (
        <rect
          x={x}
          y={Math.min(y, zero)}
          width={width}
          height={Math.max(Math.abs(zero - y), bar.value === 0 ? 0 : 1)}
          rx={2}
          className={classNames(FILLS[bar.tone ?? 'own'], isActive && 'stroke-fg')}
        />
      )}
      {bar.below !== undefined && bar.below.value > 0 && (
        <rect
          x={x}
          y={zero + 1}
          width={width}
          height={Math.max(plot.up(-bar.below.value) - zero - 1, 1)}
          rx={2}
          className={classNames(FILLS[bar.below.tone], isActive && 'stroke-fg')}
        />
      )}
      {hasText && (
        <text
          x={x + width / 2}
          y={Math.min(y, zero) - 6}
          textAnchor="middle"
          className="fill-fg text-xs tabular-nums"
        >
          {bar.text}
        </text>
      )}
    </>
  );
  if (bar.link === undefined) return <g aria-hidden>{drawn}</g>;
  // Reached with the arrows and Enter: the chart is one tab stop.
  return (
    <Link {...bar.link} tabIndex={-1} aria-label={`${bar.label}: ${bar.text}`}>
      {drawn}
    </Link>
  );
}
