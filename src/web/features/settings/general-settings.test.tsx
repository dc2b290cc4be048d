import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { Settings } from '#contract/settings.ts';
import { aUser, refusal, serveApi } from '#tests/support/fake-api.ts';
import { renderApp } from '#tests/support/render-app.tsx';
import {
  field,
  LIMITS,
  openSettings,
  SETTINGS,
  saveAll,
  saveBar,
  someSettings,
} from '#tests/support/settings-screen.tsx';
import { dismissToasts } from '#web/lib/use-toast.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  dismissToasts();
});

test('settings that failed to load say so and can be retried', async () => {
  serveApi({
    'GET /api/user': { body: aUser({ role: 'admin' }) },
    'GET /api/settings': refusal(503, 'unavailable', 'The database is away.'),
  });
  renderApp('/settings');
  expect(await screen.findByText('Failed to load the settings')).toBeTruthy();
  expect(screen.getByText('The database is away.')).toBeTruthy();
});

test('a save sends the complete settings with the changes, and shows a toast', async () => {
  const { user, writes } = await openSettings();
  await user.click(field('Notifications'));
  await user.click(field('Automatic repricing'));
  await user.clear(field('Check interval'));
  await user.paste('30');
  expect(saveBar().getByText('3 unsaved changes')).toBeTruthy();
  expect(saveBar().getByText('Automatic repricing, Check interval, Notifications')).toBeTruthy();
  await user.click(saveAll());
  await screen.findByText('Settings saved');
  expect(screen.getByText('Your settings have been saved successfully.')).toBeTruthy();
  expect(writes()).toEqual([
    {
      call: 'PUT /api/settings',
      body: {
        autoRepricing: false,
        checkInterval: 30,
        notifications: false,
        version: 3,
        veeqo: { enabled: false, apiKey: '' },
        marketplaces: SETTINGS.marketplaces,
      },
    },
  ]);
  await waitFor(() => expect(screen.queryByText('3 unsaved changes')).toBeNull());
  expect(document.activeElement).toBe(saveAll());
});

test('Save All Settings is always there, and waits for a change', async () => {
  const { user, writes } = await openSettings();
  expect(saveAll().getAttribute('aria-disabled')).toBe('true');
  await user.click(saveAll());
  expect(screen.getByText('No unsaved changes')).toBeTruthy();
  await user.keyboard('{Control>}s{/Control}');
  expect(writes()).toEqual([]);
  await user.click(field('Notifications'));
  expect(saveAll().getAttribute('aria-disabled')).toBeNull();
});

test('each section has a link, and a dot while something in it is not saved', async () => {
  const { user } = await openSettings();
  const links = within(screen.getByRole('navigation', { name: 'Sections' }));
  expect(links.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['General Settings', '/settings#general'],
    ['Repricing limits', '/settings#limits'],
    ['Your sellers', '/settings#own-sellers'],
    ['Inventory Management', '/settings#inventory'],
    ['Marketplace Integrations', '/settings#marketplaces'],
    ['Backups', '/settings#backups'],
    ['Books', '/settings#books'],
    ['Login', '/settings#login'],
    ['API tokens', '/settings#api-tokens'],
    ['Webhooks', '/settings#webhooks'],
  ]);
  await user.clear(field('Price war threshold (cuts)'));
  await user.paste('9');
  expect(links.getByRole('link', { name: 'Repricing limits, not saved yet' })).toBeTruthy();
  expect(links.getByRole('link', { name: 'General Settings' })).toBeTruthy();
});

test('the link of the section on screen is marked', async () => {
  await openSettings();
  const tops: Readonly<Record<string, number>> = { general: -900, limits: 60 };
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    const top = tops[this.id] ?? 800;
    return { x: 0, y: top, top, left: 0, bottom: top, right: 0, width: 0, height: 0, toJSON: () => '' };
  });
  fireEvent.scroll(window);
  const links = within(screen.getByRole('navigation', { name: 'Sections' }));
  expect(links.getByRole('link', { current: true }).textContent).toBe('Repricing limits');
  vi.restoreAllMocks();
});

test.each(['often', ''])('a check interval of %j falls back to 15', async (text) => {
  const { user, writes } = await openSettings(someSettings({ checkInterval: 40 }));
  await user.clear(field('Check interval'));
  if (text !== '') await user.paste(text);
  // By keyboard: the field keeps the focus.
  await user.keyboard('{Control>}s{/Control}');
  await screen.findByText('Settings saved');
  expect(writes()[0]?.body).toMatchObject({ checkInterval: 15 });
  await waitFor(() => expect(field('Check interval').value).toBe('15'));
});

test('the time zone of the shop is sent once it is entered, and refused when there is none of that name', async () => {
  const { user, writes } = await openSettings();
  await user.click(field('Time zone'));
  await user.paste('Mars/Olympus');
  expect(screen.getByText('Enter a time zone such as America/New_York')).toBeTruthy();
  await user.clear(field('Time zone'));
  await user.paste('America/New_York');
  await user.click(saveAll());
  await screen.findByText('Settings saved');
  expect(writes()[0]?.body).toMatchObject({ timeZone: 'America/New_York' });
});

test('leaving the field shows the effective interval', async () => {
  const { user } = await openSettings(someSettings({ checkInterval: 40 }));
  await user.clear(field('Check interval'));
  await user.tab();
  expect(field('Check interval').value).toBe('15');
});

test("Ctrl+S saves and prevents the browser's save dialog", async () => {
  const { user, writes } = await openSettings();
  await user.click(field('Notifications'));
  const isLeftToBrowser = fireEvent.keyDown(document.body, { key: 's', ctrlKey: true });
  expect(isLeftToBrowser).toBe(false);
  await screen.findByText('Settings saved');
  expect(writes()).toHaveLength(1);
});

test("settings and repricing limits are one save: the second call uses the first one's version", async () => {
  const { user, writes } = await openSettings();
  await user.click(field('Automatic repricing'));
  await user.clear(field('Price war threshold (cuts)'));
  await user.paste('9');
  await user.click(saveAll());
  await screen.findByText('Settings saved');
  await user.click(field('Notifications'));
  await user.click(saveAll());
  await waitFor(() => expect(writes()).toHaveLength(3));
  expect(writes()).toEqual([
    { call: 'PUT /api/settings', body: expect.objectContaining({ autoRepricing: false, version: 3 }) },
    {
      call: 'PUT /api/repricing-limits',
      body: { ...LIMITS, autoRepricing: false, priceWarThreshold: 9, version: 4 },
    },
    { call: 'PUT /api/settings', body: expect.objectContaining({ notifications: false, version: 5 }) },
  ]);
});

test('when only the second call fails, the first is not sent again', async () => {
  let isUp = false;
  const { user, writes } = await openSettings(SETTINGS, {
    'PUT /api/repricing-limits': (body) =>
      isUp ? { body } : refusal(503, 'unavailable', 'The database is away.'),
  });
  await user.click(field('Notifications'));
  await user.clear(field('Price war threshold (cuts)'));
  await user.paste('9');
  await user.click(saveAll());
  await screen.findByText('Failed to save settings. Please try again.');
  expect(screen.getByText('Error')).toBeTruthy();
  expect(saveBar().getByText('1 unsaved change')).toBeTruthy();
  expect(saveBar().getByText('Price war threshold (cuts)')).toBeTruthy();
  isUp = true;
  await user.click(saveAll());
  await screen.findByText('Settings saved');
  expect(writes().map(({ call }) => call)).toEqual([
    'PUT /api/settings',
    'PUT /api/repricing-limits',
    'PUT /api/repricing-limits',
  ]);
});

test('after another user saved, their values are loaded under the unsaved changes', async () => {
  let stored: Settings = SETTINGS;
  const { user, writes } = await openSettings(SETTINGS, {
    'GET /api/settings': () => ({ body: stored }),
    'PUT /api/settings': (body) =>
      (body as Settings).version === stored.version
        ? { body: { ...stored, notifications: false, version: 5 } }
        : refusal(409, 'conflict', 'Another user saved.'),
  });
  stored = { ...SETTINGS, checkInterval: 60, version: 4 };
  await user.click(field('Notifications'));
  await user.click(saveAll());
  await user.click(await screen.findByText('Load new values'));
  await waitFor(() => expect(field('Check interval').value).toBe('60'));
  expect(screen.getByRole('switch', { name: 'Notifications', checked: false })).toBeTruthy();
  await user.click(saveAll());
  await screen.findByText('Settings saved');
  expect(writes().at(-1)?.body).toMatchObject({ checkInterval: 60, notifications: false, version: 4 });
});

test('credentials that this server cannot decrypt are reported at the top, with the fix', async () => {
  await openSettings(someSettings({ secretProblem: 'Set PRICEWRIGHT_SECRET_KEY to that key.' }));
  const callout = screen.getByText('Stored credentials cannot be decrypted').parentElement as HTMLElement;
  expect(within(callout).getByText('Set PRICEWRIGHT_SECRET_KEY to that key.')).toBeTruthy();
});

test('a skeleton shows while the settings load', async () => {
  serveApi({
    'GET /api/user': { body: aUser({ role: 'admin' }) },
    'GET /api/settings': () => new Promise(() => undefined),
    'GET /api/repricing-limits': { body: LIMITS },
    'GET /api/own-sellers': { body: { marketplaces: [] } },
  });
  renderApp('/settings');
  expect(await screen.findByText('Loading the settings')).toBeTruthy();
});
