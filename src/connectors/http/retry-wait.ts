const FIRST_WAIT = 1_000;

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
  const asked = retryAfter === null ? null : askedWait(retryAfter, now);
  if (asked !== null) return asked <= longest ? asked : null;
  return Math.round(Math.min(FIRST_WAIT * 2 ** (attempt - 1), longest) * chance);
}

function askedWait(header: string, now: number): number | null {
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1_000;
  // Dates start with the day of the week; JavaScript would guess at any other format.
  const at = /^\s*[a-z]{3}/i.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
