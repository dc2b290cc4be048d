import type { Db } from '#db/client.ts';
import { type DayFigures, readDayFigures } from '#db/queries/repricing/alert-figures.ts';
import { type AlertRow, listAlerts, listEmailed } from '#db/queries/repricing/alerts.ts';
import type { AlertKind } from '#domain/alert-kinds.ts';
import { hours, type Instant } from '#domain/units.ts';
import { dollars } from '#usecases/email/dollars.ts';
import type { Email } from '#usecases/email/mailer.ts';
import type { AlertEmail } from '#usecases/email/queued-email.ts';

const DAY = hours(24);
/** Largest number of alerts in one email. */
const MAX_ALERTS = 50;

const SUBJECTS = {
  halted: 'Repricing is halted',
  mode_reset: 'Switched to recommend only',
  no_check: 'Prices are not being checked',
  sending_stuck: 'A marketplace is not accepting prices',
  external_edit: 'A price was changed on a marketplace',
  unknown: 'Prices not confirmed',
  refused: 'A marketplace rejected prices',
  sending_paused: 'Prices wait for a marketplace',
  connection: 'A marketplace cannot be synced',
  credentials: 'A credential expires soon',
  webhook_receiver: 'Webhooks are not delivered',
  fee_breaker: 'Fees changed for many listings',
  fee_drift: 'A marketplace charges other fees',
  backup: 'Backups need attention',
  lowered_floors: 'Lowest allowed prices were lowered',
  hidden_clients: 'The proxy hides client addresses',
  below_floor: 'Listings below their margin floor',
  business_price: 'Business prices need attention',
  rule_inactive: 'A rule no longer prices any listing',
} as const satisfies Record<AlertKind, string>;

/** @returns null when there is nothing left to report */
export async function alertEmail(db: Db, order: AlertEmail, home: string): Promise<Omit<Email, 'to'> | null> {
  if (order.mail === 'digest') return digest(db, order.at, home);
  const reported = (await listEmailed(db, order.kind, order.at)).slice(0, MAX_ALERTS);
  if (reported.length === 0) return null;
  return {
    subject: `Pricewright: ${SUBJECTS[order.kind]}`,
    text: `${reported.map((alert) => item(alert, home)).join('\n\n')}

${WHY}`,
  };
}

const WHY = 'Administrators receive these emails. Turn them off under Settings, Notifications.';

async function digest(db: Db, at: Instant, home: string): Promise<Omit<Email, 'to'>> {
  const lasting = (await listAlerts(db, at, MAX_ALERTS)).filter(({ endedAt }) => endedAt === null);
  const open = lasting.length === 0 ? 'No alerts.' : lasting.map((alert) => item(alert, home)).join('\n\n');
  return {
    subject: `Pricewright daily summary: ${lasting.length === 0 ? 'no alerts' : lasting.length === 1 ? '1 alert' : `${lasting.length} alerts`}`,
    text: `${open}

${dayText(await readDayFigures(db, (at - DAY) as Instant, at))}

${home}

${WHY}`,
  };
}

function item({ message, link, endedAt }: AlertRow, home: string): string {
  const over = endedAt === null ? '' : ' (resolved)';
  return `${message}${over}\n${home}${link}`;
}

function dayText({ changed, waiting, unitsSold, revenue }: DayFigures): string {
  const count = (value: number, one: string, many: string): string =>
    `${value.toLocaleString('en-US')} ${value === 1 ? one : many}`;
  return [
    'In the last 24 hours:',
    count(changed, 'price changed', 'prices changed'),
    count(waiting, 'recommended price needs review', 'recommended prices need review'),
    `${count(unitsSold, 'unit sold', 'units sold')} for ${dollars(revenue)}`,
  ].join('\n');
}
