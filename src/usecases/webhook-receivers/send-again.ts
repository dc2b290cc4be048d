import type { Db } from '#db/client.ts';
import { notify } from '#db/listen.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import { insertTestDelivery, requeueDelivery } from '#db/queries/webhook-receivers/deliveries.ts';
import { updateWebhookReceiver, type WebhookReceiverRow } from '#db/queries/webhook-receivers/receivers.ts';
import { transact } from '#db/transact.ts';
import { type Instant, instant } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';
import { RETENTION } from './purge-deliveries.ts';
import { isId, type ReceiverDeps, requireReceiver } from './receiver-deps.ts';

/** A time at which nothing else that waits is due: a user does not wait for a backlog. */
function beforeAllOthers(now: Instant): Instant {
  return instant(now - RETENTION.waiting);
}

/** Queues a test event. @returns the id of the delivery @throws AppError not_found, conflict while it is off */
export async function sendTest({ db, now }: ReceiverDeps, id: string, editor: Editor): Promise<string> {
  return transact(db, async (tx) => {
    const receiver = await requireReceiverThatIsOn(tx, id);
    const deliveryId = await insertTestDelivery(tx, id, now(), beforeAllOthers(now()));
    await begin(tx, receiver, { deliveryId, action: 'webhook_receiver.tested', at: now() }, editor);
    return deliveryId;
  });
}

/**
 * Queues a delivery once more, with its id: a receiver that has it takes it for a repetition. One that waits is sent now.
 * @throws AppError not_found, conflict while the receiver is off
 */
export async function redeliver(
  { db, now }: ReceiverDeps,
  id: string,
  deliveryId: string,
  editor: Editor,
): Promise<void> {
  await transact(db, async (tx) => {
    const receiver = await requireReceiverThatIsOn(tx, id);
    if (!isId(deliveryId) || !(await requeueDelivery(tx, id, deliveryId, beforeAllOthers(now())))) {
      throw new AppError('not_found', 'This delivery is no longer in the log.');
    }
    await begin(tx, receiver, { deliveryId, action: 'webhook_receiver.redelivered', at: now() }, editor);
  });
}

async function requireReceiverThatIsOn(tx: Db, id: string): Promise<WebhookReceiverRow> {
  const receiver = await requireReceiver(tx, id);
  if (!receiver.isOn) throw new AppError('conflict', 'This webhook receiver is off. Switch it on first.');
  return receiver;
}

type Begun = {
  readonly deliveryId: string;
  readonly action: 'webhook_receiver.tested' | 'webhook_receiver.redelivered';
  readonly at: Instant;
};

/** A user waits for it: the rest of the receiver ends, also one that a call under way would begin. */
async function begin(
  tx: Db,
  { id, name }: WebhookReceiverRow,
  { deliveryId, action, at }: Begun,
  editor: Editor,
): Promise<void> {
  await updateWebhookReceiver(tx, id, { restsUntil: at });
  await insertAudit(tx, {
    ...madeBy(editor, at),
    action,
    targetKind: 'webhook_receiver',
    targetId: id,
    after: { name, deliveryId },
  });
  await notify(tx, 'pricewright_webhooks', []);
}
