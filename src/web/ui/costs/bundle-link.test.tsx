import { screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { ListingCosts } from '#contract/costs.ts';
import { aUser, serveApi } from '#tests/support/fake-api.ts';
import { renderApp } from '#tests/support/render-app.tsx';

afterEach(() => vi.unstubAllGlobals());

const COSTS: ListingCosts = {
  listingId: '4',
  marketplace: 'walmart',
  sku: 'SET-1',
  title: 'Blue set',
  fulfillmentType: 'FBM',
  currentPrice: '20.00',
  isBundle: false,
  version: 2,
  skuVersion: null,
  parts: [],
  totalCost: null,
  missing: [],
  gaps: [],
  others: [],
};

async function openEditor(costs: ListingCosts): Promise<void> {
  serveApi({
    'GET /api/user': { body: aUser({ role: 'admin' }) },
    'GET /api/costs?page=1&size=50': { body: { rows: [], total: 0 } },
    'GET /api/listings/4/costs': { body: costs },
  });
  renderApp('/costs?edit=4');
  await within(await screen.findByRole('dialog')).findByText('Total Cost');
}

test.each([
  ['a bundle', { ...COSTS, isBundle: true }],
  ['a removed bundle', { ...COSTS, gaps: ['bundle_unconfirmed'] }],
])('the costs of %s link to the bundle', async (_, costs) => {
  await openEditor(costs);
  const link = screen.getByRole('link', { name: 'Open SET-1 on Bundles' });
  expect(link.getAttribute('href')).toBe('/bundles?listing=SET-1');
});

test('those of a single item do not', async () => {
  await openEditor(COSTS);
  expect(screen.queryByRole('link', { name: 'Open SET-1 on Bundles' })).toBeNull();
});
