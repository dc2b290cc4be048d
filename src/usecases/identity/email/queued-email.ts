import type { Db } from '#db/client.ts';
import type { JobKind, Queue } from '#db/queue.ts';
import type { AlertKind } from '#domain/alert-kinds.ts';
import type { Instant } from '#domain/units.ts';
import type { MailName } from './email-texts.ts';

/** Mails about how the shop stands: the alerts of a kind that were marked at a moment, or what a day brought. */
export type AlertEmail =
  | { readonly mail: 'notice'; readonly kind: AlertKind; readonly at: Instant }
  | { readonly mail: 'digest'; readonly at: Instant };

/** What the queue carries of a mail: never its text, which may hold a link that nobody else must see. */
export type MailOrder = ({ readonly mail: MailName } | AlertEmail) & {
  readonly userId: string;
  /** Where browsers reach the process that ordered it: "https://prices.example.com". */
  readonly home: string;
};

/** Tried ten times within some five hours, the first time again after ten seconds: a mail server may be away for lunch. */
export const MAIL: JobKind<MailOrder> = { name: 'mail', retry: { limit: 10, firstWaitSeconds: 10 } };

/** What it takes to have mail sent. */
export interface MailDeps {
  readonly queue: Queue;
  /** Where browsers reach us, without a path. Configured, never taken from a request. */
  readonly home: () => string;
  /** False: mail goes to the outbox folder, and administrators hand the links over. */
  readonly sendsMail: boolean;
}

/**
 * Calls off what is still to be sent of a mail to somebody: what was done since counts, and a mail that is tried again
 * must not undo it.
 */
export async function callOffMail(
  tx: Db,
  { queue }: Pick<MailDeps, 'queue'>,
  mail: MailName,
  userId: string,
): Promise<void> {
  await queue.cancel(tx, MAIL, { mail, userId });
}

/** Has a mail sent once the transaction is through; without it there is none. A mail that fails is tried again. */
export async function orderMail(
  tx: Db,
  { queue, home }: Pick<MailDeps, 'queue' | 'home'>,
  mail: MailName,
  userId: string,
): Promise<void> {
  await queue.send(tx, MAIL, { mail, userId, home: home() });
}

/** {@link orderMail} for what administrators are told by itself. */
export async function orderAlertEmail(
  tx: Db,
  { queue, home }: Pick<MailDeps, 'queue' | 'home'>,
  mail: AlertEmail,
  userId: string,
): Promise<void> {
  await queue.send(tx, MAIL, { ...mail, userId, home: home() });
}
