import type { FoundRefusal, PriceReading, SentPrice } from '#connectors/connector.ts';
import { readEach } from '#connectors/read-each.ts';
import type { AmazonCalls } from './amazon-calls.ts';
import type { AmazonShop } from './amazon-shop.ts';
import type { FeedFates, FeedResults } from './feed-results.ts';
import { feedOf, isPreexisting, issueOf } from './listing-issue.ts';
import { type Item, readItem, shownPrice } from './listing-item.ts';
import { proofConcluder } from './open-proofs.ts';

const CONCURRENT_READS = 4;

/** What buyers see now, and the results of the orders; it also ends open proofs. One reading per listing, in their order. */
export async function readPrices(
  calls: AmazonCalls,
  results: FeedResults,
  shop: AmazonShop,
  sent: readonly SentPrice[],
  signal: AbortSignal,
): Promise<PriceReading[]> {
  const feeds = new Map<string, FeedFates>();
  for (const { receipt } of sent) {
    const feed = feedOf(receipt);
    if (feed === null || feeds.has(feed)) continue;
    feeds.set(feed, await results.of(shop, feed, signal));
  }
  const concludeProofs = await proofConcluder(shop, calls.now());
  return readEach(sent, CONCURRENT_READS, async (one) => {
    const { listingId, sku } = one.ref;
    const item = await readItem(calls, shop, sku, ['summaries', 'attributes', 'offers', 'issues'], signal);
    if (item === null) return { listingId, kind: 'missing' };
    await concludeProofs(item);
    return readingOf(one, item, shop, feeds.get(feedOf(one.receipt) ?? '') ?? (() => null));
  });
}

function readingOf(sent: SentPrice, item: Item, shop: AmazonShop, inFeed: FeedFates): PriceReading {
  const { listingId, sku } = sent.ref;
  const shown = shownPrice(item, shop);
  if (item.sku !== sku || shown.kind !== 'price') {
    const message =
      shown.kind === 'contradictory'
        ? 'Amazon shows several prices for this listing at once.'
        : 'Amazon shows no price in US dollars for this listing.';
    return { listingId, kind: 'unreadable', message };
  }
  const { price } = shown;
  // An old issue may still be listed; where our price is confirmed it was not about that.
  const fate = price === sent.price ? null : (inFeed(sku) ?? { refusal: complaintAbout(sent, item) });
  return { listingId, kind: 'price', price, source: 'item', ...(fate ?? { refusal: null }) };
}

/** An issue from before is only reported when the price should have been confirmed long ago. */
function complaintAbout({ receipt, isLastLook }: SentPrice, item: Item): FoundRefusal | null {
  const complaint = issueOf(item);
  if (complaint === null || (!isLastLook && isPreexisting(receipt, complaint))) return null;
  return complaint;
}
