import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Tags } from 'lucide-react';
import { afterEach, expect, test, vi } from 'vitest';
import { aUser, serveApi } from '#tests/support/fake-api.ts';
import { renderApp } from '#tests/support/render-app.tsx';
import { KEYS, keyText } from '#web/lib/keys.ts';
import { showOverlay } from '#web/lib/overlay.ts';
import { switchSingleKeys, useShortcut } from '#web/lib/shortcuts.ts';
import type { Screen } from './navigation.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  showOverlay(null);
  switchSingleKeys(true);
});

const created = vi.fn();
function Rules(): React.JSX.Element {
  useShortcut(KEYS.create, created, 'Create rule');
  return (
    <>
      <h1 tabIndex={-1}>Rules</h1>
      <input aria-label="Name" />
    </>
  );
}

const PATHS = {
  '/': 'Dashboard',
  '/listings': 'Listings',
  '/profit': 'Profit',
  '/skus': 'SKUs',
  '/bundles': 'Bundles',
  '/rules': 'Rules',
  '/shipping-tiers': 'Shipping Tiers',
  '/history': 'History',
  '/costs': 'Costs',
  '/users': 'Users',
  '/settings': 'Settings',
} as const;

const SCREENS: readonly Screen[] = Object.entries(PATHS).map(([path, label]) => ({
  path,
  label,
  icon: Tags,
  access: ['/costs', '/users', '/settings'].includes(path) ? 'admin' : 'user',
  component: path === '/rules' ? Rules : () => <h1 tabIndex={-1}>{label}</h1>,
}));

async function open(role: 'user' | 'admin', at = '/rules') {
  serveApi({ 'GET /api/user': { body: aUser({ role }) } });
  const router = renderApp(at, SCREENS);
  await screen.findByRole('heading', { level: 1 });
  return { user: userEvent.setup(), where: () => router.state.location.pathname };
}

test.each([
  ['gl', '/listings'],
  ['gp', '/profit'],
  ['gk', '/skus'],
  ['gb', '/bundles'],
  ['gr', '/rules'],
  ['gt', '/shipping-tiers'],
  ['gh', '/history'],
  ['gc', '/costs'],
  ['gu', '/users'],
  ['gs', '/settings'],
  ['gd', '/'],
] as const)('%s goes to %s', async (keys, path) => {
  const { user, where } = await open('admin');
  await user.keyboard(keys);
  await screen.findByRole('heading', { level: 1, name: PATHS[path] });
  expect(where()).toBe(path);
});

test('a user cannot go to the admin screens', async () => {
  const { user, where } = await open('user');
  await user.keyboard('gu');
  expect(where()).toBe('/rules');
});

test('? shows every key, with the labels of this page, and the switch for single keys', async () => {
  const { user } = await open('user');
  await user.keyboard('?');
  const help = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }));
  expect(help.getByText('Create rule')).toBeTruthy();
  expect(within(help.getByRole('region', { name: 'Go to' })).getByText('G then K')).toBeTruthy();
  expect(help.queryByText('G then U')).toBeNull();
  for (const { keys } of Object.values(KEYS)) {
    for (const each of keys) expect(help.getByText(keyText(each))).toBeTruthy();
  }
  await user.click(help.getByRole('switch', { name: 'Single keys' }));
  await user.keyboard('{Escape}');
  await user.keyboard('gl?c');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(screen.getByRole('heading', { level: 1, name: 'Rules' })).toBeTruthy();
  expect(created).not.toHaveBeenCalled();
});

test("C creates the page's item, unless the focus is in a text field", async () => {
  const { user } = await open('user');
  await user.click(screen.getByLabelText('Name'));
  await user.keyboard('c');
  expect(created).not.toHaveBeenCalled();
  await user.click(document.body);
  await user.keyboard('c');
  expect(created).toHaveBeenCalledTimes(1);
});

test('a tooltip shows the key, except when single keys are off', async () => {
  const { user } = await open('user');
  await user.hover(screen.getByRole('button', { name: 'Toggle sidebar' }));
  expect((await screen.findByRole('tooltip')).textContent).toBe('Toggle sidebar (Ctrl+B)');
});
