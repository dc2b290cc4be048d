import type { Db } from '#db/client.ts';
import { notify } from '#db/listen.ts';
import { listUsers } from '#db/queries/identity/users.ts';
import { listOpenEdits } from '#db/queries/marketplaces/sending/external-edits.ts';
import { readWatchedFigures } from '#db/queries/repricing/alert-figures.ts';
import {
  type AlertRow,
  type CurrentAlert,
  deleteEndedAlerts,
  endAlerts,
  insertAlerts,
  kindsToEmail,
  lockOpenAlerts,
  markEmailed,
  updateAlertMessage,
} from '#db/queries/repricing/alerts.ts';
import { readSettings } from '#db/queries/repricing/pricing-context.ts';
import { transact } from '#db/transact.ts';
import { hours, type Instant } from '#domain/units.ts';
import { type EmailDeps, queueStoreEmail } from '#usecases/email/queued-email.ts';
import { ENGINE } from '#usecases/repricing/engine/engine-deps.ts';
import { currentAlerts } from './current-alerts.ts';

const HOUR = hours(1);
/** The newest external edits; more would hide the other alerts. */
const MAX_EDIT_ALERTS = 10;
const KEPT = hours(24 * 30);

export interface WatchDeps extends Pick<EmailDeps, 'queue' | 'home'> {
  readonly db: Db;
  readonly now: () => Instant;
}

/**
 * Updates the alerts: starts new ones, updates the message of changed ones and ends past ones. Administrators get an email
 * if notifications are on, at most one per kind and hour.
 */
export async function updateAlerts(deps: WatchDeps): Promise<void> {
  const { db, now } = deps;
  const at = now();
  const edits = await listOpenEdits(db, null, MAX_EDIT_ALERTS, at);
  const current = currentAlerts(await readWatchedFigures(db, ENGINE.name, at), at, edits);
  const { notifications } = await readSettings(db);
  await transact(db, async (tx) => {
    const isNews = await keep(tx, current, at);
    if (notifications) await queueEmails(tx, deps, at);
    await deleteEndedAlerts(tx, (at - KEPT) as Instant);
    if (isNews) await notify(tx, 'pricewright_alerts', []);
  });
}

/** Updates the stored alerts to the current ones. @returns whether anything changed */
async function keep(tx: Db, current: readonly CurrentAlert[], now: Instant): Promise<boolean> {
  const open = await lockOpenAlerts(tx);
  const goesOn = (row: AlertRow, alert: CurrentAlert): boolean =>
    row.kind === alert.kind && row.subject === alert.subject && !isMuchMore(row.size, alert.size);
  const fresh = current.filter((alert) => !open.some((row) => goesOn(row, alert)));
  const over = open.filter((row) => !current.some((alert) => goesOn(row, alert)));
  await endAlerts(
    tx,
    over.map(({ id }) => id),
    now,
  );
  await insertAlerts(tx, fresh, now);
  let isReworded = false;
  for (const row of open) {
    const alert = current.find((each) => goesOn(row, each));
    if (alert === undefined) continue;
    const { message, link, forUsers = null } = alert;
    const size = leastOf(row.size, alert.size);
    const isSame = message === row.message && forUsers === row.forUsers && link === row.link;
    if (isSame && size === row.size) continue;
    isReworded = true;
    await updateAlertMessage(tx, row.id, { message, forUsers, link, size });
  }
  return fresh.length > 0 || over.length > 0 || isReworded;
}

/**
 * One accepted listing below its margin floor must not hide 300 new ones: an alert that grew to more than twice its size,
 * and by at least ten, starts again.
 */
function isMuchMore(reported: number | null, now: number | undefined): boolean {
  return reported !== null && now !== undefined && now >= reported + 10 && now > reported * 2;
}

/** Growth is measured from the smallest size since the last email. */
function leastOf(reported: number | null, now: number | undefined): number | null {
  return reported === null || now === undefined ? (now ?? null) : Math.min(reported, now);
}

async function queueEmails(tx: Db, deps: WatchDeps, at: Instant): Promise<void> {
  const kinds = await kindsToEmail(tx, (at - HOUR) as Instant);
  if (kinds.length === 0) return;
  await markEmailed(tx, kinds, at);
  for (const admin of (await listUsers(tx)).filter(({ role, approved }) => role === 'admin' && approved)) {
    for (const kind of kinds) await queueStoreEmail(tx, deps, { mail: 'notice', kind, at }, admin.id);
  }
}
