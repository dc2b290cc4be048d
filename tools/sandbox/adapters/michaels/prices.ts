import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type Cents, cents } from '#domain/units.ts';
import type { AdapterContext } from '#sandbox/adapters/adapter.ts';
import { dollars, priceOf } from '#sandbox/adapters/money.ts';
import { headerText } from '#sandbox/adapters/query.ts';
import type { Market } from '#sandbox/world/market.ts';
import { claimsIn } from './michaels-key.ts';
import { MICHAELS_WORDS, michaelsRefusal, readOnlyRefusal, WELL } from './michaels-text.ts';

/** Nobody has measured it. */
const LIVE_AFTER = 2 * 60_000;
/** Above that a price is taken for a mistake. */
const HIGHEST = 10_000_000;

const Wanted = z.looseObject({ sellerSkuNumbers: z.array(z.string()).max(100) });
const Rows = z
  .array(z.looseObject({ sellerSkuNumber: z.string(), price: z.unknown() }))
  .min(1)
  .max(50);
type Row = z.output<typeof Rows>[number];

/** Prices by the seller's own SKUs. One wrong row and none of a call is taken. */
export function addPrices(app: FastifyInstance, market: Market, tools: AdapterContext): void {
  const read = '/listing/price/seller-sku-number/batch-get';
  app.post(read, { config: { operation: 'getPricesBySellerSku' } }, async (request) => {
    const body = Wanted.safeParse(request.body);
    if (!body.success) throw michaelsRefusal(400);
    const wanted = new Set(body.data.sellerSkuNumbers);
    const items = market.items().filter(({ sku }) => wanted.has(sku));
    const data = items.map(({ sku, price }) => ({ sellerSkuNumber: sku, price: dollars(price) }));
    return { code: WELL.code, data };
  });
  const publish = '/listing/price/publish-by-seller-sku-number';
  app.post(publish, { config: { operation: 'publishPricesBySellerSku' } }, async (request) => {
    if (claimsIn(headerText(request, 'api-key'))?.access !== 'all') throw readOnlyRefusal();
    const rows = Rows.safeParse(request.body);
    if (!rows.success) throw michaelsRefusal(400);
    const read = rows.data.map((row) => ({ ...row, price: priceIn(row) }));
    const statuses = read.map((row) => problemOf(market, row));
    // What is not there is said before what is wrong.
    const status = statuses.includes(404) ? 404 : (statuses.find((one) => one !== null) ?? null);
    for (const row of read) hear(market, tools, request, row, status);
    if (status !== null) throw michaelsRefusal(status);
    return { ...WELL, data: null };
  });
}

/** Numbers only: a text is no price here. */
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
  const refusal = status === null ? null : JSON.stringify(MICHAELS_WORDS.refusal(status).body);
  const asked = { sku: sellerSkuNumber, price: price ?? cents(0), liveAfter: LIVE_AFTER, refusal };
  tools.hear(market, request, asked);
}
