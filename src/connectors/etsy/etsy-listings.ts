import { CompletenessCheck } from '#connectors/completeness-check.ts';
import type { Account, CatalogEnd, CatalogPage } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { isUnreadable } from '#connectors/passed-over.ts';
import { type Cents, isPrice } from '#domain/units.ts';
import { type EtsyCalls, listPage, NAME, shopIdOf } from './etsy-calls.ts';
import { type Listing, ListingPage, type Money } from './etsy-responses.ts';
import { groupsOf, offeringsOf, priceGroupsOf, priceOf, type SkuGroup } from './sku-groups.ts';

type Row = CatalogPage['entries'][number];

/** Largest page size of Etsy. */
const PAGE_SIZE = 100;
/** Page limit (100,000 listings), in case a response never ends pagination. */
const MAX_PAGES = 1_000;
const LONGEST_SKU = 200;
const LONGEST_TITLE = 1_000;

const DIFFERENT =
  'On Etsy its variations have different prices under one SKU. Give each price a SKU of its own there.';
const NO_RECORD = 'Etsy keeps no inventory of this listing. Open and save it there once.';

/** Everything for sale in the store, one row for each SKU. */
export async function* readListings(
  calls: EtsyCalls,
  account: Account,
  signal: AbortSignal,
): AsyncGenerator<CatalogPage, CatalogEnd> {
  const shopId = await shopIdOf(calls, account, signal);
  /** Listings by SKU. */
  const met = new Map<string, number>();
  const whole = new CompletenessCheck();
  for (let page = 0; page < MAX_PAGES; page++) {
    const query = new URLSearchParams({
      state: 'active',
      includes: 'Images,Inventory',
      legacy: 'false',
      limit: String(PAGE_SIZE),
      offset: String(page * PAGE_SIZE),
    });
    const path = `/v3/application/shops/${shopId}/listings?${query}`;
    const asOf = calls.now();
    const { count, results } = await listPage(
      calls,
      account,
      { path, operation: 'listings' },
      { schema: ListingPage, what: 'list of listings' },
      signal,
    );
    whole.takes(
      count,
      results.map((row) => (isUnreadable(row) ? `${row.what} ${row.member} ${row.value}` : row.listing_id)),
    );
    const rows = results.flatMap((row) => (isUnreadable(row) ? [row] : rowsOf(row, met)));
    if (rows.length > 0) yield { asOf, source: 'list', entries: rows };
    if (results.length === 0 || (page + 1) * PAGE_SIZE >= count) {
      return { total: whole.total(), unavailable: [] };
    }
  }
  throw new ConnectorError('too_large', `${NAME} has more listings than can be synced at once.`);
}

function rowsOf(listing: Listing, met: Map<string, number>): Row[] {
  const { inventory, listing_id } = listing;
  if (inventory == null) return once(withoutInventory(listing), listing_id, met);
  const groups = groupsOf(listing_id, inventory);
  const priceGroups = priceGroupsOf(listing_id, groups, inventory);
  return groups.flatMap((group) => {
    const price = priceOf(group);
    const mixed = group.products.flatMap(offeringsOf).some((offering) => offering.price.currency !== 'USD');
    if (mixed) return [{ kind: 'passed_over', what: group.sku.slice(0, LONGEST_SKU), why: 'other_currency' }];
    const parts = inventory.quantity_on_property.length > 0;
    const row = {
      ...base(listing, group.sku, price),
      title: titleOf(listing, groups.length > 1 ? group : null),
      quantity: quantityOf(group, parts),
      isActive:
        listing.state === 'active' && group.products.flatMap(offeringsOf).some((one) => one.is_enabled),
      notRepriceableReason: price === null ? DIFFERENT : null,
      groupKey: priceGroups.get(group.sku) ?? null,
    };
    return once(row, listing_id, met);
  });
}

/** A SKU in two listings belongs to the first of them; a repeated page adds nothing. */
function once(row: Row, listingId: number, met: Map<string, number>): Row[] {
  if (row.kind === 'passed_over') return [row];
  const before = met.get(row.sku);
  if (before === listingId) return [];
  if (before !== undefined) return [{ kind: 'passed_over', what: row.sku, why: 'repeated' }];
  if (row.sku.length > LONGEST_SKU) {
    return [{ kind: 'passed_over', what: row.sku.slice(0, LONGEST_SKU), why: 'no_sku' }];
  }
  met.set(row.sku, listingId);
  return [row];
}

function withoutInventory(listing: Listing): Row {
  const sku = listing.skus?.[0]?.trim() ?? '';
  const what = (sku || titleOf(listing, null)).slice(0, LONGEST_SKU);
  if (sku === '') return { kind: 'passed_over', what, why: 'no_sku' };
  if (listing.price != null && listing.price.currency !== 'USD') {
    return { kind: 'passed_over', what, why: 'other_currency' };
  }
  return {
    ...base(listing, sku, listing.price ?? null),
    title: titleOf(listing, null),
    quantity: listing.quantity ?? null,
    isActive: listing.state === 'active',
    notRepriceableReason: NO_RECORD,
  };
}

function base({ listing_id, images }: Listing, sku: string, price: Money | null) {
  const image = images?.[0]?.url_570xN ?? '';
  const amount: Cents | null = price?.amount ?? null;
  return {
    kind: 'listing' as const,
    sku,
    itemId: String(listing_id),
    imageUrl: /^https:\/\/\S+$/.test(image) ? image : null,
    price: isPrice(amount) && price?.finer === undefined ? amount : null,
    ...(price?.finer === undefined ? {} : { priceNotInCents: price.finer }),
    fulfillmentType: 'FBM' as const,
    keys: { listingId: String(listing_id) },
  };
}

/** With the values of the variation, where there are several. */
function titleOf({ title, listing_id }: Listing, group: SkuGroup | null): string {
  const values = group?.products[0]?.property_values.flatMap((property) => property.values) ?? [];
  const name = readable(title) || `Etsy listing ${listing_id}`;
  return (values.length === 0 ? name : `${name} (${readable(values.join(', '))})`).slice(0, LONGEST_TITLE);
}

/** Etsy escapes several characters of a title as HTML. */
function readable(text: string): string {
  return text
    .replaceAll('\0', '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .trim();
}

/** Units of all its products, or of the one stock that they share. */
function quantityOf({ products }: SkuGroup, parts: boolean): number {
  const each = products.map((product) =>
    offeringsOf(product).reduce((sum, { quantity, is_enabled }) => sum + (is_enabled ? quantity : 0), 0),
  );
  return parts ? each.reduce((sum, quantity) => sum + quantity, 0) : Math.max(0, ...each);
}
