import { createAmazon } from '#connectors/amazon/amazon.ts';
import type { Account, AccountFindings, ListingRef, MarketplaceConnector } from '#connectors/connector.ts';
import type { HttpLimits } from '#connectors/http/http-client.ts';
import { type Instant, instant } from '#domain/units.ts';
import { type FakeService, startFakeService } from './fake-service.ts';
import { memoryFindings } from './memory-findings.ts';
import { memoryVault } from './memory-vault.ts';

export const US = 'ATVPDKIKX0DER';
export const OUR_SELLER = 'A2OURSELLER';

const CREDENTIALS = {
  sellerId: OUR_SELLER,
  lwaClientId: 'client-1',
  lwaClientSecret: 'secret-1',
  refreshToken: 'refresh-1',
};

/** Amazon as a test wants it, and the connector that talks to it. Waits take no time and are counted. */
export interface FakeAmazon {
  readonly service: FakeService;
  readonly amazon: MarketplaceConnector;
  /** Another connector, with options of its own, on the same clock. */
  readonly connector: (options?: { limits?: Partial<HttpLimits> }) => MarketplaceConnector;
  readonly waits: number[];
  /** Calls by now to paths like this, tokens aside. */
  readonly calls: (path: RegExp) => FakeService['asked'];
  /** What the search for all listings of the seller answers. */
  readonly lists: (...items: readonly object[]) => void;
  now(): Instant;
  /** Lets the clock go on, or back. */
  pass(milliseconds: number): void;
  close(): Promise<void>;
}

export async function startFakeAmazon(): Promise<FakeAmazon> {
  const service = await startFakeService();
  const waits: number[] = [];
  let time = instant(Date.parse('2026-11-20T12:00:00Z'));
  let tokens = 0;
  service.on('POST', /^\/auth\/o2\/token$/, () => {
    tokens += 1;
    return { body: { access_token: `token-${tokens}`, token_type: 'bearer', expires_in: 3600 } };
  });
  const connector: FakeAmazon['connector'] = (options = {}) =>
    createAmazon({
      ...options,
      baseUrl: service.url,
      now: () => time,
      wait: async (milliseconds) => {
        waits.push(milliseconds);
        time = instant(time + milliseconds);
      },
    });
  return {
    service,
    waits,
    connector,
    amazon: connector(),
    lists: (...items) =>
      service.on('GET', /^\/listings\/2021-08-01\/items\/\w+\?(?!.*identifiers)/, () => ({
        body: { numberOfResults: items.length, items },
      })),
    calls: (path) => service.asked.filter((requested) => path.test(requested.path)),
    now: () => time,
    pass: (milliseconds) => {
      time = instant(time + milliseconds);
    },
    close: () => service.close(),
  };
}

/** An account that is known to take merges, unless given otherwise. */
export function amazonAccount(
  credentials: Record<string, string> = {},
  tokens = memoryVault(),
  findings: AccountFindings = memoryFindings({ amazon_write: { is: 'merge', isQuoted: false } }),
): Account {
  return { credentials: { ...CREDENTIALS, ...credentials }, tokens, findings };
}

export function amazonRef(listingId: number, given: Partial<ListingRef> = {}): ListingRef {
  return {
    listingId,
    sku: `SKU-${listingId}`,
    fulfillmentType: 'FBA/WFS',
    itemId: `B00000000${listingId}`,
    keys: {},
    ...given,
  };
}

/** A listing as getListingsItem and searchListingsItems answer it. */
export function amazonItem(number: number, given: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    sku: `SKU-${number}`,
    summaries: [
      {
        marketplaceId: US,
        asin: `B00000000${number}`,
        productType: 'KETTLE',
        conditionType: 'new_new',
        status: ['BUYABLE', 'DISCOVERABLE'],
        itemName: `Kettle ${number}`,
        createdDate: '2025-02-03T00:00:00Z',
        lastUpdatedDate: '2026-10-03T00:00:00Z',
        mainImage: { link: `https://images.example/${number}.jpg`, height: 500, width: 500 },
      },
    ],
    attributes: { purchasable_offer: [amazonOffer('31.00')] },
    offers: [{ marketplaceId: US, offerType: 'B2C', price: { currencyCode: 'USD', amount: '31.00' } }],
    fulfillmentAvailability: [{ fulfillmentChannelCode: 'AMAZON_NA' }],
    issues: [],
    ...given,
  };
}

/** An entry of the attribute that holds a listing's prices. */
export function amazonOffer(price: string, given: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    marketplace_id: US,
    audience: 'ALL',
    currency: 'USD',
    our_price: [{ schedule: [{ value_with_tax: Number(price) }] }],
    ...given,
  };
}

export async function allOf<Thing>(pages: AsyncGenerator<readonly Thing[]>): Promise<Thing[]> {
  const all: Thing[] = [];
  for await (const page of pages) all.push(...page);
  return all;
}
