import type { PriceChart } from '#contract/listing-analytics.ts';
import { formatMoney } from '#web/lib/format.ts';
import { formatMoment } from '#web/lib/moments.ts';
import type { ChartCell, ChartData } from '#web/ui/chart/chart-data.ts';
import type { TimeLayer, TimeMarker } from '#web/ui/chart/time-plot.ts';

type Step = PriceChart['own'][number];
type Shape = TimeMarker['shape'];

const SHAPES: Record<NonNullable<Step['source']>, Shape> = {
  rule: 'circle',
  apply: 'circle',
  person: 'square',
  undo: 'square',
  repair: 'circle',
  import: 'triangle',
  observed: 'triangle',
};

/** The legend of the price chart's shapes. */
export const MARKER_NAMES: Record<Shape, string> = {
  circle: 'Automatic',
  square: 'Manual',
  triangle: 'Import or marketplace',
};

/**
 * The layers in whole cents: the band below, our price on top. Competitors' prices include shipping, so ours is
 * added to our price and to the minimum, to make the lines comparable.
 */
export function priceLayers(chart: PriceChart): TimeLayer[] {
  const { own, floor, offers } = chart;
  const names = namesOf(chart);
  const delivered = (amount: string | null): number | null => withShipping(amount, chart);
  const layers: TimeLayer[] = [
    {
      kind: 'band',
      name: 'Competitors',
      spans: offers.map(({ at, lowest, highest }) => ({
        at: Date.parse(at),
        low: centsOf(lowest),
        high: centsOf(highest),
      })),
    },
    {
      kind: 'line',
      name: 'Buy box',
      style: 'dashed',
      color: 'featured',
      values: offers.map(({ at, buyBox }) => ({ at: Date.parse(at), value: centsOf(buyBox) })),
    },
    {
      kind: 'line',
      name: names.floor,
      style: 'dotted',
      color: 'floor',
      values: floor.map(({ at, price }) => ({ at: Date.parse(at), value: delivered(price) })),
    },
    {
      kind: 'line',
      name: names.own,
      style: 'solid',
      color: 'own',
      values: own.map(({ at, price }) => ({ at: Date.parse(at), value: delivered(price) })),
    },
    {
      kind: 'markers',
      name: 'Changes',
      markers: own.flatMap(({ at, price, source }) =>
        source === null ? [] : [{ at: Date.parse(at), value: delivered(price) ?? 0, shape: SHAPES[source] }],
      ),
    },
  ];
  return layers.filter(isKnown);
}

function namesOf(chart: PriceChart): { readonly own: string; readonly floor: string } {
  return hasShipping(chart)
    ? { own: 'Landed price', floor: 'Landed minimum price' }
    : { own: 'Your price', floor: 'Minimum price' };
}

function hasShipping({ shippingCharge }: PriceChart): boolean {
  return centsOf(shippingCharge) !== 0;
}

function withShipping(amount: string | null, { shippingCharge }: PriceChart): number | null {
  const price = centsOf(amount);
  return price === null ? null : price + (centsOf(shippingCharge) ?? 0);
}

/** Whether the layer has any data: an empty one is not in the legend. */
function isKnown(layer: TimeLayer): boolean {
  if (layer.kind === 'band') return layer.spans.some(({ low }) => low !== null);
  return layer.kind !== 'line' || layer.values.some(({ value }) => value !== null);
}

/** Every time at which a value changed, with all values from then on: for readout, table and file. */
export function priceReadings(chart: PriceChart): { moments: number[]; data: ChartData } {
  const { own, floor, offers } = chart;
  const names = namesOf(chart);
  const starts = new Set([...own, ...floor, ...offers].map(({ at }) => at));
  const moments = [...starts].sort();
  const points = moments.map((at) => {
    const [step, limit, seen] = [lastBy(own, at), lastBy(floor, at), lastBy(offers, at)];
    const drawn = moneyCell(decimalOf(withShipping(step?.price ?? null, chart)));
    return {
      key: at,
      cells: [
        { text: formatMoment(at, 'short'), value: at },
        moneyCell(step?.price),
        ...(hasShipping(chart) ? [drawn] : []),
        moneyCell(seen?.lowest),
        moneyCell(seen?.highest),
        moneyCell(seen?.buyBox),
        moneyCell(decimalOf(withShipping(limit?.price ?? null, chart))),
        { text: step?.at === at ? changeText(step) : '' },
      ],
    };
  });
  const columns = [
    ...['When', 'Your price', ...(hasShipping(chart) ? [names.own] : [])],
    ...['Lowest competitor', 'Highest competitor', 'Buy box', names.floor, 'Change'],
  ];
  return { moments: moments.map(Date.parse), data: { columns, points } };
}

function decimalOf(cents: number | null): string | null {
  return cents === null ? null : (cents / 100).toFixed(2);
}

/** ISO 8601 of one length sorts as text. */
function lastBy<Entry extends { readonly at: string }>(
  entries: readonly Entry[],
  at: string,
): Entry | undefined {
  return entries.findLast((entry) => entry.at <= at);
}

function moneyCell(amount: string | null | undefined): ChartCell {
  return amount == null ? { text: '' } : { text: formatMoney(amount), value: amount };
}

function changeText({ reason, by }: Step): string {
  if (reason === null) return '';
  return by === null ? reason : `${reason} (${by})`;
}

/** The finding: "Your price fell 6.0% in 30 days". */
export function priceTitle({ own, from, to }: PriceChart): string {
  const days = Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);
  const [first, last] = [centsOf(own[0]?.price ?? null), centsOf(own.at(-1)?.price ?? null)];
  if (first === null || last === null) return 'No price in this period';
  const changes = own.filter(({ source }, index) => source !== null && index > 0).length;
  if (changes === 0) return `Your price has not changed in ${days} days`;
  if (first === last) return `Your price changed and is back to its level of ${days} days ago`;
  const percent = (Math.abs(last - first) / first) * 100;
  const words = percent < 0.05 ? 'less than 0.1%' : `${percent.toFixed(1)}%`;
  return `Your price ${last < first ? 'fell' : 'rose'} ${words} in ${days} days`;
}

/** Whole cents of "19.99", exact. */
function centsOf(amount: string | null): number | null {
  return amount === null ? null : Number(amount.replace('.', ''));
}
