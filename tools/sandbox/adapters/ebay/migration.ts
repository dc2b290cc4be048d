import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { MarketItem } from '#sandbox/world/item.ts';
import type { Market } from '#sandbox/world/market.ts';
import { ebayError } from './ebay-errors.ts';
import { INVENTORY, isInInventory, MARKETPLACE_ID } from './inventory.ts';

const CANNOT_MIGRATE = 25_718;

const Body = z.looseObject({
  requests: z
    .array(z.looseObject({ listingId: z.string() }))
    .min(1)
    .max(5),
});

/** Moves listings into the model of the Inventory API, after which the Trading API no longer revises them. */
export function addMigration(app: FastifyInstance, market: Market): void {
  const path = `${INVENTORY}/bulk_migrate_listing`;
  app.post(path, { config: { operation: 'bulkMigrateListing' } }, async (request, reply) => {
    const body = Body.safeParse(request.body);
    if (!body.success) throw ebayError(25_709, 'API_INVENTORY', 'Between one and five listings are allowed.');
    const responses = body.data.requests.map(({ listingId }) => migrate(market, listingId));
    const hasFailed = responses.some(({ statusCode }) => statusCode !== 200);
    return reply.code(hasFailed ? 207 : 200).send({ responses });
  });
}

function migrate(market: Market, listingId: string) {
  const items = market.items().filter(({ itemId, isActive }) => itemId === listingId && isActive);
  const problem = problemOf(items);
  const named = { listingId, marketplaceId: MARKETPLACE_ID };
  if (problem !== null) {
    const message = `Cannot migrate listing. ${problem}`;
    const error = { errorId: CANNOT_MIGRATE, domain: 'API_INVENTORY', category: 'REQUEST', message };
    return { ...named, statusCode: 400, errors: [error], warnings: [] };
  }
  const inventoryItems = items.map(({ sku }, at) => {
    const offerId = `${listingId.slice(-8)}${at + 1}`;
    market.edit(sku, { keys: { offerId } });
    return { sku, offerId };
  });
  const group = items.length > 1 ? { inventoryItemGroupKey: `group-${listingId}` } : {};
  return { ...named, ...group, statusCode: 200, inventoryItems, errors: [], warnings: [] };
}

/** Null for a listing that can be migrated. */
function problemOf(items: readonly MarketItem[]): string | null {
  const [first] = items;
  if (first === undefined) return 'The listing does not exist or has ended.';
  if (isInInventory(first)) return 'The listing is managed by the Inventory API already.';
  if (first.ebay.type !== 'FixedPriceItem') return 'Only fixed price listings can be migrated.';
  if (!items.every(({ ebay }) => ebay.hasLabel)) return 'A SKU is missing on the item or on a variation.';
  if (!items.every(({ ebay }) => ebay.hasPolicies)) return 'The listing does not use business policies.';
  return null;
}
