import { CompletenessCheck } from '#connectors/completeness-check.ts';
import type { Account, CatalogEnd, CatalogPage, FixedPriceList } from '#connectors/connector.ts';
import { pricePart } from '#connectors/dollars.ts';
import type { Documents } from '#connectors/http/documents.ts';
import { isUnreadable, type UnreadableRow } from '#connectors/passed-over.ts';
import { SideCalls } from '#connectors/side-calls.ts';
import { bulkVariants } from './bulk-variants.ts';
import { saleLimits, saleReason } from './compare-at-price.ts';
import type { ShopifyCalls } from './shopify-calls.ts';
import { pagesOf } from './shopify-pages.ts';
import { PRICE_LISTS, VARIANT_COUNT, VARIANTS } from './shopify-queries.ts';
import { PriceListsPage, type Variant, VariantCount, VariantsPage } from './shopify-responses.ts';

/** From this many on Shopify writes them all into one document, which costs fewer points. */
const MIN_BULK_VARIANTS = 10_000;
const VARIANTS_A_PAGE = 100;
const PRICE_LISTS_A_PAGE = 50;
const LONGEST_NAME = 100;
const LONGEST_SKU = 200;
const LONGEST_TITLE = 1_000;
/** Shopify's title of the only variant of a product without variants. */
const NO_VARIANT = 'Default Title';

type Found = CatalogPage['entries'][number];

/** Every variant of every product. Their IDs are in `keys`, for the calls that change prices. */
export async function* readListings(
  calls: ShopifyCalls,
  documents: Documents,
  account: Account,
  signal: AbortSignal,
): AsyncGenerator<CatalogPage, CatalogEnd> {
  const { currency, variants: expected, isExact } = await countVariants(calls, account, signal);
  const isLarge = expected > MIN_BULK_VARIANTS;
  const whole = new CompletenessCheck();
  const pages = isLarge
    ? bulkVariants(calls, documents, account, signal)
    : variantPages(calls, account, signal);
  const once = new Once();
  let asOf = calls.now();
  for await (const variants of pages) {
    whole.takes(isExact ? expected : null, variants.map(keyOf));
    const found = variants.flatMap((variant) =>
      isUnreadable(variant) ? [variant] : once.take(variant, listingOf(variant, currency, account)),
    );
    if (found.length > 0) yield { asOf, source: isLarge ? 'document' : 'list', entries: found };
    // A page is requested from here on; the document was written before its first line was read.
    if (!isLarge) asOf = calls.now();
  }
  const side = new SideCalls(signal);
  const fixedPriceLists = await readFixedPrices(calls, account, side, expected, signal);
  if (isExact) whole.takes(expected, []);
  const total = whole.total();
  if (total !== null && total.came < total.told) {
    // Variants may have been removed while the others were read.
    const now = await side.answer('the number of variants', () => countVariants(calls, account, signal));
    if (now?.isExact === true) whole.takes(now.variants, []);
  }
  return { total: whole.total(), unavailable: side.unavailable, fixedPriceLists };
}

/** The shop's currency and number of variants, which says whether it is exact. */
async function countVariants(
  calls: ShopifyCalls,
  account: Account,
  signal: AbortSignal,
): Promise<{ readonly currency: string; readonly variants: number; readonly isExact: boolean }> {
  const call = { operation: 'count', query: VARIANT_COUNT };
  const { data } = await calls.ask(account, call, VariantCount, 'number of variants', signal);
  const { count = 0, precision } = data.productVariantsCount ?? {};
  return { currency: data.shop.currencyCode, variants: count, isExact: precision === 'EXACT' };
}

function keyOf(variant: Variant | UnreadableRow): string {
  return isUnreadable(variant) ? `${variant.what} ${variant.member} ${variant.value}` : variant.id;
}

/** The price lists with fixed prices: those of all others follow the prices of the variants. */
async function readFixedPrices(
  calls: ShopifyCalls,
  account: Account,
  side: SideCalls,
  variants: number,
  signal: AbortSignal,
): Promise<FixedPriceList[]> {
  const pages = pagesOf(PRICE_LISTS_A_PAGE, async (first, after) => {
    const call = { operation: 'price lists', query: PRICE_LISTS, variables: { first, after } };
    const { data } = await calls.ask(account, call, PriceListsPage, 'list of price lists', signal);
    return data.priceLists;
  });
  const found: FixedPriceList[] = [];
  for await (const lists of side.pages('the price lists', pages)) {
    for (const { name, fixedPricesCount: fixed } of lists) {
      if (fixed > 0)
        found.push({ name: plain(name).slice(0, LONGEST_NAME), fixed, of: Math.max(fixed, variants) });
    }
  }
  return found;
}

function variantPages(
  calls: ShopifyCalls,
  account: Account,
  signal: AbortSignal,
): AsyncGenerator<readonly (Variant | UnreadableRow)[]> {
  return pagesOf(VARIANTS_A_PAGE, async (first, after) => {
    const call = { operation: 'variants', query: VARIANTS, variables: { first, after } };
    const { data } = await calls.ask(account, call, VariantsPage, 'list of variants', signal);
    return data.productVariants;
  });
}

/** Two variants may have the same SKU: the first is used, the others are skipped. */
class Once {
  readonly #seen = new Map<string, string>();

  take({ id }: Variant, found: Found): readonly Found[] {
    if (found.kind === 'passed_over') return [found];
    const before = this.#seen.get(found.sku);
    this.#seen.set(found.sku, before ?? id);
    if (before === undefined) return [found];
    return before === id ? [] : [{ kind: 'passed_over', what: found.sku, why: 'repeated' }];
  }
}

function listingOf(variant: Variant, currency: string, account: Account): Found {
  const { id, product, price } = variant;
  const sku = plain(variant.sku);
  const title = titleOf(variant);
  if (sku === '' || sku.length > LONGEST_SKU) {
    return { kind: 'passed_over', what: title || id, why: 'no_sku' };
  }
  if (currency !== 'USD') return { kind: 'passed_over', what: sku, why: 'other_currency' };
  // The price of a gift card is its value.
  if (product.isGiftCard === true) return { kind: 'passed_over', what: sku, why: 'not_ours_to_price' };
  const imageUrl = variant.media ?? product.featuredMedia;
  const part = pricePart(price);
  return {
    kind: 'listing',
    sku,
    itemId: id,
    title: title || sku,
    imageUrl: imageUrl?.startsWith('https://') ? imageUrl : null,
    ...part,
    fulfillmentType: 'FBM',
    quantity: quantityOf(variant),
    isActive: product.status === 'ACTIVE',
    notRepriceableReason: saleReason({ ...variant, ...part }, account),
    priceLimits: saleLimits({ ...variant, ...part }, account),
    keys: { product: product.id, variant: id },
  };
}

function titleOf({ title, product }: Variant): string {
  const parts = [plain(product.title), plain(title) === NO_VARIANT ? '' : plain(title)];
  return parts
    .filter((part) => part !== '')
    .join(' - ')
    .slice(0, LONGEST_TITLE)
    .trim();
}

/** Oversold is 0; not tracked is unknown. */
function quantityOf({ inventoryQuantity, inventoryItem }: Variant): number | null {
  if (inventoryItem?.tracked === false || inventoryQuantity == null) return null;
  return Math.max(0, inventoryQuantity);
}

function plain(text: string | null | undefined): string {
  return (text ?? '').replaceAll('\0', '').trim();
}
