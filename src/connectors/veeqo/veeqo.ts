import { ConnectorError } from '#connectors/connector-error.ts';
import { createHttpClient, type HttpAnswer, type HttpClientOptions } from '#connectors/http/http-client.ts';
import type { InventorySource } from '#connectors/inventory-source.ts';
import { isUnreadable, type UnreadableRow } from '#connectors/passed-over.ts';
import { skusOf } from './sku-of.ts';
import { type Product, ProductsPage } from './veeqo-responses.ts';

const NAME = 'Veeqo';
/** Largest page size of Veeqo. */
const PAGE_SIZE = 100;
/** Veeqo allows 5 calls per second and a burst of a hundred; a fifth is left to other programs with the same key. */
const BUDGETS = { products: { perSecond: 4, burst: 20 } };
/** Page limit (100,000 products), in case a response never ends pagination. */
const MAX_PAGES = 1_000;

/** Veeqo's products as SKUs. */
export function createVeeqo(options: Omit<HttpClientOptions, 'name' | 'budgets'>): InventorySource {
  const client = createHttpClient({ ...options, name: NAME, budgets: BUDGETS });
  const ask = async (apiKey: string, page: number, size: number, signal: AbortSignal) => {
    const path = `/products?page=${page}&page_size=${size}`;
    const headers = headersFor(apiKey);
    const answer = await client.call({ method: 'GET', path, operation: 'products', headers }, signal);
    return { products: productsOf(answer), pages: totalPages(answer) };
  };
  return {
    check: async (apiKey, signal) => {
      await ask(apiKey, 1, 1, signal);
    },
    async *readSkus(apiKey, signal) {
      for (let page = 1; page <= MAX_PAGES; page++) {
        const { products, pages } = await ask(apiKey, page, PAGE_SIZE, signal);
        if (products.length > 0) yield products.flatMap((row) => (isUnreadable(row) ? [row] : skusOf(row)));
        const isLast = pages === null ? products.length < PAGE_SIZE : page >= pages;
        if (isLast || products.length === 0) return;
      }
      throw new ConnectorError('too_large', `${NAME} has more products than can be synced at once.`);
    },
  };
}

function headersFor(apiKey: string): Record<string, string> {
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new ConnectorError('key', 'The API key contains invalid characters. Copy it from Veeqo again.');
  }
  return { 'x-api-key': apiKey, accept: 'application/json' };
}

function productsOf({ body }: HttpAnswer): (Product | UnreadableRow)[] {
  const page = ProductsPage.safeParse(body);
  if (page.success) return page.data;
  const where = page.error.issues[0]?.path.map(String).join('.') ?? '';
  const place = where === '' ? '' : ` (at ${where})`;
  throw new ConnectorError(
    'unreadable',
    `Unexpected response from ${NAME}: not a valid list of products${place}.`,
    { status: 200 },
  );
}

/** Null where the response does not say. */
function totalPages({ headers }: HttpAnswer): number | null {
  const said = headers['x-total-pages-count'];
  return typeof said === 'string' && /^\d{1,9}$/.test(said) ? Number(said) : null;
}
