import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CostRow } from '#contract/cost-list.ts';
import type { BelowMarginFloor } from '#contract/costs.ts';
import { aCostRow, NO_ESTIMATES, savedCosts } from '#tests/support/cost-rows.ts';
import { type Answers, aUser, refusal, serveApi } from '#tests/support/fake-api.ts';
import { renderApp } from '#tests/support/render-app.tsx';
import { forgetActions } from '#web/lib/recent-actions-store.ts';
import { dismissToasts } from '#web/lib/use-toast.ts';
// Preloaded: its first import is slow on a busy machine.
import './costs-page.tsx';

beforeEach(() => localStorage.clear());
afterEach(() => {
  vi.unstubAllGlobals();
  dismissToasts();
  forgetActions();
});

const MUG = aCostRow();
const SAME = aCostRow({ listingId: '5', marketplace: 'etsy', version: 7 });
const BUNDLE = aCostRow({
  listingId: '6',
  sku: 'SET-1',
  goodsReadOnly: 'SET-1 is a bundle: its cost comes from its components.',
});
const PLATE = aCostRow({ listingId: '8', sku: 'PLATE', version: 1, skuVersion: 1 });
const ROWS = [MUG, SAME, BUNDLE, PLATE];

async function open(answers: Answers = {}, rows: readonly CostRow[] = ROWS) {
  const sent = serveApi({
    'GET /api/user': { body: aUser({ role: 'admin' }) },
    'GET /api/jobs': { body: [] },
    'GET /api/costs?page=1&size=50': { body: { rows, total: rows.length, estimates: NO_ESTIMATES } },
    ...answers,
  });
  renderApp('/costs');
  await screen.findByText('PLATE');
  return {
    user: userEvent.setup({ delay: null }),
    saves: () =>
      sent.filter(({ call }) => call.startsWith('PUT')).map(({ call, body }) => [call.split('/')[3], body]),
  };
}
// By label: queries by role are slow over a whole table.
const cell = (name: string) => screen.getByLabelText(new RegExp(`^${name}: .*Change$`));
const field = (name: string) => screen.findByLabelText(name);
const focusedName = () => document.activeElement?.getAttribute('aria-label');
/** The last column before the buttons, row by row. */
const totals = () =>
  [...document.querySelectorAll('tr[data-row-id]')].map((line) => [...line.children].at(-2)?.textContent);
const PUT = (id: number) => `PUT /api/listings/${id}/costs`;

test('Enter saves and goes to the row below, skipping a cost that cannot be edited; at the end the cell has the focus', async () => {
  const { user, saves } = await open({
    [PUT(4)]: { body: savedCosts(MUG, { product: '11.00', skuVersion: 6 }) },
    [PUT(5)]: { body: savedCosts(SAME, { product: '12.00', skuVersion: 7 }) },
    [PUT(8)]: { body: savedCosts(PLATE, { product: '3.00', skuVersion: 2 }) },
  });
  await user.click(cell('Product Cost of A-1 on Walmart'));
  expect((await field('Product Cost of A-1 on Walmart')) as HTMLInputElement).toHaveProperty(
    'value',
    '10.00',
  );
  await user.keyboard('11{Enter}');
  await waitFor(() => expect(focusedName()).toBe('Product Cost of A-1 on Etsy'));
  // The other listing of the SKU shows it at once.
  await waitFor(() => expect(totals()).toEqual(['$15.34', '$15.34', '$14.34', '$14.34']));
  await user.keyboard('$12{Enter}');
  await waitFor(() => expect(focusedName()).toBe('Product Cost of PLATE on Walmart'));
  await user.keyboard('3{Enter}');
  await waitFor(() => expect(focusedName()).toMatch(/^Product Cost of PLATE on Walmart: \$3\.00/));
  // The second listing of the SKU is saved with the version that the first save returned.
  await waitFor(() =>
    expect(saves()).toEqual([
      ['4', { version: 2, skuVersion: 5, product: '11.00' }],
      ['5', { version: 7, skuVersion: 6, product: '12.00' }],
      ['8', { version: 1, skuVersion: 1, product: '3.00' }],
    ]),
  );
  await screen.findByText('3 costs of 3 listings.');
});

test('one Undo reverts the series, the last first, with the versions it returned', async () => {
  let skuVersion = 5;
  const answer = (row: CostRow) => (body: unknown) => {
    skuVersion += 1;
    const { product } = body as { product: string };
    return { body: savedCosts(row, { product, skuVersion }) };
  };
  const { user, saves } = await open({ [PUT(4)]: answer(MUG), [PUT(5)]: answer(SAME) });
  await user.click(cell('Product Cost of A-1 on Walmart'));
  await user.keyboard('11{Enter}');
  await waitFor(() => expect(focusedName()).toBe('Product Cost of A-1 on Etsy'));
  await user.keyboard('12{Enter}{Escape}');
  await screen.findByText('2 costs of 2 listings.');
  await user.keyboard('{Control>}z{/Control}');
  await screen.findByText('2 costs are as before.');
  expect(saves().slice(2)).toEqual([
    ['5', { version: 7, skuVersion: 7, product: '11.00' }],
    ['4', { version: 2, skuVersion: 8, product: '10.00' }],
  ]);
});

test('an Undo skips a cost changed by another user, and names the user', async () => {
  const message = 'ann@example.com changed PLATE since you looked. Look at the costs again, then save.';
  let isChanged = false;
  const { user } = await open({
    [PUT(8)]: () => {
      const answer = isChanged
        ? refusal(409, 'conflict', message)
        : { body: savedCosts(PLATE, { misc: '1.00', skuVersion: 2 }) };
      isChanged = true;
      return answer;
    },
  });
  await user.click(cell('Misc of PLATE on Walmart'));
  await user.keyboard('1{Enter}');
  await screen.findByText('Misc of PLATE on Walmart: $0.10 to $1.00.');
  await user.keyboard('{Control>}z{/Control}');
  await screen.findByText('Could not restore the costs');
  expect(screen.getByText(`Misc of PLATE on Walmart: ${message}`)).toBeTruthy();
});

test('Tab saves and goes along the row and on to the next, Shift+Tab back', async () => {
  const { user, saves } = await open({
    [PUT(4)]: { body: savedCosts(MUG, { misc: '0.20', skuVersion: 6 }) },
  });
  await user.click(cell('Misc of A-1 on Walmart'));
  await user.keyboard('0.2');
  await user.tab();
  await waitFor(() => expect(focusedName()).toBe('Product Cost of A-1 on Etsy'));
  await user.tab({ shift: true });
  await waitFor(() => expect(focusedName()).toBe('Misc of A-1 on Walmart'));
  await user.tab({ shift: true });
  await waitFor(() => expect(focusedName()).toBe('Packaging of A-1 on Walmart'));
  await waitFor(() => expect(saves()).toEqual([['4', { version: 2, skuVersion: 5, misc: '0.20' }]]));
});

test('Escape restores; the same amount is not saved', async () => {
  const { user, saves } = await open();
  await user.click(cell('Packaging of PLATE on Walmart'));
  await user.keyboard('9{Escape}');
  await waitFor(() => expect(focusedName()).toMatch(/^Packaging of PLATE on Walmart: \$0\.25/));
  await user.keyboard('{F2}{Enter}');
  expect(saves()).toEqual([]);
});

test('an invalid value stays in its cell with its error, and nothing is sent', async () => {
  const { user, saves } = await open();
  await user.click(cell('Packaging of A-1 on Walmart'));
  await user.keyboard('12,5O{Enter}');
  const input = await field('Packaging of A-1 on Walmart');
  expect((await screen.findByRole('alert')).textContent).toBe('Enter 0.00 or more, such as 4.99');
  expect(input.getAttribute('aria-invalid')).toBe('true');
  expect(document.activeElement).toBe(input);
  expect(input).toHaveProperty('value', '12,5O');
  expect(saves()).toEqual([]);
});

test("clearing the shipping cost restores the tier's", async () => {
  const own = aCostRow({
    listingId: '8',
    sku: 'PLATE',
    shippingCost: '6.00',
    version: 1,
    skuVersion: 1,
    stored: { ...PLATE.stored, shipping: '6.00' },
  });
  const { user, saves } = await open(
    { [PUT(8)]: { body: savedCosts(own, { shipping: null, version: 2 }) } },
    [own],
  );
  await user.click(cell('Shipping of PLATE on Walmart'));
  await user.clear(await field('Shipping of PLATE on Walmart'));
  await user.keyboard('{Enter}');
  await screen.findByText('Shipping of PLATE on Walmart: $6.00 to empty.');
  expect(saves()).toEqual([['8', { version: 1, skuVersion: 1, shipping: null }]]);
  expect(cell('Shipping of PLATE on Walmart').textContent).toBe('$3.99');
});

test('a conflict names the other user; the typed value stays and can be saved over it', async () => {
  const message = 'ann@example.com changed PLATE since you looked. Look at the costs again, then save.';
  let stored = PLATE;
  const { user, saves } = await open({
    'GET /api/costs?page=1&size=50': () => ({ body: { rows: [stored], total: 1, estimates: NO_ESTIMATES } }),
    [PUT(8)]: (body) =>
      (body as { skuVersion: number }).skuVersion === 2
        ? { body: savedCosts(stored, { product: '12.00', skuVersion: 3 }) }
        : refusal(409, 'conflict', message),
  });
  await user.click(cell('Product Cost of PLATE on Walmart'));
  stored = { ...PLATE, productCost: '11.00', skuVersion: 2, stored: { ...PLATE.stored, product: '11.00' } };
  await user.keyboard('12{Enter}');
  expect((await screen.findByRole('alert')).textContent).toBe(message);
  const input = await field('Product Cost of PLATE on Walmart');
  expect(input).toHaveProperty('value', '12');
  await waitFor(() => expect(document.activeElement).toBe(input));
  await user.keyboard('{Enter}');
  await screen.findByText('Product Cost of PLATE on Walmart: $11.00 to $12.00.');
  expect(saves().at(-1)).toEqual(['8', { version: 1, skuVersion: 2, product: '12.00' }]);
});

test('listings that fall below their margin floor are shown next to the list, and can be raised', async () => {
  const below: BelowMarginFloor = {
    listingId: '8',
    marketplace: 'walmart',
    sku: 'PLATE',
    title: 'Plate',
    currentPrice: '20.00',
    marginFloor: '25.72',
  };
  const { user } = await open({
    [PUT(8)]: { body: savedCosts(PLATE, { product: '18.00', skuVersion: 2 }, [below]) },
  });
  await user.click(cell('Product Cost of PLATE on Walmart'));
  await user.keyboard('18{Enter}');
  await screen.findByText('1 listing is now below the margin floor');
  await user.click(screen.getByRole('button', { name: 'Raise 1 price' }));
  const panel = within(await screen.findByRole('dialog'));
  expect(panel.getByText('$25.72')).toBeTruthy();
});

test('a cost from another source is text, not a field', async () => {
  await open();
  expect(screen.queryByRole('button', { name: /^Product Cost of SET-1/ })).toBeNull();
  expect(screen.queryByRole('button', { name: /^Fulfillment of A-1/ })).toBeNull();
  expect(cell('Shipping of SET-1 on Walmart')).toBeTruthy();
});
