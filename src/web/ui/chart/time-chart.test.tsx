import { fireEvent, screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { openChart, tableCells } from '#tests/support/chart-screen.tsx';
import { TimeChart } from './charts.tsx';
import type { TimeLayer } from './time-plot.ts';

const DAY = 86_400_000;
const START = Date.UTC(2026, 10, 1);
const at = (day: number): number => START + day * DAY;

const LAYERS: readonly TimeLayer[] = [
  {
    kind: 'band',
    name: 'Competitors',
    spans: [
      { at: at(0), low: 900, high: 1_400 },
      { at: at(3), low: null, high: null },
      { at: at(6), low: 1_000, high: 1_200 },
    ],
  },
  {
    kind: 'line',
    name: 'Your price',
    style: 'solid',
    color: 'own',
    values: [
      { at: at(0), value: 1_500 },
      { at: at(5), value: 1_100 },
    ],
  },
  { kind: 'markers', name: 'Changes', markers: [{ at: at(5), value: 1_100, shape: 'square' }] },
];
const DATA = {
  columns: ['When', 'Your price', 'Competitors'],
  points: [
    {
      key: '0',
      cells: [
        { text: 'Nov 1', value: '2026-11-01' },
        { text: '$15.00', value: '15.00' },
        { text: '$9.00 to $14.00' },
      ],
    },
    {
      key: '3',
      cells: [{ text: 'Nov 4', value: '2026-11-04' }, { text: '$15.00', value: '15.00' }, { text: '' }],
    },
    {
      key: '5',
      cells: [{ text: 'Nov 6', value: '2026-11-06' }, { text: '$11.00', value: '11.00' }, { text: '' }],
    },
  ],
};

const open = (to = at(10)) =>
  openChart(
    <TimeChart
      title="Your price fell 27% in 10 days"
      range={{ from: START, to }}
      layers={LAYERS}
      markerNames={{ square: 'by hand', circle: 'by a rule' }}
      moments={[at(0), at(3), at(5)]}
      data={DATA}
      formatValue={(cents) => `$${(cents / 100).toFixed(2)}`}
      fileName="prices"
    />,
  );

afterEach(() => vi.unstubAllGlobals());

test('the arrows read moment by moment; unknown values are skipped', async () => {
  const { user, plot } = await open();
  plot.focus();
  await user.keyboard('{Home}');
  expect(screen.getByRole('status').textContent).toBe(
    'Nov 1: Your price $15.00, Competitors $9.00 to $14.00',
  );
  await user.keyboard('{ArrowRight}');
  expect(screen.getByRole('status').textContent).toBe('Nov 4: Your price $15.00');
  await user.keyboard('{End}');
  expect(screen.getByRole('status').textContent).toBe('Nov 6: Your price $11.00');
});

test('the first press of Left starts at the newest moment', async () => {
  const { user, plot } = await open();
  plot.focus();
  await user.keyboard('{ArrowLeft}');
  expect(screen.getByRole('status').textContent).toBe('Nov 6: Your price $11.00');
});

test('the pointer reads the nearest moment, without an announcement each time', async () => {
  const { plot } = await open();
  fireEvent.pointerMove(plot, { clientX: 60 });
  expect(screen.getByRole('status').textContent).toContain('Nov 1');
  expect(screen.getByRole('status').getAttribute('aria-live')).toBe('off');
  fireEvent.pointerLeave(plot);
  expect(screen.getByRole('status').textContent).toBe('');
});

test('lines and bands are named at their ends, and the legend shows only shapes that occur', async () => {
  const { plot } = await open();
  const labels = [...plot.querySelectorAll('text.fill-fg')].map((label) => label.textContent);
  expect(labels).toEqual(['Competitors', 'Your price']);
  expect(
    within(screen.getByRole('figure'))
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual(['by hand']);
});

test('a value holds until the next one: lines are steps, never diagonal', async () => {
  const { plot } = await open();
  const path = plot.querySelector('path.stroke-chart-own')?.getAttribute('d') ?? '';
  const corners = [...path.matchAll(/[ML]([\d.]+),([\d.]+)/g)].map(([, x, y]) => [x, y]);
  expect(corners.length).toBe(4);
  for (const [index, [x, y]] of corners.slice(1).entries()) {
    const [lastX, lastY] = corners[index] ?? [];
    expect(x === lastX || y === lastY).toBe(true);
  }
});

test('no two dates of the axis have the same text', async () => {
  const { plot } = await open(at(4));
  const dates = [...plot.querySelectorAll('text')]
    .map(({ textContent }) => textContent ?? '')
    .filter((text) => text.startsWith('Nov'));
  expect(dates.length).toBeGreaterThan(2);
  expect(new Set(dates).size).toBe(dates.length);
});

test('a gap stays a gap: the band is drawn in two pieces', async () => {
  const { plot } = await open();
  const area = plot.querySelector('path[fill-opacity]')?.getAttribute('d') ?? '';
  expect(area.match(/M/g)).toHaveLength(2);
});

test('the table shows every moment with the texts of the readout', async () => {
  const { user } = await open();
  await user.click(screen.getByRole('button', { name: 'Show as table' }));
  expect(tableCells()).toEqual([
    ['When', 'Your price', 'Competitors'],
    ['Nov 1', '$15.00', '$9.00 to $14.00'],
    ['Nov 4', '$15.00', ''],
    ['Nov 6', '$11.00', ''],
  ]);
});
