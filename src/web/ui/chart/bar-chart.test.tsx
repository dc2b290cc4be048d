import { screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { openChart, tableCells } from '#tests/support/chart-screen.tsx';
import type { Bar } from './bar-chart.tsx';
import { BarChart } from './charts.tsx';

const BARS: readonly Bar[] = [
  {
    key: 'a',
    label: 'below 5%',
    value: 3,
    text: '3',
    tone: 'danger',
    link: { to: '/there', search: { margin: '5' } },
  },
  { key: 'b', label: '5 to 10%', value: 0, text: '0', tone: 'warning' },
  { key: 'c', label: '10% and more', value: 12, text: '12', tone: 'success' },
];
const open = (bars = BARS) =>
  openChart(
    <BarChart
      title="Three listings earn less than 5%"
      note="All listings"
      columns={['Margin', 'Listings']}
      bars={bars}
      formatValue={String}
      isHistogram
    />,
  );

const LISTENERS = { addEventListener: () => undefined, removeEventListener: () => undefined };

afterEach(() => vi.unstubAllGlobals());

test('the title states the finding and names the chart, which is one tab stop', async () => {
  const { user, plot } = await open();
  expect(screen.getByRole('heading', { name: 'Three listings earn less than 5%' })).toBeTruthy();
  expect(plot.getAttribute('aria-label')).toBe('Three listings earn less than 5%');
  screen.getByRole('button', { name: 'Show as table' }).focus();
  await user.tab();
  expect(document.activeElement).toBe(plot);
});

test('the arrows read bar by bar and stop at the ends; Home and End jump', async () => {
  const { user, plot } = await open();
  plot.focus();
  const readout = screen.getByRole('status');
  await user.keyboard('{ArrowRight}');
  expect(readout.textContent).toBe('below 5%: Listings 3');
  expect(readout.getAttribute('aria-live')).toBe('polite');
  await user.keyboard('{ArrowRight}{ArrowRight}{ArrowRight}');
  expect(readout.textContent).toBe('10% and more: Listings 12');
  await user.keyboard('{Home}');
  expect(readout.textContent).toBe('below 5%: Listings 3');
  await user.keyboard('{End}{ArrowLeft}');
  expect(readout.textContent).toBe('5 to 10%: Listings 0');
  await user.tab();
  expect(readout.textContent).toBe('');
});

test('keys with Ctrl, Alt or Shift are left to the browser', async () => {
  const { user, plot } = await open();
  plot.focus();
  await user.keyboard('{Control>}{End}{/Control}{Alt>}{ArrowLeft}{/Alt}');
  expect(screen.getByRole('status').textContent).toBe('');
});

test('Enter on a bar that is a link follows it, and does nothing on one that is none', async () => {
  const { user, plot, where } = await open();
  plot.focus();
  await user.keyboard('{End}{Enter}');
  expect(where()).toBe('/chart');
  await user.keyboard('{Home}{Enter}');
  await waitFor(() => expect(where()).toBe('/there?margin=5'));
});

test('a bar that is a link can be pressed, and its row of the table is the same link', async () => {
  const { user } = await open();
  expect(screen.getByRole('link', { name: 'below 5%: 3' }).getAttribute('href')).toBe('/there?margin=5');
  await user.click(screen.getByRole('button', { name: 'Show as table' }));
  expect(screen.getByRole('link', { name: 'below 5%' }).getAttribute('href')).toBe('/there?margin=5');
});

test('the table shows the data of the bars, and can be hidden again', async () => {
  const { user } = await open();
  const toggle = screen.getByRole('button', { name: 'Show as table', pressed: false });
  expect(screen.queryByRole('table')).toBeNull();
  await user.click(toggle);
  expect(tableCells()).toEqual([
    ['Margin', 'Listings'],
    ['below 5%', '3'],
    ['5 to 10%', '0'],
    ['10% and more', '12'],
  ]);
  await user.click(screen.getByRole('button', { name: 'Show as table', pressed: true }));
  expect(screen.queryByRole('table')).toBeNull();
});

test('on paper the table is below the chart', async () => {
  const screenMedia = window.matchMedia;
  window.matchMedia = (query) =>
    query === 'print' ? { ...screenMedia(query), matches: true, ...LISTENERS } : screenMedia(query);
  await open();
  expect(tableCells()).toHaveLength(4);
  window.matchMedia = screenMedia;
});

test('an unknown value has no bar; zero has one of no height', async () => {
  const { plot } = await open([
    { key: 'a', label: 'Mon', value: null, text: 'not known' },
    { key: 'b', label: 'Tue', value: 0, text: '0' },
  ]);
  const marks = [...plot.querySelectorAll('rect.fill-chart-own')];
  expect(marks.map((mark) => mark.getAttribute('height'))).toEqual(['0']);
});

test('bars are as long as their values, counted from zero', async () => {
  const { plot } = await open([
    { key: 'a', label: 'A', value: 40, text: '40' },
    { key: 'b', label: 'B', value: 10, text: '10' },
    { key: 'c', label: 'C', value: -10, text: '-10' },
  ]);
  const [a = 0, b = 0, c = 0] = [...plot.querySelectorAll('rect.fill-chart-own')].map((mark) =>
    Number(mark.getAttribute('height')),
  );
  expect(a / b).toBeCloseTo(4, 5);
  expect(c).toBeCloseTo(b, 5);
});

test.each([
  ['whole numbers for a few listings', [2, 0], ['0', '1', '2']],
  ['0 and 1 when there is nothing to count', [0, 0], ['0', '1']],
  ['parts where values have parts', [0.5, 1], ['0', '0.2', '0.4', '0.6', '0.8', '1']],
])('the axis has %s', async (_, values, axis) => {
  const { plot } = await open(
    values.map((value, at) => ({ key: String(at), label: `Bar ${at}`, value, text: `${value} pieces` })),
  );
  const texts = [...plot.querySelectorAll('text')].map(({ textContent }) => textContent);
  expect(texts.filter((text) => /^[0-9.]+$/.test(text ?? ''))).toEqual(axis);
});
