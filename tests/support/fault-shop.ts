import { createAmazon } from '#connectors/amazon/amazon.ts';
import type { Account, ListingRef, MarketplaceConnector, MarketplaceListing } from '#connectors/connector.ts';
import { createEbay } from '#connectors/ebay/ebay.ts';
import { createEtsy } from '#connectors/etsy/etsy.ts';
import type { HttpClientOptions } from '#connectors/http/http-client.ts';
import type { InventorySource } from '#connectors/inventory-source.ts';
import { createMichaels } from '#connectors/michaels/michaels.ts';
import { createShopify } from '#connectors/shopify/shopify.ts';
import { createVeeqo } from '#connectors/veeqo/veeqo.ts';
import { createWalmart } from '#connectors/walmart/walmart.ts';
import { MARKETPLACES, type Marketplace } from '#domain/marketplaces.ts';
import { cents, hours, type Instant, instant } from '#domain/units.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '#sandbox/server.ts';
import type { ItemPlan } from '#sandbox/world/catalog.ts';
import { createWorld } from '#sandbox/world/world.ts';
import { memoryFindings } from './memory-findings.ts';
import { memoryVault } from './memory-vault.ts';

export const BEGAN = instant(Date.UTC(2026, 10, 20, 12));
export const LISTINGS = 3;

type Options = Pick<HttpClientOptions, 'baseUrl' | 'limits' | 'now' | 'wait' | 'onCall'>;

const CONNECTORS: Readonly<Record<Marketplace, (options: Options) => MarketplaceConnector>> = {
  amazon: createAmazon,
  walmart: createWalmart,
  ebay: createEbay,
  etsy: createEtsy,
  shopify: createShopify,
  michaels: createMichaels,
};

/** The real connector to a marketplace of a sandbox. */
export function connectorTo(marketplace: Marketplace, options: Options): MarketplaceConnector {
  return CONNECTORS[marketplace](options);
}

/** A small store in a sandbox where nothing changes on its own, and the real connector to it. */
export interface FaultShop {
  readonly sandbox: Sandbox;
  readonly connector: MarketplaceConnector;
  readonly account: Account;
  readonly now: () => Instant;
  /** Advances the clock without sleeping. */
  readonly pass: (milliseconds: number) => void;
  /** Tries that the connector has made. */
  readonly calls: () => number;
  /** What buyers see, by SKU, in cents. */
  readonly live: () => ReadonlyMap<string, number>;
}

/** Marketplaces that the sandbox simulates, whichever they are by now. */
export async function simulatedMarketplaces(): Promise<Marketplace[]> {
  const world = createWorld({ seed: 'faults', startsAt: BEGAN, items: [], stock: [] });
  const { services, close } = await startSandbox({ world, port: 0 });
  await close();
  return MARKETPLACES.filter((marketplace) => services.some(({ name }) => name === marketplace));
}

/** What a shop is beyond the usual. */
export interface FaultShopPlan extends Pick<SandboxOptions, 'keepsLimits'> {
  /** Of the first listing. */
  readonly first?: Partial<ItemPlan>;
  /** Of all listings. */
  readonly keys?: ItemPlan['keys'];
  /** Listings; {@link LISTINGS} by default. */
  readonly count?: number;
  /** Amazon is known to take merges, so that many prices go by feed. */
  readonly takesMerges?: true;
}

/** @param whole milliseconds after which a call without an answer is given up */
export async function openFaultShop(
  marketplace: Marketplace,
  whole: number,
  { keepsLimits = false, first = {}, keys, count = LISTINGS, takesMerges }: FaultShopPlan = {},
): Promise<FaultShop> {
  let time = BEGAN;
  let calls = 0;
  const now = (): Instant => time;
  const items = Array.from({ length: count }, (_, at) => ({
    marketplace,
    sku: `PW-00${at + 1}`,
    title: `Product ${at + 1}`,
    fulfillmentType: 'FBM' as const,
    price: cents(2_011 + at * 1_000),
    shippingCharge: cents(0),
    quantity: 40,
    viewsPerDay: 0,
    competitors: [{ name: 'Corner Store', habit: 'stubborn' as const, price: cents(1_977 + at * 1_000) }],
    ...(keys !== undefined && { keys }),
    ...(at === 0 && first),
  }));
  const world = createWorld({ seed: 'faults', startsAt: BEGAN, items, stock: [] });
  const sandbox = await startSandbox({ world, port: 0, now, services: [marketplace], keepsLimits });
  const pass = (milliseconds: number): void => {
    time = instant(time + milliseconds);
  };
  pass(hours(1));
  const connector = connectorTo(marketplace, {
    baseUrl: sandbox.addresses[marketplace],
    now,
    limits: { whole, bytes: 2 ** 20 },
    wait: async (milliseconds) => pass(milliseconds),
    onCall: () => {
      calls += 1;
    },
  });
  const credentials = {
    ...sandbox.credentials[marketplace],
    ...(marketplace === 'michaels' && { allowWrites: 'yes' }),
  };
  return {
    sandbox,
    connector,
    now,
    pass,
    account: {
      credentials,
      tokens: memoryVault(),
      ...(takesMerges && { findings: memoryFindings({ amazon_write: { is: 'merge', isQuoted: false } }) }),
    },
    calls: () => calls,
    live: () => {
      world.advance(time);
      return new Map(
        world
          .market(marketplace)
          .items()
          .map(({ sku, price }) => [sku, price]),
      );
    },
  };
}

export function refOf({ sku, itemId, fulfillmentType, keys }: MarketplaceListing, index: number): ListingRef {
  if (fulfillmentType === null) throw new Error('The sample shop says who ships.');
  return { listingId: index + 1, sku, itemId, fulfillmentType, keys };
}

/** A warehouse of more than one page in a sandbox, and the real connector to it. */
interface FaultStock {
  readonly sandbox: Sandbox;
  readonly source: InventorySource;
  readonly apiKey: string;
  /** Tries that the connector has made. */
  readonly calls: () => number;
  /** What each SKU really costs, in cents. */
  readonly costs: ReadonlyMap<string, number>;
}

/** @param whole milliseconds after which a call without an answer is given up */
export async function openFaultStock(whole: number): Promise<FaultStock> {
  let time = BEGAN;
  let calls = 0;
  const stock = Array.from({ length: 101 }, (_, at) => ({
    sku: `PW-${at + 1}`,
    name: `Product ${at + 1}`,
    cost: cents(400 + at),
    weightOunces: 8,
  }));
  const world = createWorld({ seed: 'faults', startsAt: BEGAN, items: [], stock });
  const sandbox = await startSandbox({ world, port: 0, now: () => time, services: ['veeqo'] });
  const source = createVeeqo({
    baseUrl: sandbox.addresses.veeqo,
    now: () => time,
    limits: { whole, bytes: 2 ** 20 },
    wait: async (milliseconds) => {
      time = instant(time + milliseconds);
    },
    onCall: () => {
      calls += 1;
    },
  });
  return {
    sandbox,
    source,
    apiKey: sandbox.credentials.veeqo.apiKey ?? '',
    calls: () => calls,
    costs: new Map(stock.map(({ sku, cost }) => [sku, cost])),
  };
}
