import { screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { bar, box, type Load, load, names, openThings, showing } from '#tests/support/things-screen.tsx';
import { setViewport } from '#tests/support/web-setup.ts';

afterEach(() => vi.unstubAllGlobals());

test('a header sorts the whole list up, then down, and announces it', async () => {
  const { user, where } = await openThings();
  await showing('T-001', 'T-002', 'T-003', 'T-004', 'T-005');
  expect(screen.getByRole('columnheader', { name: /^Name/ }).getAttribute('aria-sort')).toBe('ascending');
  await user.click(screen.getByRole('button', { name: 'Price' }));
  await showing('T-250', 'T-249', 'T-248', 'T-247', 'T-246');
  expect(screen.getByRole('columnheader', { name: /^Price/ }).getAttribute('aria-sort')).toBe('ascending');
  expect(screen.getByRole('columnheader', { name: /^Name/ }).getAttribute('aria-sort')).toBeNull();
  await screen.findByText('250 things, sorted by Price, ascending, page 1 of 50');
  await user.click(screen.getByRole('button', { name: 'Price' }));
  await showing('T-001', 'T-002', 'T-003', 'T-004', 'T-005');
  expect(where()).toBe('/things?sort=-price');
});

test('pages: the current range, ends that go no further, a size that goes back to the first', async () => {
  const { user, where } = await openThings();
  await screen.findByText('1-5 of 250');
  expect(screen.getByText('Page 1 of 50')).toBeTruthy();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Previous page' }).disabled).toBe(true);
  await user.click(screen.getByRole('button', { name: 'Next page' }));
  await showing('T-006', 'T-007', 'T-008', 'T-009', 'T-010');
  expect(where()).toBe('/things?page=2');
  await user.selectOptions(screen.getByRole('combobox', { name: 'Rows per page' }), '10');
  await screen.findByText('1-10 of 250');
  expect(where()).toBe('/things?size=10');
});

test('the last page goes no further, and a page that does not exist leads to it', async () => {
  const { where } = await openThings('/things?page=99');
  await showing('T-246', 'T-247', 'T-248', 'T-249', 'T-250');
  expect(where()).toBe('/things?page=50');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Next page' }).disabled).toBe(true);
});

test('the rows of the previous page stay until the next has arrived', async () => {
  let release: () => void = () => undefined;
  const slow: Load = async (key) => {
    if (key.page === 2) await new Promise<void>((resolve) => (release = resolve));
    return load(key);
  };
  const { user } = await openThings('/things', slow);
  await showing('T-001', 'T-002', 'T-003', 'T-004', 'T-005');
  await user.click(screen.getByRole('button', { name: 'Next page' }));
  await screen.findByText('6-10 of 250');
  expect(names()[0]).toBe('T-001');
  const place = () => screen.getAllByRole('row')[1]?.getAttribute('aria-rowindex');
  expect(place()).toBe('2');
  expect(screen.getByRole('region', { name: 'Things' }).getAttribute('aria-busy')).toBe('true');
  release();
  await showing('T-006', 'T-007', 'T-008', 'T-009', 'T-010');
  expect(place()).toBe('7');
});

test('a search waits for a pause, keeps leading zeros, goes to page 1 and is announced', async () => {
  const { user, where } = await openThings('/things?page=4');
  await screen.findByText('Page 4 of 50');
  await user.keyboard('/');
  expect(document.activeElement).toBe(screen.getByRole('searchbox'));
  await user.type(screen.getByRole('searchbox'), ' 007 ');
  expect(where()).toBe('/things?page=4');
  await showing('T-007');
  expect(where()).toBe('/things?q=007');
  await screen.findByText('1 thing, sorted by Name, ascending');
});

test('no match is not the same as an empty list', async () => {
  await openThings('/things?q=nothing');
  expect(await screen.findByText('Nothing found')).toBeTruthy();
});

test('an empty list', async () => {
  await openThings('/things', async () => ({ rows: [], total: 0 }));
  expect(await screen.findByText('Nothing yet')).toBeTruthy();
});

test('a long load keeps the header and shows skeleton rows', async () => {
  await openThings('/things', () => new Promise(() => undefined));
  await screen.findByTestId('row-skeletons');
  expect(screen.getByRole('columnheader', { name: /^Price/ })).toBeTruthy();
});

test('the paging buttons appear with the rows: under skeleton rows they would move', async () => {
  let answer: (page: Awaited<ReturnType<typeof load>>) => void = () => undefined;
  await openThings('/things', () => new Promise((resolve) => (answer = resolve)));
  await screen.findByTestId('row-skeletons');
  answer(await load({ q: '', sort: 'name', page: 1, size: 5 }));
  await screen.findByRole('navigation', { name: 'Pages' });
  expect(screen.queryByTestId('row-skeletons')).toBeNull();
});

test('a failure shows the cause and can be retried', async () => {
  let isUp = false;
  const { user } = await openThings('/things', async (key) => {
    if (!isUp) throw new Error('down');
    return load(key);
  });
  expect((await screen.findByRole('alert')).textContent).toContain('Failed to load the things');
  isUp = true;
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await showing('T-001', 'T-002', 'T-003', 'T-004', 'T-005');
});

test('the rows stay when the next page fails to load', async () => {
  let isUp = true;
  const { user } = await openThings('/things', async (key) => {
    if (!isUp) throw new TypeError('Failed to fetch');
    return load(key);
  });
  await showing('T-001', 'T-002', 'T-003', 'T-004', 'T-005');
  isUp = false;
  await user.click(screen.getByRole('button', { name: 'Next page' }));
  await screen.findByRole('alert');
  expect(names()[0]).toBe('T-001');
  isUp = true;
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await showing('T-006', 'T-007', 'T-008', 'T-009', 'T-010');
  expect(screen.queryByRole('alert')).toBeNull();
});

test('columns: hidden, moved and resized ones are stored, and can be reset', async () => {
  const { user } = await openThings();
  await showing('T-001', 'T-002', 'T-003', 'T-004', 'T-005');
  const headers = (): string[] => screen.getAllByRole('columnheader').map((cell) => cell.textContent ?? '');
  screen.getByRole('separator', { name: 'Width of Price' }).focus();
  await user.keyboard('{ArrowRight}{Shift>}{ArrowRight}{/Shift}');
  expect(screen.getByRole('separator', { name: 'Width of Price' }).getAttribute('aria-valuenow')).toBe('140');
  await user.click(screen.getByRole('button', { name: 'Columns' }));
  await user.click(screen.getByRole('button', { name: 'Move Note left' }));
  expect(headers()).toEqual(['', 'Name', 'Note', 'Price']);
  await user.click(screen.getByRole('checkbox', { name: 'Note' }));
  expect(headers()).toEqual(['', 'Name', 'Price']);
  await user.click(screen.getByRole('radio', { name: 'Compact' }));
  const kept = JSON.parse(localStorage.getItem('pricewright-table:u-1:things') ?? '');
  expect(kept).toEqual({
    order: ['name', 'note', 'price'],
    hidden: ['note'],
    widths: { price: 140 },
    density: 'compact',
  });
  await user.click(screen.getByRole('button', { name: 'Reset columns' }));
  expect(headers()).toEqual(['', 'Name', 'Price', 'Note']);
});

test('a stored layout is restored, and a damaged one is ignored', async () => {
  localStorage.setItem(
    'pricewright-table:u-1:things',
    '{"hidden":["note",7],"widths":{"price":"wide"},"order":3}',
  );
  await openThings();
  await showing('T-001', 'T-002', 'T-003', 'T-004', 'T-005');
  expect(screen.getAllByRole('columnheader').map((cell) => cell.textContent)).toEqual(['', 'Name', 'Price']);
});

test('below 768 px rows are cards that can be selected', async () => {
  setViewport(390);
  const { user } = await openThings();
  expect(await screen.findByText('Card of T-001')).toBeTruthy();
  expect(screen.queryByRole('table')).toBeNull();
  await user.click(box('Select T-003'));
  expect(bar().getByText('1 selected')).toBeTruthy();
});

test('two hundred rows: those near the window are rendered with their positions', async () => {
  await openThings('/things?size=200&page=2');
  const table = await screen.findByRole('table');
  expect(table.getAttribute('aria-rowcount')).toBe('251');
  await screen.findByText('201-250 of 250');
  await waitFor(() => expect(names()).toHaveLength(50));
  expect(screen.getAllByRole('row')[1]?.getAttribute('aria-rowindex')).toBe('202');
});
