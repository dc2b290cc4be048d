import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  aForecast,
  aMarketplace,
  aStatus,
  openEngine,
  PLAN,
  planLine,
} from '#tests/support/engine-screen.ts';
import { refusal } from '#tests/support/fake-api.ts';

afterEach(() => vi.unstubAllGlobals());

test('going live shows the preview first, and sends exactly that preview', async () => {
  const { user, sent, router } = openEngine(aStatus(), {
    'GET /api/engine/plan?marketplaces=walmart': { body: planLine(PLAN) },
    'POST /api/engine/go-live': { body: {} },
  });
  await user.click(await screen.findByRole('button', { name: /^Repricing mode/ }));
  await user.click(await screen.findByRole('button', { name: 'Go live on Walmart...' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Go live on Walmart' }));
  expect(router.state.location.search).toEqual({ 'go-live': 'walmart' });
  await dialog.findByText('Blue mug');
  for (const text of ['$19.99', '$17.00', '22.4%', '15.0%', 'of 412 listings', '4 by 10% or more']) {
    expect(dialog.getByText(text)).toBeTruthy();
  }
  await user.click(await dialog.findByRole('button', { name: 'Go live on Walmart: change 37 prices' }));
  await screen.findByText('Walmart is live');
  expect(sent.find(({ call }) => call === 'POST /api/engine/go-live')?.body).toEqual({
    marketplaces: ['walmart'],
    token: 'plan-1',
    fallen: 0,
  });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(router.state.location.search).toEqual({});
});

test('with other marketplaces, the counts say that they cover all marketplaces', async () => {
  const others = [aMarketplace({ marketplace: 'ebay', mode: 'live' }), aMarketplace()];
  const plan = { ...PLAN, changes: 41, forecasts: [aForecast(), aForecast({ marketplace: 'ebay' })] };
  openEngine(
    aStatus({ marketplaces: others }),
    { 'GET /api/engine/plan?marketplaces=walmart': { body: planLine(plan) } },
    'admin',
    '/?go-live=walmart',
  );
  const dialog = await screen.findByRole('dialog', { name: 'Go live on Walmart' });
  // eBay is live already: its next changes are in the preview, but it does not go live now.
  await within(dialog).findByRole('button', { name: 'Go live on Walmart: change 37 prices' });
  for (const text of [
    'of 412 listings on all marketplaces',
    '4 of these changes are on marketplaces that are already live.',
    'Walmart: If each sells once, revenue is $41.20 lower and profit is $30.10 lower.',
    '2 listings on all marketplaces cannot be priced because data is missing.',
    '3 new prices on all marketplaces need review.',
  ]) {
    expect(dialog.textContent).toContain(text);
  }
});

test('an address of an earlier release opens the preview too, and closing removes the parameter', async () => {
  const plan = { 'GET /api/engine/plan?marketplaces=walmart': { body: planLine(PLAN) } };
  const { user, router } = openEngine(aStatus(), plan, 'admin', '/?arm=walmart');
  await screen.findByRole('dialog', { name: 'Go live on Walmart' });
  await user.keyboard('{Escape}');
  await waitFor(() => expect(router.state.location.search).toEqual({}));
});

test('without another live marketplace, every changed price is on those that go live', async () => {
  openEngine(
    aStatus({ marketplaces: [aMarketplace(), aMarketplace({ marketplace: 'ebay' })] }),
    { 'GET /api/engine/plan?marketplaces=walmart': { body: planLine(PLAN) } },
    'admin',
    '/?go-live=walmart',
  );
  await screen.findByRole('button', { name: 'Go live on Walmart: change 37 prices' });
  expect(screen.getByText('of 412 listings on all marketplaces')).toBeTruthy();
});

test('lowered margin floors are shown, and confirmed as shown', async () => {
  const fall = { listingId: '9', marketplace: 'walmart' as const, sku: 'CUP-9', from: '14.29', to: '0.02' };
  const plan = { ...PLAN, fallen: { count: 1, worst: [fall] } };
  const { user, bodyOf } = openEngine(
    aStatus(),
    {
      'GET /api/engine/plan?marketplaces=walmart': { body: planLine(plan) },
      'POST /api/engine/go-live': { body: {} },
    },
    'admin',
    '/?go-live=walmart',
  );
  const table = within(await screen.findByRole('table', { name: 'Lowest allowed prices fell on 1 listing' }));
  for (const text of ['CUP-9', '$14.29', '$0.02']) expect(table.getByText(text)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Go live on Walmart: change 37 prices' }));
  await waitFor(() =>
    expect(bodyOf('POST /api/engine/go-live')).toEqual({
      marketplaces: ['walmart'],
      token: 'plan-1',
      fallen: 1,
    }),
  );
});

test('a changed preview is shown again and not applied', async () => {
  let plan = PLAN;
  const { user, count } = openEngine(
    aStatus(),
    {
      'GET /api/engine/plan?marketplaces=walmart': () => ({ body: planLine(plan) }),
      'POST /api/engine/go-live': () => {
        plan = { ...PLAN, token: 'plan-2', changes: 38, forecasts: [aForecast({ lowered: 26 })] };
        return refusal(409, 'conflict', 'The plan has changed.');
      },
    },
    'admin',
    '/?go-live=walmart',
  );
  await user.click(await screen.findByRole('button', { name: 'Go live on Walmart: change 37 prices' }));
  await screen.findByText('The changes are different now');
  await screen.findByRole('button', { name: 'Go live on Walmart: change 38 prices' });
  expect(count('POST /api/engine/go-live')).toBe(1);
});

test('the circuit breaker, a rejection and a failed preview each show why', async () => {
  let isUp = false;
  const { user } = openEngine(
    aStatus(),
    {
      'GET /api/engine/plan?marketplaces=walmart': () =>
        isUp
          ? { body: planLine({ ...PLAN, breaker: '40 of 412 listings would drop by 10% or more.' }) }
          : refusal(503, 'unavailable', 'The database is away.'),
      'POST /api/engine/go-live': refusal(403, 'not_allowed', 'Only administrators go live.'),
    },
    'admin',
    '/?go-live=walmart',
  );
  await screen.findByText('Failed to calculate the changes');
  isUp = true;
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await screen.findByText(/40 of 412 listings would drop/);
  await user.click(await screen.findByRole('button', { name: 'Go live on Walmart: change 37 prices' }));
  await screen.findByText('Only administrators go live.');
  expect(screen.getByText('Blue mug')).toBeTruthy();
});

test('a user without the admin role gets no dialog from a link and loads no preview', async () => {
  const { count } = openEngine(aStatus(), {}, 'user', '/?go-live=walmart');
  await screen.findByText('Next check in 7 min');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(count('GET /api/engine/plan?marketplaces=walmart')).toBe(0);
});

test('resuming shows the next run first, and confirms exactly that preview', async () => {
  let isHalted = true;
  const live = [aMarketplace({ mode: 'live' }), aMarketplace({ marketplace: 'ebay' })];
  const { user, bodyOf } = openEngine(
    () => ({ body: aStatus({ isHalted, haltedBy: 'circuit breaker', marketplaces: live }) }),
    {
      'GET /api/engine/plan?marketplaces=walmart': { body: planLine(PLAN) },
      'POST /api/engine/resume': () => {
        isHalted = false;
        return { body: {} };
      },
    },
  );
  await user.click(await screen.findByRole('button', { name: 'Resume repricing' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Resume repricing' }));
  await dialog.findByText('Blue mug');
  await user.click(await dialog.findByRole('button', { name: 'Resume: change 37 prices' }));
  await screen.findByText('Repricing resumed');
  expect(bodyOf('POST /api/engine/resume')).toEqual({ token: 'plan-1' });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('the button appears only with the preview', async () => {
  let answer: (value: { body: unknown }) => void = () => undefined;
  openEngine(
    aStatus(),
    {
      'GET /api/engine/plan?marketplaces=walmart': () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    },
    'admin',
    '/?go-live=walmart',
  );
  await screen.findByText('Calculating changes');
  expect(screen.queryByRole('button', { name: /^Go live on Walmart:/ })).toBeNull();
  answer({ body: planLine(PLAN) });
  await screen.findByRole('button', { name: 'Go live on Walmart: change 37 prices' });
  expect(screen.getByText('Blue mug')).toBeTruthy();
});

describe('a long preview', () => {
  const encoder = new TextEncoder();
  /** A response that arrives in pieces. */
  function streamed() {
    let stream: ReadableStreamDefaultController<Uint8Array> | undefined;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        stream = controller;
      },
    });
    return {
      body,
      send: (text: string) => stream?.enqueue(encoder.encode(text)),
      end: () => stream?.close(),
      breakOff: () => stream?.error(new Error('broken off')),
    };
  }
  const progress = (evaluated: number) => `${JSON.stringify({ kind: 'progress', evaluated, of: 412 })}\n`;

  test('shows its progress, and the preview once it is complete', async () => {
    const answer = streamed();
    const call = 'GET /api/engine/plan?marketplaces=walmart';
    openEngine(aStatus(), { [call]: { body: answer.body } }, 'admin', '/?go-live=walmart');
    await screen.findByText('Calculating changes');
    answer.send(progress(250));
    await screen.findByText('250 of 412 listings checked');
    expect(
      screen.getByRole('progressbar', { name: 'Calculating changes' }).getAttribute('aria-valuenow'),
    ).toBe('61');
    // Lines arrive in pieces.
    const line = `${progress(400)}${JSON.stringify(planLine(PLAN))}\n`;
    answer.send(line.slice(0, 60));
    await screen.findByText('400 of 412 listings checked');
    expect(screen.queryByRole('button', { name: /^Go live on Walmart:/ })).toBeNull();
    answer.send(line.slice(60));
    answer.end();
    await screen.findByRole('button', { name: 'Go live on Walmart: change 37 prices' });
    expect(screen.queryByRole('progressbar', { name: 'Calculating changes' })).toBeNull();
  });

  test.each(['breakOff', 'end'] as const)('that breaks off (%s) is not shown', async (how) => {
    const answer = streamed();
    const call = 'GET /api/engine/plan?marketplaces=walmart';
    openEngine(aStatus(), { [call]: { body: answer.body } }, 'admin', '/?go-live=walmart');
    await screen.findByText('Calculating changes');
    answer.send(progress(250));
    await screen.findByText('250 of 412 listings checked');
    answer[how]();
    await screen.findByText('Failed to calculate the changes');
    expect(screen.queryByRole('button', { name: /^Go live on Walmart:/ })).toBeNull();
  });
});
