import { createAmazon } from '#connectors/amazon/amazon.ts';
import type {
  Account,
  ListingRef,
  MarketplaceConnector,
  MarketplaceListing,
  PriceOrder,
} from '#connectors/connector.ts';
import { createEbay } from '#connectors/ebay/ebay.ts';
import { createEtsy } from '#connectors/etsy/etsy.ts';
import { createMichaels } from '#connectors/michaels/michaels.ts';
import { createShopify } from '#connectors/shopify/shopify.ts';
import { createVeeqo } from '#connectors/veeqo/veeqo.ts';
import { createWalmart } from '#connectors/walmart/walmart.ts';
import { MARKETPLACES, type Marketplace } from '#domain/marketplaces.ts';
import { type Cents, cents, hours, type Instant, instant } from '#domain/units.ts';
import { type Sandbox, startSandbox } from '#sandbox/server.ts';
import { sampleWorld } from '#sandbox/world/sample-world.ts';
import { createWorld } from '#sandbox/world/world.ts';
import { memoryVault } from '#tests/support/memory-vault.ts';
import { MILD_QUIRKS } from '#tests/support/mild-quirks.ts';
import { type Exchange, exchangeOf, type Service } from './exchange.ts';

const BEGAN = instant(Date.UTC(2026, 10, 20, 12));

/** The exchanges of one connector that made all its calls. */
export interface Session {
  readonly service: Service;
  readonly exchanges: readonly Exchange[];
  /** What it read, so that a session with an empty store fails. */
  readonly found: Readonly<Record<string, number>>;
}

const CONNECTORS: Readonly<
  Record<Marketplace, (options: { baseUrl: string; now: () => Instant; wait: Wait }) => MarketplaceConnector>
> = {
  amazon: createAmazon,
  walmart: createWalmart,
  ebay: createEbay,
  etsy: createEtsy,
  shopify: createShopify,
  michaels: createMichaels,
};
type Wait = (milliseconds: number, signal: AbortSignal) => Promise<unknown>;

/** Days for orders and competitor prices to appear; a settlement of these marketplaces takes two weeks. */
const DAYS: Readonly<Partial<Record<Service, number>>> = { amazon: 15, walmart: 15 };

/** A sandbox whose time passes while a connector waits: reports and feeds finish without real delays. */
async function openSandbox(service: Service): Promise<{ sandbox: Sandbox; now: () => Instant; wait: Wait }> {
  let time = BEGAN;
  const now = (): Instant => time;
  const sample = sampleWorld('contracts', BEGAN);
  // Advancing a world of all marketplaces takes most of the time.
  const items = sample.items.filter(({ marketplace }) => service === 'veeqo' || marketplace === service);
  const world = createWorld({ ...sample, items, quirks: MILD_QUIRKS });
  const sandbox = await startSandbox({ world, port: 0, now });
  const wait = async (milliseconds: number): Promise<void> => {
    time = instant(time + milliseconds);
  };
  await wait(hours(24 * (DAYS[service] ?? 1)));
  return { sandbox, now, wait };
}

/** Makes each connector do what the product does: check, read, send a price, read it back. */
export async function runSessions(): Promise<Session[]> {
  const sessions: Session[] = [];
  for (const marketplace of MARKETPLACES) sessions.push(await marketplaceSession(marketplace));
  return [...sessions, await veeqoSession()];
}

async function marketplaceSession(marketplace: Marketplace): Promise<Session> {
  const { sandbox, now, wait } = await openSandbox(marketplace);
  const found: Record<string, number> = {};
  const never = new AbortController().signal;
  try {
    const connector = CONNECTORS[marketplace]({ baseUrl: sandbox.addresses[marketplace], now, wait });
    const account: Account = {
      credentials: {
        ...sandbox.credentials[marketplace],
        ...(marketplace === 'michaels' && { allowWrites: 'yes' }),
      },
      tokens: memoryVault(),
    };
    await connector.check(account, never);
    const listings: MarketplaceListing[] = [];
    for await (const { entries } of connector.readListings(account, never)) {
      for (const item of entries) if (item.kind === 'listing') listings.push(item);
    }
    found.listings = listings.length;
    const refs = listings.slice(0, 30).map(refOf);
    await readAll(connector, account, refs, found, instant(BEGAN - hours(24)), now());
    const orders = listings
      .slice(0, 5)
      .flatMap((item, index): PriceOrder[] =>
        item.price === null ? [] : [orderOf(refOf(item, index), item.price, now())],
      );
    const outcomes = await connector.sendPrices(account, orders, never);
    found.taken = outcomes.filter(({ kind }) => kind === 'accepted' || kind === 'live').length;
    await wait(hours(2), never);
    const sent = orders.map(({ ref, price }, index) => {
      const outcome = outcomes[index];
      return {
        ref,
        price,
        receipt: outcome?.kind === 'accepted' ? outcome.receipt : null,
        sentAt: BEGAN,
        isLastLook: true,
      };
    });
    const readings = await connector.readPrices(account, sent, never);
    found.live = readings.filter(
      (reading, index) => reading.kind === 'price' && reading.price === orders[index]?.price,
    ).length;
    return { service: marketplace, exchanges: exchangesOf(sandbox, marketplace), found };
  } finally {
    await sandbox.close();
  }
}

async function readAll(
  connector: MarketplaceConnector,
  account: Account,
  refs: readonly ListingRef[],
  found: Record<string, number>,
  since: Instant,
  until: Instant,
): Promise<void> {
  const never = new AbortController().signal;
  const count = async (
    name: string,
    pages: AsyncGenerator<readonly unknown[]> | undefined,
  ): Promise<void> => {
    if (pages === undefined) return;
    found[name] = 0;
    for await (const page of pages) found[name] = (found[name] ?? 0) + page.length;
  };
  await count('offers', connector.readOffers?.(account, refs, never));
  await count('sales', connector.readSales?.(account, since, never));
  await count('figures', connector.readFigures?.(account, refs, never));
  if (connector.readMoney !== undefined) {
    found.money = 0;
    const window = { since: instant(until - hours(24)), until };
    for await (const { events, refused } of connector.readMoney(account, window, never)) {
      found.money += events.length - refused.length;
    }
  }
  const queries = refs.map((ref) => ({ ref, price: cents(2_000), shippingCharge: cents(0) }));
  await count('fees', connector.estimateFees?.(account, queries, never));
}

function refOf({ sku, itemId, fulfillmentType, keys }: MarketplaceListing, index: number): ListingRef {
  return { listingId: index + 1, sku, itemId, fulfillmentType: fulfillmentType ?? 'FBM', keys };
}

function orderOf(ref: ListingRef, currentPrice: Cents, now: Instant): PriceOrder {
  return {
    ref,
    price: cents(currentPrice + 50),
    currentPrice,
    ownPrices: [],
    sequence: 1,
    isUrgent: false,
    idempotencyKey: `contracts-${ref.listingId}`,
    notAfter: instant(now + hours(1)),
  };
}

async function veeqoSession(): Promise<Session> {
  const { sandbox, now, wait } = await openSandbox('veeqo');
  const never = new AbortController().signal;
  try {
    const veeqo = createVeeqo({ baseUrl: sandbox.addresses.veeqo, now, wait });
    const key = sandbox.credentials.veeqo.apiKey ?? '';
    await veeqo.check(key, never);
    let skus = 0;
    for await (const page of veeqo.readSkus(key, never)) skus += page.length;
    return { service: 'veeqo', exchanges: exchangesOf(sandbox, 'veeqo'), found: { skus } };
  } finally {
    await sandbox.close();
  }
}

function exchangesOf({ exchanges }: Sandbox, service: Service): Exchange[] {
  // Pre-signed document addresses are not described in the API documents.
  const calls = exchanges
    .list()
    .filter((exchange) => exchange.service === service && !exchange.path.startsWith('/_documents/'));
  return calls.map(exchangeOf);
}
