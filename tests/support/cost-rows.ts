import type { CostRow, FeeEstimates } from '#contract/cost-list.ts';
import type { ListingCosts, SavedCosts } from '#contract/costs.ts';

export const NO_ESTIMATES: FeeEstimates = { listings: 0, areAccepted: false };

/** A listing that the seller ships, by the tier: SKU A-1 costs $10.00, its packaging $0.25, misc $0.10. */
export function aCostRow(given: Partial<CostRow> = {}): CostRow {
  return {
    listingId: '4',
    marketplace: 'walmart',
    fulfillmentType: 'FBM',
    sku: 'A-1',
    title: 'Blue mug',
    productCost: '10.00',
    shippingCost: '3.99',
    fulfillmentCost: '0.00',
    packagingCost: '0.25',
    miscCost: '0.10',
    totalCost: '14.34',
    gaps: [],
    isDecided: true,
    stored: { product: '10.00', packaging: '0.25', misc: '0.10', shipping: null, fulfillment: null },
    version: 2,
    skuVersion: 5,
    goodsReadOnly: null,
    fulfillmentReadOnly: 'A listing you ship yourself (FBM) has no FBA/WFS fee.',
    isFulfillmentEstimated: false,
    ...given,
  };
}

/** What a save answers: the row with new amounts. */
export function savedCosts(
  row: CostRow,
  given: Partial<Pick<ListingCosts, 'version' | 'skuVersion' | 'others'>> &
    Partial<Record<'product' | 'packaging' | 'misc' | 'shipping', string | null>> = {},
  belowMarginFloor: SavedCosts['belowMarginFloor'] = [],
): SavedCosts {
  const { product, packaging, misc, shipping, ...rest } = { ...row.stored, ...given };
  const part = (
    name: ListingCosts['parts'][number]['part'],
    amount: string | null,
    source: ListingCosts['parts'][number]['source'] = 'sku',
  ) => ({ part: name, amount, source, sourceText: 'SKU A-1', readOnly: null });
  const { listingId, marketplace, sku, title, fulfillmentType, version, skuVersion } = row;
  return {
    costs: {
      listingId,
      marketplace,
      sku,
      title,
      fulfillmentType,
      currentPrice: '20.00',
      isBundle: false,
      version: rest.version ?? version,
      skuVersion: rest.skuVersion ?? skuVersion,
      parts: [
        part('product', product),
        part('shipping', shipping ?? '3.99', shipping === null ? 'tier' : 'listing'),
        part('fulfillment', '0.00', 'none'),
        part('packaging', packaging),
        part('misc', misc),
      ],
      totalCost: '15.34',
      missing: [],
      gaps: [],
      others: rest.others ?? [],
    },
    belowMarginFloorCount: belowMarginFloor.length,
    belowMarginFloor,
  };
}
