import { z } from 'zod';
import type { PriceOrder, SendOutcome } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { type AmazonCalls, pathOf } from './amazon-calls.ts';
import { Issue, issueMessages, read } from './amazon-responses.ts';
import type { AmazonShop } from './amazon-shop.ts';
import { receiptOf } from './listing-issue.ts';
import { type Item, itemPath, readItem, summaryOf } from './listing-item.ts';
import { mapSequential } from './map-sequential.ts';
import { repriced } from './purchasable-offer.ts';
import { concernsAll, outcomeOf, tooLate } from './send-outcome.ts';

const CONCURRENT_SENDS = 4;
/** Amazon accepts this product type for any offer. */
const ANY_PRODUCT = 'PRODUCT';

const Submission = z.object({
  sku: z.string(),
  status: z.string(),
  issues: z.array(Issue).nullish(),
});

/** Sends each price with a call of its own. One outcome per order, in their order. */
export async function patchPrices(
  calls: AmazonCalls,
  shop: AmazonShop,
  orders: readonly PriceOrder[],
  signal: AbortSignal,
): Promise<SendOutcome[]> {
  let stop: ConnectorError | null = null;
  return mapSequential(orders, CONCURRENT_SENDS, async (order) => {
    if (stop !== null) return outcomeOf(order, withoutAct(stop));
    try {
      return await patchPrice(calls, shop, order, signal);
    } catch (error) {
      if (error instanceof ConnectorError && concernsAll(error)) stop = error;
      return outcomeOf(order, error);
    }
  });
}

/** The orders after the failed one were not sent, whatever the outcome of that one. */
function withoutAct({ fault, message, code, retryAfter }: ConnectorError): ConnectorError {
  return new ConnectorError(fault, message, { code, retryAfter });
}

async function patchPrice(
  calls: AmazonCalls,
  shop: AmazonShop,
  order: PriceOrder,
  signal: AbortSignal,
): Promise<SendOutcome> {
  const { ref, notAfter } = order;
  const { listingId, sku } = ref;
  if (calls.now() > notAfter) return tooLate(order);
  const item = await readItem(calls, shop, sku, ['summaries', 'attributes', 'issues'], signal);
  if (item === null) return noListing(order);
  const answer = await calls.ask(
    shop,
    {
      method: 'PATCH',
      operation: 'patchListing',
      changes: { notAfter },
      path: pathOf(itemPath(shop, sku), { marketplaceIds: shop.marketplaceId, issueLocale: 'en_US' }),
      text: patchOf(item, shop, order),
    },
    signal,
  );
  const submission = read(Submission, answer.body, 'answer to a price', true);
  const issues = submission.issues ?? [];
  if (submission.sku === sku && submission.status === 'ACCEPTED') {
    return { listingId, kind: 'accepted', receipt: receiptOf(null, item) };
  }
  if (submission.sku === sku && submission.status === 'INVALID') {
    const code = (issues.find(({ severity }) => severity === 'ERROR') ?? issues[0])?.code ?? 'INVALID';
    const message = issueMessages(issues) || 'Amazon reports an invalid price without a reason.';
    return { listingId, kind: 'rejected', message, code };
  }
  const message = 'Amazon neither accepted nor rejected the price.';
  return { listingId, kind: 'unknown', message };
}

/** Amazon does not know the SKU: nothing is sent. */
export function noListing({ ref }: PriceOrder): SendOutcome {
  const message = `Amazon has no listing with the SKU ${ref.sku}.`;
  return { listingId: ref.listingId, kind: 'rejected', message, code: 'NOT_FOUND' };
}

/** The patch that changes only the price, as JSON text: `"productType"` and `"patches"` of an object. */
export function patchMembers(item: Item, shop: AmazonShop, order: PriceOrder): string {
  const productType = summaryOf(item, shop)?.productType || (order.ref.keys.productType ?? ANY_PRODUCT);
  const value = repriced(item.attributes, shop, order.price);
  const patch = `{"op":"replace","path":"/attributes/purchasable_offer","value":${value}}`;
  return `"productType":${JSON.stringify(productType)},"patches":[${patch}]`;
}

function patchOf(item: Item, shop: AmazonShop, order: PriceOrder): string {
  return `{${patchMembers(item, shop, order)}}`;
}
