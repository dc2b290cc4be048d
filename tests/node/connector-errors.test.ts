import { describe, expect, test } from 'vitest';
import { createAmazon } from '#connectors/amazon/amazon.ts';
import type { Account, ListingRef, MarketplaceConnector, SendOutcome } from '#connectors/connector.ts';
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
const PRICE = cents(2_199);

/** The connectors, and what the marketplace calls the call that each deed makes first. */
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

/** What a read ends with: the fault of the error, and that nothing of the answer was used. */
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
  ['negative_price', 'unreadable'],
  ['na_price', 'unreadable'],
  ['nan_price', 'unreadable'],
];

/** What sending one price ends with, and whether the marketplace heard it. */
const SENDS: readonly (readonly [
  kind: FaultKind,
  outcomes: readonly SendOutcome['kind'][],
  heard: number,
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

interface Rig {
  readonly sandbox: Sandbox;
  readonly connector: MarketplaceConnector;
  readonly account: Account;
  readonly ref: ListingRef;
}

/** Milliseconds for an answer: those that never come whole are not waited for, and no busy machine is late for others. */
const limitFor = (kind: FaultKind | ''): number => (kind !== '' && HANGING.has(kind) ? 150 : 15_000);

/** A connector that tries once and gives up after a while, signed in at a shop that sells. */
async function rigOf(subject: Subject, kind: FaultKind | '' = ''): Promise<Rig> {
  const sample = sampleWorld('trouble', START);
  // The first of this marketplace: a world of all of them takes longer to move than everything else here.
  const items = sample.items.filter(({ marketplace }) => marketplace === subject).slice(0, 5);
  const world = createWorld({ ...sample, items });
  world.advance(instant(START + 2 * DAY));
  const sandbox = await startSandbox({ world, port: 0 });
  const options: Omit<HttpClientOptions, 'name' | 'budgets'> = {
    baseUrl: sandbox.addresses[subject],
    now: world.now,
    limits: { whole: limitFor(kind), attempts: 1 },
    wait: async (milliseconds) => world.advance(instant(world.now() + milliseconds)),
  };
  const connector = SUBJECTS[subject].make(options);
  const account = { credentials: sandbox.credentials[subject], tokens: memoryVault() };
  await connector.check(account, soon());
  const item = world.market(subject).item('PW-001-1');
  if (item === null) throw new Error('the sample shop has other listings');
  const { sku, fulfillmentType, itemId } = item;
  if (fulfillmentType === null) throw new Error('the sample shop says who ships');
  const ref = { listingId: 1, sku, fulfillmentType, itemId, keys: { ...item.keys } };
  return { sandbox, connector, account, ref };
}

function soon(): AbortSignal {
  return AbortSignal.timeout(20_000);
}

/** @returns the fault, or how many rows of the answer were used */
async function read(deed: Deed, { connector, account, ref, sandbox }: Rig): Promise<string> {
  const since = instant(sandbox.world.now() - DAY);
  const pages = {
    listings: () => entriesOf(connector.readListings(account, soon())),
    offers: () => connector.readOffers?.(account, [ref], soon()),
    sales: () => connector.readSales?.(account, since, soon()),
  };
  try {
    let used = 0;
    for await (const page of pages[deed]() ?? []) {
      used += page.filter((row) => !('kind' in row && row.kind === 'unread')).length;
    }
    return `${used} rows`;
  } catch (error) {
    if (error instanceof ConnectorError) return error.fault;
    throw error;
  }
}

describe.each(Object.keys(SUBJECTS) as Subject[])('%s', (subject) => {
  test.each(READS)('answers a read with %s: it ends as %s, and nothing is used', async (kind, fault) => {
    const deeds = Object.entries(SUBJECTS[subject].calls) as [Deed, string][];
    const ends = await Promise.all(
      deeds.map(async ([deed, operation]) => {
        const fixture = await rigOf(subject, kind);
        fixture.sandbox.faults.add({ service: subject, kind, operation, count: 100 });
        const end = await read(deed, fixture);
        await fixture.sandbox.close();
        // One listing whose figures cannot be read is passed over, and the others go on.
        return [deed, end === '0 rows' ? fault : end];
      }),
    );
    expect(Object.fromEntries(ends)).toEqual({ listings: fault, offers: fault, sales: fault });
  });

  test.each(SENDS)('answers a price with %s: it is %j, and %i was heard', async (kind, outcomes, heard) => {
    const { sandbox, connector, account, ref } = await rigOf(subject, kind);
    sandbox.faults.add({ service: subject, kind, operation: SUBJECTS[subject].send });
    const notAfter = instant(sandbox.world.now() + 60_000);
    const order = { ref, price: PRICE, sequence: 1, isUrgent: false, idempotencyKey: 'k-1', notAfter };
    const [outcome] = await connector.sendPrices(account, [order], soon());
    const prices = sandbox.world.receivedPrices().length;
    await sandbox.close();
    expect(outcomes).toContain(outcome?.kind);
    expect(prices).toBe(heard);
  });

  test('too busy for a price: it is not sent, or goes out another way, and once', async () => {
    const { sandbox, connector, account, ref } = await rigOf(subject);
    sandbox.faults.add({ service: subject, kind: 'too_busy', operation: SUBJECTS[subject].send, count: 100 });
    const notAfter = instant(sandbox.world.now() + 60_000);
    const order = { ref, price: PRICE, sequence: 1, isUrgent: false, idempotencyKey: 'k-1', notAfter };
    const [outcome] = await connector.sendPrices(account, [order], soon());
    const heard = sandbox.world.receivedPrices();
    await sandbox.close();
    expect(['not_sent', 'accepted']).toContain(outcome?.kind);
    expect(heard).toHaveLength(outcome?.kind === 'accepted' ? 1 : 0);
  });

  test('a price that is accepted is read back as live after a while, and was sent once', async () => {
    const { sandbox, connector, account, ref } = await rigOf(subject);
    const sentAt = sandbox.world.now();
    const order = {
      ref,
      price: PRICE,
      sequence: 1,
      isUrgent: false,
      idempotencyKey: 'k-1',
      notAfter: instant(sentAt + 60_000),
    };
    const [outcome] = await connector.sendPrices(account, [order], soon());
    expect(outcome?.kind).toBe('accepted');
    const sent = [{ ref, price: PRICE, receipt: null, sentAt, isLastLook: false }];
    const before = await connector.readPrices(account, sent, soon());
    sandbox.world.advance(instant(sentAt + 3_600_000));
    const after = await connector.readPrices(account, sent, soon());
    const heard = sandbox.world.receivedPrices();
    await sandbox.close();
    expect(before).not.toMatchObject([{ price: PRICE }]);
    expect(after).toMatchObject([{ kind: 'price', price: PRICE, refusal: null }]);
    expect(heard).toMatchObject([{ sku: ref.sku, price: PRICE, outcome: 'applied' }]);
  });
});
