import type { Db } from '#db/client.ts';
import type { JobKind, Queue } from '#db/queue.ts';
import type { AlertKind } from '#domain/alert-kinds.ts';
import type { Instant } from '#domain/units.ts';
import type { EmailName } from './email-texts.ts';

/** Emails about the store: the alerts of a kind that were marked at a moment, or the summary of a day. */
export type AlertEmail =
  | { readonly mail: 'notice'; readonly kind: AlertKind; readonly at: Instant }
  | { readonly mail: 'digest'; readonly at: Instant };

/** The summary of the week before a Monday. */
export interface WeeklyEmail {
  readonly mail: 'weekly';
  readonly monday: Instant;
}

/** What the queue stores of an email, by these field names: never its text, which may contain a secret link. */
export type QueuedEmail = ({ readonly mail: EmailName } | AlertEmail | WeeklyEmail) & {
  readonly userId: string;
  /** The public address of the process that queued it: "https://prices.example.com". */
  readonly home: string;
};

/** Ten attempts within 5 hours, the first retry after ten seconds: a mail server may be restarting. */
export const EMAIL_JOB: JobKind<QueuedEmail> = { name: 'mail', retry: { limit: 10, firstWaitSeconds: 10 } };

/** What queuing an email needs. */
export interface EmailDeps {
  readonly queue: Queue;
  /** Our public address, without a path. Configured, never derived from a request. */
  readonly home: () => string;
  /** False: emails go to the outbox folder, and administrators pass on the links. */
  readonly sendsEmail: boolean;
}

/**
 * Cancels the queued emails of a kind to a user: a later change replaces them, and a retried email must not undo it.
 */
export async function cancelEmail(
  tx: Db,
  { queue }: Pick<EmailDeps, 'queue'>,
  name: EmailName,
  userId: string,
): Promise<void> {
  await queue.cancel(tx, EMAIL_JOB, { mail: name, userId });
}

/** Queues an email in the caller's transaction. A failed email is retried. */
export async function queueEmail(
  tx: Db,
  { queue, home }: Pick<EmailDeps, 'queue' | 'home'>,
  name: EmailName,
  userId: string,
): Promise<void> {
  await queue.send(tx, EMAIL_JOB, { mail: name, userId, home: home() });
}

/** {@link queueEmail} for alerts to administrators, and for summaries. */
export async function queueStoreEmail(
  tx: Db,
  { queue, home }: Pick<EmailDeps, 'queue' | 'home'>,
  email: AlertEmail | WeeklyEmail,
  userId: string,
): Promise<void> {
  await queue.send(tx, EMAIL_JOB, { ...email, userId, home: home() });
}
