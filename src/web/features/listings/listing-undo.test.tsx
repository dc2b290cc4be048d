import { screen, within } from '@testing-library/react';
import type { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import {
  bulkBar,
  closeNetwork,
  openListings,
  outcome,
  pressUndo,
  tick,
} from '#tests/support/listings-screen.tsx';
import { forgetActions } from '#web/lib/recent-actions-store.ts';

afterEach(() => {
  closeNetwork();
  forgetActions();
});

const UNDO = 'POST /api/listings/undo';

async function recentActions(user: ReturnType<typeof userEvent.setup>) {
  await user.click(screen.getByLabelText('Recent actions'));
  return within(await screen.findByRole('dialog', { name: 'Recent actions' }));
}

test('an Undo names listings changed by another user, also under "Recent actions"', async () => {
  const message = 'A-2 was changed since then and is left as is.';
  const { user } = openListings({
    'POST /api/listings/uploaded': outcome({ done: 2 }),
    [UNDO]: outcome({ done: 1, refusedCount: 1, refused: [{ listingId: '2', sku: 'A-2', message }] }),
  });
  await tick(user, 'A-1', 'A-2');
  await user.click(bulkBar().getByText('More'));
  await user.click(await screen.findByRole('menuitem', { name: 'Mark as uploaded' }));
  await screen.findByText('Marked as uploaded');
  await user.keyboard('{Control>}z{/Control}');
  const text = `1 listing is as before. 1 skipped: ${message}`;
  await screen.findByText(text);
  const panel = await recentActions(user);
  await panel.findByText(text);
});

test('an Undo that could restore nothing says why, and can be retried', async () => {
  const message = 'A-1 was changed since then and is left as is.';
  const { user } = openListings({
    'POST /api/listings/edit': outcome({ done: 1 }),
    [UNDO]: outcome({ done: 0, refusedCount: 1, refused: [{ listingId: '1', sku: 'A-1', message }] }),
  });
  await tick(user, 'A-1');
  await user.click(bulkBar().getByText('Enable repricing'));
  await pressUndo(user);
  await screen.findByText('Could not undo: Repricing Enabled');
  const panel = await recentActions(user);
  await panel.findByText(`1 skipped: ${message}`);
  expect(panel.getByRole('button', { name: /^Undo: Repricing Enabled/ }).textContent).toBe('Try again');
});
