import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { aRuleView } from '#tests/builders/rule-views.ts';
import { refusal } from '#tests/support/fake-api.ts';
import { openRules, ruleCard, SUMMER, WINTER } from '#tests/support/fake-rules.tsx';
import { NO_SALES } from '#tests/support/profit-responses.ts';

// Preloaded: its first import is slow.
beforeAll(() => import('./rules-page.tsx'));
afterEach(() => vi.unstubAllGlobals());

describe('the cards', () => {
  test("show a rule's strategy and link to its listings", async () => {
    openRules();
    const summer = within(await ruleCard('Summer'));
    for (const text of [
      'Active',
      'All fulfillment types',
      'Beat Competitor',
      '15%',
      '\u2212$0.05',
      'below the competitor',
    ]) {
      expect(summer.getByText(text)).toBeTruthy();
    }
    const link = summer.getByRole('link', { name: 'Applied To 12 products' });
    expect(link.getAttribute('href')).toBe('/listings?rule=1');
    const winter = within(await ruleCard('Winter'));
    expect(winter.getByText('Paused')).toBeTruthy();
    expect(winter.queryByText('Competitor Offset')).toBeNull();
    const file = screen.getByRole('link', { name: 'Export rules' });
    expect(file.getAttribute('href')).toBe('/api/rules/export.csv');
  });

  test('show the lines of a rule, numbered, in place of its strategy', async () => {
    const { user } = openRules('/rules', [
      { ...SUMMER, lines: 'winning: hold\nthe lowest\notherwise: own price' },
    ]);
    const summer = within(await ruleCard('Summer'));
    expect(summer.getByText('3 lines')).toBeTruthy();
    const details = summer.getByRole('button', { name: 'Details of rule Summer' });
    expect(details.getAttribute('aria-expanded')).toBe('false');
    expect(summer.queryByRole('listitem')).toBeNull();
    await user.click(details);
    expect(summer.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'winning: hold',
      'the lowest',
      'otherwise: own price',
    ]);
    expect(summer.queryByText('Beat Competitor')).toBeNull();
  });

  test('show what decides the listings, the price changes of a day, and the share at the margin floor', async () => {
    const decidedBy = {
      lines: [
        { line: 1, listings: 210, held: 0 },
        { line: 2, listings: 954, held: 150 },
        { line: 3, listings: 0, held: 0 },
      ],
      noLine: 0,
      notRead: 40,
      blocked: 0,
      unknown: 3,
    };
    const lined = {
      ...SUMMER,
      lines: 'winning: hold\nthe lowest\nfloor',
      decidedBy,
      changesInDay: 1,
      atMarginFloor: 3,
    };
    const fixed = aRuleView({ id: '3', name: 'Fixed', strategy: 'Fixed Margin', atMarginFloor: 12 });
    const { user } = openRules('/rules', [lined, WINTER, fixed]);
    const summer = within(await ruleCard('Summer'));
    await user.click(summer.getByRole('button', { name: 'Details of rule Summer' }));
    expect(
      summer.getByText('Line 1: 210, line 2: 954 (150 held), line 3: 0, not read 40, not known 3'),
    ).toBeTruthy();
    expect(summer.getByText('1 price change in 24 hours')).toBeTruthy();
    const floor = summer.getByRole('link', { name: '25% at margin floor' });
    expect(floor.getAttribute('href')).toBe('/listings?rule=1&state=at_floor');
    // It asks for that price on purpose, and a rule without listings has no share.
    expect(within(await ruleCard('Fixed')).queryByText(/at margin floor/)).toBeNull();
    expect(within(await ruleCard('Winter')).queryByText(/price changes/)).toBeNull();
  });

  test('show what sold at the prices of a rule, linked to its sales', async () => {
    const sold = {
      ...NO_SALES,
      units: 12,
      sales: 10,
      known: 10,
      profit: '45.10',
      from: '2026-11-03',
      to: '2026-11-22',
    };
    openRules('/rules', [{ ...SUMMER, sold }, WINTER]);
    const link = within(await ruleCard('Summer')).getByRole('link', { name: '12 units sold' });
    expect(link.getAttribute('href')).toBe('/profit?by=sale&rule=1&from=2026-11-03&to=2026-11-22');
    expect(link.parentElement?.textContent).toMatch(/about \$45\.10.*about \$4\.51/);
    expect(within(await ruleCard('Winter')).queryByRole('link', { name: /sold/ })).toBeNull();
  });

  test('show what its listings earned against before, once asked', async () => {
    const sold = { ...NO_SALES, units: 12, sales: 10, from: '2026-11-03', to: '2026-11-22' };
    const days = { ...NO_SALES, sales: 1, known: 1, told: 1, from: '2026-11-20', to: '2026-11-22' };
    const compared = {
      days: 3,
      since: { ...days, units: 9, revenue: '90.00', profit: '22.50' },
      before: { ...days, units: 4, revenue: '48.00', profit: '7.00' },
    };
    const { user } = openRules('/rules', [{ ...SUMMER, sold }], {
      'GET /api/rules/1/earnings': { body: { firstDay: '2026-11-19', listings: 2, compared } },
    });
    const summer = within(await ruleCard('Summer'));
    await user.click(summer.getByRole('button', { name: 'Details of rule Summer' }));
    const table = await summer.findByRole('table');
    expect(
      within(table)
        .getAllByRole('row')
        .map(({ textContent }) => textContent),
    ).toEqual(['2 listings3 days beforeLast 3 days', 'Units49', 'Revenue$48.00$90.00', 'Profit$7.00$22.50']);
  });

  test('show which rules match the same listings and which one wins', async () => {
    openRules('/rules', [SUMMER, aRuleView({ id: '3', name: 'eBay only', marketplace: 'ebay' })]);
    const summer = within(await ruleCard('Summer'));
    expect(
      summer.getByText('"eBay only" takes precedence for eBay: it is set for one marketplace.'),
    ).toBeTruthy();
  });

  test('are open where other rules leave a rule no listing', async () => {
    const winner = aRuleView({ id: '3', name: 'Winner', priority: 1 });
    openRules('/rules', [SUMMER, winner]);
    const isOpen = async (name: string) =>
      within(await ruleCard(name))
        .getByRole('button', { name: `Details of rule ${name}` })
        .getAttribute('aria-expanded');
    expect([await isOpen('Summer'), await isOpen('Winner')]).toEqual(['true', 'false']);
  });

  test('say in one sentence which listings a narrowed rule is for', async () => {
    openRules('/rules', [
      { ...SUMMER, segment: { ...SUMMER.segment, marketplaces: ['ebay', 'etsy'], brands: ['Acme'] } },
    ]);
    const summer = within(await ruleCard('Summer'));
    expect(summer.getByText('All listings on eBay or Etsy, brand Acme.')).toBeTruthy();
    expect(summer.queryByText('All Marketplaces')).toBeNull();
  });
});

describe('the tabs', () => {
  test('count and filter by state, also right after a switch, before the server has responded', async () => {
    let answer: () => void = () => undefined;
    const waiting = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const { user } = openRules('/rules?tab=active', [SUMMER, WINTER], {
      'POST /api/rules/active': async () => {
        await waiting;
        return refusal(503, 'unavailable', 'The database is away.');
      },
    });
    await user.click(within(await ruleCard('Summer')).getByRole('switch', { name: 'Summer active' }));
    await screen.findByRole('tab', { name: 'Active (0)' });
    expect(screen.getByRole('tab', { name: 'Paused (2)' })).toBeTruthy();
    expect(screen.queryByRole('group', { name: 'Summer' })).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('tab', { name: 'Active (0)' }));
    answer();
    await screen.findByText('The database is away.');
    expect(await ruleCard('Summer')).toBeTruthy();
    expect(screen.getByRole('tab', { name: 'Active (1)' })).toBeTruthy();
  });

  test('are in the address', async () => {
    const { user, router } = openRules();
    await user.click(await screen.findByRole('tab', { name: 'Paused (1)' }));
    await waitFor(() => expect(router.state.location.searchStr).toBe('?tab=paused'));
    expect(screen.queryByRole('group', { name: 'Summer' })).toBeNull();
    await user.click(screen.getByRole('tab', { name: 'All Rules (2)' }));
    await waitFor(() => expect(router.state.location.searchStr).toBe(''));
  });
});

describe('one switch', () => {
  test('is reverted by Undo', async () => {
    const { user, calls } = openRules();
    await user.click(within(await ruleCard('Winter')).getByRole('switch'));
    await screen.findByText('Rules Enabled');
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    await screen.findByText('1 rule is as before.');
    expect(calls('POST /api/rules/active')).toEqual([
      { ids: ['2'], isActive: true },
      { ids: ['2'], isActive: false },
    ]);
  });
});

describe('many at once', () => {
  test('select all is tri-state, and the bar acts on the selection', async () => {
    const { user, calls } = openRules();
    await user.click(within(await ruleCard('Winter')).getByRole('checkbox'));
    const all = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select all' });
    expect(all.indeterminate).toBe(true);
    await user.click(all);
    const bar = within(screen.getByRole('region', { name: 'Selected rules' }));
    expect(bar.getByText('2 selected')).toBeTruthy();
    await user.click(bar.getByRole('button', { name: 'Enable' }));
    await screen.findByText('1 rule enabled.');
    expect(calls('POST /api/rules/active')).toEqual([{ ids: ['1', '2'], isActive: true }]);
    expect(screen.queryByRole('region', { name: 'Selected rules' })).toBeNull();
  });

  test('disabling asks first and shows the effect on prices', async () => {
    const { user, calls } = openRules();
    await user.click(await screen.findByRole('checkbox', { name: 'Select all' }));
    await user.click(screen.getByRole('button', { name: 'Disable' }));
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Disable 2 rules?' }));
    expect(dialog.getByText('"Summer", "Winter"')).toBeTruthy();
    await dialog.findByText('12 listings use these rules now.');
    expect(calls('POST /api/rules/active')).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'Disable 2 rules' }));
    await screen.findByText('Rules Disabled');
    expect(calls('POST /api/rules/active')).toEqual([{ ids: ['1', '2'], isActive: false }]);
  });
});

test('deleting shows the listings and their prices, and Undo restores the rule', async () => {
  const { user, calls } = openRules();
  await user.click(within(await ruleCard('Summer')).getByRole('button', { name: 'Delete rule Summer' }));
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Delete rule "Summer"?' }));
  await dialog.findByText('12 listings use this rule now.');
  expect(dialog.getByText('12 listings match no other active rule: the price stays as it is.')).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Delete rule' }));
  await screen.findByText('Rules Deleted');
  await waitFor(() => expect(screen.queryByRole('group', { name: 'Summer' })).toBeNull());
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  expect(await ruleCard('Summer')).toBeTruthy();
  expect(calls('POST /api/rules/undelete')).toEqual([{ ids: ['1'] }]);
});
