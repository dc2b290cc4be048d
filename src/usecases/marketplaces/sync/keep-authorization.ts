import { ConnectorError } from '#connectors/connector-error.ts';
import { withTimeLimit } from '#connectors/time-limit.ts';
import { hours, type Instant, instant, minutes } from '#domain/units.ts';
import type { Connection } from '#usecases/marketplaces/connections/connections.ts';

/** An authorization that was not used for so long is used. Etsy's refresh token ends after 90 days, its app after six months. */
const UNUSED_FOR = hours(7 * 24);
/** Where that fails, the next try. */
const TRY_AGAIN = hours(24);
const LONGEST_CALL = minutes(1);
/** Names the last try. */
const FINDING = 'authorization_kept';

/**
 * Uses the authorization of a marketplace that is switched off, so that it can be switched on again without a new consent.
 * Nothing is synced and no price is sent. What the marketplace answers is no news while it is off.
 */
export async function keepAuthorization(
  { connector, account }: Connection,
  now: Instant,
  stopping: AbortSignal,
): Promise<void> {
  try {
    const { refresh } = await account.tokens.read();
    // One of the future, by a clock that was ahead, was not used for an unknown time.
    const age = refresh === undefined ? UNUSED_FOR : now - refresh.obtainedAt;
    if (age >= 0 && age < UNUSED_FOR) return;
    if ((await account.findings?.read(FINDING)) != null) return;
    await account.findings?.write(FINDING, {}, instant(now + TRY_AGAIN));
    await withTimeLimit(LONGEST_CALL, [stopping], (signal) => connector.check(account, signal));
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
  }
}
