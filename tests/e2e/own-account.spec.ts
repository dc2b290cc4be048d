import type { APIRequestContext, Page } from '@playwright/test';
import { TOTP } from 'otpauth';
import { BREADTH, expect, expectAccessible, OWNER, test } from './fixtures.ts';
import { verificationLinkTo } from './outbox.ts';

const TESS = {
  fullName: 'Tess Twofold',
  email: 'tess@example.com',
  phoneNumber: '+1 555 0188',
  password: 'green lanterns by the river',
};
const STEP = 30_000;

/** The administrator, by API. */
async function logInOwner(owner: APIRequestContext, headers: { origin: string }): Promise<void> {
  await owner.post('/api/register', { headers, data: { ...OWNER, username: OWNER.email } });
  const data = { username: OWNER.email, password: OWNER.password, twoFactorToken: '' };
  expect((await owner.post('/api/login', { headers, data })).status()).toBe(200);
}

/** Registers Tess, verified and approved. @returns her id */
async function letTessIn(owner: APIRequestContext, headers: { origin: string }): Promise<string> {
  await owner.post('/api/register', { headers, data: { ...TESS, username: TESS.email } });
  const users: { id: string; email: string }[] = await (await owner.get('/api/users')).json();
  const id = users.find(({ email }) => email === TESS.email)?.id ?? '';
  await expect.poll(() => verificationLinkTo(TESS.email)).not.toBeNull();
  const token = new URL(verificationLinkTo(TESS.email) ?? '').searchParams.get('token');
  expect((await owner.get(`/api/verify-email/${token}`)).status()).toBe(200);
  expect((await owner.put(`/api/users/${id}/approve`, { headers })).status()).toBe(200);
  return id;
}

async function logIn(page: Page): Promise<void> {
  await page.goto('/auth');
  await page.getByLabel('Email address').fill(TESS.email);
  await page.getByLabel('Password', { exact: true }).fill(TESS.password);
  await page.keyboard.press('Enter');
}

const atHome = (page: Page) => page.getByRole('heading', { level: 1, name: 'Dashboard' });

/** Turns the second factor on, by keyboard. @returns the secret and the recovery codes */
async function enrol(page: Page): Promise<{ secret: string; recoveryCodes: string[] }> {
  await page.getByRole('button', { name: 'Turn on' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog').getByLabel('Password', { exact: true })).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.insertText(TESS.password);
  await page.keyboard.press('Enter');
  const picture = page.getByRole('img', { name: /^QR code/ });
  // The content security policy allows the QR code.
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0);
  await expect(page.getByLabel('2FA code')).toBeFocused();
  await expectAccessible(page);
  const secret = ((await page.getByRole('dialog').locator('code').textContent()) ?? '').replaceAll(' ', '');
  await page.keyboard.insertText(new TOTP({ secret }).generate());
  await page.keyboard.press('Enter');
  const codes = page.getByRole('dialog', { name: 'Two-factor authentication is on' });
  await expect(codes.getByRole('listitem')).toHaveCount(10);
  const recoveryCodes = await codes.getByRole('listitem').allTextContents();
  expect(new Set(recoveryCodes).size).toBe(10);
  await page.keyboard.press('Escape');
  await expect(codes.getByText(/^Save the codes and select this first/)).toBeVisible();
  await expectAccessible(page);
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('heading', { name: /^Pricewright recovery codes/ })).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeHidden();
  await page.emulateMedia({ media: null });
  await codes.getByRole('checkbox', { name: 'I have saved them' }).focus();
  await page.keyboard.press('Space');
  await codes.getByRole('button', { name: 'Done' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Turn off' })).toBeFocused();
  return { secret, recoveryCodes };
}

test(
  'a second factor is set up, opens the account with a code and with a recovery code, and is turned off',
  BREADTH,
  async ({ page, browser, request: owner, baseURL }) => {
    const headers = { origin: baseURL ?? '' };
    await logInOwner(owner, headers);
    const id = await letTessIn(owner, headers);

    await logIn(page);
    await page.getByRole('link', { name: /Account & security$/ }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Account & security' })).toBeFocused();
    await expect(page.getByText(/no other sessions/)).toBeVisible();
    await expectAccessible(page);
    const { secret, recoveryCodes } = await enrol(page);
    await expect(page.getByText('Recovery codes left: 10 of 10')).toBeVisible();
    await expectAccessible(page);

    await page.getByRole('button', { name: 'Logout' }).click();
    // A page loaded before the response would still be logged in.
    await expect(page).toHaveURL(/\/auth(\?|$)/);
    await logIn(page);
    await expect(page.getByLabel('2FA code')).toBeFocused();
    await expectAccessible(page);
    // The setup used the current code; the next one is accepted already.
    await page.keyboard.insertText(new TOTP({ secret }).generate({ timestamp: Date.now() + STEP }));
    await page.keyboard.press('Enter');
    await expect(atHome(page)).toBeVisible();

    const second = await (await browser.newContext()).newPage();
    await logIn(second);
    await second.getByRole('button', { name: 'Use a recovery code instead' }).click();
    await expect(second.getByLabel('Recovery code')).toBeFocused();
    await second.keyboard.insertText(recoveryCodes[0] ?? '');
    await second.keyboard.press('Enter');
    await expect(atHome(second)).toBeVisible();

    await second.goto('/account');
    await expect(second.getByText('Recovery codes left: 9 of 10')).toBeVisible();
    await second.getByRole('button', { name: /^End the session of Chrome on Linux/ }).click();
    await expect(second.getByText(/no other sessions/)).toBeVisible();
    await expect(page.getByRole('dialog', { name: 'Your session has ended' })).toBeVisible();

    await second.getByRole('button', { name: 'Turn off' }).click();
    const dialog = second.getByRole('dialog', { name: 'Turn off two-factor authentication' });
    await dialog.getByLabel('Password', { exact: true }).fill(TESS.password);
    await dialog.getByRole('button', { name: 'Use a recovery code instead' }).click();
    await second.keyboard.insertText(recoveryCodes[1] ?? '');
    await expectAccessible(second);
    await second.keyboard.press('Enter');
    await expect(second.getByText('2FA Disabled')).toBeVisible();
    await expect(second.getByRole('button', { name: 'Turn on' })).toBeFocused();

    // A new password keeps this browser logged in, although the server ends all earlier sessions.
    await second.getByLabel('Current password').fill(TESS.password);
    await second.getByLabel('New password').fill('a quieter sea under lamps');
    await second.keyboard.press('Enter');
    await expect(second.getByText('Other sessions have ended.', { exact: true })).toBeVisible();
    await second.getByLabel('Full name').fill('Tess Threefold');
    await second.keyboard.press('Enter');
    await expect(second.getByText('Profile saved', { exact: true })).toBeVisible();
    await expect(second.getByRole('dialog')).toHaveCount(0);

    await second.setViewportSize({ width: 320, height: 640 });
    // Once the sidebar has become a sheet.
    await expect
      .poll(() => second.evaluate(() => document.documentElement.scrollWidth))
      .toBeLessThanOrEqual(320);
    await second.context().close();
    expect((await owner.delete(`/api/users/${id}`, { headers })).status()).toBe(200);
  },
);
