import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { refusal } from '#tests/support/fake-api.ts';
import { aSku, openSkus, STORED_SKUS } from '#tests/support/skus-screen.ts';
import { dismissToasts } from '#web/lib/use-toast.ts';

beforeEach(() => localStorage.clear());
afterEach(() => {
  vi.unstubAllGlobals();
  dismissToasts();
});

const PAGE = { body: { skus: STORED_SKUS, total: 60 } };
/** "2 selected"; null without a selection. */
const selected = () =>
  screen.queryByRole('region', { name: 'Selected rows' })?.querySelector('span')?.textContent ?? null;
const row = (name: string) => screen.findByRole('row', { name: new RegExp(name) });

test('shows the columns of the specification in order, and a dash for missing values', async () => {
  await openSkus();
  const plate = await row('PLATE');
  const headers = screen.getAllByRole('columnheader').map((header) => header.textContent?.trim());
  expect(headers).toEqual([
    ...['', 'SKU', 'Name', 'Product Cost', 'Weight (oz)', 'Packaging Cost', 'Misc Cost', 'Veeqo ID', 'Edit'],
  ]);
  const cells = within(await row('MUG-1')).getAllByRole('cell');
  expect(cells.map((cell) => cell.textContent)).toEqual([
    ...['', 'Blue mug', '$4.20', '12.5', '$0.35', '$0.00', 'V-9', 'Edit'],
  ]);
  expect(within(plate).getAllByText('not available')).toHaveLength(3);
  const edit = within(plate).getByRole('link', { name: 'Edit PLATE' });
  expect(edit.getAttribute('href')).toBe('/skus?edit=2');
});

test('is after Listings in the navigation', async () => {
  await openSkus();
  const links = within(screen.getByRole('navigation', { name: 'Main' })).getAllByRole('link');
  const names = links.map((link) => link.textContent);
  expect(names.slice(0, 4)).toEqual(['Dashboard', 'Listings', 'SKUs', 'Bundles']);
});

test('searches all SKUs on the server, and shows an empty result', async () => {
  const { user, where } = await openSkus({
    'GET /api/skus?page=1&pageSize=25&q=00123': { body: { skus: [], total: 0 } },
  });
  await row('MUG-1');
  await user.type(screen.getByRole('searchbox', { name: 'Search by SKU or name' }), ' 00123');
  await screen.findByText('No SKUs found matching your search');
  expect(where()).toBe('/skus?q=00123');
  expect(within(screen.getByRole('navigation', { name: 'Pages' })).getByText('No SKUs')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Show all SKUs' }));
  await row('MUG-1');
});

test('sorts on the server, ascending first, and announces the direction', async () => {
  const { user, reads } = await openSkus({
    'GET /api/skus?page=1&pageSize=25&sort=productCost': { body: { skus: STORED_SKUS, total: 2 } },
    'GET /api/skus?page=1&pageSize=25&sort=-productCost': { body: { skus: STORED_SKUS, total: 2 } },
  });
  await row('MUG-1');
  await user.click(screen.getByRole('button', { name: 'Product Cost' }));
  const header = screen.getByRole('columnheader', { name: /^Product Cost/ });
  await waitFor(() => expect(header.getAttribute('aria-sort')).toBe('ascending'));
  await user.click(screen.getByRole('button', { name: 'Product Cost' }));
  await waitFor(() => expect(header.getAttribute('aria-sort')).toBe('descending'));
  expect(reads().at(-1)).toContain('sort=-productCost');
});

test('shows the loading state; a failure has its text, a retry and the request id', async () => {
  let answer = (_: { body: unknown }): void => undefined;
  const { user } = await openSkus({
    'GET /api/skus?page=1&pageSize=25': () => new Promise((resolve) => (answer = resolve)),
  });
  await screen.findByText('Loading SKUs...');
  answer(refusal(503, 'unavailable', 'It is away.'));
  const alert = await screen.findByRole('alert');
  expect(within(alert).getByText('Failed to fetch SKUs')).toBeTruthy();
  expect(alert.textContent).toContain('req-7');
  await user.click(within(alert).getByRole('button', { name: 'Retry' }));
  answer({ body: { skus: STORED_SKUS, total: 2 } });
  await row('MUG-1');
});

test('an account without SKUs sees how to start', async () => {
  const { user, where } = await openSkus({
    'GET /api/skus?page=1&pageSize=25': { body: { skus: [], total: 0 } },
  });
  await screen.findByRole('heading', { name: 'No SKUs found. Add a new SKU or sync from Veeqo.' });
  const template = screen.getByRole('link', { name: 'Download CSV template' });
  expect(template.getAttribute('href')).toBe('/api/imports/template/skus.csv');
  expect(within(screen.getByRole('navigation', { name: 'Pages' })).getByText('No SKUs')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Add the first SKU' }));
  expect(where()).toBe('/skus?add=1');
});

test('another page size starts at page 1 without a selection, and is stored for the next visit', async () => {
  const { user, where } = await openSkus(
    {
      'GET /api/skus?page=2&pageSize=25': PAGE,
      'GET /api/skus?page=1&pageSize=50': PAGE,
    },
    '/skus?page=2',
  );
  await user.click(within(await row('MUG-1')).getByRole('checkbox'));
  expect(selected()).toBe('1 selected');
  await user.selectOptions(screen.getByLabelText('Rows per page'), '50');
  await waitFor(() => expect(where()).toBe('/skus?size=50'));
  expect(selected()).toBeNull();
  expect(localStorage.getItem('skus-page-size')).toBe('50');
  const sizes = within(screen.getByLabelText('Rows per page')).getAllByRole('option');
  expect(sizes.map(({ textContent }) => textContent)).toEqual(['10', '25', '50', '100', '250']);
});

test('the page size of the last visit applies if the address has none', async () => {
  localStorage.setItem('skus-page-size', '100');
  const { reads } = await openSkus({ 'GET /api/skus?page=1&pageSize=100': PAGE });
  await row('MUG-1');
  expect(reads()).toEqual(['GET /api/skus?page=1&pageSize=100']);
});

test('going to another page clears the selection, and waits for the current page to load', async () => {
  let answer = (_: { body: unknown }): void => undefined;
  const { user, reads, where } = await openSkus({
    'GET /api/skus?page=1&pageSize=25': PAGE,
    'GET /api/skus?page=2&pageSize=25': () => new Promise((resolve) => (answer = resolve)),
  });
  await row('MUG-1');
  await user.click(screen.getByRole('checkbox', { name: 'Select all rows of this page' }));
  expect(selected()).toBe('2 selected');
  expect(screen.getByRole('button', { name: 'Previous page' })).toHaveProperty('disabled', true);
  const next = screen.getByRole('button', { name: 'Next page' });
  await user.click(next);
  await waitFor(() => expect(where()).toBe('/skus?page=2'));
  expect(selected()).toBeNull();
  expect(next.getAttribute('aria-disabled')).toBe('true');
  await user.click(next);
  answer(PAGE);
  await waitFor(() => expect(next.getAttribute('aria-disabled')).toBeNull());
  expect(screen.getByText('26-50 of 60')).toBeTruthy();
  expect(reads()).toHaveLength(2);
});

test('a delete shows the listings that lose their cost, and Undo restores it', async () => {
  const { user, writes } = await openSkus({
    'POST /api/skus/uses': { body: { skus: 2, named: ['MUG-1', 'PLATE'], listings: 5, bundles: 1 } },
    'POST /api/skus/delete': { body: { ids: ['1', '2'] } },
    'POST /api/skus/undelete': { body: { ids: ['1', '2'] } },
  });
  await row('MUG-1');
  await user.click(screen.getByRole('checkbox', { name: 'Select all rows of this page' }));
  await user.click(screen.getByRole('button', { name: 'Delete' }));
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Delete 2 SKUs?' }));
  await dialog.findByText(/They are part of the cost of 5 listings and 1 bundle\./);
  expect(dialog.getByText('MUG-1')).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Delete 2 SKUs' }));
  await screen.findByText('SKUs Deleted');
  expect(selected()).toBeNull();
  await user.keyboard('{Control>}z{/Control}');
  await screen.findByText('SKUs restored');
  expect(writes()).toEqual([
    { call: 'POST /api/skus/uses', body: { selection: { ids: ['1', '2'] } } },
    { call: 'POST /api/skus/delete', body: { selection: { ids: ['1', '2'] } } },
    { call: 'POST /api/skus/undelete', body: { ids: ['1', '2'] } },
  ]);
});

test('marking as hazardous shows what it affects, and Undo sets back those that changed', async () => {
  const { user, writes } = await openSkus({
    'POST /api/skus/uses': { body: { skus: 2, named: ['MUG-1', 'PLATE'], listings: 5, bundles: 1 } },
    'POST /api/skus/hazardous': { body: { ids: ['2'] } },
  });
  await row('MUG-1');
  await user.click(screen.getByRole('checkbox', { name: 'Select all rows of this page' }));
  await user.click(screen.getByRole('button', { name: 'Hazardous' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Mark as hazardous' }));
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Mark 2 SKUs as hazardous?' }));
  await dialog.findByText('The cost of 5 listings and 1 bundle has them in it.');
  await user.click(dialog.getByRole('button', { name: 'Mark 2 SKUs' }));
  await screen.findByText('1 SKU was changed.');
  expect(selected()).toBeNull();
  await user.keyboard('{Control>}z{/Control}');
  await waitFor(() => expect(writes()).toHaveLength(3));
  expect(writes().slice(1)).toEqual([
    { call: 'POST /api/skus/hazardous', body: { selection: { ids: ['1', '2'] }, isHazardous: true } },
    { call: 'POST /api/skus/hazardous', body: { selection: { ids: ['2'] }, isHazardous: false } },
  ]);
});

test('all results of a search are deleted with the search and the number that was shown', async () => {
  const { user, writes } = await openSkus(
    {
      'GET /api/skus?page=1&pageSize=25&q=old': PAGE,
      'POST /api/skus/uses': { body: { skus: 60, named: ['A', 'B', 'C'], listings: 0, bundles: 0 } },
      'POST /api/skus/delete': refusal(409, 'conflict', '61 SKUs match by now, not 60.'),
    },
    '/skus?q=old',
  );
  await row('MUG-1');
  await user.click(screen.getByRole('checkbox', { name: 'Select all rows of this page' }));
  await user.click(screen.getByRole('button', { name: 'Select all 60 matching this filter' }));
  await user.click(screen.getByRole('button', { name: 'Delete' }));
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Delete 60 SKUs?' }));
  await dialog.findByText('No listing or bundle uses them.');
  await user.click(dialog.getByRole('button', { name: 'Delete 60 SKUs' }));
  expect((await dialog.findByRole('alert')).textContent).toBe('61 SKUs match by now, not 60.');
  expect(writes().at(-1)?.body).toEqual({ selection: { filter: { q: 'old' }, expected: 60 } });
});

test('the export offers the page, the selection, and all that match', async () => {
  const { user } = await openSkus(
    {
      'GET /api/skus?page=1&pageSize=25&q=m&sort=-name': PAGE,
    },
    '/skus?q=m&sort=-name',
  );
  await user.click(within(await row('PLATE')).getByRole('checkbox'));
  await user.click(screen.getByRole('button', { name: 'Export' }));
  const links = (await screen.findAllByRole('menuitem')).map((item) => item.getAttribute('href'));
  expect(links).toEqual([
    '/api/skus/export.csv?q=m&sort=-name&ids=1%2C2',
    // Selected one by one: also rows outside the current search.
    '/api/skus/export.csv?sort=-name&ids=2',
    '/api/skus/export.csv?q=m&sort=-name',
  ]);
  await user.click(screen.getByRole('menuitem', { name: /All matching/ }));
  await screen.findByText('Exporting 60 SKU(s)...');
});

test('C adds a SKU, R reloads the list and shows the load time', async () => {
  const { user, where, reads } = await openSkus();
  await row('MUG-1');
  expect(screen.getByText(/^Updated \d/)).toBeTruthy();
  const before = reads().length;
  await user.keyboard('r');
  await waitFor(() => expect(reads()).toHaveLength(before + 1));
  await user.keyboard('c');
  expect(where()).toBe('/skus?add=1');
  await screen.findByRole('dialog', { name: 'Add SKU' });
});

test('a search with its order is saved as a view, independent of the page size of this browser', async () => {
  localStorage.setItem('skus-page-size', '100');
  const { user, writes, where } = await openSkus(
    {
      'GET /api/skus?page=1&pageSize=100&q=mug&sort=-name': PAGE,
      'POST /api/views': { body: { id: '7' } },
    },
    '/skus?q=mug&sort=-name',
  );
  await row('MUG-1');
  await user.click(screen.getByRole('button', { name: 'Save as a view' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Save as a view' }));
  await user.type(dialog.getByLabelText('Name'), 'Mugs');
  await user.click(dialog.getByRole('button', { name: 'Save view' }));
  await waitFor(() => expect(where()).toBe('/skus?q=mug&sort=-name&view=7'));
  expect(writes()).toMatchObject([
    { body: { list: 'skus', name: 'Mugs', query: { q: 'mug', sort: '-name' }, isShared: false } },
  ]);
});

test('by keyboard from the row to its editor', async () => {
  const { user, where } = await openSkus({ 'GET /api/skus/2': { body: aSku({ id: '2' }) } });
  (await row('PLATE')).focus();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(where()).toBe('/skus?edit=2'));
  await screen.findByRole('dialog', { name: 'Edit SKU' });
});

test('C adds a SKU', async () => {
  const { user, where } = await openSkus();
  await row('PLATE');
  await user.keyboard('c');
  await waitFor(() => expect(where()).toBe('/skus?add=1'));
  await screen.findByRole('dialog', { name: 'Add SKU' });
});

test('clearing the selection is announced', async () => {
  const { user } = await openSkus();
  await user.click(within(await row('MUG-1')).getByRole('checkbox'));
  await user.click(screen.getByRole('button', { name: 'Clear selection' }));
  await screen.findByText('Selection Cleared');
  expect(selected()).toBeNull();
});
