import type { PriceOrder, SendOutcome } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';

/**
 * What became of an order whose call failed.
 * @param isFinal a refusal says something about this order, and would come again
 * @throws whatever is no ConnectorError
 */
export function outcomeOf({ ref }: PriceOrder, error: unknown, isFinal = true): SendOutcome {
  if (!(error instanceof ConnectorError)) throw error;
  const { listingId } = ref;
  const { tellable: message, code, retryAfter } = error;
  if (error.mayHaveActed) return { listingId, kind: 'unknown', message };
  if (error.fault === 'refused' && isFinal) return { listingId, kind: 'rejected', message, code };
  return { listingId, kind: 'not_sent', message, retryAfter };
}

/** The order had waited for too long before anything was sent. */
export function tooLate({ ref: { listingId } }: PriceOrder): SendOutcome {
  const message = 'Price not sent to Amazon: it waited too long in the queue.';
  return { listingId, kind: 'not_sent', message, retryAfter: null, othersMayGo: true };
}

/** What is wrong with the whole account, or for the moment with all calls: the next order would fare no better. */
export function concernsAll({ fault }: ConnectorError): boolean {
  return ['key', 'permission', 'busy', 'time'].includes(fault);
}
