import type { Marketplace } from '#domain/marketplaces.ts';
import type { Millis } from '#domain/units.ts';
import { offerRound } from './offer-budgets.ts';

/** How often the competitors of some listings are read. */
export interface ReadInterval {
  readonly time: Millis;
  /** From the last readings, or from what the marketplace allows. */
  readonly basis: 'measured' | 'estimated';
}

/** The last readings of some listings. */
export interface LastReadings {
  readonly listings: number;
  /** Those that were read before. */
  readonly read: number;
  /** 95 of 100 of these were read within this time; null for none. */
  readonly age95: Millis | null;
}

/** From this share of listings on that were read before, their last readings show how often they are read. */
const MEASURED_FROM = 0.95;

/**
 * How often these listings are read, never more often than syncs start.
 * @param share of the marketplace's calls that they get, above 0 and up to 1
 * @param syncInterval the time from one sync to the next
 * @returns null without listings, and where competitors cannot be read
 */
export function readInterval(
  marketplace: Marketplace,
  { listings, read, age95 }: LastReadings,
  share: number,
  syncInterval: Millis,
): ReadInterval | null {
  const round = offerRound(marketplace, listings);
  if (round === null || listings === 0) return null;
  const isMeasured = age95 !== null && read >= listings * MEASURED_FROM;
  const time = isMeasured ? age95 : round / share;
  return {
    time: Math.max(time, syncInterval) as Millis,
    basis: isMeasured ? 'measured' : 'estimated',
  };
}
