import type { PriceOrder, SendOutcome } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { errorOutcome, notFound } from '#connectors/send-error.ts';
import { isNotFound } from './amazon-responses.ts';

/**
 * The outcome of an order whose call failed.
 * @param isAboutOrder a refusal is about this order, and not about all of a call
 * @throws any error other than a ConnectorError
 */
export function outcomeOf(order: PriceOrder, error: unknown, isAboutOrder = true): SendOutcome {
  if (!(error instanceof ConnectorError)) throw error;
  const { listingId } = order.ref;
  const { publicMessage: message, retryAfter } = error;
  if (error.mayHaveActed) return { listingId, kind: 'unknown', message };
  // It was found right before: one answer does not outweigh the other.
  if (isAboutOrder && !error.isOfRead && isNotFound(error)) return noListing(order);
  if (error.fault === 'refused' && isAboutOrder) return errorOutcome(listingId, error);
  return { listingId, kind: 'not_sent', message, retryAfter };
}

/** The order was past its deadline before anything was sent. */
export function tooLate({ ref: { listingId } }: PriceOrder): SendOutcome {
  const message = 'Price not sent to Amazon: it waited too long in the queue.';
  return { listingId, kind: 'not_sent', message, retryAfter: null, othersMayGo: true };
}

/** Amazon does not know the SKU: nothing is sent. */
export function noListing({ ref }: PriceOrder): SendOutcome {
  return notFound(ref.listingId, `Amazon has no listing with the SKU ${ref.sku}.`);
}
