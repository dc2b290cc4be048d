import { screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { openListings, pageOf, rowOf, THREE } from '#tests/support/listings-screen.tsx';
import { setViewport } from '#tests/support/web-setup.ts';

afterEach(() => {
  setViewport(1440);
  vi.unstubAllGlobals();
});

const heads = (): string[] =>
  screen
    .getAllByRole('columnheader')
    .map((head) => head.getAttribute('data-column'))
    .filter((id) => id !== null);

test('a column without any value is hidden, listed as empty, and shown again', async () => {
  setViewport(1440);
  const { user } = openListings({ 'GET /api/listings': pageOf(THREE, 3, ['thirdPartyFbaWfs']) });
  await rowOf('A-1');
  expect(heads()).not.toContain('thirdPartyFbaWfs');
  expect(heads()).toContain('thirdPartyFbm');
  await user.click(screen.getByRole('button', { name: 'Columns' }));
  const columns = within(screen.getByRole('group', { name: 'Columns: 11 of 12, 1 empty' }));
  await user.click(columns.getByLabelText(/^3PL FBA\/WFS/));
  expect(heads()).toContain('thirdPartyFbaWfs');
});

test('the column that the list is sorted by stays, empty or not', async () => {
  setViewport(1440);
  openListings(
    { 'GET /api/listings?sort=thirdPartyFbaWfsPrice': pageOf(THREE, 3, ['thirdPartyFbaWfs']) },
    '/listings?sort=thirdPartyFbaWfsPrice',
  );
  await rowOf('A-1');
  expect(heads()).toContain('thirdPartyFbaWfs');
});

test('on a narrower screen the table scrolls sideways: nothing is hidden', async () => {
  setViewport(1024);
  openListings({ 'GET /api/listings': pageOf(THREE, 3, ['thirdPartyFbaWfs']) });
  await rowOf('A-1');
  expect(heads()).toContain('thirdPartyFbaWfs');
});

test('each view has its number of listings in its tab, red only where it is work to do', async () => {
  const total = (view: string, count: number) => ({ view, total: count, isTotalExact: true });
  openListings({
    'GET /api/listings/view-totals': {
      body: { totals: [total('', 1200), total('attention', 7), total('losing', 0), total('review', 4)] },
    },
  });
  const views = within(await screen.findByRole('navigation', { name: 'Views of listings' }));
  expect(await views.findByText('1,200')).toBeTruthy();
  expect(views.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
    'All listings1,200',
    'Needs attention7',
    'Losing money0',
    'Needs review4',
  ]);
  expect(views.getByText('7').className).toContain('danger');
  for (const text of ['1,200', '0', '4']) expect(views.getByText(text).className).not.toContain('danger');
});
