import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openWebhookSender } from '#connectors/webhook-receivers/open-webhook-sender.ts';
import { postWebhook } from '#connectors/webhook-receivers/post-webhook.ts';
import { signatureHeaders } from '#connectors/webhook-receivers/signature.ts';
import type { WebhookCall, WebhookSender } from '#connectors/webhook-sender.ts';
import { readWatchedFigures } from '#db/queries/repricing/alert-figures.ts';
import { alerts } from '#db/schema/alerts.ts';
import { repricingState } from '#db/schema/repricing-state.ts';
import { webhookAttempts, webhookDeliveries, webhookReceivers } from '#db/schema/webhook-receivers.ts';
import { ADMIN_ALERT_KINDS } from '#domain/alert-kinds.ts';
import { cents, hours, type Instant, instant, minutes } from '#domain/units.ts';
import { type AttemptOutcome, MAX_ATTEMPTS } from '#domain/webhook-receivers/delivery-retries.ts';
import { WEBHOOK_EVENTS, type WebhookEvent } from '#domain/webhook-receivers/webhook-events.ts';
import { startConcurrent } from '#tests/support/concurrent-action.ts';
import { auditOf } from '#tests/support/read-back.ts';
import { addListing } from '#tests/support/seed.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';
import { currentAlerts } from '#usecases/repricing/alerts/current-alerts.ts';
import { handleRollback } from '#usecases/repricing/engine/handle-rollback.ts';
import { addReceiver, editReceiver, removeReceiver, rotateSecret } from './change-receivers.ts';
import { type DeliveryDeps, DeliveryLoop } from './delivery-loop.ts';
import { purgeDeliveries } from './purge-deliveries.ts';
import { redeliver, sendTest } from './send-again.ts';

interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const NOTHING: Received = { path: '', headers: {}, body: '' };
const BOSS = { id: 'boss', name: 'boss@example.com', address: '127.0.0.1', requestId: 'request' };

let shop: TestApp;
let server: Server;
let received: Received[];
/** The status for each path; without one the request is never answered. */
let answers: Record<string, number>;
let errors: unknown[];
let now: Instant;

beforeEach(async () => {
  shop = await createTestApp();
  await shop.admin();
  now = shop.deps.now();
  received = [];
  answers = { '/a': 204, '/b': 204 };
  errors = [];
  server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const path = request.url ?? '';
      received.push({ path, headers: request.headers, body: Buffer.concat(parts).toString('utf8') });
      const status = answers[path];
      if (status !== undefined) response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await shop.close();
});

const deps = (over: Partial<DeliveryDeps> = {}): DeliveryDeps => ({
  db: shop.db,
  now: () => now,
  secrets: shop.deps.secrets,
  webhookSender: openWebhookSender(),
  allowsLoopback: true,
  owner: 'this process',
  chance: () => 0.5,
  onError: (error) => errors.push(error),
  ...over,
});

async function add(path: string, events: readonly WebhookEvent[] = WEBHOOK_EVENTS) {
  const { port } = server.address() as AddressInfo;
  const address = `http://127.0.0.1:${port}${path}`;
  return addReceiver(deps(), { name: path, address, events: [...events] }, BOSS);
}

/** Everything that is due now, and until all of it has ended. */
async function deliver(over: Partial<DeliveryDeps> = {}, stopping = new AbortController().signal) {
  const loop = new DeliveryLoop(deps(over));
  const host = { stopping, wait: async () => undefined, rest: async () => undefined };
  await loop.turn(host);
  await loop.release();
  await loop.turn(host).catch((error: unknown) => errors.push(error));
  await loop.release();
}

async function halt(halted: boolean): Promise<void> {
  await shop.db
    .update(repricingState)
    .set({ halted, changedAt: now, changedBy: 'Ann', reason: halted ? 'costs are wrong' : null });
}

const ACCEPTED: AttemptOutcome = { kind: 'answered', status: 204, retryAfter: null };
const REFUSED: AttemptOutcome = { kind: 'answered', status: 500, retryAfter: null };
const TIMEOUT: AttemptOutcome = { kind: 'failed', reason: 'timeout' };

/** A sender whose calls end as the test says, in the order of the calls. */
function answering(outcome: (call: WebhookCall, number: number) => Promise<AttemptOutcome>) {
  const types: unknown[] = [];
  const post: WebhookSender['post'] = (call) => {
    types.push(JSON.parse(call.body).type);
    return outcome(call, types.length);
  };
  return { types, webhookSender: { ...openWebhookSender(), post } };
}

const alertKinds = async () =>
  currentAlerts(await readWatchedFigures(shop.db, 'engine', now), now).map(({ kind }) => kind);
const deliveries = () => shop.db.select().from(webhookDeliveries);
const attempts = () => shop.db.select().from(webhookAttempts).orderBy(webhookAttempts.id);
async function receiver(id: string) {
  const [row] = await shop.db.select().from(webhookReceivers).where(eq(webhookReceivers.id, id));
  return row;
}
const advance = (time: number): void => {
  now = instant(now + time);
};

describe('an event', () => {
  test('is delivered once to each receiver that chose it, signed with its own secret', async () => {
    const a = await add('/a');
    await add('/b', ['import.finished']);
    await halt(true);
    await deliver();
    await deliver();
    expect(received.map(({ path }) => path)).toEqual(['/a']);
    const [{ headers, body } = NOTHING] = received;
    const id = String(headers['webhook-id']);
    const at = now;
    expect(headers).toMatchObject(signatureHeaders([a.secret], { id, at, body }));
    expect(JSON.parse(body)).toEqual({
      id,
      type: 'repricing.halted',
      timestamp: new Date(now).toISOString(),
      data: {
        isHalted: true,
        haltedBy: 'Ann',
        haltedAt: new Date(now).toISOString(),
        haltReason: 'costs are wrong',
      },
    });
    expect(await deliveries()).toMatchObject([{ id, state: 'delivered', attempts: 1, nextAt: null }]);
    expect(await attempts()).toMatchObject([{ deliveryId: id, at, status: 204, failure: null }]);
    expect(errors).toEqual([]);
  });

  test('comes with its fact or not at all', async () => {
    await add('/a');
    const failing = shop.db.transaction(async (tx) => {
      await tx.update(repricingState).set({ halted: true, changedAt: now });
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    expect(await deliveries()).toEqual([]);
  });

  test('of a price has the fields of the price history, and no cost, margin or floor', async () => {
    await add('/a');
    const id = await addListing(shop.db, 'MUG-1', { currentPrice: cents(1_999) });
    expect(await deliveries()).toEqual([]);
    await shop.db.execute(sql`
      INSERT INTO price_history (listing_id, old_price, new_price, reason, source, margin_floor, timestamp)
      VALUES (${id}, 19.99, 18.5, 'Beat Competitor', 'rule', 12.34, ${new Date(now).toISOString()})`);
    await deliver();
    const { type, data } = JSON.parse(received[0]?.body ?? '{}');
    expect(type).toBe('price.changed');
    expect(data).toEqual({
      id: expect.stringMatching(/^\d+$/),
      listingId: String(id),
      timestamp: new Date(now).toISOString(),
      marketplace: 'walmart',
      sku: 'MUG-1',
      productTitle: expect.any(String),
      oldPrice: '19.99',
      newPrice: '18.50',
      source: 'rule',
      runId: null,
    });
  });

  test('of an alert has the sentence for users, not what only administrators read', async () => {
    await add('/a');
    const words = { kind: 'connection', subject: 'walmart', link: '/settings' } as const;
    await shop.db
      .insert(alerts)
      .values({ ...words, message: 'wrong key abc', forUsers: 'It failed.', startedAt: now });
    await shop.db.update(alerts).set({ message: 'wrong key xyz' });
    await shop.db.update(alerts).set({ endedAt: now });
    await deliver();
    const sent = received.map(({ body }) => JSON.parse(body));
    expect(sent.map(({ type }) => type).sort()).toEqual(['alert.ended', 'alert.started']);
    expect(sent.map(({ data }) => data.message)).toEqual(['It failed.', 'It failed.']);
  });

  test('of an alert for administrators alone does not leave', async () => {
    await add('/a');
    const words = { subject: 'all', message: 'Ann lowered them by 90%.', link: '/audit', startedAt: now };
    await shop.db.insert(alerts).values(ADMIN_ALERT_KINDS.map((kind) => ({ ...words, kind })));
    await shop.db.update(alerts).set({ endedAt: now });
    expect(await deliveries()).toEqual([]);
  });

  test('neither waits for the end of a receiver nor fails with it', async () => {
    const { id } = await add('/a');
    const removal = await shop.db.transaction(async (tx) => {
      await tx.update(repricingState).set({ halted: true, changedAt: now });
      return startConcurrent(shop.db, () => removeReceiver(deps(), id, BOSS));
    });
    expect(removal.cameThrough).toBe(true);
    await removal.end;
    expect(await deliveries()).toHaveLength(1);
    expect(await purgeDeliveries(shop.db, now)).toBe(1);
  });

  test('that a user asks for does not wait for the others', async () => {
    const { id } = await add('/a');
    for (let number = 0; number < 3; number += 1) {
      await halt(true);
      await halt(false);
    }
    await shop.db.update(webhookReceivers).set({ failingSince: now });
    advance(minutes(10));
    await sendTest(deps(), id, BOSS);
    const { types, webhookSender } = answering(async () => ACCEPTED);
    await deliver({ webhookSender });
    expect(types).toHaveLength(7);
    expect(types[0]).toBe('test');
  });

  test('is given up after the last attempt, and then the receiver has no failure left', async () => {
    const { id } = await add('/a', ['repricing.halted']);
    await halt(true);
    await shop.db.update(webhookDeliveries).set({ attempts: MAX_ATTEMPTS - 1 });
    await deliver(answering(async () => REFUSED));
    expect(await deliveries()).toMatchObject([{ state: 'failed', attempts: MAX_ATTEMPTS }]);
    expect(await receiver(id)).toMatchObject({ failingSince: null, restsUntil: null });
  });

  test('waits for a receiver that accepts nothing, and is due once that is switched on again', async () => {
    const { id } = await add('/a', ['repricing.halted']);
    await halt(true);
    await shop.db.update(webhookDeliveries).set({ attempts: MAX_ATTEMPTS });
    await shop.db.update(webhookReceivers).set({ failingSince: instant(now - hours(13)) });
    await deliver(answering(async () => REFUSED));
    expect(await deliveries()).toMatchObject([{ state: 'waiting', nextAt: now + hours(5) }]);
    const { address = '' } = (await receiver(id)) ?? {};
    const edit = { name: '/a', address, events: ['repricing.halted' as const] };
    await editReceiver(deps(), id, { ...edit, isOn: false }, BOSS);
    await editReceiver(deps(), id, { ...edit, isOn: true }, BOSS);
    await deliver();
    expect(await deliveries()).toMatchObject([{ state: 'delivered' }]);
  });
});

describe('a receiver', () => {
  test('that does not answer holds no other one up, and rests', async () => {
    const slow = await add('/silent');
    await add('/a');
    await halt(true);
    await halt(false);
    const post: WebhookSender['post'] = (call, signal) =>
      postWebhook(call, signal, call.address.endsWith('/silent') ? { limit: 50 } : {});
    await deliver({ webhookSender: { ...openWebhookSender(), post } });
    expect(received.filter(({ path }) => path === '/a')).toHaveLength(2);
    expect(await receiver(slow.id)).toMatchObject({
      isOn: true,
      failingSince: now,
      restsUntil: now + 60_000,
    });
    expect(await attempts()).toHaveLength(4);
    await sendTest(deps(), slow.id, BOSS);
    answers['/silent'] = 200;
    // A user waits for the test; what failed is due after 30 seconds.
    await deliver();
    expect((await deliveries()).filter(({ state }) => state === 'waiting')).toHaveLength(2);
    advance(30_000);
    await deliver();
    expect((await deliveries()).every(({ state }) => state === 'delivered')).toBe(true);
    expect(await receiver(slow.id)).toMatchObject({ failingSince: null, restsUntil: null });
  });

  test('that failed gets one call at a time', async () => {
    await add('/a');
    for (let number = 0; number < 3; number += 1) {
      await halt(true);
      await halt(false);
    }
    let open = 0;
    const counts: number[] = [];
    const { webhookSender } = answering(async () => {
      open += 1;
      counts.push(open);
      await new Promise(setImmediate);
      open -= 1;
      return REFUSED;
    });
    await deliver({ webhookSender });
    expect(counts).toEqual([1, 2, 3, 4, 1, 1]);
  });

  test('that is tested during a call without response does not rest then', async () => {
    const { id } = await add('/a');
    await halt(true);
    const { types, webhookSender } = answering(async (_call, number) => {
      if (number > 1) return ACCEPTED;
      await sendTest(deps(), id, BOSS);
      return TIMEOUT;
    });
    await deliver({ webhookSender });
    expect(types).toEqual(['repricing.halted', 'test']);
    expect(await receiver(id)).toMatchObject({ failingSince: null, restsUntil: null });
  });

  test('is not judged by what its former address answered', async () => {
    const { id } = await add('/a');
    await halt(true);
    const { webhookSender } = answering(async ({ address }) => {
      if (address.endsWith('/b')) return ACCEPTED;
      const edit = { name: '/a', address: address.replace(/a$/, 'b'), events: [...WEBHOOK_EVENTS] };
      await editReceiver(deps(), id, { ...edit, isOn: true }, BOSS);
      return { kind: 'answered', status: 410, retryAfter: null };
    });
    await deliver({ webhookSender });
    expect(await receiver(id)).toMatchObject({ isOn: true, offReason: null, failingSince: null });
    expect(await deliveries()).toMatchObject([{ state: 'delivered' }]);
    expect(await auditOf(shop.db, 'webhook_receiver.edited')).toMatchObject([
      { after: { host: expect.stringMatching(/^127\.0\.0\.1:\d+$/), isAddressNew: true } },
    ]);
  });

  test('that is an hour behind has an alert, also without a failure', async () => {
    const { id } = await add('/a', ['repricing.halted']);
    await halt(true);
    advance(hours(1));
    await sendTest(deps(), id, BOSS);
    expect(await alertKinds()).not.toContain('webhook_receiver');
    advance(1);
    expect(await alertKinds()).toContain('webhook_receiver');
  });

  test('gets a repetition with the same id and body', async () => {
    await add('/a');
    answers['/a'] = 503;
    await halt(true);
    await deliver();
    advance(60_000);
    answers['/a'] = 200;
    await deliver();
    expect(received).toHaveLength(2);
    const [first, second] = received;
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.body).toBe(first?.body);
    expect(second?.headers['webhook-timestamp']).not.toBe(first?.headers['webhook-timestamp']);
  });

  test('gets it again when the process ended before the answer, which counts as no attempt', async () => {
    await add('/silent');
    await halt(true);
    const stopping = new AbortController();
    server.once('request', () => setImmediate(() => stopping.abort()));
    await deliver({}, stopping.signal);
    expect(await attempts()).toEqual([]);
    answers['/silent'] = 204;
    await deliver({ owner: 'the next process' });
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(await deliveries()).toMatchObject([{ state: 'delivered', attempts: 1 }]);
    expect(errors).toEqual([]);
  });

  test('is called by one process at a time', async () => {
    await add('/a');
    await halt(true);
    const other = new DeliveryLoop(deps({ owner: 'another process' }));
    const host = { stopping: AbortSignal.abort(), wait: async () => undefined, rest: async () => undefined };
    await other.turn(host);
    await deliver();
    expect(received).toEqual([]);
    await other.release();
    await deliver();
    expect(received).toHaveLength(1);
  });

  test('that answers 410 is off, with an alert, and gets nothing until it is on again', async () => {
    const { id } = await add('/a', ['repricing.halted', 'repricing.resumed']);
    answers['/a'] = 410;
    await halt(true);
    await deliver();
    expect(await receiver(id)).toMatchObject({ isOn: false, offReason: 'unsubscribed' });
    expect(await auditOf(shop.db, 'webhook_receiver.switched_off')).toHaveLength(1);
    const figures = await readWatchedFigures(shop.db, 'engine', now);
    expect(currentAlerts(figures, now)).toContainEqual(
      expect.objectContaining({ kind: 'webhook_receiver', subject: id }),
    );
    await halt(false);
    expect(await deliveries()).toMatchObject([{ state: 'failed' }]);
    const { address = '' } = (await receiver(id)) ?? {};
    await editReceiver(deps(), id, { name: '/a', address, events: ['repricing.halted'], isOn: true }, BOSS);
    answers['/a'] = 200;
    const [failed] = await deliveries();
    await redeliver(deps(), id, failed?.id ?? '', BOSS);
    await deliver();
    expect(await deliveries()).toMatchObject([{ state: 'delivered' }]);
    expect(await receiver(id)).toMatchObject({ isOn: true, offReason: null, failingSince: null });
  });

  test('that fails for three days is off; an alert comes after an hour', async () => {
    const { id } = await add('/a', ['repricing.halted']);
    answers['/a'] = 500;
    await halt(true);
    await deliver();
    expect(await alertKinds()).not.toContain('webhook_receiver');
    advance(hours(2));
    await deliver();
    expect(await alertKinds()).toContain('webhook_receiver');
    advance(hours(71));
    await deliver();
    expect(await receiver(id)).toMatchObject({ isOn: false, offReason: 'failing' });
  });

  test('with a replaced secret gets both signatures for a day', async () => {
    const { id, secret } = await add('/a');
    const { secret: next } = await rotateSecret(deps(), id, BOSS);
    const signedWith = async (secrets: readonly string[]) => {
      received = [];
      await sendTest(deps(), id, BOSS);
      await deliver();
      const [{ headers, body } = NOTHING] = received;
      const message = { id: String(headers['webhook-id']), at: now, body };
      expect(headers['webhook-signature']).toBe(signatureHeaders(secrets, message)['webhook-signature']);
    };
    await signedWith([next, secret]);
    await shop.db.update(webhookReceivers).set({ formerSecretEncrypted: 'v1.unknown.key.record' });
    await signedWith([next]);
    await purgeDeliveries(shop.db, now);
    expect(await receiver(id)).toMatchObject({ formerSecretUntil: now + hours(24) });
    advance(hours(24));
    await signedWith([next]);
    await purgeDeliveries(shop.db, now);
    expect(await receiver(id)).toMatchObject({ formerSecretEncrypted: null, formerSecretUntil: null });
  });

  test('whose secret was lost, or whose address may no longer be called, gets nothing', async () => {
    const { id } = await add('/a');
    await halt(true);
    await deliver({ allowsLoopback: false });
    await shop.db.update(webhookReceivers).set({ secretEncrypted: null, restsUntil: null });
    advance(60_000);
    await deliver();
    expect(received).toEqual([]);
    expect((await attempts()).map(({ failure }) => failure)).toEqual(['refused_address', 'secret']);
    expect(await receiver(id)).toMatchObject({ isOn: true });
  });

  test('is off after the database was restored or copied', async () => {
    const { id } = await add('/a');
    await handleRollback(shop.db, 'restored_backup', now, now);
    expect(await receiver(id)).toMatchObject({ isOn: false, offReason: 'restored' });
  });

  test('takes its log along; what was delivered is kept for 3 days, and all else for 14', async () => {
    const { id } = await add('/a', ['repricing.halted', 'repricing.resumed']);
    await halt(true);
    await halt(false);
    await sendTest(deps(), id, BOSS);
    await deliver();
    await shop.db
      .update(webhookDeliveries)
      .set({ state: 'failed' })
      .where(eq(webhookDeliveries.type, 'test'));
    expect(await purgeDeliveries(shop.db, instant(now + hours(24 * 3)))).toBe(0);
    expect(await purgeDeliveries(shop.db, instant(now + hours(24 * 3) + 1), 1)).toBe(2);
    expect(await attempts()).toHaveLength(1);
    expect(await purgeDeliveries(shop.db, instant(now + hours(24 * 14)))).toBe(0);
    expect(await purgeDeliveries(shop.db, instant(now + hours(24 * 14) + 1))).toBe(1);
    expect(await attempts()).toEqual([]);
    await halt(true);
    await removeReceiver(deps(), id, BOSS);
    expect(await deliveries()).toEqual([]);
  });
});
