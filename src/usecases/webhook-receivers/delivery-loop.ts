import type { Db } from '#db/client.ts';
import { shareLease } from '#db/queries/background/leases.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import {
  hasWaitingDelivery,
  insertWebhookAttempt,
  listDueDeliveries,
  listDueReceivers,
  updateWebhookDelivery,
  type WebhookDeliveryRow,
} from '#db/queries/webhook-receivers/deliveries.ts';
import {
  findWebhookReceiver,
  lockWebhookReceiver,
  updateWebhookReceiver,
  type WebhookReceiverRow,
} from '#db/queries/webhook-receivers/receivers.ts';
import { transact } from '#db/transact.ts';
import { type Instant, seconds } from '#domain/units.ts';
import {
  type AttemptOutcome,
  deliveryResult,
  type ReceiverHealth,
  receiverHealth,
} from '#domain/webhook-receivers/delivery-retries.ts';
import { HeldLease, type LeaseDeps } from '#usecases/background/lease.ts';
import { DELIVERY_LEASE } from '#usecases/background/lease-names.ts';
import type { LoopHost, LoopTask } from '#usecases/background/supervised-loop.ts';
import { actedBy } from '#usecases/editor.ts';
import type { SecretKey } from '#usecases/identity/encryption/secret-box.ts';
import type { ReceiverDeps } from './receiver-deps.ts';
import { signingSecrets } from './receiver-secrets.ts';

/** Milliseconds between two looks for deliveries that are due; a new one ends the wait. */
const IDLE_WAIT = 5_000;
/** Calls under way to one receiver. */
const AT_ONCE = 4;
/** The same once it failed. Each lookup of a name occupies one of the few threads that marketplaces need for theirs. */
const AT_ONCE_FAILING = 1;
/** What must be left of the lease before a call: more than the time limit of a call. */
const LEASE_LEFT = seconds(20);
/** Who switches receivers off, in the audit log. */
const WEBHOOKS = { id: null, name: 'webhooks' };

export interface DeliveryDeps extends ReceiverDeps, LeaseDeps {
  readonly onError: (error: unknown) => void;
  /** From 0 to below 1, anew each time: varies the waits. */
  readonly chance: () => number;
}

interface Attempt {
  readonly delivery: WebhookDeliveryRow;
  readonly outcome: AttemptOutcome;
  readonly startedAt: Instant;
  readonly endedAt: Instant;
}

/**
 * Delivers webhooks: one process at a time, each receiver apart from the others, so that a slow one holds up itself
 * alone. An attempt that the end of the process cuts short is not counted, and is made again: at least once, with the
 * same id. No order is promised.
 */
export class DeliveryLoop implements LoopTask {
  readonly idleWait = IDLE_WAIT;
  readonly #deps: DeliveryDeps;
  readonly #lease: HeldLease;
  /** The receivers that are being called. */
  readonly #lanes = new Map<string, Promise<void>>();
  #failures: unknown[] = [];

  constructor(deps: DeliveryDeps) {
    this.#deps = deps;
    this.#lease = new HeldLease(deps, DELIVERY_LEASE);
  }

  async turn({ stopping }: LoopHost): Promise<'idle'> {
    const [failure] = this.#failures.splice(0);
    if (failure !== undefined) throw failure;
    if ((await this.#lease.acquire()) === null) return 'idle';
    for (const id of await listDueReceivers(this.#deps.db, this.#deps.now())) {
      if (!this.#lanes.has(id)) this.#lanes.set(id, this.#deliverAll(id, stopping));
    }
    return 'idle';
  }

  onError(error: unknown): void {
    this.#deps.onError(error);
  }

  /** Once the calls under way have ended. */
  async release(): Promise<void> {
    await Promise.all(this.#lanes.values());
    await this.#lease.release();
  }

  /** Everything that is due for a receiver, in small batches. The next turn reports an error. */
  async #deliverAll(id: string, stopping: AbortSignal): Promise<void> {
    try {
      while (!stopping.aborted && (await this.#deliverBatch(id, stopping)));
    } catch (error) {
      this.#failures.push(error);
    } finally {
      this.#lanes.delete(id);
    }
  }

  /** @returns whether there may be more */
  async #deliverBatch(id: string, stopping: AbortSignal): Promise<boolean> {
    const { db, now, secrets } = this.#deps;
    const lease = await this.#lease.acquire();
    const receiver = await findWebhookReceiver(db, id);
    if (lease === null || !this.#lease.isValidFor(LEASE_LEFT) || receiver === null) return false;
    if (!receiver.isOn || (receiver.restsUntil ?? 0) > now()) return false;
    const atOnce = receiver.failingSince === null ? AT_ONCE : AT_ONCE_FAILING;
    const due = await listDueDeliveries(db, id, now(), atOnce);
    if (due.length === 0) return false;
    const key = await secrets.current();
    const calls = await Promise.allSettled(
      due.map((delivery) => this.#attempt(receiver, delivery, key, stopping)),
    );
    const attempts = calls.flatMap((call) => (call.status === 'fulfilled' ? [call.value] : []));
    const isRecorded = await transact(
      db,
      async (tx) => (await shareLease(tx, lease)) && (await record(tx, receiver, attempts, this.#deps)),
    );
    const broken = calls.find((call) => call.status === 'rejected');
    if (broken !== undefined && !stopping.aborted) throw broken.reason;
    return isRecorded && due.length === atOnce;
  }

  /** @throws the reason of the signal once the process stops */
  async #attempt(
    receiver: WebhookReceiverRow,
    delivery: WebhookDeliveryRow,
    key: SecretKey | null,
    stopping: AbortSignal,
  ): Promise<Attempt> {
    const { now, allowsLoopback, webhookSender } = this.#deps;
    const startedAt = now();
    const outcome = async (): Promise<AttemptOutcome> => {
      const secrets = key === null ? null : signingSecrets(receiver, key, startedAt);
      if (secrets === null) return { kind: 'failed', reason: 'secret' };
      // Checked when it was entered; what may be called can have changed with the configuration.
      const checked = webhookSender.addressOf(receiver.address, allowsLoopback);
      if ('problem' in checked) return { kind: 'failed', reason: 'refused_address' };
      const { id, type, happenedAt, data } = delivery;
      const body = JSON.stringify({ id, type, timestamp: new Date(happenedAt).toISOString(), data });
      const headers = webhookSender.headersOf(secrets, { id, at: startedAt, body });
      return webhookSender.post({ address: checked.address, headers, body, at: startedAt }, stopping);
    };
    return { delivery, outcome: await outcome(), startedAt, endedAt: now() };
  }
}

/**
 * Writes down attempts and what follows from them.
 * @param called the receiver as it was called
 * @returns whether it is still called
 */
async function record(
  tx: Db,
  called: WebhookReceiverRow,
  attempts: readonly Attempt[],
  { now, chance }: Pick<DeliveryDeps, 'now' | 'chance'>,
): Promise<boolean> {
  const receiver = await lockWebhookReceiver(tx, called.id);
  if (receiver === null) return false;
  const isMoved = receiver.address !== called.address;
  let health = receiverHealthOf(receiver);
  let isOneGivenUp = false;
  for (const { delivery, outcome, startedAt, endedAt } of attempts) {
    const count = delivery.attempts + 1;
    const result = deliveryResult(outcome, count, health.failingSince, endedAt, chance());
    isOneGivenUp ||= result.kind === 'given_up';
    await insertWebhookAttempt(tx, {
      deliveryId: delivery.id,
      at: startedAt,
      status: outcome.kind === 'answered' ? outcome.status : null,
      failure: outcome.kind === 'failed' ? outcome.reason : null,
      duration: Math.max(0, endedAt - startedAt),
    });
    // A former address says nothing about this one.
    if (isMoved && result.kind !== 'delivered') continue;
    await updateWebhookDelivery(tx, delivery.id, {
      state: result.kind === 'retry' ? 'waiting' : result.kind === 'delivered' ? 'delivered' : 'failed',
      attempts: count,
      nextAt: result.kind === 'retry' ? result.at : null,
    });
    const next = receiverHealth(outcome, health.failingSince, endedAt);
    health = { ...next, offReason: next.offReason ?? health.offReason };
  }
  if (isMoved || !receiver.isOn) return receiver.isOn;
  // Nothing is retried: a failure weeks later is the first one again.
  const isOver = isOneGivenUp && !(await hasWaitingDelivery(tx, called.id));
  // A user ended its rest during the calls, and waits.
  const isAwaited = receiver.restsUntil !== called.restsUntil;
  const isOn = health.offReason === null;
  await updateWebhookReceiver(tx, called.id, {
    ...health,
    ...(isOver && { failingSince: null, restsUntil: null }),
    ...(isAwaited && { restsUntil: receiver.restsUntil }),
    isOn,
  });
  if (isOn) return true;
  await insertAudit(tx, {
    ...actedBy(WEBHOOKS, now()),
    action: 'webhook_receiver.switched_off',
    targetKind: 'webhook_receiver',
    targetId: called.id,
    after: { name: receiver.name, reason: health.offReason },
  });
  return false;
}

function receiverHealthOf({ failingSince, restsUntil, offReason }: WebhookReceiverRow): ReceiverHealth {
  return { failingSince, restsUntil, offReason };
}
