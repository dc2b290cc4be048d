import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Coverage, MoneyLine, Setup } from '#contract/start.ts';
import { type Answers, aUser, refusal, serveApi } from '#tests/support/fake-api.ts';
import { renderApp } from '#tests/support/render-app.tsx';

afterEach(() => vi.unstubAllGlobals());

const STATS = {
  overall: { totalListings: 600, totalSkus: 240, totalValue: '1.00', activeRules: 1, recentPriceChanges: 0 },
  byMarketplace: ['walmart', 'ebay'].map((marketplace) => ({
    ...{ marketplace, totalListings: 300, activeListings: 300, totalValue: '1.00', avgPrice: '1.00' },
    fulfillmentBreakdown: { FBM: 300 },
  })),
};
const SETUP: Setup = {
  steps: [
    { step: 'import', isDone: true },
    { step: 'own_sellers', isDone: true },
    { step: 'fees', isDone: false },
    { step: 'rule', isDone: true },
    { step: 'look', isDone: false },
    { step: 'arm', isDone: false },
  ],
  isDismissed: false,
  isDemo: false,
};
const COVERAGE: Coverage = {
  ...{ total: 600, repriceable: 412, undecided: 0 },
  problems: [
    { problem: 'no_product_cost', count: 120 },
    { problem: 'no_tier', count: 40 },
  ],
};
const MONEY: MoneyLine = {
  ...{ belowFloor: 1, lossPerSale: '2.31', recommended: 57, heldAtFloor: 9, savedByFloor: '41.20' },
};

function open(role: 'user' | 'admin', over: Answers = {}) {
  const sent = serveApi({
    'GET /api/user': { body: aUser({ role }) },
    'GET /api/stats': { body: STATS },
    'GET /api/setup': { body: SETUP },
    'GET /api/coverage': { body: COVERAGE },
    'GET /api/money': { body: MONEY },
    ...over,
  });
  renderApp('/');
  return sent;
}

const setUp = () => screen.findByRole('region', { name: 'Set up repricing' });

describe('the first ten minutes', () => {
  test('what is left is one press away, and arming shows the plan of the marketplaces in use', async () => {
    open('admin');
    const card = within(await setUp());
    expect(card.getByText('3 of 6 steps done')).toBeTruthy();
    expect(card.getByRole('link', { name: 'Check fees' }).getAttribute('href')).toBe('/costs?tab=fees');
    await waitFor(() =>
      expect(card.getByRole('link', { name: 'Look and arm' }).getAttribute('href')).toBe(
        '/?arm=walmart%2Cebay',
      ),
    );
    expect(card.getByRole('link', { name: 'Show the plan' }).getAttribute('href')).toBe(
      '/?arm=walmart%2Cebay',
    );
    expect(card.queryByRole('link', { name: 'Import files' })).toBeNull();
  });

  test('without listings there is no plan to show', async () => {
    open('admin', { 'GET /api/stats': { body: { ...STATS, byMarketplace: [] } } });
    const card = within(await setUp());
    expect(await card.findAllByText('Once there are listings')).toHaveLength(2);
    expect(card.queryByRole('link', { name: 'Look and arm' })).toBeNull();
  });

  test('somebody who is no admin sees who has to do a step, and cannot hide the card', async () => {
    open('user');
    const card = within(await setUp());
    expect(card.getAllByText('An administrator does this')).toHaveLength(2);
    const look = await card.findByRole('link', { name: 'See recommendations' });
    expect(look.getAttribute('href')).toBe('/listings?state=recommended');
    expect(card.queryByRole('link', { name: 'Look and arm' })).toBeNull();
    expect(card.queryByRole('button', { name: 'Hide this card' })).toBeNull();
  });

  test('an admin hides the card for everybody', async () => {
    const sent = open('admin', { 'POST /api/setup/dismiss': { body: { ...SETUP, isDismissed: true } } });
    await userEvent.click(within(await setUp()).getByRole('button', { name: 'Hide this card' }));
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Set up repricing' })).toBeNull());
    expect(sent.some(({ call }) => call === 'POST /api/setup/dismiss')).toBe(true);
  });

  test('the sample shop says what it is and shows around', async () => {
    open('admin', { 'GET /api/setup': { body: { ...SETUP, isDemo: true } } });
    expect(await screen.findByText(/^This is a sample shop/)).toBeTruthy();
    expect(screen.getByRole('link', { name: /price war/ }).getAttribute('href')).toBe('/listings?q=WAR-1');
  });
});

describe('coverage and margin', () => {
  test('each cause is the list of its listings', async () => {
    open('user');
    expect(await screen.findByText('412 of 600 listings can be repriced')).toBeTruthy();
    const cause = screen.getByRole('link', { name: '120 no cost' });
    expect(cause.getAttribute('href')).toBe('/listings?problem=no_product_cost');
  });

  test('beside each cause stands what repairs all of its listings', async () => {
    const problems = [
      ...COVERAGE.problems,
      { problem: 'no_fulfillment_cost' as const, count: 3 },
      { problem: 'bundle_unconfirmed' as const, count: 1 },
    ];
    open('user', { 'GET /api/coverage': { body: { ...COVERAGE, problems } } });
    const href = async (name: RegExp) => (await screen.findByRole('link', { name })).getAttribute('href');
    expect(await href(/^Download CSV.*no cost$/)).toBe('/api/coverage/skus.csv?problem=no_product_cost');
    expect(await href(/^Import it filled in.*no cost$/)).toBe('/imports/new?kind=skus');
    expect(await href(/^Shipping Tiers to repair/)).toBe('/shipping-tiers');
    expect(await href(/^Bundles to repair: bundle removed/)).toBe('/bundles?state=removed');
    expect(await href(/^Set the fee for all/)).toBe(
      '/listings?problem=no_fulfillment_cost&set=fulfillmentCost',
    );
  });

  test('the fees are for admins', async () => {
    const problems = [{ problem: 'no_fee_schedule' as const, count: 3 }];
    const answers = { 'GET /api/coverage': { body: { ...COVERAGE, problems } } };
    open('user', answers);
    await screen.findByRole('link', { name: '3 no fee schedule' });
    expect(screen.queryByRole('link', { name: /^Marketplace fees/ })).toBeNull();
    cleanup();
    open('admin', answers);
    const fees = await screen.findByRole('link', { name: /^Marketplace fees/ });
    expect(fees.getAttribute('href')).toBe('/costs?tab=fees');
  });

  test('what is lost below the floor, what waits, and what the floor kept', async () => {
    open('user');
    const card = await screen.findByRole('region', { name: 'Margin' });
    expect(card.textContent).toContain(
      '1 listing below the lowest legal price; one sale of each loses $2.31.',
    );
    expect(card.textContent).toContain('57 recommended prices wait for a decision.');
    expect(card.textContent).toContain(
      'The floor held 9 prices up in the last 7 days: $41.20 kept per sale of each.',
    );
  });

  test('what cannot be loaded says so', async () => {
    open('user', { 'GET /api/money': refusal(503, 'unavailable', 'The database is away.') });
    expect(await screen.findByText('Failed to load the margin figures')).toBeTruthy();
  });
});
