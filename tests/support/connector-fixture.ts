import type { Account, ListingRef, PriceOrder, SentPrice } from '#connectors/connector.ts';
import type { HeldTokens, TokenVault } from '#connectors/token-vault.ts';
import { cents, type Instant, instant } from '#domain/units.ts';
import { memoryVault } from './memory-vault.ts';

/** A clock that only waiting moves, and what was waited. */
export interface TestClock {
  time: Instant;
  readonly waits: number[];
  readonly now: () => Instant;
  readonly wait: (milliseconds: number) => Promise<void>;
}

export function testClock(start = '2026-11-20T12:00:00Z'): TestClock {
  const clock: TestClock = {
    time: instant(Date.parse(start)),
    waits: [],
    now: () => clock.time,
    wait: async (milliseconds) => {
      clock.waits.push(milliseconds);
      clock.time = instant(clock.time + milliseconds);
    },
  };
  return clock;
}

export function anAccount(credentials: Record<string, string>, held?: HeldTokens): Account {
  const tokens: TokenVault = memoryVault(held);
  return { credentials, tokens };
}

export function aRef(listingId: number, given: Partial<ListingRef> = {}): ListingRef {
  return {
    listingId,
    sku: `SKU-${listingId}`,
    fulfillmentType: 'FBM',
    itemId: null,
    keys: {},
    ...given,
  };
}

export function anOrder(listingId: number, price: number, given: Partial<ListingRef> = {}): PriceOrder {
  return {
    ref: aRef(listingId, given),
    price: cents(price),
    currentPrice: cents(1_250),
    ownPrices: [],
    sequence: 1,
    isUrgent: false,
    idempotencyKey: `key-${listingId}`,
    notAfter: instant(Date.parse('2026-11-20T13:00:00Z')),
  };
}

export function aSent(
  listingId: number,
  price: number,
  receipt: string | null = null,
  given: Partial<ListingRef> = {},
): SentPrice {
  return {
    ref: aRef(listingId, given),
    price: cents(price),
    receipt,
    sentAt: instant(Date.parse('2026-11-20T11:55:00Z')),
    isLastLook: false,
  };
}

/** @throws Error when there is nothing to read: the connector does not have the method */
export async function collect<Row>(pages: AsyncIterable<readonly Row[]> | undefined): Promise<Row[]> {
  if (pages === undefined) throw new Error('the connector has no such method');
  const rows: Row[] = [];
  for await (const page of pages) rows.push(...page);
  return rows;
}

/** Never aborted. */
export const never = new AbortController().signal;
