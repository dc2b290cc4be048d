import { waitFor, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { tableCells } from '#tests/support/chart-screen.tsx';
import { closeNetwork } from '#tests/support/listings-screen.tsx';
import { PRICES } from '#tests/support/panel-responses.ts';
import { openPanelTab } from '#tests/support/panel-screen.ts';

afterEach(closeNetwork);

const CHART = 'GET /api/listings/1/price-chart?dateRange=30';

test("the price chart: readout, table and file match the server's data", async () => {
  const { user, panel } = await openPanelTab('competitors');
  const chart = await panel.findByRole('application', { name: 'Your price fell 10.0% in 10 days' });
  const said: string[] = [];
  chart.focus();
  await user.keyboard('{Home}');
  for (let at = 0; at < 5; at++) {
    said.push(within(panel.getByRole('figure')).getByRole('status').textContent ?? '');
    await user.keyboard('{ArrowRight}');
  }
  expect(said).toEqual([
    'Nov 1, 00:00: Your price $20.00, Minimum price $15.25',
    'Nov 2, 00:00: Your price $20.00, Lowest competitor $19.05, Highest competitor $1,234.50, Buy box $19.05, Minimum price $15.25',
    'Nov 3, 00:00: Your price $19.00, Lowest competitor $19.05, Highest competitor $1,234.50, Buy box $19.05, Minimum price $15.25, Change Beat BargainBarn (Beat all)',
    'Nov 5, 00:00: Your price $19.00, Minimum price $15.25',
    'Nov 8, 00:00: Your price $18.00, Minimum price $15.25, Change Sale (Sam)',
  ]);
  await user.click(panel.getByRole('button', { name: 'Show as table' }));
  const [header = [], ...rows] = tableCells().slice(-6);
  const spoken = rows.map(([when, ...cells]) => {
    const parts = cells.flatMap((cell, at) => (cell === '' ? [] : [`${header[at + 1]} ${cell}`]));
    return `${when}: ${parts.join(', ')}`;
  });
  expect(spoken).toEqual(said);
});

test('the price chart names its lines and has a legend of the shapes that occur', async () => {
  const { panel } = await openPanelTab('competitors');
  const chart = await panel.findByRole('application');
  expect([...chart.querySelectorAll('text.fill-fg')].map((label) => label.textContent)).toEqual([
    'Competitors',
    'Buy box',
    'Minimum price',
    'Your price',
  ]);
  const key = within(panel.getByRole('figure')).getAllByRole('listitem');
  expect(key.map((item) => item.textContent)).toEqual(['Automatic', 'Manual']);
});

test('with a shipping charge our lines are landed prices, like those of competitors', async () => {
  const { user, panel } = await openPanelTab('competitors', {
    [CHART]: { body: { ...PRICES, shippingCharge: '4.99' } },
  });
  const chart = await panel.findByRole('application', { name: /^Your price fell/ });
  expect(panel.getByText(/including your \$4\.99 shipping charge$/)).toBeTruthy();
  chart.focus();
  await user.keyboard('{Home}');
  expect(within(panel.getByRole('figure')).getByRole('status').textContent).toBe(
    'Nov 1, 00:00: Your price $20.00, Landed price $24.99, Landed minimum price $20.24',
  );
});

test('another range loads; the previous chart stays until then', async () => {
  const still = { ...PRICES, own: PRICES.own.slice(0, 1) };
  const { user, panel, where } = await openPanelTab('competitors', {
    'GET /api/listings/1/price-chart?dateRange=7': { body: still },
  });
  await panel.findByRole('application', { name: /^Your price fell/ });
  await user.click(panel.getByRole('button', { name: '7d' }));
  await panel.findByRole('application', { name: 'Your price has not changed in 10 days' });
  expect(where()).toBe('/listings?panel=1&tab=competitors&range=7');
  await waitFor(() => expect(panel.getByRole('button', { name: '7d', pressed: true })).toBeTruthy());
});
