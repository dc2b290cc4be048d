import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { aPreview, figures, MUG, openBundles, PLATE, stored } from '#tests/support/bundle-screen.ts';
import { refusal } from '#tests/support/fake-api.ts';
import { dismissToasts } from '#web/lib/use-toast.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  dismissToasts();
});

type User = Awaited<ReturnType<typeof openBundles>>['user'];

const EMPTY = 'No components added yet. Add SKUs to create a bundle.';
const save = () => screen.getByRole('button', { name: 'Save Bundle Configuration' });
const parts = (): (string | null)[] =>
  within(screen.getByRole('table', { name: 'Bundle Components' }))
    .getAllByRole('textbox')
    .map((field) => `${(field as HTMLInputElement).value} ${field.id === '' ? '' : labelOf(field)}`);
const labelOf = (field: Element): string =>
  document.querySelector(`label[for="${field.id}"]`)?.textContent ?? '';

/** Adds a SKU with the mouse and types its quantity. */
async function add(user: User, sku: string, quantity?: string): Promise<void> {
  await user.click(screen.getByRole('combobox', { name: 'SKU' }));
  await screen.findByRole('option', { name: new RegExp(`^${sku} - `) });
  await user.click(screen.getByRole('option', { name: new RegExp(`^${sku} - `) }));
  if (quantity !== undefined) {
    const field = screen.getByLabelText('Quantity');
    await user.clear(field);
    await user.paste(quantity);
  }
  await user.click(screen.getByRole('button', { name: 'Add' }));
}

test('the cards of the specification, with nothing selected', async () => {
  const { sent } = await openBundles();
  for (const name of ['Manual Configuration', 'Add Component', 'Bundle Components', 'CSV Bulk Import']) {
    expect(screen.getByRole('heading', { name })).toBeTruthy();
  }
  expect(screen.getByText(EMPTY)).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>('Quantity').value).toBe('1');
  expect(sent.some(({ call }) => call.startsWith('GET /api/bundles/'))).toBe(false);
});

test('a listing is chosen by keyboard as SKU - title, is in the address, and shows its stored bundle', async () => {
  const { user, where, sent } = await openBundles();
  await user.click(screen.getByRole('combobox', { name: 'Listing' }));
  const list = within(await screen.findByRole('listbox', { name: 'Listing' }));
  expect(list.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
    'SET-1 - Blue set',
    'SET-2 - Red set',
  ]);
  await user.keyboard('{Enter}');
  await screen.findByRole('table', { name: 'Bundle Components' });
  expect(where()).toBe('/bundles?listing=SET-1');
  expect(parts()).toEqual(['2 Quantity of MUG']);
  const reads = sent.map(({ call }) => call).filter((call) => call.startsWith('GET /api/bundles/'));
  expect(reads).toEqual(['GET /api/bundles/SET-1']);
  expect(await screen.findByText('Applies to 2 listings: Walmart, eBay')).toBeTruthy();
  expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Listing' }).value).toBe('SET-1 - Blue set');
});

test('a link opens a bundle; a SKU without a listing shows a note', async () => {
  await openBundles('/bundles?listing=SET-1', {
    'POST /api/bundles/preview': { body: aPreview({ listings: [] }) },
  });
  expect(await screen.findByText(/No listing has this SKU yet\./)).toBeTruthy();
  await screen.findByRole('table', { name: 'Bundle Components' });
  expect(parts()).toEqual(['2 Quantity of MUG']);
});

describe('the draft', () => {
  test('saves the added SKUs with quantities in one call', async () => {
    const answer = [stored('12', MUG, 2), stored('13', PLATE, 3)];
    const { user, writes } = await openBundles('/bundles?listing=SET-1', {
      'POST /api/bundles/bulk?seen=11': { body: answer },
    });
    await screen.findByRole('table', { name: 'Bundle Components' });
    await add(user, 'PLATE', '3');
    expect(parts()).toEqual(['2 Quantity of MUG', '3 Quantity of PLATE']);
    expect(document.activeElement).toBe(screen.getByRole('combobox', { name: 'SKU' }));
    expect(screen.getByLabelText<HTMLInputElement>('Quantity').value).toBe('1');
    expect(screen.getByText('Not saved yet')).toBeTruthy();
    await user.click(save());
    expect(await screen.findByText('Bundle saved')).toBeTruthy();
    expect(screen.getByText('Bundle configuration has been saved successfully.')).toBeTruthy();
    expect(writes()).toEqual([
      {
        call: 'POST /api/bundles/bulk?seen=11',
        body: [
          { listingSku: 'SET-1', componentSkuId: '1', quantity: 2 },
          { listingSku: 'SET-1', componentSkuId: '2', quantity: 3 },
        ],
      },
    ]);
    await waitFor(() => expect(screen.queryByText('Not saved yet')).toBeNull());
  });

  test('is built by keyboard alone, one SKU after the other', async () => {
    const { user } = await openBundles('/bundles?listing=SET-1');
    await screen.findByRole('table', { name: 'Bundle Components' });
    screen.getByRole('combobox', { name: 'SKU' }).focus();
    await user.keyboard('pl');
    await screen.findByRole('option', { name: /^PLATE - / });
    await waitFor(() => expect(screen.queryByRole('option', { name: /^MUG - / })).toBeNull());
    await user.keyboard('{Enter}');
    await user.tab();
    // Keyboard focus selects the content of a field, so that typing replaces it.
    await user.keyboard('5{Enter}');
    await waitFor(() => expect(parts()).toEqual(['2 Quantity of MUG', '5 Quantity of PLATE']));
    expect(screen.getByLabelText<HTMLInputElement>('Quantity').value).toBe('1');
    expect(document.activeElement).toBe(screen.getByRole('combobox', { name: 'SKU' }));
  });

  test('a SKU that is already in the draft is increased, and a toast says so', async () => {
    const { user } = await openBundles('/bundles?listing=SET-1');
    await screen.findByRole('table', { name: 'Bundle Components' });
    await add(user, 'MUG', '4');
    expect(parts()).toEqual(['6 Quantity of MUG']);
    expect(await screen.findByText('Quantity raised')).toBeTruthy();
    expect(screen.getByText('MUG was already in this bundle. Its quantity is now 6.')).toBeTruthy();
  });

  test('an invalid quantity counts as 1', async () => {
    const { user } = await openBundles('/bundles?listing=SET-2');
    await screen.findByText(EMPTY);
    await waitFor(() => expect(screen.queryByText('Applies to 2 listings: Walmart, eBay')).toBeTruthy());
    await add(user, 'PLATE', 'many');
    expect(parts()).toEqual(['1 Quantity of PLATE']);
  });

  test('without a listing or a SKU nothing is added, and the field shows the error', async () => {
    const { user } = await openBundles();
    await user.click(screen.getByRole('button', { name: 'Add' }));
    expect(screen.getByText('Select a listing first.')).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByRole('combobox', { name: 'Listing' }));
    await user.keyboard('{ArrowDown}');
    await user.click(await screen.findByRole('option', { name: /^SET-2/ }));
    await screen.findByText(/Applies to/);
    await user.click(screen.getByRole('button', { name: 'Add' }));
    expect(screen.getByText('Select a SKU first.')).toBeTruthy();
    expect(screen.getByText(EMPTY)).toBeTruthy();
  });

  test('removing offers Undo and keeps the focus in the table', async () => {
    const { user } = await openBundles('/bundles?listing=SET-1', {
      'GET /api/bundles/SET-1': { body: [stored('11', MUG, 2), stored('12', PLATE, 1)] },
    });
    await user.click(await screen.findByRole('button', { name: 'Remove MUG' }));
    expect(parts()).toEqual(['1 Quantity of PLATE']);
    await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('Remove PLATE'));
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(parts()).toEqual(['2 Quantity of MUG', '1 Quantity of PLATE']);
  });

  test('cost and weight follow each change; a part without them makes the total unknown and is named', async () => {
    const blank = { ...MUG, id: '5', sku: 'BLANK', productCost: null, weightOz: null };
    const { user } = await openBundles('/bundles?listing=SET-1', {
      'GET /api/skus?page=1&pageSize=50': { body: { skus: [blank], total: 1 } },
    });
    expect(await screen.findByText('$21.20')).toBeTruthy();
    expect(screen.getByText('16.0 oz')).toBeTruthy();
    const field = screen.getByLabelText('Quantity of MUG');
    await user.clear(field);
    await user.paste('3');
    expect(screen.getByText('$31.80')).toBeTruthy();
    expect(screen.getByText('24.0 oz')).toBeTruthy();
    await add(user, 'BLANK');
    expect(screen.queryByText('$31.80')).toBeNull();
    expect(screen.getByText(/BLANK: the product cost is unknown\./)).toBeTruthy();
    expect(screen.getByText(/BLANK: the weight is unknown\./)).toBeTruthy();
  });

  test('the effect on each listing is calculated while typing, and shown next to the current values', async () => {
    const listing = aPreview().listings[0];
    if (listing === undefined) throw new Error('no listing');
    const after = figures({
      totalCost: '42.40',
      margin: '-21.00',
      marginFloor: '60.58',
      isBelowMarginFloor: true,
    });
    const { user, sent } = await openBundles('/bundles?listing=SET-1', {
      'POST /api/bundles/preview': (question) => {
        const [part] = (question as { components: { quantity: number }[] }).components;
        const isMore = part?.quantity === 4;
        return { body: aPreview({ listings: [{ ...listing, after: isMore ? after : figures() }] }) };
      },
    });
    const field = await screen.findByLabelText('Quantity of MUG');
    await user.clear(field);
    await user.paste('4');
    expect(await screen.findByText('Below margin floor')).toBeTruthy();
    const table = within(screen.getByRole('table', { name: 'Effect of the bundle on its listings' }));
    expect(table.getAllByRole('cell').map(({ textContent }) => textContent)).toEqual([
      'Walmart FBMBelow margin floor',
      '$40.00',
      '$42.40was $25.19',
      'Loss\u221221.0%Criticalwas 29.0%Strong',
      '$60.58was $30.29',
    ]);
    const requested = sent.filter(({ call }) => call === 'POST /api/bundles/preview');
    expect(requested.at(-1)?.body).toEqual({
      listingSku: 'SET-1',
      components: [{ componentSkuId: '1', quantity: 4 }],
    });
  });
});

describe('a failed save', () => {
  test.each([
    [refusal(409, 'conflict', 'SKU MUG was deleted.'), 'SKU MUG was deleted.'],
    [{ status: 502, body: undefined }, 'Failed to save bundle.'],
  ])('keeps the draft and shows the reason', async (answer, text) => {
    const { user } = await openBundles('/bundles?listing=SET-1', {
      'POST /api/bundles/bulk?seen=11': answer,
    });
    await screen.findByRole('table', { name: 'Bundle Components' });
    await add(user, 'PLATE');
    await user.click(save());
    expect(await screen.findByText('Save failed')).toBeTruthy();
    expect(screen.getByText(text)).toBeTruthy();
    expect(screen.getByRole('alert').textContent).toContain('The stored bundle is unchanged');
    expect(parts()).toEqual(['2 Quantity of MUG', '1 Quantity of PLATE']);
  });

  test('on a bundle changed by another user offers the saved version', async () => {
    let isSaved = false;
    const { user } = await openBundles('/bundles?listing=SET-1', {
      'GET /api/bundles/SET-1': () => ({ body: isSaved ? [stored('20', PLATE, 7)] : [stored('11', MUG, 2)] }),
      'POST /api/bundles/bulk?seen=11': refusal(409, 'conflict', 'Another user saved this bundle.'),
    });
    await screen.findByRole('table', { name: 'Bundle Components' });
    await add(user, 'PLATE');
    isSaved = true;
    await user.click(save());
    await user.click(await screen.findByRole('button', { name: 'Load stored components' }));
    await waitFor(() => expect(parts()).toEqual(['7 Quantity of PLATE']));
    expect(screen.queryByText('Could not save the bundle')).toBeNull();
  });
});

describe('leaving', () => {
  const DIRTY = { name: 'Leave without saving?' };
  async function openDirty() {
    const page = await openBundles('/bundles?listing=SET-1', {
      'GET /api/bundles/OLD-1': { body: [stored('30', PLATE, 7)] },
    });
    await screen.findByRole('table', { name: 'Bundle Components' });
    await add(page.user, 'PLATE');
    return page;
  }

  test('for another listing asks first; staying keeps the draft', async () => {
    const { user, where } = await openDirty();
    await user.click(screen.getByRole('combobox', { name: 'Listing' }));
    await user.click(await screen.findByRole('option', { name: /^SET-2/ }));
    await user.click(
      within(await screen.findByRole('alertdialog', DIRTY)).getByRole('button', { name: 'Cancel' }),
    );
    expect(where()).toBe('/bundles?listing=SET-1');
    expect(parts()).toEqual(['2 Quantity of MUG', '1 Quantity of PLATE']);
  });

  test('and discarding loads the stored bundle of the other one', async () => {
    const { user, where } = await openDirty();
    await user.click(screen.getByRole('link', { name: 'OLD-1' }));
    await user.click(await screen.findByRole('button', { name: 'Discard changes', hidden: false }));
    await waitFor(() => expect(where()).toContain('listing=OLD-1'));
    await waitFor(() => expect(parts()).toEqual(['7 Quantity of PLATE']));
    expect(screen.queryByText('Not saved yet')).toBeNull();
  });

  test('for another screen asks too; filters of the list below do not', async () => {
    const { user, where } = await openDirty();
    await user.selectOptions(screen.getByLabelText('State'), 'removed');
    await waitFor(() => expect(where()).toBe('/bundles?listing=SET-1&state=removed'));
    expect(screen.queryByRole('alertdialog')).toBeNull();
    await user.click(screen.getByRole('link', { name: 'History' }));
    expect(await screen.findByRole('alertdialog', DIRTY)).toBeTruthy();
  });

  test('an unchanged bundle does not ask', async () => {
    const { user, where } = await openBundles('/bundles?listing=SET-1');
    await screen.findByRole('table', { name: 'Bundle Components' });
    await add(user, 'PLATE');
    await user.click(screen.getByRole('button', { name: 'Remove PLATE' }));
    await user.click(screen.getByRole('link', { name: 'History' }));
    await waitFor(() => expect(where()).toBe('/history'));
  });
});
