import { expect } from 'vitest';
import type {
  ListingRef,
  MarketOffer,
  MarketplaceListing,
  OfferReading,
  PriceOrder,
  PriceReading,
  SendOutcome,
  SkippedListing,
  UnavailableListing,
} from '#connectors/connector.ts';
import { isUnreadable } from '#connectors/passed-over.ts';
import { cents, hours, instant } from '#domain/units.ts';
import type { FaultKind } from '#sandbox/faults/fault.ts';
import { entriesOf } from '#tests/support/all-of.ts';
import { gather, LOST, never, TRIES } from './fault-kinds.ts';
import type { FaultShop } from './fault-shop.ts';

/** An action, whose effects are checked against the marketplace. */
export interface Action {
  readonly name: string;
  /** @param clean what it found without a fault; null when this is that run */
  readonly run: (cell: Cell, clean: unknown) => Promise<unknown>;
}

interface CellFault {
  readonly kind: FaultKind;
  readonly operation: string;
  readonly isOnce: boolean;
  /** It is carried out all the same. */
  readonly acts: boolean;
}

export interface Cell {
  readonly shop: FaultShop;
  readonly refs: readonly ListingRef[];
  /** Null without a fault. */
  readonly fault: CellFault | null;
}

async function readCatalog({ shop, fault }: Cell): Promise<unknown> {
  const { connector, account } = shop;
  const live = shop.live();
  const read = await gather<MarketplaceListing | SkippedListing>(() =>
    entriesOf(connector.readListings(account, never)),
  );
  const known = new Set<string>();
  // A row that cannot be read may have no SKU.
  const unreadable = read.pages.filter(isUnreadable).length;
  for (const item of read.pages) {
    if (!isUnreadable(item)) known.add(item.kind === 'listing' ? item.sku : item.what);
    if (item.kind === 'listing') expect([null, live.get(item.sku)]).toContain(item.price);
  }
  const skus = read.pages.flatMap((item) => (item.kind === 'listing' ? [item.sku] : []));
  expect(skus).toHaveLength(new Set(skus).size);
  expect([...live.keys()]).toEqual(expect.arrayContaining([...known]));
  if (read.kind === 'whole' && unreadable === 0) expect(known.size).toBe(live.size);
  // A row of its own has an answer of its own: eBay is asked for the offer of each listing.
  if (unreadable > 0 && fault?.operation !== 'getOffers') expect(fault?.kind).toMatch(/_price$/);
  if (fault === null) expect(read.pages.every((item) => item.kind === 'listing' && item.price)).toBe(true);
  return read.kind;
}

async function readOffers({ shop, refs, fault }: Cell, clean: unknown): Promise<unknown> {
  const { connector, account } = shop;
  const read = await gather<OfferReading | UnavailableListing>(
    () => connector.readOffers?.(account, refs, never) ?? [],
  );
  const found = Object.fromEntries(
    read.pages.map((one) => [one.listingId, one.kind === 'offers' ? pricesOf(one.offers) : null]),
  );
  expect(read.pages).toHaveLength(Object.keys(found).length);
  if (fault === null) {
    expect(read.kind).toBe('whole');
    expect(Object.values(found)).not.toContain(null);
    return found;
  }
  const right = clean as typeof found;
  for (const [id, prices] of Object.entries(found)) if (prices !== null) expect(prices).toEqual(right[id]);
  if (read.kind === 'whole') expect(Object.keys(found)).toEqual(Object.keys(right));
  return read.kind;
}

function pricesOf(offers: readonly MarketOffer[]): string[] {
  return offers.map(({ price, shipping, isOurs }) => `${price}+${shipping} ${isOurs}`).toSorted();
}

async function sendPrice({ shop, refs, fault }: Cell): Promise<unknown> {
  const { connector, account, sandbox, now } = shop;
  const [ref] = refs;
  const before = ref && shop.live().get(ref.sku);
  if (ref === undefined || before === undefined) throw new Error('The shop is empty.');
  const price = cents(before + 50);
  const order: PriceOrder = {
    ref,
    price,
    currentPrice: cents(before),
    ownPrices: [],
    sequence: 1,
    isUrgent: false,
    idempotencyKey: 'fault-1',
    notAfter: instant(now() + hours(1)),
  };
  const outcomes = await connector.sendPrices(account, [order], never);
  sandbox.faults.clear();
  const [outcome] = outcomes;
  expect(outcomes.map(({ listingId }) => listingId)).toEqual([ref.listingId]);
  const received = sandbox.world.receivedPrices();
  // A 429 is believed: nothing was carried out, and the same price goes out again.
  expect(received.length).toBeLessThanOrEqual(isBelieved(fault) ? TRIES : 1);
  for (const one of received) expect(one).toMatchObject({ sku: ref.sku });
  const taken = received.filter(({ outcome }) => outcome !== 'refused');
  for (const one of taken) expect(one.price).toBe(price);
  agrees(outcome, taken.length, received.at(0)?.operation ?? null, fault);
  shop.pass(hours(2));
  const isLive = taken.some(({ outcome }) => outcome !== 'dropped');
  expect(shop.live().get(ref.sku)).toBe(isLive ? price : before);
  return outcome?.kind;
}

function isBelieved(fault: Cell['fault']): boolean {
  return fault?.kind === 'too_busy' && fault.acts;
}

function agrees(
  outcome: SendOutcome | undefined,
  taken: number,
  receivedBy: string | null,
  fault: Cell['fault'],
): void {
  const kind = outcome?.kind ?? 'nothing';
  if (isBelieved(fault)) {
    expect(kind).toMatch(/^(accepted|live|not_sent)$/);
    return;
  }
  // Etsy's write has no number of its own: a lost answer is settled by reading the inventory.
  const isReadBack = receivedBy === 'updateListingInventory';
  const lost = isReadBack ? ['unknown', 'live'] : ['unknown'];
  if (fault?.acts === true) {
    expect(taken).toBe(1);
    expect(lost).toContain(kind);
  }
  const unsent = ['rejected', 'not_sent', 'unknown', 'stopped'];
  expect(taken === 1 ? ['accepted', 'live', 'unknown'] : unsent).toContain(kind);
  if (fault === null || fault.kind === 'never_applied') expect(kind).toMatch(/^(accepted|live)$/);
  else if (LOST.has(fault.kind) && taken === 1 && fault.operation === receivedBy)
    expect(lost).toContain(kind);
  else if (fault.kind === 'too_busy') expect(kind).toMatch(/^(accepted|live|not_sent)$/);
}

async function readBack({ shop, refs, fault }: Cell): Promise<unknown> {
  const { connector, account, now } = shop;
  const live = shop.live();
  const sent = refs.map((ref) => ({
    ref,
    price: cents((live.get(ref.sku) ?? 0) + 50),
    receipt: null,
    sentAt: now(),
    isLastLook: false,
  }));
  const read = await gather<PriceReading>(async function* () {
    yield await connector.readPrices(account, sent, never);
  });
  for (const [at, reading] of read.pages.entries()) {
    const { sku, listingId } = refs[at] ?? {};
    expect(reading.listingId).toBe(listingId);
    if (fault === null) expect(reading.kind).toBe('price');
    // "Gone" would end open prices; the listing is there all the time.
    expect(['price', 'unreadable']).toContain(reading.kind);
    if (reading.kind === 'price') expect(reading.price).toBe(live.get(sku ?? ''));
    if (reading.kind === 'price') expect(reading.refusal).toBeNull();
  }
  if (read.kind === 'whole') expect(read.pages).toHaveLength(refs.length);
  return read.pages.some(({ kind }) => kind !== 'price') ? 'failed' : read.kind;
}

export const ACTIONS: readonly Action[] = [
  { name: 'reading the catalog', run: readCatalog },
  { name: 'reading offers', run: readOffers },
  { name: 'sending one price', run: sendPrice },
  { name: 'reading it back', run: readBack },
];
