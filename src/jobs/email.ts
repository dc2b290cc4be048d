import type { Queue } from '#db/queue.ts';
import { MAIL } from '#usecases/identity/email/queued-email.ts';
import { sendMail } from '#usecases/identity/email/send-email.ts';

/** Sends queued emails. A failed one is reported to `onError` and retried by the queue. */
export async function startMail(
  queue: Queue,
  { onError, ...deps }: Parameters<typeof sendMail>[0] & { readonly onError: (error: unknown) => void },
): Promise<void> {
  await queue.work(MAIL, async (order) => {
    try {
      await sendMail(deps, order);
    } catch (error) {
      onError(error);
      throw error;
    }
  });
}
