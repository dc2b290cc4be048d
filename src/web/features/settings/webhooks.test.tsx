import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { WebhookDelivery, WebhookReceiver } from '#contract/webhook-receivers.ts';
import { openSettings } from '#tests/support/settings-screen.tsx';
import { dismissToasts } from '#web/lib/use-toast.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  dismissToasts();
});

const SECRET = `whsec_${'k'.repeat(43)}=`;
const RECEIVER: WebhookReceiver = {
  id: 'r-1',
  name: 'Warehouse',
  address: 'https://hooks.example.com/in',
  events: ['price.changed'],
  isOn: true,
  offReason: null,
  hasSecret: true,
  formerSecretUntil: null,
  failingSince: null,
  waitingCount: 0,
  failedCount: 1,
  createdAt: '2026-11-21T12:00:00.000Z',
  createdBy: 'sam@example.com',
};
const FAILED: WebhookDelivery = {
  id: '0b0f6a1e-6f0f-4c56-9a55-3f1d0c6f2a11',
  type: 'price.changed',
  timestamp: '2026-11-21T12:00:00.000Z',
  state: 'failed',
  nextAttemptAt: null,
  attempts: [{ at: '2026-11-21T12:00:01.000Z', status: 500, failure: null, duration: 12 }],
  data: { sku: 'MUG-1' },
};
const WAITING: WebhookDelivery = {
  ...FAILED,
  id: '1c0f6a1e-6f0f-4c56-9a55-3f1d0c6f2a11',
  state: 'waiting',
  nextAttemptAt: '2026-11-21T12:00:31.000Z',
};
const section = async () => within(await screen.findByRole('region', { name: 'Webhooks' }));

test('a receiver is added from the form, and its secret shown once', async () => {
  let receivers: WebhookReceiver[] = [];
  const { user, writes } = await openSettings(undefined, {
    'GET /api/webhook-receivers': () => ({ body: receivers }),
    'POST /api/webhook-receivers': () => {
      receivers = [RECEIVER];
      return { status: 201, body: { id: 'r-1', secret: SECRET } };
    },
  });
  await user.click((await section()).getByRole('button', { name: 'New receiver...' }));
  const form = within(await screen.findByRole('dialog'));
  await user.click(form.getByRole('button', { name: 'Add receiver' }));
  expect(form.getByLabelText('Address').getAttribute('aria-invalid')).toBe('true');
  expect(writes()).toEqual([]);
  await user.type(form.getByLabelText('Name'), 'Warehouse');
  await user.type(form.getByLabelText('Address'), RECEIVER.address);
  await user.click(form.getByRole('checkbox', { name: /A price changed/ }));
  await user.click(form.getByRole('button', { name: 'Add receiver' }));
  expect(await screen.findByText(SECRET)).toBeTruthy();
  expect(writes()).toMatchObject([
    {
      call: 'POST /api/webhook-receivers',
      body: { name: 'Warehouse', address: RECEIVER.address, events: ['price.changed'] },
    },
  ]);
  await user.click(screen.getByRole('button', { name: 'Done' }));
  expect(await (await section()).findByText('Warehouse')).toBeTruthy();
  expect(screen.queryByText(SECRET)).toBeNull();
});

test('the log shows how a delivery ended, sends it again, and sends a test', async () => {
  const { user, writes } = await openSettings(undefined, {
    'GET /api/webhook-receivers': { body: [RECEIVER] },
    'GET /api/webhook-receivers/r-1/deliveries?page=1': { body: { rows: [FAILED, WAITING], total: 2 } },
    [`POST /api/webhook-receivers/r-1/deliveries/${FAILED.id}/redeliver`]: {
      body: { deliveryId: FAILED.id },
    },
    [`POST /api/webhook-receivers/r-1/deliveries/${WAITING.id}/redeliver`]: {
      body: { deliveryId: WAITING.id },
    },
    'POST /api/webhook-receivers/r-1/test': { body: { deliveryId: 'd-2' } },
  });
  await user.click(await (await section()).findByRole('button', { name: 'Deliveries to Warehouse' }));
  const log = within(await screen.findByRole('dialog'));
  await user.click(await log.findByRole('button', { name: 'Redeliver price.changed 0b0f6a1e' }));
  await user.click(log.getByRole('button', { name: 'Send now price.changed 1c0f6a1e' }));
  await user.click(log.getByRole('button', { name: 'Send test' }));
  await waitFor(() =>
    expect(writes().map(({ call }) => call)).toEqual([
      `POST /api/webhook-receivers/r-1/deliveries/${FAILED.id}/redeliver`,
      `POST /api/webhook-receivers/r-1/deliveries/${WAITING.id}/redeliver`,
      'POST /api/webhook-receivers/r-1/test',
    ]),
  );
});

test('a receiver that was switched off says why, and is switched on in its form', async () => {
  const off: WebhookReceiver = { ...RECEIVER, isOn: false, offReason: 'unsubscribed' };
  const { user, writes } = await openSettings(undefined, {
    'GET /api/webhook-receivers': { body: [off] },
    'PUT /api/webhook-receivers/r-1': { body: { message: 'Saved.' } },
  });
  await user.click(await (await section()).findByRole('button', { name: 'Edit Warehouse' }));
  const form = within(await screen.findByRole('dialog'));
  await user.click(form.getByRole('checkbox', { name: 'On' }));
  await user.click(form.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(writes()).toMatchObject([{ body: { isOn: true, events: ['price.changed'] } }]);
});
