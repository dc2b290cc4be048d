import { randomUUID } from 'node:crypto';
import type { EditWebhookReceiver, NewWebhookReceiver, WebhookSecret } from '#contract/webhook-receivers.ts';
import { notify } from '#db/listen.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import { webhookSecretPlace } from '#db/queries/identity/sealed-columns.ts';
import { deleteDeliveriesTo, makeWaitingDue } from '#db/queries/webhook-receivers/deliveries.ts';
import {
  deleteWebhookReceiver,
  hasReceiverName,
  insertWebhookReceiver,
  lockReceivers,
  updateWebhookReceiver,
} from '#db/queries/webhook-receivers/receivers.ts';
import { transact } from '#db/transact.ts';
import { hours, instant } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';
import { sealSecret } from '#usecases/identity/encryption/secret-box.ts';
import {
  auditedReceiver,
  nameTaken,
  type ReceiverDeps,
  requireAddress,
  requireReceiver,
} from './receiver-deps.ts';
import { secretInForce } from './receiver-secrets.ts';

/** Each may have four calls under way. */
const MAX_RECEIVERS = 10;
/** How long a replaced secret signs too. */
const FORMER_SECRET_LIFE = hours(24);
/** A user waits for so many deliveries to be deleted with their receiver; the hourly purge deletes the others. */
const MAX_DELETED = 10_000;

/**
 * Adds a receiver. From then on events are sent to it.
 * @returns its secret, which is not shown again
 * @throws AppError validation_failed for an address that must not be called; conflict for a name that is taken, or more
 *   than ten
 */
export async function addReceiver(
  deps: ReceiverDeps,
  { name, address: text, events }: NewWebhookReceiver,
  editor: Editor,
): Promise<WebhookSecret> {
  const { db, now, secrets, webhookSender } = deps;
  const address = requireAddress(deps, text);
  const key = await secrets.forWriting();
  const [id, secret, at] = [randomUUID(), webhookSender.newSecret(), now()];
  await transact(db, async (tx) => {
    if ((await lockReceivers(tx)) >= MAX_RECEIVERS) {
      throw new AppError(
        'conflict',
        `There are ${MAX_RECEIVERS} webhook receivers. Delete one that is no longer used.`,
      );
    }
    const row = { id, name, address, events, isOn: true };
    const secretEncrypted = sealSecret(key, webhookSecretPlace(id, 'secret'), secret);
    const isNew = await insertWebhookReceiver(tx, {
      ...row,
      secretEncrypted,
      createdAt: at,
      createdBy: editor.name,
    });
    if (!isNew) throw nameTaken();
    await insertAudit(tx, {
      ...madeBy(editor, at),
      action: 'webhook_receiver.created',
      targetKind: 'webhook_receiver',
      targetId: id,
      after: auditedReceiver(row),
    });
  });
  return { id, secret };
}

/**
 * Changes a receiver, or switches it on or off. While it is off, no events are kept for it. What waits is due once it is
 * on again, or has another address.
 * @throws AppError not_found; validation_failed and conflict as for a new one
 */
export async function editReceiver(
  deps: ReceiverDeps,
  id: string,
  { name, address: text, events, isOn }: EditWebhookReceiver,
  editor: Editor,
): Promise<void> {
  const { db, now } = deps;
  const [address, at] = [requireAddress(deps, text), now()];
  await transact(db, async (tx) => {
    await lockReceivers(tx);
    const before = await requireReceiver(tx, id);
    if (await hasReceiverName(tx, name, id)) throw nameTaken();
    const isMoved = address !== before.address;
    const isFresh = isOn && (!before.isOn || isMoved);
    await updateWebhookReceiver(tx, id, {
      name,
      address,
      events,
      isOn,
      offReason: isOn ? null : before.offReason,
      ...(isFresh && { failingSince: null, restsUntil: at }),
    });
    if (isFresh) await makeWaitingDue(tx, id, at);
    await insertAudit(tx, {
      ...madeBy(editor, at),
      action: 'webhook_receiver.edited',
      targetKind: 'webhook_receiver',
      targetId: id,
      before: auditedReceiver(before),
      after: {
        ...auditedReceiver({ name, address, events, isOn }),
        // The host alone does not show it.
        ...(isMoved && { isAddressNew: true }),
      },
    });
    if (isFresh) await notify(tx, 'pricewright_webhooks', []);
  });
}

/** Deletes a receiver with its log and what waits for it. @throws AppError not_found */
export async function removeReceiver({ db, now }: ReceiverDeps, id: string, editor: Editor): Promise<void> {
  await transact(db, async (tx) => {
    const before = await requireReceiver(tx, id);
    await deleteWebhookReceiver(tx, id);
    await deleteDeliveriesTo(tx, id, MAX_DELETED);
    await insertAudit(tx, {
      ...madeBy(editor, now()),
      action: 'webhook_receiver.deleted',
      targetKind: 'webhook_receiver',
      targetId: id,
      before: auditedReceiver(before),
    });
  });
}

/**
 * Gives a receiver a new secret. For 24 hours the former one signs too, so that the receiver can be changed in between.
 * Only one former secret does: replaced twice, a leaked one ends at once.
 * @throws AppError not_found
 */
export async function rotateSecret(
  { db, now, secrets, webhookSender }: ReceiverDeps,
  id: string,
  editor: Editor,
): Promise<WebhookSecret> {
  const key = await secrets.forWriting();
  const [secret, at] = [webhookSender.newSecret(), now()];
  await transact(db, async (tx) => {
    const before = await requireReceiver(tx, id);
    // One that cannot be decrypted signs nothing: there is nothing to replace.
    const former = secretInForce(before, key);
    await updateWebhookReceiver(tx, id, {
      secretEncrypted: sealSecret(key, webhookSecretPlace(id, 'secret'), secret),
      formerSecretEncrypted:
        former === null ? null : sealSecret(key, webhookSecretPlace(id, 'former_secret'), former),
      formerSecretUntil: former === null ? null : instant(at + FORMER_SECRET_LIFE),
    });
    await insertAudit(tx, {
      ...madeBy(editor, at),
      action: 'webhook_receiver.secret_replaced',
      targetKind: 'webhook_receiver',
      targetId: id,
      after: { name: before.name },
    });
  });
  return { id, secret };
}
