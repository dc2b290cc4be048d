import { OwnPrice, type ReportedPrice } from '#connectors/dollars.ts';
import { isUnreadable, type UnreadableRow, unreadableRow } from '#connectors/passed-over.ts';
import { childAt, childrenOf, textAt, type XmlElement } from '#connectors/xml.ts';
import { type Cents, type Instant, instant } from '#domain/units.ts';

/** What has a price of its own: a listing, or one of its variations. */
export interface TradingOffer {
  /** The custom label, trimmed; empty where there is none. */
  readonly sku: string;
  /** Without a running sale. */
  readonly price: ReportedPrice;
  /** Null where no price is named. */
  readonly currency: string | null;
  /** Units left; null where eBay does not report. */
  readonly quantity: number | null;
  /** When the sale ends in which buyers pay less; "unknown" where that is not reported, null without a sale. */
  readonly saleEnds: Instant | 'unknown' | null;
  readonly mapPrice: Cents | null;
}

/** The conditions of Best Offer, as far as the response reports them. */
export interface BestOffer {
  readonly isOn: boolean;
  /** Offers at or above it are accepted without the seller. */
  readonly autoAccept: Cents | null;
  /** Offers below it are declined without the seller. */
  readonly autoDecline: Cents | null;
}

/** A listing as the Trading API shows it. */
export interface TradingItem {
  readonly itemId: string;
  readonly title: string;
  readonly imageUrl: string | null;
  readonly isFixedPrice: boolean;
  /** False once it ended; true where the response does not say, as lists of active listings. */
  readonly isActive: boolean;
  /** Each with a price of its own; one where there are no variations. */
  readonly offers: readonly TradingOffer[];
  readonly hasVariations: boolean;
  /** Undefined where the response does not report: lists do not. */
  readonly bestOffer: BestOffer | undefined;
  /** Calls name it by its SKU alone. */
  readonly isTrackedBySku: boolean;
  readonly gtin: string | null;
  readonly epid: string | null;
  readonly categoryId: string | null;
}

/** Items of a response. */
export interface TradingItems {
  readonly items: readonly TradingItem[];
  /** The item numbers of those that could not be read; null for one that names none. */
  readonly unreadable: readonly (string | null)[];
}

/** The prices at which Best Offers are accepted and declined; null for none, and while Best Offer is off. */
export function limitsInForce({ bestOffer }: Pick<TradingItem, 'bestOffer'>): Omit<BestOffer, 'isOn'> {
  return bestOffer?.isOn === true ? bestOffer : { autoAccept: null, autoDecline: null };
}

const FIXED_PRICE = new Set(['FixedPriceItem', 'StoresFixedPrice']);
/** A UPC, EAN or ISBN; sellers may enter "Does not apply". */
const NUMBER = /^\d{8,14}$/;

/** Member of a row that cannot be read, with what it holds. */
class Unreadable extends Error {
  readonly member: string;
  readonly value: string;
  constructor(member: string, value: string) {
    super(member);
    this.member = member;
    this.value = value;
  }
}

/**
 * An Item of the Trading API. Amounts are binary numbers there: 15.0 is 15.00.
 * @param isWhole the response has all of the item, so that what is missing is not set
 * @param now decides which sale runs
 */
export function tradingItem(item: XmlElement, isWhole: boolean, now: Instant): TradingItem | UnreadableRow {
  const itemId = itemIdIn(item);
  const name = textAt(item, 'SKU') || textAt(item, 'ItemID');
  if (itemId === null) return unreadableRow(name, 'ItemID', textAt(item, 'ItemID'));
  try {
    return readItem(item, itemId, isWhole, now);
  } catch (error) {
    if (error instanceof Unreadable) return unreadableRow(name, error.member, error.value);
    throw error;
  }
}

/** {@link tradingItem} of each. */
export function tradingItems(rows: readonly XmlElement[], isWhole: boolean, now: Instant): TradingItems {
  const items: TradingItem[] = [];
  const unreadable: (string | null)[] = [];
  for (const row of rows) {
    const item = tradingItem(row, isWhole, now);
    if (isUnreadable(item)) unreadable.push(itemIdIn(row));
    else items.push(item);
  }
  return { items, unreadable };
}

/** Null where there is none, or it cannot be one. */
export function itemIdIn(item: XmlElement): string | null {
  const itemId = textAt(item, 'ItemID');
  return /^\d{1,30}$/.test(itemId) ? itemId : null;
}

function readItem(item: XmlElement, itemId: string, isWhole: boolean, now: Instant): TradingItem {
  const variations = childrenOf(childAt(item, 'Variations'), 'Variation');
  const hasVariations = variations.length > 0;
  const status = textAt(item, 'SellingStatus', 'ListingStatus');
  const image = textAt(item, 'PictureDetails', 'GalleryURL');
  const product = childAt(item, 'ProductListingDetails');
  const gtin = ['UPC', 'EAN', 'ISBN'].map((kind) => textAt(product, kind)).find((text) => NUMBER.test(text));
  const epid = textAt(product, 'ProductReferenceID');
  const categoryId = textAt(item, 'PrimaryCategory', 'CategoryID');
  return {
    itemId,
    title: textAt(item, 'Title'),
    imageUrl: /^https:\/\/\S+$/.test(image) ? image : null,
    isFixedPrice: FIXED_PRICE.has(textAt(item, 'ListingType')),
    isActive: status === '' || status === 'Active',
    offers: hasVariations ? variations.map((one) => variationOf(one, item, now)) : [singleOf(item, now)],
    hasVariations,
    bestOffer: bestOfferOf(item, isWhole),
    isTrackedBySku: textAt(item, 'InventoryTrackingMethod') === 'SKU',
    gtin: gtin ?? null,
    epid: /^\d{1,20}$/.test(epid) ? epid : null,
    categoryId: /^\d{1,12}$/.test(categoryId) ? categoryId : null,
  };
}

function singleOf(item: XmlElement, now: Instant): TradingOffer {
  const selling = childAt(item, 'SellingStatus');
  const sale = saleOf(selling, now);
  const before = sale === null ? undefined : childAt(selling, 'PromotionalSaleDetails', 'OriginalPrice');
  const shown = before ?? childAt(selling, 'CurrentPrice') ?? childAt(item, 'StartPrice');
  const available = textAt(item, 'QuantityAvailable');
  return {
    sku: skuOf(item),
    ...priceOf(shown, 'SellingStatus.CurrentPrice'),
    quantity: available === '' ? leftOf(item) : count(available, 'QuantityAvailable'),
    saleEnds: sale,
    mapPrice: amountOf(childAt(item, 'DiscountPriceInfo', 'MinimumAdvertisedPrice')),
  };
}

function variationOf(one: XmlElement, item: XmlElement, now: Instant): TradingOffer {
  const selling = childAt(one, 'SellingStatus');
  const own = saleOf(selling, now);
  const sale = own ?? saleOf(childAt(item, 'SellingStatus'), now);
  const before = own === null ? undefined : childAt(selling, 'PromotionalSaleDetails', 'OriginalPrice');
  const map = childAt(one, 'DiscountPriceInfo') ?? childAt(item, 'DiscountPriceInfo');
  return {
    sku: skuOf(one),
    ...priceOf(before ?? childAt(one, 'StartPrice'), 'Variation.StartPrice'),
    quantity: leftOf(one),
    saleEnds: sale,
    mapPrice: amountOf(childAt(map, 'MinimumAdvertisedPrice')),
  };
}

function skuOf(element: XmlElement): string {
  return textAt(element, 'SKU');
}

/** A sale in which buyers pay less than the listing's own price. One that is to come, or is over, is none. */
function saleOf(selling: XmlElement | undefined, now: Instant): TradingOffer['saleEnds'] {
  const sale = childAt(selling, 'PromotionalSaleDetails');
  if (sale === undefined) return null;
  const [starts, ends] = [Date.parse(textAt(sale, 'StartTime')), Date.parse(textAt(sale, 'EndTime'))];
  if (starts > now || ends <= now) return null;
  return Number.isNaN(ends) ? 'unknown' : instant(ends);
}

function priceOf(element: XmlElement | undefined, member: string): Pick<TradingOffer, 'price' | 'currency'> {
  if (element === undefined) return { price: null, currency: null };
  const currency = element.attributes.currencyID ?? null;
  const reported = OwnPrice.safeParse(element.text);
  if (!reported.success) throw new Unreadable(member, element.text);
  return { price: reported.data, currency };
}

/** In US dollars and whole cents; null for none, and for any other. */
function amountOf(element: XmlElement | undefined): Cents | null {
  if (element?.attributes.currencyID !== 'USD') return null;
  const reported = OwnPrice.safeParse(element.text);
  return reported.success && typeof reported.data === 'number' ? reported.data : null;
}

/** The quantity of a listing counts what was sold of it, too. */
function leftOf(element: XmlElement): number | null {
  const listed = textAt(element, 'Quantity');
  if (listed === '') return null;
  const sold = textAt(element, 'SellingStatus', 'QuantitySold');
  return Math.max(
    0,
    count(listed, 'Quantity') - (sold === '' ? 0 : count(sold, 'SellingStatus.QuantitySold')),
  );
}

function count(text: string, member: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Unreadable(member, text);
  return Number(text);
}

function bestOfferOf(item: XmlElement, isWhole: boolean): BestOffer | undefined {
  const enabled = textAt(item, 'BestOfferDetails', 'BestOfferEnabled');
  const details = childAt(item, 'ListingDetails');
  const autoAccept = limitOf(details, 'BestOfferAutoAcceptPrice');
  const autoDecline = limitOf(details, 'MinimumBestOfferPrice');
  if (!isWhole && enabled === '' && autoAccept === null) return undefined;
  const isOn = enabled === '' ? autoAccept !== null : enabled === 'true';
  return { isOn, autoAccept, autoDecline };
}

/**
 * A price of Best Offer in US dollars; null for none and in another currency.
 * @throws Unreadable for one that cannot be read: taken as none, a revision would take it from the listing
 */
function limitOf(details: XmlElement | undefined, name: string): Cents | null {
  const element = childAt(details, name);
  if (element?.attributes.currencyID !== 'USD') return null;
  const reported = OwnPrice.safeParse(element.text);
  if (!reported.success || (typeof reported.data === 'object' && reported.data !== null)) {
    throw new Unreadable(`ListingDetails.${name}`, element.text);
  }
  return reported.data;
}
