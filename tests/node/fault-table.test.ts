import { describe, expect, test } from 'vitest';
import type {
  ListingRef,
  MarketOffer,
  MarketplaceListing,
  OfferReading,
  PassedOverListing,
  PriceOrder,
  PriceReading,
  SendOutcome,
  UnreadListing,
} from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { cents, hours, instant } from '#domain/units.ts';
import { type FaultKind, FaultPlan } from '#sandbox/faults/fault.ts';
import { type FaultShop, openFaultShop, refOf, simulatedMarketplaces } from '#tests/support/fault-shop.ts';

/*
 * Every fault of the sandbox, at every call that an action makes, once and for good: reads end whole or with an error
 * and nothing of a bad answer is used; what is said of a price agrees with what the marketplace heard.
 */
const KINDS: readonly FaultKind[] = FaultPlan.shape.kind.options;
/** Answers that never end by themselves: given up sooner here than in life. */
const HANGING: ReadonlySet<FaultKind> = new Set(['timeout', 'late_answer', 'half_open', 'one_byte_a_second']);
/** The call was carried out, and nobody can read what was answered. */
const LOST: ReadonlySet<FaultKind> = new Set([
  ...(['answer_lost', 'late_answer', 'half_open', 'truncated', 'one_byte_a_second'] as const),
  ...(['garbage', 'empty', 'huge_body'] as const),
]);
/** Not carried out, and over in a moment: a read tries again. After a 429 only if it is not asked to wait for long. */
const PASSING: ReadonlySet<FaultKind> = new Set(['server_error', 'bad_gateway', 'reset']);
const NEVER = 1_000;
/** Tries for one answer, one more after a token that ended, and the token itself. */
const TRIES = 6;

const never = new AbortController().signal;

interface Ended<T> {
  readonly kind: 'whole' | 'failed';
  readonly pages: readonly T[];
}

/** Whatever is thrown besides ConnectorError is a mistake of ours. */
async function gather<T>(
  read: () => AsyncIterable<readonly T[]> | readonly (readonly T[])[],
): Promise<Ended<T>> {
  const pages: T[] = [];
  try {
    for await (const page of read()) pages.push(...page);
    return { kind: 'whole', pages };
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    return { kind: 'failed', pages };
  }
}

/** What an action leaves behind, checked by itself against the shop. */
interface Action {
  readonly name: string;
  /** @param clean what it found without a fault; null when this is that run */
  readonly run: (cell: Cell, clean: unknown) => Promise<unknown>;
}

interface Cell {
  readonly shop: FaultShop;
  readonly refs: readonly ListingRef[];
  /** Null without a fault. */
  readonly fault: { readonly kind: FaultKind; readonly operation: string; readonly isOnce: boolean } | null;
}

async function readCatalogue({ shop, fault }: Cell): Promise<unknown> {
  const { connector, account } = shop;
  const live = shop.live();
  const read = await gather<MarketplaceListing | PassedOverListing>(() =>
    connector.readListings(account, never),
  );
  const known = new Set<string>();
  for (const item of read.pages) {
    known.add(item.kind === 'listing' ? item.sku : item.what);
    if (item.kind === 'listing') expect([null, live.get(item.sku)]).toContain(item.price);
  }
  const skus = read.pages.flatMap((item) => (item.kind === 'listing' ? [item.sku] : []));
  expect(skus).toHaveLength(new Set(skus).size);
  if (read.kind === 'whole') expect([...known].toSorted()).toEqual([...live.keys()].toSorted());
  if (fault === null) expect(read.pages.every((item) => item.kind === 'listing' && item.price)).toBe(true);
  return read.kind;
}

async function readOffers({ shop, refs, fault }: Cell, clean: unknown): Promise<unknown> {
  const { connector, account } = shop;
  const read = await gather<OfferReading | UnreadListing>(
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
    ...{ ref, price, sequence: 1, idempotencyKey: 'fault-1', notAfter: instant(now() + hours(1)) },
  };
  const outcomes = await connector.sendPrices(account, [order], never);
  sandbox.faults.clear();
  const [outcome] = outcomes;
  expect(outcomes.map(({ listingId }) => listingId)).toEqual([ref.listingId]);
  const heard = sandbox.world.heardPrices();
  expect(heard.length).toBeLessThanOrEqual(1);
  for (const one of heard) expect(one).toMatchObject({ sku: ref.sku });
  const taken = heard.filter(({ fate }) => fate !== 'refused');
  for (const one of taken) expect(one.price).toBe(price);
  agrees(outcome, taken.length, heard.at(0)?.operation ?? null, fault);
  shop.pass(hours(2));
  const isLive = taken.some(({ fate }) => fate !== 'dropped');
  expect(shop.live().get(ref.sku)).toBe(isLive ? price : before);
  return outcome?.kind;
}

function agrees(
  outcome: SendOutcome | undefined,
  taken: number,
  heardBy: string | null,
  fault: Cell['fault'],
): void {
  const kind = outcome?.kind ?? 'nothing';
  expect(taken === 1 ? ['accepted', 'live', 'unknown'] : ['rejected', 'not_sent', 'unknown']).toContain(kind);
  if (fault === null || fault.kind === 'never_applied') expect(kind).toMatch(/^(accepted|live)$/);
  else if (LOST.has(fault.kind) && taken === 1 && fault.operation === heardBy) expect(kind).toBe('unknown');
  else if (fault.kind === 'too_busy') expect(kind).toMatch(/^(accepted|live|not_sent)$/);
}

async function readBack({ shop, refs, fault }: Cell): Promise<unknown> {
  const { connector, account, now } = shop;
  const live = shop.live();
  const sent = refs.map((ref) => ({
    ...{ ref, price: cents((live.get(ref.sku) ?? 0) + 50), receipt: null, sentAt: now() },
  }));
  const read = await gather<PriceReading>(async function* () {
    yield await connector.readPrices(account, sent, never);
  });
  for (const [at, reading] of read.pages.entries()) {
    const { sku, listingId } = refs[at] ?? {};
    expect(reading.listingId).toBe(listingId);
    if (fault === null) expect(reading.kind).toBe('price');
    // "Gone" would end what is out; the listing is there all the time.
    expect(['price', 'unreadable']).toContain(reading.kind);
    if (reading.kind === 'price') expect(reading.price).toBe(live.get(sku ?? ''));
    if (reading.kind === 'price') expect(reading.refusal).toBeNull();
  }
  if (read.kind === 'whole') expect(read.pages).toHaveLength(refs.length);
  return read.pages.some(({ kind }) => kind !== 'price') ? 'failed' : read.kind;
}

const ACTIONS: readonly Action[] = [
  { name: 'reading the catalogue', run: readCatalogue },
  { name: 'reading offers', run: readOffers },
  { name: 'sending one price', run: sendPrice },
  { name: 'reading it back', run: readBack },
];

/** What an action does when nothing goes wrong. */
interface CleanRun {
  readonly refs: readonly ListingRef[];
  readonly found: unknown;
  readonly operations: readonly string[];
  readonly calls: number;
}

const WITH_TOKENS = new Set(['reading the catalogue', 'sending one price']);
const CLEAN = new Map<string, Promise<CleanRun>>();

function cleanRun(marketplace: Marketplace, action: Action): Promise<CleanRun> {
  const key = `${marketplace} ${action.name}`;
  const run = CLEAN.get(key) ?? runClean(marketplace, action);
  CLEAN.set(key, run);
  return run;
}

async function runClean(marketplace: Marketplace, action: Action): Promise<CleanRun> {
  const refs = await refsOf(marketplace);
  const shop = await openFaultShop(marketplace, 30_000);
  try {
    const found = await action.run({ shop, refs, fault: null }, null);
    const operations = shop.sandbox.exchanges.list().map(({ operation }) => operation ?? 'nothing');
    return { refs, found, operations: [...new Set(operations)], calls: shop.calls() };
  } finally {
    await shop.sandbox.close();
  }
}

async function refsOf(marketplace: Marketplace): Promise<ListingRef[]> {
  const { sandbox, connector, account } = await openFaultShop(marketplace, 30_000);
  try {
    const { pages } = await gather(() => connector.readListings(account, never));
    return pages.flatMap((item, at) => (item.kind === 'listing' ? [refOf(item, at)] : []));
  } finally {
    await sandbox.close();
  }
}

async function runCell(
  marketplace: Marketplace,
  action: Action,
  { refs, found, calls }: CleanRun,
  fault: NonNullable<Cell['fault']>,
): Promise<void> {
  const { kind, operation, isOnce } = fault;
  const shop = await openFaultShop(marketplace, HANGING.has(kind) ? 100 : 30_000);
  try {
    shop.sandbox.faults.add({ face: marketplace, kind, operation, count: isOnce ? 1 : NEVER });
    const ended = await action.run({ shop, refs, fault }, found);
    if (isOnce && PASSING.has(kind) && action.name.startsWith('reading')) expect(ended).toBe('whole');
    expect(shop.calls()).toBeLessThanOrEqual(calls * TRIES);
  } finally {
    await shop.sandbox.close();
  }
}

const FACES = await simulatedMarketplaces();

describe.each(FACES)('%s', (marketplace) => {
  describe.each(ACTIONS)('$name', (action) => {
    test.concurrent.each(KINDS)('%s', async (kind) => {
      const clean = await cleanRun(marketplace, action);
      for (const operation of clean.operations) {
        // Fetching a token fails in the same way whatever it is for: looked at with two of the actions.
        if (/token/i.test(operation) && !WITH_TOKENS.has(action.name)) continue;
        for (const isOnce of [true, false]) {
          const cell = { kind, operation, isOnce };
          await runCell(marketplace, action, clean, cell).catch((error: unknown) => {
            throw new Error(`${kind} at ${operation}, ${isOnce ? 'once' : 'for good'}`, { cause: error });
          });
        }
      }
    });
  });
});
