import { useQuery } from '@tanstack/react-query';
import { act, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Tags } from 'lucide-react';
import { afterEach, expect, test, vi } from 'vitest';
import { aUser, serveApi } from '#tests/support/fake-api.ts';
import { renderApp } from '#tests/support/render-app.tsx';
import { checkConnection, noteAnswer, noteNoAnswer } from '#web/lib/connection.ts';
import { ChangesCallout } from '#web/ui/changes-callout.tsx';
import type { Screen } from './navigation.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  noteAnswer();
});

const SCREENS: readonly Screen[] = [
  {
    path: '/',
    label: 'Things',
    icon: Tags,
    access: 'user',
    component: () => (
      <>
        <h1 tabIndex={-1}>Things</h1>
        <ChangesCallout onRefresh={() => undefined} />
      </>
    ),
  },
];

test('a missing answer shows a banner until the server answers; then the figures are marked as possibly old', async () => {
  let isUp = true;
  serveApi({
    'GET /api/user': { body: aUser() },
    'GET /healthz': () => {
      if (!isUp) throw new TypeError('Failed to fetch');
      return { body: {} };
    },
  });
  renderApp('/', SCREENS);
  await screen.findByRole('heading', { name: 'Things' });
  expect(screen.queryByRole('alert')).toBeNull();
  isUp = false;
  window.dispatchEvent(new Event('offline'));
  expect((await screen.findByRole('alert')).textContent).toContain('Pricewright is not responding.');
  isUp = true;
  await userEvent.setup().click(screen.getByRole('button', { name: 'Try now' }));
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  expect(screen.getByText('Listings may have changed.')).toBeTruthy();
});

let figuresAreThere = false;
function Figures(): React.JSX.Element {
  const { data, error } = useQuery({
    queryKey: ['figures'],
    queryFn: async () => {
      if (figuresAreThere) return 'all figures';
      throw new TypeError('Failed to fetch');
    },
  });
  return <p>{data ?? error?.message}</p>;
}

test('a part that failed to load without a connection is loaded after reconnecting', async () => {
  serveApi({ 'GET /api/user': { body: aUser() } });
  renderApp('/', [{ path: '/', label: 'Things', icon: Tags, access: 'user', component: Figures }]);
  await screen.findByText('Failed to fetch');
  figuresAreThere = true;
  act(() => noteNoAnswer());
  act(() => noteAnswer());
  await screen.findByText('all figures');
});

test('the server is polled with growing waits, and an error answer counts as an answer', async () => {
  vi.useFakeTimers();
  const requested: number[] = [];
  let isUp = false;
  vi.stubGlobal('fetch', async () => {
    requested.push(Date.now());
    if (!isUp) throw new TypeError('Failed to fetch');
    return new Response('', { status: 503 });
  });
  const begun = Date.now();
  await checkConnection();
  await vi.advanceTimersByTimeAsync(14_000);
  expect(requested.map((at) => at - begun)).toEqual([0, 2_000, 6_000, 14_000]);
  isUp = true;
  await vi.advanceTimersByTimeAsync(16_000);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(requested).toHaveLength(5);
  vi.useRealTimers();
});
