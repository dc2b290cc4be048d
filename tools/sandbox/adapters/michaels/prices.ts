import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type Cents, cents } from '#domain/units.ts';
import type { AdapterContext } from '#sandbox/adapters/adapter.ts';
import { dollars, priceOf } from '#sandbox/adapters/money.ts';
import { headerText } from '#sandbox/adapters/query.ts';
import type { Market } from '#sandbox/world/market.ts';
import { MICHAELS_ERROR_FORMAT, michaelsRefusal, readOnlyRefusal, SUCCESS } from './michaels-errors.ts';
import { claimsIn } from './michaels-key.ts';

/** Milliseconds until buyers see an accepted price: a guess, not measured. */
const LIVE_AFTER = 2 * 60_000;
/** In cents; higher prices are rejected as errors. */
const HIGHEST = 10_000_000;

const Wanted = z.looseObject({ sellerSkuNumbers: z.array(z.string()).max(100) });
const Rows = z
  .array(z.looseObject({ sellerSkuNumber: z.string(), price: z.unknown() }))
  .min(1)
  .max(50);
type Row = z.output<typeof Rows>[number];

/** Prices by the seller's SKUs. One invalid row rejects the whole call. */
export function addPrices(app: FastifyInstance, market: Market, tools: AdapterContext): void {
  const read = '/listing/price/seller-sku-number/batch-get';
  app.post(read, { config: { operation: 'getPricesBySellerSku' } }, async (request) => {
    const body = Wanted.safeParse(request.body);
    if (!body.success) throw michaelsRefusal(400);
    const wanted = new Set(body.data.sellerSkuNumbers);
    const items = market.itemsIn('item').filter(({ sku }) => wanted.has(sku));
    const data = items.map(({ sku, price }) => ({ sellerSkuNumber: sku, price: dollars(price) }));
    return { code: SUCCESS.code, data };
  });
  const publish = '/listing/price/publish-by-seller-sku-number';
  app.post(publish, { config: { operation: 'publishPricesBySellerSku' } }, async (request) => {
    if (claimsIn(headerText(request, 'api-key'))?.access !== 'all') throw readOnlyRefusal();
    const rows = Rows.safeParse(request.body);
    if (!rows.success) throw michaelsRefusal(400);
    const read = rows.data.map((row) => ({ ...row, price: priceIn(row) }));
    const statuses = read.map((row) => problemOf(market, row));
    // Unknown SKUs are reported before invalid prices.
    const status = statuses.includes(404) ? 404 : (statuses.find((one) => one !== null) ?? null);
    for (const row of read) hear(market, tools, request, row, status);
    if (status !== null) throw michaelsRefusal(status);
    return { ...SUCCESS, data: null };
  });
}

/** Prices must be JSON numbers, not strings. */
function priceIn({ price }: Row): Cents | null {
  return typeof price === 'number' ? priceOf(price) : null;
}

function problemOf(
  market: Market,
  row: { readonly sellerSkuNumber: string; readonly price: Cents | null },
): number | null {
  const item = market.item(row.sellerSkuNumber);
  if (item === null) return 404;
  const isParent = market.items().some((one) => one !== item && one.keys.primarySkuNumber === item.itemId);
  return isParent || row.price === null || row.price > HIGHEST ? 400 : null;
}

function hear(
  market: Market,
  tools: AdapterContext,
  request: FastifyRequest,
  { sellerSkuNumber, price }: { readonly sellerSkuNumber: string; readonly price: Cents | null },
  status: number | null,
): void {
  const refusal = status === null ? null : JSON.stringify(MICHAELS_ERROR_FORMAT.refusal(status).body);
  const requested = { sku: sellerSkuNumber, price: price ?? cents(0), liveAfter: LIVE_AFTER, refusal };
  tools.receivePrice(market, request, requested);
}
