import { sql } from 'drizzle-orm';
import { readCategoryMap } from '#files/read-category-map.ts';
import { readShippedFees, schedulesOfPlans } from '#files/read-shipped-fees.ts';
import { NOW } from '#tests/builders/facts.ts';
import { loadCategoryMap } from '#usecases/catalog/fees/load-category-map.ts';
import { loadShippedFees } from '#usecases/catalog/fees/load-shipped-fees.ts';
import type { AuditedCall, Scene } from './audited-calls.ts';
import { planIn } from './run-preview.ts';
import { addListing, addSku } from './seed.ts';

const RULE = { name: 'Beat them', fulfillmentType: 'All', strategy: 'Beat Competitor', minimumMargin: '15' };
const TIER = { marketplace: 'all', fulfillmentType: 'FBM', minWeightOz: 0, maxWeightOz: 16, cost: '3.99' };
const BAND = { upTo: null, percent: '10.00', fixed: '0.00', minimum: '0.00' };
const FEES = { marketplace: 'etsy', category: 'Toys', effectiveFrom: null, kind: 'whole', bands: [BAND] };
const LAYOUT = { order: [], hidden: [], widths: {}, density: null };
const VIEW = { name: 'Needs review', query: { margin: 'below_5' }, layout: LAYOUT, isShared: true };

const keepId =
  (name: string): NonNullable<AuditedCall['keep']> =>
  ({ known }, answer) =>
    void known.set(name, String(answer.json().id));
const at = (path: string, name: string, payload: object = {}): NonNullable<AuditedCall['ready']> => {
  return async ({ know }) => ({ url: path.replace('$', know(name)), payload });
};
const listed = (payload: object = {}): NonNullable<AuditedCall['ready']> => {
  return async ({ id }) => ({ payload: { selection: { ids: [String(id)] }, ...payload } });
};
const version = async ({ get, id }: Scene): Promise<number> =>
  (await get(`/api/listings/${id}`)).json().version;

/** A price of $5.00 that was found on the marketplace. @returns its ID */
async function externalEdit({ app: { db }, id }: Scene): Promise<string> {
  await db.execute(sql`INSERT INTO price_history (listing_id, old_price, new_price, reason, source)
    SELECT id, current_price, 5, 'Seen', 'observed' FROM listings WHERE id = ${id} AND current_price <> 5`);
  const { rows } = await db.execute<{ id: string }>(sql`
    INSERT INTO external_edits (listing_id, marketplace, found_at, price, price_before, problem, unrepaired_because, repair_price)
    SELECT id, marketplace, ${new Date(NOW).toISOString()}::timestamptz, 5, 20, 'loses_money', 'doubtful', 20 FROM listings
    WHERE id = ${id} RETURNING id::text AS id`);
  return rows[0]?.id ?? '';
}

/** Prices first: the story of the shop makes one ready to be applied. */
const PRICES: readonly AuditedCall[] = [
  {
    route: 'POST /api/listings/:id/apply',
    writes: ['price.applied'],
    ready: async ({ engineRuns, id }) => {
      await engineRuns();
      return { url: `/api/listings/${id}/apply`, payload: { shown: '17.99' } };
    },
  },
  {
    route: 'POST /api/history/:listingId/:id/revert',
    writes: ['price.reverted'],
    ready: async ({ id, lastMove }) => ({
      url: `/api/history/${id}/${(await lastMove()).id}/revert`,
      payload: { from: '17.99' },
    }),
  },
  {
    route: 'PUT /api/listings/:id/price',
    writes: ['price.typed'],
    ready: async ({ id }) => ({
      url: `/api/listings/${id}/price`,
      payload: { price: '19.00', from: '20.00' },
    }),
  },
  {
    route: 'POST /api/listings/:id/retry',
    writes: ['price.retried'],
    ready: async ({ app, id }) => {
      await app.db.execute(
        sql`UPDATE integrations SET price_channel = 'connected' WHERE marketplace = 'walmart'`,
      );
      await app.db.execute(sql`INSERT INTO price_intents (listing_id, marketplace, sequence, state, price, from_price,
        margin_floor, reason, source, idempotency_key, created_at, expires_at, sent_at, settled_at, marketplace_message)
        SELECT id, marketplace, 1, 'rejected', 21, current_price, 15, 'Wanted', 'rule', 'retried', now(), now(), now(),
          now(), 'Too high' FROM listings WHERE id = ${id} ON CONFLICT DO NOTHING`);
      return { url: `/api/listings/${id}/retry`, payload: { price: '21.00' } };
    },
    keep: async ({ app }) => {
      await app.db.execute(sql`UPDATE integrations SET price_channel = 'file' WHERE marketplace = 'walmart'`);
      await app.db.execute(sql`DELETE FROM price_intents`);
    },
  },
  {
    route: 'POST /api/listings/:id/external-edit/leave',
    writes: ['external_edit.left'],
    ready: async (scene) => ({
      url: `/api/listings/${scene.id}/external-edit/leave`,
      payload: { edit: await externalEdit(scene) },
    }),
  },
  {
    route: 'POST /api/listings/:id/external-edit/repair',
    writes: ['price.repaired'],
    ready: async (scene) => {
      const edit = await externalEdit(scene);
      const checked = await scene.get(`/api/listings/${scene.id}/price-check?price=5.00`);
      return {
        url: `/api/listings/${scene.id}/external-edit/repair`,
        payload: { edit, price: checked.json().lowestAllowedPrice },
      };
    },
  },
  {
    route: 'PUT /api/connections/:marketplace/external-edits',
    writes: ['external_edits.set'],
    ready: async () => ({
      url: '/api/connections/etsy/external-edits',
      payload: { policy: 'repair_floor' },
    }),
    keep: async ({ app }) => {
      await app.db.execute(sql`UPDATE marketplace_modes SET external_edits = 'repair_loss'`);
    },
  },
  {
    route: 'PUT /api/connections/:marketplace/business-prices',
    writes: ['business_prices.set'],
    ready: async () => ({
      url: '/api/connections/amazon/business-prices',
      payload: { policy: 'follow' },
    }),
    keep: async ({ app }) => {
      await app.db.execute(sql`UPDATE marketplace_modes SET business_prices = 'leave'`);
    },
  },
  {
    route: 'PUT /api/connections/:marketplace/offer-age',
    writes: ['offer_age.set'],
    ready: async () => ({ url: '/api/connections/etsy/offer-age', payload: { hours: 12 } }),
    keep: async ({ app }) => {
      await app.db.execute(sql`UPDATE marketplace_modes SET max_offer_age_minutes = NULL`);
    },
  },
  {
    route: 'POST /api/listings/apply',
    writes: ['price.applied'],
    ready: async (scene) => {
      const other = scene.known.get('other') ?? String(await scene.addAnother('B-1', 18));
      scene.known.set('other', other);
      await scene.engineRuns();
      return { payload: { selection: { ids: [other] } } };
    },
  },
  {
    route: 'POST /api/history/undo',
    writes: ['price.reverted', 'prices.taken_back'],
    ready: async ({ lastMove, know }) => {
      const { id, runId } = await lastMove(Number(know('other')));
      return {
        payload: { filter: { run: String(runId) }, through: String(id), changes: 1, openThrough: null },
      };
    },
  },
  {
    route: 'POST /api/runs/:id/undo',
    writes: ['price.reverted'],
    ready: async ({ lastMove, know }) => ({
      url: `/api/runs/${(await lastMove(Number(know('other')))).runId}/undo`,
      payload: {},
    }),
  },
];

const LISTINGS: readonly AuditedCall[] = [
  {
    route: 'PUT /api/listings/:id',
    writes: ['listing.edited'],
    ready: async (scene) => ({
      url: `/api/listings/${scene.id}`,
      payload: { version: await version(scene), fields: { minPrice: '15.00' } },
    }),
  },
  {
    route: 'PUT /api/listings/:id/costs',
    writes: ['costs.edited'],
    ready: async ({ get, id }) => {
      const costs = (await get(`/api/listings/${id}/costs`)).json();
      const { version: seen, skuVersion } = costs;
      return { url: `/api/listings/${id}/costs`, payload: { version: seen, skuVersion, product: '9.00' } };
    },
  },
  {
    route: 'POST /api/listings/edit',
    writes: ['listing.edited'],
    ready: listed({ fields: { minPrice: '14.00' } }),
    keep: ({ known }, answer) => void known.set('undo', answer.json().undoId),
  },
  {
    route: 'POST /api/listings/undo',
    writes: ['listing.restored'],
    ready: async ({ know }) => ({ payload: { undoId: know('undo'), jobId: null } }),
  },
  {
    route: 'POST /api/listings/limits',
    writes: ['listing.edited'],
    ready: async ({ id, send }) => {
      const request = {
        selection: { ids: [String(id)] },
        limits: { minPrice: { from: 'cost', percent: '5' } },
      };
      const { token } = (await send('POST', '/api/listings/limits-preview', request)).json();
      return { payload: { ...request, token } };
    },
  },
  {
    route: 'POST /api/listings/hold',
    writes: ['listing.held'],
    ready: listed({ hours: null, reason: 'Sale' }),
  },
  { route: 'POST /api/listings/resume', writes: ['listing.resumed'], ready: listed() },
  { route: 'POST /api/listings/uploaded', writes: ['listing.uploaded'], ready: listed() },
  { route: 'POST /api/listings/delete', writes: ['listing.deleted'], ready: listed() },
  {
    route: 'POST /api/listings/undelete',
    writes: ['listing.undeleted'],
    ready: async ({ id }) => ({ payload: { ids: [String(id)] } }),
  },
];

const CATALOG: readonly AuditedCall[] = [
  {
    route: 'POST /api/skus',
    writes: ['sku.created'],
    keep: keepId('sku'),
    ready: async () => ({ payload: { sku: 'NEW', name: 'Mug', productCost: '4.20', weightOz: 12.5 } }),
  },
  {
    route: 'PUT /api/skus/:id',
    writes: ['sku.edited'],
    ready: at('/api/skus/$', 'sku', { version: 1, productCost: '18.00' }),
  },
  {
    route: 'POST /api/skus/hazardous',
    writes: ['sku.edited'],
    ready: async ({ know, app: { db } }) => {
      // It may be marked from the time before.
      await db.execute(sql`UPDATE skus SET is_hazardous = false WHERE id = ${know('sku')}`);
      return { payload: { selection: { ids: [know('sku')] }, isHazardous: true } };
    },
  },
  {
    route: 'POST /api/skus/delete',
    writes: ['sku.deleted'],
    ready: async ({ know }) => ({ payload: { selection: { ids: [know('sku')] } } }),
  },
  {
    route: 'POST /api/skus/undelete',
    writes: ['sku.undeleted'],
    ready: async ({ know }) => ({ payload: { ids: [know('sku')] } }),
  },
  {
    route: 'POST /api/bundles/bulk',
    writes: ['bundles.saved'],
    ready: async ({ know, known, app }) => {
      if (!known.has('box')) known.set('box', String(await addListing(app.db, 'BOX')));
      const part = known.get('part') ?? String(await addSku(app.db, 'PART'));
      known.set('part', part);
      const components = [know('sku'), part].map((componentSkuId) => ({ componentSkuId, quantity: 1 }));
      return { payload: components.map((component) => ({ listingSku: 'BOX', ...component })) };
    },
  },
  {
    route: 'DELETE /api/bundles/:listingSku',
    writes: ['bundle.removed'],
    ready: async () => ({ url: '/api/bundles/BOX' }),
  },
  {
    route: 'POST /api/bundles/confirm-single',
    writes: ['bundles.confirmed_single'],
    ready: async () => ({ payload: { listingSkus: ['BOX'] } }),
  },
  {
    route: 'POST /api/shipping-tiers',
    writes: ['tiers.created'],
    ready: async () => ({ payload: TIER }),
    keep: async ({ known, app }) => {
      const { rows } = await app.db.execute<{ id: string }>(
        sql`SELECT id::text AS id FROM shipping_tiers WHERE marketplace = 'walmart'`,
      );
      known.set('tier', rows[0]?.id ?? '');
    },
  },
  {
    route: 'PUT /api/shipping-tiers/:id',
    writes: ['tier.edited'],
    ready: at('/api/shipping-tiers/$', 'tier', { ...TIER, marketplace: 'walmart', cost: '4.99' }),
  },
  {
    route: 'DELETE /api/shipping-tiers/:id',
    writes: ['tiers.deleted'],
    ready: async ({ know }) => ({ url: `/api/shipping-tiers/${know('tier')}` }),
  },
  {
    route: 'POST /api/shipping-tiers/delete',
    writes: ['tiers.deleted'],
    ready: async (scene) => {
      await scene.app.db.execute(sql`INSERT INTO shipping_tiers
        (marketplace, fulfillment_type, min_weight_oz, max_weight_oz, cost) VALUES ('etsy', 'FBM', 0, 16, 3)
        ON CONFLICT DO NOTHING`);
      const { rows } = await scene.app.db.execute<{ id: string }>(
        sql`SELECT id::text AS id FROM shipping_tiers`,
      );
      return { payload: { ids: rows.map(({ id }) => id) } };
    },
  },
  {
    route: 'PUT /api/sales/:id/restocked',
    writes: ['sale.restocked'],
    ready: async ({ app: { db } }) => {
      const { rows } = await db.execute<{ id: string }>(sql`
        INSERT INTO sales_history (listing_id, sale_date, quantity_sold, unit_price, total_revenue)
        SELECT min(id), now(), 1, 20, 20 FROM listings RETURNING id::text AS id`);
      return { url: `/api/sales/${rows[0]?.id}/restocked`, payload: { units: 1 } };
    },
  },
  {
    route: 'PUT /api/costs/estimates',
    writes: ['fees.estimates_accepted'],
    ready: async () => ({ payload: { areAccepted: true } }),
  },
  {
    route: 'POST /api/fee-categories/accept',
    writes: ['fees.category_accepted'],
    ready: async ({ app: { db } }) => {
      await loadShippedFees({ db, now: () => NOW }, schedulesOfPlans(await readShippedFees()));
      await loadCategoryMap(db, await readCategoryMap());
      const { rows } = await db.execute(sql`SELECT FROM listings WHERE sku = 'SCREEN'`);
      if (rows.length === 0) await addListing(db, 'SCREEN', { productType: 'Televisions' });
      return { payload: { marketplace: 'walmart', category: 'Consumer Electronics', listings: 1 } };
    },
  },
  {
    route: 'POST /api/fee-facts/decide',
    writes: ['fees.told_rejected'],
    ready: async (scene) => {
      const { rows } = await scene.app.db.execute<{ id: string }>(sql`
        INSERT INTO fee_facts (listing_id, kind, source, fulfillment_type, asked_price, asked_shipping, amount, told_at, refused_because)
        SELECT id, 'commission', 'estimate', 'FBM', 20, 0, 0.10, now(), 'out_of_range' FROM listings
        WHERE deleted_at IS NULL LIMIT 1 RETURNING id::text AS id`);
      return { payload: { ids: rows.map(({ id }) => id), decision: 'keep' } };
    },
  },
  {
    route: 'PUT /api/fee-terms/:marketplace',
    writes: ['fees.terms_saved'],
    ready: async () => ({ url: '/api/fee-terms/etsy', payload: { plan: null, salesTax: '7.25' } }),
  },
  {
    route: 'POST /api/fees',
    writes: ['fees.created'],
    keep: keepId('fees'),
    ready: async () => ({ payload: FEES }),
  },
  {
    route: 'PUT /api/fees/:id',
    writes: ['fees.edited'],
    keep: keepId('fees'),
    ready: at('/api/fees/$', 'fees', { ...FEES, bands: [{ ...BAND, percent: '12.00' }] }),
  },
  {
    route: 'DELETE /api/fees/:id',
    writes: ['fees.deleted'],
    ready: async ({ know }) => ({ url: `/api/fees/${know('fees')}` }),
  },
];

const RULES: readonly AuditedCall[] = [
  {
    route: 'POST /api/rules',
    writes: ['rule.created'],
    keep: keepId('rule'),
    ready: async () => ({ payload: RULE }),
  },
  {
    route: 'PUT /api/rules/:id',
    writes: ['rule.edited'],
    ready: at('/api/rules/$', 'rule', { ...RULE, minimumMargin: '20', version: 1 }),
  },
  {
    route: 'PUT /api/rules/:id/active',
    writes: ['rule.disabled'],
    ready: at('/api/rules/$/active', 'rule', { isActive: false }),
  },
  {
    route: 'POST /api/rules/active',
    writes: ['rule.enabled'],
    ready: async ({ know }) => ({ payload: { ids: [know('rule')], isActive: true } }),
  },
  {
    route: 'DELETE /api/rules/:id',
    writes: ['rule.deleted'],
    ready: async ({ know }) => ({ url: `/api/rules/${know('rule')}` }),
  },
  {
    route: 'POST /api/rules/undelete',
    writes: ['rule.restored'],
    ready: async ({ know }) => ({ payload: { ids: [know('rule')] } }),
  },
  {
    route: 'POST /api/rules/delete',
    writes: ['rule.deleted'],
    ready: async ({ know }) => ({ payload: { ids: [know('rule')] } }),
  },
  {
    route: 'POST /api/views',
    writes: ['view.created'],
    keep: keepId('view'),
    ready: async () => ({ payload: { list: 'listings', ...VIEW } }),
  },
  {
    route: 'PUT /api/views/:id',
    writes: ['view.edited'],
    ready: at('/api/views/$', 'view', { ...VIEW, name: 'Ask later', version: 1 }),
  },
  {
    route: 'DELETE /api/views/:id',
    writes: ['view.deleted'],
    ready: async ({ know }) => ({ url: `/api/views/${know('view')}` }),
  },
  {
    route: 'POST /api/views/:id/restore',
    writes: ['view.restored'],
    ready: async ({ know }) => ({ url: `/api/views/${know('view')}/restore` }),
  },
];

const token = async ({ get }: Scene, marketplaces: string): Promise<string> =>
  planIn((await get(`/api/engine/plan?marketplaces=${marketplaces}`)).body).token;

const ENGINE: readonly AuditedCall[] = [
  {
    route: 'POST /api/engine/go-live',
    writes: ['engine.armed', 'run.reviewed'],
    ready: async (scene) => ({
      payload: { marketplaces: ['walmart'], token: await token(scene, 'walmart') },
    }),
  },
  {
    route: 'POST /api/engine/recommend-only',
    writes: ['engine.disarmed'],
    ready: async () => ({ payload: { marketplaces: ['walmart'] } }),
  },
  {
    route: 'POST /api/engine/halt',
    writes: ['engine.halted'],
    ready: async () => ({ payload: { reason: 'costs are wrong' } }),
  },
  { route: 'POST /api/engine/resume', writes: ['engine.resumed'], ready: async () => ({ payload: {} }) },
  {
    route: 'POST /api/runs',
    writes: ['run.requested'],
    ready: async ({ app }) => {
      await app.db.execute(
        sql`UPDATE repricing_runs SET state = 'done', ended_at = started_at WHERE ended_at IS NULL`,
      );
      return {};
    },
  },
];

export const SHOP_CALLS: readonly AuditedCall[] = [...PRICES, ...LISTINGS, ...CATALOG, ...RULES, ...ENGINE];
