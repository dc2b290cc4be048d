import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { Run } from '#contract/engine.ts';
import { aMarketplace, aStatus, openEngine, RUN } from '#tests/support/engine-screen.ts';
import { refusal } from '#tests/support/fake-api.ts';
import { setViewport } from '#tests/support/web-setup.ts';

/** Opens the list of modes. @returns its contents */
async function openModes(user: ReturnType<typeof openEngine>['user']) {
  await user.click(await screen.findByRole('button', { name: /^Repricing mode/ }));
  const list = await screen.findByRole('dialog', { name: 'Repricing mode' });
  await within(list).findByRole('list', { name: 'Marketplaces' });
  return within(list);
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('the pill names each mode with its marketplaces, live ones first, and the next check', async () => {
  openEngine(
    aStatus({
      marketplaces: [
        aMarketplace({ marketplace: 'ebay' }),
        aMarketplace({ mode: 'live' }),
        aMarketplace({ marketplace: 'etsy', listingCount: 0 }),
      ],
    }),
  );
  const pill = await screen.findByRole('button', { name: /^Repricing mode/ });
  expect(pill.textContent).toBe('Repricing mode: LiveWalmart Recommend onlyeBay Next check in 7 min');
});

test('the pill opens the list of all marketplaces, with what each has', async () => {
  const { user } = openEngine(
    aStatus({
      marketplaces: [
        aMarketplace({ mode: 'live', recommendedCount: 3 }),
        aMarketplace({ marketplace: 'ebay', toUploadCount: 18 }),
        aMarketplace({ marketplace: 'etsy', listingCount: 0 }),
      ],
    }),
  );
  const modes = await openModes(user);
  const buttons = modes
    .getAllByRole('button')
    .map((button) => button.getAttribute('aria-label') ?? button.textContent);
  expect(buttons).toEqual([
    'Walmart Live 412 listings, 3 recommendedLive',
    'eBay Recommend only 412 listings, 18 to uploadRecommend only',
    'Go live on eBay...',
  ]);
  expect(modes.getAllByRole('listitem').at(-1)?.textContent).toBe('EtsyNo listings');
  expect(modes.getByText('Next check in 7 min')).toBeTruthy();
  expect(modes.getByRole('link', { name: 'Runs' }).getAttribute('href')).toBe('/runs');
});

test('an account without listings has no pill but can be halted', async () => {
  openEngine(aStatus({ marketplaces: [aMarketplace({ listingCount: 0 })] }));
  expect(await screen.findByRole('button', { name: 'Halt repricing' })).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Reprice now' })).toBeNull());
  expect(screen.queryByRole('button', { name: /^Repricing mode/ })).toBeNull();
});

test('a running run shows its progress and links to its page', async () => {
  const { user } = openEngine(aStatus({ run: RUN }));
  await openModes(user);
  const link = await screen.findByRole('link', { name: 'Repricing 1,240 of 5,000' });
  expect(link.getAttribute('href')).toBe('/runs/9');
  expect((screen.getByRole('button', { name: 'Reprice now' }) as HTMLButtonElement).disabled).toBe(true);
});

test('a run that includes listings that became due never shows more than 100%', async () => {
  const run: Run = { ...RUN, trigger: 'data_change', planned: 1_997, evaluated: 20_000 };
  openEngine(aStatus({ run, pendingCount: 9_958 }));
  const pill = await screen.findByRole('button', { name: /^Repricing mode/ });
  expect(pill.textContent).toContain('Repricing 20,000 of 29,958');
});

test('Halt acts at once, without a question, and turns the pill red for all users', async () => {
  let isHalted = false;
  const { user, count } = openEngine(
    () => ({
      body: aStatus(
        isHalted
          ? {
              isHalted,
              haltedBy: 'Sam Seller',
              haltedAt: new Date().toISOString(),
              haltReason: 'Wrong costs',
            }
          : {},
      ),
    }),
    {
      'POST /api/engine/halt': () => {
        isHalted = true;
        return { body: {} };
      },
    },
    'user',
  );
  await user.click(await screen.findByRole('button', { name: 'Halt repricing' }));
  const bar = await screen.findByText(/No new prices are sent\./);
  expect(
    screen.getByRole('button', { name: /^Repricing mode: ?Halted by Sam Seller, just now/ }),
  ).toBeTruthy();
  expect(bar.textContent).toMatch(
    /^Halted by Sam Seller, just now\. No new prices are sent\. Reason: Wrong costs/,
  );
  expect(bar.textContent).toContain('Only an administrator can resume.');
  expect(count('POST /api/engine/halt')).toBe(1);
  expect(screen.queryByRole('button', { name: 'Resume repricing' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Halt repricing' })).toBeNull();
});

test('prices sent before a halt are counted down until they arrive, and can be opened', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  try {
    let inProgressCount = 35;
    const { user } = openEngine(() => ({
      body: aStatus({ isHalted: true, haltedBy: 'Sam', inProgressCount }),
    }));
    expect((await screen.findByRole('button', { name: /^Repricing mode/ })).textContent).toContain(
      '35 prices already on the way',
    );
    await openModes(user);
    const link = await screen.findByRole('link', { name: '35 prices were already on their way' });
    expect(link.getAttribute('href')).toBe('/listings?state=in_progress');
    inProgressCount = 1;
    await act(() => vi.advanceTimersByTimeAsync(3_000));
    expect(screen.getByRole('link', { name: '1 price was already on its way' })).toBeTruthy();
    inProgressCount = 0;
    await act(() => vi.advanceTimersByTimeAsync(3_000));
    expect(screen.queryByRole('link', { name: /on (its|their) way/ })).toBeNull();
  } finally {
    vi.useRealTimers();
  }
});

test('a marketplace that is switched off is shown separately, whatever its mode, and says why', async () => {
  const { user } = openEngine(
    aStatus({
      marketplaces: [
        aMarketplace(),
        aMarketplace({ marketplace: 'ebay', mode: 'live', priceChannel: 'paused' }),
      ],
    }),
  );
  const modes = await openModes(user);
  await user.click(modes.getByRole('button', { name: /^eBay Paused/ }));
  await screen.findByText(/^Turned off in Settings, or a credential is missing\./);
  expect(screen.queryByText(/are applied automatically/)).toBeNull();
});

test('a read-only marketplace is shown separately, and says that nothing is sent', async () => {
  const { user } = openEngine(
    aStatus({
      marketplaces: [aMarketplace({ marketplace: 'michaels', mode: 'live', priceChannel: 'read_only' })],
    }),
  );
  const modes = await openModes(user);
  await user.click(modes.getByRole('button', { name: /^Michaels Read-only/ }));
  await screen.findByText(/^Sending prices to Michaels is turned off in Settings/);
  expect(screen.queryByText(/are applied automatically/)).toBeNull();
});

test('a marketplace with new credentials says why it only recommends', async () => {
  const state = { priceChannel: 'connected', modeResetReason: 'connected' } as const;
  const { user } = openEngine(aStatus({ marketplaces: [aMarketplace(state)] }));
  const modes = await openModes(user);
  await user.click(modes.getByRole('button', { name: /^Walmart Recommend only/ }));
  await screen.findByText('Walmart was connected: it only recommends prices until you go live.');
});

test('test addresses are shown on every page', async () => {
  openEngine(aStatus({ usesTestAddresses: true }));
  const bar = within(await screen.findByRole('region', { name: 'Repricing' }));
  expect(await bar.findByText('Connected to', { exact: false, selector: '.sr-only' })).toBeTruthy();
  expect(bar.getByText('Test servers')).toBeTruthy();
});

test('real ones are not shown', async () => {
  openEngine(aStatus());
  await screen.findByRole('region', { name: 'Repricing' });
  expect(screen.queryByText('Test servers')).toBeNull();
});

test('a halt that fails says so and can be retried', async () => {
  const { user } = openEngine(aStatus(), {
    'POST /api/engine/halt': refusal(503, 'unavailable', 'The database is away.'),
  });
  await user.click(await screen.findByRole('button', { name: 'Halt repricing' }));
  await screen.findByText('Could not halt repricing');
  expect(screen.getByRole('button', { name: 'Halt repricing' })).toBeTruthy();
});

test('an admin resumes', async () => {
  const { user, count } = openEngine(aStatus({ isHalted: true, haltedBy: 'Sam' }), {
    'POST /api/engine/resume': { body: {} },
  });
  await user.click(await screen.findByRole('button', { name: 'Resume repricing' }));
  await screen.findByText('Repricing resumed');
  expect(count('POST /api/engine/resume')).toBe(1);
});

test('an unknown repricing state says so, can be retried, and halting still works', async () => {
  let isUp = false;
  const { user } = openEngine(() => (isUp ? { body: aStatus() } : refusal(503, 'unavailable', 'Away.')));
  await screen.findByText('Failed to load the repricing status.');
  expect(screen.getByRole('button', { name: 'Halt repricing' })).toBeTruthy();
  isUp = true;
  await user.click(screen.getByRole('button', { name: 'Retry: repricing status' }));
  await screen.findByRole('button', { name: /Next check in 7 min$/ });
});

/** Intercepts downloads. @returns the names of the files, in order */
function catchDownloads(): string[] {
  const saved: string[] = [];
  vi.stubGlobal(
    'URL',
    Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => undefined }),
  );
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  return saved;
}

test('only a downloaded file can be marked as uploaded, by its time', async () => {
  const saved = catchDownloads();
  const { user, sent } = openEngine(aStatus({ marketplaces: [aMarketplace({ toUploadCount: 37 })] }), {
    'GET /api/price-file/walmart.csv': {
      body: 'sku,price',
      headers: { 'x-price-file-moment': '2026-11-21T12:00:00.000Z', 'x-price-file-held-back': '0' },
    },
    'POST /api/price-file/walmart/uploaded': { body: { cleared: 37, waiting: 2 } },
  });
  await openModes(user);
  await user.click(await screen.findByRole('button', { name: /Walmart.*37 to upload/ }));
  expect(screen.queryByRole('button', { name: /as uploaded/ })).toBeNull();
  await user.click(await screen.findByRole('button', { name: 'Download price file' }));
  const mark = await screen.findByRole('button', { name: /^Mark the .* file as uploaded$/ });
  expect(screen.queryByText(/not in the file/)).toBeNull();
  await user.click(mark);
  await screen.findByText('37 prices marked as uploaded');
  expect(screen.getByText('2 prices were not in this file. Download a new file later.')).toBeTruthy();
  expect(saved).toEqual(['walmart-prices.csv']);
  expect(sent.find(({ call }) => call === 'POST /api/price-file/walmart/uploaded')?.body).toEqual({
    upTo: '2026-11-21T12:00:00.000Z',
  });
});

test('a downloaded file shows how many prices are not in it, and links to them', async () => {
  catchDownloads();
  let excludedCount = '2';
  const { user, router } = openEngine(aStatus({ marketplaces: [aMarketplace({ toUploadCount: 37 })] }), {
    'GET /api/price-file/walmart.csv': () => ({
      body: 'sku,price',
      headers: { 'x-price-file-moment': '2026-11-21T12:00:00.000Z', 'x-price-file-held-back': excludedCount },
    }),
  });
  await openModes(user);
  await user.click(await screen.findByRole('button', { name: /Walmart.*37 to upload/ }));
  expect(screen.queryByText(/not in the file/)).toBeNull();
  await user.click(await screen.findByRole('button', { name: 'Download price file' }));
  const link = await screen.findByRole('link', { name: '2 prices are not in the file' });
  expect(link.parentElement?.textContent).toBe(
    '2 prices are not in the file: below the margin floor at current costs, or with a cost or fee missing.',
  );
  excludedCount = '1';
  await user.click(screen.getByRole('button', { name: 'Download price file' }));
  await user.click(await screen.findByRole('link', { name: '1 price is not in the file' }));
  expect(router.state.location.pathname).toBe('/listings');
  expect(router.state.location.search).toEqual({ state: 'below_floor', marketplace: 'walmart' });
  expect(screen.queryByRole('button', { name: 'Download price file' })).toBeNull();
});

test('any user switches to recommend only; only an admin can go live', async () => {
  const { user, sent } = openEngine(
    aStatus({ marketplaces: [aMarketplace({ mode: 'live' }), aMarketplace({ marketplace: 'ebay' })] }),
    { 'POST /api/engine/recommend-only': { body: {} } },
    'user',
  );
  await openModes(user);
  await user.click(await screen.findByRole('button', { name: /^eBay/ }));
  await screen.findByText('Only an administrator can go live.');
  expect(screen.queryByRole('button', { name: /^Go live/ })).toBeNull();
  await user.click(screen.getByRole('button', { name: /^Walmart/ }));
  await user.click(await screen.findByRole('button', { name: 'Switch Walmart to recommend only' }));
  await screen.findByText('Walmart is set to recommend only');
  expect(sent.find(({ call }) => call === 'POST /api/engine/recommend-only')?.body).toEqual({
    marketplaces: ['walmart'],
  });
});

test('on a phone the pill has the count of the first mode, and its list has the run and Reprice now', async () => {
  setViewport(390);
  const { user } = openEngine(aStatus({ marketplaces: [aMarketplace({ toUploadCount: 1 })], run: RUN }));
  const pill = await screen.findByRole('button', { name: /^Repricing mode: ?1 ?Recommend only$/ });
  expect(screen.queryByRole('button', { name: 'Reprice now' })).toBeNull();
  await user.click(pill);
  expect(await screen.findByRole('button', { name: 'Reprice now' })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Repricing 1,240 of 5,000' })).toBeTruthy();
});

test('Reprice now starts a run, and the stream brings its progress', async () => {
  let status = aStatus();
  const sources: { onmessage?: (message: { data: string }) => void }[] = [];
  vi.stubGlobal(
    'EventSource',
    class {
      onmessage?: (message: { data: string }) => void;
      constructor() {
        sources.push(this);
      }
      close(): void {
        sources.length = 0;
      }
    },
  );
  const { user } = openEngine(() => ({ body: status }), { 'POST /api/runs': { body: {} } });
  await user.click(await screen.findByRole('button', { name: 'Reprice now' }));
  await screen.findByText('Repricing started');
  status = aStatus({ run: RUN });
  act(() => sources[0]?.onmessage?.({ data: JSON.stringify({ kind: 'changed', topic: 'engine', ids: [] }) }));
  await screen.findByRole('button', { name: /Repricing 1,240 of 5,000/ });
});
