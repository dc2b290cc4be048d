import { createShopify } from '#connectors/shopify/shopify.ts';
import { type TestClock, testClock } from './connector-fixture.ts';
import { type Asked, type FakeService, limitsFor, startFakeService } from './fake-service.ts';

type Data = Record<string, unknown>;

/** A shop's answers by what a query asks for. */
export interface FakeShopify extends FakeService {
  readonly clock: TestClock;
  /** The currency of the shop. */
  currency: string;
  readonly variants: Data[];
  readonly priceLists: Data[];
  readonly orders: Data[];
  connect(limits?: { whole?: number; attempts?: number }): ReturnType<typeof createShopify>;
  /** Queries that ask for this member, as they arrived. */
  askedFor(member: string): { readonly query: string; readonly variables: Data }[];
  /** Answers queries that ask for this member. */
  answer(member: string, data: (variables: Data) => unknown): void;
}

export const SHOP_KEY = { storeUrl: 'https://My-Shop.myshopify.com/admin', apiKey: 'shpat_key-1' };

const PATH = /^\/admin\/api\/2026-10\/graphql\.json$/;

export async function startFakeShopify(): Promise<FakeShopify> {
  const service = await startFakeService();
  const clock = testClock();
  const answers: [string, (variables: Data) => unknown][] = [];
  const fake: FakeShopify = {
    ...service,
    clock,
    currency: 'USD',
    variants: [],
    priceLists: [],
    orders: [],
    connect: (limits = {}) =>
      createShopify({
        baseUrl: service.url,
        limits: { ...limitsFor(service.faults), ...limits },
        now: clock.now,
        wait: clock.wait,
      }),
    askedFor: (member) => service.asked.map(bodyOf).filter(({ query }) => query.includes(member)),
    answer: (member, data) => void answers.push([member, data]),
  };
  service.on('POST', PATH, (requested) => {
    const { query, variables } = bodyOf(requested);
    const known = answers.findLast(([member]) => query.includes(member));
    return { body: { data: known?.[1](variables) ?? null }, headers: { 'x-shopify-api-version': '2026-10' } };
  });
  const shop = () => ({ name: 'My shop', currencyCode: fake.currency });
  fake.answer('shop {', () => ({ shop: shop() }));
  fake.answer('currentAppInstallation', () => ({
    currentAppInstallation: {
      accessScopes: ['write_products', 'read_inventory', 'read_orders', 'read_shopify_payments_payouts'].map(
        (handle) => ({ handle }),
      ),
    },
  }));
  fake.answer('productVariants(', ({ first, after }) => ({
    productVariants: page(fake.variants, Number(first), after),
  }));
  fake.answer('priceLists(', ({ first, after }) => ({
    priceLists: page(fake.priceLists, Number(first), after),
  }));
  fake.answer('productVariantsCount', () => ({
    shop: shop(),
    productVariantsCount: { count: fake.variants.length, precision: 'EXACT' },
  }));
  fake.answer('nodes(ids', ({ ids }) => ({
    shop: shop(),
    nodes: (ids as string[]).map((id) => fake.variants.find((one) => one.id === id) ?? null),
  }));
  fake.answer('orders(', ({ first, after }) => ({ orders: page(fake.orders, Number(first), after) }));
  fake.answer('productVariantsBulkUpdate', ({ variants }) => ({
    productVariantsBulkUpdate: { productVariants: variants, userErrors: [] },
  }));
  return fake;
}

function bodyOf({ json }: Asked): { query: string; variables: Data } {
  return { query: '', variables: {}, ...(json as Data | undefined) };
}

function page(rows: readonly Data[], first: number, after: unknown) {
  const from = Number(after ?? 0);
  const end = from + first;
  return {
    pageInfo: { hasNextPage: end < rows.length, endCursor: String(end) },
    nodes: rows.slice(from, end),
  };
}

export function aVariant(number: number, given: Data = {}, product: Data = {}): Data {
  return {
    id: `gid://shopify/ProductVariant/${number}`,
    sku: `SKU-${number}`,
    title: 'Blue',
    price: '12.50',
    inventoryQuantity: 4,
    inventoryItem: { tracked: true },
    media: { nodes: [] },
    product: {
      id: `gid://shopify/Product/${number}`,
      title: 'Mug',
      status: 'ACTIVE',
      isGiftCard: false,
      featuredMedia: { preview: { image: { url: 'https://img.test/mug.jpg' } } },
      ...product,
    },
    ...given,
  };
}

/** An error in addition to or instead of data. */
export function aGraphqlError(code: string, more: Data = {}): { body: unknown } {
  return { body: { errors: [{ message: `It is ${code}.`, extensions: { code } }], ...more } };
}
