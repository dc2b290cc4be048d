import type { Account, ListingFigures, ListingRef, UnavailableListing } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { parseResponse } from '#connectors/parse-response.ts';
import { type EbayCalls, NAME } from './ebay-calls.ts';
import { RatedItem } from './ebay-responses.ts';

const NO_NUMBER = 'eBay gave no number for this listing.';
const NO_DATA = 'eBay does not allow this application to read its pages (403).';

type Figures = ListingFigures | UnavailableListing;

/** Reviews of the product of a listing, where eBay's catalog has one. One call per listing. */
export async function* readFigures(
  calls: EbayCalls,
  account: Account,
  refs: readonly ListingRef[],
  signal: AbortSignal,
): AsyncGenerator<readonly Figures[]> {
  for (const [index, ref] of refs.entries()) {
    try {
      yield [await figuresOf(calls, account, ref, signal)];
    } catch (error) {
      if (!(error instanceof ConnectorError)) throw error;
      if (error.fault === 'permission') {
        yield refs.slice(index).map(({ listingId }) => ({ kind: 'unread', listingId, why: NO_DATA }));
        return;
      }
      if (error.fault !== 'refused' && error.fault !== 'unreadable') throw error;
      yield [{ kind: 'unread', listingId: ref.listingId, why: error.message }];
    }
  }
}

async function figuresOf(
  calls: EbayCalls,
  account: Account,
  { listingId, itemId }: ListingRef,
  signal: AbortSignal,
): Promise<Figures> {
  if (itemId === null) return { kind: 'unread', listingId, why: NO_NUMBER };
  const query = new URLSearchParams({ legacy_item_id: itemId });
  const path = `/buy/browse/v1/item/get_item_by_legacy_id?${query}`;
  const answer = await calls.asBuyer(account, { method: 'GET', path, operation: 'figures' }, signal);
  const rating = parseResponse(NAME, RatedItem, answer, 'item').primaryProductReviewRating ?? null;
  return {
    kind: 'figures',
    listingId,
    reviewCount: rating?.reviewCount ?? null,
    averageRating: rating?.averageRating ?? null,
    salesRank: null,
    salesRankCategory: null,
    buyBoxShare: null,
  };
}
