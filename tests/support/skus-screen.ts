import { screen } from '@testing-library/react';
import { PointerEventsCheckLevel, userEvent } from '@testing-library/user-event';
import type { Sku } from '#contract/skus.ts';
import { type Answers, aUser, serveApi } from './fake-api.ts';
import { renderApp } from './render-app.tsx';

/** A mug for $4.20 that weighs 12.5 oz. */
export function aSku(given: Partial<Sku> = {}): Sku {
  return {
    id: '1',
    sku: 'MUG-1',
    name: 'Blue mug',
    productCost: '4.20',
    weightOz: 12.5,
    lengthIn: null,
    widthIn: null,
    heightIn: null,
    isHazardous: false,
    packagingCost: '0.35',
    miscCost: '0.00',
    veeqoId: 'V-9',
    brand: null,
    supplier: null,
    tags: [],
    createdAt: '2026-11-21T10:00:00.000Z',
    updatedAt: '2026-11-21T10:00:00.000Z',
    version: 3,
    ...given,
  };
}

export const STORED_SKUS: readonly Sku[] = [
  aSku(),
  aSku({ id: '2', sku: 'PLATE', name: 'Plate', productCost: null, weightOz: null, veeqoId: null }),
];

/** The product at an address of SKUs; unless given otherwise there are two on one page. */
export async function openSkus(answers: Answers = {}, address = '/skus') {
  const sent = serveApi({
    'GET /api/user': { body: aUser() },
    'GET /api/jobs': { body: [] },
    'GET /api/skus?page=1&pageSize=25': { body: { skus: STORED_SKUS, total: 2 } },
    'GET /api/skus/1': { body: aSku() },
    'GET /api/views?list=skus': { body: { views: [] } },
    ...answers,
  });
  const router = renderApp(address);
  await screen.findByRole('heading', { name: 'SKU Management', hidden: true });
  return {
    sent,
    router,
    // A modal dialog that goes leaves its block on the page for a while in jsdom, unlike in browsers.
    user: userEvent.setup({
      delay: null,
      pointerEventsCheck: PointerEventsCheckLevel.Never,
      applyAccept: false,
    }),
    writes: () => sent.filter(({ call }) => !call.startsWith('GET')),
    reads: () => sent.filter(({ call }) => call.startsWith('GET /api/skus?')).map(({ call }) => call),
    where: () => router.state.location.href,
  };
}
