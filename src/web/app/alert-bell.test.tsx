import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import type { Alert } from '#contract/alerts.ts';
import { type Answers, aUser, refusal, serveApi } from '#tests/support/fake-api.ts';
import { renderApp } from '#tests/support/render-app.tsx';

afterEach(() => vi.unstubAllGlobals());

function anAlert(given: Partial<Alert> = {}): Alert {
  return {
    id: '1',
    kind: 'below_floor',
    message: '7 listings are priced below their margin floor.',
    link: '/listings?state=below_floor',
    startedAt: '2026-11-21T10:00:00.000Z',
    endedAt: null,
    ...given,
  };
}

const OVER = anAlert({
  id: '2',
  message: 'eBay could not be read: it is away.',
  link: '/settings',
  endedAt: '2026-11-21T11:00:00.000Z',
});

function open(answers: Answers) {
  const sent = serveApi({ 'GET /api/user': { body: aUser() }, 'GET /api/stats': { body: null }, ...answers });
  const router = renderApp('/');
  return { sent, router, user: userEvent.setup() };
}

test('the bell counts new alerts, and opening it marks them as seen', async () => {
  const alerts = [anAlert(), OVER];
  const { sent, user } = open({
    'GET /api/alerts': { body: { unseen: 1, alerts } },
    'POST /api/alerts/seen': { body: { unseen: 0, alerts } },
  });
  await user.click(await screen.findByRole('button', { name: 'Alerts: 1 new' }));
  const panel = await screen.findByRole('dialog', { name: 'Alerts' });
  const links = await within(panel).findAllByRole('link');
  expect(links.map((link) => link.textContent)).toEqual([
    expect.stringMatching(/^7 listings are priced below their margin floor\.Since /),
    expect.stringMatching(/^eBay could not be read: it is away\.Resolved /),
  ]);
  expect(sent.map(({ call }) => call)).toContain('POST /api/alerts/seen');
  await user.keyboard('{Escape}');
  expect(document.activeElement).toBe(await screen.findByRole('button', { name: 'Alerts' }));
});

test('an alert links to its screen', async () => {
  const { router, user } = open({ 'GET /api/alerts': { body: { unseen: 0, alerts: [anAlert()] } } });
  await user.click(await screen.findByRole('button', { name: 'Alerts' }));
  await user.click(await screen.findByRole('link', { name: /7 listings are priced below/ }));
  expect(router.state.location.pathname).toBe('/listings');
  expect(router.state.location.search).toMatchObject({ state: 'below_floor' });
  expect(screen.queryByRole('dialog', { name: 'Alerts' })).toBeNull();
});

test('an empty list says so', async () => {
  const { user } = open({});
  await user.click(await screen.findByRole('button', { name: 'Alerts' }));
  await screen.findByText('No alerts. Nothing needs your attention.');
});

test('a list that failed to load can be retried', async () => {
  let times = 0;
  const { user } = open({
    'GET /api/alerts': () => {
      times += 1;
      return times === 1
        ? refusal(500, 'internal', 'The database is away.')
        : { body: { unseen: 0, alerts: [anAlert()] } };
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Alerts' }));
  await user.click(await screen.findByRole('button', { name: 'Retry' }));
  await screen.findByRole('link', { name: /7 listings are priced below/ });
});
