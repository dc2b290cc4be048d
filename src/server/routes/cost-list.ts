import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import {
  AcceptFeeEstimates,
  type CostRow,
  CostsPage,
  CostsQuery,
  FeeEstimates,
} from '#contract/cost-list.ts';
import { type CostListRow, countCosts, listCosts } from '#db/queries/catalog/cost-list.ts';
import { readFeeEstimates } from '#db/queries/catalog/fee-estimates.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import type { Cents } from '#domain/units.ts';
import type { AppDeps } from '#server/app-deps.ts';
import { editorOf } from '#server/editor-of.ts';
import { acceptFeeEstimates } from '#usecases/catalog/costs/accept-fee-estimates.ts';
import { whyFulfillmentIsFixed, whySkuCostsAreFixed } from '#usecases/catalog/costs/cost-parts.ts';

const moneyOrUnknown = (amount: Cents | null): string | null =>
  amount === null ? null : decimalFromCents(amount);

function costView(row: CostListRow): CostRow {
  return {
    listingId: String(row.listingId),
    marketplace: row.marketplace,
    fulfillmentType: row.fulfillmentType,
    sku: row.sku,
    title: row.title,
    productCost: moneyOrUnknown(row.productCost),
    shippingCost: moneyOrUnknown(row.shippingCost),
    fulfillmentCost: moneyOrUnknown(row.fulfillmentCost),
    packagingCost: moneyOrUnknown(row.packagingCost),
    miscCost: moneyOrUnknown(row.miscCost),
    totalCost: moneyOrUnknown(row.totalCost),
    gaps: row.gaps ?? [],
    isDecided: row.gaps !== null,
    stored: {
      product: moneyOrUnknown(row.skuProductCost),
      packaging: moneyOrUnknown(row.skuPackagingCost),
      misc: moneyOrUnknown(row.skuMiscCost),
      shipping: moneyOrUnknown(row.ownShippingCost),
      fulfillment: moneyOrUnknown(row.ownFulfillmentCost),
    },
    version: row.version,
    skuVersion: row.skuVersion,
    goodsReadOnly: whySkuCostsAreFixed(row, row),
    fulfillmentReadOnly: whyFulfillmentIsFixed(row),
    isFulfillmentEstimated:
      row.fulfillmentCostIsEstimate ||
      (row.fulfillmentType === 'FBA/WFS' && row.ownFulfillmentCost === null && row.fulfillmentCost !== null),
  };
}

export const costListRoutes: FastifyPluginAsyncZod<{ deps: AppDeps }> = async (app, { deps }) => {
  app.get(
    '/api/costs',
    { config: { access: 'admin' }, schema: { querystring: CostsQuery, response: { 200: CostsPage } } },
    async ({ query: { q = '', page, size } }) => {
      const rows = await listCosts(deps.db, q, size, (page - 1) * size);
      return {
        rows: rows.map(costView),
        total: await countCosts(deps.db, q),
        estimates: await readFeeEstimates(deps.db),
      };
    },
  );

  app.put(
    '/api/costs/estimates',
    { config: { access: 'admin' }, schema: { body: AcceptFeeEstimates, response: { 200: FeeEstimates } } },
    async (request) => acceptFeeEstimates(deps.db, request.body.areAccepted, editorOf(request), deps.now()),
  );
};
