import type { Db } from '#db/client.ts';
import {
  countReasons,
  type ReasonOfListings,
  readReasons,
} from '#db/queries/marketplaces/sync/not-repriceable.ts';
import type { Instant } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';

/** Why prices must not be changed from here, as the user was shown and confirmed: a sale, the marketplace's own repricer. */
export type ConfirmedReasons = readonly string[];

/**
 * Asks before prices of users are changed in spite of what runs on their marketplaces; listings without such a reason, and
 * those whose prices no connection sends, need no confirmation.
 * @throws AppError not_repriceable, with every reason that was not confirmed
 */
export async function requireReasonsConfirmed(
  tx: Db,
  ids: readonly number[],
  confirmed: ConfirmedReasons,
  now: Instant,
): Promise<void> {
  const open = (await countReasons(tx, ids, now)).filter(({ reason }) => !confirmed.includes(reason));
  if (open.length === 0) return;
  throw new AppError('not_repriceable', questionOf(open), {
    reasons: open.map(({ marketplace, reason, until, listings, skus, isConfirmable }) => ({
      marketplace,
      reason,
      until: until === null ? null : new Date(until).toISOString(),
      listings,
      skus: [...skus],
      isSent: isConfirmable,
    })),
  });
}

function questionOf(open: readonly ReasonOfListings[]): string {
  const [first] = open;
  if (open.length === 1 && first?.listings === 1) {
    return `${first.skus[0]}: ${first.reason} Confirm that you want to change its price anyway.`;
  }
  const listings = open.reduce((sum, one) => sum + one.listings, 0);
  const all = open.map(({ reason, listings: count }) => `${reason} (${count.toLocaleString('en-US')})`);
  return `Marketplaces run a sale or set prices themselves for ${listings.toLocaleString('en-US')} of these listings. ${all.slice(0, 3).join(' ')} Confirm that you want to change their prices anyway.`;
}

/** The reasons of some listings, by listing: in spite of which their prices change, and those that stop them. */
export interface ReasonsOfBatch {
  readonly passed: ReadonlyMap<number, string>;
  /** One sentence for users: the reason began after the user of a job confirmed. */
  readonly stopped: ReadonlyMap<number, string>;
}

/** Which listings of a batch have reasons that were confirmed, and which have others. */
export async function reasonsOfBatch(
  tx: Db,
  ids: readonly number[],
  confirmed: ConfirmedReasons,
  now: Instant,
): Promise<ReasonsOfBatch> {
  const reasons = [...(await readReasons(tx, ids, now))];
  const isConfirmed = ([, reason]: readonly [number, string]): boolean => confirmed.includes(reason);
  return {
    passed: new Map(reasons.filter(isConfirmed)),
    stopped: new Map(
      reasons
        .filter((one) => !isConfirmed(one))
        .map(([id, reason]) => [
          id,
          `${reason} This was not part of your confirmation. Review the price, then try again.`,
        ]),
    ),
  };
}

/** The confirmed reason of a listing for the audit log; empty where there is none. */
export function auditedReason(despiteReason: string | undefined): { readonly despiteReason?: string } {
  return despiteReason === undefined ? {} : { despiteReason };
}
