import { afterEach, beforeEach } from 'vitest';
import { listAlerts } from '#db/queries/repricing/alerts.ts';
import { repricingState } from '#db/schema/repricing-state.ts';
import { type RecordedQueue, recordedQueue } from '#tests/support/recorded-queue.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';
import { sendEmail } from '#usecases/background/send-email.ts';
import type { Email } from '#usecases/email/mailer.ts';
import type { QueuedEmail } from '#usecases/email/queued-email.ts';
import { queueDailyEmails } from '#usecases/repricing/alerts/queue-daily-emails.ts';
import { updateAlerts } from '#usecases/repricing/alerts/update-alerts.ts';

const home = (): string => 'https://prices.example.com';

/** A shop with one administrator that is watched, and the emails that come of it. A new one for each test. */
export interface AlertFixture {
  readonly shop: TestApp;
  readonly queue: RecordedQueue;
  watch(): Promise<void>;
  digest(): Promise<void>;
  /** What is the matter at this moment, as the bell says it. */
  open(): Promise<string[]>;
  halt(halted: boolean): Promise<void>;
  /** The kinds of emails that were ordered. */
  emailed(): unknown[];
  /** The emails themselves. */
  emails(): Promise<Email[]>;
}

export function alertFixture(): AlertFixture {
  let shop: TestApp;
  let queue: RecordedQueue;
  beforeEach(async () => {
    shop = await createTestApp();
    await shop.admin();
    queue = recordedQueue();
  });
  afterEach(() => shop.close());
  return {
    get shop() {
      return shop;
    },
    get queue() {
      return queue;
    },
    watch: async () => {
      await updateAlerts({ ...shop.deps, queue, home });
    },
    digest: async () => {
      await queueDailyEmails({ ...shop.deps, queue, home });
    },
    open: async () => {
      const alerts = await listAlerts(shop.db, shop.deps.now(), 50);
      return alerts.filter(({ endedAt }) => endedAt === null).map(({ message }) => message);
    },
    halt: async (halted) => {
      await shop.db.update(repricingState).set({ halted, changedBy: 'Ann', reason: 'costs are wrong' });
    },
    emailed: () => queue.sent.map(({ data }) => ('kind' in data ? data.kind : 'digest')),
    emails: async () => {
      const sent: Email[] = [];
      const mailer = { send: async (email: Email): Promise<void> => void sent.push(email) };
      for (const { data } of queue.sent) {
        await sendEmail({ db: shop.db, now: shop.deps.now, mailer }, data as QueuedEmail);
      }
      return sent;
    },
  };
}
