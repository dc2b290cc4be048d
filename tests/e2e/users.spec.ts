import type { Page } from '@playwright/test';
import { BREADTH, expect, expectAccessible, test } from './fixtures.ts';
import { verificationLinkTo } from './outbox.ts';

const IRIS = { fullName: 'Iris Invited', email: 'iris@example.com', password: 'clouds over the old mill' };
const CHOSEN = 'a lighthouse keeps its hours';

async function logIn(page: Page, password: string): Promise<void> {
  await page.getByLabel('Email address').fill(IRIS.email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Login' }).click();
}

test.describe.configure({ mode: 'serial' });

test('a user registers, opens the link of the email, is approved and logs in', async ({
  provenPage: ownerPage,
  browser,
}) => {
  const guest = await (await browser.newContext()).newPage();
  await guest.goto('/auth?tab=register');
  await guest.getByLabel('Full name').fill(IRIS.fullName);
  await guest.getByLabel('Email address').fill(IRIS.email);
  await guest.getByLabel('Phone number').fill('+1 555 0177');
  await guest.getByLabel('Password', { exact: true }).fill(IRIS.password);
  await guest.getByRole('button', { name: 'Create account' }).click();
  await expect(guest.getByRole('heading', { name: 'What happens next' })).toBeVisible();

  await expect.poll(() => verificationLinkTo(IRIS.email)).not.toBeNull();
  const link = verificationLinkTo(IRIS.email) ?? '';
  // A mail scanner that opens the links does not use them up.
  expect((await guest.request.get(link)).ok()).toBe(true);
  await ownerPage.goto('/users');
  const entry = ownerPage.getByRole('listitem', { name: IRIS.fullName });
  await expect(entry.getByText('Email Not Verified')).toBeVisible();
  await expectAccessible(ownerPage);

  await guest.goto(link);
  await expect(guest.getByRole('heading', { name: 'Email verified' })).toBeVisible();
  await expect(guest.getByRole('paragraph')).toHaveText(/now pending administrator approval\.$/);
  await expectAccessible(guest);
  await guest.reload();
  await expect(guest.getByRole('paragraph')).toHaveText(/already verified/);
  await guest.getByRole('link', { name: 'Go to Login' }).click();
  await logIn(guest, IRIS.password);
  await expect(guest.getByText(/waiting for administrator approval/).first()).toBeVisible();

  await ownerPage.getByRole('button', { name: 'Refresh' }).click();
  await expect(entry.getByText('Email Verified')).toBeVisible();
  await entry.getByRole('button', { name: `Approve ${IRIS.fullName}` }).click();
  await expect(ownerPage.getByText('User can now access the application', { exact: true })).toBeVisible();
  await expect(ownerPage.getByRole('row', { name: new RegExp(IRIS.fullName) })).toBeVisible();

  await logIn(guest, IRIS.password);
  await expect(guest.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  await expect(guest.getByRole('link', { name: 'Users' })).toHaveCount(0);
  await guest.goto('/users');
  await expect(guest.getByRole('heading', { name: 'Access Denied' })).toBeVisible();
  await guest.context().close();
});

test(
  'a password reset leads to a new password, by keyboard alone',
  BREADTH,
  async ({ provenPage: ownerPage, browser }) => {
    await ownerPage.goto('/users?q=IRIS');
    const menu = ownerPage.getByRole('button', { name: `User Actions for ${IRIS.fullName}` });
    await menu.focus();
    await ownerPage.keyboard.press('Enter');
    await expect(ownerPage.getByRole('menuitem', { name: 'Change Role' })).toBeFocused();
    await ownerPage.keyboard.press('ArrowDown');
    await expect(ownerPage.getByRole('menuitem', { name: 'Reset Password' })).toBeFocused();
    await ownerPage.keyboard.press('Enter');
    await expect(ownerPage.getByLabel('New Password')).toBeFocused();
    await ownerPage.keyboard.insertText('short');
    await expectAccessible(ownerPage);
    await ownerPage.keyboard.press('Enter');
    await expect(ownerPage.getByText('Invalid password', { exact: true })).toBeVisible();
    await ownerPage.keyboard.insertText(' words of an admin');
    await ownerPage.keyboard.press('Enter');
    await expect(ownerPage.getByText('User password has been updated', { exact: true })).toBeVisible();
    await expect(menu).toBeFocused();

    const guest = await (await browser.newContext()).newPage();
    await guest.goto('/auth');
    await logIn(guest, 'short words of an admin');
    await expect(guest.getByLabel('New password', { exact: true })).toBeFocused();
    await expectAccessible(guest);
    await guest.keyboard.insertText(CHOSEN);
    await guest.keyboard.press('Enter');
    await expect(guest.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();

    // A change of role ends the session at once.
    await ownerPage.keyboard.press('Enter');
    await ownerPage.getByRole('menuitem', { name: 'Change Role' }).click();
    await expectAccessible(ownerPage);
    await ownerPage.getByRole('button', { name: 'Change Role' }).click();
    await expect(ownerPage.getByText('User role has been changed', { exact: true })).toBeVisible();
    await expect(guest.getByRole('button', { name: 'Login' })).toBeVisible();
    await guest.context().close();
  },
);

test('a removed user is no longer listed', BREADTH, async ({ provenPage: ownerPage }) => {
  await ownerPage.goto('/users?q=iris');
  const choose = async (entry: string): Promise<void> => {
    await ownerPage.getByRole('button', { name: `User Actions for ${IRIS.fullName}` }).click();
    await ownerPage.getByRole('menuitem', { name: entry }).click();
  };
  await choose('Change Role');
  await ownerPage.getByRole('button', { name: 'Change Role' }).click();
  await expect(ownerPage.getByRole('dialog')).toHaveCount(0);
  await choose('Remove User');
  await expectAccessible(ownerPage);
  await ownerPage.getByRole('button', { name: 'Delete User' }).click();
  await expect(ownerPage.getByText('User has been removed', { exact: true })).toBeVisible();
  await expect(ownerPage.getByText('No users found')).toBeVisible();
});

test('at 320 px nothing scrolls sideways', BREADTH, async ({ provenPage: ownerPage }) => {
  await ownerPage.setViewportSize({ width: 320, height: 640 });
  await ownerPage.goto('/users');
  await ownerPage.getByRole('heading', { name: /^Active Users/ }).waitFor();
  expect(await ownerPage.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
});
