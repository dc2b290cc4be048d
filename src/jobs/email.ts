import type { Queue } from '#db/queue.ts';
import { sendEmail } from '#usecases/background/send-email.ts';
import { EMAIL_JOB } from '#usecases/email/queued-email.ts';

/** Sends queued emails. A failed one is reported to `onError` and retried by the queue. */
export async function startEmail(
  queue: Queue,
  { onError, ...deps }: Parameters<typeof sendEmail>[0] & { readonly onError: (error: unknown) => void },
): Promise<void> {
  await queue.work(EMAIL_JOB, async (order) => {
    try {
      await sendEmail(deps, order);
    } catch (error) {
      onError(error);
      throw error;
    }
  });
}
