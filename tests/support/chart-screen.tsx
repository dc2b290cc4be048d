import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { aUser, serveApi } from './fake-api.ts';
import { renderApp } from './render-app.tsx';
// Loaded on their first use, which is slow on a busy machine: not while a test waits for them.
import '#web/ui/chart/bar-chart.tsx';
import '#web/ui/chart/time-chart.tsx';

/** A screen with nothing but this chart, at /chart; every link leads to /there. */
export async function openChart(chart: React.ReactNode) {
  serveApi({ 'GET /api/user': { body: aUser() } });
  const router = renderApp('/chart', [
    {
      path: '/chart',
      label: 'Chart',
      access: 'user',
      component: () => (
        <>
          <h1>Chart</h1>
          {chart}
        </>
      ),
    },
    { path: '/there', label: 'There', access: 'user', component: () => <h1>There</h1> },
  ]);
  const plot = await screen.findByRole('application');
  return { user: userEvent.setup(), plot, where: () => router.state.location.href };
}

/** The cells of the table of numbers, row by row, its header first. */
export function tableCells(): string[][] {
  return screen
    .getAllByRole('row')
    .map((row) => [...row.querySelectorAll('th, td')].map((cell) => cell.textContent ?? ''));
}
