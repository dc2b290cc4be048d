import { screen, waitFor, within } from '@testing-library/react';
import type { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import type { RepricingLimits } from '#contract/repricing-limits.ts';
import { type Answer, type Answers, refusal } from '#tests/support/fake-api.ts';
import { field, LIMITS, openSettings, SETTINGS, saveBar } from '#tests/support/settings-screen.tsx';
import { dismissToasts } from '#web/lib/use-toast.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  dismissToasts();
});

const open = (more: Answers = {}, address = '/settings') => openSettings(SETTINGS, more, address);
async function retype(user: ReturnType<typeof userEvent.setup>, name: string, text: string): Promise<void> {
  await user.clear(field(name));
  await user.paste(text);
}

test('shows the stored values, with an example for each', async () => {
  const { user } = await open();
  expect(field('Step limit (largest change per run)').value).toBe('15');
  expect(
    screen.getByText(/At 15%, a price of \$20\.00 changes to \$17\.00 or \$23\.00 at most/),
  ).toBeTruthy();
  expect(screen.queryByRole('region', { name: 'Unsaved changes' })).toBeNull();
  await retype(user, 'Step limit (largest change per run)', '7.5');
  expect(
    screen.getByText(/At 7\.5%, a price of \$20\.00 changes to \$18\.50 or \$21\.50 at most/),
  ).toBeTruthy();
});

test('the circuit breaker explains each limit', async () => {
  const { user, writes } = await open();
  expect(screen.getByRole('group', { name: 'Circuit breaker' })).toBeTruthy();
  expect(screen.getByText(/At 20%, 21 of 100 listings halt repricing/)).toBeTruthy();
  expect(screen.getByText(/At 10%, a price of \$20\.00 has dropped at \$18\.00/)).toBeTruthy();
  await retype(user, 'Maximum share of listings that drop or rise', '2');
  // With fewer than five listings the percentage is ignored.
  expect(screen.getByText(/At 2%, 5 of 100 listings halt repricing/)).toBeTruthy();
  await user.click(saveBar().getByRole('button', { name: 'Save All Settings' }));
  await screen.findByText('Settings saved');
  expect(writes()[0]?.body).toMatchObject({ breakerDropShare: '2.00', breakerSameOutcomeShare: '20.00' });
});

test('a link to a section scrolls to it, also while those above it load, until the user acts', async () => {
  const seen: string[] = [];
  vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
    seen.push(this.id);
  });
  const growing: (() => void)[] = [];
  vi.stubGlobal(
    'ResizeObserver',
    class extends ResizeObserver {
      readonly #grow: () => void;
      constructor(grow: () => void) {
        super(grow);
        this.#grow = grow;
      }
      override observe = (target: Element): void => {
        if (target.querySelector('#own-sellers')) growing.push(this.#grow);
      };
      override disconnect = (): void => void growing.splice(growing.indexOf(this.#grow), 1);
    },
  );
  const { user } = await open({}, '/settings#own-sellers');
  await waitFor(() => expect(seen).toEqual(['own-sellers']));
  for (const grow of growing) grow();
  expect(seen).toEqual(['own-sellers', 'own-sellers']);
  await user.keyboard('{PageDown}');
  expect(growing).toEqual([]);
  vi.restoreAllMocks();
});

test('the save bar lists the changes, and only those are sent', async () => {
  const { user, writes } = await open();
  await retype(user, 'Step limit (largest change per run)', '7.5');
  expect(saveBar().getByText('1 unsaved change')).toBeTruthy();
  expect(saveBar().getByText('Step limit (largest change per run)')).toBeTruthy();
  await user.click(saveBar().getByRole('button', { name: 'Save All Settings' }));
  await screen.findByText('Settings saved');
  expect(writes()).toEqual([{ call: 'PUT /api/repricing-limits', body: { ...LIMITS, maxStep: '7.50' } }]);
  expect(screen.queryByRole('region', { name: 'Unsaved changes' })).toBeNull();
  expect(field('Step limit (largest change per run)').value).toBe('7.5');
});

test('typing the stored value leaves nothing to save', async () => {
  const { user } = await open();
  await retype(user, 'Check interval', '20');
  await retype(user, 'Check interval', '15');
  expect(screen.queryByRole('region', { name: 'Unsaved changes' })).toBeNull();
});

test('a value out of range is rejected with its range, takes the focus, and sends nothing', async () => {
  const { user, writes } = await open();
  for (const [name, text, problem] of [
    ['Step limit (largest change per run)', '0.5', 'Enter a percentage from 1 to 100'],
    ['Maximum share of listings that drop or rise', '100', 'Enter a percentage from 1 to 50'],
    ['What counts as a drop or rise', '26', 'Enter a percentage from 1 to 25'],
    ['Smallest change', '0', 'Enter an amount from $0.01 to $100.00'],
    ['Check interval', '1.5', 'Enter a whole number from 1 to 1440'],
    ['Maximum offer age', 'x', 'Enter hours from 1 to 720, such as 6 or 1.5'],
  ] as const) {
    const stored = field(name).value;
    await retype(user, name, text);
    expect(screen.getByText(problem)).toBeTruthy();
    await user.click(saveBar().getByRole('button', { name: 'Save All Settings' }));
    await waitFor(() => expect(document.activeElement).toBe(field(name)));
    await retype(user, name, stored);
    expect(screen.queryByText(problem)).toBeNull();
  }
  expect(writes()).toEqual([]);
});

test('a failed save keeps the input and shows the error on the page and in a toast', async () => {
  const { user } = await open({
    'PUT /api/repricing-limits': refusal(503, 'unavailable', 'The database is away.'),
  });
  await retype(user, 'Price war threshold (cuts)', '9');
  await user.click(saveBar().getByRole('button', { name: 'Save All Settings' }));
  await screen.findByText('Error');
  expect(screen.getByText('The database is away.')).toBeTruthy();
  expect(field('Price war threshold (cuts)').value).toBe('9');
  expect(saveBar().getByText('Price war threshold (cuts)')).toBeTruthy();
});

test('after another user saved, their values can be loaded under the unsaved changes', async () => {
  let stored: RepricingLimits = LIMITS;
  const put = (body: unknown): Answer => {
    const { version } = body as RepricingLimits;
    if (version !== stored.version) return refusal(409, 'conflict', 'Another user saved.');
    stored = { ...(body as RepricingLimits), version: version + 1 };
    return { body: stored };
  };
  const { user, writes } = await open({
    'GET /api/repricing-limits': () => ({ body: stored }),
    'PUT /api/repricing-limits': put,
  });
  stored = { ...LIMITS, holdHours: 48, version: 4 };
  await retype(user, 'Price war threshold (cuts)', '9');
  await user.click(saveBar().getByRole('button', { name: 'Save All Settings' }));
  await user.click(await screen.findByRole('button', { name: 'Load new values' }));
  await waitFor(() => expect(field('Hold after a manual price').value).toBe('48'));
  expect(field('Price war threshold (cuts)').value).toBe('9');
  await user.click(saveBar().getByRole('button', { name: 'Save All Settings' }));
  await screen.findByText('Settings saved');
  expect(writes().at(-1)?.body).toMatchObject({ holdHours: 48, priceWarThreshold: 9, version: 4 });
});

test('text typed during a save stays unsaved', async () => {
  let finish: (answer: Answer) => void = () => undefined;
  const { user } = await open({
    'PUT /api/repricing-limits': () => new Promise<Answer>((resolve) => (finish = resolve)),
  });
  await retype(user, 'Step limit (largest change per run)', '7.5');
  await user.click(saveBar().getByRole('button', { name: 'Save All Settings' }));
  await retype(user, 'Check interval', '30');
  finish({ body: { ...LIMITS, maxStep: '7.50', version: 4 } });
  await screen.findByText('Settings saved');
  await saveBar().findByText('1 unsaved change');
  expect(field('Check interval').value).toBe('30');
});

test('leaving asks once, and only with unsaved changes', async () => {
  const { user, router } = await open();
  await retype(user, 'Check interval', '30');
  await user.click(screen.getByRole('link', { name: 'Dashboard' }));
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Leave without saving?' }));
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  expect(router.state.location.pathname).toBe('/settings');
  expect(field('Check interval').value).toBe('30');
  await user.click(saveBar().getByRole('button', { name: 'Discard' }));
  expect(field('Check interval').value).toBe('15');
  await user.click(screen.getByRole('link', { name: 'Dashboard' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/'));
});

test.each([
  ['Backups', 'textbox', 'Days', 'Save backups'],
  ['Login', 'textbox', 'Issuer URL', 'Save login'],
] as const)(
  '%s, which has a save of its own, is not lost silently either',
  async (section, role, name, save) => {
    const { user, router } = await open();
    const here = within(await screen.findByRole('region', { name: section }));
    if (section === 'Login') await user.click(await here.findByRole('button', { name: /^Set up/ }));
    await user.type(await here.findByRole(role, { name }), '4');
    expect(saveBar().getByText(`Unsaved changes in ${section}`)).toBeTruthy();
    expect(screen.getByRole('link', { name: `${section}, not saved yet` })).toBeTruthy();
    // One button of the page is the primary one.
    expect(here.getByRole('button', { name: save }).className).not.toMatch(/bg-primary/);
    await user.click(screen.getByRole('link', { name: 'Dashboard' }));
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Leave without saving?' }));
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    expect(router.state.location.pathname).toBe('/settings');
    await user.type(here.getByRole(role, { name }), '{Backspace}');
    expect(screen.queryByRole('region', { name: 'Unsaved changes' })).toBeNull();
  },
);

test('sellers: one from the suggestions, one typed, one removed', async () => {
  const { user, writes } = await open();
  await user.click(screen.getByRole('button', { name: /Olive Co/ }));
  expect(screen.queryByRole('button', { name: /^Olive Co/ })).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('heading', { level: 3, name: 'Amazon' }));
  await user.type(field('Your seller name on eBay'), ' my-ebay-shop {Enter}');
  await user.click(screen.getByRole('button', { name: 'Remove My Shop' }));
  expect(document.activeElement).toBe(screen.getByRole('heading', { level: 3, name: 'Walmart' }));
  expect(saveBar().getByText('3 unsaved changes')).toBeTruthy();
  await user.click(saveBar().getByRole('button', { name: 'Save All Settings' }));
  await screen.findByText('Settings saved');
  expect(writes()).toEqual([
    {
      call: 'PUT /api/own-sellers',
      body: {
        marketplaces: [
          { marketplace: 'walmart', names: [] },
          { marketplace: 'amazon', names: ['Olive Co'] },
          { marketplace: 'ebay', names: ['my-ebay-shop'] },
        ],
      },
    },
  ]);
});

test.each([
  ['   ', 'Enter the name as the marketplace shows it'],
  ['MY SHOP', 'MY SHOP is already in the list'],
])('the seller name %j is rejected', async (name, problem) => {
  const { user } = await open();
  await user.type(field('Your seller name on Walmart'), `${name}{Enter}`);
  expect(screen.getByText(problem)).toBeTruthy();
  expect(screen.queryByRole('region', { name: 'Unsaved changes' })).toBeNull();
});

test('closes the books after showing what is still open, and opens them only after a question', async () => {
  const still = {
    sales: 4,
    unknown: 0,
    notTold: 2,
    unmatched: 3,
    unmatchedAmount: '-12.00',
    isCalculating: false,
  };
  let closedUntil: string | null = null;
  const { user, writes } = await open({
    'GET /api/books': () => ({ body: { closedUntil, timeZone: 'UTC' } }),
    'GET /api/books/open?day=2026-01-10': { body: still },
    'POST /api/books/close': () => {
      closedUntil = '2026-01-10';
      return { body: { closedUntil, timeZone: 'UTC' } };
    },
    'POST /api/books/reopen': { body: { closedUntil: null, timeZone: 'UTC' } },
  });
  const section = await screen.findByRole('region', { name: 'Books' });
  const day = await within(section).findByLabelText('Last closed day');
  await user.type(day, '2026-01-10');
  await waitFor(() => expect(within(section).getByRole('status').textContent).toMatch(/2 sales.*\$12\.00/s));
  expect(within(section).getAllByRole('listitem')).toHaveLength(2);
  await user.click(within(section).getByRole('button', { name: 'Close the books' }));
  const reopen = await within(section).findByRole('button', { name: /Open all days/ });
  await user.type(day, '2026-01-10');
  expect(within(section).getByRole('status').textContent).toContain('Already closed');
  await user.click(reopen);
  expect(writes()).toHaveLength(1);
  const question = await screen.findByRole('alertdialog');
  await user.click(within(question).getByRole('button', { name: 'Open days' }));
  await waitFor(() =>
    expect(writes()).toContainEqual({ call: 'POST /api/books/reopen', body: { day: null } }),
  );
  expect(writes()).toContainEqual({ call: 'POST /api/books/close', body: { day: '2026-01-10' } });
});
