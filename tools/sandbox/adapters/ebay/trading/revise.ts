import type { FastifyRequest } from 'fastify';
import { type Cents, cents } from '#domain/units.ts';
import { type AdapterContext, Refusal } from '#sandbox/adapters/adapter.ts';
import { AT_AUTO_ACCEPT, bestOfferProblem, isInInventory } from '#sandbox/adapters/ebay/inventory.ts';
import { priceOf } from '#sandbox/adapters/money.ts';
import type { MarketItem } from '#sandbox/world/item.ts';
import type { Market } from '#sandbox/world/market.ts';
import type { BestOfferTerm } from '#sandbox/world/terms.ts';
import { child, type Element, leaf, node, textAt } from '#sandbox/xml.ts';
import { ERRORS, type TradingError } from './trading-errors.ts';
import { isVaried, labelOf, listingsIn, money } from './trading-items.ts';

const LIVE_AFTER = 45_000;
const MAX_ENTRIES = 4;

/** The result of ReviseInventoryStatus: what was revised, and the errors of the rest. */
export interface Revised {
  readonly views: readonly string[];
  readonly errors: readonly TradingError[];
}

/** Revises prices of fixed-price listings; each entry on its own. */
export function reviseInventoryStatus(
  market: Market,
  tools: AdapterContext,
  request: FastifyRequest,
  requested: Element,
  most = MAX_ENTRIES,
): Revised {
  const entries = requested.children.filter(({ name }) => name === 'InventoryStatus');
  if (entries.length === 0) return { views: [], errors: [ERRORS.badRequest] };
  if (entries.length > most) return { views: [], errors: [ERRORS.tooMany] };
  const read = entries.map((entry) => reviseOne(market, tools, request, entry));
  return {
    views: read.flatMap((one) => ('view' in one ? [one.view] : [])),
    errors: read.flatMap((one) => ('error' in one ? [one.error] : [])),
  };
}

type Outcome = { readonly view: string } | { readonly error: TradingError };

function reviseOne(market: Market, tools: AdapterContext, request: FastifyRequest, entry: Element): Outcome {
  const [itemId, sku] = [textAt(entry, 'ItemID'), textAt(entry, 'SKU')];
  const sent = child(entry, 'StartPrice');
  const isOurMoney = (sent?.attributes.currencyID ?? 'USD') === 'USD';
  const price = isOurMoney ? priceOf(sent?.text) : null;
  const found = itemFor(market, itemId, sku);
  const error = 'error' in found ? found.error : problemOf(market, found.item, price);
  const named = 'error' in found ? (sku ?? itemId ?? '') : found.item.sku;
  tools.receivePrice(market, request, {
    sku: named,
    price: price ?? cents(0),
    liveAfter: LIVE_AFTER,
    refusal: error?.message ?? null,
  });
  if (error !== null || 'error' in found) {
    const isVague = market.quirks.told?.vagueErrors === true;
    const parameters = isVague ? {} : { ItemID: itemId ?? '', ...(sku === undefined ? {} : { SKU: sku }) };
    return { error: { ...(error ?? ERRORS.notFound), parameters } };
  }
  const { item } = found;
  return {
    view: node(
      'InventoryStatus',
      leaf('SKU', labelOf(item)),
      leaf('ItemID', item.itemId),
      money('StartPrice', price),
      leaf('Quantity', item.quantity),
    ),
  };
}

type Found = { readonly item: MarketItem } | { readonly error: TradingError };

/** A single listing by its ID, or by its SKU where that is how it is tracked; a variation by both. */
function itemFor(market: Market, itemId: string | undefined, sku: string | undefined): Found {
  if (itemId === undefined) {
    const item = market.find((one) => labelOf(one) === sku && one.ebay.tracking === 'SKU');
    return item === null ? { error: ERRORS.skuMismatch } : { item };
  }
  const listing = listingsIn(market, 'item').find(([first]) => first.itemId === itemId);
  if (listing === undefined) {
    return { error: market.find((one) => one.itemId === itemId) === null ? ERRORS.notFound : ERRORS.ended };
  }
  if (!isVaried(listing) && sku === undefined) return { item: listing[0] };
  const item = listing.find((one) => sku !== undefined && labelOf(one) === sku);
  return item === undefined ? { error: ERRORS.skuMismatch } : { item };
}

function problemOf(market: Market, item: MarketItem, price: Cents | null): TradingError | null {
  if (isInInventory(item)) return ERRORS.inventoryModel;
  if (item.ebay.type !== 'FixedPriceItem') return ERRORS.notFixedPrice;
  if (price === null) return ERRORS.badPrice;
  const atOffers = offerError(item, price);
  if (atOffers !== null) return atOffers;
  return market.revisions.count(item.itemId) ? null : ERRORS.tooOften;
}

function offerError(item: Pick<MarketItem, 'terms' | 'variation'>, price: Cents): TradingError | null {
  const problem = bestOfferProblem(item, price);
  if (problem === null) return null;
  return problem === AT_AUTO_ACCEPT ? ERRORS.atAutoAccept : ERRORS.atAutoDecline;
}

/**
 * Revises the conditions of Best Offer of one listing: what is not named stays. They are compared with the price that
 * the listing has, and with each other.
 * @returns what the response holds
 */
export function reviseFixedPriceItem(market: Market, requested: Element): Revised {
  const reported = child(requested, 'Item');
  const unknown = reported?.children.find(({ name }) => !REVISABLE.has(name));
  // What the sandbox does not revise must not look as if it were.
  if (unknown !== undefined) throw new Refusal(501, `The sandbox does not revise ${unknown.name}.`);
  const found = itemFor(market, textAt(requested, 'Item', 'ItemID') ?? '', textAt(requested, 'Item', 'SKU'));
  if ('error' in found) return { views: [], errors: [found.error] };
  const { item } = found;
  const details = child(requested, 'Item', 'ListingDetails');
  const isOn = textAt(requested, 'Item', 'BestOfferDetails', 'BestOfferEnabled');
  const before = item.terms.bestOffer ?? { autoAccept: null, autoDecline: null };
  const bestOffer: BestOfferTerm = {
    autoAccept: priceOf(child(details, 'BestOfferAutoAcceptPrice')?.text) ?? before.autoAccept,
    autoDecline: priceOf(child(details, 'MinimumBestOfferPrice')?.text) ?? before.autoDecline,
  };
  const isOffered = isOn === undefined ? item.terms.bestOffer !== null : isOn === 'true';
  const terms = { ...item.terms, bestOffer: isOffered ? bestOffer : null };
  const error = revisionProblem(market, item, terms);
  if (error !== null) return { views: [], errors: [error] };
  market.edit(item.sku, { terms: { bestOffer: terms.bestOffer } });
  return { views: [leaf('ItemID', item.itemId), leaf('SKU', labelOf(item))], errors: [] };
}

const REVISABLE = new Set(['ItemID', 'SKU', 'ListingDetails', 'BestOfferDetails']);

function revisionProblem(market: Market, item: MarketItem, terms: MarketItem['terms']): TradingError | null {
  if (isInInventory(item)) return ERRORS.inventoryModel;
  if (item.ebay.type !== 'FixedPriceItem') return ERRORS.notFixedPrice;
  const { variation, price } = item;
  const { autoAccept, autoDecline } = terms.bestOffer ?? { autoAccept: null, autoDecline: null };
  const atOffers = offerError({ terms, variation }, price);
  if (atOffers !== null) return atOffers;
  if (autoAccept !== null && autoDecline !== null && autoAccept <= autoDecline)
    return ERRORS.autoAcceptTooLow;
  return market.revisions.count(item.itemId) ? null : ERRORS.tooOften;
}
