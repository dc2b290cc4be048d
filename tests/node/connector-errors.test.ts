import { describe, expect, test } from 'vitest';
import { createAmazon } from '#connectors/amazon/amazon.ts';
import type {
  Account,
  ListingRef,
  MarketplaceConnector,
  PriceOrder,
  SendOutcome,
} from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import type { HttpClientOptions } from '#connectors/http/http-client.ts';
import { createWalmart } from '#connectors/walmart/walmart.ts';
import { cents, instant } from '#domain/units.ts';
import type { FaultKind } from '#sandbox/faults/fault.ts';
import { type Sandbox, startSandbox } from '#sandbox/server.ts';
import { sampleWorld } from '#sandbox/world/sample-world.ts';
import { createWorld } from '#sandbox/world/world.ts';
import { entriesOf } from '#tests/support/all-of.ts';
import { HANGING } from '#tests/support/fault-kinds.ts';
import { memoryVault } from '#tests/support/memory-vault.ts';

const START = instant(Date.parse('2026-03-02T08:00:00Z'));
const DAY = 86_400_000;
const never = new AbortController().signal;
const PRICE = cents(2_199);

/** The connectors, and the operation that each action calls first. */
const SUBJECTS = {
  amazon: {
    make: createAmazon,
    calls: { listings: 'searchListingsItems', offers: 'getListingOffersBatch', sales: 'searchOrders' },
    send: 'patchListingsItem',
  },
  walmart: {
    make: createWalmart,
    calls: { listings: 'getAllItems', offers: 'getPricingInsights', sales: 'getAllOrders' },
    send: 'updatePrice',
  },
} as const;
type Subject = keyof typeof SUBJECTS;
type Deed = keyof (typeof SUBJECTS)[Subject]['calls'];

/** The expected error of a read under each fault. */
const READS: readonly (readonly [kind: FaultKind, fault: ConnectorError['fault']])[] = [
  ['too_busy', 'busy'],
  ['server_error', 'service'],
  ['bad_gateway', 'service'],
  ['redirect', 'service'],
  ['timeout', 'network'],
  ['reset', 'network'],
  ['answer_lost', 'network'],
  ['half_open', 'network'],
  ['truncated', 'network'],
  ['one_byte_a_second', 'network'],
  ['huge_body', 'too_large'],
  ['errors_in_200', 'unreadable'],
  ['garbage', 'unreadable'],
  ['empty', 'unreadable'],
];

/** An amount that is none: its row is not used, and the others are. */
const AMOUNTS: readonly FaultKind[] = ['negative_price', 'na_price', 'nan_price'];

/** The expected outcomes of sending one price, and the number of prices the marketplace received. */
const SENDS: readonly (readonly [
  kind: FaultKind,
  outcomes: readonly SendOutcome['kind'][],
  received: number,
])[] = [
  ['server_error', ['unknown'], 0],
  ['bad_gateway', ['unknown'], 0],
  ['redirect', ['unknown', 'rejected'], 0],
  ['errors_in_200', ['unknown', 'rejected'], 0],
  ['timeout', ['unknown'], 0],
  ['reset', ['unknown'], 0],
  ['answer_lost', ['unknown'], 1],
  ['late_answer', ['unknown'], 1],
  ['half_open', ['unknown'], 1],
  ['truncated', ['unknown'], 1],
  ['one_byte_a_second', ['unknown'], 1],
  ['huge_body', ['unknown'], 1],
  ['garbage', ['unknown'], 1],
  ['empty', ['unknown'], 1],
  ['duplicates', ['accepted', 'unknown'], 1],
  ['skewed_clock', ['accepted'], 1],
  ['never_applied', ['accepted'], 1],
];

interface Fixture {
  readonly sandbox: Sandbox;
  readonly connector: MarketplaceConnector;
  readonly account: Account;
  readonly ref: ListingRef;
  readonly order: PriceOrder;
}

const LONG = 300_000;

/** Response timeout in milliseconds: short for responses that never complete, long for all others on a busy machine. */
const limitFor = (kind: FaultKind | ''): number => (kind !== '' && HANGING.has(kind) ? 500 : LONG);

/** A connector without retries, connected to a store with orders. */
async function openFixture(subject: Subject, kind: FaultKind | '' = ''): Promise<Fixture> {
  const sample = sampleWorld('errors', START);
  // Five listings of this marketplace: advancing a world of all marketplaces takes most of the time.
  const items = sample.items.filter(({ marketplace }) => marketplace === subject).slice(0, 5);
  const world = createWorld({ ...sample, items });
  world.advance(instant(START + 2 * DAY));
  const sandbox = await startSandbox({ world, port: 0 });
  const optionsFor = (whole: number): Omit<HttpClientOptions, 'name' | 'budgets'> => ({
    baseUrl: sandbox.addresses[subject],
    now: world.now,
    limits: { whole, attempts: 1 },
    wait: async (milliseconds) => world.advance(instant(world.now() + milliseconds)),
  });
  const connector = SUBJECTS[subject].make(optionsFor(limitFor(kind)));
  const account = { credentials: sandbox.credentials[subject], tokens: memoryVault() };
  // The first calls of a process take longest, and none of them is what the test is about.
  await SUBJECTS[subject].make(optionsFor(LONG)).check(account, never);
  const item = world.market(subject).item('PW-001-1');
  if (item === null) throw new Error('the sample shop has other listings');
  const { sku, fulfillmentType, itemId } = item;
  if (fulfillmentType === null) throw new Error('the sample shop says who ships');
  const ref = { listingId: 1, sku, fulfillmentType, itemId, keys: { ...item.keys } };
  const notAfter = instant(world.now() + 60_000);
  const wanted = { price: PRICE, currentPrice: item.price, ownPrices: [], sequence: 1, isUrgent: false };
  const order = { ...wanted, ref, idempotencyKey: 'k-1', notAfter };
  return { sandbox, connector, account, ref, order };
}

/** Rows that say why they cannot be used. */
const UNUSED: ReadonlySet<string> = new Set(['unread', 'passed_over']);

/** @returns the error's fault, or the number of rows used */
async function read(deed: Deed, { connector, account, ref, sandbox }: Fixture): Promise<string> {
  const since = instant(sandbox.world.now() - DAY);
  const pages = {
    listings: () => entriesOf(connector.readListings(account, never)),
    offers: () => connector.readOffers?.(account, [ref], never),
    sales: () => connector.readSales?.(account, since, never),
  };
  try {
    let used = 0;
    for await (const page of pages[deed]() ?? []) {
      used += page.filter((row) => !('kind' in row) || !UNUSED.has(row.kind)).length;
    }
    return `${used} rows`;
  } catch (error) {
    if (error instanceof ConnectorError) return error.fault;
    throw error;
  }
}

describe.each(Object.keys(SUBJECTS) as Subject[])('%s', (subject) => {
  test.each(READS)(
    'a read with %s fails as %s, and nothing of the response is used',
    async (kind, problem) => {
      const deeds = Object.entries(SUBJECTS[subject].calls) as [Deed, string][];
      const ends = await Promise.all(
        deeds.map(async ([deed, operation]) => {
          const fixture = await openFixture(subject, kind);
          fixture.sandbox.faults.add({ service: subject, kind, operation, count: 100 });
          const end = await read(deed, fixture);
          await fixture.sandbox.close();
          // A listing with invalid figures is skipped, and the others are read.
          return [deed, end === '0 rows' ? problem : end];
        }),
      );
      expect(Object.fromEntries(ends)).toEqual({ listings: problem, offers: problem, sales: problem });
    },
  );

  test.each(AMOUNTS)('of a read with %s nothing of the row is used', async (kind) => {
    for (const [deed, operation] of Object.entries(SUBJECTS[subject].calls) as [Deed, string][]) {
      const used: number[] = [];
      const fixture = await openFixture(subject, kind);
      used.push(Number.parseInt(await read(deed, fixture), 10));
      fixture.sandbox.faults.add({ service: subject, kind, operation, count: 100 });
      used.push(Number.parseInt(await read(deed, fixture), 10));
      await fixture.sandbox.close();
      const [clean = 0, withFault = 0] = used;
      expect({ deed, isLess: withFault < clean }).toEqual({ deed, isLess: true });
    }
  });

  test.each(SENDS)('a price with %s is %j, and %i was received', async (kind, outcomes, received) => {
    const { sandbox, connector, account, order } = await openFixture(subject, kind);
    sandbox.faults.add({ service: subject, kind, operation: SUBJECTS[subject].send });
    const [outcome] = await connector.sendPrices(account, [order], never);
    const prices = sandbox.world.receivedPrices().length;
    await sandbox.close();
    expect(outcomes).toContain(outcome?.kind);
    expect(prices).toBe(received);
  });

  test('a price rejected as too busy is not sent, or is sent once by another call', async () => {
    const { sandbox, connector, account, order } = await openFixture(subject);
    sandbox.faults.add({ service: subject, kind: 'too_busy', operation: SUBJECTS[subject].send, count: 100 });
    const [outcome] = await connector.sendPrices(account, [order], never);
    const received = sandbox.world.receivedPrices();
    await sandbox.close();
    expect(['not_sent', 'accepted']).toContain(outcome?.kind);
    expect(received).toHaveLength(outcome?.kind === 'accepted' ? 1 : 0);
  });

  test('an accepted price is confirmed by reading it back, and was sent once', async () => {
    const { sandbox, connector, account, ref, order } = await openFixture(subject);
    const sentAt = sandbox.world.now();
    const [outcome] = await connector.sendPrices(account, [order], never);
    expect(outcome?.kind).toBe('accepted');
    const sent = [{ ref, price: PRICE, receipt: null, sentAt, isLastLook: false }];
    const before = await connector.readPrices(account, sent, never);
    sandbox.world.advance(instant(sentAt + 3_600_000));
    const after = await connector.readPrices(account, sent, never);
    const received = sandbox.world.receivedPrices();
    await sandbox.close();
    expect(before).not.toMatchObject([{ price: PRICE }]);
    expect(after).toMatchObject([{ kind: 'price', price: PRICE, refusal: null }]);
    expect(received).toMatchObject([{ sku: ref.sku, price: PRICE, outcome: 'applied' }]);
  });
});
