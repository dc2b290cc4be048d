import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import type { NotRepriceableReason } from '#contract/errors.ts';
import { EXPLANATION } from '#tests/support/explanation.ts';
import { type Answer, refusal } from '#tests/support/fake-api.ts';
import {
  aListing,
  closeNetwork,
  openListings,
  outcome,
  pageOf,
  pressUndo,
  rowOf,
  THREE,
} from '#tests/support/listings-screen.tsx';
import { readTypedPrice } from './typed-price.ts';

afterEach(closeNetwork);

function check(price: string, given: object = {}): Record<string, Answer> {
  const body = {
    margin: '12.00',
    profit: '2.52',
    isAllowed: true,
    message: null,
    lowestAllowedPrice: '15.00',
    highestAllowedPrice: null,
    notes: [],
    ...given,
  };
  return { [`GET /api/listings/1/price-check?price=${price}`]: { body } };
}

const field = (sku: string): HTMLInputElement => screen.getByRole('textbox', { name: `New price of ${sku}` });
const openPrice = async (user: ReturnType<typeof openListings>['user'], sku: string): Promise<void> => {
  await user.click((await rowOf(sku)).getByRole('button', { name: new RegExp(`^Price of ${sku}`) }));
};
const price = async (sku: string): Promise<string | null> =>
  (await rowOf(sku)).getByRole('button', { name: new RegExp(`^Price of ${sku}`) }).textContent;

test('a typed price shows its margin; Enter saves it and moves to the row below', async () => {
  const { user, bodies } = openListings({
    ...check('21.50'),
    'PUT /api/listings/1/price': { body: aListing({ currentPrice: '21.50', version: 4 }) },
  });
  await openPrice(user, 'A-1');
  expect(document.activeElement).toBe(field('A-1'));
  await user.keyboard('$21.5');
  await screen.findByText('12.0%');
  expect(screen.getByText('$2.52')).toBeTruthy();
  await user.keyboard('{Enter}');
  expect(await price('A-1')).toBe('$21.50');
  expect(document.activeElement).toBe(field('A-2'));
  expect(bodies('PUT /api/listings/1/price')).toEqual([{ price: '21.50', from: '20.00' }]);
  await screen.findByText('A-1: $20.00 to $21.50');
});

test('a price is saved after viewing the explanation of another one', async () => {
  const why = 'GET /api/listings/2/explanation';
  const { user, router, bodies, calls } = openListings({
    ...check('21.50'),
    [why]: { body: EXPLANATION },
    'PUT /api/listings/1/price': { body: aListing({ currentPrice: '21.50', version: 4 }) },
  });
  await rowOf('A-1');
  await router.navigate({ to: '/listings/$id/why', params: { id: '2' } });
  await screen.findByText(EXPLANATION.sentence);
  await router.navigate({ to: '/listings' });
  await openPrice(user, 'A-1');
  await user.keyboard('21.50{Enter}{Escape}');
  await waitFor(async () => expect(await price('A-1')).toBe('$21.50'));
  expect(bodies('PUT /api/listings/1/price')).toHaveLength(1);
  // The preview is valid only for the current state.
  await router.navigate({ to: '/listings/$id/why', params: { id: '2' } });
  await waitFor(() => expect(calls().filter((each) => each === why)).toHaveLength(2));
});

test('Undo restores the price', async () => {
  const { user, bodies } = openListings({
    ...check('21.50'),
    'PUT /api/listings/1/price': (sent) => ({
      body: aListing({ currentPrice: (sent as { price: string }).price }),
    }),
  });
  await openPrice(user, 'A-1');
  await user.keyboard('21.50{Enter}{Escape}');
  await pressUndo(user);
  await waitFor(async () => expect(await price('A-1')).toBe('$20.00'));
  expect(bodies('PUT /api/listings/1/price')).toEqual([
    { price: '21.50', from: '20.00' },
    { price: '20.00', from: '21.50' },
  ]);
});

test('a typed price that puts its listing on hold says so, and Undo ends that hold too', async () => {
  const hold = { until: null, by: 'Sam', reason: 'Typed' };
  const { user, bodies } = openListings({
    ...check('21.50'),
    'PUT /api/listings/1/price': (sent) => ({
      body: aListing({ currentPrice: (sent as { price: string }).price, hold }),
    }),
    'POST /api/listings/resume': outcome({ done: 1 }),
    'GET /api/listings/1': { body: aListing({ version: 6 }) },
  });
  await openPrice(user, 'A-1');
  await user.keyboard('21.50{Enter}{Escape}');
  await screen.findByText(/The listing is now on hold, so repricing does not change it\./);
  await pressUndo(user);
  await waitFor(async () => expect((await rowOf('A-1')).queryByText('On hold')).toBeNull());
  expect(bodies('POST /api/listings/resume')).toEqual([{ selection: { ids: ['1'] } }]);
  expect(await price('A-1')).toBe('$20.00');
});

test('a price outside a limit is rejected before it is sent, and the limit is named', async () => {
  const message = 'Price $14.00 is under the minimum $15.00. Raise it or change the minimum.';
  const { user, bodies } = openListings(check('14.00', { isAllowed: false, message, margin: '3.00' }));
  await openPrice(user, 'A-1');
  await user.keyboard('14');
  await screen.findByText(message);
  await user.keyboard('{Enter}');
  expect(field('A-1').getAttribute('aria-invalid')).toBe('true');
  expect(bodies('PUT /api/listings/1/price')).toEqual([]);
});

test('a server error restores the old price and keeps the typed text', async () => {
  const { user } = openListings({
    ...check('21.50'),
    'PUT /api/listings/1/price': refusal(409, 'conflict', 'The price has moved to $19.00 since. Look again.'),
  });
  await openPrice(user, 'A-1');
  await user.keyboard('21.50{Enter}');
  await screen.findByText('The price has moved to $19.00 since. Look again.');
  expect(field('A-1').value).toBe('21.50');
  await user.click(field('A-1'));
  await user.keyboard('{Escape}');
  expect(await price('A-1')).toBe('$20.00');
});

test('while repricing is halted a price is changed after a confirmation; declining keeps the typed text', async () => {
  const PUT = 'PUT /api/listings/1/price';
  const { user, bodies } = openListings({
    ...check('21.50'),
    [PUT]: (sent) =>
      (sent as { whileHalted?: boolean }).whileHalted === true
        ? { body: aListing({ currentPrice: '21.50', version: 4 }) }
        : refusal(409, 'halted', 'Repricing is halted.'),
  });
  await openPrice(user, 'A-1');
  await user.keyboard('21.50{Enter}');
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Cancel' }));
  await screen.findByText('Nothing was changed: repricing is halted.');
  expect(field('A-1').value).toBe('21.50');
  await user.keyboard('{Enter}');
  await user.click(
    within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Change prices' }),
  );
  await screen.findByText('Price changed');
  expect(bodies(PUT)).toEqual([
    { price: '21.50', from: '20.00' },
    { price: '21.50', from: '20.00' },
    { price: '21.50', from: '20.00', whileHalted: true },
  ]);
});

const SALE = 'A spring sale runs there.';
/** The answer to prices that their marketplaces keep from changing. */
const asks = (...reasons: readonly Partial<NotRepriceableReason>[]): Answer => {
  const story = {
    marketplace: 'amazon',
    reason: SALE,
    until: null,
    listings: 1,
    skus: ['A-1'],
    isSent: true,
  };
  const body = {
    code: 'not_repriceable',
    message: 'A marketplace sets these prices now.',
    requestId: 'req-7',
  };
  return { status: 409, body: { ...body, reasons: reasons.map((reason) => ({ ...story, ...reason })) } };
};

test('a price during a sale is changed after a confirmation that names it; declining keeps the typed text', async () => {
  const PUT = 'PUT /api/listings/1/price';
  const { user, bodies } = openListings({
    ...check('21.50', { notes: [SALE] }),
    [PUT]: (sent) =>
      (sent as { despiteReasons?: string[] }).despiteReasons?.includes(SALE) === true
        ? { body: aListing({ currentPrice: '21.50', version: 4 }) }
        : asks({ until: '2026-12-03T08:00:00.000Z' }),
  });
  await openPrice(user, 'A-1');
  await user.keyboard('21.50');
  await screen.findByText(SALE);
  await user.keyboard('{Enter}');
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Change this price anyway?' }));
  expect(dialog.getByText('Amazon: A-1')).toBeTruthy();
  expect(dialog.getByText(/^A spring sale runs there\. It ends .*Dec.* 2026/)).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  await screen.findByText(/^Nothing was changed/);
  expect(field('A-1').value).toBe('21.50');
  await user.keyboard('{Enter}');
  await user.click(
    within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Change price' }),
  );
  await screen.findByText('Price changed');
  expect(bodies(PUT).at(-1)).toEqual({ price: '21.50', from: '20.00', despiteReasons: [SALE] });
});

test.each([
  ['abc', readTypedPrice('abc').problem ?? ''],
  ['0', readTypedPrice('0').problem ?? ''],
  ['19.999', readTypedPrice('19.999').problem ?? ''],
])('%s is not a price', async (typed, message) => {
  const { user, bodies } = openListings();
  await openPrice(user, 'A-1');
  await user.keyboard(`${typed}{Enter}`);
  await screen.findByText(message);
  expect(bodies('PUT /api/listings/1/price')).toEqual([]);
});

test('Escape cancels, and the row has the focus', async () => {
  const { user } = openListings();
  await openPrice(user, 'A-1');
  await user.keyboard('99{Escape}');
  expect(await price('A-1')).toBe('$20.00');
  expect(document.activeElement?.getAttribute('data-row-id')).toBe('1');
});

test('E on a row opens its price; a move of more than 20% asks once', async () => {
  const { user, bodies } = openListings({
    ...check('30.00'),
    'PUT /api/listings/1/price': { body: aListing({ currentPrice: '30.00' }) },
  });
  await rowOf('A-1');
  await user.keyboard('je');
  await user.keyboard('30{Enter}');
  await screen.findByText(/That is 50% more than \$20\.00\./);
  expect(bodies('PUT /api/listings/1/price')).toEqual([]);
  await user.keyboard('{Enter}');
  await waitFor(() =>
    expect(bodies('PUT /api/listings/1/price')).toEqual([{ price: '30.00', from: '20.00' }]),
  );
});

const RECOMMENDED = aListing({
  recommendedPrice: '19.49',
  recommendedPriceReason: 'Beat Acme at $19.50 by $0.01.',
});

test('a recommended price is shown with its reason; Apply sends exactly that price', async () => {
  const { user, bodies } = openListings({
    'GET /api/listings': pageOf([RECOMMENDED]),
    'POST /api/listings/1/apply': { body: aListing({ currentPrice: '19.49' }) },
  });
  const row = await rowOf('A-1');
  expect(row.getByText(/Beat Acme at \$19\.50 by \$0\.01\./)).toBeTruthy();
  await user.click(row.getByRole('button', { name: 'Apply recommended price $19.49 to A-1' }));
  await waitFor(async () => expect(await price('A-1')).toBe('$19.49'));
  expect(bodies('POST /api/listings/1/apply')).toEqual([{ shown: '19.49' }]);
  expect(screen.queryByRole('button', { name: /^Apply recommended price/ })).toBeNull();
});

const ONE_MOVE = {
  count: 1,
  blockedCount: 0,
  raised: 0,
  lowered: 1,
  rows: [
    {
      listingId: '1',
      sku: 'A-1',
      title: 'Coffee mug',
      oldPrice: '20.00',
      newPrice: '15.00',
      marginBefore: '17.50',
      marginAfter: '6.00',
    },
  ],
  blocked: [],
};

test('a recommendation far from the current price is previewed first', async () => {
  const { user, bodies } = openListings({
    'GET /api/listings': pageOf([{ ...RECOMMENDED, recommendedPrice: '15.00' }]),
    'POST /api/listings/apply-preview': { body: ONE_MOVE },
    'POST /api/listings/apply': outcome({ done: 1 }),
  });
  await user.click(await screen.findByRole('button', { name: 'Apply recommended price $15.00 to A-1' }));
  await user.click(await screen.findByRole('button', { name: 'Change 1 price' }));
  await screen.findByText('1 price changed');
  expect(bodies('POST /api/listings/apply')).toEqual([{ selection: { ids: ['1'] } }]);
});

test('many prices are asked about in one question, with counts and what will not be sent', async () => {
  const repricer = 'A repricer there sets this price.';
  const APPLY = 'POST /api/listings/apply';
  const { user, bodies } = openListings({
    'GET /api/listings': pageOf([{ ...RECOMMENDED, recommendedPrice: '15.00' }]),
    'POST /api/listings/apply-preview': { body: { ...ONE_MOVE, count: 500 } },
    [APPLY]: (sent) =>
      'despiteReasons' in (sent as object)
        ? outcome({ done: 500 })
        : asks(
            { listings: 12, skus: ['A-1', 'A-2'] },
            {
              marketplace: 'walmart',
              reason: repricer,
              listings: 3,
              skus: ['W-1', 'W-2', 'W-3'],
              isSent: false,
            },
          ),
  });
  await user.click(await screen.findByRole('button', { name: 'Apply recommended price $15.00 to A-1' }));
  await user.click(await screen.findByRole('button', { name: 'Change 500 prices' }));
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Change 15 prices anyway?' }));
  expect(dialog.getByText('Amazon: A-1, A-2 and 10 more')).toBeTruthy();
  expect(
    dialog.getAllByRole('listitem').map(({ textContent }) => /not sent/.test(textContent ?? '')),
  ).toEqual([false, true]);
  await user.click(dialog.getByRole('button', { name: 'Change prices' }));
  await screen.findByText('500 prices changed');
  expect(bodies(APPLY).at(-1)).toMatchObject({ despiteReasons: [SALE, repricer] });
});

const toggle = async (sku: string): Promise<HTMLElement> =>
  (await rowOf(sku)).getByRole('switch', { name: `Auto-reprice ${sku}` });
const isOn = async (sku: string): Promise<string | null> => (await toggle(sku)).getAttribute('aria-checked');

test('the switch takes effect at once, and Undo switches it back with the saved version', async () => {
  let answer: (value: Answer) => void = () => undefined;
  let version = 3;
  const { user, bodies } = openListings({
    'PUT /api/listings/1': (sent) => {
      version += 1;
      const { fields } = sent as { fields: object };
      const saved = { body: aListing({ ...fields, version }) };
      return version > 4 ? saved : new Promise((resolve) => (answer = () => resolve(saved)));
    },
  });
  await user.click(await toggle('A-1'));
  expect(await isOn('A-1')).toBe('false');
  answer({ body: null });
  await screen.findByText('Repricing Disabled');
  expect(screen.getByText('for 1 listing(s)')).toBeTruthy();
  await pressUndo(user);
  await waitFor(async () => expect(await isOn('A-1')).toBe('true'));
  expect(bodies('PUT /api/listings/1')).toEqual([
    { version: 3, fields: { autoRepricingEnabled: false } },
    { version: 4, fields: { autoRepricingEnabled: true } },
  ]);
});

test('a rejected switch goes back and shows why', async () => {
  const { user } = openListings({
    'GET /api/listings': pageOf(THREE),
    'PUT /api/listings/1': refusal(409, 'conflict', 'Kim saved this listing since.'),
  });
  await user.click(await toggle('A-1'));
  await screen.findByText('Could not turn repricing off for A-1');
  expect(await isOn('A-1')).toBe('true');
});
