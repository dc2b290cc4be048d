import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { RunPreview } from '#contract/run-preview.ts';
import {
  aForecast,
  aMarketplace,
  aStatus,
  openEngine,
  PLAN,
  planLine,
} from '#tests/support/engine-screen.ts';
import { refusal } from '#tests/support/fake-api.ts';

afterEach(() => vi.unstubAllGlobals());

const PLAN_OF = 'GET /api/engine/plan?marketplaces=';
const FORECASTS = [
  aForecast(),
  aForecast({
    marketplace: 'ebay',
    raised: 1,
    lowered: 0,
    priceChange: '3.00',
    profitChange: '0.00',
    waiting: [
      { reviewReason: 'ask_first', count: 7 },
      { reviewReason: 'held', count: 2 },
    ],
    problems: [{ problem: 'no_product_cost', count: 80 }],
  }),
];
const planOf = (token: string, changes: number): { body: unknown } => ({
  body: planLine({ ...PLAN, token, changes, forecasts: FORECASTS } satisfies RunPreview),
});
const ANSWERS = {
  [PLAN_OF]: planOf('nothing', 0),
  [`${PLAN_OF}walmart`]: planOf('walmart', 37),
  [`${PLAN_OF}ebay`]: planOf('ebay', 1),
  [`${PLAN_OF}walmart,ebay`]: planOf('both', 38),
  'POST /api/engine/go-live': { body: {} },
};
const TWO = aStatus({
  marketplaces: [aMarketplace({ priceChannel: 'connected' }), aMarketplace({ marketplace: 'ebay' })],
});
const dialogOf = async () => within(await screen.findByRole('dialog', { name: 'Go live' }));
const boxOf = (name: string) => screen.findByRole<HTMLInputElement>('checkbox', { name });

describe('choosing marketplaces to go live', () => {
  test('starts without a selection: each shows its changes, and nothing can be confirmed', async () => {
    openEngine(TWO, ANSWERS, 'admin', '/?go-live=choose');
    const dialog = await dialogOf();
    await dialog.findByText(
      '37 prices would change: 12 up, 25 down. If each sells once, revenue is $41.20 lower and profit is $30.10 lower. New prices are sent automatically.',
    );
    dialog.getByText(
      '1 price would change: 1 up. If it sells once, revenue is $3.00 higher and profit is unchanged. You upload new prices in a file.',
    );
    expect(dialog.queryByRole('button', { name: /^(Go live|Preview)/ })).toBeNull();
    for (const name of ['Walmart', 'eBay']) expect((await boxOf(name)).checked).toBe(false);
  });

  test('shows what is not ready, with a link, and what needs review', async () => {
    openEngine(TWO, ANSWERS, 'admin', '/?go-live=choose');
    const dialog = await dialogOf();
    const link = await dialog.findByRole('link', { name: '80 no cost' });
    expect(link.getAttribute('href')).toBe('/listings?marketplace=ebay&problem=no_product_cost');
    dialog.getByText('Needs review: 7 rule requires review, 2 on hold');
  });

  test('one is selected, its preview is shown, and only this one goes live, with this preview', async () => {
    const { user, bodyOf, router } = openEngine(TWO, ANSWERS, 'admin', '/?go-live=choose');
    await user.click(await boxOf('eBay'));
    await user.click(await screen.findByRole('button', { name: 'Preview changes on eBay' }));
    const plan = within(await screen.findByRole('dialog', { name: 'Go live on eBay' }));
    await plan.findByText('Blue mug');
    expect(router.state.location.search).toEqual({ 'go-live': 'ebay' });
    await user.click(await plan.findByRole('button', { name: 'Go live on eBay: change 1 price' }));
    await screen.findByText('eBay is live');
    expect(bodyOf('POST /api/engine/go-live')).toEqual({ marketplaces: ['ebay'], token: 'ebay', fallen: 0 });
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  test('several are selected from the preview of one, and have another preview', async () => {
    const { user, bodyOf } = openEngine(TWO, ANSWERS, 'admin', '/?go-live=walmart');
    await screen.findByRole('button', { name: 'Go live on Walmart: change 37 prices' });
    await user.click(screen.getByRole('button', { name: 'Choose other marketplaces' }));
    expect((await boxOf('Walmart')).checked).toBe(true);
    expect(screen.queryByRole('button', { name: /^Go live/ })).toBeNull();
    await user.click(await boxOf('eBay'));
    await user.click(screen.getByRole('button', { name: 'Preview changes on 2 marketplaces' }));
    await user.click(
      await screen.findByRole('button', { name: 'Go live on Walmart and eBay: change 38 prices' }),
    );
    await screen.findByText('Walmart and eBay are live');
    expect(bodyOf('POST /api/engine/go-live')).toEqual({
      marketplaces: ['walmart', 'ebay'],
      token: 'both',
      fallen: 0,
    });
  });

  test('deselecting the last one removes the preview', async () => {
    const { user, router } = openEngine(TWO, ANSWERS, 'admin', '/?go-live=choose,walmart');
    await screen.findByRole('button', { name: 'Preview changes on Walmart' });
    await user.click(await boxOf('Walmart'));
    await waitFor(() => expect(screen.queryByRole('button', { name: /^Preview/ })).toBeNull());
    expect(router.state.location.search).toEqual({ 'go-live': 'choose' });
  });

  test('shows a failed preview; marketplaces can still be selected', async () => {
    let isUp = false;
    const look = () => (isUp ? planOf('nothing', 0) : refusal(503, 'unavailable', 'The database is away.'));
    const { user } = openEngine(TWO, { ...ANSWERS, [PLAN_OF]: look }, 'admin', '/?go-live=choose');
    await screen.findByText('Failed to calculate the changes');
    expect(screen.queryByText(/would change:/)).toBeNull();
    await user.click(await boxOf('eBay'));
    screen.getByRole('button', { name: 'Preview changes on eBay' });
    isUp = true;
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    await screen.findByText(/37 prices would change/);
    expect((await boxOf('eBay')).checked).toBe(true);
  });

  test('live, paused and read-only ones cannot be selected and say so, whatever a link asks for', async () => {
    openEngine(
      aStatus({
        marketplaces: [
          aMarketplace({ mode: 'live' }),
          aMarketplace({ marketplace: 'amazon', priceChannel: 'paused' }),
          aMarketplace({ marketplace: 'michaels', priceChannel: 'read_only' }),
          aMarketplace({ marketplace: 'ebay' }),
          aMarketplace({ marketplace: 'etsy', listingCount: 0 }),
        ],
      }),
      ANSWERS,
      'admin',
      '/?go-live=walmart,amazon,michaels,etsy',
    );
    const dialog = await dialogOf();
    expect(
      dialog
        .getAllByRole('checkbox')
        .map((box) => box.getAttribute('aria-label') ?? box.closest('label')?.textContent),
    ).toEqual(['eBay']);
    const rows = dialog.getAllByRole('listitem').map((row) => row.textContent);
    expect(rows[0]).toBe('Walmart Live');
    expect(rows[1]).toContain(
      'Cannot go live: the marketplace is turned off in Settings, or a credential is missing.',
    );
    expect(rows[2]).toContain('Cannot go live: sending prices is turned off in Settings.');
    expect(dialog.getByRole('link', { name: 'Amazon settings' }).getAttribute('href')).toBe(
      '/settings?marketplace=amazon#marketplaces',
    );
    expect(dialog.queryByRole('button', { name: /^(Go live|Preview)/ })).toBeNull();
  });

  test('an account with one marketplace has no choice', async () => {
    openEngine(aStatus(), ANSWERS, 'admin', '/?go-live=choose');
    await screen.findByRole('dialog', { name: 'Go live on Walmart' });
    await screen.findByRole('button', { name: 'Go live on Walmart: change 37 prices' });
    expect(screen.queryByRole('checkbox')).toBeNull();
  });

  test('the list of modes lets another one go live the same way', async () => {
    const marketplaces = [aMarketplace({ mode: 'live' }), aMarketplace({ marketplace: 'ebay' })];
    const { user, bodyOf } = openEngine(aStatus({ marketplaces }), ANSWERS);
    await user.click(await screen.findByRole('button', { name: /^Repricing mode/ }));
    await user.click(await screen.findByRole('button', { name: 'Go live on eBay...' }));
    const goLive = await screen.findByRole('button', { name: 'Go live on eBay: change 1 price' });
    // The other one is live: there is nothing else to select.
    expect(screen.queryByRole('button', { name: 'Choose other marketplaces' })).toBeNull();
    await user.click(goLive);
    await screen.findByText('eBay is live');
    expect(bodyOf('POST /api/engine/go-live')).toEqual({ marketplaces: ['ebay'], token: 'ebay', fallen: 0 });
  });

  test('a paused one cannot go live from the list of modes', async () => {
    const { user } = openEngine(
      aStatus({ marketplaces: [aMarketplace({ priceChannel: 'paused' })] }),
      ANSWERS,
    );
    await user.click(await screen.findByRole('button', { name: /^Repricing mode/ }));
    await user.click(await screen.findByRole('button', { name: /^Walmart/ }));
    await screen.findByRole('link', { name: 'Walmart settings' });
    expect(screen.queryByRole('button', { name: /^Go live/ })).toBeNull();
  });
});
