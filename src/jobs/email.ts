import type { Queue } from '#db/queue.ts';
import { MAIL } from '#usecases/identity/email/queued-email.ts';
import { sendMail } from '#usecases/identity/email/send-email.ts';

/** Sends mails as they are ordered. One that fails is told to `onTrouble` and tried again by the queue. */
export async function startMail(
  queue: Queue,
  { onTrouble, ...deps }: Parameters<typeof sendMail>[0] & { readonly onTrouble: (error: unknown) => void },
): Promise<void> {
  await queue.work(MAIL, async (order) => {
    try {
      await sendMail(deps, order);
    } catch (error) {
      onTrouble(error);
      throw error;
    }
  });
}
