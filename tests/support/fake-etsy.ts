import type { Account, ListingRef, MarketplaceConnector, PriceOrder } from '#connectors/connector.ts';
import { createEtsy } from '#connectors/etsy/etsy.ts';
import type { HeldTokens } from '#connectors/token-vault.ts';
import { cents, type Instant, instant } from '#domain/units.ts';
import { type FakeService, startFakeService } from './fake-service.ts';
import { memoryVault } from './memory-vault.ts';

/** Sunday, 1 March 2026, noon. */
export const NOON = instant(Date.UTC(2026, 2, 1, 12));
export const SHOP = 5_501;

/** A shop on a fake Etsy, whose clock a test turns. */
export interface EtsyShop {
  readonly service: FakeService;
  readonly account: Account;
  readonly connector: MarketplaceConnector;
  readonly waits: number[];
  readonly clock: { now: Instant };
  /** What was requested of one kind. */
  asked(part: string, method?: string): FakeService['asked'];
}

/**
 * @param held tokens that were fetched before
 * @param whole milliseconds that one call may take
 */
export async function startEtsyShop(held: HeldTokens = {}, whole = 10_000): Promise<EtsyShop> {
  const service = await startFakeService();
  const clock = { now: NOON };
  const waits: number[] = [];
  let tokens = 0;
  service.on('POST', /^\/v3\/public\/oauth\/token$/, () => {
    tokens += 1;
    return { body: { access_token: `77.a${tokens}`, refresh_token: `77.r${tokens}`, expires_in: 3_600 } };
  });
  service.on('GET', /\/users\/me$/, () => ({ body: { user_id: 77, shop_id: SHOP } }));
  service.on('GET', /\/shops\/5501$/, () => ({
    body: { shop_id: SHOP, shop_name: 'FineMugs', currency_code: 'USD' },
  }));
  service.on('GET', /\/shops\/5501\/receipts/, () => ({ body: { count: 0, results: [] } }));
  const connector = createEtsy({
    baseUrl: service.url,
    limits: { attempts: 2, whole },
    now: () => clock.now,
    wait: async (milliseconds) => {
      waits.push(milliseconds);
      clock.now = instant(clock.now + milliseconds);
    },
  });
  const account: Account = {
    credentials: {
      keystring: 'key-1',
      sharedSecret: 'secret-1',
      refreshToken: '77.r0',
      shopName: 'FineMugs',
    },
    tokens: memoryVault(held),
  };
  const asked = (part: string, method?: string) =>
    service.asked.filter((one) => one.path.includes(part) && (method ?? one.method) === one.method);
  return { service, account, connector, waits, clock, asked };
}

/** Cents as Etsy writes them. */
export function etsyMoney(amount: number, currency_code = 'USD') {
  return { amount, divisor: 100, currency_code };
}

/** A product as Etsy answers it: one offering, one value of the property 200. */
export function etsyProduct(
  product_id: number,
  sku: string | null,
  amount: number,
  changes: Record<string, unknown> = {},
) {
  const { quantity = 4, value = `Color ${product_id}`, price = etsyMoney(amount), ...others } = changes;
  return {
    product_id,
    sku,
    is_deleted: false,
    offerings: [
      {
        offering_id: product_id + 1_000_000,
        quantity,
        is_enabled: true,
        is_deleted: false,
        price,
        readiness_state_id: 31,
      },
    ],
    property_values: [
      {
        property_id: 200,
        property_name: 'Primary color',
        scale_id: null,
        scale_name: null,
        value_ids: [product_id + 50],
        values: [value],
      },
    ],
    ...others,
  };
}

/** An inventory whose prices may differ by the property 200. */
export function etsyInventory(products: unknown[], changes: Record<string, unknown> = {}) {
  return {
    products,
    price_on_property: [200],
    quantity_on_property: [200],
    sku_on_property: [200],
    readiness_state_on_property: [],
    ...changes,
  };
}

/** One of ours, in the listing 9001 unless said otherwise. */
export function etsyRef(listingId: number, sku = `MUG-${listingId}`, item = '9001'): ListingRef {
  return { listingId, sku, fulfillmentType: 'FBM', itemId: item, keys: { listingId: item } };
}

/** @param groupKey as the catalog named those that share the price */
export function etsyOrder(
  listingId: number,
  price = 1_999,
  sku?: string,
  item?: string,
  groupKey: string | null = null,
): PriceOrder {
  return {
    groupKey,
    ref: etsyRef(listingId, sku, item),
    price: cents(price),
    currentPrice: cents(2_500),
    // That of the second product, which some stories price too.
    ownPrices: [cents(2_600)],
    sequence: 1,
    isUrgent: false,
    idempotencyKey: `key-${listingId}`,
    notAfter: instant(NOON + 600_000),
  };
}

/** An inventory as Etsy takes it. */
export interface EtsyWritten {
  products: { sku: string; property_values: object[]; offerings: { price: number; quantity: number }[] }[];
}

/** What Etsy answers to it: it counts its products and their values anew, and answers with amounts. */
export function etsyStored(json: unknown) {
  const { products, ...rest } = json as EtsyWritten;
  return {
    ...rest,
    products: products.map((product, index) => ({
      ...product,
      product_id: 700 + index,
      is_deleted: false,
      property_values: product.property_values.map((value) => ({ ...value, value_ids: [900 + index] })),
      offerings: product.offerings.map((offering) => ({
        ...offering,
        offering_id: 800 + index,
        is_deleted: false,
        price: etsyMoney(Math.round(offering.price * 100)),
      })),
    })),
  };
}
