import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { Done } from '#contract/users.ts';
import {
  DeliveriesQuery,
  EditWebhookReceiver,
  NewWebhookReceiver,
  QueuedDelivery,
  WebhookDeliveries,
  type WebhookDelivery,
  type WebhookReceiver,
  WebhookReceivers,
  WebhookSecret,
} from '#contract/webhook-receivers.ts';
import {
  type ListedWebhookDelivery,
  listWebhookDeliveries,
} from '#db/queries/webhook-receivers/deliveries.ts';
import { type ListedWebhookReceiver, listWebhookReceivers } from '#db/queries/webhook-receivers/receivers.ts';
import type { AppDeps } from '#server/app-deps.ts';
import { editorOf } from '#server/editor-of.ts';
import { isForThisMachineAlone } from '#server/request-origin.ts';
import {
  addReceiver,
  editReceiver,
  removeReceiver,
  rotateSecret,
} from '#usecases/webhook-receivers/change-receivers.ts';
import { requireKnownReceiver } from '#usecases/webhook-receivers/receiver-deps.ts';
import { redeliver, sendTest } from '#usecases/webhook-receivers/send-again.ts';

const OneId = z.strictObject({ id: z.string().max(100) });
const OneDelivery = OneId.extend({ deliveryId: z.string().max(100) });

const iso = (moment: number): string => new Date(moment).toISOString();
const isoOrNull = (moment: number | null): string | null => (moment === null ? null : iso(moment));

function receiverView(receiver: ListedWebhookReceiver, now: number): WebhookReceiver {
  const { formerSecretUntil, failingSince, createdAt, ...rest } = receiver;
  const isFormerInForce = formerSecretUntil !== null && formerSecretUntil > now;
  return {
    ...rest,
    formerSecretUntil: isFormerInForce ? iso(formerSecretUntil) : null,
    failingSince: isoOrNull(failingSince),
    createdAt: iso(createdAt),
  };
}

function deliveryView(delivery: ListedWebhookDelivery, now: number): WebhookDelivery {
  const { id, type, happenedAt, state, nextAt, log, data } = delivery;
  return {
    id,
    type,
    timestamp: iso(happenedAt),
    state,
    nextAttemptAt: nextAt === null ? null : iso(Math.max(nextAt, now)),
    attempts: [...log],
    data,
  };
}

/** Receivers of webhooks and their log. Administrators only: what is sent leaves the installation. */
export const webhookReceiverRoutes: FastifyPluginAsyncZod<{ deps: AppDeps }> = async (app, { deps }) => {
  const receivers = { ...deps, allowsLoopback: isForThisMachineAlone(deps) };

  app.get(
    '/api/webhook-receivers',
    { config: { access: 'admin' }, schema: { response: { 200: WebhookReceivers } } },
    async () => (await listWebhookReceivers(deps.db)).map((receiver) => receiverView(receiver, deps.now())),
  );

  app.post(
    '/api/webhook-receivers',
    {
      config: { access: 'admin', stepUp: true },
      schema: { body: NewWebhookReceiver, response: { 201: WebhookSecret } },
    },
    async (request, reply) =>
      reply.code(201).send(await addReceiver(receivers, request.body, editorOf(request))),
  );

  app.put(
    '/api/webhook-receivers/:id',
    {
      config: { access: 'admin', stepUp: true },
      schema: { params: OneId, body: EditWebhookReceiver, response: { 200: Done } },
    },
    async (request) => {
      await editReceiver(receivers, request.params.id, request.body, editorOf(request));
      return { message: 'The webhook receiver was saved.' };
    },
  );

  app.delete(
    '/api/webhook-receivers/:id',
    { config: { access: 'admin' }, schema: { params: OneId, response: { 200: Done } } },
    async (request) => {
      await removeReceiver(receivers, request.params.id, editorOf(request));
      return { message: 'The webhook receiver was deleted.' };
    },
  );

  app.post(
    '/api/webhook-receivers/:id/secret',
    {
      config: { access: 'admin', stepUp: true },
      schema: { params: OneId, response: { 200: WebhookSecret } },
    },
    async (request) => rotateSecret(receivers, request.params.id, editorOf(request)),
  );

  app.post(
    '/api/webhook-receivers/:id/test',
    { config: { access: 'admin' }, schema: { params: OneId, response: { 200: QueuedDelivery } } },
    async (request) => ({ deliveryId: await sendTest(receivers, request.params.id, editorOf(request)) }),
  );

  app.get(
    '/api/webhook-receivers/:id/deliveries',
    {
      config: { access: 'admin' },
      schema: { params: OneId, querystring: DeliveriesQuery, response: { 200: WebhookDeliveries } },
    },
    async ({ params, query: { state = null, page, size } }) => {
      await requireKnownReceiver(deps.db, params.id);
      const { rows, total } = await listWebhookDeliveries(deps.db, params.id, { state, page, size });
      const now = deps.now();
      return { rows: rows.map((row) => deliveryView(row, now)), total };
    },
  );

  app.post(
    '/api/webhook-receivers/:id/deliveries/:deliveryId/redeliver',
    { config: { access: 'admin' }, schema: { params: OneDelivery, response: { 200: QueuedDelivery } } },
    async (request) => {
      const { id, deliveryId } = request.params;
      await redeliver(receivers, id, deliveryId, editorOf(request));
      return { deliveryId };
    },
  );
};
