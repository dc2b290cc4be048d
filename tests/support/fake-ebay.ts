import type { Account, ListingRef, MarketplaceConnector, PriceOrder } from '#connectors/connector.ts';
import { createEbay } from '#connectors/ebay/ebay.ts';
import type { HeldTokens } from '#connectors/token-vault.ts';
import { cents, type Instant, instant } from '#domain/units.ts';
import { type Answer, type FakeService, startFakeService } from './fake-service.ts';
import { memoryVault } from './memory-vault.ts';

/** Sunday, 1 March 2026, noon. */
export const NOON = instant(Date.UTC(2026, 2, 1, 12));

/** A shop on a fake eBay, whose clock a test turns. */
export interface EbayShop {
  readonly service: FakeService;
  readonly account: Account;
  readonly connector: MarketplaceConnector;
  /** The connector of another process. */
  restart(): MarketplaceConnector;
  readonly waits: number[];
  readonly clock: { now: Instant };
  /** What the Trading API answers to calls with that name from now on: the content of its document. */
  trade(name: string, answer: (request: string) => string): void;
  /** Names and documents of the calls to the Trading API. */
  traded(): { readonly name: string; readonly xml: string; readonly token: unknown }[];
  /** What was requested, without tokens. */
  asked(): string[];
}

/**
 * @param held tokens that were fetched before
 * @param whole milliseconds that one call may take
 */
export async function startEbayShop(held: HeldTokens = {}, whole = 10_000): Promise<EbayShop> {
  const service = await startFakeService();
  const clock = { now: NOON };
  const waits: number[] = [];
  let tokens = 0;
  service.on('POST', /^\/identity\/v1\/oauth2\/token$/, ({ text }) => {
    const kind = text.startsWith('grant_type=refresh_token') ? 'seller' : 'application';
    if (text.includes('sell.marketing')) return { body: { access_token: 'unused', expires_in: 7_200 } };
    tokens += 1;
    return { body: { access_token: `${kind}-${tokens}`, expires_in: 7_200, token_type: 'User' } };
  });
  // It has no offer that a test did not give it.
  const noOffer = { errors: [{ errorId: 25_713, category: 'REQUEST', message: 'Not available.' }] };
  service.on('GET', /\/offer(\/[^/?]+|\?sku=[^&]+)$/, () => ({ status: 404, body: noOffer }));
  const restart = () =>
    createEbay({
      baseUrl: service.url,
      limits: { attempts: 2, whole },
      now: () => clock.now,
      wait: async (milliseconds) => {
        waits.push(milliseconds);
        clock.now = instant(clock.now + milliseconds);
      },
    });
  const connector = restart();
  const account: Account = {
    credentials: {
      appId: 'app-1',
      certId: 'cert-1',
      refreshToken: 'v^1.1#refresh',
      username: 'fine-mugs',
    },
    tokens: memoryVault(held),
  };
  // Nothing is listed outside of the Inventory model, and no sale runs.
  const trades = new Map<string, (request: string) => string>([
    ['GetMyeBaySelling', () => TAKEN],
    ['GetSellerEvents', () => TAKEN],
    ['GetSellerList', () => `${TAKEN}<HasMoreItems>false</HasMoreItems>`],
  ]);
  service.on('POST', /^\/ws\/api\.dll$/, ({ headers, text }) => {
    const name = String(headers['x-ebay-api-call-name']);
    const content = trades.get(name)?.(text) ?? tradingFailure('17', 'This item cannot be accessed.');
    const namespace = 'urn:ebay:apis:eBLBaseComponents';
    return {
      body: `<?xml version="1.0"?><${name}Response xmlns="${namespace}">${content}</${name}Response>`,
    };
  });
  service.on('GET', /^\/sell\/marketing\/v1\/promotion\?/, () => ({ body: { total: 0 } }));
  const traded = () =>
    service.asked.flatMap(({ path, headers, text }) =>
      path === '/ws/api.dll'
        ? [
            {
              name: String(headers['x-ebay-api-call-name']),
              xml: text,
              token: headers['x-ebay-api-iaf-token'],
            },
          ]
        : [],
    );
  const asked = () =>
    service.asked.flatMap(({ method, path }) => (path.startsWith('/identity') ? [] : [`${method} ${path}`]));
  const trade: EbayShop['trade'] = (name, answer) => void trades.set(name, answer);
  return { service, account, connector, restart, waits, clock, trade, traded, asked };
}

/** Calls that eBay answers after a time of their own on the clock of a shop. */
export interface SlowCalls {
  /** What a route answers with. @param onEnd called right before the answer */
  answer(body: object, onEnd?: () => void): Answer;
  /** The most that were under way at once. */
  most(): number;
}

/**
 * Makes each call take so many milliseconds of the shop's clock, while others are under way: the clock goes on once as many
 * are as can be.
 * @param underWay how many calls can be under way now
 */
export function slowCalls({ clock }: EbayShop, milliseconds: number, underWay: () => number): SlowCalls {
  const held: { readonly due: number; readonly end: () => void }[] = [];
  let most = 0;
  const goOn = (): void => {
    for (let next = held[0]; next !== undefined && held.length >= underWay(); next = held[0]) {
      held.shift();
      clock.now = instant(Math.max(clock.now, next.due));
      next.end();
    }
  };
  return {
    answer: (body, onEnd) => (response) => {
      const end = () => {
        onEnd?.();
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(body));
      };
      held.push({ due: clock.now + milliseconds, end });
      most = Math.max(most, held.length);
      goOn();
    },
    most: () => most,
  };
}

const TAKEN = '<Ack>Success</Ack>';

/** A call of the Trading API that was refused. @param about the item or SKU that the error names */
export function tradingFailure(code: string, message: string, about?: string, ack = 'Failure'): string {
  const parameter =
    about === undefined ? '' : `<ErrorParameters ParamID="0"><Value>${about}</Value></ErrorParameters>`;
  return `<Ack>${ack}</Ack><Errors><LongMessage>${message}</LongMessage><ErrorCode>${code}</ErrorCode><SeverityCode>Error</SeverityCode>${parameter}<ErrorClassification>RequestError</ErrorClassification></Errors>`;
}

/** A listing at a fixed price as GetItem answers it. @param more further elements */
export function tradingItem(itemId: string, price: string, more = ''): string {
  return `<Item><ItemID>${itemId}</ItemID><ListingType>FixedPriceItem</ListingType><Title>Item ${itemId}</Title><Quantity>5</Quantity><SellingStatus><CurrentPrice currencyID="USD">${price}</CurrentPrice></SellingStatus>${more}</Item>`;
}

/** One of ours, offered on eBay. */
export function ebayRef(listingId: number, keys: Record<string, string> = {}): ListingRef {
  return {
    listingId,
    sku: `MUG-${listingId}`,
    fulfillmentType: 'FBM',
    itemId: `11000${listingId}`,
    keys: { offerId: `90${listingId}`, gtin: '012345678905', ...keys },
  };
}

export function ebayOrder(listingId: number, price = 1_999, keys: Record<string, string> = {}): PriceOrder {
  return {
    ref: ebayRef(listingId, keys),
    price: cents(price),
    currentPrice: cents(2_499),
    ownPrices: [],
    sequence: 1,
    isUrgent: false,
    idempotencyKey: `key-${listingId}`,
    notAfter: instant(NOON + 600_000),
  };
}

/** An offer as eBay answers it. */
export function ebayOffer(number: number, changes: Record<string, unknown> = {}) {
  return {
    offerId: `90${number}`,
    sku: `MUG-${number}`,
    marketplaceId: 'EBAY_US',
    format: 'FIXED_PRICE',
    status: 'PUBLISHED',
    availableQuantity: 4,
    pricingSummary: { price: { value: '24.50', currency: 'USD' } },
    listing: { listingId: `11000${number}`, listingStatus: 'ACTIVE' },
    ...changes,
  };
}
