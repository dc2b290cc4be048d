import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import type { LimitPlan } from '#contract/limit-plan.ts';
import { refusal } from '#tests/support/fake-api.ts';
import {
  bulkBar,
  closeNetwork,
  openListings,
  outcome,
  pageOf,
  THREE,
  tick,
} from '#tests/support/listings-screen.tsx';
import { readLimits } from './limit-form.ts';

afterEach(closeNetwork);

const PLAN: LimitPlan = {
  token: 't-1',
  listings: 2,
  changes: 1,
  unchanged: 0,
  refused: [{ why: 'no_cost', count: 1, skus: ['A-2'] }],
  effects: { minBelowFloor: 1, maxBelowFloor: 0, priceBelowMin: 0, priceAboveMax: 0 },
  rows: [
    {
      listingId: '1',
      sku: 'A-1',
      title: 'Coffee mug',
      currentPrice: '20.00',
      floor: '15.00',
      minPrice: { from: null, to: '13.20' },
      maxPrice: null,
    },
  ],
};
const PREVIEW = 'POST /api/listings/limits-preview';
const SET = 'POST /api/listings/limits';

test('limits of many are calculated, previewed, and set as previewed; an outdated preview is calculated again', async () => {
  let isFirst = true;
  const { user, bodies } = openListings({
    'GET /api/rules': { body: { rules: [], timeZone: null } },
    [PREVIEW]: () => ({ body: { ...PLAN, token: isFirst ? 't-1' : 't-2' } }),
    [SET]: () => {
      if (!isFirst) return outcome({ done: 1 }) as { body: unknown };
      isFirst = false;
      return refusal(409, 'conflict', 'These limits would come out otherwise.');
    },
  });
  await tick(user, 'A-1', 'A-2');
  await user.click(bulkBar().getByText('Set limits or rule'));
  const form = within(await screen.findByRole('dialog', { name: 'Set fields of 2 listings' }));
  await user.click(form.getByLabelText('Set minimum price'));
  await user.selectOptions(form.getByLabelText('Minimum price from'), 'Total cost');
  await user.type(form.getByLabelText('Minimum price'), '10x');
  await user.click(form.getByRole('button', { name: 'Preview limits' }));
  expect(form.getByLabelText('Minimum price').getAttribute('aria-invalid')).toBe('true');
  await user.type(form.getByLabelText('Minimum price'), '{Backspace}');
  await user.click(form.getByLabelText('Set supplier'));
  await user.click(form.getByRole('button', { name: 'Preview limits' }));
  expect(form.getByRole('alert').textContent).toMatch(/on their own/);
  await user.click(form.getByLabelText('Set supplier'));
  await user.click(form.getByRole('button', { name: 'Preview limits' }));

  const preview = within(await screen.findByRole('dialog', { name: 'Preview of the price limits' }));
  const cells = (await preview.findAllByRole('cell')).map((cell) => cell.textContent);
  expect(cells).toEqual(['A-1Coffee mug', 'none to $13.20', '$20.00', '$15.00']);
  const items = preview.getAllByRole('listitem').map((item) => item.textContent);
  expect(items).toEqual([expect.stringMatching(/^1 listing: new minimum/), expect.stringMatching(/A-2$/)]);
  await user.click(preview.getByRole('button', { name: 'Set limits of 1 listing' }));
  await preview.findByText('These limits would come out otherwise.');
  await waitFor(() => expect(bodies(PREVIEW)).toHaveLength(2));
  const again = preview.getByRole('button', { name: 'Set limits of 1 listing' });
  await waitFor(() => expect(again.hasAttribute('disabled')).toBe(false));
  await user.click(again);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const requested = {
    selection: { ids: ['1', '2'] },
    limits: { minPrice: { from: 'cost', percent: '10.00' } },
  };
  expect(bodies(SET)).toEqual([
    { ...requested, token: 't-1' },
    { ...requested, token: 't-2' },
  ]);
});

test('Back leads from the preview to the form, and closing removes both from the history', async () => {
  const { user, where, router } = openListings(
    {
      'GET /api/rules': { body: { rules: [], timeZone: null } },
      'GET /api/listings?q=mug': pageOf(THREE),
      [PREVIEW]: { body: PLAN },
    },
    '/listings?q=mug&set=all&preview=1',
  );
  const form = async () => within(await screen.findByRole('dialog', { name: 'Set fields of 3 listings' }));
  // The typed text is not in the address: a link leads to the form.
  await waitFor(() => expect(where()).toBe('/listings?q=mug&set=all'));
  expect((await form()).getByRole('status')).toBeTruthy();
  await user.click((await form()).getByLabelText('Set minimum price'));
  await user.type((await form()).getByLabelText('Minimum price'), '7.50');
  await user.click((await form()).getByRole('button', { name: 'Preview limits' }));
  const preview = async () =>
    within(await screen.findByRole('dialog', { name: 'Preview of the price limits' }));
  await preview();
  expect(where()).toBe('/listings?q=mug&set=all&preview=1');
  act(() => router.history.back());
  expect(((await form()).getByLabelText('Minimum price') as HTMLInputElement).value).toBe('7.50');
  act(() => router.history.forward());
  await user.click((await preview()).getByRole('button', { name: 'Back' }));
  await user.click((await form()).getByRole('button', { name: 'Preview limits' }));
  await preview();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(where()).toBe('/listings?q=mug'));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(router.history.canGoBack()).toBe(false);
});

test.each([
  [{ kind: 'amount', how: 'percent_over', text: ' $9.5 ' }, { to: '9.50' }],
  [{ kind: 'amount', how: 'percent_over', text: '' }, { to: null }],
  [
    { kind: 'price', how: 'percent_under', text: '12.5' },
    { from: 'price', percent: '-12.50' },
  ],
  [
    { kind: 'floor', how: 'dollars_over', text: '1' },
    { from: 'floor', amount: '1.00' },
  ],
  [
    { kind: 'own', how: 'dollars_under', text: '0' },
    { from: 'own', amount: '0.00' },
  ],
] as const)('%o is read as %o', (minPrice, change) => {
  expect(readLimits({ minPrice })).toEqual({ limits: { minPrice: change }, problems: {} });
});

test.each([
  { kind: 'amount', how: 'percent_over', text: '0' },
  { kind: 'cost', how: 'percent_over', text: '' },
  { kind: 'cost', how: 'percent_under', text: '100' },
  { kind: 'cost', how: 'percent_over', text: '1000' },
  { kind: 'own', how: 'dollars_over', text: '-1' },
] as const)('%o is refused', (maxPrice) => {
  expect(Object.keys(readLimits({ maxPrice }).problems)).toEqual(['maxPrice']);
});
