import type { Decision } from '#domain/decision/decision.ts';
import type { ListingSignals } from '#domain/decision/facts.ts';
import { type Bps, bps, hours, type Instant } from '#domain/units.ts';
import { followsOf } from './follows.ts';
import { type Observation, OUR_NAME, type Reading } from './observation.ts';

const BOX_WINDOW = hours(6);
/** Fewer readings say nothing about a share. */
const BOX_READINGS = 3;
const WHOLE = 10_000;
/** Days over which the product counts sales for the days of supply. */
const MONTH = 30;

/** What a listing's lines can ask besides prices and offers, kept hour by hour as the product keeps it. */
export interface Signals {
  /** @param reading null unless a new one arrived */
  observe(observation: Observation, reading: Reading | null, now: Instant): ListingSignals;
  decided(decision: Decision, now: Instant): void;
}

/** Of a listing at the start of a run: nothing is known. */
export function signalsOf(): Signals {
  const turns: Record<number, Instant> = {};
  /** Units sold before each hour. */
  const sold: number[] = [];
  let boxes: { readonly at: Instant; readonly isOurs: boolean }[] = [];
  let situation: ListingSignals['situation'] = null;
  let lastSaleAt: Instant | null = null;
  const follows = followsOf();
  return {
    observe(observation, reading, now) {
      const featured = reading?.offers.find(({ isFeatured }) => isFeatured);
      if (featured !== undefined) {
        const { seller, price } = featured;
        boxes.push({ at: now, isOurs: seller === null ? price === observation.price : seller === OUR_NAME });
      }
      boxes = boxes.filter(({ at }) => now - at <= BOX_WINDOW);
      if (observation.sold > (sold.at(-1) ?? 0)) lastSaleAt = now;
      sold.push(observation.sold);
      follows.observe(observation, reading, now);
      const soldSince = (days: number): number => observation.sold - (sold.at(-1 - 24 * days) ?? 0);
      const inMonth = soldSince(MONTH);
      return {
        boxShare: shareOf(boxes),
        boxSuppressedAt: null,
        // Worked out only where a line asks.
        get followShare() {
          return follows.share(now);
        },
        situation,
        turns,
        stock: observation.stock,
        daysOfSupply:
          observation.stock === null || inMonth === 0
            ? null
            : Math.floor((observation.stock * MONTH) / inMonth),
        stockAgeDays: null,
        lastSaleAt,
        listedAt: 0 as Instant,
        sold: { d1: soldSince(1), d7: soldSince(7), d30: inMonth },
        externalPrice: null,
        sisters: [],
      };
    },
    decided({ line }, now) {
      if (line === null) return;
      if (line.startsTurn) turns[line.number] = now;
      if (line.situation !== null && line.situation !== situation?.kind) {
        situation = { kind: line.situation, since: now };
      }
    },
  };
}

function shareOf(boxes: readonly { readonly isOurs: boolean }[]): Bps | null {
  if (boxes.length < BOX_READINGS) return null;
  const ours = boxes.filter(({ isOurs }) => isOurs).length;
  return bps(Math.floor((ours * WHOLE) / boxes.length));
}
