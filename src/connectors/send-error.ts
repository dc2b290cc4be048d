import type { SendOutcome } from './connector.ts';
import type { ConnectorError } from './connector-error.ts';

/** Statuses that say nothing about the price: the service timed out, or was busy with the same item. */
const BUSY = new Set([408, 409, 423, 425]);

/** Whether a status of a refusal says nothing about the price. */
export function isBusyStatus(status: number | null): boolean {
  return status !== null && BUSY.has(status);
}

/** The outcome of an order whose call failed. */
export function errorOutcome(listingId: number, error: ConnectorError): SendOutcome {
  const { fault, status, code, publicMessage: message, mayHaveActed, isOfRead, retryAfter } = error;
  const isBusy = isBusyStatus(status);
  if (fault === 'refused' && isOfRead) {
    return isBusy
      ? { listingId, kind: 'not_sent', message, retryAfter, othersMayGo: true }
      : notTold(listingId, message);
  }
  if (mayHaveActed || (fault === 'refused' && isBusy)) return { listingId, kind: 'unknown', message };
  if (fault === 'refused') return { listingId, kind: 'rejected', message, code: code ?? String(status) };
  if (error.dayLimit !== null) {
    const { until, othersMayGo } = error.dayLimit;
    const others = othersMayGo === true ? { othersMayGo } : {};
    return { listingId, kind: 'not_sent', message, retryAfter, why: 'daily_limit', until, ...others };
  }
  return { listingId, kind: 'not_sent', message, retryAfter };
}

/** Decided again later: what has to be read right before the price was not reported. */
export function notTold(listingId: number, message: string): SendOutcome {
  const later = { why: 'not_told', until: null, retryAfter: null, othersMayGo: true } as const;
  return { listingId, kind: 'not_sent', message, ...later };
}

/** The marketplace does not find the listing right before its price: requested a second time before that is final. */
export function notFound(listingId: number, message: string): SendOutcome {
  const later = { why: 'not_found', until: null, retryAfter: null, othersMayGo: true } as const;
  return { listingId, kind: 'not_sent', message, ...later };
}
