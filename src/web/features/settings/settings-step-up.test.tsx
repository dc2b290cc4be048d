import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { type Answers, refusal } from '#tests/support/fake-api.ts';
import {
  field,
  LIMITS,
  openSettings,
  saveAll,
  saveBar,
  someSettings,
} from '#tests/support/settings-screen.tsx';
import { dismissToasts } from '#web/lib/use-toast.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  dismissToasts();
});

const AGAIN = refusal(403, 'step_up_required', 'Once more.');
const ETSY = someSettings({ marketplaces: { etsy: { enabled: true } } });

/** The settings of a user whose step-up has expired, with typed credentials. */
async function typeKey(more: Answers = {}) {
  let isStepUpFresh = false;
  const opened = await openSettings(
    ETSY,
    {
      'POST /api/step-up': () => {
        isStepUpFresh = true;
        return { body: { message: 'x' } };
      },
      'PUT /api/settings': () =>
        isStepUpFresh
          ? { body: someSettings({ marketplaces: { etsy: { enabled: true, keystring: '********' } } }) }
          : AGAIN,
      ...more,
    },
    '/settings?marketplace=etsy',
  );
  await opened.user.type(field('Keystring'), 'k-123');
  await opened.user.click(saveAll());
  return opened;
}

const question = async () => within(await screen.findByRole('dialog', { name: 'Enter your password' }));

test('credentials are saved after the password was entered', async () => {
  const { user, writes } = await typeKey();
  await user.type((await question()).getByLabelText('Password'), 'right{Enter}');
  await screen.findByText('Settings saved');
  expect(writes().map(({ call }) => call)).toEqual([
    'PUT /api/settings',
    'POST /api/step-up',
    'PUT /api/settings',
  ]);
  expect(screen.getByText('Stored, not shown')).toBeTruthy();
});

test('declining keeps the typed text, without an error', async () => {
  const { user, writes } = await typeKey();
  await user.click((await question()).getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(field('Keystring').value).toBe('k-123');
  expect(saveBar().getByText('Etsy Keystring')).toBeTruthy();
  expect(screen.queryByText('Could not save the settings')).toBeNull();
  expect(screen.queryByText('Error')).toBeNull();
  expect(writes()).toHaveLength(1);
  await user.click(saveAll());
  expect(await question()).toBeTruthy();
});

test('a looser limit asks for it too', async () => {
  const { user, writes } = await openSettings(ETSY, { 'PUT /api/repricing-limits': AGAIN });
  await user.clear(field('Step limit (largest change per run)'));
  await user.type(field('Step limit (largest change per run)'), '20');
  await user.click(saveAll());
  await user.click((await question()).getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(field('Step limit (largest change per run)').value).toBe('20');
  expect(writes().map(({ body }) => body)).toEqual([{ ...LIMITS, maxStep: '20.00' }]);
});

test('a missing second factor is reported with a link, and the typed text stays', async () => {
  const said = 'Administrators of this server need two-factor authentication for this.';
  const { user } = await typeKey({ 'PUT /api/settings': refusal(403, 'two_factor_missing', said) });
  const dialog = within(await screen.findByRole('dialog', { name: 'Two-factor authentication is required' }));
  expect(dialog.getByText(said)).toBeTruthy();
  const link = dialog.getByRole('link', { name: 'Set up two-factor authentication' });
  expect([link.getAttribute('href'), link.getAttribute('target')]).toEqual(['/account', '_blank']);
  await user.click(dialog.getAllByRole('button', { name: 'Close' })[0] as HTMLElement);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(field('Keystring').value).toBe('k-123');
  expect(screen.queryByText('Could not save the settings')).toBeNull();
});
