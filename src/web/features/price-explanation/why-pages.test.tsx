import { screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import type { PriceExplanation } from '#contract/explanation.ts';
import { EXPLANATION } from '#tests/support/explanation.ts';
import { aUser, refusal, serveApi } from '#tests/support/fake-api.ts';
import { renderApp } from '#tests/support/render-app.tsx';
import { saleWaterfall, waterfallFinding } from './sale-waterfall.ts';

describe('the explanation of a price', () => {
  test('an entry of the history has an explanation with its own address, offers cheapest first', async () => {
    serveApi({
      'GET /api/user': { body: aUser() },
      'GET /api/history/3/12/explanation': { body: EXPLANATION },
    });
    renderApp('/history/3/12/why');
    expect(await screen.findByText(EXPLANATION.sentence)).toBeTruthy();
    expect(screen.getByRole('main').querySelector('a[href="/history"]')?.textContent).toBe('History');
    expect(screen.getByText('Margin').nextElementSibling?.textContent).toMatch(/^35\.0% to 29\.4%/);
    expect(screen.getByText('Profit of one sale').nextElementSibling?.textContent).toBe('$7.00 to $5.29');
    const [, theirs, ours] = within(screen.getByRole('table', { name: /Offers/ })).getAllByRole('row');
    expect(theirs?.textContent).toMatch(/Corner Store.*featured offer.*\$18\.00.*Included\./);
    expect(ours?.textContent).toMatch(/Us.*Excluded: your own offer\./);
    expect(screen.getByText('1 of 2 counted. Prices are compared with shipping included.')).toBeTruthy();
  });

  test('of a decision of a run is the one stored with the run', async () => {
    serveApi({
      'GET /api/user': { body: aUser() },
      'GET /api/runs/9/items/3/explanation': { body: { ...EXPLANATION, of: 'run' } },
    });
    renderApp('/runs/9/why/3');
    expect(await screen.findByText(EXPLANATION.sentence)).toBeTruthy();
    expect(screen.getByText('Decision of run 9, from the data used then')).toBeTruthy();
  });

  test('one sale is a waterfall from the price to the profit, without costs of zero', async () => {
    serveApi({
      'GET /api/user': { body: aUser() },
      'GET /api/history/3/12/explanation': { body: EXPLANATION },
    });
    renderApp('/history/3/12/why');
    const card = within(await screen.findByRole('region', { name: 'Of $17.99, $5.29 stays' }));
    expect(card.getByRole('img').getAttribute('aria-label')).toBe(
      'Of $17.99, $5.29 stays: Price $17.99, Fees \u2212$2.70 (15.0%), Product \u2212$10.00, Profit $5.29 (29.4%)',
    );
  });

  test('the landed prices of the offers with ours, the highest first, and the way back to the price before', async () => {
    serveApi({
      'GET /api/user': { body: aUser() },
      'GET /api/history/3/12/explanation': { body: EXPLANATION },
    });
    renderApp('/history/3/12/why');
    const ladder = within(
      await screen.findByRole('region', { name: 'Your price is below the only counted offer' }),
    );
    expect(ladder.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^Corner Store\$18\.00featured offer/),
      'You$17.99',
    ]);
    expect(screen.getByRole('link', { name: 'Revert to $20.00' }).getAttribute('href')).toMatch(
      /^\/history\?listing=\w+&revert=\w+-12$/,
    );
  });

  test('a loss, and a sale of which a part is unknown', () => {
    const lossy = { ...EXPLANATION, price: '12.00', profit: { before: '7.00', after: '-0.30' } };
    const bars = saleWaterfall(lossy) ?? [];
    expect(waterfallFinding(bars)).toBe('A sale at $12.00 loses $0.30');
    expect(bars.at(-1)).toMatchObject({ label: 'Loss', from: 0, to: -30, tone: 'danger' });
    expect(saleWaterfall({ ...EXPLANATION, profit: { before: null, after: null } })).toBeNull();
    const shipped = { ...EXPLANATION, facts: { ...EXPLANATION.facts, shippingCharge: '3.00' } };
    expect(saleWaterfall(shipped)?.[0]).toMatchObject({ label: 'Price + shipping', to: 2099 });
    // Without a decided price: what the old one leaves.
    expect(saleWaterfall({ ...EXPLANATION, price: null })?.at(-1)).toMatchObject({ to: 700 });
  });

  test('of a rule with lines: what became of each, the situation, and the price against each offer', async () => {
    const line = { text: '', condition: null, value: null, want: null, least: null, restsUntil: null };
    const body: PriceExplanation = {
      ...EXPLANATION,
      rule: EXPLANATION.rule && { ...EXPLANATION.rule, strategy: null },
      lines: {
        situation: 'not_read',
        since: EXPLANATION.at,
        each: [
          {
            ...line,
            line: 1,
            text: 'winning: hold',
            status: 'condition',
            condition: 'winning',
            value: 'losing',
          },
          { ...line, line: 2, text: '4% under the lowest', status: 'decided', want: '17.28' },
        ],
      },
      offers: EXPLANATION.offers.map((offer, place) => ({ ...offer, want: place === 1 ? '17.28' : null })),
    };
    serveApi({ 'GET /api/user': { body: aUser() }, 'GET /api/history/3/12/explanation': { body } });
    renderApp('/history/3/12/why');
    const card = within(await screen.findByRole('region', { name: 'Lines' }));
    expect(card.getByText(/^Situation:/).textContent).toMatch(/^Situation: not read since /);
    expect(card.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      '1. winning: holdNot met: winning (losing).',
      '2. 4% under the lowestApplies: $17.28.',
    ]);
    expect(within(screen.getByRole('region', { name: 'Rule' })).queryByText('Strategy')).toBeNull();
    expect(screen.getByRole('columnheader', { name: 'Line asks' })).toBeTruthy();
  });

  test('each step says where it left the price, and what it moved', async () => {
    serveApi({
      'GET /api/user': { body: aUser() },
      'GET /api/history/3/12/explanation': { body: EXPLANATION },
    });
    renderApp('/history/3/12/why');
    const steps = within(await screen.findByRole('list', { name: 'Step by step' })).getAllByRole('listitem');
    expect(steps.map(({ textContent }) => textContent)).toEqual([
      '1Strategy priceOne cent under Corner Store.$17.99\u2212$2.01',
    ]);
  });

  test('our own prices on other channels are among the limits, with the gap', async () => {
    const elsewhere = [
      { marketplace: 'ebay', price: '16.00', shippingCharge: '0.00' },
      { marketplace: 'etsy', price: '15.00', shippingCharge: '4.00' },
    ] as const;
    const body: PriceExplanation = {
      ...EXPLANATION,
      facts: { ...EXPLANATION.facts, elsewhere: [...elsewhere] },
      channelGap: 'Walmart then asks $1.99 more than eBay.',
    };
    serveApi({ 'GET /api/user': { body: aUser() }, 'GET /api/listings/3/explanation': { body } });
    renderApp('/listings/3/why');
    expect(await screen.findByText('Walmart then asks $1.99 more than eBay.')).toBeTruthy();
    expect(screen.getByText('Your price on eBay').nextElementSibling?.textContent).toBe('$16.00');
    expect(screen.getByText('Your price on Etsy').nextElementSibling?.textContent).toBe(
      '$15.00 + $4.00 shipping',
    );
  });

  test('a blocked listing names the missing data and links to it', async () => {
    const fix = 'Enter the product cost of SKU A-1 in the SKUs file.';
    const blocked: PriceExplanation = {
      ...EXPLANATION,
      of: 'now',
      outcome: 'blocked',
      price: null,
      fix,
      sentence: 'The total cost is unknown.',
      steps: [],
      allowed: null,
      moveRange: null,
      margin: { before: null, after: null },
    };
    serveApi({ 'GET /api/user': { body: aUser() }, 'GET /api/listings/3/explanation': { body: blocked } });
    renderApp('/listings/3/why');
    expect(await screen.findByText(fix)).toBeTruthy();
    expect(screen.getByText('No price')).toBeTruthy();
    expect(screen.queryByRole('heading', { name: 'Step by step' })).toBeNull();
  });

  test('a removed bundle links to where it can be saved again or confirmed as removed', async () => {
    const blocked: PriceExplanation = {
      ...EXPLANATION,
      of: 'now',
      outcome: 'blocked',
      price: null,
      fix: 'Save the components again on Bundles.',
      facts: { ...EXPLANATION.facts, gaps: ['bundle_unconfirmed'] },
    };
    serveApi({ 'GET /api/user': { body: aUser() }, 'GET /api/listings/3/explanation': { body: blocked } });
    renderApp('/listings/3/why');
    const link = await screen.findByRole('link', { name: `Open ${EXPLANATION.listing.sku} on Bundles` });
    expect(link.getAttribute('href')).toBe(`/bundles?listing=${EXPLANATION.listing.sku}`);
  });

  test('a price in cooldown shows the step that keeps it, and until when', async () => {
    const war = {
      step: 'wait' as const,
      from: '17.99',
      to: '20.00',
      because: 'price_war',
      text: 'Lowered 6 times.',
    };
    const resting: PriceExplanation = {
      ...EXPLANATION,
      of: 'now',
      outcome: 'keep',
      price: '20.00',
      restEndsAt: '2026-01-15T16:00:00.000Z',
      steps: [...EXPLANATION.steps, war],
    };
    serveApi({ 'GET /api/user': { body: aUser() }, 'GET /api/listings/3/explanation': { body: resting } });
    renderApp('/listings/3/why');
    const steps = within(await screen.findByRole('list', { name: 'Step by step' })).getAllByRole('listitem');
    expect(steps.at(-1)?.textContent).toContain('Lowered 6 times.');
    expect(document.querySelector('time[datetime="2026-01-15T16:00:00.000Z"]')).toBeTruthy();
  });

  test('a missing entry says so and links on', async () => {
    const message = 'This listing no longer has a recommended price.';
    serveApi({
      'GET /api/user': { body: aUser() },
      'GET /api/listings/3/recommendation': refusal(404, 'not_found', message),
    });
    renderApp('/listings/3/recommendation');
    expect(await screen.findByText(message)).toBeTruthy();
    const on = screen.getByRole('link', { name: 'Go to Listings' });
    expect(on.getAttribute('href')).toBe('/listings');
    expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
  });

  test('a failed explanation shows why and can be retried', async () => {
    serveApi({
      'GET /api/user': { body: aUser() },
      'GET /api/listings/3/recommendation': refusal(503, 'unavailable', 'The database is away.'),
    });
    renderApp('/listings/3/recommendation');
    expect(await screen.findByText('The database is away.')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Retry' })).toBeTruthy();
  });
});
