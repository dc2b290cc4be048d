import { screen, waitFor, within } from '@testing-library/react';
import type { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import type { NotRepriceableReason } from '#contract/errors.ts';
import type { SkuImpact } from '#contract/skus.ts';
import { type Answers, refusal } from '#tests/support/fake-api.ts';
import { aSku, openSkus, STORED_SKUS } from '#tests/support/skus-screen.ts';
import { tagsText } from '#web/lib/typed-tags.ts';
import { dismissToasts } from '#web/lib/use-toast.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  dismissToasts();
});

type User = ReturnType<typeof userEvent.setup>;

async function fill(user: User, values: Record<string, string>): Promise<void> {
  for (const [label, text] of Object.entries(values)) {
    const field = screen.getByLabelText(label);
    // In one step: what is half entered would be calculated too, on a machine that is slow enough.
    if (text === '') await user.clear(field);
    else {
      await user.tripleClick(field);
      await user.paste(text);
    }
  }
}
const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }));
/** The editor, once its fields are loaded. */
const editor = async () => {
  const form = await dialog('Edit SKU');
  await form.findByLabelText('SKU');
  return form;
};
const NEW = { SKU: 'NEW', Name: 'Cup', 'Product Cost': '$4.2', 'Weight (oz)': '12.5' };
const WIRE = { sku: 'NEW', name: 'Cup', productCost: '4.20', weightOz: 12.5 };
const REST = {
  lengthIn: null,
  widthIn: null,
  heightIn: null,
  isHazardous: false,
  packagingCost: '0.00',
  miscCost: '0.00',
  veeqoId: null,
  brand: null,
  supplier: null,
  tags: [],
};
const PAGES = {
  'GET /api/skus?page=2&pageSize=25': { body: { skus: STORED_SKUS, total: 60 } },
  'GET /api/skus?page=1&pageSize=25': { body: { skus: STORED_SKUS, total: 60 } },
};

test('a new SKU is sent with decimals and a number, and the list returns to page 1', async () => {
  let answer = (_: { status: number; body: unknown }): void => undefined;
  const { user, writes, where } = await openSkus(
    { ...PAGES, 'POST /api/skus': () => new Promise((resolve) => (answer = resolve)) },
    '/skus?page=2',
  );
  const opener = screen.getByRole('button', { name: 'Add SKU' });
  await user.click(opener);
  expect(where()).toBe('/skus?page=2&add=1');
  const form = await dialog('Add SKU');
  await fill(user, { ...NEW, 'Veeqo ID': 'V-1', Tags: 'blue, kitchen' });
  await user.click(form.getByRole('button', { name: 'Create SKU' }));
  await form.findByRole('button', { name: 'Creating...' });
  answer({ status: 201, body: aSku({ id: '9' }) });
  await screen.findByText('SKU Created');
  expect(screen.getByText('SKU created successfully')).toBeTruthy();
  expect(writes()).toEqual([
    {
      call: 'POST /api/skus',
      body: { ...WIRE, ...REST, veeqoId: 'V-1', tags: ['blue', 'kitchen'] },
    },
  ]);
  await waitFor(() => expect(where()).toBe('/skus'));
  await waitFor(() => expect(document.activeElement).toBe(opener));
});

test('a new SKU can be marked as hazardous', async () => {
  const { user, writes } = await openSkus({
    ...PAGES,
    'POST /api/skus': refusal(503, 'unavailable', 'Later.'),
  });
  await user.click(screen.getByRole('button', { name: 'Add SKU' }));
  const form = await dialog('Add SKU');
  await fill(user, NEW);
  await user.click(form.getByRole('checkbox', { name: 'Hazardous goods' }));
  await user.click(form.getByRole('button', { name: 'Create SKU' }));
  await form.findByRole('alert');
  expect(writes()).toEqual([{ call: 'POST /api/skus', body: { ...WIRE, ...REST, isHazardous: true } }]);
});

test('the field of tags fits the maximum number of tags, each in quotes', async () => {
  await openSkus({}, '/skus?add=1');
  const field = (await dialog('Add SKU')).getByLabelText<HTMLInputElement>('Tags');
  const longest = Array.from({ length: 250 }, () => '"'.repeat(255));
  expect(field.maxLength).toBeGreaterThanOrEqual(tagsText(longest).length);
});

test('missing values are shown at each field and with the specified texts, and nothing is sent', async () => {
  const { user, writes } = await openSkus({}, '/skus?add=1');
  const form = await dialog('Add SKU');
  await user.click(form.getByRole('button', { name: 'Create SKU' }));
  await screen.findByText('Validation Error');
  expect(screen.getByText('Please fill in all required fields')).toBeTruthy();
  for (const label of ['SKU', 'Name', 'Product Cost', 'Weight (oz)']) {
    expect(form.getByLabelText(label).getAttribute('aria-invalid')).toBe('true');
  }
  await waitFor(() => expect(document.activeElement).toBe(form.getByLabelText('SKU')));
  expect(writes()).toEqual([]);
});

test('a duplicate code is an error at its field, with a link to the existing SKU', async () => {
  const message = 'SKU NEW already exists.';
  const { user, where } = await openSkus(
    { 'POST /api/skus': refusal(409, 'conflict', message, { sku: message, existing: '1' }) },
    '/skus?add=1',
  );
  const form = await dialog('Add SKU');
  await fill(user, NEW);
  await user.click(form.getByRole('button', { name: 'Create SKU' }));
  const code = form.getByLabelText('SKU');
  await waitFor(() => expect(code.getAttribute('aria-invalid')).toBe('true'));
  await waitFor(() => expect(document.activeElement).toBe(code));
  expect(form.getByText(message)).toBeTruthy();
  expect(screen.getByText('Error')).toBeTruthy();
  await user.click(form.getByRole('link', { name: 'Edit SKU NEW instead' }));
  expect(where()).toBe('/skus?edit=1');
  await dialog('Edit SKU');
});

test('a similar code is reported before the SKU is created', async () => {
  const { user, sent } = await openSkus(
    { "GET /api/skus/similar?sku='new": { body: { similar: ['NEW', 'new'] } } },
    '/skus?add=1',
  );
  const form = await dialog('Add SKU');
  await fill(user, { SKU: "'new " });
  const note = await form.findByText(/"NEW", "new"/);
  expect(note.getAttribute('role')).toBe('status');
  expect(form.getByLabelText('SKU').getAttribute('aria-invalid')).not.toBe('true');
  await fill(user, { SKU: '' });
  expect(note.textContent).toBe('');
  expect(sent.map(({ call }) => call)).not.toContain('GET /api/skus/similar?sku=');
});

test.each<[string, Answers[string], string, string]>([
  [
    'no answer',
    () => {
      throw new TypeError('offline');
    },
    'Failed to create SKU',
    'Pricewright is not responding',
  ],
  ['no words', { status: 500, body: undefined }, 'Failed to create SKU', 'The server returned 500'],
  ['a reason', refusal(503, 'unavailable', 'The disk is full.'), 'The disk is full.', 'The disk is full.'],
])(
  'a SKU that is not created for %s says Error and why, and keeps what was typed',
  async (_, answer, reported, why) => {
    const { user } = await openSkus({ 'POST /api/skus': answer }, '/skus?add=1');
    const form = await dialog('Add SKU');
    await fill(user, NEW);
    await user.click(form.getByRole('button', { name: 'Create SKU' }));
    const title = await screen.findByText('Error');
    expect(title.nextElementSibling?.textContent).toBe(reported);
    expect(form.getByRole('alert').textContent).toContain(why);
    expect(form.getByLabelText('Name')).toHaveProperty('value', 'Cup');
  },
);

test('"Create and add another" keeps the dialog, clears it and focuses the code', async () => {
  const { user, writes } = await openSkus(
    { 'POST /api/skus': { status: 201, body: aSku({ id: '9' }) } },
    '/skus?add=1',
  );
  const form = await dialog('Add SKU');
  await fill(user, NEW);
  await user.click(form.getByRole('button', { name: 'Create and add another' }));
  await screen.findByText('SKU Created');
  const code = form.getByLabelText('SKU');
  expect(code).toHaveProperty('value', '');
  expect(form.getByLabelText('Packaging Cost')).toHaveProperty('value', '0');
  await waitFor(() => expect(document.activeElement).toBe(code));
  expect(code.getAttribute('aria-invalid')).toBe('false');
  expect(writes()).toHaveLength(1);
});

const IMPACT: SkuImpact = {
  listings: 4,
  bundles: 1,
  sales: { changed: 0, profitChange: '0.00', isMore: false },
  unknownCount: 0,
  fallingCount: 1,
  falling: [
    {
      listingId: '7',
      marketplace: 'walmart',
      sku: 'MUG-1',
      title: 'Blue mug',
      currentPrice: '20.00',
      marginFloor: '25.72',
    },
  ],
};
const SAVED = { sku: aSku({ version: 4 }), belowMarginFloorCount: 0, belowMarginFloor: [] };

test('the impact of a changed cost on listings and bundles is shown before saving', async () => {
  const { user, writes, where } = await openSkus(
    { 'POST /api/skus/1/impact': { body: IMPACT }, 'PUT /api/skus/1': { body: SAVED } },
    '/skus?edit=1',
  );
  const form = await editor();
  expect(form.getByLabelText('SKU')).toHaveProperty('readOnly', true);
  await fill(user, { Name: 'Cup', 'Product Cost': '18' });
  await form.findByText('This changes the cost of 4 listings and 1 bundle');
  expect(form.getByText('1 listing falls below its margin floor.')).toBeTruthy();
  expect(form.getByText(/priced at \$20\.00, needs \$25\.72/)).toBeTruthy();
  expect(form.getByText('1 price too low')).toBeTruthy();
  await user.click(form.getByRole('button', { name: 'Save SKU' }));
  await screen.findByText('SKU saved');
  expect(writes()).toEqual([
    { call: 'POST /api/skus/1/impact', body: { productCost: '18.00' } },
    { call: 'PUT /api/skus/1', body: { version: 3, name: 'Cup', productCost: '18.00' } },
  ]);
  await waitFor(() => expect(where()).toBe('/skus'));
});

test('a save before the impact was calculated shows harm first, and saves with the second press', async () => {
  const { user, writes } = await openSkus(
    { 'POST /api/skus/1/impact': { body: IMPACT }, 'PUT /api/skus/1': { body: SAVED } },
    '/skus?edit=1',
  );
  const form = await editor();
  await fill(user, { 'Product Cost': '18' });
  await user.keyboard('{Enter}');
  await form.findByText('This changes the cost of 4 listings and 1 bundle');
  expect(writes().map(({ call }) => call)).not.toContain('PUT /api/skus/1');
  await user.keyboard('{Enter}');
  await screen.findByText('SKU saved');
});

test('a cost from an earlier day shows what it changes on sales so far, and is saved with that day', async () => {
  const sales = { changed: 214, profitChange: '-96.30', isMore: false };
  const { user, writes } = await openSkus(
    {
      'POST /api/skus/1/impact': { body: { ...IMPACT, fallingCount: 0, falling: [], sales } },
      'PUT /api/skus/1': { body: SAVED },
    },
    '/skus?edit=1',
  );
  const form = await editor();
  expect(form.queryByLabelText('Applies from')).toBeNull();
  await fill(user, { 'Product Cost': '18' });
  await fill(user, { 'Applies from': '2026-01-05' });
  await form.findByText('214 sales change: profit \u2212$96.30.');
  await user.click(form.getByRole('button', { name: 'Save SKU' }));
  await screen.findByText('SKU saved');
  const costSince = new Date('2026-01-05T00:00').toISOString();
  expect(writes().at(-1)).toEqual({
    call: 'PUT /api/skus/1',
    body: { version: 3, productCost: '18.00', costSince },
  });
});

test('a cost without harm is saved at once', async () => {
  const harmless = { ...IMPACT, fallingCount: 0, falling: [] };
  const { user } = await openSkus(
    { 'POST /api/skus/1/impact': { body: harmless }, 'PUT /api/skus/1': { body: SAVED } },
    '/skus?edit=1',
  );
  const form = await editor();
  await fill(user, { 'Product Cost': '18' });
  await user.click(form.getByRole('button', { name: 'Save SKU' }));
  await screen.findByText('SKU saved');
});

test('a changed name needs no impact, and a cleared cost becomes unknown', async () => {
  const unknown = { ...IMPACT, fallingCount: 0, falling: [], unknownCount: 4 };
  const { user, writes } = await openSkus(
    { 'POST /api/skus/1/impact': { body: unknown }, 'PUT /api/skus/1': { body: SAVED } },
    '/skus?edit=1',
  );
  const form = await editor();
  await fill(user, { Name: 'Cup' });
  expect(form.queryByRole('status')).toBeNull();
  await fill(user, { 'Product Cost': '' });
  await form.findByText(/4 listings have an unknown cost and are not repriced/);
  await user.click(form.getByRole('button', { name: 'Save SKU' }));
  await screen.findByText('SKU saved');
  expect(writes().at(-1)?.body).toEqual({ version: 3, name: 'Cup', productCost: null });
});

test('listings that fall below their margin floor can be raised at once', async () => {
  const { user, writes } = await openSkus(
    {
      'POST /api/skus/1/impact': { body: IMPACT },
      'PUT /api/skus/1': { body: { ...SAVED, belowMarginFloorCount: 1, belowMarginFloor: IMPACT.falling } },
      'PUT /api/listings/7/price': { body: {} },
    },
    '/skus?edit=1',
  );
  const form = await editor();
  await fill(user, { 'Product Cost': '18' });
  await form.findByText('1 listing falls below its margin floor.');
  await user.click(form.getByRole('button', { name: 'Save SKU' }));
  await user.click(await screen.findByRole('button', { name: 'Raise 1 price' }));
  await screen.findByText('Prices raised');
  expect(writes().at(-1)).toEqual({
    call: 'PUT /api/listings/7/price',
    body: { price: '25.72', from: '20.00' },
  });
});

test('raising prices during a sale asks once for all of them', async () => {
  const reason = 'A spring sale runs there.';
  const requested = {
    code: 'not_repriceable',
    message: 'A sale runs.',
    requestId: 'req-7',
    reasons: [
      { marketplace: 'amazon', reason, until: null, listings: 1, skus: ['MUG-1'], isSent: true },
    ] satisfies NotRepriceableReason[],
  };
  const put = (sent: unknown) =>
    'despiteReasons' in (sent as object) ? { body: {} } : { status: 409, body: requested };
  const two = IMPACT.falling.flatMap((row) => [row, { ...row, listingId: '8' }]);
  const { user, writes } = await openSkus(
    {
      'POST /api/skus/1/impact': { body: IMPACT },
      'PUT /api/skus/1': { body: { ...SAVED, belowMarginFloorCount: 2, belowMarginFloor: two } },
      'PUT /api/listings/7/price': put,
      'PUT /api/listings/8/price': put,
    },
    '/skus?edit=1',
  );
  const form = await editor();
  await fill(user, { 'Product Cost': '18' });
  await form.findByText('1 listing falls below its margin floor.');
  await user.click(form.getByRole('button', { name: 'Save SKU' }));
  await user.click(await screen.findByRole('button', { name: 'Raise 2 prices' }));
  const dialog = within(await screen.findByRole('alertdialog'));
  expect(dialog.getByText(/applies to all listings/)).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Change prices' }));
  await screen.findByText('Prices raised');
  const body = { price: '25.72', from: '20.00' };
  expect(writes().slice(-3)).toEqual([
    { call: 'PUT /api/listings/7/price', body },
    { call: 'PUT /api/listings/7/price', body: { ...body, despiteReasons: [reason] } },
    { call: 'PUT /api/listings/8/price', body: { ...body, despiteReasons: [reason] } },
  ]);
});

test('a save by another user is reported, and the typed text stays', async () => {
  let stored = aSku();
  const { user, writes } = await openSkus(
    {
      'GET /api/skus/1': () => ({ body: stored }),
      'PUT /api/skus/1': () =>
        stored.version === 3
          ? refusal(409, 'conflict', 'MUG-1 was changed after you opened it.')
          : { body: SAVED },
    },
    '/skus?edit=1',
  );
  const form = await editor();
  await fill(user, { Name: 'Cup' });
  await user.click(form.getByRole('button', { name: 'Save SKU' }));
  expect((await form.findByRole('alert')).textContent).toContain('MUG-1 was changed after you opened it');
  stored = aSku({ version: 4, veeqoId: 'V-10' });
  await user.click(form.getByRole('button', { name: 'Review again' }));
  await waitFor(() => expect(form.getByLabelText('Veeqo ID')).toHaveProperty('value', 'V-10'));
  expect(form.getByLabelText('Name')).toHaveProperty('value', 'Cup');
  await user.click(form.getByRole('button', { name: 'Save SKU' }));
  await screen.findByText('SKU saved');
  expect(writes().at(-1)?.body).toEqual({ version: 4, name: 'Cup' });
});

test('the address of a deleted SKU says so', async () => {
  await openSkus({ 'GET /api/skus/99': refusal(404, 'not_found', 'Not found.') }, '/skus?edit=99');
  const form = await dialog('Edit SKU');
  await form.findByText('This SKU was not found. It may have been deleted.');
});
