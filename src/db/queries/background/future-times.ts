import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { timestamptz } from '#db/sql-values.ts';
import { LONGEST_SEND_PAUSE } from '#domain/sending/send-pause.ts';
import { hours, type Instant, type Millis } from '#domain/units.ts';

/** Later than the clocks of two processes differ. */
const CLOCKS_DIFFER = hours(1);

/**
 * Waits that a clock that was ahead has begun, and that would end only once real time gets there: those that are longer than
 * their kind can be end now. In an order of its own each, since others write the same rows: one statement for each kind.
 */
export async function limitFutureTimes(db: Db, now: Instant): Promise<void> {
  for (const statement of statementsFor(now)) await db.execute(statement);
}

function statementsFor(now: Instant): readonly SQL[] {
  const at = timestamptz(now);
  const beyond = (wait: Millis): SQL => timestamptz(now + wait);
  const soon = beyond(CLOCKS_DIFFER);
  return [
    sql`UPDATE send_pauses SET until = least(until, ${at}), resume_at = NULL
      WHERE ended_at IS NULL AND greatest(until, resume_at) > ${beyond(LONGEST_SEND_PAUSE)}`,
    // What is found right before a price is sent counts for an hour, a try to raise a Best Offer limit for a day.
    sql`UPDATE marketplace_listings SET reason_expires_at = ${at} WHERE reason_expires_at > ${beyond(hours(24))}`,
    sql`UPDATE marketplace_listings SET raise_after = NULL WHERE raise_after > ${beyond(hours(48))}`,
    sql`UPDATE suspect_prices SET open_since = ${at}, next_read_at = least(next_read_at, ${at}) WHERE open_since > ${soon}`,
    sql`UPDATE listing_migrations SET next_at = ${at}, sent_at = least(sent_at, ${at})
      WHERE ended_at IS NULL AND greatest(next_at, sent_at) > ${beyond(hours(24))}`,
    // One that expires is asked again. The others are no caches.
    sql`DELETE FROM account_findings WHERE found_at > ${soon} AND expires_at IS NOT NULL`,
    sql`UPDATE line_memories SET situation_since = ${at} WHERE situation_since > ${soon}`,
    sql`UPDATE webhook_receivers SET failing_since = least(failing_since, ${at}), rests_until = least(rests_until, ${at})
      WHERE failing_since > ${soon} OR rests_until > ${beyond(hours(2))}`,
    sql`UPDATE webhook_deliveries SET next_at = ${at} WHERE state = 'waiting' AND next_at > ${beyond(hours(12))}`,
    sql`UPDATE users SET weekly_summary_until = date_trunc('week', ${at})::date WHERE weekly_summary_until > (${beyond(hours(24))})::date`,
  ];
}
