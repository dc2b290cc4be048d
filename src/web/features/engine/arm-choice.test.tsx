import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { ArmPlan } from '#contract/arm-plan.ts';
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
    ...{ marketplace: 'ebay', raised: 1, lowered: 0, priceChange: '3.00', profitChange: '0.00' },
    waiting: [
      { gate: 'ask_first', count: 7 },
      { gate: 'held', count: 2 },
    ],
    problems: [{ problem: 'no_product_cost', count: 80 }],
  }),
];
const planOf = (token: string, changes: number): { body: unknown } => ({
  body: planLine({ ...PLAN, token, changes, forecasts: FORECASTS } satisfies ArmPlan),
});
const ANSWERS = {
  [PLAN_OF]: planOf('nothing', 0),
  [`${PLAN_OF}walmart`]: planOf('walmart', 37),
  [`${PLAN_OF}ebay`]: planOf('ebay', 1),
  [`${PLAN_OF}walmart,ebay`]: planOf('both', 38),
  'POST /api/engine/arm': { body: {} },
};
const TWO = aStatus({
  marketplaces: [aMarketplace({ delivery: 'connected' }), aMarketplace({ marketplace: 'ebay' })],
});
const dialogOf = async () => within(await screen.findByRole('dialog', { name: 'Arm marketplaces' }));
const boxOf = (name: string) => screen.findByRole<HTMLInputElement>('checkbox', { name });

describe('choosing where to arm', () => {
  test('begins with nothing chosen: each says what would change there, and nothing can be armed', async () => {
    openEngine(TWO, ANSWERS, 'admin', '/?arm=choose');
    const dialog = await dialogOf();
    await dialog.findByText(
      '37 prices would change: 12 up, 25 down. Sold once each, they bring $41.20 less and leave $30.10 less profit. New prices are sent by themselves.',
    );
    dialog.getByText(
      '1 price would change: 1 up. Sold once, it brings $3.00 more and leaves the same profit. New prices wait in a file for you to upload.',
    );
    await dialog.findByText('Choose at least one marketplace to see its plan, price by price.');
    expect(dialog.queryByRole('button', { name: /^Arm/ })).toBeNull();
    expect(dialog.queryByText('Blue mug')).toBeNull();
    for (const name of ['Walmart', 'eBay']) expect((await boxOf(name)).checked).toBe(false);
  });

  test('says what is not ready, with the way to it, and what is left for a person', async () => {
    openEngine(TWO, ANSWERS, 'admin', '/?arm=choose');
    const dialog = await dialogOf();
    const link = await dialog.findByRole('link', { name: '80 no cost' });
    expect(link.getAttribute('href')).toBe('/listings?marketplace=ebay&problem=no_product_cost');
    dialog.getByText('Left for a person: 7 rule asks first, 2 held');
  });

  test('one is chosen, its plan is shown, and only this one is armed, with this plan', async () => {
    const { user, bodyOf, router } = openEngine(TWO, ANSWERS, 'admin', '/?arm=choose');
    await user.click(await boxOf('eBay'));
    const arm = await screen.findByRole('button', { name: 'Arm eBay: change 1 price' });
    expect(screen.getByText('Blue mug')).toBeTruthy();
    expect(router.state.location.search).toEqual({ arm: 'ebay' });
    await user.click(arm);
    await screen.findByText('eBay armed');
    expect(bodyOf('POST /api/engine/arm')).toEqual({ marketplaces: ['ebay'], token: 'ebay' });
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  test('another choice is another plan, and the button waits for it', async () => {
    let answer: (value: { body: unknown }) => void = () => undefined;
    const late = () =>
      new Promise<{ body: unknown }>((resolve) => {
        answer = resolve;
      });
    const { user, bodyOf } = openEngine(
      TWO,
      { ...ANSWERS, [`${PLAN_OF}walmart,ebay`]: late },
      'admin',
      '/?arm=walmart',
    );
    await screen.findByRole('button', { name: 'Arm Walmart: change 37 prices' });
    await user.click(await boxOf('eBay'));
    await screen.findByText('Loading the plan');
    expect(screen.queryByRole('button', { name: /^Arm/ })).toBeNull();
    expect(screen.queryByText('Blue mug')).toBeNull();
    // What each would come to stays in view meanwhile, and so does the focus.
    expect(screen.getByText(/37 prices would change/)).toBeTruthy();
    expect(document.activeElement).toBe(await boxOf('eBay'));
    answer(planOf('both', 38));
    await user.click(await screen.findByRole('button', { name: 'Arm Walmart and eBay: change 38 prices' }));
    await screen.findByText('Walmart and eBay armed');
    expect(bodyOf('POST /api/engine/arm')).toEqual({ marketplaces: ['walmart', 'ebay'], token: 'both' });
  });

  test('the last one taken away leaves nothing to arm', async () => {
    const { user, router } = openEngine(TWO, ANSWERS, 'admin', '/?arm=walmart');
    await screen.findByRole('button', { name: /^Arm Walmart:/ });
    await user.click(await boxOf('Walmart'));
    await screen.findByText(/^Choose at least one marketplace/);
    expect(screen.queryByRole('button', { name: /^Arm/ })).toBeNull();
    expect(router.state.location.search).toEqual({ arm: 'choose' });
  });

  test('what was refused is said of that choice alone', async () => {
    const { user } = openEngine(
      TWO,
      { ...ANSWERS, 'POST /api/engine/arm': refusal(403, 'not_allowed', 'Only administrators arm.') },
      'admin',
      '/?arm=walmart',
    );
    await user.click(await screen.findByRole('button', { name: /^Arm Walmart:/ }));
    await screen.findByText('Only administrators arm.');
    await user.click(await boxOf('eBay'));
    expect(screen.queryByText('Only administrators arm.')).toBeNull();
  });

  test('what is armed, paused or only read is no choice and says so, whatever a link asks for', async () => {
    openEngine(
      aStatus({
        marketplaces: [
          aMarketplace({ mode: 'armed' }),
          aMarketplace({ marketplace: 'amazon', delivery: 'paused' }),
          aMarketplace({ marketplace: 'michaels', delivery: 'read_only' }),
          aMarketplace({ marketplace: 'ebay' }),
          aMarketplace({ marketplace: 'etsy', listingCount: 0 }),
        ],
      }),
      ANSWERS,
      'admin',
      '/?arm=walmart,amazon,michaels,etsy',
    );
    const dialog = await dialogOf();
    expect(
      dialog
        .getAllByRole('checkbox')
        .map((box) => box.getAttribute('aria-label') ?? box.closest('label')?.textContent),
    ).toEqual(['eBay']);
    const rows = dialog.getAllByRole('listitem').map((row) => row.textContent);
    expect(rows[0]).toBe('Walmart Armed');
    expect(rows[1]).toContain(
      'Cannot be armed yet: it is switched off in Settings, or a key is missing there.',
    );
    expect(rows[2]).toContain('Cannot be armed yet: Settings do not let prices be sent there.');
    expect(dialog.getByRole('link', { name: 'Settings of Amazon' }).getAttribute('href')).toBe(
      '/settings?marketplace=amazon#marketplaces',
    );
    await dialog.findByText(/^Choose at least one marketplace/);
  });

  test('a shop on one marketplace is asked nothing', async () => {
    openEngine(aStatus(), ANSWERS, 'admin', '/?arm=choose');
    await screen.findByRole('dialog', { name: 'Arm Walmart' });
    await screen.findByRole('button', { name: 'Arm Walmart: change 37 prices' });
    expect(screen.queryByRole('checkbox')).toBeNull();
  });

  test('the engine bar arms a further one in the same way', async () => {
    const marketplaces = [aMarketplace({ mode: 'armed' }), aMarketplace({ marketplace: 'ebay' })];
    const { user } = openEngine(aStatus({ marketplaces }), ANSWERS);
    await user.click(await screen.findByRole('button', { name: /^eBay/ }));
    await user.click(await screen.findByRole('button', { name: 'Arm eBay...' }));
    await dialogOf();
    expect((await boxOf('eBay')).checked).toBe(true);
    await screen.findByRole('button', { name: 'Arm eBay: change 1 price' });
  });

  test('one that is paused offers no arming in the engine bar', async () => {
    const { user } = openEngine(aStatus({ marketplaces: [aMarketplace({ delivery: 'paused' })] }), ANSWERS);
    await user.click(await screen.findByRole('button', { name: /^Walmart/ }));
    await screen.findByRole('link', { name: 'Settings of Walmart' });
    expect(screen.queryByRole('button', { name: /^Arm/ })).toBeNull();
  });
});
