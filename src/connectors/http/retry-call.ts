import type { CallFailure } from './call-error.ts';

const FIRST_WAIT = 1_000;

/** What one attempt ended with. */
export type AttemptEnd<Answer> =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | ({ readonly kind: 'fault' } & CallFailure);

/** How often and how long a call is retried. */
interface RetryLimits {
  /** Attempts for one response, including the first. */
  readonly attempts: number;
  /** The longest wait before an attempt, in milliseconds. */
  readonly longestWait: number;
}

/**
 * Tries a call until it is answered. Only failures that may pass are retried, and never one after which the service may
 * have acted.
 * @param rest waits this many milliseconds before the next attempt
 * @throws ConnectorError the failure of the last attempt, or what `rest` throws
 */
export async function retryCall<Answer>(
  tryOnce: () => Promise<AttemptEnd<Answer>>,
  { attempts, longestWait }: RetryLimits,
  rest: (milliseconds: number) => Promise<void>,
  now: () => number,
): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    const end = await tryOnce();
    if (end.kind === 'answer') return end.answer;
    const { error, response, isTransient } = end;
    if (error.mayHaveActed || !isTransient || attempt >= attempts) throw error;
    const delay = retryWait(response.retryAfter, attempt, longestWait, now());
    // When the service asks for a longer wait than allowed, a retry would be in vain.
    if (delay === null) throw error;
    await rest(delay);
  }
}

/**
 * Wait before the next attempt, in milliseconds: as long as the service requests, else exponential from one second
 * with jitter, so that many callers do not retry at the same time.
 * @param retryAfter the unparsed header: seconds, or a date
 * @param attempt attempts so far, from 1
 * @returns null when the service requests more than `longest`
 */
export function retryWait(
  retryAfter: string | null,
  attempt: number,
  longest: number,
  now: number = Date.now(),
  chance: number = Math.random(),
): number | null {
  const requested = retryAfter === null ? null : requestedWait(retryAfter, now);
  if (requested !== null) return requested <= longest ? requested : null;
  return Math.round(Math.min(FIRST_WAIT * 2 ** (attempt - 1), longest) * chance);
}

/**
 * The wait that a Retry-After header asks for, in milliseconds; null if it is neither seconds nor a date.
 */
export function requestedWait(header: string, now: number): number | null {
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1_000;
  // Dates start with the day of the week; JavaScript would guess at any other format.
  const at = /^\s*[a-z]{3}/i.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
