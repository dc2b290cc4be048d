import { Area, LinePath } from '@visx/shape';
import { classNames } from '#web/lib/class-names.ts';
import type {
  LineStyle,
  TimeColor,
  TimeLayer,
  TimeMarker,
  TimePlot,
  TimeSpan,
  TimeValue,
} from './time-plot.ts';

const STROKES: Record<TimeColor, string> = {
  own: 'stroke-chart-own',
  before: 'stroke-chart-before',
  competitors: 'stroke-chart-competitors',
  featured: 'stroke-chart-featured',
  floor: 'stroke-chart-floor',
};
const DASHES: Record<LineStyle, string | undefined> = { solid: undefined, dashed: '6 4', dotted: '2 3' };

type MarksProps = { layer: TimeLayer; plot: TimePlot; to: number };

/** One layer of a time chart. */
export function TimeMarks({ layer, plot, to }: MarksProps): React.JSX.Element {
  switch (layer.kind) {
    case 'band':
      return <Band spans={layer.spans} plot={plot} to={to} />;
    case 'line':
      return <Line layer={layer} plot={plot} to={to} />;
    case 'markers':
      return <Markers markers={layer.markers} plot={plot} />;
    case 'event':
      return <EventMark layer={layer} plot={plot} />;
  }
}

type LineLayer = Extract<TimeLayer, { kind: 'line' }>;

function Line({ layer, plot, to }: { layer: LineLayer; plot: TimePlot; to: number }): React.JSX.Element {
  return (
    <LinePath<TimeValue>
      data={layer.isOfSums === true ? [...layer.values] : held(layer.values, to)}
      x={({ at }) => plot.across(at)}
      y={({ value }) => plot.up(value ?? 0)}
      defined={({ value }) => value !== null}
      strokeWidth={layer.color === 'own' ? 2 : 1.5}
      className={classNames('fill-transparent', STROKES[layer.color])}
      {...(DASHES[layer.style] === undefined ? {} : { strokeDasharray: DASHES[layer.style] })}
    />
  );
}

function Band({
  spans,
  plot,
  to,
}: {
  spans: readonly TimeSpan[];
  plot: TimePlot;
  to: number;
}): React.JSX.Element {
  const data = held(spans, to);
  const shape = {
    data,
    x: ({ at }: TimeSpan) => plot.across(at),
    defined: ({ low, high }: TimeSpan) => low !== null && high !== null,
  };
  const edge = { ...shape, className: 'fill-transparent stroke-chart-competitors', strokeWidth: 1 };
  return (
    <>
      <Area<TimeSpan>
        {...shape}
        y0={({ low }) => plot.up(low ?? 0)}
        y1={({ high }) => plot.up(high ?? 0)}
        className="fill-chart-competitors"
        fillOpacity={0.15}
      />
      <LinePath<TimeSpan> {...edge} y={({ low }) => plot.up(low ?? 0)} />
      <LinePath<TimeSpan> {...edge} y={({ high }) => plot.up(high ?? 0)} />
    </>
  );
}

/**
 * Each value twice, at its start and its end: straight lines between them are steps. The last one extends to the
 * right edge.
 */
function held<Entry extends { readonly at: number }>(entries: readonly Entry[], to: number): Entry[] {
  const drawn = entries.flatMap((entry, index) => {
    const next = entries[index + 1];
    const end = { ...entry, at: Math.min(to, next?.at ?? to) };
    return [entry, end];
  });
  return drawn.filter(({ at }) => at <= to);
}

type EventLayer = Extract<TimeLayer, { kind: 'event' }>;

/** A time at which something happened, with its name on the side that has room. */
function EventMark({ layer, plot }: { layer: EventLayer; plot: TimePlot }): React.JSX.Element {
  const x = plot.across(layer.at);
  const isRight = x > plot.inner.width / 2;
  return (
    <>
      <line
        x1={x}
        x2={x}
        y1={0}
        y2={plot.inner.height}
        className="stroke-border-control"
        strokeDasharray="2 3"
      />
      <text
        x={x + (isRight ? -6 : 6)}
        y={8}
        textAnchor={isRight ? 'end' : 'start'}
        className="fill-fg-muted text-2xs"
      >
        {layer.name}
      </text>
    </>
  );
}

const RADIUS = 4;

function Markers({ markers, plot }: { markers: readonly TimeMarker[]; plot: TimePlot }): React.JSX.Element {
  return (
    <>
      {markers.map(({ at, value, shape }) => (
        <g
          key={`${at} ${shape}`}
          transform={`translate(${plot.across(at)},${plot.up(value)})`}
          className="fill-surface stroke-chart-own"
          strokeWidth={1.5}
        >
          <MarkerShape shape={shape} />
        </g>
      ))}
    </>
  );
}

/** Circle, square or triangle around the origin; the legend of a chart draws the same. */
export function MarkerShape({ shape }: { shape: TimeMarker['shape'] }): React.JSX.Element {
  if (shape === 'circle') return <circle r={RADIUS} />;
  if (shape === 'square') return <rect x={-RADIUS} y={-RADIUS} width={2 * RADIUS} height={2 * RADIUS} />;
  return <path d={`M0,${-RADIUS - 1} L${RADIUS + 1},${RADIUS} L${-RADIUS - 1},${RADIUS} Z`} />;
}
