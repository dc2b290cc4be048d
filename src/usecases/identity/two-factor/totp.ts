import { Secret, TOTP } from 'otpauth';
import type { Instant } from '#domain/units.ts';

/** Seconds that one code is shown for. */
const PERIOD = 30;
/** Bytes: 160 bits. */
const SECRET_BYTES = 20;
/** Steps before and after the current one whose codes are accepted too: typing takes time, and clocks differ. */
const WINDOW = 1;

// What every authenticator app supports; some ignore other parameters of a link.
const FORM = { issuer: 'Pricewright', algorithm: 'SHA1', digits: 6, period: PERIOD } as const;

/** @returns a new secret in base32 */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** The link that authenticator apps open, or read from a QR code. */
export function setUpLink(secret: string, email: string): string {
  return new TOTP({ ...FORM, label: email, secret }).toString();
}

/**
 * The time step that a code belongs to: the one of `now`, or the one before or after it. Null for a wrong code. The
 * caller checks whether the step was used before.
 * @param digits six of them
 */
export function stepOf(secret: string, digits: string, now: Instant): number | null {
  const distance = new TOTP({ ...FORM, secret }).validate({ token: digits, timestamp: now, window: WINDOW });
  return distance === null ? null : Math.floor(now / (PERIOD * 1_000)) + distance;
}
