import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { MarketItem } from '#sandbox/world/item.ts';
import type { Market } from '#sandbox/world/market.ts';
import { ebayError } from './ebay-errors.ts';
import { INVENTORY, isInInventory, MARKETPLACE_ID } from './inventory.ts';

const CANNOT_MIGRATE = 25_718;
const SYSTEM_ERROR = 25_001;

const Body = z.looseObject({
  requests: z
    .array(z.looseObject({ listingId: z.string() }))
    .min(1)
    .max(5),
});

/**
 * Moves listings into the model of the Inventory API, after which the Trading API no longer revises them, and no call
 * moves them back. Each listing has its own status.
 */
export function addMigration(app: FastifyInstance, market: Market): void {
  const path = `${INVENTORY}/bulk_migrate_listing`;
  app.post(path, { config: { operation: 'bulkMigrateListing' } }, async (request, reply) => {
    const body = Body.safeParse(request.body);
    if (!body.success) throw ebayError(25_709, 'API_INVENTORY', 'Between one and five listings are allowed.');
    const ids = body.data.requests.map(({ listingId }) => listingId);
    if (new Set(ids).size < ids.length) throw ebayError(25_709, 'API_INVENTORY', 'Each listing once.');
    const responses = ids.map((listingId) => migrate(market, listingId));
    const hasFailed = responses.some(({ statusCode }) => statusCode !== 200);
    return reply.code(hasFailed ? 207 : 200).send({ responses });
  });
}

function migrate(market: Market, listingId: string) {
  const items = market.items().filter(({ itemId, isActive }) => itemId === listingId && isActive);
  const isVaried = items.length > 1 || (items[0]?.variation ?? null) !== null;
  const named = {
    listingId,
    marketplaceId: MARKETPLACE_ID,
    ...(isVaried ? { inventoryItemGroupKey: `group-${listingId}` } : {}),
  };
  const skus = items.filter(({ ebay }) => ebay.hasLabel).map(({ sku }) => ({ sku }));
  const fail = (statusCode: number, errorId: number, message: string) => {
    const category = statusCode === 400 ? 'REQUEST' : 'APPLICATION';
    const error = { errorId, domain: 'API_INVENTORY', category, message };
    // SKUs are reported for a listing that failed, too.
    return { ...named, statusCode, inventoryItems: skus, errors: [error], warnings: [] };
  };
  const problem = problemOf(items);
  if (problem !== null) return fail(400, CANNOT_MIGRATE, `Cannot migrate listing. ${problem}`);
  if (market.happens(market.quirks.migrationsFail)) return fail(500, SYSTEM_ERROR, 'A system error.');
  const inventoryItems = items.map(({ sku }, at) => {
    const offerId = `${listingId.slice(-8)}${at + 1}`;
    market.edit(sku, { keys: { offerId } });
    return { sku, offerId };
  });
  return { ...named, statusCode: 200, inventoryItems, errors: [], warnings: [] };
}

/** Null for a listing that can be migrated. */
function problemOf(items: readonly MarketItem[]): string | null {
  const [first] = items;
  if (first === undefined) return 'The listing does not exist or has ended.';
  if (isInInventory(first)) return 'The listing is managed by the Inventory API already.';
  if (first.ebay.type !== 'FixedPriceItem') return 'Only fixed price listings can be migrated.';
  if (!items.every(({ ebay }) => ebay.hasLabel)) return 'A SKU is missing on the item or on a variation.';
  const { hasPolicies, wantsPaymentAtOnce, hasPlace } = first.ebay;
  if (!hasPolicies) return 'The listing does not use business policies.';
  if (!wantsPaymentAtOnce) return 'The payment policy does not require immediate payment.';
  if (!hasPlace) return 'The listing names neither a postal code nor a city.';
  return null;
}
