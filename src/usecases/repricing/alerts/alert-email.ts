import type { Db } from '#db/client.ts';
import { listMailed, listNotices, type NoticeRow } from '#db/queries/repricing/alerts.ts';
import { type DayFigures, readDayFigures } from '#db/queries/repricing/watched-figures.ts';
import type { AlertKind } from '#domain/alert-kinds.ts';
import { hours, type Instant } from '#domain/units.ts';
import type { Mail } from '#usecases/identity/email/mailer.ts';
import type { NoticeMail } from '#usecases/identity/email/queued-email.ts';

const DAY = hours(24);
/** Notices that one mail names. */
const MOST = 50;

const SUBJECTS = {
  halted: 'Repricing is halted',
  disarmed: 'Put back to observing',
  no_check: 'Prices are not checked',
  stuck: 'A marketplace takes no prices',
  unknown: 'Prices nobody can confirm',
  refused: 'A marketplace refused prices',
  connection: 'A marketplace cannot be read',
  credentials: 'A key ends soon',
  lowered_floors: 'Lowest allowed prices fell',
  hidden_clients: 'The proxy hides who calls',
  below_floor: 'Listings below their lowest legal price',
  idle_rule: 'A rule no longer decides anything',
} as const satisfies Record<AlertKind, string>;

/** @returns null when there is nothing left to tell of */
export async function noticeMail(db: Db, order: NoticeMail, home: string): Promise<Omit<Mail, 'to'> | null> {
  if (order.mail === 'digest') return digest(db, order.at, home);
  const told = (await listMailed(db, order.kind, order.at)).slice(0, MOST);
  if (told.length === 0) return null;
  return {
    subject: `Pricewright: ${SUBJECTS[order.kind]}`,
    text: `${told.map((notice) => item(notice, home)).join('\n\n')}

${WHY}`,
  };
}

const WHY = 'Administrators get these mails. Switch them off under Settings, Notifications.';

async function digest(db: Db, at: Instant, home: string): Promise<Omit<Mail, 'to'>> {
  const lasting = (await listNotices(db, at, MOST)).filter(({ endedAt }) => endedAt === null);
  const open =
    lasting.length === 0 ? 'Nothing needs you.' : lasting.map((notice) => item(notice, home)).join('\n\n');
  return {
    subject: `Pricewright: ${lasting.length === 0 ? 'your day' : `your day, ${lasting.length} to look at`}`,
    text: `${open}

${dayText(await readDayFigures(db, (at - DAY) as Instant, at))}

${home}

${WHY}`,
  };
}

function item({ message, link, endedAt }: NoticeRow, home: string): string {
  const over = endedAt === null ? '' : ' (over by now)';
  return `${message}${over}\n${home}${link}`;
}

function dayText({ changed, waiting, unitsSold, revenue }: DayFigures): string {
  const count = (value: number, one: string, many: string): string =>
    `${value.toLocaleString('en-US')} ${value === 1 ? one : many}`;
  return [
    'In the last 24 hours:',
    count(changed, 'price changed', 'prices changed'),
    count(waiting, 'recommended price waits for somebody', 'recommended prices wait for somebody'),
    `${count(unitsSold, 'piece sold', 'pieces sold')} for ${dollars(revenue)}`,
  ].join('\n');
}

/** @param revenue a decimal string, of any length: a number could not hold the cents of every one */
function dollars(revenue: string): string {
  const [whole = '0', cents = '00'] = revenue.split('.');
  return `$${BigInt(whole).toLocaleString('en-US')}.${cents}`;
}
