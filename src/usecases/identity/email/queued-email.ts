import type { Db } from '#db/client.ts';
import type { JobKind, Queue } from '#db/queue.ts';
import type { AlertKind } from '#domain/alert-kinds.ts';
import type { Instant } from '#domain/units.ts';
import type { MailName } from './email-texts.ts';

/** Emails about the store: the alerts of a kind that were marked at a moment, or the summary of a day. */
export type AlertEmail =
  | { readonly mail: 'notice'; readonly kind: AlertKind; readonly at: Instant }
  | { readonly mail: 'digest'; readonly at: Instant };

/** What the queue stores of an email: never its text, which may contain a secret link. */
export type MailOrder = ({ readonly mail: MailName } | AlertEmail) & {
  readonly userId: string;
  /** The public address of the process that ordered it: "https://prices.example.com". */
  readonly home: string;
};

/** Ten attempts within 5 hours, the first retry after ten seconds: a mail server may be restarting. */
export const MAIL: JobKind<MailOrder> = { name: 'mail', retry: { limit: 10, firstWaitSeconds: 10 } };

/** What ordering an email needs. */
export interface MailDeps {
  readonly queue: Queue;
  /** Our public address, without a path. Configured, never derived from a request. */
  readonly home: () => string;
  /** False: emails go to the outbox folder, and administrators pass on the links. */
  readonly sendsMail: boolean;
}

/**
 * Cancels the queued emails of a kind to a user: a later change replaces them, and a retried email must not undo it.
 */
export async function callOffMail(
  tx: Db,
  { queue }: Pick<MailDeps, 'queue'>,
  mail: MailName,
  userId: string,
): Promise<void> {
  await queue.cancel(tx, MAIL, { mail, userId });
}

/** Queues an email in the caller's transaction. A failed email is retried. */
export async function orderMail(
  tx: Db,
  { queue, home }: Pick<MailDeps, 'queue' | 'home'>,
  mail: MailName,
  userId: string,
): Promise<void> {
  await queue.send(tx, MAIL, { mail, userId, home: home() });
}

/** {@link orderMail} for alerts to administrators. */
export async function orderAlertEmail(
  tx: Db,
  { queue, home }: Pick<MailDeps, 'queue' | 'home'>,
  mail: AlertEmail,
  userId: string,
): Promise<void> {
  await queue.send(tx, MAIL, { ...mail, userId, home: home() });
}
