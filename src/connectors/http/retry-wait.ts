const FIRST_WAIT = 1_000;

/**
 * How long to wait before the next try, in milliseconds: as long as the service asks for, else growing from a second
 * with chance, so that many callers do not come back together.
 * @param retryAfter the header as it came: seconds, or a date
 * @param attempt tries so far, from 1
 * @returns null when the service asks for more than `longest`
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
  // Dates begin with the day of the week; anything else the language would guess at.
  const at = /^\s*[a-z]{3}/i.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
