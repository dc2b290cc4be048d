import type { PriceChart } from '#contract/listing-analytics.ts';
import { formatMoney } from '#web/lib/format.ts';
import { formatMoment } from '#web/lib/moments.ts';
import type { ChartCell, ChartData } from '#web/ui/chart/chart-data.ts';
import type { TimeLayer, TimeMarker } from '#web/ui/chart/time-plot.ts';

type Step = PriceChart['own'][number];
type Shape = TimeMarker['shape'];

const SHAPES: Record<NonNullable<Step['source']>, Shape> = {
  ...{ rule: 'circle', apply: 'circle' },
  ...{ person: 'square', undo: 'square' },
  ...{ import: 'triangle', observed: 'triangle' },
};

/** What the shapes of the price chart mean. */
export const MARKER_NAMES: Record<Shape, string> = {
  circle: 'By a rule',
  square: 'By hand',
  triangle: 'Import or marketplace',
};

/** What is drawn, in whole cents: the band below, our price on top. */
export function priceLayers({ own, floor, offers }: PriceChart): TimeLayer[] {
  const layers: TimeLayer[] = [
    {
      ...{ kind: 'band', name: 'Competitors' },
      spans: offers.map(({ at, lowest, highest }) => ({
        ...{ at: Date.parse(at), low: centsOf(lowest), high: centsOf(highest) },
      })),
    },
    {
      ...{ kind: 'line', name: 'Buy box', style: 'dashed', colour: 'featured' },
      values: offers.map(({ at, buyBox }) => ({ at: Date.parse(at), value: centsOf(buyBox) })),
    },
    {
      ...{ kind: 'line', name: 'Minimum price', style: 'dotted', colour: 'floor' },
      values: floor.map(({ at, price }) => ({ at: Date.parse(at), value: centsOf(price) })),
    },
    {
      ...{ kind: 'line', name: 'Your price', style: 'solid', colour: 'own' },
      values: own.map(({ at, price }) => ({ at: Date.parse(at), value: centsOf(price) })),
    },
    {
      ...{ kind: 'markers', name: 'Changes' },
      markers: own.flatMap(({ at, price, source }) =>
        source === null ? [] : [{ at: Date.parse(at), value: centsOf(price) ?? 0, shape: SHAPES[source] }],
      ),
    },
  ];
  return layers.filter(isKnown);
}

/** Whether there is anything to draw: a name beside nothing would be a riddle. */
function isKnown(layer: TimeLayer): boolean {
  if (layer.kind === 'band') return layer.spans.some(({ low }) => low !== null);
  return layer.kind === 'markers' || layer.values.some(({ value }) => value !== null);
}

const COLUMNS = [
  'When',
  'Your price',
  'Lowest competitor',
  'Highest competitor',
  'Buy box',
  'Minimum price',
  'Change',
] as const;

/** Every moment at which something changed, with all that was so from then on: for readout, table and file. */
export function priceReadings({ own, floor, offers }: PriceChart): { moments: number[]; data: ChartData } {
  const starts = new Set([...own, ...floor, ...offers].map(({ at }) => at));
  const moments = [...starts].sort();
  const points = moments.map((at) => {
    const [step, limit, seen] = [lastBy(own, at), lastBy(floor, at), lastBy(offers, at)];
    return {
      key: at,
      cells: [
        { text: formatMoment(at, 'short'), value: at },
        moneyCell(step?.price),
        moneyCell(seen?.lowest),
        moneyCell(seen?.highest),
        moneyCell(seen?.buyBox),
        moneyCell(limit?.price),
        { text: step?.at === at ? changeText(step) : '' },
      ],
    };
  });
  return { moments: moments.map(Date.parse), data: { columns: COLUMNS, points } };
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
  if (first === last) return `Your price moved and is back where it was ${days} days ago`;
  const percent = (Math.abs(last - first) / first) * 100;
  const words = percent < 0.05 ? 'less than 0.1%' : `${percent.toFixed(1)}%`;
  return `Your price ${last < first ? 'fell' : 'rose'} ${words} in ${days} days`;
}

/** Whole cents of "19.99", exact. */
function centsOf(amount: string | null): number | null {
  return amount === null ? null : Number(amount.replace('.', ''));
}
