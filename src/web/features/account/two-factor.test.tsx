import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { anAccount, GUARDED, openAccount, RECOVERY_CODES } from '#tests/support/account-screen.tsx';
import { type Answers, refusal } from '#tests/support/fake-api.ts';
import { dismissToasts } from '#web/lib/use-toast.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  dismissToasts();
});

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h9v9"/></svg>';
const BEGUN = {
  secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  otpauthUrl: 'otpauth://totp/Pricewright:sam?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  qrSvg: SVG,
  expiresAt: '2026-11-21T12:15:00.000Z',
};
const WRONG_PASSWORD = refusal(400, 'validation_failed', 'x', { password: 'This password is wrong.' });
const WRONG_CODE = refusal(400, 'validation_failed', 'x', { code: 'This code is wrong.' });

/** The server's side of the second factor: accepts `right password` and 123456. */
const SERVER: Answers = {
  'POST /api/account/two-factor/begin': (body) =>
    (body as { password: string }).password === 'right password' ? { body: BEGUN } : WRONG_PASSWORD,
  'POST /api/account/two-factor/confirm': (body) =>
    (body as { code: string }).code === '123456' ? { body: { recoveryCodes: RECOVERY_CODES } } : WRONG_CODE,
  'POST /api/account/two-factor/disable': (body) => proved(body, { body: { message: 'x' } }),
  'POST /api/account/two-factor/recovery-codes': (body) =>
    proved(body, { body: { recoveryCodes: RECOVERY_CODES } }),
};

function proved(body: unknown, answer: { body: unknown }): ReturnType<typeof refusal> {
  const { password, code } = body as { password: string; code: string };
  if (password !== 'right password') return WRONG_PASSWORD;
  return code === '123456' || code.startsWith('AAAA1') ? answer : WRONG_CODE;
}

type User = Awaited<ReturnType<typeof openAccount>>['user'];

const card = () => screen.findByRole('region', { name: 'Two-factor authentication' });
const dialogCalled = async (name: string) => within(await screen.findByRole('dialog', { name }));

/** Opens the dialog and continues to the QR code. */
async function toTheCode(user: User) {
  await user.click(within(await card()).getByRole('button', { name: 'Turn on' }));
  const dialog = await dialogCalled('Turn on two-factor authentication');
  await user.type(dialog.getByLabelText('Password'), 'right password{Enter}');
  await dialog.findByRole('img');
  return dialog;
}

test('turned off, the card shows that and offers to turn it on', async () => {
  await openAccount();
  const off = within(await card());
  expect(off.getByText('2FA Disabled')).toBeTruthy();
  expect(off.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Turn on']);
});

test('password, picture, code: then it is on and the recovery codes are shown', async () => {
  const { user, writes, show } = await openAccount(anAccount(), SERVER);
  await user.click(within(await card()).getByRole('button', { name: 'Turn on' }));
  const dialog = await dialogCalled('Turn on two-factor authentication');
  const password = dialog.getByLabelText('Password');
  await waitFor(() => expect(document.activeElement).toBe(password));
  expect(password.getAttribute('autocomplete')).toBe('current-password');
  await user.keyboard('{Enter}');
  await dialog.findByText('Enter your password');
  await user.type(password, 'wrong one{Enter}');
  await dialog.findByText('This password is wrong.');
  await user.clear(password);
  await user.type(password, 'right password{Enter}');

  const picture = await dialog.findByRole<HTMLImageElement>('img', {
    name: /^QR code for your authenticator app/,
  });
  expect(decodeURIComponent(picture.src)).toBe(`data:image/svg+xml,${SVG}`);
  expect(dialog.getByText('JBSW Y3DP EHPK 3PXP JBSW Y3DP EHPK 3PXP')).toBeTruthy();
  const code = dialog.getByLabelText('2FA code');
  await waitFor(() => expect(document.activeElement).toBe(code));
  expect(dialog.getByText('Enter 6-digit code')).toBeTruthy();
  expect(code.getAttribute('autocomplete')).toBe('one-time-code');
  await user.keyboard('{Enter}');
  await dialog.findByText('Enter the code');
  await user.type(code, '000000{Enter}');
  await dialog.findByText('This code is wrong.');
  await user.clear(code);
  await user.paste('123 456');
  show(GUARDED);
  await user.click(dialog.getByRole('button', { name: 'Turn on' }));

  const codes = await dialogCalled('Two-factor authentication is on');
  const listed = within(codes.getByRole('list', { name: 'Recovery codes' })).getAllByRole('listitem');
  expect(listed.map(({ textContent }) => textContent)).toEqual(RECOVERY_CODES);
  expect(writes().at(-1)).toEqual({
    call: 'POST /api/account/two-factor/confirm',
    body: { code: '123456' },
  });
});

test('the recovery codes stay visible until the user confirms that they are saved', async () => {
  const { user, show, where, go } = await openAccount(anAccount(), SERVER);
  const dialog = await toTheCode(user);
  show(GUARDED);
  await user.type(dialog.getByLabelText('2FA code'), '123456{Enter}');
  const codes = await dialogCalled('Two-factor authentication is on');
  for (const leave of [
    () => user.click(codes.getByRole('button', { name: 'Done' })),
    () => user.click(codes.getByRole('button', { name: 'Close' })),
    () => user.keyboard('{Escape}'),
  ]) {
    await leave();
    expect(screen.getByRole('dialog', { name: 'Two-factor authentication is on' })).toBeTruthy();
  }
  await codes.findByText(/^Save the codes and select this first\./);
  go('/jobs');
  await screen.findByRole('dialog', { name: 'Two-factor authentication is on' });
  expect(where()).toBe('/account');
  await user.click(codes.getByRole('checkbox', { name: 'I have saved them' }));
  expect(codes.queryByText(/^Save the codes and select/)).toBeNull();
  await user.click(codes.getByRole('button', { name: 'Done' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const on = within(await card());
  await on.findByText('2FA Enabled');
  // Removed completely, also from the printed page.
  expect(screen.queryByText(RECOVERY_CODES[0] ?? '')).toBeNull();
  await waitFor(() => expect(document.activeElement).toBe(on.getByRole('button', { name: 'Turn off' })));
  go('/jobs');
  await waitFor(() => expect(where()).toBe('/jobs'));
});

test('the recovery codes can be copied, downloaded and printed', async () => {
  const { user } = await openAccount(anAccount(), SERVER);
  const dialog = await toTheCode(user);
  await user.type(dialog.getByLabelText('2FA code'), '123456{Enter}');
  const codes = await dialogCalled('Two-factor authentication is on');
  await user.click(codes.getByRole('button', { name: 'Copy' }));
  expect(await navigator.clipboard.readText()).toBe(RECOVERY_CODES.join('\n'));

  const files: Blob[] = [];
  const names: string[] = [];
  class SavingUrl extends URL {
    static override createObjectURL = (file: Blob): string => `blob:${files.push(file)}`;
    static override revokeObjectURL = (): undefined => undefined;
  }
  vi.stubGlobal('URL', SavingUrl);
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download);
  });
  await user.click(codes.getByRole('button', { name: 'Download' }));
  expect(names).toEqual(['pricewright-recovery-codes.txt']);
  expect(files[0]?.size).toBe(RECOVERY_CODES.join('\n').length + 1);

  const print = vi.fn();
  vi.stubGlobal('print', print);
  await user.click(codes.getByRole('button', { name: 'Print' }));
  expect(print).toHaveBeenCalledTimes(1);
  const paper = document.querySelector('[data-print-alone]');
  expect(paper?.parentElement).toBe(document.body);
  for (const code of RECOVERY_CODES) expect(paper?.textContent).toContain(code);
});

test('an unavailable clipboard leaves the codes selected', async () => {
  const { user } = await openAccount(anAccount(), SERVER);
  const dialog = await toTheCode(user);
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('not allowed'));
  await user.click(dialog.getByRole('button', { name: 'Copy secret' }));
  expect((await screen.findAllByText('Press Ctrl+C to copy')).length).toBeGreaterThan(0);
  expect(window.getSelection()?.toString()).toContain('JBSW Y3DP');
});

test('turned on, the card shows since when and how many codes are left', async () => {
  await openAccount(GUARDED);
  const on = within(await card());
  expect(on.getByText('2FA Enabled')).toBeTruthy();
  expect(on.getByText(/^Since Nov 3, /)).toBeTruthy();
  expect(on.getByText('Recovery codes left: 9 of 10')).toBeTruthy();
  expect(on.queryByText(/^Only/)).toBeNull();
});

test.each([
  [4, null],
  [3, 'Only 3 recovery codes left'],
  [1, 'Only 1 recovery code left'],
  [0, 'No recovery codes left'],
])('%i codes left show %j', async (recoveryCodesLeft, warning) => {
  await openAccount({ ...GUARDED, recoveryCodesLeft });
  const on = within(await card());
  expect(on.queryByText(/^(Only|No) .*left$/)?.textContent ?? null).toBe(warning);
});

test('an installation that requires it says so while it is off', async () => {
  await openAccount(anAccount({ twoFactorRequired: true }));
  expect(within(await card()).getByText('Turn it on to continue')).toBeTruthy();
});

test('turning it off needs password and code, and focuses the button that turns it on', async () => {
  const { user, writes, show } = await openAccount(GUARDED, SERVER);
  await user.click(within(await card()).getByRole('button', { name: 'Turn off' }));
  const dialog = await dialogCalled('Turn off two-factor authentication');
  await user.keyboard('{Enter}');
  await dialog.findByText('Enter your password');
  expect(dialog.getByText('Enter the code')).toBeTruthy();
  expect(writes()).toEqual([]);
  await user.type(dialog.getByLabelText('Password'), 'right password');
  await user.type(dialog.getByLabelText('2FA code'), '000000{Enter}');
  await dialog.findByText('This code is wrong.');
  const code = dialog.getByLabelText('2FA code');
  await waitFor(() => expect(document.activeElement).toBe(code));
  await user.clear(code);
  show(anAccount());
  await user.type(code, '123456{Enter}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const off = within(await card());
  expect(off.getByText('2FA Disabled')).toBeTruthy();
  await waitFor(() => expect(document.activeElement).toBe(off.getByRole('button', { name: 'Turn on' })));
  expect((await screen.findAllByText('Two-factor authentication is off')).length).toBeGreaterThan(0);
});

test('new recovery codes need password and code; a remaining recovery code is accepted', async () => {
  const { user, writes } = await openAccount(GUARDED, SERVER);
  await user.click(within(await card()).getByRole('button', { name: 'New recovery codes' }));
  const dialog = await dialogCalled('New recovery codes');
  await user.type(dialog.getByLabelText('Password'), 'right password');
  await user.type(dialog.getByLabelText('2FA code'), '123');
  await user.click(dialog.getByRole('button', { name: 'Use a recovery code instead' }));
  const recovery = dialog.getByLabelText<HTMLInputElement>('Recovery code');
  expect([document.activeElement, recovery.value]).toEqual([recovery, '']);
  await user.paste('AAAA1-BBBBB-CCCCC-DDDDD');
  await user.click(dialog.getByRole('button', { name: 'Create new codes' }));
  const codes = await dialogCalled('Your new recovery codes');
  expect(codes.getAllByRole('listitem')).toHaveLength(10);
  expect(writes()).toEqual([
    {
      call: 'POST /api/account/two-factor/recovery-codes',
      body: { password: 'right password', code: 'AAAA1-BBBBB-CCCCC-DDDDD' },
    },
  ]);
});

test('a failure without a field is shown in the dialog', async () => {
  const { user } = await openAccount(GUARDED, {
    'POST /api/account/two-factor/disable': refusal(429, 'too_many_requests', 'Too many tries.'),
  });
  await user.click(within(await card()).getByRole('button', { name: 'Turn off' }));
  const dialog = await dialogCalled('Turn off two-factor authentication');
  await user.type(dialog.getByLabelText('Password'), 'right password');
  await user.type(dialog.getByLabelText('2FA code'), '123456{Enter}');
  expect((await dialog.findByRole('alert')).textContent).toContain('Too many tries.');
});
