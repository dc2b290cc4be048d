import {
  keepPreviousData,
  queryOptions,
  type UseMutationResult,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import type { z } from 'zod';
import { Done } from '#contract/users.ts';
import {
  type EditWebhookReceiver,
  type NewWebhookReceiver,
  QueuedDelivery,
  WebhookDeliveries,
  type WebhookReceiver,
  WebhookReceivers,
  WebhookSecret,
} from '#contract/webhook-receivers.ts';
import type { DeliveryState } from '#domain/webhook-receivers/webhook-events.ts';
import { call, errorText } from '#web/lib/api.ts';
import { callWithStepUp } from '#web/lib/step-up.ts';
import { toast } from '#web/lib/use-toast.ts';

const KEY = ['webhook-receivers'] as const;
const PATH = '/api/webhook-receivers';
/** Milliseconds between two looks at the log while it is open. */
const LOG_INTERVAL = 5_000;

export const receiversQuery = queryOptions({
  queryKey: [...KEY, 'list'],
  queryFn: () => call(WebhookReceivers, 'GET', PATH),
});

/** @param state null for all */
export const deliveriesQuery = (id: string, state: DeliveryState | null, page: number) =>
  queryOptions({
    queryKey: [...KEY, id, 'deliveries', state, page],
    queryFn: () =>
      call(
        WebhookDeliveries,
        'GET',
        `${PATH}/${id}/deliveries?page=${page}${state === null ? '' : `&state=${state}`}`,
      ),
    placeholderData: keepPreviousData,
    refetchInterval: LOG_INTERVAL,
  });

/** What the form of a receiver saves: a new one without an id. */
export interface SavedReceiver {
  readonly id: string | null;
  readonly form: z.input<typeof NewWebhookReceiver>;
  readonly isOn: boolean;
}

/** Saves a receiver after the password. @returns the secret of a new one; null for a change */
export function useSaveReceiver(): UseMutationResult<WebhookSecret | null, Error, SavedReceiver> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, form, isOn }: SavedReceiver) => {
      if (id === null) return callWithStepUp(WebhookSecret, 'POST', PATH, form);
      const edit: z.input<typeof EditWebhookReceiver> = { ...form, isOn };
      await callWithStepUp(Done, 'PUT', `${PATH}/${id}`, edit);
      return null;
    },
    // Not awaited: a secret is shown only once, so a failure here must not hide it.
    onSuccess: () => void client.invalidateQueries({ queryKey: KEY }),
    gcTime: 0,
  });
}

/** Replaces the secret after the password. */
export function useReplaceSecret(): UseMutationResult<WebhookSecret, Error, string> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id) => callWithStepUp(WebhookSecret, 'POST', `${PATH}/${id}/secret`),
    onSuccess: () => void client.invalidateQueries({ queryKey: KEY }),
    gcTime: 0,
  });
}

/** Deletes a receiver with its log. */
export function useDeleteReceiver(onDone: () => void): UseMutationResult<unknown, Error, WebhookReceiver> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }) => call(Done, 'DELETE', `${PATH}/${id}`),
    onSuccess: (_, { name }) => toast('Webhook receiver deleted', `No more events are sent to ${name}.`),
    onError: (error) => toast('Could not delete the webhook receiver', errorText(error), 'destructive'),
    onSettled: async () => {
      await client.invalidateQueries({ queryKey: KEY });
      onDone();
    },
  });
}

/** Queues a test (null), or a delivery of the log once more. */
export function useSendAgain(id: string): UseMutationResult<unknown, Error, string | null> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (deliveryId) =>
      call(
        QueuedDelivery,
        'POST',
        deliveryId === null ? `${PATH}/${id}/test` : `${PATH}/${id}/deliveries/${deliveryId}/redeliver`,
      ),
    onSuccess: (_, deliveryId) =>
      toast(deliveryId === null ? 'Test queued' : 'Delivery queued', 'The log shows the result.'),
    onError: (error) => toast('Could not queue the delivery', errorText(error), 'destructive'),
    onSettled: () => client.invalidateQueries({ queryKey: KEY }),
  });
}
