import type { MarketplaceListing, SkippedListing } from '#connectors/connector.ts';
import { pricePart, type ReportedPrice } from '#connectors/dollars.ts';
import type { FulfillmentType } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';

const LONGEST_SKU = 200;
const LONGEST_TITLE = 1_000;
const LONGEST_TYPE = 200;

export type Found = MarketplaceListing | SkippedListing;

export const PROMOTION =
  'A promotion on Walmart hides the regular price. The listing is repriced again after it ends.';

/** Passes each listing once: an identical duplicate is dropped, a different listing with the same SKU is skipped. */
export class Once {
  readonly #seen = new Map<string, string>();

  take(found: Found): readonly Found[] {
    if (found.kind === 'passed_over') return [found];
    const print = `${found.price} ${found.itemId} ${found.isActive}`;
    const before = this.#seen.get(found.sku);
    this.#seen.set(found.sku, before ?? print);
    if (before === undefined) return [found];
    return before === print ? [] : [{ kind: 'passed_over', what: found.sku, why: 'repeated' }];
  }
}

type Maybe = string | null | undefined;

export interface ListingSource {
  readonly sku: Maybe;
  readonly wpid: Maybe;
  /** The wpid takes the place of an item ID that was not reported. */
  readonly wpidAsItemId: boolean;
  /** "default" is Walmart's text for none. */
  readonly productType: Maybe;
  readonly title: Maybe;
  readonly currency: Maybe;
  readonly price: ReportedPrice;
  readonly publishedStatus: Maybe;
  readonly lifecycleStatus: Maybe;
  readonly itemId: Maybe;
  readonly imageUrl: Maybe;
  readonly fulfillmentType: FulfillmentType | null;
  readonly quantity: number | null | undefined;
  readonly notRepriceableReason: string | null | undefined;
  readonly notRepriceableUntil?: Instant | null;
}

/** Our form of a listing, from any of Walmart's sources. */
export function toListing(source: ListingSource): Found {
  const sku = plain(source.sku);
  const wpid = plain(source.wpid);
  const productType = plain(source.productType);
  const isType = productType !== '' && productType !== 'default' && productType.length <= LONGEST_TYPE;
  const title = plain(source.title).slice(0, LONGEST_TITLE).trim();
  if (sku === '' || sku.length > LONGEST_SKU) {
    return { kind: 'passed_over', what: title || wpid || 'An item', why: 'no_sku' };
  }
  if (source.currency && source.currency !== 'USD') {
    return { kind: 'passed_over', what: sku, why: 'other_currency' };
  }
  return {
    kind: 'listing',
    sku,
    itemId: plain(source.itemId) || (source.wpidAsItemId ? wpid : '') || null,
    title: title || sku,
    imageUrl: source.imageUrl?.startsWith('https://') ? source.imageUrl : null,
    ...pricePart(source.price),
    fulfillmentType: source.fulfillmentType,
    quantity: source.quantity,
    isActive: isShown(source),
    notRepriceableReason: source.notRepriceableReason,
    ...(source.notRepriceableUntil == null ? {} : { notRepriceableUntil: source.notRepriceableUntil }),
    keys: wpid === '' ? {} : { wpid },
    ...(isType ? { productType } : {}),
  };
}

function isShown({ publishedStatus, lifecycleStatus }: ListingSource): boolean {
  return (
    publishedStatus?.toUpperCase() === 'PUBLISHED' &&
    (lifecycleStatus?.toUpperCase() ?? 'ACTIVE') === 'ACTIVE'
  );
}

/**
 * The fulfillment type in Walmart's text: "WFS", "Walmart Fulfilled", "Seller Fulfilled". Null for any other:
 * unknown.
 */
export function shipperOf(fulfillment: Maybe): FulfillmentType | null {
  const text = fulfillment ?? '';
  if (/wfs|walmart/i.test(text)) return 'FBA/WFS';
  return /seller/i.test(text) ? 'FBM' : null;
}

/** The fulfillment type by Walmart's "wfsEnabled"; null without a value. */
export function shipperIfEnabled(
  enabled: string | number | boolean | null | undefined,
): FulfillmentType | null {
  const text = String(enabled ?? '').trim();
  if (/^(true|yes|y|1)$/i.test(text)) return 'FBA/WFS';
  return /^(false|no|n|0)$/i.test(text) ? 'FBM' : null;
}

/** Walmart's value where its own repricer does not handle an item. */
const AT_REST = /^(|n\/?a|none|null|inactive|paused|disabled|stopped|ended|expired|(un|not[ _]?)assigned)$/i;

/** Why we must not price an item that Walmart's own repricer handles; null when it does not. */
export function nativeRepricer(status: Maybe, strategy: Maybe): string | null {
  if (AT_REST.test(plain(status))) return null;
  const which = plain(strategy) === '' ? '' : ` (strategy "${plain(strategy).slice(0, 100)}")`;
  return `Walmart's own repricer sets this price${which}. Take the item out of it in Seller Center to have it repriced from here.`;
}

function plain(text: Maybe): string {
  return (text ?? '').replaceAll('\0', '').trim();
}
