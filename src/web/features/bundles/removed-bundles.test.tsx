import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { aPreview, figures, MUG, OLD, openBundles, stored } from '#tests/support/bundle-screen.ts';
import { refusal } from '#tests/support/fake-api.ts';
import { dismissToasts } from '#web/lib/use-toast.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  dismissToasts();
});

const EMPTY = /^No components added yet/;

describe('removing', () => {
  test('says what it stops, removes, and can be undone', async () => {
    const { user, writes } = await openBundles('/bundles?listing=SET-1', {
      'DELETE /api/bundles/SET-1': { body: { removed: 1, unconfirmed: 2 } },
      'POST /api/bundles/bulk?seen=0&restores=true': { body: [stored('12', MUG, 2)] },
    });
    await user.click(await screen.findByRole('button', { name: 'Remove bundle' }));
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Remove the bundle SET-1?' }));
    expect(dialog.getByText(/its prices do not change until you save components again/)).toBeTruthy();
    await user.click(dialog.getByRole('button', { name: 'Remove bundle' }));
    expect(await screen.findByText('Bundle removed')).toBeTruthy();
    expect(screen.getByText(EMPTY)).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('combobox', { name: 'SKU' })));
    await user.click(document.body);
    await user.keyboard('{Control>}z{/Control}');
    expect(await screen.findByText('Bundle restored')).toBeTruthy();
    expect(writes().map(({ call }) => call)).toEqual([
      'DELETE /api/bundles/SET-1',
      'POST /api/bundles/bulk?seen=0&restores=true',
    ]);
    expect(screen.getByLabelText<HTMLInputElement>('Quantity of MUG').value).toBe('2');
  });

  test('a component is not restored after its draft was closed, and a toast says so', async () => {
    const { user } = await openBundles('/bundles?listing=SET-1');
    await user.click(await screen.findByRole('button', { name: 'Remove MUG' }));
    await user.click(screen.getByRole('button', { name: 'Discard changes' }));
    await user.keyboard('gd');
    await screen.findByRole('heading', { name: 'Dashboard' });
    await user.keyboard('{Control>}z{/Control}');
    await screen.findByText('Its draft is no longer open. Add it again where it is needed.');
  });

  test('saving an empty draft of a stored bundle is a removal, and asks', async () => {
    const { user, writes } = await openBundles('/bundles?listing=SET-1');
    await user.click(await screen.findByRole('button', { name: 'Remove MUG' }));
    await user.click(screen.getByRole('button', { name: 'Save Bundle Configuration' }));
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Remove the bundle SET-1?' }));
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    expect(writes()).toEqual([]);
  });

  test('a failure changes nothing', async () => {
    const { user } = await openBundles('/bundles?listing=SET-1', {
      'DELETE /api/bundles/SET-1': refusal(503, 'unavailable', 'The database is busy.'),
    });
    await user.click(await screen.findByRole('button', { name: 'Remove bundle' }));
    const dialog = within(await screen.findByRole('alertdialog'));
    await user.click(dialog.getByRole('button', { name: 'Remove bundle' }));
    expect(await screen.findByText('The database is busy.')).toBeTruthy();
    expect(screen.getByLabelText('Quantity of MUG')).toBeTruthy();
  });
});

describe('a bundle that was removed', () => {
  const unconfirmed = aPreview({ isUnconfirmed: true });

  test.each([
    [null, /There is no such SKU yet/],
    [{ ...figuresOfSku('7.00') }, /\$7\.00 plus packaging and misc/],
    [{ ...figuresOfSku(null) }, /That SKU has no product cost yet/],
  ])('asks whether it is now a single item, with the resulting cost', async (ownSku, text) => {
    let isOpen = true;
    const { user, writes } = await openBundles('/bundles?listing=SET-2', {
      'POST /api/bundles/preview': () => ({ body: { ...unconfirmed, ownSku, isUnconfirmed: isOpen } }),
      'POST /api/bundles/confirm-single': () => {
        isOpen = false;
        return { body: { confirmed: 2 } };
      },
    });
    expect(await screen.findByText('This bundle was removed')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Confirm not a bundle' }));
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Is SET-2 a single item now?' }));
    expect(dialog.getByText(text)).toBeTruthy();
    await user.click(dialog.getByRole('button', { name: 'Confirm not a bundle' }));
    expect(await screen.findByText('Not a bundle')).toBeTruthy();
    expect(writes()).toEqual([
      { call: 'POST /api/bundles/confirm-single', body: { listingSkus: ['SET-2'] } },
    ]);
    await waitFor(() => expect(screen.queryByText('This bundle was removed')).toBeNull());
    await waitFor(() =>
      expect(document.activeElement).toBe(screen.getByRole('combobox', { name: 'Listing' })),
    );
  });

  test('is shown first while nothing is selected', async () => {
    const { user, where } = await openBundles('/bundles', {
      'GET /api/bundles?state=removed&page=1&size=10': { body: { rows: [OLD], total: 12 } },
    });
    expect(await screen.findByText('12 removed bundles need confirmation')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'all 12 in the list below' })).toBeTruthy();
    await user.click(screen.getAllByRole('link', { name: 'OLD-1' })[0] as HTMLElement);
    await waitFor(() => expect(where()).toBe('/bundles?listing=OLD-1'));
    expect(screen.queryByText('12 removed bundles need confirmation')).toBeNull();
  });

  test('that is saved again needs no confirmation', async () => {
    await openBundles('/bundles?listing=SET-1', { 'POST /api/bundles/preview': { body: unconfirmed } });
    await screen.findByLabelText('Quantity of MUG');
    expect(screen.queryByText('This bundle was removed')).toBeNull();
  });
});

function figuresOfSku(productCost: string | null) {
  return { productCost, weightOz: 3, packagingCost: '0.00', miscCost: '0.00' };
}

describe('the list', () => {
  test('shows every bundle with its marketplaces and problems', async () => {
    await openBundles();
    await screen.findByRole('link', { name: 'OLD-1' });
    const table = within(screen.getByRole('table', { name: 'Bundles by listing SKU' }));
    const rows = table
      .getAllByRole('row')
      .slice(1)
      .map((row) => row.textContent);
    expect(rows).toEqual(['OLD-1Old setWalmart 00Removed, not confirmed', 'SET-1Blue setWalmart eBay 23']);
  });

  test('a row opens its bundle above', async () => {
    const { user, where } = await openBundles();
    await user.click(await screen.findByRole('link', { name: 'SET-1' }));
    await screen.findByLabelText('Quantity of MUG');
    expect(where()).toBe('/bundles?listing=SET-1');
  });

  test('search and state are sent to the server and are in the address', async () => {
    const { user, where } = await openBundles('/bundles', {
      'GET /api/bundles?q=zzz&page=1&size=10': { body: { rows: [], total: 0 } },
    });
    await user.type(await screen.findByRole('searchbox', { name: 'Search bundles' }), 'zzz{Enter}');
    expect(await screen.findByText(/No bundles match\./)).toBeTruthy();
    expect(where()).toBe('/bundles?q=zzz');
    await user.click(screen.getByRole('button', { name: 'Clear filters' }));
    expect(await screen.findByRole('link', { name: 'OLD-1' })).toBeTruthy();
  });

  test('the file contains the listed rows', async () => {
    const { user } = await openBundles('/bundles', {
      'GET /api/bundles?q=old&page=1&size=10': { body: { rows: [OLD], total: 1 } },
    });
    const link = () => screen.findByRole('link', { name: 'Export bundles' });
    expect((await link()).getAttribute('href')).toBe('/api/bundles/export.csv');
    await user.type(screen.getByRole('searchbox', { name: 'Search bundles' }), 'old{Enter}');
    await waitFor(async () =>
      expect((await link()).getAttribute('href')).toBe('/api/bundles/export.csv?q=old'),
    );
  });

  test('without bundles it says how to create the first one', async () => {
    await openBundles('/bundles', { 'GET /api/bundles?page=1&size=10': { body: { rows: [], total: 0 } } });
    expect(await screen.findByText(/^No bundles yet\./)).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'Export bundles' })).toBeNull();
  });
});

test('unreadable figures are shown as unknown, the draft stays', async () => {
  await openBundles('/bundles?listing=SET-1', {
    'POST /api/bundles/preview': refusal(503, 'unavailable', 'The database is busy.'),
  });
  expect(
    await screen.findByText(/The effect on its listings is unknown: The database is busy\./),
  ).toBeTruthy();
  expect(await screen.findByLabelText('Quantity of MUG')).toBeTruthy();
});

test('a listing without a known cost says what to enter', async () => {
  const [listing] = aPreview().listings;
  if (listing === undefined) throw new Error('no listing');
  const missing = ['Add a shipping tier for Walmart FBM that holds 16 oz.'];
  const unknown = figures({ totalCost: null, margin: null, marginFloor: null, missing });
  await openBundles('/bundles?listing=SET-1', {
    'POST /api/bundles/preview': {
      body: aPreview({ listings: [{ ...listing, before: unknown, after: unknown }] }),
    },
  });
  expect(await screen.findByText('Add a shipping tier for Walmart FBM that holds 16 oz.')).toBeTruthy();
});

test('a deleted SKU or a nested bundle is marked, and its cost stays unknown', async () => {
  const { user } = await openBundles('/bundles?listing=SET-1', {
    'GET /api/bundles/SET-1': {
      body: [{ ...stored('11', MUG, 2), isDeleted: true }, stored('12', { ...MUG, id: '9', sku: 'BOX' }, 2)],
    },
    'POST /api/bundles/preview': {
      body: aPreview({
        bundlesInside: ['BOX'],
        listings: aPreview().listings.map((listing) => ({
          ...listing,
          after: figures({ totalCost: null, missing: ['SKU BOX is a bundle itself.'] }),
        })),
      }),
    },
    'POST /api/bundles/bulk?seen=12': refusal(409, 'conflict', 'SKU MUG was deleted.'),
  });
  const table = await screen.findByRole('table', { name: 'Bundle Components' });
  expect(within(table).getByText('Deleted')).toBeTruthy();
  expect(await within(table).findByText('Bundle')).toBeTruthy();
  expect(screen.getByText('BOX: itself a bundle. Replace it with its components.')).toBeTruthy();
  expect(screen.getByText('Total cost').parentElement?.textContent).not.toContain('$');
  // Shown once for both listings.
  expect(screen.getAllByText('SKU BOX is a bundle itself.')).toHaveLength(1);
  await user.click(screen.getByRole('button', { name: 'Save Bundle Configuration' }));
  expect(await screen.findByText(/^SKU MUG was deleted\. The stored bundle is unchanged/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Load stored components' })).toBeNull();
});
