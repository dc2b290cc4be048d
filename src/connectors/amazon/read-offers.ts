import { z } from 'zod';
import type { ListingRef, OfferReading, UnavailableListing } from '#connectors/connector.ts';
import { chunks } from '#connectors/map-limited.ts';
import { isUnreadable, tolerant, type UnreadableRow, unreadableRow } from '#connectors/passed-over.ts';
import { groupBy } from '#domain/group-by.ts';
import type { AmazonCalls } from './amazon-calls.ts';
import { read, Text } from './amazon-responses.ts';
import type { AmazonShop } from './amazon-shop.ts';
import { readWinners } from './buy-box-winners.ts';
import { marketOffers, Offers } from './market-offers.ts';

const BATCH = '/batches/products/pricing/v0/listingOffers';
const SKUS_PER_BATCH = 20;
const NOT_SHOWN = 'Amazon counts more offers than it shows, and shows none of a competitor.';
/** Amazon has no offer to show. */
const NO_OFFER_CODES = new Set(['nobuyableoffers']);

const Failure = z.object({ message: Text });
const Part = z.object({
  status: z.object({ statusCode: z.int() }).nullish(),
  request: z.object({ SellerSKU: Text.nullish() }).nullish(),
  body: z.object({ payload: Offers.nullish(), errors: z.array(Failure).nullish() }),
});
type Part = z.output<typeof Part>;
const Batch = z.object({
  responses: z.array(tolerant(Part, 'body.payload.SKU', 'request.SellerSKU')).max(200),
});

/** The offers for our own SKUs, twenty per call. */
export async function* readOffers(
  calls: AmazonCalls,
  shop: AmazonShop,
  refs: readonly ListingRef[],
  signal: AbortSignal,
): AsyncGenerator<readonly (OfferReading | UnavailableListing)[]> {
  for (const slice of chunks(refs, SKUS_PER_BATCH)) yield await readBatch(calls, shop, slice, signal);
}

async function readBatch(
  calls: AmazonCalls,
  shop: AmazonShop,
  refs: readonly ListingRef[],
  signal: AbortSignal,
): Promise<(OfferReading | UnavailableListing)[]> {
  const requests = refs.map((ref) => ({
    uri: `/products/pricing/v0/listings/${encodeURIComponent(ref.sku)}/offers`,
    method: 'GET',
    MarketplaceId: shop.marketplaceId,
    ItemCondition: conditionOf(ref),
    CustomerType: 'Consumer',
  }));
  const seenAt = calls.now();
  const answer = await calls.ask(
    shop,
    { method: 'POST', path: BATCH, operation: 'listingOffers', text: JSON.stringify({ requests }) },
    signal,
  );
  const parts = partsBySku(read(Batch, answer.body, 'list of offers').responses);
  const asins = refs.flatMap((ref) => {
    const part = parts.get(ref.sku);
    return part === undefined || isUnreadable(part) ? [] : (openAsin(part, ref, shop) ?? []);
  });
  const winners = asins.length === 0 ? new Map() : await readWinners(calls, shop, asins, signal);
  return refs.map((ref) => {
    const { listingId } = ref;
    const part = parts.get(ref.sku);
    if (part !== undefined && isUnreadable(part)) return unreadListing(listingId, part);
    const offers = offersIn(part);
    if (offers === null) return { kind: 'unread', listingId, why: whyOf(part) };
    const winner = conditionOf(ref) === 'New' ? winners.get(offers.ASIN ?? '') : undefined;
    const settled = isOpen(offers, ref, shop) ? (winner ?? null) : null;
    const found = marketOffers(offers, shop.sellerId, conditionOf(ref), settled);
    const { coverage } = found;
    const odd = (offers.Offers ?? []).find(isUnreadable);
    const row = odd === undefined ? {} : { row: { ...odd, what: ref.sku } };
    if (coverage === null) return { kind: 'unread', listingId, why: NOT_SHOWN, ...row };
    const suppressed = found.isBoxSuppressed ? { isBoxSuppressed: true as const } : {};
    return { kind: 'offers', listingId, seenAt, offers: found.offers, coverage, ...suppressed, ...row };
  });
}

function conditionOf({ keys }: ListingRef): string {
  return keys.condition ?? 'New';
}

/** The parts of a batch by their SKU. Of two different ones with one SKU it is unknown which is right. */
function partsBySku(parts: readonly (Part | UnreadableRow)[]): ReadonlyMap<string, Part | UnreadableRow> {
  const groups = groupBy(parts, (part) => (isUnreadable(part) ? part.what : skuOf(part)));
  return new Map(
    [...groups].flatMap(([sku, [first, ...others]]): [string, Part | UnreadableRow][] => {
      if (sku === null || first === undefined) return [];
      const isTwice = others.some((other) => contentOf(other) !== contentOf(first));
      return [[sku, isTwice ? unreadableRow(sku, 'SellerSKU', 'two different lists of offers') : first]];
    }),
  );
}

function contentOf(part: Part | UnreadableRow): string {
  return JSON.stringify(isUnreadable(part) ? part : part.body);
}

function unreadListing(listingId: number, row: UnreadableRow): UnavailableListing {
  const why = `Amazon's answer about this SKU cannot be read: ${row.member} is "${row.value}".`;
  return { kind: 'unread', listingId, why, row };
}

function skuOf({ request, body: { payload } }: Part): string | null {
  return payload?.SKU ?? payload?.Identifier?.SellerSKU ?? request?.SellerSKU ?? null;
}

/** @returns null where the part failed */
function offersIn(part: Part | undefined): Offers | null {
  const payload = part?.body.payload;
  if (part === undefined || payload == null || (part.status?.statusCode ?? 200) !== 200) return null;
  const status = payload.status.toLowerCase();
  if (NO_OFFER_CODES.has(status)) return { ...payload, Offers: [], Summary: { TotalOfferCount: 0 } };
  return status === 'success' ? payload : null;
}

function isOpen(offers: Offers, ref: ListingRef, { sellerId }: AmazonShop): boolean {
  return marketOffers(offers, sellerId, conditionOf(ref), null).isOpen;
}

function openAsin(part: Part, ref: ListingRef, shop: AmazonShop): string | null {
  const offers = offersIn(part);
  // Featured offers are only requested for new items.
  if (offers === null || conditionOf(ref) !== 'New' || !isOpen(offers, ref, shop)) return null;
  return offers.ASIN ?? null;
}

function whyOf(part: Part | undefined): string {
  const words = part?.body.errors?.[0]?.message;
  if (words) return `Amazon did not report the offers: ${words}`;
  const status = part?.body.payload?.status.slice(0, 80);
  return status ? `Amazon did not report the offers (${status}).` : 'Amazon did not report the offers.';
}
