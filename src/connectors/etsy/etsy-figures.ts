import type { Account, ListingFigures, ListingRef, UnavailableListing } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { parseResponse } from '#connectors/parse-response.ts';
import { type EtsyCalls, NAME } from './etsy-calls.ts';
import { ReviewPage } from './etsy-responses.ts';

const PAGE_SIZE = 100;
/** The mean of the newest thousand is good enough. */
const MAX_PAGES = 10;

type Figures = ListingFigures | UnavailableListing;

interface Reviews {
  readonly count: number;
  /** In hundredths of a star. */
  readonly mean: number | null;
}

/** Reviews of each listing. SKUs of one listing share them. */
export async function* readFigures(
  calls: EtsyCalls,
  account: Account,
  refs: readonly ListingRef[],
  signal: AbortSignal,
): AsyncGenerator<readonly Figures[]> {
  const known = new Map<string, Reviews | string>();
  for (const { listingId, itemId } of refs) {
    const item = itemId !== null && /^\d{1,15}$/.test(itemId) ? itemId : null;
    if (item === null) {
      yield [{ kind: 'unread', listingId, why: 'Etsy gave no number for this listing.' }];
      continue;
    }
    const reviews = known.get(item) ?? (await reviewsOrError(calls, account, item, signal));
    known.set(item, reviews);
    yield [figuresOf(listingId, reviews)];
  }
}

function figuresOf(listingId: number, reviews: Reviews | string): Figures {
  if (typeof reviews === 'string') return { kind: 'unread', listingId, why: reviews };
  return {
    kind: 'figures',
    listingId,
    reviewCount: reviews.count,
    averageRating: reviews.mean,
    salesRank: null,
    salesRankCategory: null,
    buyBoxShare: null,
  };
}

/** @returns a sentence when only this listing cannot be read */
async function reviewsOrError(
  calls: EtsyCalls,
  account: Account,
  item: string,
  signal: AbortSignal,
): Promise<Reviews | string> {
  try {
    return await reviewsOf(calls, account, item, signal);
  } catch (error) {
    if (!(error instanceof ConnectorError) || (error.fault !== 'refused' && error.fault !== 'unreadable')) {
      throw error;
    }
    return error.message;
  }
}

async function reviewsOf(
  calls: EtsyCalls,
  account: Account,
  item: string,
  signal: AbortSignal,
): Promise<Reviews> {
  let stars = 0;
  let read = 0;
  let all = 0;
  for (let page = 0; page < MAX_PAGES; page++) {
    const path = `/v3/application/listings/${item}/reviews?limit=${PAGE_SIZE}&offset=${page * PAGE_SIZE}`;
    const answer = await calls.call(account, { method: 'GET', path, operation: 'reviews' }, signal);
    const { count, results } = parseResponse(NAME, ReviewPage, answer, 'list of reviews');
    all = count;
    read += results.length;
    stars += results.reduce((sum, { rating }) => sum + rating, 0);
    if (results.length === 0 || read >= count) break;
  }
  return { count: all, mean: read === 0 ? null : Math.round((stars * 100) / read) };
}
