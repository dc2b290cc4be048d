import type { z } from 'zod';
import type { ExplainedOffer, PriceExplanation } from '#contract/explanation.ts';
import { parseCents } from '#domain/decimal.ts';
import { classNames } from '#web/lib/class-names.ts';
import { countOf, formatMoney } from '#web/lib/format.ts';
import { Section } from './section.tsx';

/** More would be a table: the offers are listed below. */
const MOST_RUNGS = 10;

interface Rung {
  readonly key: number;
  readonly name: string;
  /** Landed price in cents. */
  readonly cents: number;
  readonly kind: 'ours' | 'counted' | 'excluded';
  readonly note: string;
}

/** Landed prices below each other, the highest first: ours, what it was compared with, and the margin floor. */
export function LadderCard({ explanation }: { explanation: PriceExplanation }): React.JSX.Element | null {
  const rungs = rungsOf(explanation);
  if (rungs === null) return null;
  const ours = rungs.find(({ kind }) => kind === 'ours')?.cents ?? 0;
  const counted = rungs.filter(({ kind }) => kind === 'counted');
  const floor = landedFloor(explanation);
  const values = [...rungs.map(({ cents }) => cents), ...(floor === null ? [] : [floor])];
  const [low, high] = [Math.min(...values), Math.max(...values)];
  // Space for the prices and notes, which are written after their dots.
  const placeOf = (cents: number): string =>
    `${high === low ? 30 : 4 + (48 * (cents - low)) / (high - low)}%`;
  return (
    <Section title={findingOf(ours, counted)} caption="Landed prices">
      <div className="relative">
        {floor !== null && (
          <span aria-hidden className="absolute inset-y-0 right-0 left-26 sm:left-38">
            <span
              className="absolute inset-y-0 border-l-2 border-dotted border-danger-text"
              style={{ left: placeOf(floor) }}
            />
          </span>
        )}
        <ol className="relative flex flex-col">
          {rungs.map((rung) => (
            <li
              key={rung.key}
              className={classNames(
                '-mx-2 flex h-7 items-center rounded-sm px-2 text-sm',
                rung.kind === 'ours' && 'bg-selected font-semibold',
                rung.kind === 'excluded' && 'text-fg-muted',
              )}
            >
              <span className="w-26 shrink-0 sm:w-38 truncate pr-2" title={rung.name}>
                {rung.name}
              </span>
              <span className="relative h-full min-w-0 flex-1 overflow-x-clip">
                <span
                  className="absolute inset-y-0 flex items-center gap-2 whitespace-nowrap"
                  style={{ left: placeOf(rung.cents), maxWidth: `calc(100% - ${placeOf(rung.cents)})` }}
                >
                  <span
                    aria-hidden
                    className={classNames(
                      'size-2.5 shrink-0 -translate-x-1/2 rounded-full',
                      rung.kind === 'ours' && 'bg-primary',
                      rung.kind === 'counted' && 'bg-fg-muted',
                      rung.kind === 'excluded' && 'border-2 border-border-control bg-surface',
                    )}
                  />
                  <span className="font-medium tabular-nums">{moneyOf(rung.cents)}</span>
                  <span
                    className="truncate text-xs font-normal text-fg-muted max-sm:sr-only"
                    title={rung.note}
                  >
                    {rung.note}
                  </span>
                </span>
              </span>
            </li>
          ))}
        </ol>
      </div>
      {floor !== null && (
        <p className="mt-2 text-sm text-danger-text">Margin floor, landed: {moneyOf(floor)} (dotted)</p>
      )}
    </Section>
  );
}

/** Null without an offer to compare with, or without our price. */
function rungsOf({ price, facts, offers }: PriceExplanation): readonly Rung[] | null {
  const own = parseCents(price ?? facts.currentPrice ?? '');
  if (own === null || offers.length === 0) return null;
  const others = offers
    .map((offer, place) => ({ offer, place, cents: parseCents(offer.landed) ?? 0 }))
    .filter(({ offer }) => offer.status !== 'ours')
    .sort((a, b) => a.cents - b.cents || a.place - b.place)
    .slice(0, MOST_RUNGS);
  if (others.length === 0) return null;
  const charge = parseCents(facts.shippingCharge ?? '') ?? 0;
  const rungs: Rung[] = [
    ...others.map(({ offer, place, cents }) => rungOf(offer, place, cents)),
    { key: -1, name: 'You', cents: own + charge, kind: 'ours', note: price === null ? 'current price' : '' },
  ];
  return rungs.sort((a, b) => b.cents - a.cents || a.key - b.key);
}

function rungOf(offer: z.output<typeof ExplainedOffer>, key: number, cents: number): Rung {
  const isCounted = offer.status === 'counted';
  const note = isCounted
    ? [offer.isFeatured ? 'featured offer' : null, offer.fulfillmentType].filter((each) => each !== null)
    : [offer.statusText];
  return {
    key,
    name: offer.seller ?? 'Seller unknown',
    cents,
    kind: isCounted ? 'counted' : 'excluded',
    note: note.join(', '),
  };
}

function landedFloor({ allowed, facts }: PriceExplanation): number | null {
  const floor = parseCents(allowed?.marginFloor ?? '');
  return floor === null ? null : floor + (parseCents(facts.shippingCharge ?? '') ?? 0);
}

function findingOf(ours: number, counted: readonly Rung[]): string {
  if (counted.length === 0) return 'No offer counts';
  const lower = counted.filter(({ cents }) => cents < ours).length;
  if (lower > 0)
    return `${lower} of ${countOf(counted.length, 'counted offer', 'counted offers')} ${lower === 1 ? 'is' : 'are'} priced below yours`;
  if (counted.some(({ cents }) => cents === ours)) return 'Your price equals the lowest counted offer';
  return counted.length === 1
    ? 'Your price is below the only counted offer'
    : `Your price is below all ${counted.length} counted offers`;
}

function moneyOf(cents: number): string {
  return formatMoney((cents / 100).toFixed(2));
}
