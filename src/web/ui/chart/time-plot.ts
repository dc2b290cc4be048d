import { scaleLinear, scaleTime } from '@visx/scale';
import type { PlotSize } from './chart-frame.tsx';
import { axisWidth, innerSize, type Margin, textWidth } from './plot-area.tsx';

/** A value from a time on; null where it is unknown. */
export interface TimeValue {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly value: number | null;
}

/** Two values from a time on; both null where they are unknown. */
export interface TimeSpan {
  readonly at: number;
  readonly low: number | null;
  readonly high: number | null;
}

/** An event. Shapes distinguish kinds without color. */
export interface TimeMarker {
  readonly at: number;
  readonly value: number;
  readonly shape: 'circle' | 'square' | 'triangle';
}

interface Named {
  /** Shown at the end of the line. */
  readonly name: string;
}

export type LineStyle = 'solid' | 'dashed' | 'dotted';
export type TimeColor = 'own' | 'before' | 'competitors' | 'featured' | 'floor';

/**
 * The layers of a time chart, the first one at the bottom. A value holds until the next one, so that lines are steps, unless
 * the line is of sums: then it goes straight from one to the next.
 */
export type TimeLayer =
  | (Named & {
      readonly kind: 'line';
      readonly style: LineStyle;
      readonly color: TimeColor;
      readonly values: readonly TimeValue[];
      readonly isOfSums?: true;
    })
  | (Named & { readonly kind: 'band'; readonly spans: readonly TimeSpan[] })
  | (Named & { readonly kind: 'markers'; readonly markers: readonly TimeMarker[] })
  | (Named & { readonly kind: 'event'; readonly at: number });

export interface TimePlot {
  readonly inner: PlotSize;
  readonly margin: Margin;
  readonly across: ReturnType<typeof scaleTime<number>>;
  readonly up: ReturnType<typeof scaleLinear<number>>;
  readonly acrossTicks: readonly Date[];
  readonly upTicks: readonly number[];
}

/** Minimum width of one date of the axis, in pixels. */
const DATE_WIDTH = 50;

/**
 * Scales and margins of a time chart. The value axis starts near the values: prices far above zero would be
 * one flat line.
 * @param from and to epoch milliseconds
 */
export function timePlot(
  size: PlotSize,
  { from, to }: { from: number; to: number },
  layers: readonly TimeLayer[],
  formatValue: (value: number) => string,
): TimePlot {
  const values = layers.flatMap(valuesOf);
  const [low, high] = values.length === 0 ? [0, 1] : [Math.min(...values), Math.max(...values)];
  const air = (high - low) * 0.08 || Math.abs(high) * 0.05 || 1;
  const bottom = low >= 0 ? Math.max(0, low - air) : low - air;
  const up = scaleLinear<number>({ domain: [bottom, high + air], nice: 5 });
  const upTicks = up.ticks(5);
  const margin = {
    top: 12,
    bottom: 24,
    left: axisWidth(upTicks.map(formatValue)),
    right:
      12 + textWidth(layers.filter(({ kind }) => kind === 'line' || kind === 'band').map(({ name }) => name)),
  };
  const inner = innerSize(size, margin);
  up.range([inner.height, 0]);
  const across = scaleTime<number>({ domain: [from, to], range: [0, inner.width], clamp: true });
  const ticks = across.ticks(Math.max(4, Math.floor(inner.width / 65)));
  const every = Math.ceil((ticks.length * DATE_WIDTH) / inner.width);
  const acrossTicks = ticks.filter((_, index) => index % every === 0);
  return { inner, margin, across, up, acrossTicks, upTicks };
}

function valuesOf(layer: TimeLayer): number[] {
  const found =
    layer.kind === 'line'
      ? layer.values.map(({ value }) => value)
      : layer.kind === 'band'
        ? layer.spans.flatMap(({ low, high }) => [low, high])
        : layer.kind === 'markers'
          ? layer.markers.map(({ value }) => value)
          : [];
  return found.filter((value) => value !== null);
}

/** Moves labels apart to at least this distance in pixels, each as little as possible. In the order given. */
export function spread(places: readonly number[], apart: number, lowest: number): number[] {
  const order = places.map((y, index) => ({ y, index })).sort((a, b) => a.y - b.y);
  let next = Number.NEGATIVE_INFINITY;
  for (const label of order) {
    label.y = Math.max(label.y, next);
    next = label.y + apart;
  }
  let limit = lowest;
  for (const label of order.toReversed()) {
    label.y = Math.min(label.y, limit);
    limit = label.y - apart;
  }
  const spaced = [...places];
  for (const { y, index } of order) spaced[index] = y;
  return spaced;
}
