import type { Cents } from '#domain/units.ts';
import type { MarketItem } from '#sandbox/world/item.ts';
import type { Market } from '#sandbox/world/market.ts';
import type { Store } from '#sandbox/world/price-lag.ts';
import { leaf, node } from '#sandbox/xml.ts';

/** A listing of one or several variations, as the Trading API counts them. */
export type Listing = readonly [MarketItem, ...MarketItem[]];

/** All active listings, in the order of their first items. */
export function listingsIn(market: Market, store: Store): Listing[] {
  const found = new Map<string, [MarketItem, ...MarketItem[]]>();
  for (const item of market.itemsIn(store)) {
    if (!item.isActive) continue;
    const listing = found.get(item.itemId);
    if (listing === undefined) found.set(item.itemId, [item]);
    else listing.push(item);
  }
  return [...found.values()];
}

/** A double as eBay writes amounts: "15.0", "9.5", "24.99". */
function amountText(price: Cents): string {
  const text = String(price / 100);
  return text.includes('.') ? text : `${text}.0`;
}

export function money(name: string, price: Cents | null | undefined): string {
  return price == null ? '' : leaf(name, amountText(price), ' currencyID="USD"');
}

/** An item of a list: without what only a single read reports. */
export function listedItem(listing: Listing, hasVariations: boolean): string {
  const [first] = listing;
  return node(
    'Item',
    leaf('ItemID', first.itemId),
    leaf('ListingType', first.ebay.type),
    leaf(
      'Quantity',
      sum(listing, ({ quantity, unitsSold }) => quantity + unitsSold),
    ),
    sellingStatus(listing),
    leaf('Title', first.title),
    leaf(
      'QuantityAvailable',
      sum(listing, ({ quantity }) => quantity),
    ),
    isVaried(listing) ? '' : leaf('SKU', labelOf(first)),
    hasVariations ? variations(listing) : '',
  );
}

/** An item as a single read reports it. */
export function wholeItem(listing: Listing): string {
  const [first] = listing;
  const { mapPrice } = first.terms;
  // Not available for listings with variations.
  const bestOffer = isVaried(listing) ? null : first.terms.bestOffer;
  return node(
    'Item',
    leaf('ItemID', first.itemId),
    node(
      'ListingDetails',
      leaf('StartTime', new Date(first.createdAt).toISOString()),
      money('MinimumBestOfferPrice', bestOffer?.autoDecline),
      money('BestOfferAutoAcceptPrice', bestOffer?.autoAccept),
    ),
    leaf('ListingType', first.ebay.type),
    leaf(
      'Quantity',
      sum(listing, ({ quantity, unitsSold }) => quantity + unitsSold),
    ),
    sellingStatus(listing),
    money('StartPrice', first.price),
    leaf('Title', first.title),
    node('BestOfferDetails', leaf('BestOfferEnabled', bestOffer !== null)),
    isVaried(listing) ? '' : leaf('SKU', labelOf(first)),
    leaf('InventoryTrackingMethod', first.ebay.tracking),
    variations(listing),
    node('DiscountPriceInfo', money('MinimumAdvertisedPrice', mapPrice)),
  );
}

export function isVaried([first, ...others]: Listing): boolean {
  return others.length > 0 || first.variation !== null;
}

/** The SKU that eBay knows; undefined without a custom label. */
export function labelOf({ sku, ebay }: MarketItem): string | undefined {
  return ebay.hasLabel ? sku : undefined;
}

function sellingStatus(listing: Listing): string {
  const [first] = listing;
  const { sale } = first.terms;
  const runs = first.salePrice !== null && sale !== null;
  return node(
    'SellingStatus',
    money('CurrentPrice', first.salePrice ?? first.price),
    leaf(
      'QuantitySold',
      sum(listing, ({ unitsSold }) => unitsSold),
    ),
    leaf('ListingStatus', first.isActive ? 'Active' : 'Ended'),
    runs
      ? node(
          'PromotionalSaleDetails',
          money('OriginalPrice', first.price),
          leaf('StartTime', new Date(sale.from).toISOString()),
          leaf('EndTime', new Date(sale.to).toISOString()),
        )
      : '',
  );
}

function variations(listing: Listing): string {
  if (!isVaried(listing)) return '';
  const each = listing.map((item) =>
    node(
      'Variation',
      leaf('SKU', labelOf(item)),
      money('StartPrice', item.price),
      leaf('Quantity', item.quantity + item.unitsSold),
      node('SellingStatus', leaf('QuantitySold', item.unitsSold)),
    ),
  );
  return node('Variations', ...each);
}

function sum(listing: Listing, of: (item: MarketItem) => number): number {
  return listing.reduce((total, item) => total + of(item), 0);
}
